"""`SeriesBootstrap`: how often resamples of a time series agreed on each edge of the window, and on each process."""

from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.certainty.frequencies import MARKS
from ancestral.data.libraries import Library, frame_of
from ancestral.errors import UnknownName
from ancestral.graphs.window import Window
from ancestral.resampling.file import SavedBootstrap
from ancestral.resampling.reliability import EDGE_TYPES, Reliability, reliability_table
from ancestral.resampling.result import Bootstrap
from ancestral.result import Discovery
from ancestral.series.summary_graph import SummaryGraph

__all__ = ["SeriesBootstrap"]


class SeriesBootstrap(Bootstrap):
    """How often resamples of a time series agreed on each edge and each mark: a `Bootstrap` of the window.

    Blocks of successive windows were drawn with replacement, or whole units. `edge` asks about nodes of the window, a
    process alone meaning its node at t, and `summary_edge` about processes. Print it for the edges that end at t, and
    those between processes. Made by `SeriesDiscovery.bootstrap`.

    Attributes:
        found: None; the search of all windows is the `SeriesDiscovery`.
        drawn: What was drawn, in words.

    Examples:
        >>> import ancestral as an
        >>> dag = an.SeriesDAG.parse("rain -1-> rain, rain -1-> sales, sales -1-> sales")
        >>> found = an.discover_series(an.simulate.linear_series(dag, rows=500, seed=1), lags=2)
        >>> boot = found.bootstrap(10, progress=False)
        >>> boot.edge("rain[t-1]", "sales").edge, boot.summary_edge("rain", "sales").edge
        (1.0, 1.0)
        >>> boot.summary_frame().filter(a="rain", b="sales")["estimate"].item()
        '-->'
        >>> print(boot.drawn_in_words())
        10 resamples of 32 blocks of up to 16 windows (seed 1)
    """

    def __init__(self, saved: SavedBootstrap, found: Discovery, drawn: str) -> None:
        super().__init__(saved, found)
        self.drawn = drawn
        self._window = Window.of(saved.columns)

    def edge(self, a: str, b: str) -> Reliability:
        """How often two nodes have an edge, and with which marks; see `Bootstrap.edge`.

        Args:
            a: A node, or a process for its node at t.
            b: Another one.

        Returns:
            The frequencies.

        Raises:
            UnknownName: If a name is neither a node nor a process.
            OptionError: If both are the same.
        """
        return super().edge(self._window.node(a), self._window.node(b))

    def summary_edge(self, a: str, b: str) -> Reliability:
        """How often the summary graph has an edge from process a to process b, at some lag, and with which marks.

        Args:
            a: A process.
            b: A process; the same as a for the loop.

        Returns:
            The frequencies.

        Raises:
            UnknownName: If a name is not a process.
        """
        names = self._window.processes
        for name in (a, b):
            if name not in names:
                raise UnknownName(name, names, "process")
        edge = self._estimate.edge(a, b)
        counts = self._summary_counts[names.index(a), names.index(b)]
        return Reliability(a, b, self.repeats, None if edge is None else edge.edge, counts)

    def summary_frame(self, *, library: Library = "polars") -> Any:
        """A frame with a row for each edge of the summary graph of some resample, or of all windows.

        Args:
            library: "polars", "pandas" or "pyarrow".

        Returns:
            A frame with the columns `a`, `b`; `estimate`, the edge of all windows (null if there is none); `edge`, the
            share of resamples with an edge; and one for each kind of edge, read from a to b, named by its three
            characters.

        Raises:
            OptionError: If there is no such library.
        """
        pairs = self._seen_processes()
        columns: dict[str, list[Any]] = {
            "a": [one.a for one in pairs],
            "b": [one.b for one in pairs],
            "estimate": [one.estimate for one in pairs],
            "edge": [one.edge for one in pairs],
        }
        for edge in EDGE_TYPES:
            columns[edge] = [one.types.get(edge, 0.0) for one in pairs]
        return frame_of(columns, library)

    def drawn_in_words(self) -> str:
        """How many resamples there were, and how they were drawn.

        Returns:
            A phrase.
        """
        return f"{self.repeats:,} resample{'s' * (self.repeats != 1)} of {self.drawn} (seed {self.seed})"

    def __str__(self) -> str:
        lines = [f"{self.drawn_in_words()}: {self.settings.chosen.title}"]
        if self.stopped is not None:
            lines.append(f"ended early ({self.stopped}): {self.repeats:,} of {self.wanted:,} repeats were done")
        if self.repeats:
            now = [one for one in self._seen() if self._ends_at_t(one)]
            lines += ["", "edges that end at t", "", reliability_table(now)]
            lines += ["", "processes", "", reliability_table(self._seen_processes()), ""]
            lines.append("A frequency says how stable an answer is, not how probable it is that it is true.")
        return "\n".join(lines)

    def __repr__(self) -> str:
        size = f"{len(self._window.processes)} processes, {self._window.lags + 1} steps"
        return f"<SeriesBootstrap: {size}, {self.repeats} of {self.wanted} repeats>"

    def _ends_at_t(self, pair: Reliability) -> bool:
        return 0 in (self._window.place(pair.a)[1], self._window.place(pair.b)[1])

    def _seen_processes(self) -> list[Reliability]:
        """The edges of the summary graph of some resample, or of all windows, in the order of processes."""
        every = [self.summary_edge(a, b) for a, b in product(self._window.processes, repeat=2)]
        return [one for one in every if one.counts.any() or one.estimate is not None]

    @cached_property
    def _estimate(self) -> SummaryGraph:
        return self._summary(self._saved.estimate.matrix(len(self._saved.names)))

    def _summary(self, marks: NDArray[np.uint8]) -> SummaryGraph:
        return SummaryGraph.of(self._window, self._saved.names, marks)

    @cached_property
    def _summary_counts(self) -> NDArray[np.int64]:
        """For an edge from process i to process j: how many resamples have which marks at i and at j."""
        names = self._window.processes
        out = np.zeros((len(names), len(names), len(MARKS), len(MARKS)), dtype=np.int64)
        for graph, numbers in self._saved.distinct:
            summary = self._summary(graph.matrix(len(self._saved.names)))
            for edge in {(edge.a, edge.b): edge for edge in reversed(summary.edges)}.values():  # the first of each pair
                marks = divmod(EDGE_TYPES.index(edge.edge), len(MARKS))
                out[names.index(edge.a), names.index(edge.b), *marks] += len(numbers)
        return out
