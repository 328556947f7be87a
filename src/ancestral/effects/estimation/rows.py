"""The rows that an effect is estimated from: the cause, the outcome as numbers, and the adjustment set as features."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.data import DataError, Table
from ancestral.data.column import Column
from ancestral.data.column_kinds import Floats, is_number
from ancestral.data.design import Design
from ancestral.errors import Option, OptionError
from ancestral.printing import counted, listed

__all__ = ["Outcome", "Rows", "effect_rows", "outcome_of"]


@dataclass(frozen=True)
class Outcome:
    """The outcome as numbers: `values` are 0 and 1 if it is `binary`; `note` says what the numbers stand for."""

    values: Floats
    binary: bool
    note: str | None = None


@dataclass(frozen=True)
class Rows:
    """Complete rows of a cause x, an outcome, and the variables that are adjusted for, in the order of their names."""

    x: Column
    outcome: Outcome
    given: tuple[Column, ...]
    design: Design | None
    notes: tuple[str, ...]

    @property
    def count(self) -> int:
        """The number of rows."""
        return len(self.outcome.values)

    @cached_property
    def features(self) -> Floats:
        """A standardised column for each number that is adjusted for, and an indicator for each further level."""
        columns = [part for column in self.given for part in _features(column)]
        return np.column_stack(columns) if columns else np.empty((self.count, 0))

    @cached_property
    def weights(self) -> Floats:
        """The weights of the rows, with a mean of 1."""
        if self.design is None or self.design.weights is None:
            return np.ones(self.count)
        return np.asarray(self.design.weights / self.design.weights.mean())

    @property
    def weighted(self) -> bool:
        """Whether rows have different weights."""
        return self.design is not None and self.design.weights is not None

    @cached_property
    def groups(self) -> NDArray[np.integer] | None:
        """The cluster of each row, counted from 0; None if all rows are independent."""
        if self.design is None or self.design.clusters is None:
            return None
        return np.unique(self.design.clusters.codes, return_inverse=True)[1]


def effect_rows(table: Table, x: str, y: str, given: Sequence[str], event: str | None) -> Rows:
    """The rows of a table in which x, y and the given variables are known.

    `event` is the level of a binary y whose probability is meant. Raises `DataError` for a variable with a single
    value, and `OptionError` for an outcome that has no mean.
    """
    chosen = table.select([x, y, *given])
    complete = chosen.complete_rows()
    notes = []
    if gone := chosen.rows - complete.rows:
        notes.append(f"{counted(gone, 'row')} without a value were left out")
    for column in complete.columns:
        if (not np.ptp(column.values)) if column.levels is None else len(column.levels) < 2:
            raise DataError(
                f"column {column.name!r} has a single value in the {counted(complete.rows, 'row')} without missing "
                "values; no effect can be estimated from it"
            )
    complete, apart = _overlapping(complete)
    notes += apart
    outcome = outcome_of(complete.columns[1], event)
    notes += [] if outcome.note is None else [outcome.note]
    return Rows(complete.columns[0], outcome, complete.columns[2:], complete.design, tuple(notes))


def _overlapping(table: Table) -> tuple[Table, list[str]]:
    """The rows in which a cause of two levels, the first column, could have had either, and what was left out.

    A level of a variable that is adjusted for, at which the cause always has the same level, tells nothing about the
    cause: as where each row of an experiment is of one sample, and two samples are never of one row. A variable that
    has a single value after that is left out, too.
    """
    x, y, *given = table.names
    cause, notes = table.column(x), []
    if cause.levels is None or len(cause.levels) != 2:
        return table, []
    for name in given:
        column = table.column(name)
        if column.levels is None:
            continue
        seen = [set(np.unique(column.values[table.column(x).values == level]).tolist()) for level in (0, 1)]
        if alone := sorted(seen[0] ^ seen[1]):
            rows = np.isin(column.values, alone)
            words = listed([column.levels[level] for level in alone], last="or")
            notes.append(
                f"{counted(int(rows.sum()), 'row')} with {name} = {words} were left out, since {x} is the same in all "
                "of them; the effect is that among the others"
            )
            table = table.keep(~rows)
    kept = [name for name in given if len(np.unique(table.column(name).values)) > 1]
    return table.select([x, y, *kept]), notes


def outcome_of(column: Column, event: str | None) -> Outcome:
    """An outcome as numbers: those of the column, or whether it is at a level.

    Of two levels, the event is the second one, unless it is given. More levels count as the numbers that they write;
    `OptionError` if they do not.
    """
    levels = column.levels
    if event is not None and (levels is None or event not in levels):
        there = f"; its levels are {listed(levels, 8)}" if levels is not None else ", which holds numbers"
        raise OptionError(f"must be a level of {column.name!r}{there}", option="event", value=event)
    if levels is None:
        return Outcome(np.asarray(column.values, dtype=np.float64), binary=False)
    if event is not None or len(levels) == 2:
        chosen = levels[-1] if event is None else event
        values = (column.values == levels.index(chosen)).astype(np.float64)
        return Outcome(values, binary=True, note=f"the outcome is whether {column.name} is {chosen!r}")
    if all(map(is_number, levels)):
        values = np.array([float(level) for level in levels])[column.values]
        return Outcome(values, binary=False, note=f"the levels of {column.name} count as the numbers they are")
    raise OptionError(
        f"an effect compares means, and the levels of {column.name!r} have none",
        way_out=[
            "choose the level whose probability is meant, as in ",
            Option("event", levels[-1]),
            ", or give the levels numbers in the data",
        ],
    )


def _features(column: Column) -> list[Floats]:
    if column.levels is None:
        values = np.asarray(column.values, dtype=np.float64)
        return [(values - values.mean()) / values.std()]
    counts = np.bincount(column.values, minlength=len(column.levels))
    usual = int(np.argmax(counts))
    return [(column.values == code).astype(np.float64) for code in range(len(column.levels)) if code != usual]
