"""What identification reads of a graph: who may act on whom, which edges may hide a common cause, and separation.

One description serves four kinds of graphs. In a PAG or MAG an edge may hide a common cause unless it is visible, or it
is known not to hide one; in a CPDAG none does; in a DAG two observed nodes share a hidden cause if a latent node acts
on both through latent nodes alone. Sets of nodes are whole numbers, in which bit i stands for node i.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs import CPDAG, DAG, MAG, PAG
from ancestral.graphs.ancestry import directed_steps, possible_ancestor_steps
from ancestral.graphs.definite_status import connected_to, connecting_walk
from ancestral.graphs.marks import ARROW, CIRCLE, NONE
from ancestral.graphs.visible import visible_steps

__all__ = ["Structure", "bits_in", "nodes_of", "structure_of"]

Marks = NDArray[np.uint8]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Structure:
    """A graph over observed nodes, as identification reads it; see `structure_of`.

    At each node, a set of others: `after`, those that it may be a parent of; `before`, those that may be a parent of
    it; `circles`, its neighbours by o-o; `hiding`, its neighbours by edges that may hide a common cause; of these
    `hiding_into`, with an arrowhead at the node itself, `hiding_out`, with one at the neighbour, and `hiding_both`.

    `marks` are those of the graph in which separation is decided, `places` the positions of the nodes in it, and
    `visible` its edges out of a node that hide no common cause, as a matrix of steps.
    """

    names: tuple[str, ...]
    after: tuple[int, ...]
    before: tuple[int, ...]
    circles: tuple[int, ...]
    hiding: tuple[int, ...]
    hiding_into: tuple[int, ...]
    hiding_out: tuple[int, ...]
    hiding_both: tuple[int, ...]
    marks: Marks = field(repr=False)
    places: tuple[int, ...] = field(repr=False)
    visible: Bools = field(repr=False)

    @property
    def all(self) -> int:
        """All nodes."""
        return (1 << len(self.names)) - 1

    def descendants(self, start: int, within: int) -> int:
        """The possible descendants of these nodes by steps within a set, themselves included."""
        return _closure(self.after, start & within, within)

    def ancestors(self, start: int, within: int) -> int:
        """The possible ancestors of these nodes by steps within a set, themselves included."""
        return _closure(self.before, start & within, within)

    def buckets(self, within: int) -> list[int]:
        """The sets of nodes of `within` that edges o-o connect."""
        out = []
        left = within
        while left:
            bucket = _closure(self.circles, left & -left, within)
            out.append(bucket)
            left &= ~bucket
        return out

    def possible_component(self, start: int, within: int) -> int:
        """The nodes that may share a hidden cause with one of these: the pc-component of `start` within a set.

        They are the ends of paths from `start` on which no edge is visible and every node between is a collider. A walk
        of this kind contains such a path, so reachability decides.
        """
        colliders = _closure(self.hiding_both, _union(self.hiding_out, start) & within, within)
        return start | ((_union(self.hiding, start) | _union(self.hiding_into, colliders)) & within)

    def region(self, start: int, within: int) -> int:
        """The buckets within a set that meet the pc-component of `start`, together."""
        component = self.possible_component(start, within)
        return _closure(self.circles, component, within)

    @cached_property
    def order(self) -> tuple[int, ...] | None:
        """The buckets, none with an edge into an earlier one; None if there is no such order, as in no legal PAG.

        In a graph with bidirected edges between buckets this says: no possibly directed path leads back.
        """
        left, waiting, out = self.all, self.buckets(self.all), []
        while waiting:
            last = next((b for b in reversed(waiting) if not _union(self.after, b) & left & ~b), None)
            if last is None:
                return None
            out.append(last)
            waiting.remove(last)
            left &= ~last
        return tuple(reversed(out))

    def boundary(self, heads: int, given: int) -> int:
        """The smallest part of `given` that separates `heads` from the rest of `given`."""
        if not given:
            return 0
        found = connected_to(self.marks, self._places(heads), self._places(given))
        return bits_in(i for i in nodes_of(given) if self.places[i] in found)

    def separated(self, x: int, y: int, given: int, *, into: int = 0, out_of: int = 0) -> bool:
        """Whether x and y are separated without the edges into some nodes, and the visible edges out of others."""
        if not x or not y:
            return True
        cut = np.zeros(self.marks.shape, dtype=bool)
        entered, left = self._places(into), self._places(out_of)
        cut[:, entered] = self.marks[:, entered] == ARROW
        cut[left] |= self.visible[left]
        return connecting_walk(self.marks, self._places(x), self._places(y), self._places(given), without=cut) is None

    def _places(self, nodes: int) -> list[int]:
        return [self.places[i] for i in nodes_of(nodes)]


def structure_of(graph: DAG | MAG | PAG) -> Structure:
    """The structure of a DAG, CPDAG, MAG or PAG without selection."""
    if isinstance(graph, DAG):
        return _of_dag(graph)
    marks = graph.class_marks
    adjacent = marks != NONE
    if isinstance(graph, CPDAG):
        visible = directed_steps(marks)
        hiding = np.zeros_like(adjacent)
    else:
        visible = visible_steps(marks)
        hiding = adjacent & ~(visible | visible.T)
        if isinstance(graph, PAG):
            visible |= directed_steps(marks) & graph.unconfounded_pairs
            hiding &= ~graph.unconfounded_pairs
    circles = (marks == CIRCLE) & (marks.T == CIRCLE)
    places = tuple(range(len(graph.nodes)))
    steps = possible_ancestor_steps(marks)
    return _structure(graph.nodes, steps, circles, hiding, marks == ARROW, marks, places, visible)


def _of_dag(dag: DAG) -> Structure:
    """The structure of a DAG: its latent projection, an arrow and a hidden cause for each path through latent nodes."""
    steps = directed_steps(dag.marks)
    latent = np.array([name in dag.latent for name in dag.nodes])
    through = steps.copy()  # at u, v: a directed path from u to v on which all nodes between are latent
    for v in np.flatnonzero(latent).tolist():  # one at a time, as in Warshall's algorithm
        through |= np.outer(through[:, v], through[v])
    places = tuple(dag.index(name) for name in dag.observed)
    kept = list(places)
    causes = through[latent][:, kept]
    hiding = causes.T @ causes
    np.fill_diagonal(hiding, False)
    none = np.zeros_like(hiding)
    return _structure(
        dag.observed, through[np.ix_(kept, kept)], none, hiding, np.ones_like(hiding), dag.marks, places, steps
    )


def _structure(
    names: tuple[str, ...],
    steps: Bools,
    circles: Bools,
    hiding: Bools,
    arrow: Bools,
    marks: Marks,
    places: tuple[int, ...],
    visible: Bools,
) -> Structure:
    """A structure from matrices; `arrow[u, v]`: the edge u–v, if it may hide a cause, has an arrowhead at v."""
    return Structure(
        names=names,
        after=_rows(steps),
        before=_rows(steps.T),
        circles=_rows(circles),
        hiding=_rows(hiding),
        hiding_into=_rows((hiding & arrow).T),
        hiding_out=_rows(hiding & arrow),
        hiding_both=_rows(hiding & arrow & arrow.T),
        marks=marks,
        places=places,
        visible=visible,
    )


def bits_in(positions: Iterable[int]) -> int:
    """The set of these positions."""
    out = 0
    for i in positions:
        out |= 1 << i
    return out


def nodes_of(nodes: int) -> Iterator[int]:
    """The positions in a set, in increasing order."""
    while nodes:
        low = nodes & -nodes
        yield low.bit_length() - 1
        nodes ^= low


def _rows(matrix: Bools) -> tuple[int, ...]:
    return tuple(bits_in(np.flatnonzero(row).tolist()) for row in matrix)


def _union(rows: tuple[int, ...], nodes: int) -> int:
    out = 0
    while nodes:
        low = nodes & -nodes
        out |= rows[low.bit_length() - 1]
        nodes ^= low
    return out


def _closure(rows: tuple[int, ...], start: int, within: int) -> int:
    """The nodes of `within` that are reached from `start`, itself included."""
    found = fresh = start
    while fresh:
        fresh = _union(rows, fresh) & within & ~found
        found |= fresh
    return found
