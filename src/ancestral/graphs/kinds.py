"""The four kinds of graphs, each a mixed graph with a promise. That of a DAG and of a MAG is checked in full when it
is made; of a CPDAG only that its directed edges form no cycle, and of a PAG nothing beyond its marks, since one learned
from data need not be the PAG of any graph.

- DAG: causes and effects, with latent and selection nodes.
- MAG: what of a DAG can be seen in its observed nodes (Richardson & Spirtes 2002).
- CPDAG: a class of DAGs without latent or selection nodes.
- PAG: a class of MAGs; a circle is a mark on which the class does not agree.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ancestral.errors import GraphError, UnknownName
from ancestral.graphs.ancestry import ancestor_bits, directed_steps
from ancestral.graphs.bits import has_bit
from ancestral.graphs.marks import ARROW, SYMBOLS, TAIL
from ancestral.graphs.mixed import MixedGraph
from ancestral.graphs.names import by_name, quoted
from ancestral.graphs.paths import directed_cycle, inducing_pair
from ancestral.graphs.text import read_text

__all__ = ["CPDAG", "DAG", "MAG", "PAG"]


class DAG(MixedGraph):
    """A directed acyclic graph; its nodes are observed, latent, or selection (always conditioned on).

    >>> dag = DAG.parse("L -> a, L -> b, a -> s, b -> s", latent=["L"], selection=["s"])
    >>> dag.observed
    ('a', 'b')
    """

    edge_kinds: ClassVar[tuple[str, ...]] = ("-->",)

    def __init__(
        self, nodes: Iterable[str], marks: ArrayLike, latent: Iterable[str] = (), selection: Iterable[str] = ()
    ) -> None:
        self.latent: frozenset[str] = _name_set(latent, "latent")
        self.selection: frozenset[str] = _name_set(selection, "selection")
        super().__init__(nodes, marks)

    @classmethod
    def parse(cls, text: str, latent: Iterable[str] = (), selection: Iterable[str] = ()) -> Self:
        """Read a DAG from text; roles come from the arguments or from lines `latent: …`, `selection: …`."""
        said = read_text(text)
        roles = said.roles
        return cls(
            *cls._built(said),
            latent=_name_set(latent, "latent") | set(roles["latent"]),
            selection=_name_set(selection, "selection") | set(roles["selection"]),
        )

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[tuple[str, str, str]],
        nodes: Iterable[str] = (),
        latent: Iterable[str] = (),
        selection: Iterable[str] = (),
    ) -> Self:
        """A DAG with these edges, these further nodes, and these roles."""
        plain = super().from_edges(edges, nodes)
        return cls(plain.nodes, plain.marks, latent, selection)

    def _check(self) -> None:
        for name in sorted(self.latent | self.selection, key=str):
            if name not in self._index:
                raise UnknownName(name, self.nodes)
        if both := sorted(self.latent & self.selection):
            raise GraphError(f"{both[0]!r} is both latent and selection; a node has one role")
        _refuse_directed_cycle(self)

    @cached_property
    def observed(self) -> tuple[str, ...]:
        """The nodes that are neither latent nor selection, in the order of `nodes`."""
        return tuple(name for name in self.nodes if name not in self.latent and name not in self.selection)

    @cached_property
    def ancestor_bits(self) -> NDArray[np.uint64]:
        """Row v: the bitset of the ancestors of v, by position."""
        return ancestor_bits(self.marks)

    def __str__(self) -> str:
        roles = [("latent", self.latent), ("selection", self.selection)]
        lines = [f"{role}: {', '.join(map(quoted, sorted(names, key=by_name)))}" for role, names in roles if names]
        return "\n".join([super().__str__(), *lines])

    def __repr__(self) -> str:
        roles = [("latent", self.latent), ("selection", self.selection)]
        given = "".join(f", {role}={sorted(names, key=by_name)!r}" for role, names in roles if names)
        return f"DAG.parse({MixedGraph.__str__(self).replace(chr(10), ', ')!r}{given})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DAG):
            return NotImplemented
        return super().__eq__(other) and self.latent == other.latent and self.selection == other.selection

    __hash__ = MixedGraph.__hash__


class MAG(MixedGraph):
    """A maximal ancestral graph: no node is its own ancestor in disguise, and every missing edge is a separation."""

    edge_kinds: ClassVar[tuple[str, ...]] = ("-->", "<->", "---")

    def _check(self) -> None:
        _refuse_directed_cycle(self)
        arrow, tail = self.marks == ARROW, self.marks == TAIL
        into = np.flatnonzero(arrow.any(axis=0))
        undirected = np.flatnonzero((tail & tail.T).any(axis=0))
        for v in np.intersect1d(into, undirected):
            u, w = np.flatnonzero(arrow[:, v])[0], np.flatnonzero((tail & tail.T)[:, v])[0]
            raise GraphError(
                f"not ancestral: {self._written(u, v)} has an arrowhead at an end of {self._written(v, w)}; "
                "a node of an undirected edge has no arrowheads"
            )
        for v, u in np.argwhere(arrow & arrow.T):
            if has_bit(self.ancestor_bits[v], u):
                raise GraphError(
                    f"not ancestral: {self._written(u, v)}, yet {self.nodes[u]!r} is an ancestor of "
                    f"{self.nodes[v]!r}; an arrowhead at a node says that it is none"
                )
        if pair := inducing_pair(self.marks, self.ancestor_bits):
            a, b = (self.nodes[i] for i in pair)
            raise GraphError(
                f"not maximal: no set separates {a!r} and {b!r}, which are not adjacent; "
                f"add the edge between them that ancestry asks for"
            )

    @cached_property
    def ancestor_bits(self) -> NDArray[np.uint64]:
        """Row v: the bitset of the ancestors of v, by position."""
        return ancestor_bits(self.marks)


class PAG(MixedGraph):
    """A partial ancestral graph; every edge is possible in it.

    >>> print(PAG.parse("c <-o a, b <-> c, d"))
    a o-> c
    b <-> c
    d
    """

    edge_kinds: ClassVar[tuple[str, ...]] = SYMBOLS


class CPDAG(PAG):
    """A PAG where nothing is latent or selected on, so a class of DAGs: `-->` where all of them agree, else `---`."""

    edge_kinds: ClassVar[tuple[str, ...]] = ("-->", "---")

    def _check(self) -> None:
        _refuse_directed_cycle(self)


def _name_set(names: Iterable[str], role: str) -> frozenset[str]:
    if isinstance(names, str):
        raise GraphError(f"{role}={names!r} is a single string; pass a list of names: {role}=[{names!r}]")
    if not isinstance(names, Iterable):
        raise GraphError(f"{role}={names!r} is no list of names; leave it out, or pass {role}=['a', 'b']")
    return frozenset(names)


def _refuse_directed_cycle(graph: MixedGraph) -> None:
    if cycle := directed_cycle(directed_steps(graph.marks)):
        names = [graph.nodes[i] for i in [*cycle, cycle[0]]]
        raise GraphError(f"directed cycle {' --> '.join(map(quoted, names))}; causes come before effects")
