"""Blocks: the columns of numbers that stand for the variables of a table, and their correlations.

A continuous variable is one column. A discrete variable is an indicator column for each level but the most frequent
one: 1 in the rows with that level, 0 in the others. An ordinal variable is treated as a discrete one, unless only the
order of values counts (`scores`): then it is a column of normal scores, as a continuous one is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Table
from ancestral.data.column_kinds import Kind
from ancestral.data.errors import DataError
from ancestral.data.read.deadline import check
from ancestral.data.stats.comoments import Portions
from ancestral.data.stats.deviations import Deviations
from ancestral.data.stats.keyed_moments import check_levels
from ancestral.data.stats.moments import moments_of_columns
from ancestral.independence.scores import normal_scores

__all__ = [
    "Levels", "SummedBlocks", "block", "block_columns", "block_levels", "block_starts", "check_indicators",
    "correlation_of",
]  # fmt: skip

#: The bytes that the indicators of a table may take where all their rows are in memory together: 2 GiB.
MOST_BYTES = 1 << 31

#: The columns that stand for a variable: the level that each of them indicates, None for the numbers.
Levels = tuple[str | None, ...]


class SummedBlocks(Protocol):
    """Data of which the correlations of blocks are known, and no rows: the summary of a stream, or a resample."""

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of each variable."""

    @property
    def rows(self) -> int:
        """The number of rows that were summed."""

    @property
    def fingerprint(self) -> str:
        """Identifies their content."""

    def blocks(self) -> tuple[Mapping[str, Levels], NDArray[np.float64]]:
        """The columns that stand for each variable, by name, and the correlations of all these columns."""


@dataclass(frozen=True)
class _Indicator:
    """The column that is 1 in the rows with a level and 0 in the others; rows are made when they are asked for."""

    codes: NDArray[np.integer]
    level: int

    def __getitem__(self, rows: slice) -> NDArray[np.float64]:
        return (self.codes[rows] == self.level).astype(np.float64)


def block(table: Table, name: str, scores: bool = False) -> list[Portions]:
    """The columns that stand for a variable; `scores`: numbers and ordered levels as normal scores.

    Scores are of weighted ranks where rows have weights. In an indicator, missing values count as 0.
    """
    column = table.column(name)
    if scores and column.kind != "discrete":
        weights = None if table.design is None else table.design.scaled
        return [normal_scores(np.where(column.missing, np.nan, column.values)[:, None], weights)[:, 0]]
    if column.levels is None:
        return [np.asarray(column.values, dtype=np.float64)]
    codes = np.asarray(column.values, dtype=np.int64)
    return [_Indicator(codes, level) for level in _indicated(codes, len(column.levels))]


def block_levels(table: Table, name: str, scores: bool = False) -> Levels:
    """The levels that the columns of a variable indicate, in the order of `block`."""
    column = table.column(name)
    if column.levels is None or (scores and column.kind == "ordinal"):
        return (None,)
    codes = np.asarray(column.values, dtype=np.int64)
    return tuple(str(column.levels[level]) for level in _indicated(codes, len(column.levels)))


def _indicated(codes: NDArray[np.integer], levels: int) -> list[int]:
    """The levels that occur, by number, without the most frequent one."""
    counts = np.bincount(codes[codes >= 0], minlength=levels)
    return [level for level in range(levels) if level != int(np.argmax(counts)) and counts[level]]


def block_columns(table: Table, name: str, scores: bool = False) -> NDArray[np.float64]:
    """The columns that stand for a variable, one per row of the result; NaN where the variable is missing."""
    columns = block(table, name, scores)
    out = np.array([part[:] for part in columns], dtype=np.float64).reshape(len(columns), table.rows)
    if table.column(name).levels is not None:
        out[:, table.column(name).missing] = np.nan
    return out


def block_starts(sizes: Sequence[int]) -> NDArray[np.integer]:
    """Where each of the blocks of these sizes begins, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(sizes)])


def correlation_of(columns: Sequence[Portions]) -> NDArray[np.float64]:
    """The correlations of columns without missing values."""
    about = []
    for column in columns:
        check()
        about.append(Deviations.of(column[:]))
    return moments_of_columns([f"{i}" for i in range(len(columns))], columns, about).correlation


def check_indicators(table: Table, *, in_memory: bool) -> None:
    """Raise `DataError` if the discrete columns of a table have too many levels to have an indicator for each.

    `in_memory`: also if all rows of the indicators together take more than `MOST_BYTES`.
    """
    levels = {column.name: len(column.levels) for column in table.columns if column.levels is not None}
    if "continuous" in table.kinds:
        check_levels(levels)
    total = sum(levels.values())
    if in_memory and 8 * total * table.rows > MOST_BYTES:
        most = sorted(levels, key=lambda name: -levels[name])[:8]
        raise DataError(
            f"the indicators of discrete columns must take at most {MOST_BYTES / 2**30:.0f} GiB, and those of "
            f"{total:,} levels and {table.rows:,} rows take {8 * total * table.rows / 2**30:.1f} GiB; leave out the "
            "columns with most levels: " + ", ".join(f"{name!r} ({levels[name]:,})" for name in most)
        )
