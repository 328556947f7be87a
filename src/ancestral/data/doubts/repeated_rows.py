"""Repeated rows: more equal rows than measurements explain, as when a table was stacked on itself.

Equal rows are common among labels, and hardly ever happen to measurements: where different rows have different values
of a column, two rows with the same value are the same row. So repeats are told if at least one row in twenty repeats an
earlier one, and a continuous column has nearly as many values as there are different rows; or if, leaving out each of
three continuous columns or more in turn, nearly all pairs of rows that agree in everything else agree in it, too.
"""

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column import Column
from ancestral.data.doubts.doubt import Doubt
from ancestral.data.doubts.seen_rows import SeenRows
from ancestral.data.row_hash import mixed_bits
from ancestral.printing import counted

__all__ = ["repeated_rows"]

#: Rows that are needed to tell, and the number of different ones.
FEWEST_ROWS, FEWEST_DIFFERENT = 20, 5
#: The share of rows that repeat an earlier one from which on there is a doubt.
SHARE = 0.05
#: The share of different rows, and of pairs of rows, that counts as nearly all.
NEARLY_ALL_ROWS, NEARLY_ALL_PAIRS = 0.95, 0.9
#: Continuous columns that are left out one by one: as many are needed, and of more than the most, the first ones.
FEWEST_LEFT_OUT, MOST_LEFT_OUT = 3, 8

Words = NDArray[np.uint64]


def repeated_rows(seen: SeenRows) -> list[Doubt]:
    """The doubt about the rows of a table, if there is one."""
    continuous = [column for column in seen.table.columns if column.levels is None]
    if seen.rows < FEWEST_ROWS or not continuous or len(seen.table.columns) < 2:
        return []
    fewer = (1 - SHARE) * seen.rows
    labels = [column for column in seen.table.columns if column.levels is not None]
    parts: list[Words] = []
    total = np.zeros(seen.rows, dtype=np.uint64)
    for number, column in enumerate([*continuous, *labels]):
        parts.append(_words(column, number))
        total += parts[-1]
        # a few columns tell of most tables that their rows differ
        if number in (0, 1, 3, 7) and _different(total) > fewer:
            return []
    different = _different(total)
    if different > fewer or different < FEWEST_DIFFERENT:
        return []
    values = max(_different(part) for part in parts[: len(continuous)])
    if values < NEARLY_ALL_ROWS * different and not _repeats_whole_rows(parts[: len(continuous)], total):
        return []
    often = "" if seen.rows % different else f", as if each was there {seen.rows // different:,} times"
    return [
        Doubt(
            "repeated rows",
            (),
            f"only {different:,} of {counted(seen.rows, 'row')} differ{often}, and measurements hardly ever repeat "
            "whole rows; keep each row once, or, if equal rows are several visits of one unit, one row for each unit: "
            "repeated rows make p-values far too small",
        )
    ]


def _repeats_whole_rows(continuous: list[Words], total: Words) -> bool:
    """Whether pairs of rows that agree in all but one continuous column nearly always agree in that one, too."""
    if len(continuous) < FEWEST_LEFT_OUT:
        return False
    without = [_equal_pairs(total - part) for part in continuous[:MOST_LEFT_OUT]]
    return _equal_pairs(total) * len(without) >= NEARLY_ALL_PAIRS * sum(without)


def _words(column: Column, number: int) -> Words:
    """A word of 64 bits for each value of a column; the sum of those of all columns tells rows apart."""
    if column.levels is None:
        bits = (np.asarray(column.values, dtype=np.float64) + 0.0).view(np.uint64)  # 0 and -0 are one number
    else:
        bits = np.asarray(column.values).astype(np.int64).view(np.uint64)
    return mixed_bits(bits + np.uint64((number + 1) * 0x9E3779B97F4A7C15 % (1 << 64)))


def _different(words: Words) -> int:
    ordered = np.sort(words)
    return 1 + int(np.count_nonzero(ordered[1:] != ordered[:-1]))


def _equal_pairs(words: Words) -> float:
    counts = np.unique(words, return_counts=True)[1].astype(np.float64)
    return float((counts * (counts - 1)).sum() / 2)
