"""networkx: a `DiGraph` with an arc for each end of an edge; its `mark` is the mark at the node it points to.

So `g.edges["a", "b"]["mark"]` is the mark at b on the edge a–b ("circle", "arrowhead" or "tail"), as `marks[a, b]`
is here, and an edge has both arcs. `g.graph["kind"]` is the kind. A DAG is a plain `DiGraph` of its arrows, as is
usual, so that the algorithms of networkx hold for it; its latent and selection nodes have a `role`.
"""

from typing import Any

from ancestral.errors import GraphError, Option
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import ARROW, CIRCLE, MARK_NAMES, TAIL
from ancestral.io.interop.common import ROLES, GraphBuilder, HasPag, checked_kind, graph_of, required_module, role_of
from ancestral.io.kinds import KINDS, kind_of
from ancestral.printing import shown_type

__all__ = ["from_networkx", "to_networkx"]

_MARKS = {MARK_NAMES[mark]: mark for mark in (CIRCLE, ARROW, TAIL)}


def to_networkx(graph: MixedGraph | HasPag) -> Any:
    """The graph as a `networkx.DiGraph`.

    Each edge becomes two arcs; the `mark` of an arc is the mark at the node it points to. A DAG becomes a plain
    `DiGraph` of its arrows.

    Args:
        graph: A graph, or an object with a `.pag`.

    Returns:
        The object of networkx.

    Raises:
        OptionError: If networkx is not installed.

    Examples:
        >>> from ancestral import PAG
        >>> g = to_networkx(PAG.parse("a o-> b"))
        >>> g.graph["kind"], g.edges["a", "b"]["mark"], g.edges["b", "a"]["mark"]
        ('pag', 'arrowhead', 'circle')
    """
    written = graph_of(graph)
    out = required_module("networkx", "networkx").DiGraph(kind=kind_of(written))
    for name in written.nodes:
        role = role_of(written, name)
        out.add_node(name, **({} if role is None else {"role": role}))
    for a, edge, b in written.edges():
        if kind_of(written) == "dag":
            out.add_edge(*((a, b) if edge == "-->" else (b, a)))
            continue
        x, y = written.index(a), written.index(b)
        out.add_edge(a, b, mark=MARK_NAMES[int(written.marks[x, y])])
        out.add_edge(b, a, mark=MARK_NAMES[int(written.marks[y, x])])
    return out


def from_networkx(g: Any, kind: str | None = None) -> MixedGraph:
    """The graph in a `networkx.DiGraph`.

    Arcs without a `mark` are arrows; in a CPDAG (`kind="cpdag"`) two opposite ones are an undirected edge. A node with
    `observed="no"` is latent, as in graphs of DoWhy.

    Args:
        g: The object of networkx.
        kind: "dag", "mag", "cpdag" or "pag"; without it, the kind that the object states or its marks suggest.

    Returns:
        The graph.

    Raises:
        GraphError: If the object is not such a graph.
        OptionError: If there is no such kind.

    Examples:
        >>> import networkx as nx
        >>> from_networkx(nx.DiGraph([("a", "b"), ("b", "c")]))
        DAG.parse('a --> b, b --> c')
        >>> from_networkx(nx.DiGraph([("a", "b"), ("b", "a")]), kind="cpdag")
        CPDAG.parse('a --- b')
    """
    if not (hasattr(g, "is_directed") and hasattr(g, "is_multigraph")):
        raise GraphError(f"a graph of networkx must be a networkx.DiGraph, got {shown_type(g)}; pass a DiGraph")
    if not g.is_directed() or g.is_multigraph():
        raise GraphError(
            f"a graph of networkx must be a DiGraph, got {shown_type(g)}, which does not tell the ends of an edge "
            "apart; pass a DiGraph with the arcs a -> b and b -> a, and a 'mark' on each"
        )
    written = g.graph.get("kind")
    builder = GraphBuilder(written.lower() if isinstance(written, str) and written.lower() in KINDS else None)
    for name, data in g.nodes(data=True):
        if not isinstance(name, str):
            raise GraphError(f"nodes must be strings, got {name!r}; rename them: networkx.relabel_nodes(g, str)")
        builder.node(name, "latent" if data.get("observed") == "no" else _role(name, data.get("role")))
    undirected = (checked_kind(kind) or builder.kind) == "cpdag"
    done: set[tuple[str, str]] = set()
    for a, b, data in g.edges(data=True):
        if (b, a) in done:
            continue
        done.add((a, b))
        back = g.get_edge_data(b, a) if a != b else None
        builder.edge(a, b, *_marks(a, b, data, back, undirected))
    return builder.graph(kind)


def _marks(a: str, b: str, data: dict[str, Any], back: dict[str, Any] | None, undirected: bool) -> tuple[int, int]:
    """The marks at a and b, from the arcs between them."""
    marked = ["mark" in arc for arc in (data, back) if arc is not None]
    if back is None:
        if marked[0]:
            raise GraphError(
                f"an edge with marks must have two arcs, got {a!r} -> {b!r} alone; add {b!r} -> {a!r} with its mark"
            )
        return TAIL, ARROW
    if all(marked):
        return _mark(back, b, a), _mark(data, a, b)
    if any(marked):
        raise GraphError(
            f"both arcs between {a!r} and {b!r} must have a mark, got one without; give it one of {', '.join(_MARKS)}"
        )
    if not undirected:
        raise GraphError(
            f"arcs without marks must point one way, got both between {a!r} and {b!r}; pass ",
            Option("kind", "cpdag"),
            " if they are an undirected edge",
        )
    return TAIL, TAIL


def _role(name: str, role: object) -> str | None:
    if role is not None and role not in ROLES:
        raise GraphError(
            f"the role of a node must be latent or selection, got {role!r} for {name!r}; leave it out for neither"
        )
    return None if role is None else str(role)


def _mark(data: dict[str, Any], a: str, b: str) -> int:
    if data["mark"] not in _MARKS:
        raise GraphError(
            f"the mark of an arc must be one of {', '.join(_MARKS)}, got {data['mark']!r} on {a!r} -> {b!r}"
        )
    return _MARKS[data["mark"]]
