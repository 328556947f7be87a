"""The summary graph of a window: processes, and at which lags they are joined.

An edge from process x to process y stands for all edges that lead from earlier steps of x to y at t. Its mark at x is a
tail if x causes y at some lag, an arrowhead if x causes y at none of the lags of the window, and otherwise a circle.
Two processes that cause each other have an edge each way. An edge within a step belongs to the way in which it points;
if it points neither way, it is an edge of its own.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs import PAG
from ancestral.graphs.ancestry import directed_steps, possible_ancestor_steps, reachable
from ancestral.graphs.marks import ARROW, CIRCLE, NONE, TAIL, symbol
from ancestral.graphs.names import quoted
from ancestral.graphs.window import Places, Window
from ancestral.series.summary_picture import plot_summary, summary_svg

__all__ = ["SummaryEdge", "SummaryGraph"]


@dataclass(frozen=True)
class SummaryEdge:
    """An edge from process `a` to process `b`, or a loop, and the lags of the edges for which it stands.

    `edge` has three characters, such as `o->`.
    """

    a: str
    edge: str
    b: str
    lags: tuple[int, ...]

    def __str__(self) -> str:
        """The edge in a line: `rain --> sales (lags 1, 2)`."""
        lags = f"lag{'s' if len(self.lags) > 1 else ''} {', '.join(map(str, self.lags))}"
        return f"{quoted(self.a)} {self.edge} {quoted(self.b)} ({lags})"


@dataclass(frozen=True)
class SummaryGraph:
    """The graph over processes, loops among its edges. Print it for a line each.

    Attributes:
        processes: The processes.
        edges: The edges, in the order of processes, each with its `lags`.

    Examples:
        >>> import ancestral as an
        >>> dag = an.SeriesDAG.parse("rain -1-> rain, rain -1-> sales, rain -2-> sales")
        >>> summary = an.discover_series(dag, lags=2).summary
        >>> summary.processes, summary.edge("rain", "sales").lags, summary.edge("sales", "rain")
        (('rain', 'sales'), (1, 2), None)
        >>> print(summary.pag)
        rain --> sales
        >>> import pathlib, tempfile
        >>> picture = pathlib.Path(tempfile.mkdtemp()) / "summary.svg"
        >>> summary.plot(picture)
        >>> picture.exists()
        True
    """

    processes: tuple[str, ...]
    edges: tuple[SummaryEdge, ...]

    @classmethod
    def of(cls, window: Window, names: Sequence[str], marks: NDArray[np.uint8]) -> "SummaryGraph":
        """The summary of a window.

        Args:
            window: The window.
            names: Its nodes, by position.
            marks: Their marks.

        Returns:
            The graph.

        Examples:
            >>> pag = PAG.parse("x[t-1] --> y[t], x[t], y[t-1]")
            >>> print(SummaryGraph.of(Window(("x", "y"), 1), pag.nodes, pag.marks))
            x --> y (lag 1)
        """
        return cls(window.processes, tuple(_Summary(window.places(names), marks).edges(window.processes)))

    def edge(self, a: str, b: str) -> SummaryEdge | None:
        """The edge from process a to process b, or the loop at one.

        Args:
            a: A process.
            b: A process.

        Returns:
            The edge; None if there is none. If there is another one within a step that points neither way, it is the
            second of `edges` with these names.

        Raises:
            UnknownName: If a name is not a process.
        """
        return next((edge for edge in self.edges if (edge.a, edge.b) == (a, b)), None)

    @cached_property
    def pag(self) -> PAG:
        """One edge for each pair of processes that are joined, to compare with other graphs; loops are left out.

        If each causes the other, both ends are circles.
        """
        at = {process: i for i, process in enumerate(self.processes)}
        marks = np.zeros((len(at), len(at)), dtype=np.uint8)
        ends = {"<": ARROW, ">": ARROW, "o": CIRCLE, "-": TAIL}
        weight = {NONE: 0, ARROW: 1, CIRCLE: 2, TAIL: 3}  # a tail of any edge counts, an arrowhead if all have it
        for edge in self.edges:
            x, y = at[edge.a], at[edge.b]
            if x != y:
                marks[y, x] = max(int(marks[y, x]), ends[edge.edge[0]], key=weight.__getitem__)
                marks[x, y] = max(int(marks[x, y]), ends[edge.edge[2]], key=weight.__getitem__)
        marks[(marks == TAIL) & (marks.T == TAIL)] = CIRCLE
        return PAG(self.processes, marks)

    def plot(self, path: str | os.PathLike[str] | None = None, *, ax: Any = None) -> Any:
        """Draw the graph into a file that ends in .svg, .png or .pdf, or on axes of matplotlib.

        Numbers at the edges are lags.

        Args:
            path: The file to write.
            ax: The axes to draw on.

        Returns:
            The axes; None if a file was written.

        Raises:
            OptionError: If an option cannot be used.
            RunError: If the file cannot be written.
        """
        return plot_summary(self, path, ax=ax)

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows."""
        return summary_svg(self)

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
        """The edges of all processes, by the process that they come from."""
        out = []
        for i, a in enumerate(processes):
            for j, b in enumerate(processes):
                at_a, at_b = self._within_step(i, j)
                points = at_b == ARROW and at_a != ARROW
                lags = [0] * points + self._lags(i, j)
                if lags:
                    out.append(SummaryEdge(a, symbol(self._mark(i, j), ARROW), b, tuple(lags)))
                if i < j and at_a != NONE and (at_a == ARROW) == (at_b == ARROW):
                    out.append(SummaryEdge(a, symbol(at_a, at_b), b, (0,)))
        return out

    def _within_step(self, i: int, j: int) -> tuple[int, int]:
        """The marks of the edge between two processes at t; 0 if there is none."""
        x, y = self.places.at[i, 0], self.places.at[j, 0]
        return int(self.marks[y, x]), int(self.marks[x, y])

    def _lags(self, i: int, j: int) -> list[int]:
        """The lags, from 1 on, at which an edge leads from process i to process j at t."""
        at, now = self.places.at, self.places.at[j, 0]
        return [lag for lag in range(1, self.places.lags + 1) if self.marks[at[i, lag], now]]

    def _mark(self, i: int, j: int) -> int:
        """The mark at process i on its edge to process j."""
        at, now = self.places.at, self.places.at[j, 0]
        nodes = [at[i, lag] for lag in range(self.places.lags + 1) if at[i, lag] != now]
        if any(self.causes[x, now] for x in nodes):
            return TAIL
        return CIRCLE if any(self.may_cause[x, now] for x in nodes) else ARROW
