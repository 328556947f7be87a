"""The four kinds of graphs: DAG, MAG, CPDAG and PAG.

- DAG: causes and effects, with latent and selection nodes.
- MAG: what a DAG implies for its observed nodes (Richardson & Spirtes 2002).
- CPDAG: a class of DAGs without latent or selection nodes.
- PAG: a class of MAGs; a circle is a mark on which the class does not agree.

The definition of a DAG or MAG is checked in full when one is made. Of a CPDAG only the absence of directed cycles is
checked, and of a PAG nothing beyond its marks, since a PAG learned from data need not be the PAG of any graph.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ancestral.arguments import listed, names_list
from ancestral.errors import GraphError, Option, refuse_unknown
from ancestral.graphs.ancestry import ancestor_bits, directed_steps
from ancestral.graphs.answers import Answer
from ancestral.graphs.bits import has_bit
from ancestral.graphs.definite_ancestors import definite_ancestors
from ancestral.graphs.marks import ARROW, SYMBOLS, TAIL
from ancestral.graphs.mixed import MixedGraph
from ancestral.graphs.names import by_name, quoted
from ancestral.graphs.paths import directed_cycle, inducing_pair
from ancestral.graphs.text import read_text
from ancestral.graphs.visible import visible_by
from ancestral.printing import shown

__all__ = ["CPDAG", "DAG", "MAG", "PAG"]


class DAG(MixedGraph):
    """A directed acyclic graph; its nodes are observed, latent, or selection (always conditioned on).

    Args:
        nodes: The names of the nodes; they must differ.
        marks: The matrix of marks, as in `MixedGraph`.
        latent: The nodes that are not observed.
        selection: The nodes that the sample was selected on.

    Attributes:
        nodes: The names of all nodes.
        marks: The matrix of marks, which cannot be changed.
        latent: The nodes that are not observed.
        selection: The nodes that the sample was selected on.
        edge_kinds: The edges that a DAG may have.

    Raises:
        GraphError: If there is a directed cycle, an edge other than `-->`, or a node with two roles.

    Examples:
        >>> dag = DAG.parse("L -> a, L -> b, a -> s, b -> s", latent=["L"], selection=["s"])
        >>> dag.observed
        ('a', 'b')
        >>> sorted(dag.latent), sorted(dag.selection), dag.edge_kinds
        (['L'], ['s'], ('-->',))
        >>> dag.ancestor_bits[dag.index("a")].tolist() == [1 << dag.index("a") | 1 << dag.index("L")]  # itself, and L
        True
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
        """Read a DAG from text.

        Args:
            text: As in `MixedGraph.parse`; `->` may stand for `-->`, and lines `latent: …` and `selection: …` give
                roles.
            latent: Nodes that are not observed, beside those that the text names.
            selection: Nodes that the sample was selected on, beside those that the text names.

        Returns:
            The DAG.

        Raises:
            GraphError: If the text is not that of a DAG; the message has the number of the line where there is one.

        Examples:
            >>> DAG.parse("L -> a, L -> b\\nlatent: L").observed
            ('a', 'b')
        """
        parsed = read_text(text)
        return cls(
            *cls._built(parsed),
            latent=_name_set(latent, "latent") | set(parsed.roles["latent"]),
            selection=_name_set(selection, "selection") | set(parsed.roles["selection"]),
        )

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[tuple[str, str, str]],
        nodes: Iterable[str] = (),
        latent: Iterable[str] = (),
        selection: Iterable[str] = (),
    ) -> Self:
        """Make a DAG of edges.

        Args:
            edges: Tuples such as `("a", "-->", "b")`.
            nodes: Further nodes.
            latent: The nodes that are not observed.
            selection: The nodes that the sample was selected on.

        Returns:
            The DAG, whose nodes come in the order of `nodes`, then of their first edge.

        Raises:
            GraphError: If something else is among the edges or the names, or the graph is not a DAG.

        Examples:
            >>> print(DAG.from_edges([("L", "-->", "a"), ("L", "-->", "b")], latent=["L"]))
            L --> a
            L --> b
            latent: L
        """
        plain = super().from_edges(edges, nodes)
        return cls(plain.nodes, plain.marks, latent, selection)

    def _check(self) -> None:
        roles = sorted(self.latent | self.selection, key=by_name)
        refuse_unknown(roles, self.nodes)
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
    """A maximal ancestral graph: arrowheads agree with ancestry, and every missing edge is a separation.

    Args:
        nodes: The names of the nodes; they must differ.
        marks: The matrix of marks, as in `MixedGraph`.

    Attributes:
        nodes: The names of the nodes.
        marks: The matrix of marks, which cannot be changed.
        edge_kinds: The edges that a MAG may have.

    Raises:
        GraphError: If there is a directed cycle, an edge `a <-> b` where a is an ancestor of b, an arrowhead at a node
            of an undirected edge, or two nodes that are neither adjacent nor separable.

    Examples:
        >>> mag = MAG.parse("a --> b, b <-> c")
        >>> mag.edge_kinds, sorted(mag.ancestors("b"))
        (('-->', '<->', '---'), ['a', 'b'])
        >>> mag.ancestor_bits[mag.index("b")].tolist() == [1 << mag.index("b") | 1 << mag.index("a")]  # itself, and a
        True
        >>> MAG.parse("a --> b, b --> c, a <-> c")
        Traceback (most recent call last):
        ...
        ancestral.errors.GraphError: not ancestral: a <-> c, but 'a' is an ancestor of 'c'; an arrowhead at a node says
        that it is not an ancestor
    """

    edge_kinds: ClassVar[tuple[str, ...]] = ("-->", "<->", "---")

    def _check(self) -> None:
        _refuse_directed_cycle(self)
        arrow, tail = self.marks == ARROW, self.marks == TAIL
        into = np.flatnonzero(arrow.any(axis=0))
        undirected = np.flatnonzero((tail & tail.T).any(axis=0))
        for v in np.intersect1d(into, undirected):
            u, w = np.flatnonzero(arrow[:, v])[0], np.flatnonzero((tail & tail.T)[:, v])[0]
            a, b, c = (self.nodes[i] for i in (u, v, w))
            raise GraphError(
                f"not ancestral: {self.edge_text(a, b)} has an arrowhead at an end of {self.edge_text(b, c)}; "
                "a node of an undirected edge must have no arrowheads"
            )
        for v, u in np.argwhere(arrow & arrow.T):
            if has_bit(self.ancestor_bits[v], u):
                a, b = self.nodes[u], self.nodes[v]
                raise GraphError(
                    f"not ancestral: {self.edge_text(a, b)}, but {a!r} is an ancestor of {b!r}; "
                    "an arrowhead at a node says that it is not an ancestor"
                )
        if pair := inducing_pair(self.marks, self.ancestor_bits):
            a, b = (self.nodes[i] for i in pair)
            raise GraphError(
                f"not maximal: no set separates {a!r} and {b!r}, which are not adjacent; "
                "add the edge between them, with the marks that ancestry gives"
            )

    @cached_property
    def ancestor_bits(self) -> NDArray[np.uint64]:
        """Row v: the bitset of the ancestors of v, by position."""
        return ancestor_bits(self.marks)


