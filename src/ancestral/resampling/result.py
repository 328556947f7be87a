"""The result of a bootstrap: `Bootstrap`, and `load_bootstrap`, which reads one from a file."""

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np

from ancestral.arguments import number_between, path_of
from ancestral.certainty import Certainty
from ancestral.certainty.frequencies import Frequencies
from ancestral.data import DataWarning
from ancestral.data.libraries import Library
from ancestral.errors import Option, OptionError
from ancestral.graphs import PAG
from ancestral.graphs.marks import CIRCLE, SYMBOLS, symbol
from ancestral.io.frames import MOST_PAIRS
from ancestral.notebook import MOST_BESIDE, answer_html
from ancestral.resampling.effects import ResampledEffect
from ancestral.resampling.file import SavedBootstrap, bootstrap_lines, read_bootstrap, write_bootstrap
from ancestral.resampling.frame import frequencies_frame
from ancestral.resampling.reliability import EDGE_TYPES, Reliability, reliability_table
from ancestral.result import Discovery
from ancestral.search.settings import Settings
from ancestral.search.stage import Edges
from ancestral.show.emphasis import resampled_strengths
from ancestral.show.layout import Layout, Positions
from ancestral.show.plot import as_svg, plot
from ancestral.show.summary import judged_by, why_chosen

__all__ = ["Bootstrap", "load_bootstrap"]

Location = str | os.PathLike[str]


def load_bootstrap(path: Location) -> "Bootstrap":
    """Read a bootstrap file. Everything in it is checked, and nothing in it is executed.

    Args:
        path: The file.

    Returns:
        The bootstrap, without the search of all rows.

    Raises:
        RunError: If the file cannot be read, or is not a bootstrap file.

    Examples:
        >>> import pathlib, tempfile
        >>> import ancestral as an
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "boot.json.gz"
        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=500, seed=1)
        >>> boot = an.bootstrap(rows, algorithm="icd", repeats=20, progress=False)
        >>> boot.save(file)
        >>> again = load_bootstrap(file)
        >>> again.consensus() == boot.consensus(), again.found
        (True, None)
    """
    return Bootstrap(read_bootstrap(path_of("path", path)))


