"""A list of graphs in a file: each different graph once, and for each place of the list the number of its graph."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.io.checked_json import JsonValue
from ancestral.io.columns import Column
from ancestral.io.saved import PartsReader, PartsWriter
from ancestral.search.marginals import pair_number
from ancestral.search.stage import Edges

__all__ = ["distinct_graphs", "graphs_part", "read_graphs"]


def distinct_graphs(graphs: Sequence[Edges]) -> list[tuple[Edges, list[int]]]:
    """The different graphs in the order in which they first occur, each with the numbers of its places."""
    distinct: dict[bytes, tuple[Edges, list[int]]] = {}
    by_object: dict[int, list[int]] = {}  # places often share one object
    for number, graph in enumerate(graphs):
        if id(graph) not in by_object:
            key = graph.pairs.astype(np.int64).tobytes() + graph.marks.tobytes()
            by_object[id(graph)] = distinct.setdefault(key, (graph, []))[1]
        by_object[id(graph)].append(number)
    return list(distinct.values())


def graphs_part(write: PartsWriter, graphs: Sequence[Edges]) -> dict[str, Any]:
    """The two keys of a list of graphs: `found` has the number of the graph of each place, `graphs` all edges."""
    distinct = distinct_graphs(graphs)
    graph_of_place = np.zeros(len(graphs), dtype=np.intc)
    for number, (_, places) in enumerate(distinct):
        graph_of_place[places] = number
    different = [graph for graph, _ in distinct]
    return {
        "found": Column.whole(graph_of_place),
        "graphs": {
            "size": Column.whole(np.array([len(graph.pairs) for graph in different], dtype=np.intc)),
            **write.edges(
                np.concatenate([np.zeros((0, 2), np.intc), *(graph.pairs for graph in different)]),
                np.concatenate([np.zeros((0, 2), np.uint8), *(graph.marks for graph in different)]),
            ),
        },
    }


def read_graphs(reader: PartsReader, place: JsonValue, count: int) -> tuple[Edges, ...]:
    """A list of this many graphs, from the two keys of `place`; equal graphs are one object."""
    found = place.key("found")
    graph_of_place = found.ints(0, max(count - 1, 0), count)
    numbers, first = np.unique(graph_of_place, return_index=True)
    if not np.array_equal(numbers, np.arange(len(numbers))) or (np.diff(first) < 0).any():
        found.fail("the numbers of graphs, in the order in which they were first found")
    graphs = place.key("graphs")
    graphs.only("size", "a", "edge", "b")
    sizes = graphs.key("size").ints(0, min(reader.count, (1 << 31) - 1), len(numbers)).astype(np.int64)
    distinct = _split(reader, graphs, sizes)
    return tuple(map(distinct.__getitem__, graph_of_place.tolist()))


def _split(reader: PartsReader, place: JsonValue, sizes: NDArray[np.int64]) -> list[Edges]:
    """Graphs of these sizes, whose edges follow one another in the same columns."""
    together = reader.unordered_edges(place, int(sizes.sum()))
    owner = np.repeat(np.arange(len(sizes)), sizes)
    steps = np.diff(owner * reader.count + pair_number(reader.n, *together.pairs.T))
    if (steps <= 0).any():
        place.fail("lists of different edges by the names of their ends")
    stops = np.cumsum(sizes)[:-1]
    parts = zip(np.split(together.pairs, stops), np.split(together.marks, stops), strict=True)
    return [Edges(pairs, marks) for pairs, marks in parts]