class PAG(MixedGraph):
    """A partial ancestral graph: a class of MAGs. All six kinds of edges are allowed.

    Args:
        nodes: The names of the nodes; they must differ.
        marks: The matrix of marks, as in `MixedGraph`.
        unconfounded: Pairs of nodes of which it is known, beside the marks, that nothing unmeasured stands behind an
            edge between them: such an edge is visible as soon as it is directed.

    Attributes:
        nodes: The names of the nodes.
        marks: The matrix of marks, which cannot be changed. Two PAGs are equal if their marks are.
        unconfounded: The pairs that were given, as sets of two names.
        edge_kinds: The edges that this kind of graph may have, as written.
        may_hide: Whether there may be latent and selection nodes behind a graph of this kind.

    Raises:
        GraphError: If names are not unique strings, or marks are not those of edges.
        UnknownName: If a pair of `unconfounded` has a name that is not a node.

    Examples:
        >>> print(PAG.parse("c <-o a, b <-> c, d"))
        a o-> c
        b <-> c
        d
        >>> PAG.may_hide, len(PAG.edge_kinds)
        (True, 6)
        >>> known = PAG(["a", "b"], [[0, 2], [3, 0]], unconfounded=[("a", "b")])
        >>> known.is_visible("a", "b"), known.unconfounded_pairs.tolist()
        (True, [[False, True], [True, False]])
    """

    edge_kinds: ClassVar[tuple[str, ...]] = SYMBOLS
    #: Whether there may be latent and selection nodes behind a graph of this kind.
    may_hide: ClassVar[bool] = True

    def __init__(self, nodes: Iterable[str], marks: ArrayLike, unconfounded: Iterable[tuple[str, str]] = ()) -> None:
        self.unconfounded: frozenset[frozenset[str]] = _pair_set(unconfounded)
        super().__init__(nodes, marks)
        refuse_unknown({name: None for pair in self.unconfounded for name in pair}, self.nodes)

    @cached_property
    def unconfounded_pairs(self) -> NDArray[np.bool_]:
        """At x, y: whether it is known that nothing unmeasured stands behind an edge of these two."""
        out = np.zeros(self.marks.shape, dtype=bool)
        for pair in self.unconfounded:
            x, y = map(self.index, pair)
            out[x, y] = out[y, x] = True
        return out

    def ancestors(self, name: str, *, selection_bias: bool = True) -> frozenset[str]:
        """The nodes that are ancestors of this one in every MAG of the class, itself among them.

        Directed paths show this, and so do some pairs of possibly directed walks (`graphs/definite_ancestors.py`). An
        ancestor in a MAG causes this node, or what the sample was selected on.

        Args:
            name: A node.
            selection_bias: False says that the sample was not selected; then more ancestors are known.

        Returns:
            The names of the nodes.

        Raises:
            UnknownName: If there is no such node.

        Examples:
            >>> pag = PAG.parse("a o-o b, a o-o c, b --> d, c --> d, e o-> d")
            >>> sorted(pag.ancestors("d")), sorted(pag.ancestors("d", selection_bias=False))
            (['b', 'c', 'd'], ['a', 'b', 'c', 'd'])
        """
        found = definite_ancestors(self.class_marks, self.index(name), selection_bias and self.may_hide)
        return self._names(found)

    def descendants(self, name: str, *, selection_bias: bool = True) -> frozenset[str]:
        """The nodes of which this one is an ancestor in every MAG of the class, itself among them.

        Args:
            name: A node.
            selection_bias: As in `ancestors`.

        Returns:
            The names of the nodes.

        Raises:
            UnknownName: If there is no such node.

        Examples:
            >>> sorted(PAG.parse("a o-> b, b --> c, c --> d").descendants("b"))
            ['b', 'c', 'd']
        """
        self.index(name)
        possible = (other for other in self.nodes if other in self.possible_descendants(name))
        return frozenset(other for other in possible if name in self.ancestors(other, selection_bias=selection_bias))

    def is_visible(self, a: str, b: str) -> bool:
        """Whether there is an edge a --> b, and an unmeasured common cause of a and b is ruled out.

        Args:
            a: The node at the tail.
            b: The node at the arrowhead.

        Returns:
            True if the edge is visible.

        Raises:
            UnknownName: If a or b is not a node.

        Examples:
            >>> smoking = PAG.parse("income o-> smoking, smoking --> cancer, genotype o-> cancer")
            >>> smoking.is_visible("smoking", "cancer"), PAG.parse("a --> b").is_visible("a", "b")
            (True, False)
        """
        x, y = self.index(a), self.index(b)
        known = self.has(a, "-->", b) and self.unconfounded_pairs[x, y]
        return bool(known) or visible_by(self.marks, x, y) is not None

    def confounded(self, a: str, b: str) -> Answer:
        """Whether something unmeasured causes both a and b, such that no measured variables account for it.

        Common causes that were measured are not what this is about.

        Args:
            a: A node.
            b: Another node.

        Returns:
            An `Answer`, a string with the attribute `reason`: "yes" if a <-> b, so in every MAG; "no" if they are not
            adjacent, if the edge between them is visible, or if that is known; otherwise "possibly".

        Raises:
            UnknownName: If a or b is not a node.

        Examples:
            >>> PAG.parse("c o-> a, a --> b").confounded("a", "b")
            'no': c o-> a, and c is not adjacent to b: a --> b is visible
        """
        i, j = self.index(a), self.index(b)
        if i == j:
            return Answer("no", f"{a} and {b} are the same variable")
        if not self.marks[i, j]:
            return Answer("no", f"{a} and {b} are not adjacent: what is measured explains how they depend")
        edge = self.edge_text(a, b)
        if self.has(a, "<->", b):
            return Answer("yes", f"{edge}: neither causes the other, yet nothing measured separates them")
        if not self.may_hide:
            return Answer("no", f"{edge} in a class of DAGs in which nothing is latent")
        if self.unconfounded_pairs[i, j]:
            return Answer("no", f"it is known that nothing unmeasured stands behind {a} and {b}")
        for x, y in ((i, j), (j, i)):
            if path := visible_by(self.marks, x, y):
                names = [self.nodes[v] for v in path]
                why = f"{self.path_text(names[:-1])}, and {names[0]} is not adjacent to {names[-1]}"
                return Answer("no", f"{why}: {self.edge_text(*names[-2:])} is visible")
        if self.has(a, "-->", b) or self.has(b, "-->", a):
            return Answer("possibly", f"{edge} is not visible: an unmeasured cause of both may stand behind it")
        return Answer("possibly", f"{edge} leaves open whether an unmeasured cause of both stands behind it")

    def is_separated(self, a: str | Iterable[str], b: str | Iterable[str], given: Iterable[str] = ()) -> bool:
        """Whether a and b are separated given these nodes in every MAG of the class; if not, they are in none.

        Args:
            a: A node, or several.
            b: A node, or several; all nodes of one side are then separated from all of the other side.
            given: The nodes that are conditioned on.

        Returns:
            True if they are separated in every MAG, False if they are connected in every MAG.

        Raises:
            GraphError: If the three sets share a node, or a side is empty.
            UnknownName: If a name is not a node.

        Examples:
            >>> pag = PAG.parse("a o-> c, b o-> c, c --> d")
            >>> pag.is_separated("a", "d", given={"c"}), pag.is_separated("a", "b", given={"d"})
            (True, False)
        """
        from ancestral.graphs.separation import is_separated

        return is_separated(self, a, b, given)


