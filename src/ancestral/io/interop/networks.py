"""networkx: a `DiGraph` with an arc for each end of an edge, whose `mark` is the mark at the node that the arc points
to.

So `g.edges["a", "b"]["mark"]` is the mark at b on the edge a–b ("circle", "arrowhead" or "tail"), as `marks[a, b]`
is here, and both arcs of an edge are there. `g.graph["kind"]` is the kind. A DAG is a plain `DiGraph` of its arrows,
as everybody writes it, so that the algorithms of networkx hold for it; its latent and selection nodes have a `role`.
"""

from typing import Any

from ancestral.errors import GraphError
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import ARROW, CIRCLE, MARK_NAMES, TAIL
from ancestral.io.interop.common import ROLES, HasPag, Said, checked_kind, graph_of, needed, role_of
from ancestral.io.kinds import KINDS, kind_of

__all__ = ["from_networkx", "to_networkx"]

_MARKS = {MARK_NAMES[mark]: mark for mark in (CIRCLE, ARROW, TAIL)}


def to_networkx(graph: MixedGraph | HasPag) -> Any:
    """The graph as a `networkx.DiGraph`; see the module for how marks are written.

    >>> from ancestral import PAG
    >>> g = to_networkx(PAG.parse("a o-> b"))
    >>> g.graph["kind"], g.edges["a", "b"]["mark"], g.edges["b", "a"]["mark"]
    ('pag', 'arrowhead', 'circle')
    """
    written = graph_of(graph)
    out = needed("networkx", "networkx").DiGraph(kind=kind_of(written))
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

    Arcs without a `mark` are arrows; in a CPDAG (`kind="cpdag"`) two opposite ones are an undirected edge.

    >>> import networkx as nx
    >>> from_networkx(nx.DiGraph([("a", "b"), ("b", "c")]))
    DAG.parse('a --> b, b --> c')
    >>> from_networkx(nx.DiGraph([("a", "b"), ("b", "a")]), kind="cpdag")
    CPDAG.parse('a --- b')
    """
    if not (hasattr(g, "is_directed") and hasattr(g, "is_multigraph")):
        raise GraphError(f"a {type(g).__name__} is no graph of networkx; pass a networkx.DiGraph")
    if not g.is_directed() or g.is_multigraph():
        raise GraphError(
            f"a networkx {type(g).__name__} does not say which mark stands at which end; pass a DiGraph with the "
            "arcs a -> b and b -> a, and a 'mark' on each"
        )
    written = g.graph.get("kind")
    said = Said(written.lower() if isinstance(written, str) and written.lower() in KINDS else None)
    for name, data in g.nodes(data=True):
        if not isinstance(name, str):
            raise GraphError(f"the node {name!r} is no string; rename the nodes: networkx.relabel_nodes(g, str)")
        said.node(name, _role(name, data.get("role")))
    undirected = (checked_kind(kind) or said.kind) == "cpdag"
    done: set[tuple[str, str]] = set()
    for a, b, data in g.edges(data=True):
        if (b, a) in done:
            continue
        done.add((a, b))
        back = g.get_edge_data(b, a) if a != b else None
        said.edge(a, b, *_marks(a, b, data, back, undirected))
    return said.graph(kind)


def _marks(a: str, b: str, data: dict[str, Any], back: dict[str, Any] | None, undirected: bool) -> tuple[int, int]:
    """The marks at a and b, from the arcs between them."""
    marked = ["mark" in arc for arc in (data, back) if arc is not None]
    if back is None:
        if marked[0]:
            raise GraphError(f"the arc {a!r} -> {b!r} has a mark, but there is no arc back; add {b!r} -> {a!r}")
        return TAIL, ARROW
    if all(marked):
        return _mark(back, b, a), _mark(data, a, b)
    if any(marked):
        raise GraphError(f"one of the arcs between {a!r} and {b!r} has a mark, the other has none; give it one")
    if not undirected:
        raise GraphError(
            f"{a!r} and {b!r} point at each other, without marks; pass kind='cpdag' if that is an undirected edge"
        )
    return TAIL, TAIL


def _role(name: str, role: object) -> str | None:
    if role is not None and role not in ROLES:
        raise GraphError(f"the node {name!r} has the role {role!r}; a node is latent, selection, or has no role")
    return None if role is None else str(role)


def _mark(data: dict[str, Any], a: str, b: str) -> int:
    if data["mark"] not in _MARKS:
        raise GraphError(
            f"the mark {data['mark']!r} on the arc {a!r} -> {b!r} is not known; choose one of {', '.join(_MARKS)}"
        )
    return _MARKS[data["mark"]]
