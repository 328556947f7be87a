"""A sweep as frames: a row for each level, and a row for each pair that has an edge at some level."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from ancestral.data.libraries import Library, frame_of
from ancestral.graphs import PAG
from ancestral.graphs.marks import NONE, SYMBOLS, symbol
from ancestral.io.frames import series
from ancestral.sweeping.levels import Level

__all__ = ["EdgePath", "edge_paths", "edges_frame", "level_values", "levels_frame"]

#: Columns of numbers that are not counts.
_NUMBERS = {"alpha", "deviance", "p_value", "ebic", "same_edges", "same_marks", "instability"}


class EdgePath:
    """A pair of variables with an edge at some level: `edges` has the edge at each level, read from a to b, or None."""

    def __init__(self, a: str, b: str, edges: tuple[str | None, ...]) -> None:
        self.a = a
        self.b = b
        self.edges = edges

    @property
    def changes(self) -> bool:
        """Whether the edge, or a mark of it, is not the same at all levels."""
        return len(set(self.edges)) > 1

    @property
    def levels(self) -> list[int]:
        """The numbers of the levels that have the edge."""
        return [number for number, edge in enumerate(self.edges) if edge is not None]


def edge_paths(graphs: Sequence[PAG]) -> list[EdgePath]:
    """The pairs with an edge at some level, in the order of columns."""
    marks = np.stack([graph.marks for graph in graphs])
    nodes = graphs[0].nodes
    out = []
    for a, b in np.argwhere(np.triu((marks != NONE).any(axis=0), 1)).tolist():
        edges = tuple(symbol(int(m[b, a]), int(m[a, b])) if m[a, b] != NONE else None for m in marks)
        out.append(EdgePath(nodes[a], nodes[b], edges))
    return out


def level_values(level: Level) -> dict[str, Any]:
    """The numbers of a level by the name of the column; the kinds of edges have a column each."""
    out: dict[str, Any] = {}
    for part in fields(level):
        if part.name == "kinds":
            out |= {kind: level.kinds[kind] for kind in SYMBOLS}
        else:
            out[part.name] = getattr(level, part.name)
    return out


def levels_frame(levels: Sequence[Level], library: Library) -> Any:
    """A row for each level; see `Sweep.to_frame`."""
    rows = [level_values(level) for level in levels]
    columns = {
        name: series(name, [row[name] for row in rows], "number" if name in _NUMBERS else "count") for name in rows[0]
    }
    return frame_of(columns, library)


def edges_frame(paths: Sequence[EdgePath], alphas: Sequence[float], library: Library) -> Any:
    """A row for each pair with an edge at some level; see `Sweep.edges`."""
    columns = {
        "a": series("a", [path.a for path in paths], "text"),
        "b": series("b", [path.b for path in paths], "text"),
        "first_alpha": series("first_alpha", [alphas[path.levels[0]] for path in paths], "number"),
        "last_alpha": series("last_alpha", [alphas[path.levels[-1]] for path in paths], "number"),
        "levels": series("levels", [len(path.levels) for path in paths], "count"),
        "kinds": series("kinds", [len({edge for edge in path.edges if edge}) for path in paths], "count"),
    }
    for number, alpha in enumerate(alphas):
        name = f"{alpha:g}"
        columns[name] = series(name, [path.edges[number] for path in paths], "text")
    return frame_of(columns, library)
