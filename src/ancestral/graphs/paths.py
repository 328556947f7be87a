"""Paths that a kind of graph must not have: directed cycles, and inducing paths between non-adjacent nodes."""

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs._separation_cy import Walker
from ancestral.graphs.bits import all_bits
from ancestral.graphs.marks import NONE

__all__ = ["directed_cycle", "inducing_pair"]


def directed_cycle(steps: NDArray[np.bool_]) -> list[int]:
    """The nodes of some cycle of steps in their order, or an empty list."""
    left = np.ones(len(steps), dtype=bool)
    while True:  # peel off what has no step from the rest into it; a cycle never peels
        sources = left & ~(steps & left[:, None]).any(axis=0)
        if not sources.any():
            break
        left &= ~sources
    if not left.any():
        return []
    # each node that is left has a predecessor that is left: walk backwards until a node comes again
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
