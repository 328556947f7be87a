"""Which levels of a cause are compared, and the comparison of their means as differences or ratios."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import real
from ancestral.data.column import Column
from ancestral.data.column_kinds import Floats, label_of
from ancestral.effects.effect import Contrast
from ancestral.effects.estimation.influence import Estimate, Sampling
from ancestral.errors import Option, OptionError, UnknownName

__all__ = ["checked_pairs", "compared", "compared_levels", "level_name", "reference_level"]

Pairs = tuple[tuple[str, str], ...]


def compared_levels(x: Column, chosen: object) -> Pairs:
    """The pairs of levels to compare: those that were chosen, otherwise every level with a reference.

    The reference is the first of two levels, or of levels in order; of others, the most frequent one. Raises
    `OptionError` if `chosen` is not a pair of different levels or a list of such pairs, `UnknownName` for a level that
    does not occur.
    """
    levels = x.levels
    assert levels is not None
    if chosen is None:
        counts = np.bincount(x.values, minlength=len(levels))
        reference = reference_level(levels, x.ordered, counts)
        return tuple((level, reference) for level in levels if level != reference)
    return checked_pairs(x.name, levels, chosen)


def reference_level(levels: Sequence[str], ordered: bool, counts: NDArray[np.integer]) -> str:
    """The level with which others are compared: the first of two, or of levels in order; else the most frequent."""
    return levels[0] if len(levels) == 2 or ordered else levels[int(np.argmax(counts))]


def checked_pairs(x: str, levels: Sequence[str], chosen: object) -> Pairs:
    """The pairs of levels of x that were chosen; raises as `compared_levels` does."""
    pairs = [chosen] if isinstance(chosen, (tuple, list)) and chosen and not _is_pair(chosen[0]) else chosen
    if not isinstance(pairs, (tuple, list)) or not pairs or not all(map(_is_pair, pairs)):
        raise _not_pairs(chosen, levels)
    named = tuple((level_name(a), level_name(b)) for a, b in pairs)
    for pair in named:
        for level in pair:
            if level not in levels:
                raise UnknownName(level, levels, what=f"level of {x!r},")
        if pair[0] == pair[1]:
            raise _not_pairs(chosen, levels)
    return named


def level_name(level: Any) -> str:
    """A level as tables name it: numbers without a decimal point where they are whole."""
    number = None if isinstance(level, bool) else real(level)
    return str(level) if number is None else label_of(number)


def _is_pair(value: object) -> bool:
    return isinstance(value, (tuple, list)) and len(value) == 2


def _not_pairs(chosen: object, levels: Sequence[str]) -> OptionError:
    return OptionError(
        "must be two different levels, or a list of such pairs, each with its reference last",
        option="levels",
        value=chosen,
        way_out=["for example ", Option("levels", (levels[-1], levels[0]))],
    )


def compared(
    pairs: Pairs, means: Mapping[str, Floats], sampling: Sampling, contrast: Contrast, y: str
) -> list[Estimate]:
    """The comparison of each pair of levels.

    `means` has, for each level, a value of each row whose mean is that of y with the cause set to this level, and whose
    deviation from the mean is its influence. Raises `OptionError` for a ratio of means that are not both above 0.
    """
    out = []
    for level, reference in pairs:
        mean, other = sampling.mean(means[level]), sampling.mean(means[reference])
        if contrast != "ratio":
            difference = means[level] - means[reference]
            out.append(sampling.estimate(mean - other, difference - (mean - other)))
            continue
        if min(mean, other) <= 0:
            raise OptionError(
                f"must be 'difference' unless all means are above 0, and one of {y!r} is {min(mean, other):.3g}",
                option="contrast",
                value=contrast,
            )
        out.append(sampling.ratio(mean, other, means[level] - mean, means[reference] - other))
    return out
