"""causal-learn's `GeneralGraph`: `graph[i, j]` is the mark at i on the edge i–j, −1 tail, 1 arrow, 2 circle.

It has latent nodes, but neither selection nodes nor the kind of a graph.
"""

from typing import Any

from ancestral.errors import GraphError
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL, flipped, parse_symbol
from ancestral.io.interop.common import GraphBuilder, HasPag, graph_of, refuse_roles, required_module, role_of
from ancestral.printing import shown_type

__all__ = ["from_causal_learn", "to_causal_learn"]

_ENDPOINTS = {TAIL: "TAIL", ARROW: "ARROW", CIRCLE: "CIRCLE"}
_MARKS = {-1: TAIL, 1: ARROW, 2: CIRCLE}


def to_causal_learn(graph: MixedGraph | HasPag) -> Any:
    """The graph as a `causallearn.graph.GeneralGraph.GeneralGraph`.

    Args:
        graph: A graph, or an object with a `.pag`.

    Returns:
        The object of causal-learn.

    Raises:
        GraphError: If the graph is a DAG with selection nodes.
        OptionError: If causal-learn is not installed.

    Examples:
        >>> from ancestral import PAG
        >>> [str(edge) for edge in to_causal_learn(PAG.parse("a o-> b")).get_graph_edges()]
        ['a o-> b']
    """
    written = graph_of(graph)
    refuse_roles(written, "causal-learn's GeneralGraph", "selection")
    general, edge_module, endpoint, node_module, types = (
        required_module(f"causallearn.graph.{name}", "causal-learn")
        for name in ("GeneralGraph", "Edge", "Endpoint", "GraphNode", "NodeType")
    )
    nodes = {name: node_module.GraphNode(name) for name in written.nodes}
    for name, node in nodes.items():
        if role_of(written, name) == "latent":
            node.set_node_type(types.NodeType.LATENT)
    out = general.GeneralGraph(list(nodes.values()))
    for first, edge, second in written.edges():
        # its add_edge takes --o, and drops o-- silently
        a, seen, b = (second, flipped(edge), first) if edge == "o--" else (first, edge, second)
        ends = [getattr(endpoint.Endpoint, _ENDPOINTS[mark]) for mark in parse_symbol(seen)]
        out.add_edge(edge_module.Edge(nodes[a], nodes[b], *ends))
    return out


def from_causal_learn(g: Any, kind: str | None = None) -> MixedGraph:
    """The graph in a `GeneralGraph` of causal-learn, or in what its `fci`, `pc` and `ges` return.

    Args:
        g: The object of causal-learn.
        kind: "dag", "mag", "cpdag" or "pag". causal-learn does not state it: without `kind`, it is a DAG if all edges
            are `-->`, otherwise a PAG.

    Returns:
        The graph.

    Raises:
        GraphError: If the object is not such a graph.
        OptionError: If there is no such kind.

    Examples:
        >>> from ancestral import PAG
        >>> from_causal_learn(to_causal_learn(PAG.parse("a o-> b")))
        PAG.parse('a o-> b')
    """
    if isinstance(g, tuple) and g:  # fci returns (graph, edges)
        g = g[0]
    if isinstance(g, dict) and "G" in g:  # ges returns a record
        g = g["G"]
    if hasattr(g, "G") and not hasattr(g, "get_nodes"):  # pc returns a CausalGraph around the graph
        g = g.G
    if not hasattr(g, "get_nodes") or not hasattr(g, "graph"):
        raise GraphError(
            f"a graph of causal-learn must be a GeneralGraph, got {shown_type(g)}; pass what fci, pc or ges returned, "
            "as it is: a matrix has no names, and a list of edges leaves out nodes without one"
        )
    builder = GraphBuilder()
    names = [str(node.get_name()) for node in g.get_nodes()]
    for name, node in zip(names, g.get_nodes(), strict=True):
        if name in builder.names:
            raise GraphError(f"names must differ, got the node {name!r} twice; rename one of them")
        builder.node(name, "latent" if str(node.get_node_type()) == "LATENT" else None)
    for x, a in enumerate(names):
        for y in range(x + 1, len(names)):
            ends = int(g.graph[x, y]), int(g.graph[y, x])
            if ends == (0, 0):
                continue
            if not set(ends) <= _MARKS.keys():
                raise GraphError(
                    f"two nodes must have one edge, with tails (-1), arrows (1) and circles (2), got the endpoints "
                    f"{ends} between {a!r} and {names[y]!r}; keep one edge"
                )
            builder.edge(a, names[y], _MARKS[ends[0]], _MARKS[ends[1]])
    return builder.graph(kind)