class CPDAG(PAG):
    """A class of DAGs without latent or selection nodes: `-->` where all of them agree on the direction, else `---`.

    Args:
        nodes: The names of the nodes; they must differ.
        marks: The matrix of marks, as in `MixedGraph`.
        unconfounded: As in `PAG`; it changes nothing, since nothing is latent here.

    Attributes:
        nodes: The names of the nodes.
        marks: The matrix of marks, which cannot be changed.
        edge_kinds: The edges that a CPDAG may have.
        may_hide: False: there are no latent and no selection nodes.

    Raises:
        GraphError: If there is a directed cycle, or an edge of another kind.

    Examples:
        >>> cpdag = CPDAG.parse("a --> c, b --> c, c --> d, d --- e")
        >>> cpdag.edge_kinds, cpdag.may_hide, cpdag.is_visible("c", "d")
        (('-->', '---'), False, True)
        >>> cpdag.class_marks[cpdag.index("d"), cpdag.index("e")]  # a circle: the class leaves the direction open
        np.uint8(1)
    """

    edge_kinds: ClassVar[tuple[str, ...]] = ("-->", "---")
    may_hide: ClassVar[bool] = False

    @cached_property
    def class_marks(self) -> NDArray[np.uint8]:
        """The marks of the PAG with the same meaning: `o-o` for `---`."""
        return np.where(self.marks == self.marks.T, self.skeleton(), self.marks)

    def is_visible(self, a: str, b: str) -> bool:
        """Whether there is an edge a --> b; unmeasured common causes are ruled out for all edges.

        Args:
            a: The node at the tail.
            b: The node at the arrowhead.

        Returns:
            True if there is this edge.

        Raises:
            UnknownName: If a or b is not a node.
        """
        return self.has(a, "-->", b)

    def _check(self) -> None:
        _refuse_directed_cycle(self)


