"""What all formats share: which graph is meant, and how one is made of what a text or an object said.

The kind of a graph is what the caller asks for, otherwise what the format says, otherwise what one sees
(`io/kinds`).
"""

import importlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from ancestral.errors import GraphError, OptionError
from ancestral.graphs import DAG, MixedGraph, mixed
from ancestral.graphs.marks import symbol
from ancestral.graphs.mixed import HasPag
from ancestral.graphs.names import by_name
from ancestral.io.kinds import KINDS, kind_of, kind_seen

__all__ = ["ROLES", "HasPag", "Said", "checked_kind", "graph_of", "needed", "refuse_name", "refuse_roles", "role_of"]

#: The roles that a node of a DAG can have.
ROLES = ("latent", "selection")


def graph_of(given: MixedGraph | HasPag) -> MixedGraph:
    """The graph that is to be written: itself, or what was found."""
    graph = mixed.graph_of(given)
    if kind_of(graph) not in KINDS:
        raise GraphError(f"a {type(graph).__name__} promises nothing; make it a DAG, MAG, CPDAG or PAG first")
    return graph


def checked_kind(kind: str | None) -> str | None:
    """A kind that somebody asks for."""
    if kind is None:
        return None
    if not isinstance(kind, str) or kind.lower() not in KINDS:
        raise OptionError(f"kind={kind!r} is not known; choose one of {', '.join(map(repr, KINDS))}")
    return kind.lower()


def role_of(graph: MixedGraph, name: str) -> str | None:
    """The role of a node: latent, selection, or none."""
    return next((role for role in ROLES if name in getattr(graph, role, ())), None)


def refuse_roles(graph: MixedGraph, form: str, *roles: str) -> None:
    """Refuse a DAG with nodes in roles that a format cannot say."""
    for role in roles:
        if names := sorted(getattr(graph, role, ()), key=by_name):
            raise GraphError(
                f"{form} cannot say that {names[0]!r} is {'latent' if role == 'latent' else 'a selection node'}; pass "
                "what can be learned of the DAG, an.mag_of(dag) or an.pag_of(dag), or write dagitty, GraphML or DOT"
            )


def needed(module: str, package: str, install: str = "'ancestral[interop]'") -> Any:
    """A module of another package, imported where it is used."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise OptionError(f"{package} is not installed; pip install {install}") from None


@dataclass
class Said:
    """What a text or an object says: nodes in the order of their first mention, edges, roles, and maybe a kind."""

    kind: str | None = None
    names: dict[str, None] = field(default_factory=dict)
    edges: list[tuple[str, str, str]] = field(default_factory=list)
    roles: dict[str, str] = field(default_factory=dict)

    def node(self, name: str, role: str | None = None) -> None:
        """There is such a node, maybe with a role."""
        self.names.setdefault(name)
        if role is not None and self.roles.setdefault(name, role) != role:
            raise GraphError(f"{name!r} is both latent and a selection node; a node has one role")

    def edge(self, a: str, b: str, at_a: int, at_b: int) -> None:
        """There is an edge with these marks."""
        self.alike([(a, b)], at_a, at_b)

    def alike(self, pairs: Iterable[tuple[str, str]], at_a: int, at_b: int) -> None:
        """There is an edge with these marks between the two of each pair."""
        written = symbol(at_a, at_b)
        for a, b in pairs:
            self.names.setdefault(a)
            self.names.setdefault(b)
            self.edges.append((a, written, b))

    def graph(self, kind: str | None = None) -> MixedGraph:
        """The graph, of the kind that is asked for, or said, or seen."""
        chosen = checked_kind(kind) or self.kind or kind_seen(self.edges, bool(self.roles))
        if chosen == "dag":
            roles = {role: [name for name, has in self.roles.items() if has == role] for role in ROLES}
            return DAG.from_edges(self.edges, self.names, **roles)
        if self.roles:
            name, role = next(iter(self.roles.items()))
            raise GraphError(f"{name!r} is {role}, a role of nodes in a DAG; a {chosen.upper()} has none")
        return KINDS[chosen].from_edges(self.edges, self.names)


def refuse_name(name: str, form: str, reason: str) -> NoReturn:
    """Refuse a name that a format cannot write."""
    shown = repr(name) if len(name) <= 60 else repr(name[:57]) + "..."
    raise GraphError(f"{form} cannot write the name {shown}: {reason}; rename it, or choose another format")
