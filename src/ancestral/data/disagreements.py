"""Where tables of one population disagree: columns, or pairs of columns, that differ between two tables beyond chance.

If two tables are samples of one population, their rows can be exchanged: which table a row came from is a matter of
chance. So every comparison here is a rank-sum test, or an exact test of a count, of the pooled rows, which keeps its
level whatever the distribution:

- numbers and ordered levels: the values, and their distances from the pooled median;
- labels: the count of each level;
- two columns of numbers: the product of their centred ranks, which is large where both are large, or both small;
- labels and numbers: the numbers in the rows of each level; two columns of labels: the count of each pair of levels.

A column, or pair, disagrees if the smallest of its p-values, times the number of all comparisons of the call, is below
1 %. So tables that agree are accused in at most one of a hundred calls. A pair of columns is not accused if one of them
is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import erfc, sqrt

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column import Column

__all__ = ["MOST_PAIRS", "Disagreement", "Measured", "disagreements", "exact_p_value", "rank_sum_p_value"]

#: The probability that tables of one population are said to disagree, at most.
LEVEL = 0.01

#: Pairs of columns of two tables that are compared, at most: the first ones.
MOST_PAIRS = 1_000

#: Levels, or pairs of levels, whose counts are compared, at most: the most frequent ones.
MOST_LEVELS = 50

#: Rows below which a table is not compared.
FEWEST = 5

#: Beyond this share of equal values the rank sum is a count, of which there is an exact test.
MOST_EQUAL = 0.5

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Disagreement:
    """Two tables that disagree: their names, the column or the two columns, the p-value, and a sentence about it.

    The p-value is multiplied by the number of comparisons.
    """

    tables: tuple[str, str]
    columns: tuple[str, ...]
    p_value: float
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Measured:
    """A table to compare: its name, and its columns by name; labels have the same levels in all tables."""

    name: str
    columns: dict[str, Column]


@dataclass(frozen=True)
class _Compared:
    """The comparison of some columns between two tables: the smallest p-value, and how many p-values there are."""

    tables: tuple[str, str]
    columns: tuple[str, ...]
    p_value: float
    count: int
    words: str


def disagreements(tables: Sequence[Measured]) -> tuple[Disagreement, ...]:
    """The columns and pairs of columns about which two of these tables disagree; columns come first."""
    compared = [found for one, other in combinations(tables, 2) for found in _compared(one, other)]
    total = sum(found.count for found in compared)
    out: list[Disagreement] = []
    accused: set[tuple[tuple[str, str], str]] = set()
    for found in sorted(compared, key=lambda found: len(found.columns)):
        corrected = min(1.0, found.p_value * total)
        if corrected >= LEVEL or any((found.tables, column) in accused for column in found.columns):
            continue
        accused |= {(found.tables, column) for column in found.columns if len(found.columns) == 1}
        text = f"tables {found.tables[0]!r} and {found.tables[1]!r} disagree about {found.words} (p = {corrected:.2g})"
        out.append(Disagreement(found.tables, found.columns, corrected, text))
    return tuple(out)


def _compared(one: Measured, other: Measured) -> Iterator[_Compared]:
    shared = [name for name in one.columns if name in other.columns]
    tables = (one.name, other.name)
    pooled = {name: _Pooled.of(one.columns[name], other.columns[name]) for name in shared}
    for name, column in pooled.items():
        if p_values := column.p_values():
            yield _Compared(tables, (name,), min(p_values), len(p_values), f"{name!r}: {column.in_words()}")
    for a, b in list(combinations(shared, 2))[:MOST_PAIRS]:
        if p_values := list(_pair(pooled[a], pooled[b])):
            words = f"how {a!r} and {b!r} depend on each other"
            yield _Compared(tables, (a, b), min(p_values), len(p_values), words)


@dataclass(frozen=True)
class _Pooled:
    """A column of two tables, one below the other; `first`: the row is of the first table. NaN is missing."""

    values: Floats
    first: Bools
    levels: tuple[str, ...] | None
    ordered: bool

    @classmethod
    def of(cls, one: Column, other: Column) -> "_Pooled":
        codes = np.concatenate([one.values, other.values]).astype(np.float64)
        if one.levels is not None:
            codes[codes < 0] = np.nan
        first = np.arange(len(codes)) < len(one.values)
        return cls(codes, first, one.levels, one.ordered)

    @property
    def labels(self) -> bool:
        """Whether the order of values means nothing."""
        return self.levels is not None and not self.ordered

    @property
    def there(self) -> Bools:
        """Where there is a value."""
        return ~np.isnan(self.values)

    def p_values(self) -> list[float]:
        """Those of all comparisons; none if a table has too few values."""
        values, first = self.values[self.there], self.first[self.there]
        if min(first.sum(), (~first).sum()) < FEWEST:
            return []
        if self.labels:
            return [exact_p_value(values == level, first) for level in _frequent(values)]
        distance = np.abs(values - np.median(values))
        return [rank_sum_p_value(values, first), rank_sum_p_value(distance, first)]

    def in_words(self) -> str:
        """What both tables say, in numbers."""
        values, first = self.values[self.there], self.first[self.there]
        here, there = values[first], values[~first]
        if not self.labels or self.levels is None:
            return f"mean {here.mean():.4g} (spread {here.std():.2g}) and {there.mean():.4g} ({there.std():.2g})"
        shares = [(abs((here == k).mean() - (there == k).mean()), k) for k in range(len(self.levels))]
        k = max(shares)[1]
        return f"{self.levels[k]!r} in {(here == k).mean():.0%} and {(there == k).mean():.0%} of rows"


def _pair(a: _Pooled, b: _Pooled) -> Iterator[float]:
    """The p-values of a pair of columns; none if too few rows of a table have both."""
    both = a.there & b.there
    first = a.first[both]
    if min(first.sum(), (~first).sum()) < FEWEST:
        return
    if a.labels and b.labels:
        cells = a.values[both] * (b.values[both].max() + 1) + b.values[both]
        yield from (exact_p_value(cells == cell, first) for cell in _frequent(cells))
    elif a.labels or b.labels:
        labels, numbers = (a, b) if a.labels else (b, a)
        groups, ranks = labels.values[both], numbers.values[both]
        for level in _frequent(groups):
            own = groups == level
            if min(first[own].sum(), (~first[own]).sum()) >= FEWEST:
                yield rank_sum_p_value(ranks[own], first[own])
    else:
        ranks_a, ranks_b = (_ranks(column.values[both]) for column in (a, b))
        middle = (len(first) + 1) / 2
        yield rank_sum_p_value((ranks_a - middle) * (ranks_b - middle), first)


def _frequent(values: Floats) -> list[float]:
    """The values that occur most often."""
    found, counts = np.unique(values, return_counts=True)
    kept: list[float] = found[np.argsort(-counts, kind="stable")[:MOST_LEVELS]].tolist()
    return kept


def _ranks(values: Floats) -> Floats:
    """Ranks from 1 on; equal values have the mean of theirs."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(values), dtype=np.float64)