def _name_set(names: Iterable[str], role: str) -> frozenset[str]:
    if isinstance(names, str):
        raise GraphError(
            f"{role} must be a list of names, got the single string {shown(names)}; pass ", Option(role, [names])
        )
    if not isinstance(names, Iterable):
        raise GraphError(
            f"{role} must be a list of names, got {shown(names)}; leave it out, or pass ", Option(role, ["a", "b"])
        )
    return frozenset(names_list(role, names))


def _pair_set(pairs: Iterable[tuple[str, str]]) -> frozenset[frozenset[str]]:
    out = set()
    for pair in listed("unconfounded", pairs, "pairs of names", ["for example ", Option("unconfounded", [("a", "b")])]):
        names = () if isinstance(pair, str) else names_list("unconfounded", pair)
        if len(set(names)) != 2:
            raise GraphError(
                f"unconfounded must be a list of pairs of different names, got {shown(pair)}; pass ",
                Option("unconfounded", [("a", "b")]),
            )
        out.add(frozenset(names))
    return frozenset(out)


def _refuse_directed_cycle(graph: MixedGraph) -> None:
    if cycle := directed_cycle(directed_steps(graph.marks)):
        names = [graph.nodes[i] for i in [*cycle, cycle[0]]]
        raise GraphError(f"directed cycle {' --> '.join(map(quoted, names))}; no node may be a cause of itself")
