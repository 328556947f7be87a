"""What a search of time series found: `SeriesDiscovery`."""

import os
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from functools import cached_property
from typing import Any, Literal

import numpy as np

from ancestral.arguments import path_of
from ancestral.certainty import RepeatsProgress
from ancestral.checking import Check
from ancestral.data.series import Windows
from ancestral.effects import AdjustmentSet, Effect
from ancestral.effects.options import EffectOptions
from ancestral.errors import OptionError
from ancestral.graphs import PAG
from ancestral.graphs.window import Window
from ancestral.independence.base import Test
from ancestral.io.files import write_atomically
from ancestral.result import Discovery
from ancestral.search.settings import Settings
from ancestral.series.bootstrap import bootstrap_series
from ancestral.series.bootstrap_result import SeriesBootstrap
from ancestral.series.effects import series_adjustment_set, series_effect
from ancestral.series.picture import Part, plot_series, series_svg
from ancestral.series.summary_graph import SummaryGraph
from ancestral.series.words import copy_sentences, series_summary
from ancestral.show.causes import Answer
from ancestral.show.reasons import Explanation

__all__ = ["SeriesDiscovery"]

Location = str | os.PathLike[str]


class SeriesDiscovery:
    """What a search of time series found: three graphs, and an answer to every "why". Print it for a summary.

    A node is a process at a step, such as "rain[t-1]"; the name of a process alone means its node at t. Made by
    `discover_series` and `load_series`.

    Attributes:
        run: The search itself, a `Discovery` of the window.
        windows: The data; None if they are not there.
        marks_repeat: True: what causes what repeats, and each mark is the same in all copies of an edge.

    Examples:
        >>> import ancestral as an
        >>> dag = an.SeriesDAG.parse("rain -1-> rain, rain -1-> sales, sales -1-> sales")
        >>> found = an.discover_series(an.simulate.linear_series(dag, rows=500, seed=1), lags=2)
        >>> found.processes, found.lags, found.complete, found.stopped, found.settings.algorithm, found.test.name
        (('rain', 'sales'), 2, True, None, 'series', 'fisher-z')
        >>> print(found.pag)
        rain[t-1] --> rain[t]
        rain[t-1] --> sales[t]
        sales[t-1] --> sales[t]
        >>> print(found.summary)
        rain --> rain (lag 1)
        rain --> sales (lag 1)
        sales --> sales (lag 1)
        >>> found.window.edge("rain[t-2]", "sales[t-1]"), found.window.edge("rain[t-2]", "sales[t]")
        ('-->', None)
        >>> print(found.why("rain[t-2]", "sales").steps[0].rule, sorted(found.sepset("rain[t-2]", "sales")))
        None ['rain[t-1]', 'sales[t-1]', 'sales[t-2]']
        >>> found.causes("rain[t-1]", "sales").verdict, found.confounded("rain[t-1]", "sales").verdict
        ('yes', 'no')
        >>> found.check.denied, found.tests.total() > 0, found.verify_tests.total() > 0, found.to_frame().height
        (0, True, True, 15)
        >>> found.adjustment_set("rain[t-1]", "sales").allows(["sales[t-1]"])
        True
        >>> low, high = found.effect("rain[t-1]", "sales", given=["sales[t-1]"]).interval
        >>> low < high, found.bootstrap(5, progress=False).repeats
        (True, 5)
        >>> import pathlib, tempfile
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> found.save(folder / "run.json")
        >>> found.report(folder / "run.html")
        >>> found.plot(folder / "run.svg")
        >>> sorted(file.name for file in folder.iterdir())
        ['run.html', 'run.json', 'run.svg']
    """

    marks_repeat = True

    def __init__(self, run: Discovery, windows: Windows | None = None) -> None:
        self.run = run
        self.windows = windows
        self._window = Window.of(run.stage.columns)

    # -- the graphs ------------------------------------------------------------------------------------------------

    @property
    def processes(self) -> tuple[str, ...]:
        """The processes, in the order of the columns."""
        return self._window.processes

    @property
    def lags(self) -> int:
        """How many steps the window reaches back."""
        return self._window.lags

    @property
    def window(self) -> PAG:
        """The graph of the window, such as `rain[t-3]` … `sales[t]`."""
        return self.run.pag

    @cached_property
    def pag(self) -> PAG:
        """The edges of the window that end at t, over the nodes at t and the earlier ones that have such an edge."""
        graph = self.run.pag
        now = np.array([self._window.place(name)[1] == 0 for name in graph.nodes])
        marks = np.where(now[:, None] | now[None, :], graph.marks, 0).astype(np.uint8)
        kept = np.flatnonzero(now | marks.any(axis=1))
        return PAG([graph.nodes[i] for i in kept], marks[np.ix_(kept, kept)])

    @cached_property
    def summary(self) -> SummaryGraph:
        """The graph over processes: an edge for each pair that is joined at some lag, and loops."""
        stage = self.run.stage
        return SummaryGraph.of(self._window, stage.names, stage.oriented.marks)

    # -- how the search went ---------------------------------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        """What was chosen for the search."""
        return self.run.settings

    @property
    def test(self) -> Test:
        """What answered the questions."""
        return self.run.test

    @property
    def tests(self) -> Counter[int]:
        """The questions that were asked, by the number of nodes given beyond known ancestors."""
        return self.run.tests

    @property
    def verify_tests(self) -> Counter[int]:
        """The further questions, of verification and of agreement on colliders, by the number of nodes given."""
        return self.run.verify_tests

    @property
    def complete(self) -> bool:
        """Whether the search came to its end."""
        return self.run.complete

    @property
    def stopped(self) -> str | None:
        """Why the search ended before it was complete, as in `Discovery.stopped`; None if it is complete."""
        return self.run.stopped

    @property
    def check(self) -> Check | None:
        """What speaks against the graph of the window in its own data."""
        return self.run.check

    # -- questions about two nodes ---------------------------------------------------------------------------------

    def sepset(self, a: str, b: str) -> frozenset[str] | None:
        """The nodes given which a and b were found independent.

        Args:
            a: A node, or a process for its node at t.
            b: Another one.

        Returns:
            The nodes; None where no separation was found.

        Raises:
            UnknownName: If a name is neither a node nor a process.
        """
        return self.run.sepset(*self._nodes(a, b))

    def why(self, a: str, b: str) -> Explanation:
        """Why there is no edge between two nodes, or why its marks are what they are.

        Args:
            a: A node, or a process for its node at t.
            b: Another one.

        Returns:
            An explanation to print. It tells which copy was asked about and which known ancestors were given.

        Raises:
            UnknownName: If a name is neither a node nor a process.
            OptionError: If both are the same node.
        """
        x, y = self._nodes(a, b)
        found = self.run.why(x, y)
        return found.with_remarks((x, y), copy_sentences(self.run, self._window, x, y))

    def causes(self, a: str, b: str) -> Answer:
        """Whether node a causes node b, directly or through others; see `Discovery.causes`.

        Args:
            a: A node, or a process for its node at t.
            b: Another one.

        Returns:
            The answer, with its reason.

        Raises:
            UnknownName: If a name is neither a node nor a process.
        """
        return self.run.causes(*self._nodes(a, b))

    def confounded(self, a: str, b: str) -> Answer:
        """Whether something unmeasured drives both nodes; see `Discovery.confounded`.

        Args:
            a: A node, or a process for its node at t.
            b: Another one.

        Returns:
            The answer, with its reason.

        Raises:
            UnknownName: If a name is neither a node nor a process.
        """
        return self.run.confounded(*self._nodes(a, b))

    # -- effects ---------------------------------------------------------------------------------------------------

    def adjustment_set(self, x: str | Iterable[str], y: str, *, limit: int = 100) -> AdjustmentSet:
        """Which nodes of the window to adjust for, to learn the total effect of x on y; see `an.adjustment_set`.

        Args:
            x: A node, or several for a joint effect.
            y: A node, or a process for its node at t.
            limit: The largest number of minimal sets to return.

        Returns:
            The sets. Steps before the window count as unmeasured: if the effect has no set here, and may have one in a
            longer window, the `reason` says so.

        Raises:
            UnknownName: If a name is neither a node nor a process.
        """
        return series_adjustment_set(self.run, x, y, limit=limit)

    def effect(
        self,
        x: str | Iterable[str],
        y: str,
        *,
        given: Iterable[str] | None = None,
        confidence: float = 0.95,
        bandwidth: int | None = None,
        contrast: Literal["difference", "ratio"] | None = None,
        levels: Any = None,
        event: Any = None,
    ) -> Effect:
        """The total effect of setting x on y, with its confidence interval (docs/series.md).

        Of numbers it is a slope, in linear relations. Rows of the regression are windows, which overlap: its errors are
        those of Newey and West, and of 20 units or more, errors between units. Columns with levels need so many units.

        Args:
            x: A node such as "rain[t-1]", or several for their joint effect.
            y: A node, or a process for its node at t.
            given: The nodes that are adjusted for; by default the best adjustment set of the window.
            confidence: The level of the interval.
            bandwidth: The number of steps of the errors of Newey and West; by default twice the root of the steps of a
                unit, at least `lags`.
            contrast: As in `Discovery.effect`.
            levels: As in `Discovery.effect`.
            event: As in `Discovery.effect`.

        Returns:
            The effect; print it.

        Raises:
            GraphError: If there is no adjustment set, with the larger `lags` that may have one, or if `given` is not
                one.
            OptionError: If columns have levels and there are fewer units, or for a run without data.
            DataError: If the rows do not determine the effect.
            UnknownName: If a name is neither a node nor a process.
        """
        options = EffectOptions(confidence=confidence, contrast=contrast, levels=levels, event=event)
        return series_effect(self.run, self.windows, x, y, given=given, bandwidth=bandwidth, options=options)

    # -- how stable it is ------------------------------------------------------------------------------------------

    def bootstrap(
        self,
        repeats: int = 100,
        *,
        block: int | None = None,
        seed: int = 1,
        workers: int = 1,
        executor: Executor | None = None,
        time_limit: float | None = None,
        progress: "bool | Callable[[RepeatsProgress], None] | None" = None,
    ) -> SeriesBootstrap:
        """Search resamples, and count how often each edge and each mark comes back (docs/series.md).

        Drawn with replacement are whole units if there are at least 10, otherwise blocks of successive windows of a
        unit. Every search has the settings and knowledge of this one.

        Args:
            repeats: The number of resamples.
            block: The number of windows of a block; by default twice the cube root of all windows, and at least twice
                the lags.
            seed: The same seed draws the same blocks, with any number of `workers`.
            workers: The number of threads that search at the same time.
            executor: As in `an.bootstrap`.
            time_limit: As in `an.bootstrap`.
            progress: As in `an.bootstrap`.

        Returns:
            How often resamples agreed; print it.

        Raises:
            OptionError: If an option cannot be used, if there are fewer than 5 blocks, and for a run without data.
        """
        return bootstrap_series(
            self.run,
            self.windows,
            repeats=repeats,
            block=block,
            seed=seed,
            workers=workers,
            executor=executor,
            time_limit=time_limit,
            progress=progress,
        )

    def _nodes(self, a: str, b: str) -> tuple[str, str]:
        """The full names of two different nodes."""
        x, y = self._window.node(a), self._window.node(b)
        if x == y:
            raise OptionError(f"the two nodes must differ, got {x!r} twice; name the steps, as in {a}[t-1]")
        return x, y

    # -- pictures and reports --------------------------------------------------------------------------------------

    def plot(self, path: Location | None = None, *, what: Part = "both", ax: Any = None) -> Any:
        """Draw what was found into a file that ends in .svg, .png or .pdf, or on axes of matplotlib.

        In the window, edges that end at t are in ink, their earlier copies grey, and edges that exist only early
        dashed.

        Args:
            path: The file to write.
            what: "window", a column for each step; "summary", the processes with lags; or "both", side by side.
            ax: The axes to draw on.

        Returns:
            The axes; None if a file was written.

        Raises:
            OptionError: If an option cannot be used.
            RunError: If the file cannot be written.
        """
        return plot_series(self, path, ax=ax, what=what)

    def report(self, path: Location) -> None:
        """Write all that was found as one HTML file that a colleague can open: the window, and every reason.

        Args:
            path: The file, whose name ends in .html.

        Raises:
            OptionError: If it does not.
            RunError: If the file cannot be written.
        """
        from ancestral.series.report import series_report
        from ancestral.show.report import check_report

        target = path_of("path", path)
        check_report(target)
        write_atomically(target, series_report(self).encode())

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows."""
        return series_svg(self)

    # -- tables and files ------------------------------------------------------------------------------------------

    def to_frame(self, *args: Any, **options: Any) -> Any:
        """A frame with a row for each pair of nodes of the window; see `Discovery.to_frame`.

        Args:
            *args: As in `Discovery.to_frame`.
            **options: As in `Discovery.to_frame`.

        Returns:
            The frame.

        Raises:
            OptionError: If an option cannot be used.
        """
        return self.run.to_frame(*args, **options)

    def save(self, path: Location) -> None:
        """Write a run file, which `load_series` reads.

        Args:
            path: The file; it is compressed if its name ends in `.gz`.

        Raises:
            RunError: If it cannot be written.
        """
        self.run.save(path_of("path", path))

    def __str__(self) -> str:
        return series_summary(self)

    def __repr__(self) -> str:
        size = f"{len(self.processes)} processes, {self.lags + 1} steps"
        return f"<SeriesDiscovery: {size}, {len(self.pag.edges())} edges end at t>"