def rank_sum_p_value(values: Floats, first: Bools) -> float:
    """The p-value of Wilcoxon's rank-sum test, both sides, by the normal distribution with its variance under ties.

    If one value makes up most of the rows, the p-value is that of its count, which is exact.

    >>> rank_sum_p_value(np.arange(20.0), np.arange(20) < 10) < 0.001
    True
    """
    found, counts = np.unique(values, return_counts=True)
    if counts.max() > MOST_EQUAL * len(values):
        return exact_p_value(values == found[counts.argmax()], first)
    ranks = _ranks(values)
    rows, here = len(values), int(first.sum())
    spread = here * (rows - here) / (rows * (rows - 1)) * float(((ranks - ranks.mean()) ** 2).sum())
    distance = abs(float(ranks[first].sum()) - here * float(ranks.mean()))
    return erfc(distance / sqrt(2 * spread)) if spread > 0 else 1.0


def exact_p_value(marked: Bools, first: Bools) -> float:
    """Twice the smaller tail of the hypergeometric distribution of the marked rows of the first table (Fisher).

    >>> round(exact_p_value(np.arange(8) < 4, np.arange(8) < 4), 6)  # 2 / 70
    0.028571
    """
    from scipy.stats import hypergeom

    seen, law = int((marked & first).sum()), hypergeom(len(marked), int(marked.sum()), int(first.sum()))
    return min(1.0, 2 * min(float(law.cdf(seen)), float(law.sf(seen - 1))))
