"""A graph whose edges carry a mark at each end: what DAG, MAG, CPDAG and PAG have in common."""

import os
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, ClassVar, Literal, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ancestral.arguments import listed, names_list
from ancestral.errors import GraphError, UnknownName
from ancestral.graphs import ancestry
from ancestral.graphs.csr import compressed, joined
from ancestral.graphs.marks import NONE, SYMBOLS, TAIL, flipped, matches, parse_symbol, symbol
from ancestral.graphs.names import by_name, checked_names, quoted
from ancestral.graphs.text import GraphText, read_text
from ancestral.printing import shown, shown_type

__all__ = ["HasPag", "MixedGraph", "circled", "graph_of"]

Marks = NDArray[np.uint8]

#: The largest number of nodes of a graph: its matrix of marks, with a byte for each two nodes, then takes 1.6 GB, and
#: checking it takes several times as much.
MOST_NODES = 40_000


def circled(marks: Marks) -> Marks:
    """The same edges with a circle at every end."""
    return np.not_equal(marks, NONE).view(np.uint8)  # a circle is 1, as is True


def _refuse_nodes(n: int) -> None:
    if n > MOST_NODES:
        raise GraphError(
            f"a graph must have at most {MOST_NODES:,} nodes, got {n:,}: its marks take memory for each two nodes; "
            "take a part of the nodes"
        )


def _checked_marks(marks: ArrayLike, n: int) -> Marks:
    """The marks as a read-only n x n matrix of bytes; whether they form edges is checked by `_check_marks`."""
    _refuse_nodes(n)
    try:
        given = np.asarray(marks)
    except ValueError:
        raise GraphError(f"marks must be a matrix; {n} nodes need {n} rows of {n} marks") from None
    if n == 0 and given.size == 0:
        given = np.zeros((0, 0), dtype=np.uint8)
    if given.shape != (n, n):
        shape = " x ".join(map(str, given.shape)) or "a single value"
        raise GraphError(f"marks must be a matrix of {n} x {n} for {n} nodes, got {shape}")
    whole = given.astype(np.uint8) if given.dtype.kind in "biuf" else None
    if whole is None or (given.dtype != np.uint8 and not np.array_equal(whole, given)):
        raise GraphError("marks must be whole numbers: 0 (no edge), 1 (circle), 2 (arrowhead) or 3 (tail)")
    whole.setflags(write=False)
    return whole


