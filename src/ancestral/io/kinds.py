"""Graph kinds by name, and how to infer the kind when a file does not state it.

A graph whose file does not state its kind is read as a DAG if all its edges are `-->` or a node has a role, otherwise
as a PAG. So a writer states the kind only where this rule would be wrong.
"""

from collections.abc import Iterable

from ancestral.graphs import CPDAG, DAG, MAG, PAG, MixedGraph

__all__ = ["KINDS", "kind_of", "kind_seen", "unseen_kind"]

KINDS: dict[str, type[MixedGraph]] = {"dag": DAG, "mag": MAG, "cpdag": CPDAG, "pag": PAG}


def kind_of(graph: MixedGraph) -> str:
    """The kind of a graph as options write it: dag, mag, cpdag or pag."""
    return type(graph).__name__.lower()


def kind_seen(edges: Iterable[tuple[str, str, str]], roles: bool) -> str:
    """The kind that a reader infers from the edges, and from whether any node has a role."""
    return "dag" if roles or all(edge in ("-->", "<--") for _, edge, _ in edges) else "pag"


def unseen_kind(graph: MixedGraph) -> str | None:
    """The kind in capital letters if a reader would infer another one, otherwise None."""
    kind = kind_of(graph)
    return None if kind == kind_seen(graph.edges(), kind == "dag") else kind.upper()
