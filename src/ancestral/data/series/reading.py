"""`windows_of`: from data with times to windows, all rows at once or unit by unit."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from ancestral.arguments import optional, text_of, whole_number
from ancestral.data.column_names import no_columns
from ancestral.data.errors import DataError, DataWarning, combined
from ancestral.data.read.kinds import package_of
from ancestral.data.read.remarks import warnings_in
from ancestral.data.read.text_values import holds_dates
from ancestral.data.series.building import Built, build, left_out_warning, no_windows
from ancestral.data.series.faults import (
    check_few,
    check_lags,
    check_processes,
    check_relations,
    check_still,
    still_processes,
    window_of,
)
from ancestral.data.series.halves import halves
from ancestral.data.series.report import WindowsReport
from ancestral.data.series.rows import SeriesRows, check_columns, read_rows
from ancestral.data.series.steps import Step, checked_step
from ancestral.data.series.trends import StepProducts, trends
from ancestral.data.series.units_in_turn import summed_units
from ancestral.data.series.windows import Windows
from ancestral.data.table import Table
from ancestral.errors import AncestralError, Option, OptionError
from ancestral.given_warnings import warn
from ancestral.options import TableOptions
from ancestral.options.checks import choice
from ancestral.options.series import MissingInSeries

__all__ = ["MissingInSeries", "windows_of"]


def windows_of(
    source: Any,
    *,
    lags: int,
    time: str | None = None,
    unit: str | None = None,
    step: str | float | timedelta | None = None,
    missing: MissingInSeries = "drop",
    options: TableOptions = TableOptions(),  # noqa: B008
) -> Windows:
    """The windows of series: every run of `lags` + 1 steps of a unit, as a row.

    - `source`: a frame of pandas, polars or pyarrow, an array whose rows are steps, the path of a file, or a list or
      dictionary of frames or arrays, or several files, each of which is a unit. The frames of an iterator are units,
      too; they are summed up one after the other and not kept, so that only `Windows.moments` are known in the end.
    - `lags`: how many steps a window reaches back; at least 1, and below a third of all steps.
    - `time`: the column, or the level of an index of pandas, by which the rows of a unit are sorted: numbers, dates, or
      text such as 2020-01-31, 2020-01 or 2020Q1. Without it, rows are taken in the order given.
    - `unit`: the column that tells which rows belong to one series. A window never has rows of two units. The means of
      several units are removed from continuous columns.
    - `step`: the time from one row to the next where rows may be missing, such as "1D" or "1M", or a number; the
      windows with a missing step are left out. Without it, times must be evenly spaced.
    - `missing`: "drop" leaves out windows with a missing value, "testwise" keeps windows with any value, so that each
      question uses those that are complete for it, and "refuse" refuses missing values.
    - `options` say how columns are read, as in `discover`; `options.missing` is not looked at. With `in_memory`, the
      frames of an iterator are kept.

    Gives a `DataWarning` for each doubt: units without windows, a trend or a unit root, halves with different
    correlations. Raises DataError for data that cannot be used, `OptionError` for options that cannot, and
    `UnknownName` for a column that is not there.
    """
    lags = whole_number("lags", lags, 1)
    size = optional(checked_step, "step", step)
    optional(text_of, "time", time)
    optional(text_of, "unit", unit)
    choice(MissingInSeries)("missing", missing)
    check_columns(time, unit, options)
    if size is not None and time is None:
        raise OptionError(
            ["needs ", Option("time"), ", the column that tells which steps are missing"],
            option="step",
            value=step,
            assigned=True,
            way_out=["name the column of times, or leave ", Option("step"), " out"],
        )
    if isinstance(source, Iterator) and package_of(source) != "pyarrow":
        if hasattr(source, "readline"):
            raise OptionError(f"an open file ({type(source).__name__}) was given; pass its path")
        if not options.in_memory:
            _refuse_kept_gaps(missing)
            windows = summed_units(source, options, lags=lags, time=time, unit=unit, step=size, missing=missing)
            return _told(windows)
        source = list(source)
    return _told(_of_rows(read_rows(source, options, time, unit), lags, time, size, missing))


def _refuse_kept_gaps(missing: MissingInSeries) -> None:
    """Raise `OptionError` if missing values are to be kept of units that are summed up one after the other."""
    if missing == "testwise":
        raise OptionError(
            "goes back to the rows, and units of an iterator are summed up one after the other",
            option="missing",
            value=missing,
            assigned=True,
            way_out=["pass ", Option("missing", "drop"), ", or ", Option("in_memory", True), " to keep all rows"],
        )


def _told(windows: Windows) -> Windows:
    """Give the warnings about windows."""
    for note in windows.notes:
        warn(note, stacklevel=5)  # of the caller of discover_series()
    return windows


def _of_rows(rows: SeriesRows, lags: int, time: str | None, step: Step | None, missing: MissingInSeries) -> Windows:
    """The windows of rows that were all read."""
    table = _processes(rows, missing, time)
    window = window_of(table.names, lags)
    built = build(rows, table, window, time=time, step=step, whole=missing != "testwise")
    check_lags(lags, sum(unit.steps for unit in built.units))
    notes: list[DataWarning | None] = [*warnings_in(rows.reading.remarks, rows.reading.kinds), *check_processes(table)]
    if not built.used:
        raise no_windows(built.units, lags, gaps=table.has_missing)
    several = len(built.used) > 1
    still = still_processes(built.columns, window, built.unit, centred=several)
    check_still(still, window, len(built.used))
    centred = built.continuous if several else ()
    lost = len(built.used) - 1 if centred else 0
    size = built.order.size
    report = WindowsReport(built.used, built.left_out, centred, lost, None if size is None else size.value)
    check_few(report.used - lost, len(built.continuous) * (lags + 1))
    columns = built.centred_columns() if several else built.columns
    lagged = Table(columns, dropped_rows=report.possible - report.used)
    windows = Windows(window, lagged, built.unit, built.step, report)
    more = check_relations(lagged, window, windows.moments)
    notes += () if any(notes) else more  # what windows show about single columns, the columns have shown
    notes += [left_out_warning(built.left_out, len(built.units), lags), *_doubts_of_time(built, lags)]
    told = tuple(note for note in notes if note is not None)
    table = Table(columns, lagged.dropped_rows, told)
    return Windows(window, table, built.unit, built.step, report, told, windows.moments)


def _doubts_of_time(built: Built, lags: int) -> tuple[DataWarning | None, DataWarning | None]:
    """The warnings about processes that are not stationary; None for each that there is no reason for."""
    return trends(StepProducts.of(built.processes, built.order)), halves(built.processes, built.order, lags)


def _processes(rows: SeriesRows, missing: MissingInSeries, time: str | None) -> Table:
    """The columns of the processes. Raises DataError with the faults that reading them has shown."""
    reading = rows.reading
    faults = [_or_time(name, fault) if time is None else fault for name, fault in reading.column_faults.items()]
    faults += reading.faults
    if reading.table is not None and (gaps := reading.missing_fault(missing)) is not None:
        faults.append(gaps)
    if faults:
        raise combined(faults)
    if reading.table is None:
        raise no_columns()
    return reading.table


def _or_time(name: str, fault: AncestralError) -> AncestralError:
    """The fault of a column; if it holds dates, they may be the times of the rows."""
    if not str(fault).startswith(str(holds_dates(name, "")).partition(" (")[0]):
        return fault
    return DataError(*fault.args, ", or, if it tells the time of each row, pass ", Option("time", name))