class MixedGraph:
    """Nodes with names, and a mark at each end of each edge. Immutable.

    Args:
        nodes: The names of the nodes; they must differ.
        marks: A square matrix: `marks[x, y]` is the mark at y on the edge x–y, by position in `nodes`: 0 no edge, 1
            circle, 2 arrowhead, 3 tail.

    Attributes:
        nodes: The names of the nodes, in the order in which they were given.
        marks: The matrix of marks, which cannot be changed.
        edge_kinds: The edges that a graph of this kind may have, as written.

    Raises:
        GraphError: If a name is not a string or is given twice, or if this kind of graph cannot have these marks.
        UnknownName: By a method that is given a name that is not a node.

    Examples:
        >>> graph = MixedGraph(["age", "bmi", "dose"], [[0, 2, 0], [1, 0, 0], [0, 0, 0]])
        >>> print(graph)
        age o-> bmi
        dose
        >>> graph.index("bmi"), int(graph.marks[0, 1]), graph.has("age", "*->", "bmi"), graph.edge("bmi", "age")
        (1, 2, True, '<-o')
        >>> graph.edges(), graph.arranged(["bmi", "age"]).tolist(), graph.skeleton()[0].tolist()
        ([('age', 'o->', 'bmi')], [[0, 1], [2, 0]], [0, 1, 0])
        >>> bool((graph.class_marks == graph.marks).all()), "o->" in graph.edge_kinds
        (True, True)
    """

    #: The edges that a graph of this kind may have, as written.
    edge_kinds: ClassVar[tuple[str, ...]] = SYMBOLS

    def __init__(self, nodes: Iterable[str], marks: ArrayLike) -> None:
        self.nodes: tuple[str, ...] = checked_names(nodes)
        self._index: dict[str, int] = {name: i for i, name in enumerate(self.nodes)}
        self.marks: Marks = _checked_marks(marks, len(self.nodes))
        self._check_marks()
        self._check()
        self._frozen = True

    def __setattr__(self, name: str, value: object) -> None:
        if getattr(self, "_frozen", False):
            raise AttributeError(f"a {type(self).__name__} cannot be changed; make another one")
        super().__setattr__(name, value)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.marks.setflags(write=False)

    # -- construction -----------------------------------------------------------------------------------------

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a graph from text, for example `a o-> c, b <-> c, d`.

        Args:
            text: Edges and single nodes, separated by commas or line ends. `#` starts a comment; a name with spaces or
                commas stands in double quotes.

        Returns:
            A graph of the class that was asked, with the nodes in the order of the text.

        Raises:
            GraphError: If the text is not such a graph; the message has the number of the line.

        Examples:
            >>> MixedGraph.parse('a o-> c, "body mass" <-> c').nodes
            ('a', 'c', 'body mass')
        """
        parsed = read_text(text)
        for role, names in parsed.roles.items():
            if names:
                raise GraphError(f"'{role}:' gives roles to the nodes of a DAG; a {cls.__name__} has none")
        return cls(*cls._built(parsed))

    @classmethod
    def from_edges(cls, edges: Iterable[tuple[str, str, str]], nodes: Iterable[str] = ()) -> Self:
        """Make a graph of edges.

        Args:
            edges: Tuples such as `("a", "-->", "b")`.
            nodes: Further nodes.

        Returns:
            A graph whose nodes come in the order of `nodes`, then of their first edge.

        Raises:
            GraphError: If something else is among the edges or the names.

        Examples:
            >>> print(MixedGraph.from_edges([("a", "-->", "b")], nodes=["c"]))
            a --> b
            c
        """
        if isinstance(nodes, str):
            raise GraphError(f"nodes must be a list of names, got the single string {nodes!r}; pass [{nodes!r}]")
        collected = GraphText(dict.fromkeys(checked_names(dict.fromkeys(listed("nodes", nodes, "names")))))
        for item in listed("edges", edges, "edges, as in [('a', '-->', 'b')]"):
            if not isinstance(item, tuple) or len(item) != 3:
                raise GraphError(f"an edge must be a tuple such as ('a', '-->', 'b'), got {shown(item)}")
            x, edge, y = item
            for name in (x, y):
                if not isinstance(name, str):
                    checked_names((name,))  # raises, with the reason
                collected.names.setdefault(name)
            collected.edges.append((x, y, *parse_symbol(edge)))
        return cls(*cls._built(collected))

    @staticmethod
    def _built(parsed: GraphText) -> tuple[tuple[str, ...], Marks]:
        """The nodes and the matrix of marks of a graph that was read."""
        index = {name: i for i, name in enumerate(parsed.names)}
        _refuse_nodes(len(index))
        marks = np.zeros((len(index), len(index)), dtype=np.uint8)
        for x, y, at_x, at_y in parsed.edges:
            i, j = index[x], index[y]
            if i == j:
                loop = f"{quoted(x)} {symbol(at_x, at_y)} {quoted(y)}"
                raise GraphError(f"the edge {loop} joins {x!r} to itself; edges join two nodes")
            if marks[i, j]:
                old = symbol(int(marks[j, i]), int(marks[i, j]))
                raise GraphError(f"two edges between {x!r} and {y!r}: {old} and {symbol(at_x, at_y)}; keep one")
            marks[j, i], marks[i, j] = at_x, at_y
        return tuple(index), marks

    # -- checks -----------------------------------------------------------------------------------------------

    def _check_marks(self) -> None:
        sources, targets, _ = compressed(self.marks)
        there, back = self.marks[sources, targets], self.marks[targets, sources]
        loops = sources[sources == targets]
        if loops.size:
            raise GraphError(f"{self.nodes[loops[0]]!r} is joined to itself; edges join two nodes")
        faulty = np.concatenate([np.flatnonzero(back == NONE), np.flatnonzero(there > TAIL)])
        if faulty.size:
            x, y = sources[faulty[0]], targets[faulty[0]]
            raise GraphError(
                f"the marks between {self.nodes[x]!r} and {self.nodes[y]!r} do not form an edge; "
                "each end needs 1 (circle), 2 (arrowhead) or 3 (tail), or both ends 0 (no edge)"
            )
        allowed = np.zeros((TAIL + 1, TAIL + 1), dtype=bool)
        allowed[NONE, NONE] = True
        for kind in self.edge_kinds:
            left, right = parse_symbol(kind)
            allowed[left, right] = allowed[right, left] = True
        wrong = np.flatnonzero(~allowed[back, there])
        if wrong.size:
            a, b = self.nodes[sources[wrong[0]]], self.nodes[targets[wrong[0]]]
            raise GraphError(
                f"a {type(self).__name__} has no edge {self.edge_text(a, b)}; its edges are {' '.join(self.edge_kinds)}"
            )

    def _check(self) -> None:
        """Raise a GraphError, with the nodes, if a graph of this kind must not have these edges together."""

    # -- questions --------------------------------------------------------------------------------------------

    def index(self, name: str) -> int:
        """The position of a node in `nodes`.

        Args:
            name: The name of the node.

        Returns:
            Its position, from 0 on.

        Raises:
            UnknownName: If there is no such node.
        """
        try:
            return self._index[name]
        except (KeyError, TypeError):
            raise UnknownName(name, self.nodes) from None

    def has(self, a: str, pattern: str, b: str) -> bool:
        """Whether there is an edge between a and b that matches a pattern.

        Args:
            a: A node.
            pattern: Three characters, read from a to b, such as `*->`; `*` stands for any mark.
            b: Another node.

        Returns:
            True if there is such an edge.

        Raises:
            UnknownName: If a or b is not a node.
            GraphError: If the pattern is not one.
        """
        i, j = self.index(a), self.index(b)
        left, right = matches(pattern)
        return int(self.marks[j, i]) in left and int(self.marks[i, j]) in right

    def edge(self, a: str, b: str) -> str | None:
        """The edge between a and b read from a to b, such as `o->`.

        Args:
            a: A node.
            b: Another node.

        Returns:
            The three characters of the edge; None where there is none.

        Raises:
            UnknownName: If a or b is not a node.
        """
        i, j = self.index(a), self.index(b)
        return symbol(int(self.marks[j, i]), int(self.marks[i, j])) if self.marks[i, j] else None

    def edge_text(self, a: str, b: str) -> str:
        """The edge between a and b with its nodes, as it is written in the text of a graph: `a o-> b`.

        Args:
            a: The node on the left.
            b: The node on the right.

        Returns:
            The text, in which names that would be misread stand in double quotes.

        Raises:
            GraphError: If a and b are not adjacent.
            UnknownName: If a or b is not a node.

        Examples:
            >>> MixedGraph.parse("smoker <-o age").edge_text("age", "smoker")
            'age o-> smoker'
        """
        edge = self.edge(a, b)
        if edge is None:
            raise GraphError(f"{a!r} and {b!r} are not adjacent, so there is no edge to write")
        return f"{quoted(a)} {edge} {quoted(b)}"

    def path_text(self, nodes: Iterable[str]) -> str:
        """The edges between each two successive nodes, as `edge_text` writes them, separated by commas.

        Args:
            nodes: The nodes of a path, in their order.

        Returns:
            The text of the path.

        Raises:
            GraphError: If two successive nodes are not adjacent.
            UnknownName: If one of them is not a node.

        Examples:
            >>> MixedGraph.parse("a o-> b, c <-> b").path_text(["a", "b", "c"])
            'a o-> b, b <-> c'
        """
        return ", ".join(self.edge_text(a, b) for a, b in pairwise(names_list("nodes", nodes)))

    def neighbours(self, a: str, pattern: str = "*-*") -> frozenset[str]:
        """All nodes b whose edge with a, read from a, matches a pattern.

        Args:
            a: A node.
            pattern: As in `has`; `-->` gives the children of a, and `*-*` all its neighbours.

        Returns:
            The names of the nodes.

        Raises:
            UnknownName: If a is not a node.
            GraphError: If the pattern is not one.

        Examples:
            >>> MixedGraph.parse("a --> b, a o-o c").neighbours("a", "-->")
            frozenset({'b'})
        """
        i = self.index(a)
        left, right = matches(pattern)
        found = np.isin(self.marks[:, i], list(left)) & np.isin(self.marks[i], list(right))
        return self._names(np.flatnonzero(found))

    def edges(self) -> list[tuple[str, str, str]]:
        """All edges as `(a, "o->", b)`, each in the direction in which it is written, in the order of names.

        Returns:
            A tuple of three strings for each edge.
        """
        out = []
        for x, y in joined(self.marks)[0].tolist():
            a, b = self.nodes[x], self.nodes[y]
            edge = symbol(int(self.marks[y, x]), int(self.marks[x, y]))
            backwards = by_name(b) < by_name(a) if edge == flipped(edge) else edge not in SYMBOLS
            out.append((b, flipped(edge), a) if backwards else (a, edge, b))
        return sorted(out, key=lambda e: (by_name(e[0]), by_name(e[2])))

    @property
    def class_marks(self) -> Marks:
        """The marks, with a circle wherever the class of graphs leaves the mark open."""
        return self.marks

    def ancestors(self, name: str) -> frozenset[str]:
        """The nodes with a directed path to this one, itself among them.

        Args:
            name: A node.

        Returns:
            The names of the nodes.

        Raises:
            UnknownName: If there is no such node.

        Examples:
            >>> sorted(MixedGraph.parse("a --> b, b --> c, d <-> c").ancestors("c"))
            ['a', 'b', 'c']
        """
        return self._reaching(ancestry.directed_steps(self.marks), name)

    def descendants(self, name: str) -> frozenset[str]:
        """The nodes with a directed path from this one, itself among them.

        Args:
            name: A node.

        Returns:
            The names of the nodes.

        Raises:
            UnknownName: If there is no such node.

        Examples:
            >>> sorted(MixedGraph.parse("a --> b, b --> c, d <-> c").descendants("b"))
            ['b', 'c']
        """
        return self._reaching(ancestry.directed_steps(self.marks).T, name)

    def possible_ancestors(self, name: str) -> frozenset[str]:
        """The nodes with a possibly directed path to this one: no step has an arrowhead behind or a tail ahead.

        Args:
            name: A node.

        Returns:
            The names of the nodes, this one among them.

        Raises:
            UnknownName: If there is no such node.

        Examples:
            >>> sorted(MixedGraph.parse("a o-> b, b <-> c, d --- b").possible_ancestors("b"))
            ['a', 'b']
        """
        return self._reaching(ancestry.possible_ancestor_steps(self.class_marks), name)

    def possible_descendants(self, name: str) -> frozenset[str]:
        """The nodes that may be descendants of this one: those of which it is a possible ancestor.

        Args:
            name: A node.

        Returns:
            The names of the nodes, this one among them.

        Raises:
            UnknownName: If there is no such node.

        Examples:
            >>> sorted(MixedGraph.parse("a o-> b, b o-o c, d --> a").possible_descendants("a"))
            ['a', 'b', 'c']
        """
        return self._reaching(ancestry.possible_ancestor_steps(self.class_marks).T, name)

    def possible_anteriors(self, name: str) -> frozenset[str]:
        """The nodes that may be ancestors of this one or of selection: a path with no arrowhead behind any step.

        Args:
            name: A node.

        Returns:
            The names of the nodes, this one among them.

        Raises:
            UnknownName: If there is no such node.

        Examples:
            >>> sorted(MixedGraph.parse("a o-> b, b <-> c, d --- b").possible_anteriors("b"))
            ['a', 'b', 'd']
        """
        return self._reaching(ancestry.possible_anterior_steps(self.class_marks), name)

    def _reaching(self, steps: NDArray[np.bool_], name: str) -> frozenset[str]:
        return self._names(ancestry.reaching(steps, self.index(name)))

    def _names(self, positions: Iterable[Any]) -> frozenset[str]:
        return frozenset(self.nodes[i] for i in positions)

    # -- other views of the same graph ----------------------------------------------------------------------

    def arranged(self, nodes: Iterable[str]) -> Marks:
        """The marks with the nodes in another order, or of only some nodes.

        Args:
            nodes: The names of the nodes, in the order that the matrix should have.

        Returns:
            A matrix of marks.

        Raises:
            UnknownName: If one of them is not a node.
        """
        order = [self.index(name) for name in (nodes if isinstance(nodes, str) else listed("nodes", nodes, "names"))]
        return self.marks[np.ix_(order, order)]

    def skeleton(self) -> Marks:
        """The marks of the same edges with a circle at every end.

        Returns:
            A new matrix, which may be changed.
        """
        return circled(self.marks)

    # -- pictures: drawn by the package `show`, imported only when needed ---------------------------------------

    def plot(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        ax: Any = None,
        highlight: Iterable[Any] = (),
        colour: Mapping[str, str] | None = None,
        fade: Mapping[tuple[str, str], float] | None = None,
        layout: Literal["layered", "stress"] | None = None,
        positions: Mapping[str, tuple[float, float]] | None = None,
    ) -> Any:
        """Draw the graph into a file that ends in .svg, .png or .pdf, or on axes of matplotlib.

        Args:
            path: The file to write.
            ax: The axes to draw on; new ones if neither they nor a path are given.
            highlight: Nodes, and pairs of nodes with an edge, that should stand out: `["a", ("b", "c")]`.
            colour: The group of each node, `{"age": "early", "bmi": "late"}`; each group gets a colour.
            fade: How reliable edges are, from 0 to 1, `{("a", "b"): 0.3}`; less reliable edges are paler.
            layout: "layered", the default: columns, from left to right along the arrowheads; or "stress": distances on
                the page follow those in the graph.
            positions: Those of another picture, `other.positions()`, so that nodes stay in their places.

        Returns:
            The axes; None if a file was written.

        Raises:
            OptionError: If an option cannot be used.
            UnknownName: If an option names a node that the graph does not have.
            RunError: If the file cannot be written.

        Examples:
            >>> import pathlib, tempfile
            >>> folder = pathlib.Path(tempfile.mkdtemp())
            >>> MixedGraph.parse("a o-> b").plot(folder / "graph.svg", highlight=["a"])
            >>> (folder / "graph.svg").read_text(encoding="utf-8").count("<svg")
            1
        """
        from ancestral.show.plot import plot

        return plot(
            self, path, ax=ax, highlight=highlight, colour=colour, fade=fade, layout=layout, positions=positions
        )

    def positions(self, layout: Literal["layered", "stress"] | None = None) -> dict[str, tuple[float, float]]:
        """The coordinates of each node in a picture, y downwards.

        Args:
            layout: As in `plot`.

        Returns:
            The coordinates by name.

        Raises:
            OptionError: If there is no such layout.

        Examples:
            >>> positions = MixedGraph.parse("a --> b").positions()
            >>> positions["a"][0] < positions["b"][0]  # from left to right, along the arrowheads
            True
        """
        from ancestral.show.layout import arrange

        return arrange(self, layout).positions

    def svg(self, *, colour: Mapping[str, str] | None = None) -> str | None:
        """The picture as the text of an SVG document.

        Args:
            colour: As in `plot`.

        Returns:
            The text; None for more than 150 nodes.

        Raises:
            UnknownName: If a group is given for something else than a node.

        Examples:
            >>> MixedGraph.parse("a --> b").svg().startswith("<svg")
            True
        """
        from ancestral.show.plot import as_svg

        return as_svg(self, colour=colour)

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows."""
        return self.svg()

    # -- printing and comparing -----------------------------------------------------------------------------

    def __str__(self) -> str:
        lines = [f"{quoted(a)} {edge} {quoted(b)}" for a, edge, b in self.edges()]
        alone = [name for name, row in zip(self.nodes, self.marks, strict=True) if not row.any()]
        return "\n".join(lines + [quoted(name) for name in sorted(alone, key=by_name)])

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self).replace(chr(10), ', ')!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MixedGraph) or type(other) is not type(self):
            return NotImplemented
        same_nodes = self._index.keys() == other._index.keys()
        return same_nodes and bool(np.array_equal(self.marks, other.arranged(self.nodes)))

    def __hash__(self) -> int:
        return hash((type(self), frozenset(self.nodes), frozenset(self.edges())))


class HasPag(Protocol):
    """Any object with a graph that was learned, such as a `Discovery` or a `Stage`."""

    @property
    def pag(self) -> MixedGraph:
        """The graph."""


def graph_of(given: MixedGraph | HasPag, what: str = "the argument") -> MixedGraph:
    """The graph itself, or that of an object that has one; anything else raises a `GraphError` about `what`."""
    graph = given if isinstance(given, MixedGraph) else getattr(given, "pag", None)
    if not isinstance(graph, MixedGraph):
        way_out = "read it with PAG.parse" if isinstance(given, str) else "pass a graph, or the result of discover()"
        raise GraphError(f"{what} must be a graph, got {shown_type(given)}; {way_out}")
    return graph
