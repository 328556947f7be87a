"""The options of rows drawn again, and of levels searched again: certainty, the bootstrap, and sweeps."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TypedDict

from ancestral.arguments import MOST_SEED, number_between, significance_levels, whole_number
from ancestral.option_groups import Group, option
from ancestral.options.checks import none_or
from ancestral.options.words import ASKED, DEFAULT_ALPHAS, RESAMPLED

__all__ = [
    "CertaintyKeywords",
    "CertaintyOptions",
    "ResampleKeywords",
    "ResampleOptions",
    "SweptKeywords",
    "SweptOptions",
]


class CertaintyKeywords(TypedDict, total=False):
    """Names and types of `CertaintyOptions`."""

    resamples: int | None


@dataclass(frozen=True, kw_only=True)
class CertaintyOptions(Group):
    """How certain the graph is to be shown to be."""

    resamples: int | None = option(
        RESAMPLED,
        None,
        none_or(whole_number, 0),
        "The number of resamples of the rows that are searched, to tell how certain each mark is; 0 for none. By "
        "default 30 where that takes seconds: after a scored search of up to 50 variables (docs/believing.md).",
        "`found.certainty` searches them later, or more of them.",
    )


class ResampleKeywords(TypedDict, total=False):
    """Names and types of `ResampleOptions`."""

    repeats: int
    seed: int
    subsample: float | None


@dataclass(frozen=True, kw_only=True)
class ResampleOptions(Group):
    """How rows are drawn for a bootstrap."""

    repeats: int = option(
        RESAMPLED, 200, partial(whole_number, least=1), "The number of resamples of the rows to search."
    )
    seed: int = option(
        RESAMPLED,
        1,
        partial(whole_number, least=0, most=MOST_SEED),
        "The same seed draws the same rows, with any {workers}.",
        "Each repeat has a random stream of its own, a child of the seed, so the result depends neither on the "
        "executor nor on the order in which repeats end.",
    )
    subsample: float | None = option(
        RESAMPLED,
        None,
        none_or(partial(number_between, low=0, high=1, way_out="for example 0.5")),
        "Draw this share of the rows, each at most once; by default as many as there are, with replacement (the "
        "bootstrap).",
    )


class SweptKeywords(TypedDict, total=False):
    """Names and types of `SweptOptions`."""

    alphas: Iterable[float]
    resamples: int
    seed: int


@dataclass(frozen=True, kw_only=True)
class SweptOptions(Group):
    """At which significance levels a sweep searches.

    >>> SweptOptions(alphas=[0.05, 0.01, 0.05]).alphas
    (0.01, 0.05)
    """

    alphas: Iterable[float] = option(
        ASKED,
        DEFAULT_ALPHAS,
        significance_levels,
        "The significance levels to search at, each once, from the smallest to the largest.",
    )
    resamples: int = option(
        RESAMPLED,
        0,
        partial(whole_number, least=0),
        "The number of subsamples of the rows that are searched at every level, to tell how stable the edges are "
        "(Liu, Roeder & Wasserman 2010); 0 for none, 20 is a common choice.",
    )
    seed: int = option(
        RESAMPLED,
        1,
        partial(whole_number, least=0, most=MOST_SEED),
        "The same seed draws the same subsamples, which are those of every level.",
    )
