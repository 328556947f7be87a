"""Greedy equivalence search (GES; Chickering 2002): from one class of DAGs to the next that scores lower.

A state is a CPDAG. Forward, an edge is inserted as long as that lowers the score, the best one first; then, backward,
edges are removed. Operators and their validity are those of Chickering (2002, theorems 15 and 17): with N(y) the
neighbours of y by undirected edges, and NA those of them that are adjacent to x,

- insert x, y, T: T are neighbours of y that are not adjacent to x. NA and T together must be a clique that blocks every
  semi-directed path from y to x. The score changes by that of y with and without x, given NA, T and the parents of y.
- delete x, y, H: H are some of NA, and the rest of NA must be a clique.

All gains of a variable y for one conditioning set are found in one pass (`_local_scores_cy`). The operators of y are
kept, in one heap, until an edge near y changes; only paths are looked at again, since they may lead anywhere. Sets of
nodes are whole numbers, with a bit for each node.
"""

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.graphs.marks import ARROW, CIRCLE, NONE, TAIL
from ancestral.orientation._judge_cy import TrueGraph
from ancestral.orientation.orient import orient_cpdag
from ancestral.scores._local_scores_cy import LocalScores
from ancestral.scores.ties import ranked

__all__ = ["greedy_equivalence_search"]

Marks = NDArray[np.uint8]

#: Neighbours whose subsets are all tried as T or H; of more, only subsets of up to two.
MOST_SUBSETS = 8

#: An operator must lower the score by this much.
LEAST_GAIN = 1e-6


def greedy_equivalence_search(scores: LocalScores, pulse: Pulse) -> tuple[Marks, Marks]:
    """The marks of the CPDAG that the search comes to from the graph without edges, and those of a DAG in its class.

    Undirected edges of the CPDAG have two tails.
    """
    state = _State(scores, pulse)
    for operators in (_inserts, _deletes):
        waiting = _Waiting(state, operators)
        while (best := waiting.best()) is not None:
            waiting.renew(state.apply(best))
    return state.marks, state.dag


class _Operator(NamedTuple):
    """An operator on the edge x–y, in the order in which operators are tried; `nodes` are T or H.

    `held` are NA and T of an insert, the nodes that block paths from y to x; 0 for a delete.
    """

    loss: float
    x: int
    y: int
    nodes: int
    held: int
    inserts: bool


class _State:
    """A CPDAG during the search: its marks, and for each node the sets of its parents, children and neighbours."""

    def __init__(self, scores: LocalScores, pulse: Pulse) -> None:
        n = scores.n
        self.scores = scores
        self.pulse = pulse
        self.marks: Marks = np.zeros((n, n), dtype=np.uint8)
        self.dag = self.marks
        self.parents, self.children, self.neighbours = ([0] * n for _ in range(3))

    def adjacent(self, v: int) -> int:
        return self.parents[v] | self.children[v] | self.neighbours[v]

    def is_clique(self, nodes: int) -> bool:
        return all(nodes & ~(self.adjacent(v) | 1 << v) == 0 for v in _members(nodes))

    def is_blocked(self, start: int, goal: int, by: int) -> bool:
        """Whether every semi-directed path from one node to another meets one of these."""
        seen, waiting = by | 1 << start, [start]
        while waiting:
            v = waiting.pop()
            onward = (self.children[v] | self.neighbours[v]) & ~seen
            if onward >> goal & 1:
                return False
            seen |= onward
            waiting += _members(onward)
        return True

    def is_valid(self, operator: _Operator) -> bool:
        """Whether an operator leads to another CPDAG; that its nodes are a clique was seen when it was made."""
        return not operator.inserts or self.is_blocked(operator.y, operator.x, operator.held)

    def apply(self, operator: _Operator) -> list[int]:
        """Apply a valid operator, and complete the graph; the nodes whose operators may have changed."""
        self.pulse.step()
        before, marks = self.marks, self.marks.copy()
        x, y, nodes = operator.x, operator.y, list(_members(operator.nodes))
        if operator.inserts:
            _direct(marks, [(u, y) for u in (x, *nodes)])
        else:
            marks[x, y] = marks[y, x] = NONE
            undirected = [h for h in nodes if marks[x, h] == TAIL and marks[h, x] == TAIL]
            _direct(marks, [(y, h) for h in nodes] + [(x, h) for h in undirected])
        self.dag = _extended(marks)
        self.marks = _class_of(self.dag, self.pulse)
        changed = np.flatnonzero((self.marks != before).any(axis=0) | (self.marks != before).any(axis=1)).tolist()
        near = 0
        for v in changed:
            self.parents[v], self.children[v], self.neighbours[v] = _neighbourhood(self.marks, v)
            near |= self.adjacent(v) | 1 << v
        return list(_members(near))


