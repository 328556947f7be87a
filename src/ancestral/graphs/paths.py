"""Paths through a graph: shortest ones, directed cycles, and inducing paths between non-adjacent nodes."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs._separation_cy import Walker
from ancestral.graphs.bits import all_bits
from ancestral.graphs.marks import NONE

__all__ = ["directed_cycle", "inducing_pair", "predecessors", "shortest", "shortest_of_steps"]

Node = TypeVar("Node", bound=Hashable)


def predecessors(after: Callable[[Node], Iterable[Node]], start: Node, end: Node | None = None) -> dict[Node, Node]:
    """For each node that `start` leads to in one or more steps, nearest first, the node before it on a shortest path.

    `after` gives the nodes that can be reached from a node in one step. The start itself is among the keys only if
    steps lead back to it. If there is an `end`, nodes beyond it may be missing.
    """
    before: dict[Node, Node] = {}
    queue = [start]
    for u in queue:
        for v in after(u):
            if v not in before:
                before[v] = u
                queue.append(v)
        if end is not None and end in before:
            break
    return before


def shortest(after: Callable[[Node], Iterable[Node]], start: Node, end: Node) -> list[Node]:
    """The nodes of a shortest path of one or more steps from `start` to `end`; empty if there is none.

    `after` gives the nodes that can be reached from a node in one step; among equally short paths, those that it gives
    first are preferred. From a node to itself the path is a shortest cycle.

    >>> shortest({"a": "bc", "b": "d", "c": "d", "d": "a"}.__getitem__, "a", "d")
    ['a', 'b', 'd']
    """
    before = predecessors(after, start, end)
    if end not in before:
        return []
    path = [end, before[end]]
    while path[-1] != start:
        path.append(before[path[-1]])
    return path[::-1]


def shortest_of_steps(steps: NDArray[np.bool_], start: int, end: int) -> list[int]:
    """A shortest path, as `shortest` gives it, where `steps[u, v]` says whether a step leads from u to v."""
    return shortest(lambda u: np.flatnonzero(steps[u]).tolist(), start, end)


def directed_cycle(steps: NDArray[np.bool_]) -> list[int]:
    """The nodes of some cycle of steps in their order, or an empty list."""
    left = np.ones(len(steps), dtype=bool)
    while True:  # remove nodes without a step from the rest into them; a node of a cycle is never removed
        sources = left & ~(steps & left[:, None]).any(axis=0)
        if not sources.any():
            break
        left &= ~sources
    if not left.any():
        return []
    # each node that is left has a predecessor that is left: walk backwards until a node repeats
    trail: list[int] = []
    node = int(np.flatnonzero(left)[0])
    while node not in trail:
        trail.append(node)
        node = int(np.flatnonzero(steps[:, node] & left)[0])
    return trail[trail.index(node) :][::-1]


def inducing_pair(marks: NDArray[np.uint8], ancestors: NDArray[np.uint64]) -> tuple[int, int] | None:
    """Two non-adjacent nodes that no set separates, or None.

    They are joined by an inducing path: each node between is a collider and an ancestor of one of the two.
    """
    n = len(marks)
    walker = Walker(marks)
    everything = all_bits(walker.words)
    for a in range(n):
        within_reach = walker.reached(a, everything, everything)
        for b in within_reach[within_reach > a]:
            if marks[a, b] == NONE and walker.connected(a, b, everything, ancestors[a] | ancestors[b]):
                return a, int(b)
    return None
