"""One graph of a class: its circles turned into arrowheads and tails such that nothing is said that was not.

Edges o-> and --o become -->. The edges o-o form chordal graphs (if the PAG is one): their nodes are
visited such that each next one has most neighbours visited (maximum cardinality search, Tarjan & Yannakakis 1984), and
each edge points to the end that is visited later. Earlier neighbours of a node are then adjacent to each other, so that
no unshielded collider comes about. (Zhang 2008, On the completeness of orientation rules, theorem 2.)
"""

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import ARROW, CIRCLE, TAIL

__all__ = ["circle_ring", "member_marks"]

Marks = NDArray[np.uint8]


def member_marks(marks: Marks, rng: np.random.Generator | None = None) -> Marks:
    """The marks of a graph of the class; where the order leaves a choice, at random if a generator is given."""
    circle = marks == CIRCLE
    loose = circle & circle.T
    place = np.empty(len(marks), dtype=np.intp)
    place[_visited(loose, rng)] = np.arange(len(marks))
    out = np.where(circle, np.uint8(TAIL), marks)
    out[circle & (marks.T == TAIL)] = ARROW
    out[loose & (place[:, None] < place[None, :])] = ARROW
    return out


def circle_ring(marks: Marks) -> list[int]:
    """The nodes of a ring of four or more edges o-o without a chord of that kind; empty if there is none."""
    circle = marks == CIRCLE
    loose = circle & circle.T
    for u, v in np.argwhere(loose).tolist():
        for w in np.flatnonzero(loose[v] & ~loose[u]).tolist():
            if w == u:
                continue
            # a way around v, from w to u, past all other neighbours of v
            barred = loose[v].copy()
            barred[[v, u, w]] = [True, False, False]
            if way := _way(loose, w, u, barred):
                return [v, *way]
    return []


def _visited(loose: NDArray[np.bool_], rng: np.random.Generator | None) -> list[int]:
    """The nodes in the order of a maximum cardinality search."""
    n = len(loose)
    weight = np.zeros(n)
    tie = rng.random(n) if rng is not None else np.arange(n, 0, -1) / (n + 1)
    order = []
    for _ in range(n):
        v = int(np.argmax(weight + tie))
        order.append(v)
        weight[loose[v]] += 1
        weight[v] = -n - 1
    return order


def _way(loose: NDArray[np.bool_], start: int, end: int, barred: NDArray[np.bool_]) -> list[int]:
    """A shortest way between two nodes that takes none of those barred."""
    came_from = {start: start}
    queue = [start]
    for u in queue:
        for v in np.flatnonzero(loose[u] & ~barred).tolist():
            if v not in came_from:
                came_from[v] = u
                queue.append(v)
    if end not in came_from:
        return []
    way = [end]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]
