"""Which edges and marks to trust: the same search on many resamples of the rows, and how often each answer comes back.

A frequency is no probability that an edge or a mark is true. It says how often the search, on data like these, comes to
the same answer: low frequencies name what hangs on a few rows, high ones what is stable. What is stable may still be
wrong, where a test is misled or a mark rests on a mistake that every resample repeats.

Rows that are drawn twice look like evidence that is not there, so p-values of a bootstrap sample are smaller than those
of a new sample: it has more edges. Drawing a share of the rows, each at most once (`subsample`), has no such ties, but
fewer rows. docs/reliability.md compares frequencies with the truth.

References: Friedman, Goldszmidt & Wyner (1999), Data analysis with Bayesian networks: a bootstrap approach, UAI;
Meinshausen & Bühlmann (2010), Stability selection, JRSS B 72.
"""

import os
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import (
    MOST_SEED,
    optional,
    path_of,
    real,
    seconds_above_zero,
    whole_number,
    worker_count,
)
from ancestral.data import DataWarning, Table
from ancestral.data.read.deadline import reading_within
from ancestral.data.read.frames import Library, library_of
from ancestral.data.read.streams import is_chunked
from ancestral.data.read_options import ReadOptions
from ancestral.data.table import Missing
from ancestral.discovery import discover
from ancestral.errors import OptionError, RunWarning
from ancestral.graphs import CPDAG, PAG
from ancestral.graphs.frequencies import Frequencies
from ancestral.graphs.marks import CIRCLE, SYMBOLS, symbol
from ancestral.independence.evidence import DEFAULT_ALPHA
from ancestral.independence.sources import SourceOptions, check_rows_to_draw
from ancestral.io.frames import MOST_PAIRS, frequencies_frame
from ancestral.knowledge import Knowledge
from ancestral.parallel.clock import RepeatsProgress
from ancestral.printing import shown
from ancestral.resampling.file import SavedBootstrap, bootstrap_lines, read_bootstrap, write_bootstrap
from ancestral.resampling.repeats import Repeats
from ancestral.resampling.schedule import run_repeats
from ancestral.result import Discovery
from ancestral.search.base import PossibleAncestors
from ancestral.search.remote import checked_executor
from ancestral.search.settings import Settings
from ancestral.search.stage import Edges
from ancestral.show.layout import Layout, Positions
from ancestral.show.progress import RepeatsBar, on_terminal
from ancestral.show.reliability import EDGE_TYPES, Reliability, reliability_table
from ancestral.version import VERSION

__all__ = ["Bootstrap", "Reliability", "RepeatsProgress", "bootstrap", "load_bootstrap"]

Tell = Callable[[RepeatsProgress], None]
Location = str | os.PathLike[str]

#: A subsample has at least so many rows, as a search needs.
FEWEST_ROWS = 5


