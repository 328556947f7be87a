"""Lagged rows: each window as a row, with the values of every process at each of its steps.

A window ends at a step of a unit and reaches `lags` steps back; it crosses neither units nor the ends of one. Steps
that are missing have no row: their values are missing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column import Column
from ancestral.data.series.order import Order
from ancestral.graphs.window import Window, node_at

__all__ = ["Lagged", "lagged_rows"]


@dataclass(frozen=True, eq=False)
class Lagged:
    """Windows of ordered rows: `rows[w, j]` is the row of window w at its j-th step, the earliest first; -1 for none.

    Rows are counted in the order of time (`Order`). `unit[w]` is the code of the unit of a window. `possible` is the
    number of windows of each unit, by code, if none were left out.
    """

    rows: NDArray[np.int64]
    unit: NDArray[np.int64]
    possible: NDArray[np.int64]

    def columns(self, processes: Sequence[Column], window: Window) -> tuple[Column, ...]:
        """The columns of the nodes of a window, from those of its processes in the order of time.

        A discrete column has the levels that occur in it.
        """
        every = np.arange(len(self.rows))
        out: list[Column] = []
        for j, lag in enumerate(window.steps):
            rows = self.rows[:, j]
            gone = rows < 0
            for process in processes:
                values = process.values[rows]
                if gone.any():
                    values[gone] = np.nan if process.levels is None else -1
                column = Column(node_at(process.name, lag), values, process.levels, process.ordered)
                out.append(column if column.levels is None else column.keep(every))
        return tuple(out)


def lagged_rows(order: Order, lags: int, units: int, present: NDArray[np.bool_], *, whole: bool) -> Lagged:
    """The windows of rows, those of a unit in the order of time.

    `present[i, p]` tells whether row i has a value of process p. `whole`: windows with a missing value are left out;
    otherwise those without any value are. `units` is the number of units.
    """
    spans = np.zeros(units, dtype=np.int64)
    np.maximum.at(spans, order.unit, order.step + 1)
    possible = np.maximum(spans - lags, 0)
    start = np.append(0, np.cumsum(spans)[:-1])  # each step of each unit, missing ones as well, has a place of its own
    place = start[order.unit] + order.step
    ends = place if whole else np.unique(place[:, None] + np.arange(lags + 1))
    unit = np.searchsorted(start, ends, side="right") - 1
    ends = ends[(ends - start[unit] >= lags) & (ends - start[unit] < spans[unit])]
    wanted = ends[:, None] - np.arange(lags, -1, -1)
    found = np.minimum(np.searchsorted(place, wanted), len(place) - 1)
    rows = np.where(place[found] == wanted, found, -1)
    if whole:
        complete = np.append(present.all(axis=1), False)  # -1 takes the last
        kept = complete[rows].all(axis=1)
    else:
        some = np.append(present.any(axis=1), False)
        kept = some[rows].any(axis=1)
    return Lagged(rows[kept], (np.searchsorted(start, ends[kept], side="right") - 1).astype(np.int64), possible)
