"""From rows to windows: order, lags, unit means and the report, for all rows of a source or for some units of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column import Column
from ancestral.data.errors import DataError, DataWarning
from ancestral.data.series.centring import centred
from ancestral.data.series.lagged import Lagged, lagged_rows
from ancestral.data.series.order import Order, in_given_order, in_order_of_time
from ancestral.data.series.report import UnitReport
from ancestral.data.series.rows import SeriesRows
from ancestral.data.series.steps import Step
from ancestral.data.table import Table
from ancestral.errors import Option
from ancestral.graphs.window import Window
from ancestral.printing import counted, listed

__all__ = ["Built", "build", "left_out_warning", "no_windows"]

#: What a series without a unit is called in reports.
ONLY_UNIT = "all rows"
#: Units that a warning names; of the others it gives the number.
MOST_NAMED = 5


@dataclass(frozen=True, eq=False)
class Built:
    """Rows in the order of time, and their windows.

    `processes` are the columns in that order. `units` are the reports of all units, by their codes.
    """

    window: Window
    processes: tuple[Column, ...]
    order: Order
    lagged: Lagged
    units: tuple[UnitReport, ...]

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the windows, as they were measured."""
        return self.lagged.columns(self.processes, self.window)

    @cached_property
    def unit(self) -> NDArray[np.int64]:
        """The number of the unit of each window, counting only units that have windows."""
        return np.unique(self.lagged.unit, return_inverse=True)[1].astype(np.int64)

    @cached_property
    def step(self) -> NDArray[np.int64]:
        """The number of the step of its unit at which each window ends, missing steps counted as well."""
        rows = self.lagged.rows
        known = np.argmax(rows >= 0, axis=1)  # a window has at least one row
        row = rows[np.arange(len(rows)), known]
        return np.asarray(self.order.step[row] + self.window.lags - known, dtype=np.int64)

    @property
    def used(self) -> tuple[UnitReport, ...]:
        """The units that have windows."""
        return tuple(unit for unit in self.units if unit.used)

    @property
    def left_out(self) -> tuple[UnitReport, ...]:
        """The units that have none."""
        return tuple(unit for unit in self.units if not unit.used)

    @property
    def continuous(self) -> tuple[str, ...]:
        """The processes that are continuous."""
        return tuple(column.name for column in self.processes if column.levels is None)

    def centred_columns(self) -> tuple[Column, ...]:
        """The columns of the windows without the means of units."""
        return tuple(centred(column, self.unit) for column in self.columns)


def build(
    rows: SeriesRows,
    table: Table,
    window: Window,
    *,
    time: str | None,
    step: Step | None,
    usual: Step | None = None,
    whole: bool = True,
) -> Built:
    """The windows of rows whose processes are in a table.

    `step` is what the user gave, and `usual` that of other rows, if it is known. `whole`: windows with a missing value
    are left out, otherwise those without any value. Raises DataError for times that cannot be used.
    """
    codes = np.zeros(table.rows, dtype=np.int64) if rows.units is None else rows.units.codes.astype(np.int64)
    levels: Sequence[str] = (ONLY_UNIT,) if rows.units is None else rows.units.levels
    if rows.times is None or time is None:
        order = in_given_order(codes)
    else:
        order = in_order_of_time(
            rows.times,
            codes,
            step=step,
            usual=usual,
            column=time,
            where=rows.where,
            named=lambda code: "" if rows.units is None else f" of unit {levels[code]!r}",
        )
    processes = tuple(_ordered(column, order.rows) for column in table.columns)
    present = np.stack([~column.missing for column in processes], axis=1)
    lagged = lagged_rows(order, window.lags, len(levels), present, whole=whole)
    steps = np.bincount(order.unit, minlength=len(levels))
    spans = np.zeros(len(levels), dtype=np.int64)
    np.maximum.at(spans, order.unit, order.step + 1)
    used = np.bincount(lagged.unit, minlength=len(levels))
    facts = zip(levels, steps.tolist(), (spans - steps).tolist(), lagged.possible.tolist(), used.tolist(), strict=True)
    return Built(window, processes, order, lagged, tuple(UnitReport(*fact) for fact in facts if fact[1]))


def _ordered(column: Column, rows: NDArray[np.int64]) -> Column:
    """A column with its rows in another order, and all of its levels."""
    return Column(column.name, column.values[rows], column.levels, column.ordered)


def left_out_warning(left_out: Sequence[UnitReport], count: int, lags: int) -> DataWarning | None:
    """The warning about units without windows, among all units; None if there are none."""
    if not left_out:
        return None
    named = listed(left_out, MOST_NAMED, spell=lambda unit: f"{unit.name!r} ({counted(unit.steps, 'step')})")
    return DataWarning(
        f"{len(left_out):,} of {counted(count, 'unit')} {'is' if len(left_out) == 1 else 'are'} left out, without "
        f"{lags + 1} complete steps in a row as ",
        Option("lags", lags),
        f" needs: {named}",
    )


def no_windows(units: Sequence[UnitReport], lags: int, *, gaps: bool) -> DataError:
    """The error for rows without a single window; `gaps`: values are missing."""
    ways: list[str | Option] = ["pass fewer ", Option("lags")]
    if gaps:
        ways += [", ", Option("missing", "testwise"), ", or ", Option("drop"), " the columns with most missing values"]
    else:
        ways += [", or collect longer series"]
    what = "the series has no" if len(units) == 1 else f"none of {counted(len(units), 'unit')} has"
    return DataError(f"{what} {lags + 1} complete steps in a row, as ", Option("lags", lags), " needs; ", *ways)
