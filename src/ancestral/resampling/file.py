"""The bootstrap file: the graph of every resample, and the settings, the data and the seed that it came from.

docs/bootstrap-file.md describes it. Repeats often find the same graph, so each graph is written once, and for each
repeat the number of its graph. Everything that is read is checked: shapes, ranges, and that each repeat has one graph.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ancestral.certainty.resamples import Resamples
from ancestral.graphs import CPDAG, PAG
from ancestral.graphs.marks import CIRCLE
from ancestral.graphs.names import in_order
from ancestral.io.checked_json import JsonValue, opened_document
from ancestral.io.graph_lists import distinct_graphs, graphs_part, read_graphs
from ancestral.io.run_resamples import KEY as RESAMPLES
from ancestral.io.run_resamples import read_resamples, resamples_part
from ancestral.io.saved import (
    FileHead,
    PartsReader,
    PartsWriter,
    check_overwritable,
    checked_lines,
    data_part,
    naming,
    saving,
    settings_part,
    write_lines,
)
from ancestral.resampling.effects import KEY as EFFECTS
from ancestral.resampling.effects import ResampledEffect, effects_part, read_effects
from ancestral.search.stage import Edges

__all__ = [
    "FORMAT",
    "VERSION",
    "SavedBootstrap",
    "bootstrap_lines",
    "check_target",
    "read_bootstrap",
    "write_bootstrap",
]

FORMAT = "ancestral bootstrap"
VERSION = 2

#: The most repeats in a file: each takes a few bytes of memory, whatever it found, so a file cannot ask for gigabytes.
MOST_REPEATS = 10_000_000

#: Reasons why fewer repeats were done than asked for.
STOPPED = ("time limit", "interrupt", "executor")


@dataclass(frozen=True, kw_only=True)
class SavedBootstrap(FileHead):
    """What a bootstrap file holds: the fields of `FileHead`, and what was found.

    `columns` are the variables in the order of the data; the nodes of graphs are numbered in the order of `names`.
    `estimate` is the graph of all rows, `graphs` has one for each repeat that was done, of `wanted`. `resamples` has
    the graphs of each reading of the data, of which `graphs` are the first, if they were searched by score. `effects`
    are those that were asked for.
    """

    columns: tuple[str, ...]
    seed: int
    subsample: float | None
    wanted: int
    stopped: str | None
    estimate: Edges
    graphs: tuple[Edges, ...]
    resamples: Resamples | None = None
    effects: tuple[ResampledEffect, ...] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The variables in the order of names."""
        return in_order(self.columns)

    def graph(self, graph: Edges) -> PAG:
        """A graph with its nodes in the order of the data; a CPDAG if the algorithm assumes that nothing is latent."""
        kind = CPDAG if self.settings.chosen.sufficient and not (graph.marks == CIRCLE).any() else PAG
        return kind(self.columns, self.arranged(graph))

    def arranged(self, graph: Edges) -> NDArray[np.uint8]:
        """The marks of a graph, with its nodes in the order of the data."""
        return PAG(self.names, graph.matrix(len(self.names))).arranged(self.columns)

    @cached_property
    def distinct(self) -> list[tuple[Edges, list[int]]]:
        """The different graphs in the order in which they were first found, each with the numbers of its repeats."""
        return distinct_graphs(self.graphs)


def check_target(path: Path) -> None:
    """Raise `RunError` if a bootstrap cannot be saved there, or would replace a file of another kind."""
    check_overwritable(path, FORMAT, "bootstrap file")


def write_bootstrap(path: Path, saved: SavedBootstrap) -> None:
    """Write the file, all of it or nothing; raises `RunError` if that cannot be done."""
    with saving(path):
        check_target(path)
        write_lines(path, bootstrap_lines(saved))