def bootstrap(
    source: Any,
    *,
    repeats: int = 200,
    seed: int = 1,
    subsample: float | None = None,
    executor: Executor | None = None,
    algorithm: str = "icd",
    alpha: float = DEFAULT_ALPHA,
    test: str | None = None,
    names: Iterable[str] | None = None,
    columns: Iterable[str] | None = None,
    drop: Iterable[str] | None = None,
    kinds: Mapping[str, str] | str | None = None,
    missing: Missing = "refuse",
    separator: str | None = None,
    decimal: str | None = None,
    max_radius: int | None = None,
    possible_ancestors: PossibleAncestors = "distant",
    stable: bool = True,
    verify: bool = True,
    selection_bias: bool = True,
    knowledge: Knowledge | Location | None = None,
    workers: int = 1,
    time_limit: float | None = None,
    progress: bool | Tell | None = None,
) -> "Bootstrap":
    """Search many resamples of the rows, and count how often each edge and each mark comes back.

    The source is a table, an array or a file; moments, an oracle and a function have no rows to draw. First all rows
    are searched (`boot.found`), then `repeats` resamples of them:

    - `subsample`: None draws as many rows as there are, with replacement (the bootstrap); a share such as 0.5 draws
      that part of the rows, each at most once.
    - `seed`: each repeat has a random stream of its own, a child of the seed, so the result does not depend on
      `workers`, `executor` or the order in which repeats end.
    - `executor`: any `concurrent.futures.Executor`; repeats go out in chunks, and lists of edges come back. A chunk
      that is lost is sent again; where the executor breaks, the repeats done are kept.
    - `workers`: without an executor, so many threads at a time.
    - `time_limit`, in seconds, and Ctrl-C end it with the repeats done, the first ones without a gap: `boot.repeats`
      says how many, `boot.stopped` why.
    - `progress`: as in `discover`; a function is called with a `RepeatsProgress`.

    All other options are those of `discover`; every resample keeps to the `knowledge`. A variable that takes a single
    value in a resample has no edges there.

    >>> import ancestral as an
    >>> dag = an.DAG.parse("a -> c, b -> c, c -> d")
    >>> rows = an.simulate.linear_gaussian(dag, rows=500, seed=1)
    >>> boot = bootstrap(rows, repeats=50, progress=False)
    >>> boot.edge("c", "d").edge, boot.edge("a", "b").edge < 0.2
    (1.0, True)
    >>> print(boot.consensus())
    a o-> c
    b o-> c
    c --> d
    """
    wanted = whole_number("repeats", repeats, 1)
    start = whole_number("seed", seed, 0, MOST_SEED)
    share = _checked_share(subsample)
    executor = checked_executor(executor, True, worker_count(workers))
    options = SourceOptions(
        test=test,
        alpha=alpha,
        names=names,
        columns=columns,
        drop=drop,
        kinds=kinds,
        missing=missing,
        separator=separator,
        decimal=decimal,
    )
    check_rows_to_draw(source, test)
    began = time.monotonic()
    about = options.reading
    reading = ReadOptions.of(source, **about, knowledge=knowledge)
    library = library_of(source)
    with ExitStack() as stack:
        tell = _teller(progress, stack)
        with reading_within(optional(seconds_above_zero, "time_limit", time_limit)) as seconds_left:
            if is_chunked(source):  # rows that are drawn must be there
                source, about = Table.of(source, **about), {}
            found = discover(
                source,
                algorithm=algorithm,
                alpha=alpha,
                test=test,
                **about,
                max_radius=max_radius,
                possible_ancestors=possible_ancestors,
                stable=stable,
                verify=verify,
                selection_bias=selection_bias,
                knowledge=knowledge,
                workers=workers,
                time_limit=seconds_left(),
                progress=False if callable(progress) else progress,
            )
        found.reading = reading
        left = None if time_limit is None else time_limit - (time.monotonic() - began)
        resampled = found.test.resampler()
        work = Repeats(resampled, found.settings, start, _drawn(share, resampled.rows))
        graphs, stopped = [], found.stopped
        if found.stopped not in ("time limit", "interrupt"):
            done = run_repeats(work, wanted, executor=executor, workers=workers, seconds=left, tell=tell)
            graphs, stopped = done.graphs, done.stopped
    if stopped == "interrupt":
        warnings.warn(f"interrupted; repeats that were done: {len(graphs)}", RunWarning, stacklevel=2)
    return Bootstrap(
        SavedBootstrap(
            made_by=f"ancestral {VERSION}",
            settings=found.settings,
            fingerprint=found.test.fingerprint,
            rows=found.test.rows,
            reading=reading,
            kinds=found.test.kinds,
            columns=found.pag.nodes,
            seed=start,
            subsample=share,
            wanted=wanted,
            stopped=stopped,
            estimate=Edges.of(found.pag.arranged(resampled.names)),
            graphs=tuple(graphs),
        ),
        found,
        library,
    )


def load_bootstrap(path: Location) -> "Bootstrap":
    """Read a bootstrap file; everything in it is checked, nothing in it is executed."""
    return Bootstrap(read_bootstrap(path_of("path", path)))


def _checked_share(subsample: object) -> float | None:
    if subsample is None:
        return None
    share = real(subsample)
    if share is None or not 0 < share < 1:
        raise OptionError(
            f"subsample={shown(subsample)} is no share of the rows; pass a number between 0 and 1, such as 0.5"
        )
    return share


def _drawn(share: float | None, rows: int) -> int | None:
    if share is None:
        return None
    drawn = round(share * rows)
    if drawn < FEWEST_ROWS:
        raise OptionError(
            f"subsample={share!r} of {rows} rows are {drawn}; a search needs at least {FEWEST_ROWS}, so draw a larger "
            "share"
        )
    return drawn


def _teller(progress: bool | Tell | None, stack: ExitStack) -> Tell | None:
    """Whom to tell how far it is."""
    if callable(progress):
        return progress
    if progress or (progress is None and on_terminal()):
        return stack.enter_context(RepeatsBar())
    return None


