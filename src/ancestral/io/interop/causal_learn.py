"""causal-learn's `GeneralGraph`: `graph[i, j]` is the mark at i on the edge i–j, −1 tail, 1 arrow, 2 circle.

It knows latent nodes but no selection nodes, and not the kind of a graph.
"""

from typing import Any

from ancestral.errors import GraphError
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL, flipped, parse_symbol
from ancestral.io.interop.common import HasPag, Said, graph_of, needed, refuse_roles, role_of

__all__ = ["from_causal_learn", "to_causal_learn"]

_ENDPOINTS = {TAIL: "TAIL", ARROW: "ARROW", CIRCLE: "CIRCLE"}
_MARKS = {-1: TAIL, 1: ARROW, 2: CIRCLE}


def to_causal_learn(graph: MixedGraph | HasPag) -> Any:
    """The graph as a `causallearn.graph.GeneralGraph.GeneralGraph`."""
    written = graph_of(graph)
    refuse_roles(written, "causal-learn's GeneralGraph", "selection")
    general, edge_module, endpoint, node_module, types = (
        needed(f"causallearn.graph.{name}", "causal-learn")
        for name in ("GeneralGraph", "Edge", "Endpoint", "GraphNode", "NodeType")
    )
    nodes = {name: node_module.GraphNode(name) for name in written.nodes}
    for name, node in nodes.items():
        if role_of(written, name) == "latent":
            node.set_node_type(types.NodeType.LATENT)
    out = general.GeneralGraph(list(nodes.values()))
    for first, edge, second in written.edges():
        # its add_edge knows --o, and is silent about o--
        a, seen, b = (second, flipped(edge), first) if edge == "o--" else (first, edge, second)
        ends = [getattr(endpoint.Endpoint, _ENDPOINTS[mark]) for mark in parse_symbol(seen)]
        out.add_edge(edge_module.Edge(nodes[a], nodes[b], *ends))
    return out


def from_causal_learn(g: Any, kind: str | None = None) -> MixedGraph:
    """The graph in a `GeneralGraph` of causal-learn, or in what its `fci` and `pc` return.

    Which kind it is, causal-learn does not say: without `kind`, a DAG if all edges are `-->`, otherwise a PAG.
    """
    if isinstance(g, tuple) and g:  # fci returns (graph, edges)
        g = g[0]
    if hasattr(g, "G") and not hasattr(g, "get_nodes"):  # pc returns a CausalGraph around the graph
        g = g.G
    if not hasattr(g, "get_nodes") or not hasattr(g, "graph"):
        raise GraphError(f"a {type(g).__name__} is no graph of causal-learn; pass a GeneralGraph")
    said = Said()
    names = [str(node.get_name()) for node in g.get_nodes()]
    for name, node in zip(names, g.get_nodes(), strict=True):
        if name in said.names:
            raise GraphError(f"the name {name!r} occurs twice; names must differ")
        said.node(name, "latent" if str(node.get_node_type()) == "LATENT" else None)
    for x, a in enumerate(names):
        for y in range(x + 1, len(names)):
            ends = int(g.graph[x, y]), int(g.graph[y, x])
            if ends == (0, 0):
                continue
            if not set(ends) <= _MARKS.keys():
                raise GraphError(
                    f"between {a!r} and {names[y]!r} are the endpoints {ends}, which are no single edge; "
                    "keep one edge a pair, with tails (-1), arrows (1) and circles (2)"
                )
            said.edge(a, names[y], _MARKS[ends[0]], _MARKS[ends[1]])
    return said.graph(kind)
