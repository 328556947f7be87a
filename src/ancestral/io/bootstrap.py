"""The bootstrap file: the graph of every resample, with which settings, of which data, by which seed.

docs/bootstrap-file.md describes it. Repeats often find the same graph, so each graph stands there once, with the
numbers of the repeats that found it. Whatever is read is checked: shapes, ranges, and that each repeat has one graph.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ancestral.data.reading import Reading
from ancestral.errors import RunError
from ancestral.graphs.names import in_order
from ancestral.io.document import Place, as_text, read_document
from ancestral.io.files import write_atomically
from ancestral.io.packed import read_bytes
from ancestral.io.parts import PartsReader, PartsWriter, check_overwritable, read_checked
from ancestral.search.settings import Settings
from ancestral.search.stage import Edges

__all__ = ["FORMAT", "VERSION", "SavedBootstrap", "bootstrap_text", "check_target", "read_bootstrap", "write_bootstrap"]

FORMAT = "ancestral bootstrap"
VERSION = 1

#: Why there are fewer repeats than were wanted.
STOPPED = ("time limit", "interrupt", "executor")


@dataclass(frozen=True)
class SavedBootstrap:
    """What a bootstrap file holds; the nodes of graphs go by `names`, those of the user by `columns`.

    `estimate` is the graph of all rows, `graphs` has one for each repeat that was done, of `wanted`.
    """

    made_by: str
    settings: Settings
    fingerprint: str
    rows: int
    reading: Reading
    kinds: Mapping[str, str] | None
    columns: tuple[str, ...]
    seed: int
    subsample: float | None
    wanted: int
    stopped: str | None
    estimate: Edges
    graphs: tuple[Edges, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The variables in the order of names."""
        return in_order(self.columns)

    @cached_property
    def distinct(self) -> list[tuple[Edges, list[int]]]:
        """The different graphs, each with the numbers of the repeats that found it, the first found first."""
        found: dict[bytes, tuple[Edges, list[int]]] = {}
        for number, graph in enumerate(self.graphs):
            key = graph.pairs.astype(np.int64).tobytes() + graph.marks.tobytes()
            found.setdefault(key, (graph, []))[1].append(number)
        return list(found.values())


def check_target(path: Path) -> None:
    """Refuse to save where it is impossible, or where a file stands that is no bootstrap file."""
    check_overwritable(path, FORMAT, "bootstrap file")


def write_bootstrap(path: Path, saved: SavedBootstrap) -> None:
    """Write the file, all of it or nothing."""
    check_target(path)
    write_atomically(path, bootstrap_text(saved).encode("ascii"))


def bootstrap_text(saved: SavedBootstrap) -> str:
    """What stands in the file."""
    position = {name: i for i, name in enumerate(saved.columns)}
    write = PartsWriter(np.array([position[name] for name in saved.names], dtype=np.int64))
    return as_text(
        {
            "format": FORMAT,
            "version": VERSION,
            "made_by": saved.made_by,
            "settings": saved.settings.as_dict(),
            "seed": saved.seed,
            "subsample": saved.subsample,
            "wanted": saved.wanted,
            "repeats": len(saved.graphs),
            "stopped": saved.stopped,
            "data": {
                "fingerprint": saved.fingerprint,
                "rows": saved.rows,
                "kinds": None if saved.kinds is None else [saved.kinds[name] for name in saved.columns],
                "source": saved.reading.source,
                "reading": saved.reading.options(),
            },
            "variables": list(saved.columns),
            "estimate": write.edges(saved.estimate.pairs, saved.estimate.marks),
            "graphs": [
                {"repeats": numbers, **write.edges(graph.pairs, graph.marks)} for graph, numbers in saved.distinct
            ],
        }
    )


def read_bootstrap(path: Path) -> SavedBootstrap:
    """Read a file and check everything in it."""
    document = read_document(path, read_bytes(path))
    if not isinstance(document.value, dict) or document.value.get("format") != FORMAT:
        raise RunError(f"{path}: is no bootstrap file; one is written by boot.save() or ancestral bootstrap --save")
    return read_checked(path, document, VERSION, lambda: _Reader(document).saved())


class _Reader(PartsReader):
    """Reads a bootstrap."""

    def saved(self) -> SavedBootstrap:
        document = self.document
        document.only(
            "format", "version", "made_by", "settings", "seed", "subsample", "wanted", "repeats", "stopped", "data",
            "variables", "estimate", "graphs",
        )  # fmt: skip
        data = document.key("data")
        data.only("fingerprint", "rows", "kinds", "source", "reading")
        wanted = document.key("wanted").whole(1)
        repeats = document.key("repeats").whole(0, wanted)
        stopped = document.key("stopped")
        reason = None if stopped.is_null else stopped.text(*STOPPED)
        if (reason is None) != (repeats == wanted):
            stopped.fail("null where all repeats were done, and otherwise the reason")
        return SavedBootstrap(
            made_by=document.key("made_by").text(),
            settings=self.settings(),
            fingerprint=data.key("fingerprint").text(),
            rows=data.key("rows").whole(1),
            reading=self.reading(data),
            kinds=self.kinds(data.key("kinds")),
            columns=self.columns,
            seed=document.key("seed").whole(0, (1 << 64) - 1),
            subsample=self._share(document.key("subsample")),
            wanted=wanted,
            stopped=reason,
            estimate=self._graph(document.key("estimate"), "a", "edge", "b"),
            graphs=self._graphs(document.key("graphs"), repeats),
        )

    @staticmethod
    def _share(place: Place) -> float | None:
        if place.is_null:
            return None
        if not 0 < place.number() < 1:
            place.fail("a share between 0 and 1")
        return place.number()

    def _graph(self, place: Place, *keys: str) -> Edges:
        place.only(*keys)
        return self.edges(place)

    def _graphs(self, place: Place, repeats: int) -> tuple[Edges, ...]:
        out: list[Any] = [None] * repeats
        for item in place.items():
            graph = self._graph(item, "repeats", "a", "edge", "b")
            for number in item.key("repeats").whole_numbers(0, repeats - 1):
                if out[number] is not None:
                    item.key("repeats").fail("a list of repeats that have no other graph")
                out[number] = graph
        if None in out:
            place.fail(f"a graph for each of {repeats} repeats")
        return tuple(out)
