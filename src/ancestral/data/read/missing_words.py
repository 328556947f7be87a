"""Words that count as missing though they stand among labels, such as 'None' beside 'Mild': what an error says."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from ancestral.data.read.missing_values import WORDS, NaOption
from ancestral.errors import Option
from ancestral.printing import counted, listed

__all__ = ["WordCounts", "among_labels"]

#: How often each word stands for a missing value, by column.
WordCounts: TypeAlias = Mapping[str, Mapping[str, int]]


def among_labels(words: WordCounts, levels: Mapping[str, Sequence[str]]) -> tuple[str | Option, ...]:
    """The part of an error about missing values that names such words and the way out; nothing if there are none.

    `words` are those that stand for missing values, with their number, or 0 if it is not known; `levels` are the
    labels beside them.
    """
    found = {
        name: there for name in levels if (there := [word for word in words.get(name, {}) if word and word in WORDS])
    }
    if not found:
        return ()
    (name, first), *others = found.items()
    count = sum(words[name][word] for word in first)
    times = f", {counted(count, 'time')}" if count else ""
    more = f" (so it is in {listed(other for other, _ in others)})" if others else ""
    what = "counts as missing and is" if len(first) == 1 else "count as missing and are"
    taken = {word for there in found.values() for word in there}
    return (
        f"; in column {name!r}, {listed(first)} {what} not a label like {listed(levels[name], most=2)}{times}{more}: "
        "if it is a label, pass ",
        NaOption(word for word in WORDS if word and word not in taken),
    )
