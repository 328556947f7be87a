"""Units in turn: the frames of an iterator, each with one or several units, summed up one after the other.

Unit means are removed, so the co-moments of all windows are the sums of those of each unit, and no rows are kept.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ancestral.data.column import Column
from ancestral.data.column_kinds import Chosen, Floats, is_number, kind_of_values
from ancestral.data.errors import DataError, DataWarning, KindsOption, combined, overflowing, without_values
from ancestral.data.read import deadline
from ancestral.data.read.file_lists import is_path
from ancestral.data.read.path_checks import path_text, shown_path
from ancestral.data.read.remarks import warnings_in
from ancestral.data.series.building import Built, build, left_out_warning, no_windows
from ancestral.data.series.faults import (
    Still,
    check_few,
    check_lags,
    check_relations,
    check_still,
    still_processes,
    window_of,
)
from ancestral.data.series.report import UnitReport, WindowsReport
from ancestral.data.series.rows import SeriesRows, read_rows
from ancestral.data.series.steps import Step
from ancestral.data.series.trends import StepProducts, trends
from ancestral.data.series.windows import Windows
from ancestral.data.stats.moments import Moments
from ancestral.data.stats.sums import sums_of
from ancestral.data.table import Table
from ancestral.errors import Option
from ancestral.graphs.window import Window
from ancestral.options import Missing, TableOptions
from ancestral.printing import listed

__all__ = ["summed_units"]


def summed_units(
    frames: Iterator[Any],
    options: TableOptions,
    *,
    lags: int,
    time: str | None,
    unit: str | None,
    step: Step | None,
    missing: Missing,
) -> Windows:
    """The moments of the windows of all units that come, each within one frame; see `windows_of`."""
    sums: _Sums | None = None
    for number, frame in enumerate(frames, start=1):
        deadline.check()
        rows = read_rows(frame, options, time, unit)
        if sums is None:
            sums = _Sums(window_of(rows.reading.names, lags), rows.reading.kinds)
        table = sums.numbers(rows, missing, number)
        name = shown_path(path_text(frame)) if is_path(frame) else str(number)
        usual = sums.usual if step is None else None
        built = build(rows, table, sums.window, time=time, step=step, usual=usual)
        if rows.units is None:
            built = replace(built, units=tuple(replace(one, name=name) for one in built.units))
        sums.add(built, number)
    if sums is None:
        raise DataError("no frame came from the iterator; it is empty, or was used before: make a new one")
    return sums.windows()


@dataclass
class _Sums:
    """What the units that came have summed up to.

    `few` has the values of columns that may be discrete, for all that is known. `still` are the processes that have not
    changed yet.
    """

    window: Window
    kinds: Mapping[str, Chosen]
    comoments: Floats = field(init=False)
    units: dict[str, UnitReport] = field(default_factory=dict)
    notes: dict[str, DataWarning] = field(default_factory=dict)
    few: dict[str, Floats] = field(init=False)
    still: Still = field(init=False)
    steps: StepProducts | None = None
    usual: Step | None = None

    def __post_init__(self) -> None:
        nodes, processes = self.window.names, self.window.processes
        self.comoments = np.zeros((len(nodes), len(nodes)))
        self.few = {name: np.zeros(0) for name in processes if self.kinds.get(name) != "continuous"}
        self.still = Still(frozenset(processes), frozenset(nodes))

    def numbers(self, rows: SeriesRows, missing: Missing, number: int) -> Table:
        """The processes of a frame as numbers, in the order of the first frame. Raises DataError if they cannot be."""
        reading = rows.reading
        lacking = [name for name in self.window.processes if name not in reading.names]
        further = [name for name in reading.names if name not in self.window.processes]
        if lacking or further:
            parts = [f"lacks {listed(lacking)}"] * bool(lacking) + [f"has {listed(further)} besides"] * bool(further)
            raise DataError(f"frame {number} {' and '.join(parts)}; all frames must have the same columns")
        known = {} if reading.table is None else {column.name: column for column in reading.table.columns}
        count = reading.table.rows if reading.table is not None else 0
        faults = list(reading.faults)
        for name, fault in reading.column_faults.items():
            if str(fault) == str(without_values(name)) and missing == "drop" and count:
                known[name] = Column(name, np.full(count, np.nan))  # of a unit in which it was not measured
            else:
                faults.append(fault)
        if (gaps := reading.missing_fault("refuse", testwise=False)) is not None and missing == "refuse":
            faults.append(gaps)
        if faults:
            raise DataError(f"frame {number}: ", *combined(faults).args)
        for note in warnings_in(reading.remarks, reading.kinds):
            self.notes.setdefault(str(note), note)
        return Table(tuple(self._number(known[name], number) for name in self.window.processes))

    def _number(self, column: Column, number: int) -> Column:
        """A column as numbers; keeps what tells whether it is discrete."""
        name, chosen = column.name, self.kinds.get(column.name)
        if column.levels is not None and (chosen is not None or not all(map(is_number, column.levels))):
            raise DataError(
                f"column {name!r} has levels, such as {column.levels[0]!r} in frame {number}, and units of an iterator "
                "are summed up for tests of continuous columns; pass ",
                Option("in_memory", True),
                " to keep all rows, or ",
                Option("drop", [name]),
            )
        as_numbers = column.as_kind("continuous")
        if name in self.few:
            seen = np.unique(np.append(self.few[name], as_numbers.present))
            self.few[name] = seen
            if kind_of_values(seen) == "continuous":
                del self.few[name]
        return as_numbers

    def add(self, built: Built, number: int) -> None:
        """Add the units of a frame. Raises DataError if one of them came in an earlier frame."""
        for unit in built.units:
            if unit.name in self.units:
                raise DataError(
                    f"unit {unit.name!r} comes again in frame {number}, after it was summed up; let all rows of a unit "
                    "come in one frame, or pass ",
                    Option("in_memory", True),
                )
            self.units[unit.name] = unit
        self.usual = self.usual or built.order.size
        found = StepProducts.of(built.processes, built.order)
        self.steps = found if self.steps is None else self.steps + found
        if not built.used:
            return
        still = still_processes(built.columns, self.window, built.unit, centred=True)
        self.still = Still(self.still.within & still.within, self.still.nodes & still.nodes)
        columns = [np.asarray(column.values, dtype=np.float64) for column in built.centred_columns()]
        _, comoments = sums_of(columns)
        with np.errstate(over="ignore", invalid="ignore"):
            self.comoments = self.comoments + comoments
        if not np.isfinite(self.comoments).all():
            node = self.window.names[int(np.argmin(np.isfinite(self.comoments.diagonal())))]
            raise overflowing(self.window.place(node)[0])

    def windows(self) -> Windows:
        """The windows of all units that came. Raises DataError if they cannot be used."""
        lags, every = self.window.lags, tuple(self.units.values())
        if self.few:
            kinds: dict[str, str | list[str]] = dict.fromkeys(self.few, "continuous")
            what, have = ("column", "has") if len(self.few) == 1 else ("columns", "have")
            raise DataError(
                f"{what} {listed(self.few)} {have} few whole numbers, which are taken as levels, and units of an "
                "iterator are summed up for tests of continuous columns; pass ",
                Option("in_memory", True),
                " to keep all rows, or, for measurements, ",
                KindsOption(kinds),
            )
        check_lags(lags, sum(unit.steps for unit in every))
        used, left_out = (tuple(unit for unit in every if bool(unit.used) is some) for some in (True, False))
        if not used:
            raise no_windows(every, lags, gaps=True)
        check_still(self.still, self.window, len(used))
        centred = self.window.processes if len(used) > 1 else ()
        step = None if self.usual is None else self.usual.value
        report = WindowsReport(used, left_out, centred, len(used) - 1, step)
        rows = report.used - report.degrees_lost
        check_few(rows, len(self.window.names))
        moments = Moments(self.window.names, rows, np.zeros(len(self.window.names)), self.comoments)
        doubts = [*check_relations(moments, self.window, None), left_out_warning(left_out, len(every), lags)]
        doubts += [] if self.steps is None else [trends(self.steps)]
        notes = (*self.notes.values(), *(doubt for doubt in doubts if doubt is not None))
        none = np.zeros(0, dtype=np.int64)
        return Windows(self.window, None, none, none, report, notes, moments)
