"""pywhy-graphs: a PAG, CPDAG or, for a MAG, an ADMG, each a set of networkx graphs, one for each type of edge.

An edge u → v among the circles is a circle at v. So `a o-> b` is a directed edge a → b with a circle edge b → a, `a
o-o b` are two circle edges, and `a o-- b` is a single one, b → a. A DAG is a plain `networkx.DiGraph` there;
pywhy-graphs has no latent and selection nodes.
"""

from typing import Any

from ancestral.errors import GraphError
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL, parse_symbol
from ancestral.io.interop.common import GraphBuilder, HasPag, graph_of, refuse_roles, required_module
from ancestral.io.interop.networks import from_networkx, to_networkx
from ancestral.io.kinds import kind_of
from ancestral.printing import shown_type

__all__ = ["from_pywhy_graphs", "to_pywhy_graphs"]

_CLASSES = {"mag": "ADMG", "cpdag": "CPDAG", "pag": "PAG"}
#: How to install it: it requires numpy below 2, though it works with later versions, so pip must ignore that.
_INSTALL = "networkx, and then --no-deps pywhy-graphs"
_KINDS = {theirs: ours for ours, theirs in _CLASSES.items()}


def to_pywhy_graphs(graph: MixedGraph | HasPag) -> Any:
    """The graph as a `pywhy_graphs.PAG`, `CPDAG`, `ADMG` (of a MAG), or `networkx.DiGraph` (of a DAG).

    Args:
        graph: A graph, or an object with a `.pag`.

    Returns:
        The object.

    Raises:
        GraphError: If the graph is a DAG with latent or selection nodes.
        OptionError: If pywhy-graphs is not installed.

    Examples:
        >>> from ancestral import DAG
        >>> list(to_pywhy_graphs(DAG.parse("a -> b")).edges)
        [('a', 'b')]
    """
    written = graph_of(graph)
    refuse_roles(written, "pywhy-graphs", "latent", "selection")
    if kind_of(written) == "dag":
        return to_networkx(written)
    out = getattr(required_module("pywhy_graphs", "pywhy-graphs", _INSTALL), _CLASSES[kind_of(written)])()
    out.add_nodes_from(written.nodes)
    for a, edge, b in written.edges():
        match edge:
            case "<->":
                out.add_edge(a, b, out.bidirected_edge_name)
            case "---":
                out.add_edge(a, b, out.undirected_edge_name)
            case _:
                at_a, at_b = parse_symbol(edge)
                for u, v, mark in ((a, b, at_b), (b, a, at_a)):
                    if mark != TAIL:
                        out.add_edge(u, v, out.directed_edge_name if mark == ARROW else out.circle_edge_name)
    return out


def from_pywhy_graphs(g: Any, kind: str | None = None) -> MixedGraph:
    """The graph in an object of pywhy-graphs.

    Args:
        g: The object; an ADMG must be a MAG.
        kind: "dag", "mag", "cpdag" or "pag"; without it, the kind of the object.

    Returns:
        The graph.

    Raises:
        GraphError: If the object is not such a graph.
        OptionError: If there is no such kind.

    Examples:
        >>> import networkx as nx
        >>> from_pywhy_graphs(nx.DiGraph([("a", "b")]))
        DAG.parse('a --> b')
    """
    theirs = type(g).__name__
    if theirs not in _KINDS:
        if hasattr(g, "is_directed") and not hasattr(g, "get_graphs"):
            return from_networkx(g, kind)
        raise GraphError(
            f"the graph must be a PAG, CPDAG or ADMG of pywhy-graphs, or a networkx.DiGraph, got {shown_type(g)}"
        )
    builder = GraphBuilder(_KINDS[theirs])
    for name in g.nodes:
        if not isinstance(name, str):
            raise GraphError(f"nodes must be strings, got {name!r}; build the graph with names")
        builder.node(name)
    pointed: dict[tuple[str, str], int] = {}
    for (u, v), mark in _pointed(g):
        if (u, v) in pointed:
            raise GraphError(f"two nodes must have one edge, got a directed and a circle edge {u!r} -> {v!r}; keep one")
        pointed[u, v] = mark
    for u, v in pointed:
        if (v, u) in pointed and (u, v) > (v, u):
            continue
        builder.edge(u, v, pointed.get((v, u), TAIL), pointed[u, v])
    for edges, mark in (("bidirected", ARROW), ("undirected", TAIL)):
        if hasattr(g, f"{edges}_edge_name"):
            for u, v in g.get_graphs(getattr(g, f"{edges}_edge_name")).edges:
                builder.edge(u, v, mark, mark)
    return builder.graph(kind)


def _pointed(g: Any) -> list[tuple[tuple[str, str], int]]:
    """The arrowheads and circles of directed and circle edges: ((u, v), the mark at v)."""
    out = [((u, v), ARROW) for u, v in g.get_graphs(g.directed_edge_name).edges]
    if hasattr(g, "circle_edge_name"):
        out += [((u, v), CIRCLE) for u, v in g.get_graphs(g.circle_edge_name).edges]
    return out
