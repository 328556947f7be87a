"""The kinds of graphs by name, and the kind that one sees in a graph of which nobody says it.

A graph without a word about its kind is read like a text file by `ancestral compare`: as a DAG if all its edges are
`-->` or a node has a role, otherwise as a PAG. So a format writes the kind where this would be wrong.
"""

from collections.abc import Iterable

from ancestral.graphs import CPDAG, DAG, MAG, PAG, MixedGraph

__all__ = ["KINDS", "kind_of", "kind_seen", "unseen_kind"]

KINDS: dict[str, type[MixedGraph]] = {"dag": DAG, "mag": MAG, "cpdag": CPDAG, "pag": PAG}


def kind_of(graph: MixedGraph) -> str:
    """The kind of a graph as it is written in options: dag, mag, cpdag or pag."""
    return type(graph).__name__.lower()


def kind_seen(edges: Iterable[tuple[str, str, str]], roles: bool) -> str:
    """The kind of a graph with these edges, with nodes in roles or without."""
    return "dag" if roles or all(edge in ("-->", "<--") for _, edge, _ in edges) else "pag"


def unseen_kind(graph: MixedGraph) -> str | None:
    """The kind of a graph where one would not see it, in capital letters."""
    kind = kind_of(graph)
    return None if kind == kind_seen(graph.edges(), kind == "dag") else kind.upper()
