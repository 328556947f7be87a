"""Windows of series: what the independence tests of a search ask, and how much of the data is in it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import whole_number
from ancestral.data.audit import has_bad_squares
from ancestral.data.column_kinds import Kind
from ancestral.data.errors import DataError, DataWarning
from ancestral.data.series.report import WindowsReport
from ancestral.data.stats.moments import Moments, moments_of_rows
from ancestral.data.table import Table
from ancestral.errors import Option
from ancestral.graphs.window import Window

__all__ = ["Windows"]


@dataclass(frozen=True, eq=False, repr=False)
class Windows:
    """The windows of one or several series; each node of the window is a column.

    - `table`: a row for each window, those of a unit in the order of time; None if rows were summed up and are gone.
    - `unit`: the number of the unit of each row of the table; empty if there is no table.
    - `step`: the number of the step of its unit at which each window ends, missing steps counted as well.
    - `report`: steps, windows and units that are used.
    - `notes`: the warnings that reading the series gave.
    - `summed`: the moments of the windows, if they are known already; all that is left if the rows are gone.

    A test of continuous columns without missing values needs nothing but `moments`, in which as many `rows` count as
    there are windows, less one for each further unit. Other tests need the `table`.
    """

    window: Window
    table: Table | None
    unit: NDArray[np.int64]
    step: NDArray[np.int64]
    report: WindowsReport
    notes: tuple[DataWarning, ...] = ()
    summed: Moments | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The nodes of the window, in the order of the columns."""
        return self.window.names

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of each column."""
        return self._data.kinds

    @property
    def degrees_lost(self) -> int:
        """By how many fewer rows count than there are windows: one for each unit beyond the first, if means go."""
        return self.report.degrees_lost

    @property
    def rows(self) -> int:
        """How many rows count: windows less `degrees_lost`."""
        return self.report.used - self.degrees_lost

    @cached_property
    def moments(self) -> Moments | None:
        """The moments of the windows; None if a column is discrete, a value is missing, or squares over- or underflow.

        The number of their rows is `rows`, so that variances and the standard errors of correlations are right.
        """
        if self.table is None or self.summed is not None:
            return self.summed
        if self.table.has_missing or set(self.kinds) != {"continuous"} or has_bad_squares(self.table):
            return None
        found = moments_of_rows(self.table)
        return Moments(found.names, self.rows, found.mean, found.comoments)

    @property
    def fingerprint(self) -> str:
        """A fingerprint of the windows; the order of units and columns does not matter."""
        return self._data.fingerprint

    @property
    def _data(self) -> Table | Moments:
        """What is known of the windows."""
        data = self.summed if self.table is None else self.table
        assert data is not None
        return data

    def blocks(self, length: int | None = None) -> NDArray[np.int64]:
        """The number of the block of each row of the table, for resamples that draw blocks in the place of rows.

        A block is `length` windows of a unit that end at successive steps, or fewer before a gap and at the end of a
        unit; without a length it is a whole unit. Raises DataError where there are no rows, and `OptionError` for a
        length below 1.
        """
        if self.table is None:
            raise DataError(
                "units that were summed up one after the other have no rows to draw; pass ",
                Option("in_memory", True),
                " to keep them",
            )
        if length is None:
            return self.unit.copy()
        length = whole_number("length", length, 1)
        first = np.append(True, (self.unit[1:] != self.unit[:-1]) | (np.diff(self.step) != 1))
        number = np.arange(len(self.unit))
        within = number - np.maximum.accumulate(np.where(first, number, 0))
        return np.asarray(np.cumsum(first | (within % length == 0)) - 1, dtype=np.int64)

    def __repr__(self) -> str:
        return f"Windows of {len(self.window.processes)} series at {self.window.lags + 1} steps: {self.report}"
