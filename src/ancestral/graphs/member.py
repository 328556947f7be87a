"""One graph of a class: circles become arrowheads and tails such that the new graph is in the class.

Edges o-> and --o become -->. The edges o-o form chordal graphs (if the PAG is one): their nodes are
visited such that each next one has most neighbours visited (maximum cardinality search, Tarjan & Yannakakis 1984), and
each edge points to the end that is visited later. Earlier neighbours of a node are then adjacent to each other, so that
no new unshielded collider arises. (Zhang 2008, On the completeness of orientation rules, theorem 2.)
"""

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
from ancestral.graphs.paths import shortest

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
    """The nodes of a cycle of four or more edges o-o without a chord of that kind; empty if there is none."""
    circle = marks == CIRCLE
    loose = circle & circle.T
    for u, v in np.argwhere(loose).tolist():
        for w in np.flatnonzero(loose[v] & ~loose[u]).tolist():
            if w != u and (path := _around(loose, v, w, u)):
                return [v, *path]
    return []


def _around(loose: NDArray[np.bool_], v: int, w: int, u: int) -> list[int]:
    """A shortest path from w to u, two neighbours of v, that avoids v and its other neighbours; empty if none."""
    allowed = ~loose[v]
    allowed[[v, w, u]] = [False, True, True]
    return shortest(lambda node: np.flatnonzero(loose[node] & allowed).tolist(), w, u)


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
