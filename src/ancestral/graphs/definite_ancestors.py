"""Definite ancestors of a node: its ancestors in every MAG of a class.

x is a definite ancestor of y if x --> … --> y, or if two uncovered possibly directed walks lead from x to y whose first
nodes u and v are different and not adjacent. In the second case x is not a collider between u and v, so in each MAG an
edge has a tail at x and leads to one of them. The walk that begins with this edge is directed, since none of its
triples can be a collider. (Zhang 2006, section 5; Roumpelaki et al. 2016, theorem 3.1. A walk may repeat nodes.)

Where the sample may have been selected, an edge with a tail at x may be x --- u. But then x has no arrowheads at all.
So it suffices that some such walk from x to y begins with an arrowhead, x *-> w: it is then directed.

For all classes of up to five nodes, these are all definite ancestors, with and without selection (tested).
"""

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.ancestry import directed_steps, possible_ancestor_steps, reaching
from ancestral.graphs.marks import ARROW, NONE

__all__ = ["definite_ancestors", "two_ways"]

Marks = NDArray[np.uint8]


def definite_ancestors(marks: Marks, y: int, selection_bias: bool) -> list[int]:
    """The definite ancestors of y, itself among them."""
    found = set(reaching(directed_steps(marks), y).tolist())
    found.update(two_ways(marks, y, selection_bias))
    return sorted(found)


def two_ways(marks: Marks, y: int, selection_bias: bool) -> dict[int, tuple[int, int]]:
    """For each x from which two such walks lead to y, the first nodes of the two."""
    firsts: dict[int, list[int]] = defaultdict(list)
    for x, u in _uncovered_steps(marks, y):
        firsts[x].append(u)
    out = {}
    for x, nodes in firsts.items():
        nodes.sort()
        not_adjacent = np.triu(marks[np.ix_(nodes, nodes)] == NONE, 1)
        if selection_bias and not (marks[x, nodes] == ARROW).any():
            continue
        if x != y and not_adjacent.any():
            i, j = np.argwhere(not_adjacent)[0]
            out[x] = (nodes[i], nodes[j])
    return out


def _uncovered_steps(marks: Marks, y: int) -> list[tuple[int, int]]:
    """All steps x, u that begin an uncovered possibly directed walk to y."""
    steps = possible_ancestor_steps(marks)
    found = [(u, y) for u in np.flatnonzero(steps[:, y]).tolist()]
    seen = set(found)
    for u, v in found:
        for t in np.flatnonzero(steps[:, u] & (marks[:, v] == NONE)).tolist():
            if t != v and (t, u) not in seen:
                seen.add((t, u))
                found.append((t, u))
    return found