class Bootstrap:
    """How often each answer came back.

    `repeats` resamples were searched, of `wanted`; where they are fewer, `stopped` says why: "time limit", "interrupt"
    or "executor". `found` is the search of all rows, None in a bootstrap that was read from a file.
    """

    def __init__(self, saved: SavedBootstrap, found: Discovery | None = None, library: Library = "polars") -> None:
        self._saved = saved
        self.found = found
        self._library: Library = library

    @property
    def settings(self) -> Settings:
        """What was chosen for the search."""
        return self._saved.settings

    @property
    def repeats(self) -> int:
        """How many resamples were searched."""
        return len(self._saved.graphs)

    @property
    def wanted(self) -> int:
        """How many should have been."""
        return self._saved.wanted

    @property
    def stopped(self) -> str | None:
        """Why there are fewer than wanted."""
        return self._saved.stopped

    @property
    def seed(self) -> int:
        """What the random streams of all repeats are children of."""
        return self._saved.seed

    @property
    def subsample(self) -> float | None:
        """The share of rows that was drawn, each at most once; None: as many as there are, with replacement."""
        return self._saved.subsample

    @property
    def nodes(self) -> tuple[str, ...]:
        """The variables, in the order of the data."""
        return self._saved.columns

    @property
    def fingerprint(self) -> str:
        """Of the data."""
        return self._saved.fingerprint

    @cached_property
    def pag(self) -> PAG:
        """The graph of all rows."""
        return self._graph(self._saved.estimate)

    @cached_property
    def graphs(self) -> tuple[tuple[PAG, int], ...]:
        """The different graphs that were found and how often, the most frequent first."""
        found = [(self._graph(graph), len(numbers)) for graph, numbers in self._saved.distinct]
        return tuple(sorted(found, key=lambda one: -one[1]))

    @cached_property
    def frequencies(self) -> Frequencies:
        """All counts, as arrays; nodes by their number in the order of names."""
        different = self._saved.distinct
        graphs = [(graph.pairs, graph.marks) for graph, _ in different]
        return Frequencies.of(len(self.nodes), graphs, [len(numbers) for _, numbers in different])

    def edge(self, a: str, b: str) -> Reliability:
        """How often a and b have an edge, and with which marks; print it, or read its frequencies.

        `edge` and `no_edge` are numbers, `at_a` and `at_b` have those of `circle`, `arrowhead` and `tail`, `types`
        those of each kind of edge, read from a to b. All are shares of all repeats.
        """
        self.pag.index(a)
        self.pag.index(b)
        if a == b:
            raise OptionError(f"{a!r} and {b!r} are the same variable; ask about two different ones")
        x, y = (self._saved.names.index(name) for name in (a, b))
        return Reliability(a, b, self.repeats, self.pag.edge(a, b), self.frequencies.of_pair(x, y))

    def to_frame(
        self,
        pairs: Literal["all", "seen"] | None = None,
        *,
        involving: Sequence[str] | str | None = None,
        library: Library | None = None,
    ) -> Any:
        """A frame with a row for each pair, in the library of the frame that was resampled, otherwise of polars.

        Columns: `a`, `b`; `estimate`, the edge in the graph of all rows (null where there is none); the frequencies
        `edge` and `no_edge`, `circle_at_a` … `tail_at_b`, and one for each kind of edge, read from a to b, under its
        three characters. All are shares of all repeats.

        `pairs` chooses "all", or those "seen" with an edge in a resample or in all rows; without it all are shown where
        there are no more than 100 000. `involving` chooses pairs with one of these variables.
        """
        if pairs is None:
            n = len(self.nodes)
            pairs = "all" if n * (n - 1) // 2 <= MOST_PAIRS or involving is not None else "seen"
            if pairs == "seen":
                warnings.warn(
                    f"{n:,} variables have {n * (n - 1) // 2:,} pairs, so these are the ones seen with an edge; "
                    "pass pairs='all' for all of them",
                    DataWarning,
                    stacklevel=2,
                )
        return frequencies_frame(
            self.nodes,
            self._saved.names,
            self.frequencies,
            self.pag.marks,
            pairs,
            involving,
            library or self._library,
        )

    def consensus(self, threshold: float = 0.5) -> PAG:
        """The edges that at least this share of the resamples have, each end with the mark that most of them agree on.

        A mark stands where more than half of the resamples that have the edge have it; otherwise there is a circle.
        Each edge and each mark is put to the vote by itself, so the graph as a whole need not be the PAG of any MAG,
        nor one that any resample found: read it edge by edge. `boot.graphs` has whole graphs.
        """
        share = real(threshold)
        if share is None or not 0 < share <= 1:
            raise OptionError(f"threshold={shown(threshold)} is no share; pass a number above 0, up to 1")
        counted = self.frequencies
        kept = counted.edges >= threshold * self.repeats
        edges = counted.edges[kept]
        ends = []
        for end in (0, 1):
            counts = counted.at(end)[kept]
            most = counts.argmax(axis=1) if len(counts) else np.zeros(0, dtype=np.int64)
            agreed = 2 * counts.max(axis=1, initial=0) > edges
            ends.append(np.where(agreed, most + 1, CIRCLE))
        marks = np.column_stack(ends).astype(np.uint8).reshape(-1, 2)
        return PAG(self.nodes, self._arranged(Edges(counted.pairs[kept].astype(np.intc), marks)))

    def plot(
        self,
        path: Location | None = None,
        *,
        threshold: float = 0.5,
        ax: Any = None,
        highlight: Iterable[Any] = (),
        colour: Mapping[str, str] | None = None,
        layout: Layout | None = None,
        positions: Positions | None = None,
    ) -> Any:
        """Draw the consensus graph, each edge the fainter the less often it was found.

        The options are those of `PAG.plot`, and `threshold` of `consensus`.
        """
        return self.consensus(threshold).plot(
            path, ax=ax, highlight=highlight, colour=colour, fade=self._firmness(), layout=layout, positions=positions
        )

    def _firmness(self) -> dict[tuple[str, str], float]:
        names, counted = self._saved.names, self.frequencies
        shares = (counted.edges / max(self.repeats, 1)).tolist()
        return {(names[x], names[y]): share for (x, y), share in zip(counted.pairs.tolist(), shares, strict=True)}

    def report(self, path: Location) -> None:
        """Write the search of all rows as one HTML file, with how often resamples agree with each edge and mark."""
        if self.found is None:
            raise OptionError(
                "a bootstrap file does not hold the reasons of a run; load the run of the same data as well, and write "
                "found.report(path, reliabilities=boot)"
            )
        self.found.report(path, reliabilities=self)

    def save(self, path: Location) -> None:
        """Write a bootstrap file, which `load_bootstrap` reads: JSON, packed if the name ends in `.gz`."""
        write_bootstrap(path_of("path", path), self._saved)

    def to_json(self) -> str:
        """The text of the file that `save` writes."""
        return b"".join(bootstrap_lines(self._saved)).decode("ascii")

    def _arranged(self, graph: Edges) -> NDArray[np.uint8]:
        names = self._saved.names
        return PAG(names, graph.matrix(len(names))).arranged(self.nodes)

    def _graph(self, graph: Edges) -> PAG:
        kind = CPDAG if self.settings.chosen.sufficient and not (graph.marks == CIRCLE).any() else PAG
        return kind(self.nodes, self._arranged(graph))

    def __str__(self) -> str:
        saved = self._saved
        level = "" if saved.settings.alpha is None else f", alpha {saved.settings.alpha:g}"
        lines = [
            f"{self.drawn_in_words()}: {saved.settings.algorithm.upper()} on {len(self.nodes):,} variables, "
            f"test {saved.settings.test}{level}"
        ]
        if self.stopped is not None:
            lines.append(f"ended early ({self.stopped}): {self.repeats:,} of {self.wanted:,} repeats were done")
        if self.repeats:
            lines += ["", reliability_table(self._seen()), ""]
            lines.append("A frequency says how stable an answer is, not how probable it is that it is true.")
        return "\n".join(lines)

    def drawn_in_words(self) -> str:
        """How many resamples of which kind."""
        rows = f"{self._saved.rows:,} rows"
        how = f"{rows}, with replacement" if self.subsample is None else f"{100 * self.subsample:g} % of {rows}"
        return f"{self.repeats:,} resample{'s' * (self.repeats != 1)} of {how} (seed {self.seed})"

    def _seen(self) -> list[Reliability]:
        """The pairs with an edge in some resample, by name; each read in the direction in which edges are written."""
        names, marks = self._saved.names, self._saved.estimate.matrix(len(self.nodes))
        out = []
        for (x, y), counts in zip(self.frequencies.pairs.tolist(), self.frequencies.counts, strict=True):
            if EDGE_TYPES[counts.argmax()] not in SYMBOLS:  # written the other way round
                x, y, counts = y, x, counts.T
            estimate = symbol(int(marks[y, x]), int(marks[x, y])) if marks[x, y] else None
            out.append(Reliability(names[x], names[y], self.repeats, estimate, counts))
        return out

    def __repr__(self) -> str:
        return f"<Bootstrap: {len(self.nodes)} variables, {self.repeats} of {self.wanted} repeats>"