class _Waiting:
    """The operators that lower the score, the best one first; those of each node are made anew when it changes."""

    def __init__(self, state: _State, operators: Callable[[_State, int], Iterator[_Operator]]) -> None:
        self._state = state
        self._operators = operators
        self._versions = [0] * state.scores.n
        self._heap: list[tuple[_Operator, int]] = []
        self._set_aside: list[tuple[_Operator, int]] = []  # not valid in the graph as it is
        self.renew(range(state.scores.n))

    def renew(self, nodes: Iterator[int] | range | list[int]) -> None:
        """Make the operators of these nodes anew; the graph has changed, so the others may be valid again."""
        for y in nodes:
            self._versions[y] += 1
            for operator in self._operators(self._state, y):
                heappush(self._heap, (operator, self._versions[y]))
        for entry in self._set_aside:
            heappush(self._heap, entry)
        self._set_aside = []

    def best(self) -> _Operator | None:
        """The valid operator with the largest gain; None if there is none."""
        while self._heap:
            entry = heappop(self._heap)
            operator, version = entry
            if version < self._versions[operator.y]:
                continue
            if self._state.is_valid(operator):
                return operator
            self._set_aside.append(entry)
        return None


def _inserts(state: _State, y: int) -> Iterator[_Operator]:
    """The inserts of an edge into y that lower the score."""
    parents, neighbours = state.parents[y], state.neighbours[y]
    gains: dict[int, NDArray[np.float64]] = {}
    for base, others in _by_common_neighbours(state, y):
        for nodes in _subsets(neighbours & ~base):
            held = base | nodes
            if not state.is_clique(held):
                continue
            if held not in gains:
                gains[held] = state.scores.gains_of(y, list(_members(held | parents)))
            for x in others[gains[held][others] > LEAST_GAIN].tolist():
                yield _Operator(ranked(-float(gains[held][x])), x, y, nodes, held, True)


def _by_common_neighbours(state: _State, y: int) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """The nodes that are not adjacent to y, in groups with the same NA: each NA, and the nodes that have it."""
    groups: dict[int, list[int]] = {}
    for x in np.flatnonzero(state.marks[y] == NONE).tolist():
        if x != y:
            groups.setdefault(state.neighbours[y] & state.adjacent(x), []).append(x)
    return ((base, np.array(others)) for base, others in groups.items())


def _deletes(state: _State, y: int) -> Iterator[_Operator]:
    """The removals of an edge at y, undirected or into y, that lower the score."""
    parents, neighbours = state.parents[y], state.neighbours[y]
    for x in _members(parents | neighbours):
        common = neighbours & state.adjacent(x)
        for nodes in _subsets(common):
            if not state.is_clique(common & ~nodes):
                continue
            given = list(_members(((common & ~nodes) | parents) & ~(1 << x)))
            gain = state.scores.score_of(y, [*given, x]) - state.scores.score_of(y, given)
            if gain > LEAST_GAIN:
                yield _Operator(ranked(-float(gain)), x, y, nodes, 0, False)


# -- sets of nodes ----------------------------------------------------------------------------------------------------


def _members(nodes: int) -> Iterator[int]:
    """The nodes of a set, in increasing order."""
    while nodes:
        first = nodes & -nodes
        yield first.bit_length() - 1
        nodes ^= first


def _subsets(nodes: int) -> Iterator[int]:
    members = [1 << v for v in _members(nodes)]
    for size in range((len(members) if len(members) <= MOST_SUBSETS else 2) + 1):
        yield from (sum(chosen) for chosen in combinations(members, size))


def _set_of(inside: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(inside, bitorder="little").tobytes(), "little")


def _neighbourhood(marks: Marks, v: int) -> tuple[int, int, int]:
    """The parents, the children and the neighbours of a node."""
    into, out = marks[:, v], marks[v]
    return _set_of(into == ARROW), _set_of(out == ARROW), _set_of((into == TAIL) & (out == TAIL))


# -- classes ----------------------------------------------------------------------------------------------------------


def _direct(marks: Marks, edges: list[tuple[int, int]]) -> None:
    """Let edges u, v point from u to v."""
    for u, v in edges:
        marks[u, v], marks[v, u] = ARROW, TAIL


def _class_of(dag: Marks, pulse: Pulse) -> Marks:
    """The CPDAG of a DAG."""
    circles = np.where(dag != NONE, np.uint8(CIRCLE), np.uint8(NONE))
    oriented = orient_cpdag(circles, TrueGraph(dag), pulse).marks
    return np.where(oriented == CIRCLE, np.uint8(TAIL), oriented)


def _extended(marks: Marks) -> Marks:
    """A DAG with the directed edges of a graph and no new v-structure (Dor & Tarsi 1992).

    Repeatedly a sink is taken: a node without children whose neighbours by undirected edges are adjacent to all other
    nodes that are adjacent to it. Its undirected edges point to it, and it is removed. A node can become a sink only
    when one that is adjacent to it is removed.
    """
    out, n = marks.copy(), len(marks)
    parents, children, neighbours = map(list, zip(*(_neighbourhood(marks, v) for v in range(n)), strict=True))
    left, waiting = (1 << n) - 1, list(range(n))
    while waiting:
        v = waiting.pop()
        undirected = neighbours[v] & left
        adjacent = (parents[v] & left) | undirected
        if not left >> v & 1 or children[v] & left:
            continue
        if all(adjacent & ~(parents[u] | children[u] | neighbours[u] | 1 << u) == 0 for u in _members(undirected)):
            _direct(out, [(u, v) for u in _members(undirected)])
            left &= ~(1 << v)
            waiting += _members(adjacent)
    assert not left, "a valid operator leads to a graph that can be extended"
    return out
