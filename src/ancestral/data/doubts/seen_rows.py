"""The rows of a table as doubts look at them: which columns are whole numbers, which are sorted, which come in runs."""

from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column import Column
from ancestral.data.column_kinds import Floats, is_number
from ancestral.data.stats.whole_run import whole_numbers
from ancestral.data.table import Table

__all__ = ["SeenRows", "numbers_in"]

#: The first rows show of most columns that they are not sorted.
HEAD = 64


class SeenRows:
    """A table, and what several doubts need to know of its columns; each is computed once, when it is asked for."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.rows = table.rows

    def first(self, rows: int) -> "SeenRows":
        """The first rows."""
        if self.rows <= rows:
            return self
        return SeenRows(Table(tuple(replace(column, values=column.values[:rows]) for column in self.table.columns)))

    @cached_property
    def whole(self) -> dict[str, NDArray[np.int64]]:
        """The continuous columns that are whole numbers without a gap, by name."""
        found = (
            (column.name, whole_numbers(np.asarray(column.values, dtype=np.float64)))
            for column in self.table.columns
            if column.levels is None and not column.has_missing
        )
        return {name: numbers for name, numbers in found if numbers is not None}

    @cached_property
    def sorted_measurements(self) -> tuple[str, ...]:
        """The continuous columns by which the rows are sorted, without those that rise by equal steps, as time does."""
        return tuple(
            column.name
            for column in self.table.columns
            if column.levels is None and not column.has_missing and _is_sorted(np.asarray(column.values))
        )

    @cached_property
    def segments(self) -> NDArray[np.int64] | None:
        """The number of the segment that each row is in; a new one begins where a label that comes in runs changes.

        A label or whole number comes in runs if it changes at most half as often as in a random order of the rows. None
        if none does.
        """
        changes = np.zeros(self.rows, dtype=bool)
        labels = [column for column in self.table.columns if column.levels is not None]
        values = [np.asarray(column.values, dtype=np.int64) for column in labels]
        for numbers in (*values, *self.whole.values()):
            if (breaks := _breaks_of_runs(numbers)) is not None:
                changes[1:] |= breaks
        return np.cumsum(changes) if changes.any() else None


def numbers_in(column: Column, step: int = 1) -> Floats | None:
    """The values of a column as numbers, NaN where missing; None if its labels are neither numbers nor only two.

    With a `step`, those of the rows that are this many apart.
    """
    if column.levels is None:
        return np.asarray(column.values[::step], dtype=np.float64)
    if len(column.levels) < 2:
        return None
    if all(map(is_number, column.levels)):
        steps = np.array([*map(float, column.levels), np.nan])
    elif len(column.levels) == 2:
        steps = np.array([0.0, 1.0, np.nan])
    else:
        return None
    return steps[column.values[::step]]  # -1 takes the last


def _is_sorted(values: Floats) -> bool:
    for part in (values[:HEAD], values):
        steps = np.diff(part)
        if not ((steps >= 0).all() or (steps <= 0).all()):
            return False
    if not steps.size or not steps.any():
        return False
    return not bool(np.allclose(steps, steps[0], rtol=1e-6, atol=0.0)) and not _is_counter(values)


def _is_counter(values: Floats) -> bool:
    """Whether sorted values are whole numbers without a tie, as numbers of rows and years are."""
    return bool((np.diff(values) != 0).all() and (values == np.floor(values)).all())


def _breaks_of_runs(values: NDArray[np.int64]) -> NDArray[np.bool_] | None:
    """Where values change from one row to the next, if they come in runs; None if not, or if there is one value."""
    breaks = values[1:] != values[:-1]
    changes = int(np.count_nonzero(breaks))
    if not changes or 2 * changes > values.size - 1:
        return None
    shares = np.unique(values, return_counts=True)[1] / values.size
    expected = (values.size - 1) * (1 - float(shares @ shares))
    return breaks if 2 * changes <= expected else None
