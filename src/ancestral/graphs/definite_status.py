"""Definite m-separation: separation in a graph with circles, valid in every MAG of its class or in none.

A node on a path is a collider if both marks at it are arrowheads, and a definite non-collider if one of them is a tail,
or if both are circles and its two neighbours on the path are not adjacent. Two nodes are connected given Z if a path
joins them on which each node has such a definite status, no non-collider is in Z, and every collider is a definite
ancestor of Z. (Zhang 2008, Causal reasoning with ancestral graphs, definition 10 and lemma 1.)

The idea: whether a walk may continue from u over v to w depends on these three nodes alone, so each edge is visited
once in each direction. It suffices to look for walks: the status of the nodes of a walk is the same in every MAG of the
class, so it is a connecting walk there, and in a MAG such a walk contains a connecting path.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.ancestry import directed_steps
from ancestral.graphs.marks import ARROW, NONE, TAIL

__all__ = ["connecting_walk"]

Marks = NDArray[np.uint8]


def connecting_walk(
    marks: Marks, xs: Iterable[int], ys: Iterable[int], given: Iterable[int], without: NDArray[np.bool_] | None = None
) -> list[int] | None:
    """The nodes of a shortest connecting walk from one of xs to one of ys, or None.

    `without` are edges, as a matrix of steps, that no walk may take; their nodes still count as adjacent.
    """
    present = marks != NONE
    passable = present if without is None else present & ~(without | without.T)
    targets = [np.flatnonzero(row).tolist() for row in passable]
    ends, blocks = set(ys), np.zeros(len(marks), dtype=bool)
    blocks[list(given)] = True
    opens = _before(directed_steps(marks), blocks)
    starts = sorted(set(xs))
    came_from: dict[tuple[int, int], tuple[int, int] | None] = {(x, v): None for x in starts for v in targets[x]}
    queue = list(came_from)
    for step in queue:
        u, v = step
        if v in ends:
            return _back(came_from, step)
        into = marks[u, v] == ARROW
        for w in targets[v]:
            if w == u or (v, w) in came_from:
                continue
            back = marks[w, v]
            if into and back == ARROW:
                may_pass = opens[v]
            elif marks[u, v] == TAIL or back == TAIL:
                may_pass = not blocks[v]
            else:  # a circle at v: only two circles, unshielded, are of definite status
                may_pass = not into and back != ARROW and not present[u, w] and not blocks[v]
            if may_pass:
                came_from[v, w] = step
                queue.append((v, w))
    return None


def _before(steps: NDArray[np.bool_], nodes: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The nodes from which steps lead to one of these nodes, which are included."""
    reached = nodes.copy()
    frontier = np.flatnonzero(reached)
    while frontier.size:
        fresh = steps[:, frontier].any(axis=1) & ~reached
        reached |= fresh
        frontier = np.flatnonzero(fresh)
    return reached


def _back(came_from: dict[tuple[int, int], tuple[int, int] | None], last: tuple[int, int]) -> list[int]:
    """The nodes of the walk that ends with a step."""
    walk = [last[1]]
    step: tuple[int, int] | None = last
    while step is not None:
        walk.append(step[0])
        step = came_from[step]
    return walk[::-1]
