"""Definite m-separation: separation in a graph with circles, valid in every MAG of its class or in none.

A node on a path is a collider if both marks at it are arrowheads, and a definite non-collider if one of them is a tail,
or if both are circles and its two neighbours on the path are not adjacent. Two nodes are connected given Z if a path
joins them on which each node has such a definite status, no non-collider is in Z, and every collider is a definite
ancestor of Z. (Zhang 2008, Causal reasoning with ancestral graphs, definition 10 and lemma 1.)

The idea: whether a walk may continue from u over v to w depends on these three nodes alone, so each edge is visited
once in each direction. It suffices to look for walks: the status of the nodes of a walk is the same in every MAG of the
class, so it is a connecting walk there, and in a MAG such a walk contains a connecting path.
"""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.ancestry import directed_steps
from ancestral.graphs.marks import ARROW, NONE, TAIL

__all__ = ["connected_to", "connecting_walk"]

Marks = NDArray[np.uint8]
Step = tuple[int, int]


def connecting_walk(
    marks: Marks, xs: Iterable[int], ys: Iterable[int], given: Iterable[int], without: NDArray[np.bool_] | None = None
) -> list[int] | None:
    """The nodes of a shortest connecting walk from one of xs to one of ys, or None.

    `without` are edges, as a matrix of steps, that no walk may take, and over which no node is an ancestor; their nodes
    still count as adjacent.
    """
    walk = _Walks(marks, given, without)
    starts, ends = sorted(set(xs)), set(ys)
    came_from: dict[Step, Step | None] = {(x, v): None for x in starts for v in walk.targets[x]}
    queue = list(came_from)
    for step in queue:
        if step[1] in ends:
            return _back(came_from, step)
        for onward in walk.after(step):
            if onward not in came_from:
                came_from[onward] = step
                queue.append(onward)
    return None


def connected_to(marks: Marks, xs: Iterable[int], given: Iterable[int]) -> set[int]:
    """Those of the given nodes that are connected to one of xs given all the others.

    They are the smallest part of `given` that separates xs from the rest of it. A walk that ends at a given node may
    pass colliders that are ancestors of this node alone: then there is also a walk that takes the directed path.
    """
    walk, sources = _Walks(marks, given, None), set(xs)
    seen = {(x, v) for x in sources for v in walk.targets[x]}
    queue = list(seen)
    for step in queue:
        for onward in walk.after(step):
            if onward not in seen:
                seen.add(onward)
                queue.append(onward)
    return {v for _, v in queue if walk.blocks[v]} - sources


class _Walks:
    """How walks may go on in a graph, given some nodes, and without some edges."""

    def __init__(self, marks: Marks, given: Iterable[int], without: NDArray[np.bool_] | None) -> None:
        self.marks: list[list[int]] = marks.tolist()
        present, steps = marks != NONE, directed_steps(marks)
        self.present: list[list[bool]] = present.tolist()
        if without is not None:
            gone = without | without.T
            present, steps = present & ~gone, steps & ~gone
        self.targets: list[list[int]] = [np.flatnonzero(row).tolist() for row in present]
        blocks = np.zeros(len(marks), dtype=bool)
        blocks[list(given)] = True
        self.blocks: list[bool] = blocks.tolist()
        self.opens: list[bool] = _before(steps, blocks).tolist()

    def after(self, step: Step) -> Iterator[Step]:
        """The steps by which a walk may go on after this one."""
        u, v = step
        marks, into = self.marks, self.marks[u][v] == ARROW
        for w in self.targets[v]:
            if w == u:
                continue
            back = marks[w][v]
            if into and back == ARROW:
                may_pass = self.opens[v]
            elif marks[u][v] == TAIL or back == TAIL:
                may_pass = not self.blocks[v]
            else:  # a circle at v: only two circles, unshielded, are of definite status
                may_pass = not into and back != ARROW and not self.present[u][w] and not self.blocks[v]
            if may_pass:
                yield v, w


def _before(steps: NDArray[np.bool_], nodes: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The nodes from which steps lead to one of these nodes, which are included."""
    reached = nodes.copy()
    frontier = np.flatnonzero(reached)
    while frontier.size:
        fresh = steps[:, frontier].any(axis=1) & ~reached
        reached |= fresh
        frontier = np.flatnonzero(fresh)
    return reached


def _back(came_from: dict[Step, Step | None], last: Step) -> list[int]:
    """The nodes of the walk that ends with a step."""
    walk = [last[1]]
    step: Step | None = last
    while step is not None:
        walk.append(step[0])
        step = came_from[step]
    return walk[::-1]