def bootstrap_lines(saved: SavedBootstrap) -> Iterator[bytes]:
    """The content of the file, piece by piece."""
    position = {name: i for i, name in enumerate(saved.columns)}
    write = PartsWriter(np.array([position[name] for name in saved.names], dtype=np.int64))
    document = {
        "format": FORMAT,
        "version": VERSION,
        "made_by": saved.made_by,
        "settings": settings_part(saved.settings),
        "seed": saved.seed,
        "subsample": saved.subsample,
        "wanted": saved.wanted,
        "repeats": len(saved.graphs),
        "stopped": saved.stopped,
        "data": data_part(saved.fingerprint, saved.rows, saved.kinds, saved.reading, saved.columns),
        "variables": list(saved.columns),
        "estimate": write.edges(saved.estimate.pairs, saved.estimate.marks),
        **graphs_part(write, saved.graphs),
        **resamples_part(write, saved.resamples),
        **effects_part(saved.effects),
    }
    return checked_lines(document, _Reader)


def read_bootstrap(path: Path) -> SavedBootstrap:
    """Read a file and check everything in it; raises `RunError`."""
    with opened_document(path, FORMAT, "bootstrap", (1, VERSION)) as document, naming(path):
        reader = _Reader if document.value["version"] == VERSION else _Reader1
        return reader(document).saved()


@dataclass(frozen=True, kw_only=True)
class _Head(FileHead):
    """The content of a bootstrap file besides its graphs; the fields are those of `SavedBootstrap`."""

    seed: int
    subsample: float | None
    wanted: int
    repeats: int
    stopped: str | None


class _Reader(PartsReader):
    """Reads a file of version 2. Columns are read in the order in which they are in the file."""

    KEYS: tuple[str, ...] = (
        "format", "version", "made_by", "settings", "seed", "subsample", "wanted", "repeats", "stopped", "data",
        "variables", "estimate", "found", "graphs", RESAMPLES, EFFECTS,
    )  # fmt: skip

    def __init__(self, document: JsonValue) -> None:
        document.only(*self.KEYS)
        super().__init__(document)

    def head(self) -> _Head:
        """Everything but the graphs, checked."""
        document = self.document
        wanted = document.key("wanted").whole(1)
        repeats = document.key("repeats").whole(0, min(wanted, MOST_REPEATS))
        stopped = document.key("stopped")
        reason = None if stopped.is_null else stopped.text(*STOPPED)
        if (reason is None) != (repeats == wanted):
            stopped.fail("null where all repeats were done, and otherwise the reason")
        subsample = document.key("subsample")
        return _Head(
            **self.file_head(least_rows=1).shared(),
            seed=document.key("seed").whole(0, (1 << 64) - 1),
            subsample=None if subsample.is_null else subsample.share(),
            wanted=wanted,
            repeats=repeats,
            stopped=reason,
        )

    def saved(self) -> SavedBootstrap:
        """The whole bootstrap."""
        head = self.head()
        place = self.document.key("estimate")
        place.only("a", "edge", "b")
        estimate = self.edges(place)
        graphs = self.graphs(head.repeats)
        resamples = read_resamples(self, self.document)
        effects = read_effects(self.document, head.repeats, self.columns)
        if self.document.columns is not None:
            self.document.columns.finish()
        return SavedBootstrap(
            **head.shared(),
            columns=self.columns,
            seed=head.seed,
            subsample=head.subsample,
            wanted=head.wanted,
            stopped=head.stopped,
            estimate=estimate,
            graphs=graphs,
            resamples=resamples,
            effects=effects,
        )

    def graphs(self, repeats: int) -> tuple[Edges, ...]:
        """The graph of each repeat; repeats with the same graph share one object."""
        return read_graphs(self, self.document, repeats)


class _Reader1(_Reader):
    """Reads a file of version 1, which has a list of graphs, each with the numbers of its repeats."""

    KEYS = tuple(key for key in _Reader.KEYS if key != "found")

    def graphs(self, repeats: int) -> tuple[Edges, ...]:
        """The graph of each repeat."""
        place = self.document.key("graphs")
        found: dict[int, Edges] = {}
        for item in place.items():
            item.only("repeats", "a", "edge", "b")
            graph = self.edges(item)
            for number in item.key("repeats").whole_numbers(0, repeats - 1):
                if number in found:
                    item.key("repeats").fail("a list of repeats that have no other graph")
                found[number] = graph
        if len(found) != repeats:
            place.fail(f"a graph for each of {repeats} repeats")
        return tuple(found[number] for number in range(repeats))
