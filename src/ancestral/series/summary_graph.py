"""The summary graph of a window: processes, and by which lags they are joined.

Two processes are joined if some edge that ends at t joins them. The mark at x on x–y is a tail if x causes y at some
lag, an arrowhead if x causes y at none of the lags of the window, and otherwise a circle: some edge leaves it open.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs import PAG
from ancestral.graphs.ancestry import directed_steps, possible_ancestor_steps, reachable
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL, symbol
from ancestral.graphs.names import quoted
from ancestral.graphs.window import Places, Window

__all__ = ["SummaryEdge", "SummaryGraph"]


@dataclass(frozen=True)
class SummaryEdge:
    """An edge between two processes, or a loop: `a`, `edge`, `b`, and the lags of the edges that end at t.

    `lags` has a lag for each edge from a to b, `back` for each from b to a; an edge within a step counts as lag 0 of
    `lags`.
    """

    a: str
    edge: str
    b: str
    lags: tuple[int, ...]
    back: tuple[int, ...] = ()

    def __str__(self) -> str:
        """The edge in a line: `rain --> sales (lags 1, 2)`."""
        parts = [_lags(self.lags)] if self.lags else []
        if self.back:
            parts.append(f"{_lags(self.back)} from {self.b} to {self.a}")
        return f"{quoted(self.a)} {self.edge} {quoted(self.b)} ({'; '.join(parts)})"


def _lags(lags: Sequence[int]) -> str:
    return f"lag{'s' if len(lags) > 1 else ''} {', '.join(map(str, lags))}"


@dataclass(frozen=True)
class SummaryGraph:
    """The graph over processes: `edges`, loops among them, in the order of processes. Print it for a line each."""

    processes: tuple[str, ...]
    edges: tuple[SummaryEdge, ...]

    @classmethod
    def of(cls, window: Window, names: Sequence[str], marks: NDArray[np.uint8]) -> "SummaryGraph":
        """The summary of a window whose nodes have these names and marks, in the order of positions."""
        return cls(window.processes, tuple(_Summary(window.places(names), marks).edges(window.processes)))

    def edge(self, a: str, b: str) -> SummaryEdge | None:
        """The edge between two processes, or the loop at one; None if there is none."""
        return next((edge for edge in self.edges if {edge.a, edge.b} == {a, b}), None)

    @cached_property
    def pag(self) -> PAG:
        """The edges between different processes as a graph, to draw and to compare; it may have directed cycles."""
        at = {process: i for i, process in enumerate(self.processes)}
        marks = np.zeros((len(at), len(at)), dtype=np.uint8)
        ends = {"o": CIRCLE, "<": ARROW, ">": ARROW, "-": TAIL}
        for edge in self.edges:
            if edge.a != edge.b:
                x, y = at[edge.a], at[edge.b]
                marks[y, x], marks[x, y] = ends[edge.edge[0]], ends[edge.edge[2]]
        return PAG(self.processes, marks)

    def __str__(self) -> str:
        return "\n".join(map(str, self.edges))

    def __repr__(self) -> str:
        return f"<SummaryGraph: {len(self.processes)} processes, {len(self.edges)} edges>"


class _Summary:
    """Computes a summary from the marks of a window."""

    def __init__(self, places: Places, marks: NDArray[np.uint8]) -> None:
        self.places = places
        self.marks = marks
        self.causes = reachable(directed_steps(marks)) | (marks.T == TAIL)
        self.may_cause = reachable(possible_ancestor_steps(marks))

    def edges(self, processes: Sequence[str]) -> list[SummaryEdge]:
        """The edges of all pairs of processes that are joined."""
        out = []
        for i, a in enumerate(processes):
            for j in range(i, len(processes)):
                there, back = self._lags(i, j), [] if i == j else self._lags(j, i)
                back = [lag for lag in back if lag]
                if not there and not back:
                    continue
                edge = symbol(self._mark(i, j), ARROW if i == j else self._mark(j, i))
                first, second, lags, other = a, processes[j], there, back
                if (edge[0] in "<o" and edge[2] == "-") or (not there and back):  # read it along its arrow
                    edge, first, second = symbol(self._mark(j, i), self._mark(i, j)), second, first
                    lags, other = back, there
                    if 0 in other:
                        lags, other = [0, *lags], [lag for lag in other if lag]
                out.append(SummaryEdge(first, edge, second, tuple(lags), tuple(other)))
        return out

    def _lags(self, i: int, j: int) -> list[int]:
        """The lags at which an edge leads from process i to process j at t."""
        at, now = self.places.at, self.places.at[j, 0]
        return [lag for lag in range(self.places.lags + 1) if at[i, lag] != now and self.marks[at[i, lag], now]]

    def _mark(self, i: int, j: int) -> int:
        """The mark at process i on its edge with process j."""
        at, now = self.places.at, self.places.at[j, 0]
        nodes = [at[i, lag] for lag in range(self.places.lags + 1) if at[i, lag] != now]
        if any(self.causes[x, now] for x in nodes):
            return TAIL
        return CIRCLE if any(self.may_cause[x, now] for x in nodes) else ARROW
