"""Faults of windows: what makes them unfit for a search, in the words of the columns that the user has.

Faults of the columns themselves are told first (`audit`), then what only windows show: a process that does not change
within any unit, too few windows, and columns that are determined by earlier steps of others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.data.audit import examine
from ancestral.data.column import Column
from ancestral.data.doubts.identifiers import identifiers
from ancestral.data.doubts.missing_codes import missing_codes
from ancestral.data.doubts.one_hot import one_hot
from ancestral.data.doubts.seen_rows import SeenRows
from ancestral.data.errors import DataError, DataWarning, DropOption, combined, leave_out
from ancestral.data.stats.deviations import EPSILON
from ancestral.data.stats.moments import Moments
from ancestral.data.table import Table
from ancestral.errors import GraphError, Option, OptionError
from ancestral.graphs.window import Window, node_at
from ancestral.printing import counted, listed

__all__ = [
    "check_few",
    "check_lags",
    "check_processes",
    "check_relations",
    "check_still",
    "still_processes",
    "window_of",
]

#: Rows that Fisher's z needs beyond the variables of a question.
BEYOND_VARIABLES = 3


def window_of(names: Sequence[str], lags: int) -> Window:
    """The window of processes with the names of columns. Raises DataError for names that end in a step such as [t]."""
    bad = []
    for name in names:
        try:
            Window((name,), lags)
        except GraphError:
            bad.append(name)
    if bad:
        what = "the name of a column" if len(bad) == 1 else "the names of columns"
        raise DataError(
            f"{what} must not end in a step such as [t] or [t-1], as that of {listed(bad)}: the nodes of a window are "
            f"named so; rename {'it' if len(bad) == 1 else 'them'}, or ",
            *leave_out(*bad),
        )
    return Window(tuple(names), lags)


def check_processes(table: Table) -> tuple[DataWarning, ...]:
    """Raise DataError with all faults of the columns of processes; return the warnings about them.

    Rows without any value are missing steps, and are not looked at.
    """
    empty = np.logical_and.reduce([column.missing for column in table.columns])
    table = table.keep(~empty) if empty.any() and not empty.all() else table
    findings = examine(table)
    if findings.errors:
        raise combined(findings.errors)
    seen = SeenRows(table)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        doubts = [doubt for kind in (missing_codes, identifiers, one_hot) for doubt in kind(seen)]
    return (*findings.warnings, *doubts)


def check_lags(lags: int, steps: int) -> None:
    """Raise `OptionError` if the window is too long for so many steps, those of all units.

    Units may be short, if there are many: that each has a window at all is checked elsewhere.
    """
    if 3 * lags >= steps:
        most = (steps - 1) // 3
        raise OptionError(
            f"must be below a third of the steps of all units, which are {counted(steps, 'step')}",
            option="lags",
            value=lags,
            way_out=f"pass at most {most}" if most else "a series needs at least 4 steps: collect more data",
        )


def check_few(rows: int, continuous: int) -> None:
    """Raise DataError if fewer rows count than questions about all continuous columns of the windows need."""
    needed = continuous + BEYOND_VARIABLES
    if continuous and rows < needed:
        raise DataError(
            f"the windows count for {counted(rows, 'row')}, and {continuous} variables, those of all steps of a "
            f"window, need at least {needed}; pass fewer ",
            Option("lags"),
            ", choose fewer ",
            Option("columns"),
            ", or collect longer series",
        )


@dataclass(frozen=True)
class Still:
    """Processes that do not change: `within` has those without any change within a unit, the others single nodes."""

    within: frozenset[str]
    nodes: frozenset[str]


def still_processes(columns: Sequence[Column], window: Window, unit: NDArray[np.int64], *, centred: bool) -> Still:
    """The processes that do not change in the windows, whose units stand together.

    A node has a single value if it has one in all windows; if means of units are removed, in those of each unit.
    """
    starts = np.flatnonzero(np.append(True, unit[1:] != unit[:-1]))
    changes = dict.fromkeys(window.processes, False)
    nodes = []
    for column in columns:
        numbers = np.asarray(column.values, dtype=np.float64)
        if column.levels is not None:
            numbers = np.where(numbers < 0, np.nan, numbers)
        with np.errstate(over="ignore", invalid="ignore"):
            low, high = np.fmin.reduceat(numbers, starts), np.fmax.reduceat(numbers, starts)
            within = bool((high - low > 8 * EPSILON * np.maximum(np.abs(low), np.abs(high))).any())
        changes[window.place(column.name)[0]] |= within
        varies = within or (np.unique(low[~np.isnan(low)]).size > 1 and not (centred and column.levels is None))
        nodes += [] if varies else [column.name]
    return Still(frozenset(name for name, some in changes.items() if not some), frozenset(nodes))


def check_still(still: Still, window: Window, units: int) -> None:
    """Raise DataError for processes that do not change."""
    within = [name for name in window.processes if name in still.within]
    if within:
        what, do = ("column", "does") if len(within) == 1 else ("columns", "do")
        how = "in any window" if units == 1 else "within any unit, so that each step tells all others"
        raise DataError(f"{what} {listed(within)} {do} not change {how}; ", *leave_out(*within))
    if still.nodes:
        names = [name for name in window.processes for lag in window.steps if node_at(name, lag) in still.nodes]
        found = [node for node in window.names if node in still.nodes]
        raise DataError(
            f"{listed(found)} {'has' if len(found) == 1 else 'have'} a single value in all windows that are used, "
            "since changes are rare; ",
            *leave_out(*dict.fromkeys(names)),
            ", or pass fewer ",
            Option("lags"),
        )


def check_relations(data: Table | Moments, window: Window, moments: Moments | None) -> tuple[DataWarning, ...]:
    """Raise DataError if columns of the windows are copies or sums of others; return the warnings about them.

    The way out names columns of the user's data. `moments` are those of the windows, if they are known.
    """
    findings = examine(data, moments=moments)
    if findings.errors:
        raise combined([DataError(*_in_user_words(error.args, window)) for error in findings.errors])
    return tuple(DataWarning(*_in_user_words(doubt.args, window)) for doubt in findings.warnings)


def _in_user_words(parts: tuple[Any, ...], window: Window) -> list[Any]:
    """The parts of a message, with processes in the place of nodes where it says which columns to leave out."""
    out: list[Any] = []
    for part in parts:
        if isinstance(part, DropOption):
            part = DropOption(dict.fromkeys(window.place(name)[0] for name in part.value))
        out.append(part)
    return out
