"""Greedy equivalence search (GES; Chickering 2002): from one class of DAGs to the next that scores lower.

A state is a CPDAG. Forward, an edge is inserted as long as that lowers the score, the best one first; then, backward,
edges are removed. Operators and their validity are those of Chickering (2002, theorems 15 and 17): with N(y) the
neighbours of y by undirected edges, and NA those of them that are adjacent to x,

- insert x, y, T: T are neighbours of y that are not adjacent to x. NA and T together must be a clique that blocks every
  semi-directed path from y to x. The score changes by that of y with and without x, given NA, T and the parents of y.
- delete x, y, H: H are some of NA, and the rest of NA must be a clique.

All gains of a variable y for one conditioning set are found in one pass (`_local_scores_cy`), and kept until an edge
near y changes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.graphs.marks import ARROW, NONE, TAIL
from ancestral.orientation._judge_cy import TrueGraph
from ancestral.orientation.orient import orient_cpdag
from ancestral.scores._local_scores_cy import LocalScores

__all__ = ["greedy_equivalence_search"]

Marks = NDArray[np.uint8]

#: Neighbours whose subsets are all tried as T or H; of more, only subsets of up to two.
MOST_SUBSETS = 8

#: An operator must lower the score by this much.
LEAST_GAIN = 1e-6


def greedy_equivalence_search(scores: LocalScores, pulse: Pulse) -> Marks:
    """The marks of the CPDAG that the search comes to from the graph without edges; undirected edges have two tails."""
    state = _State(np.zeros((scores.n, scores.n), dtype=np.uint8), scores, pulse)
    for operators in (_inserts, _deletes):
        waiting = {y: operators(state, y) for y in range(scores.n)}
        while (best := _best_valid(state, waiting)) is not None:
            for y in state.apply(best):
                waiting[y] = operators(state, y)
    return state.marks


@dataclass(frozen=True, slots=True, order=True)
class _Operator:
    """An operator on the edge x–y; `nodes` are T or H, `base` what y keeps of its neighbours."""

    gain: float
    x: int
    y: int
    nodes: tuple[int, ...]
    base: tuple[int, ...]
    inserts: bool


class _State:
    """A CPDAG during the search."""

    def __init__(self, marks: Marks, scores: LocalScores, pulse: Pulse) -> None:
        self.marks = marks
        self.scores = scores
        self.pulse = pulse

    def parents(self, y: int) -> list[int]:
        return np.flatnonzero((self.marks[:, y] == ARROW) & (self.marks[y] == TAIL)).tolist()

    def neighbours(self, y: int) -> list[int]:
        return np.flatnonzero((self.marks[:, y] == TAIL) & (self.marks[y] == TAIL)).tolist()

    def is_clique(self, nodes: tuple[int, ...]) -> bool:
        return all(self.marks[a, b] for a, b in combinations(nodes, 2))

    def is_blocked(self, start: int, goal: int, by: tuple[int, ...]) -> bool:
        """Whether every semi-directed path from one node to another meets one of these."""
        seen, waiting = {start, *by}, [start]
        while waiting:
            v = waiting.pop()
            for w in np.flatnonzero(self.marks[v] != NONE).tolist():
                if self.marks[w, v] == TAIL and w not in seen:  # v --> w or v --- w
                    if w == goal:
                        return False
                    seen.add(w)
                    waiting.append(w)
        return True

    def is_valid(self, operator: _Operator) -> bool:
        """Whether an operator leads to another CPDAG."""
        if not operator.inserts:
            return self.is_clique(operator.base)
        held = (*operator.base, *operator.nodes)
        return self.is_clique(held) and self.is_blocked(operator.y, operator.x, held)

    def apply(self, operator: _Operator) -> list[int]:
        """Apply a valid operator, and complete the graph; the nodes whose operators may have changed."""
        self.pulse.step()
        before = self.marks
        x, y = operator.x, operator.y
        marks = before.copy()
        if operator.inserts:
            marks[x, y], marks[y, x] = ARROW, TAIL
            for t in operator.nodes:
                marks[t, y], marks[y, t] = ARROW, TAIL
        else:
            marks[x, y] = marks[y, x] = NONE
            for h in operator.nodes:
                marks[y, h], marks[h, y] = ARROW, TAIL
                if marks[x, h] == TAIL and marks[h, x] == TAIL:
                    marks[x, h], marks[h, x] = ARROW, TAIL
        self.marks = _completed(marks, self.pulse)
        changed = np.flatnonzero((self.marks != before).any(axis=0) | (self.marks != before).any(axis=1))
        near = (self.marks[changed] != NONE).any(axis=0)
        near[changed] = True
        return np.flatnonzero(near).tolist()


def _inserts(state: _State, y: int) -> list[_Operator]:
    """The inserts of an edge into y that lower the score, the best one last."""
    parents, neighbours = state.parents(y), state.neighbours(y)
    adjacent = state.marks[y] != NONE
    gains: dict[tuple[int, ...], NDArray[np.float64]] = {}
    out = []
    near = state.marks[neighbours] != NONE  # which nodes each neighbour is adjacent to
    for x in np.flatnonzero(~adjacent).tolist():
        if x == y:
            continue
        base = tuple(z for z, joined in zip(neighbours, near[:, x], strict=True) if joined)
        for nodes in _subsets([z for z in neighbours if z not in base]):
            held = (*base, *nodes)
            if not state.is_clique(held):
                continue
            given = tuple(sorted((*held, *parents)))
            if given not in gains:
                gains[given] = state.scores.gains_of(y, given)
            if gains[given][x] > LEAST_GAIN:
                out.append(_Operator(float(gains[given][x]), x, y, nodes, base, True))
    return sorted(out)


def _deletes(state: _State, y: int) -> list[_Operator]:
    """The removals of an edge at y, undirected or into y, that lower the score, the best one last."""
    parents, neighbours = state.parents(y), state.neighbours(y)
    out = []
    for x in (*parents, *neighbours):
        common = [z for z in neighbours if z != x and state.marks[x, z]]
        for nodes in _subsets(common):
            base = tuple(z for z in common if z not in nodes)
            if not state.is_clique(base):
                continue
            given = sorted({*base, *parents} - {x})
            gain = state.scores.score_of(y, [*given, x]) - state.scores.score_of(y, given)
            if gain > LEAST_GAIN:
                out.append(_Operator(float(gain), x, y, nodes, base, False))
    return sorted(out)


def _best_valid(state: _State, waiting: dict[int, list[_Operator]]) -> _Operator | None:
    """The valid operator with the largest gain; those that are not valid now are left out until the graph changes."""
    heads = sorted((operators[-1] for operators in waiting.values() if operators), reverse=True)
    while heads:
        best = heads.pop(0)
        if state.is_valid(best):
            return best
        operators = [operator for operator in waiting[best.y] if operator < best]
        if operators:
            heads = sorted([*heads, operators[-1]], reverse=True)
    return None


def _subsets(nodes: list[int]) -> Iterator[tuple[int, ...]]:
    for size in range((len(nodes) if len(nodes) <= MOST_SUBSETS else 2) + 1):
        yield from combinations(nodes, size)


def _completed(marks: Marks, pulse: Pulse) -> Marks:
    """The CPDAG of the DAGs that extend a partially directed graph."""
    dag = _extended(marks)
    oriented = orient_cpdag(np.where(dag != NONE, np.uint8(1), np.uint8(0)), TrueGraph(dag), pulse).marks
    return np.where(oriented == 1, np.uint8(TAIL), oriented)


def _extended(marks: Marks) -> Marks:
    """A DAG with the directed edges of a graph and no new v-structure (Dor & Tarsi 1992).

    Repeatedly a sink is taken: a node without children whose neighbours by undirected edges are adjacent to all other
    nodes that are adjacent to it. Its undirected edges point to it, and it is removed.
    """
    out, left = marks.copy(), marks.copy()
    waiting = list(range(len(marks)))
    while waiting:
        for v in waiting:
            adjacent = np.flatnonzero(left[v])
            undirected = [u for u in adjacent.tolist() if left[u, v] == TAIL and left[v, u] == TAIL]
            if (left[v, adjacent] == ARROW).any():
                continue  # it has a child
            if all(left[u, w] for u in undirected for w in adjacent.tolist() if w != u):
                break
        else:
            raise AssertionError("a valid operator leads to a graph that can be extended")
        for u in undirected:
            out[u, v], out[v, u] = ARROW, TAIL
        left[v] = NONE
        left[:, v] = NONE
        waiting.remove(v)
    return out
