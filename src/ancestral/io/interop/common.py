"""What all formats share: which graph to write, and building a graph from the nodes and edges that a reader finds.

The kind of a graph that is read is the one the caller asks for, otherwise the one the format states, otherwise the one
that its edges suggest (`io/kinds`).
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
from ancestral.printing import shown, shown_type

__all__ = [
    "ROLES", "GraphBuilder", "HasPag", "checked_kind", "checked_text", "graph_of", "refuse_name", "refuse_roles",
    "required_module", "role_of",
]  # fmt: skip

#: The roles that a node of a DAG can have.
ROLES = ("latent", "selection")


def graph_of(source: MixedGraph | HasPag) -> MixedGraph:
    """The graph to write: `source` itself, or its `pag`.

    Raises GraphError for anything else, and for a plain `MixedGraph`, which is of no kind that a format can state.
    """
    graph = mixed.graph_of(source)
    if kind_of(graph) not in KINDS:
        raise GraphError(
            f"the graph to write must be of a known kind, got {shown_type(graph)}; make it a DAG, MAG, CPDAG or "
            "PAG first"
        )
    return graph


def checked_text(text: object, what: str) -> str:
    """The text that a reader is given; GraphError if it is not a string. `what` says which text is expected."""
    if not isinstance(text, str):
        raise GraphError(f"{what} must be a string, got {shown(text)}; read the file first, as in path.read_text()")
    return text


def checked_kind(kind: str | None) -> str | None:
    """The kind that a caller asks for, in small letters; None if the caller leaves it open."""
    if kind is None:
        return None
    if not isinstance(kind, str) or kind.lower() not in KINDS:
        raise OptionError(f"must be one of {', '.join(map(repr, KINDS))}", option="kind", value=kind)
    return kind.lower()


def role_of(graph: MixedGraph, name: str) -> str | None:
    """The role of a node: "latent", "selection" or None."""
    return next((role for role in ROLES if name in getattr(graph, role, ())), None)


def refuse_roles(graph: MixedGraph, form: str, *roles: str) -> None:
    """Raise GraphError if nodes of a DAG have one of these roles, which the format called `form` cannot express."""
    for role in roles:
        if names := sorted(getattr(graph, role, ()), key=by_name):
            raise GraphError(
                f"{form} cannot express that {names[0]!r} is {'latent' if role == 'latent' else 'a selection node'}; "
                "write dagitty, GraphML or DOT, or what can be learned of the DAG, in Python an.mag_of(dag) or "
                "an.pag_of(dag)"
            )


def refuse_name(name: str, form: str, reason: str) -> NoReturn:
    """Raise GraphError for a name that the format called `form` cannot write."""
    cut = repr(name) if len(name) <= 60 else repr(name[:57]) + "..."
    raise GraphError(f"{form} cannot write the name {cut}: {reason}; rename it, or choose another format")


def required_module(module: str, package: str, install: str = "'ancestral[interop]'") -> Any:
    """Import a module of another package where it is used; OptionError if the package is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise OptionError(f"{package} is not installed; pip install {install}") from None


@dataclass
class GraphBuilder:
    """A graph while it is read: nodes in the order of their first mention, edges, roles, and the kind if stated."""

    kind: str | None = None
    names: dict[str, None] = field(default_factory=dict)
    edges: list[tuple[str, str, str]] = field(default_factory=list)
    roles: dict[str, str] = field(default_factory=dict)

    def node(self, name: str, role: str | None = None) -> None:
        """Add a node, or a role to a node; GraphError if it has another role already."""
        self.names.setdefault(name)
        if role is not None and self.roles.setdefault(name, role) != role:
            raise GraphError(f"a node must have one role, got both latent and selection for {name!r}; keep one")

    def edge(self, a: str, b: str, at_a: int, at_b: int) -> None:
        """Add an edge with these marks, and its ends."""
        self.equal_edges([(a, b)], at_a, at_b)

    def equal_edges(self, pairs: Iterable[tuple[str, str]], at_first: int, at_second: int) -> None:
        """Add an edge with these marks between the two nodes of each pair."""
        written = symbol(at_first, at_second)
        for a, b in pairs:
            self.names.setdefault(a)
            self.names.setdefault(b)
            self.edges.append((a, written, b))

    def graph(self, kind: str | None = None) -> MixedGraph:
        """The graph, of the kind asked for, or stated, or suggested by the edges.

        Raises GraphError if the edges are not a graph of that kind, OptionError for an unknown kind.
        """
        chosen = checked_kind(kind) or self.kind or kind_seen(self.edges, bool(self.roles))
        if chosen == "dag":
            roles = {role: [name for name, has in self.roles.items() if has == role] for role in ROLES}
            return DAG.from_edges(self.edges, self.names, **roles)
        if self.roles:
            name, role = next(iter(self.roles.items()))
            raise GraphError(
                f"only nodes of a DAG have roles, got the {role} node {name!r} in a {chosen.upper()}; leave the role "
                "out, or read it as a DAG"
            )
        return KINDS[chosen].from_edges(self.edges, self.names)
