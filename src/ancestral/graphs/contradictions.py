"""Contradictions of a graph: definite marks that no ancestral graph has together, each with the path that proves it.

In an ancestral graph no node causes itself, nodes joined by `<->` do not cause each other, and no arrowhead points at a
node of an undirected edge (Richardson & Spirtes 2002). Circles are left alone: only edges `-->`, `<->` and `---` and
arrowheads count.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs._ancestry_cy import closure
from ancestral.graphs.csr import joined
from ancestral.graphs.marks import ARROW, TAIL, symbol
from ancestral.graphs.names import quoted
from ancestral.graphs.paths import shortest_of_steps

__all__ = ["MOST_CONTRADICTIONS", "contradictions"]

#: Contradictions that are told one by one; the last sentence counts the others.
MOST_CONTRADICTIONS = 20

Marks = NDArray[np.uint8]
Pairs = NDArray[np.intc]
Told = Callable[[], str]


def contradictions(marks: Marks, names: Sequence[str]) -> tuple[str, ...]:
    """A sentence for each contradiction of the graph with these marks, with its reason; empty if there is none.

    Of directed cycles that share nodes, one is told.

    >>> from ancestral.graphs import PAG
    >>> pag = PAG.parse("a --> b, b --> c, a <-> c, c --> d, d --> e, e --> c")
    >>> for sentence in contradictions(pag.marks, pag.nodes):
    ...     print(sentence)
    c --> d --> e --> c: c would cause itself
    a <-> c, but a --> b --> c: a would cause c, and the edge between them says that it does not
    """
    found = _Contradictions(marks, names)
    told: list[Told] = [*found.cycles(), *found.almost_cycles(), *found.pointed_at()]
    rest = len(told) - MOST_CONTRADICTIONS
    sentences = tuple(in_words() for in_words in told[:MOST_CONTRADICTIONS])
    return sentences if rest <= 0 else (*sentences, f"and {rest:,} more")


class _Contradictions:
    """Finds the contradictions of each sort, and gives for each a function that tells it: to find a path takes time."""

    def __init__(self, marks: Marks, names: Sequence[str]) -> None:
        self.marks = marks
        self.names = names
        pairs, ends = joined(marks)
        at_x, at_y = ends.T
        forward, backward = (at_x == TAIL) & (at_y == ARROW), (at_x == ARROW) & (at_y == TAIL)
        self.directed: Pairs = np.concatenate([pairs[forward], pairs[backward][:, ::-1]])
        self.bidirected: Pairs = pairs[(at_x == ARROW) & (at_y == ARROW)]
        self.undirected: Pairs = pairs[(at_x == TAIL) & (at_y == TAIL)]
        self.steps = np.zeros(marks.shape, dtype=bool)
        self.steps[self.directed[:, 0], self.directed[:, 1]] = True
        self.reached = closure(self.steps)

    def leads(self, pairs: Pairs) -> NDArray[np.bool_]:
        """For each row u, v whether a directed path leads from u to v."""
        u, v = pairs.T
        word = self.reached[u, v >> 6]
        return (word >> (v & 63).astype(np.uint64) & np.uint64(1)).astype(bool)

    def path(self, u: int, v: int) -> str:
        """A shortest directed path in words; of a node to itself, a cycle."""
        return " --> ".join(self.name(w) for w in shortest_of_steps(self.steps, u, v))

    def name(self, v: int) -> str:
        """The name of a node, in quotation marks if it needs them."""
        return quoted(self.names[v])

    def cycles(self) -> Iterator[Told]:
        """A directed cycle through the first node of each set of nodes that lead to each other."""
        nodes = np.unique(self.directed[self.leads(self.directed[:, ::-1])])
        while nodes.size:
            first = int(nodes[0])
            yield partial(self.told_cycle, first)
            ways = np.column_stack([np.full_like(nodes, first), nodes])
            nodes = nodes[~(self.leads(ways) & self.leads(ways[:, ::-1]))]

    def told_cycle(self, u: int) -> str:
        """A directed cycle through u."""
        return f"{self.path(u, u)}: {self.name(u)} would cause itself"

    def almost_cycles(self) -> Iterator[Told]:
        """The edges x <-> y for which a directed path leads from one of the two to the other."""
        both = np.concatenate([self.bidirected, self.bidirected[:, ::-1]])
        for u, v in both[self.leads(both)].tolist():
            yield partial(self.told_almost_cycle, u, v)

    def told_almost_cycle(self, u: int, v: int) -> str:
        """An edge u <-> v beside a directed path from u to v."""
        a, b = self.name(u), self.name(v)
        return (
            f"{a} <-> {b}, but {self.path(u, v)}: {a} would cause {b}, and the edge between them says that it does not"
        )

    def pointed_at(self) -> Iterator[Told]:
        """The ends of undirected edges at which an arrowhead points."""
        ends = np.concatenate([self.undirected, self.undirected[:, ::-1]])
        for v in np.unique(ends[:, 0]).tolist():
            arrows = np.flatnonzero(self.marks[:, v] == ARROW)
            if arrows.size:
                yield partial(self.told_arrowhead, int(arrows[0]), v, int(ends[ends[:, 0] == v, 1].min()))

    def told_arrowhead(self, u: int, v: int, w: int) -> str:
        """An arrowhead u *-> v beside an edge v --- w."""
        a, b, edge = self.name(v), self.name(w), symbol(int(self.marks[v, u]), int(self.marks[u, v]))
        return (
            f"{a} --- {b}, but {self.name(u)} {edge} {a}: {a} would cause {b} or what the sample was selected on, and "
            "the arrowhead says that it causes neither"
        )