class Bootstrap:
    """How often resamples agreed on each edge and each mark; print it.

    Made by `bootstrap` and `load_bootstrap`.

    Attributes:
        found: The search of all rows; None in a bootstrap that was read from a file.

    Examples:
        >>> import ancestral as an
        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=500, seed=1)
        >>> boot = an.bootstrap(rows, algorithm="icd", repeats=20, effects=[("c", "d")], progress=False)
        >>> boot.repeats, boot.wanted, boot.stopped, boot.seed, boot.subsample, boot.nodes, boot.settings.algorithm
        (20, 20, None, 1, None, ('a', 'c', 'b', 'd'), 'icd')
        >>> print(boot.drawn_in_words())
        20 resamples of 500 rows, with replacement (seed 1)
        >>> boot.pag == boot.found.pag, boot.fingerprint == boot.found.test.fingerprint
        (True, True)
        >>> sum(times for _, times in boot.graphs)  # each resample has one of these graphs
        20
        >>> boot.edge("c", "d").edge, boot.frequencies.repeats, boot.consensus(0.9).edge("c", "d"), boot.certainty
        (1.0, 20, '-->', None)
        >>> boot.effect("c", "d").repeats, len(boot.effects), boot.to_frame(involving="a").height
        (20, 1, 3)
        >>> import pathlib, tempfile
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> boot.save(folder / "boot.json")
        >>> (folder / "boot.json").read_text(encoding="utf-8") == boot.to_json()
        True
        >>> boot.plot(folder / "boot.svg")
        >>> boot.report(folder / "boot.html")
        >>> sorted(file.name for file in folder.iterdir())
        ['boot.html', 'boot.json', 'boot.svg']
    """

    def __init__(self, saved: SavedBootstrap, found: Discovery | None = None, library: Library = "polars") -> None:
        self._saved = saved
        self.found = found
        self._library: Library = library

    @property
    def settings(self) -> Settings:
        """The settings of the search."""
        return self._saved.settings

    @property
    def repeats(self) -> int:
        """The number of resamples that were searched."""
        return len(self._saved.graphs)

    @property
    def wanted(self) -> int:
        """The number of resamples that were asked for."""
        return self._saved.wanted

    @property
    def stopped(self) -> str | None:
        """Why fewer resamples were searched than wanted: "time limit", "interrupt" or "executor"; None if all were."""
        return self._saved.stopped

    @property
    def seed(self) -> int:
        """The seed; the random stream of each repeat is a child of it."""
        return self._saved.seed

    @property
    def subsample(self) -> float | None:
        """The share of rows that was drawn, each at most once; None if all rows were drawn with replacement."""
        return self._saved.subsample

    @property
    def nodes(self) -> tuple[str, ...]:
        """The variables, in the order of the data."""
        return self._saved.columns

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the data."""
        return self._saved.fingerprint

    @cached_property
    def pag(self) -> PAG:
        """The graph of all rows."""
        return self._saved.graph(self._saved.estimate)

    @cached_property
    def graphs(self) -> tuple[tuple[PAG, int], ...]:
        """The different graphs that resamples had, and how often, the most frequent first."""
        graphs = [(self._saved.graph(graph), len(numbers)) for graph, numbers in self._saved.distinct]
        return tuple(sorted(graphs, key=lambda item: -item[1]))

    @cached_property
    def frequencies(self) -> Frequencies:
        """All counts, as arrays; nodes are numbered in the order of names."""
        distinct = self._saved.distinct
        graphs = [(graph.pairs, graph.marks) for graph, _ in distinct]
        return Frequencies.of(len(self.nodes), graphs, [len(numbers) for _, numbers in distinct])

    @cached_property
    def certainty(self) -> Certainty | None:
        """How certain the graph of all rows is, as `found.certainty` tells; None unless it was searched by score.

        A subsample has none, either: what is called firm was measured on resamples of all rows.
        """
        if self._saved.resamples is None:
            return None
        return Certainty(
            self.pag,
            self._saved.resamples,
            selection_bias=self.settings.allows_selection,
            complete=True,
            knowledge=self.settings.knowledge,
        )

    @property
    def effects(self) -> tuple[ResampledEffect, ...]:
        """The effects that were asked for, each in the graph of every resample; print one for a summary."""
        return self._saved.effects

    def effect(self, x: str, y: str) -> ResampledEffect:
        """The effect of x on y in the resamples, each with its own graph.

        `estimates`, `median` and `interval()` are of the resamples in which there is an estimate; `zero` counts those
        whose graph says that there is no effect, `not_identified` those that have no adjustment set for it.

        Args:
            x: The cause.
            y: The outcome.

        Returns:
            The effect; print it.

        Raises:
            UnknownName: If a name is not a variable.
            OptionError: If this effect was not asked for.
        """
        for name in (x, y):
            self.pag.index(name)
        for one in self.effects:
            if (one.x, one.y) == (x, y):
                return one
        raise OptionError(
            f"the effect of {x!r} on {y!r} was not asked for",
            way_out=["pass ", Option("effects", [(x, y)]), " to bootstrap()"],
        )

    def edge(self, a: str, b: str) -> Reliability:
        """How often a and b have an edge, and with which marks; print it, or read its frequencies.

        Args:
            a: A variable.
            b: Another variable.

        Returns:
            The frequencies: `edge` and `no_edge`; `at_a` and `at_b`, of a "circle", "arrowhead" and "tail" at that end;
            and `types`, of each kind of edge, read from a to b. All are shares of all repeats.

        Raises:
            UnknownName: If a name is not a variable.
            OptionError: If both are the same.
        """
        self.pag.index(a)
        self.pag.index(b)
        if a == b:
            raise OptionError(f"{a!r} and {b!r} are the same variable", way_out="ask about two different ones")
        x, y = (self._saved.names.index(name) for name in (a, b))
        return Reliability(a, b, self.repeats, self.pag.edge(a, b), self.frequencies.of_pair(x, y))

    def to_frame(
        self,
        pairs: Literal["all", "seen"] | None = None,
        *,
        involving: Sequence[str] | str | None = None,
        library: Library | None = None,
    ) -> Any:
        """A frame with a row for each pair.

        Args:
            pairs: "all", or "seen" for those with an edge in a resample or in the graph of all rows; by default "all"
                unless there are more than 100,000 pairs.
            involving: Only the pairs with one of these variables.
            library: "polars", "pandas" or "pyarrow"; by default that of the frame that was resampled, otherwise polars.

        Returns:
            A frame with the columns `a`, `b`; `estimate`, the edge in the graph of all rows (null if there is none);
            the frequencies `edge` and `no_edge`, `circle_at_a` … `tail_at_b`, and one for each kind of edge, read from
            a to b, named by its three characters. All are shares of all repeats.

        Raises:
            UnknownName: If a name is not a variable.
            OptionError: If an option cannot be used.
        """
        if pairs is None:
            n = len(self.nodes)
            pairs = "all" if n * (n - 1) // 2 <= MOST_PAIRS or involving is not None else "seen"
            if pairs == "seen":
                warnings.warn(
                    DataWarning(
                        f"{n:,} variables have {n * (n - 1) // 2:,} pairs, so these are the ones seen with an edge; ",
                        "for all of them pass ",
                        Option("pairs", "all"),
                    ),
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
        """The edges that most resamples have, with the marks that most of these agree on.

        An end has a mark if more than half of the resamples with the edge have that mark there; otherwise it has a
        circle. Each edge and each mark is voted on by itself, so the graph as a whole need not be the PAG of any MAG,
        nor one that any resample had: read it edge by edge. `boot.graphs` has whole graphs.

        Args:
            threshold: The least share of the resamples that must have an edge, above 0 and at most 1.

        Returns:
            The graph.

        Raises:
            OptionError: If the threshold is not such a number.
        """
        threshold = number_between("threshold", threshold, 0, 1, with_high=True)
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
        return PAG(self.nodes, self._saved.arranged(Edges(counted.pairs[kept].astype(np.intc), marks)))

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
        """Draw the consensus graph; the less often an edge or a mark was found, the fainter is its line or the mark.

        Args:
            path: As in `PAG.plot`.
            threshold: As in `consensus`.
            ax: As in `PAG.plot`.
            highlight: As in `PAG.plot`.
            colour: As in `PAG.plot`.
            layout: As in `PAG.plot`.
            positions: As in `PAG.plot`.

        Returns:
            The axes; None if a file was written.

        Raises:
            OptionError: If an option cannot be used.
            RunError: If the file cannot be written.
        """
        drawn = self.consensus(threshold)
        return plot(
            drawn,
            path,
            ax=ax,
            highlight=highlight,
            colour=colour,
            fade=resampled_strengths(drawn, self),
            layout=layout,
            positions=positions,
            visible=frozenset(),  # votes on single edges do not make a graph in which edges are visible
        )

    def report(self, path: Location) -> None:
        """Write the search of all rows as one HTML file, with how often resamples agree on each edge and mark.

        Args:
            path: The file, whose name ends in .html.

        Raises:
            OptionError: If the bootstrap was read from a file, or the name does not end in .html.
            RunError: If the file cannot be written.
        """
        if self.found is None:
            raise OptionError(
                "a bootstrap file does not hold the reasons of a run",
                way_out="load the run of the same data as well, and call found.report(path, reliabilities=boot)",
            )
        self.found.report(path, reliabilities=self)

    def save(self, path: Location) -> None:
        """Write a bootstrap file, which `load_bootstrap` reads: JSON, compressed if the name ends in `.gz`.

        Args:
            path: The file.

        Raises:
            RunError: If it cannot be written, or would replace a file of another kind.
        """
        write_bootstrap(path_of("path", path), self._saved)

    def to_json(self) -> str:
        """The text of the file that `save` writes.

        Returns:
            The text.
        """
        return b"".join(bootstrap_lines(self._saved)).decode("ascii")

    def __str__(self) -> str:
        saved = self._saved
        means = judged_by(saved.settings)
        searched = f"{saved.settings.chosen.title} on {len(self.nodes):,} variables" + f", {means}" * bool(means)
        lines = [f"{self.drawn_in_words()}: {searched}", *([chosen] if (chosen := why_chosen(saved.settings)) else [])]
        if self.stopped is not None:
            lines.append(f"ended early ({self.stopped}): {self.repeats:,} of {self.wanted:,} repeats were done")
        if self.repeats:
            lines += ["", reliability_table(self._seen()), ""]
            lines.append("A frequency says how stable an answer is, not how probable it is that it is true.")
            lines += [] if self.certainty is None else [str(self.certainty)]
            lines += ["", *map(str, self.effects)] if self.effects else []
        return "\n".join(lines)

    def drawn_in_words(self) -> str:
        """How many resamples there were, and how they were drawn.

        Returns:
            A phrase.
        """
        if (windows := self._saved.reading.windows) is not None:
            return f"{self.repeats:,} resample{'s' * (self.repeats != 1)} of {windows} (seed {self.seed})"
        rows = f"{self._saved.rows:,} rows"
        how = f"{rows}, with replacement" if self.subsample is None else f"{100 * self.subsample:g} % of {rows}"
        return f"{self.repeats:,} resample{'s' * (self.repeats != 1)} of {how} (seed {self.seed})"

    def _seen(self) -> list[Reliability]:
        """The pairs with an edge in some resample, in the order of names.

        Each is turned such that its most frequent edge reads as edges are written: `-->`, not `<--`.
        """
        names, marks = self._saved.names, self._saved.estimate.matrix(len(self.nodes))
        out = []
        for (x, y), counts in zip(self.frequencies.pairs.tolist(), self.frequencies.counts, strict=True):
            if EDGE_TYPES[counts.argmax()] not in SYMBOLS:
                x, y, counts = y, x, counts.T
            estimate = symbol(int(marks[y, x]), int(marks[x, y])) if marks[x, y] else None
            out.append(Reliability(names[x], names[y], self.repeats, estimate, counts))
        return out

    def _repr_html_(self) -> str:
        """What printing shows, and the picture of the consensus graph; for notebooks."""
        drawn = None
        if self.repeats and len(self.nodes) <= MOST_BESIDE:
            graph = self.consensus()
            drawn = as_svg(graph, fade=resampled_strengths(graph, self), visible=frozenset())
        return answer_html(str(self), picture=drawn, columns=True)

    def __repr__(self) -> str:
        return f"<Bootstrap: {len(self.nodes)} variables, {self.repeats} of {self.wanted} repeats>"
