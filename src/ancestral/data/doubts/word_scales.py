"""Scales of words: labels such as "never" to "always", whose order is well known though text does not tell it."""

import re
from collections.abc import Mapping, Sequence

__all__ = ["word_scales"]

#: The number of different labels from which on their order matters.
FEWEST = 3

#: The scales, each from its lowest label to its highest; labels on one line, between bars, are the same level.
_TEXTS = (
    """strongly disagree | disagree strongly | completely disagree | totally disagree | fully disagree
    disagree | mostly disagree | tend to disagree
    somewhat disagree | slightly disagree | rather disagree | disagree somewhat | disagree slightly
    neutral | neither agree nor disagree | neither | undecided | not sure | unsure
    somewhat agree | slightly agree | rather agree | agree somewhat | agree slightly
    agree | mostly agree | tend to agree
    strongly agree | agree strongly | completely agree | totally agree | fully agree""",
    """never | not at all
    hardly ever | almost never | very rarely
    rarely | seldom
    occasionally
    sometimes
    often | frequently
    very often | usually | most of the time
    almost always | nearly always
    always | all the time""",
    """none
    very low | lowest
    low
    medium | middle | mid | moderate | average | intermediate | normal
    high
    very high | highest""",
    """none | no | absent
    minimal | trace
    mild | slight
    moderate
    severe
    very severe | critical | extreme""",
    """very poor | very bad | terrible
    poor | bad
    fair | average | acceptable | ok | okay
    good
    very good
    excellent""",
    """very dissatisfied | completely dissatisfied | very unsatisfied
    dissatisfied | unsatisfied
    somewhat dissatisfied | slightly dissatisfied
    neutral | neither satisfied nor dissatisfied
    somewhat satisfied | slightly satisfied
    satisfied
    very satisfied | completely satisfied""",
    """not at all | not
    a little | a little bit | slightly | a bit
    somewhat | moderately
    quite a bit | quite a lot | very | very much
    extremely""",
    """very unlikely | extremely unlikely
    unlikely
    somewhat unlikely
    neutral | neither likely nor unlikely
    somewhat likely
    likely
    very likely | extremely likely""",
    """not important | unimportant | not at all important
    slightly important
    moderately important | somewhat important
    important
    very important
    extremely important""",
    """much worse
    worse | somewhat worse
    same | the same | about the same | unchanged
    better | somewhat better
    much better""",
    """xxs | extra extra small
    xs | extra small | very small
    s | small
    m | medium
    l | large
    xl | extra large | very large
    xxl | extra extra large""",
    """primary | primary school | primary education
    secondary | secondary school | secondary education
    tertiary | tertiary education""",
)
_SCALES = tuple(
    {word.strip(): place for place, line in enumerate(text.splitlines()) for word in line.split("|")} for text in _TEXTS
)


def word_scales(levels: Mapping[str, Sequence[str]]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The scales among columns with these labels: the columns of each, and their labels from the lowest to the highest.

    All labels of a column must be of one scale, and on different places of it. Columns with the same labels are one
    scale.

    >>> word_scales({"q1": ["Always", "Never", "Often"], "city": ["Bonn", "Rome", "York"], "q2": ["high", "low"]})
    [(('q1',), ('Never', 'Often', 'Always'))]
    """
    found: dict[tuple[str, ...], list[str]] = {}
    for name, own in levels.items():
        if (order := _in_order(own)) is not None:
            found.setdefault(order, []).append(name)
    return [(tuple(names), order) for order, names in found.items()]


def _in_order(labels: Sequence[str]) -> tuple[str, ...] | None:
    """The labels from the lowest to the highest; None if they are of no scale."""
    words = {label: re.sub(r"[\s_.-]+", " ", label).strip().casefold() for label in labels}
    for scale in _SCALES:
        places = {label: scale[word] for label, word in words.items() if word in scale}
        if len(set(places.values())) == len(labels) >= FEWEST:
            return tuple(sorted(labels, key=places.__getitem__))
    return None
