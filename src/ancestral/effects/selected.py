"""Whether a graph shows that the sample was selected, in which case effects cannot be learned from it."""

import numpy as np

from ancestral.graphs import DAG, MixedGraph
from ancestral.graphs.marks import ARROW, TAIL
from ancestral.graphs.names import by_name

__all__ = ["selection_shown"]


def selection_shown(graph: MixedGraph) -> str | None:
    """The part of the graph that shows that the sample was selected, in words; None if nothing does."""
    if isinstance(graph, DAG):
        chosen = sorted(graph.selection, key=by_name)
        return f"{chosen[0]} is a selection node" if chosen else None
    tail = graph.class_marks == TAIL
    for u, v in np.argwhere(tail & (graph.class_marks.T != ARROW)).tolist():
        a, b = graph.nodes[u], graph.nodes[v]
        return f"the tail at {b} on {graph.edge_text(a, b)} says that the sample was selected"
    return None
