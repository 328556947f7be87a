"""Ancestors, possible ancestors and possible anteriors, by reachability.

Each of these relations is a condition on single steps u → v. So a walk that satisfies it contains a path that does, and
reachability decides the relation. In all of them a node counts as its own ancestor.
"""

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs._ancestry_cy import closure
from ancestral.graphs.marks import ARROW, NONE, TAIL

__all__ = [
    "ancestor_bits",
    "anterior_bits",
    "directed_steps",
    "possible_ancestor_steps",
    "possible_anterior_steps",
    "reach_each_other",
    "reachable",
    "reaching",
]

Marks = NDArray[np.uint8]
Steps = NDArray[np.bool_]


def directed_steps(marks: Marks) -> Steps:
    """At u, v: whether u --> v."""
    return (marks == ARROW) & (marks.T == TAIL)


def possible_ancestor_steps(marks: Marks) -> Steps:
    """At u, v: whether the edge u–v has no arrowhead at u and no tail at v (possible ancestors in the ICD paper)."""
    return (marks != NONE) & (marks.T != ARROW) & (marks != TAIL)


def possible_anterior_steps(marks: Marks) -> Steps:
    """At u, v: whether the edge u–v has no arrowhead at u: u may be an ancestor of v or of a selection node."""
    return (marks != NONE) & (marks.T != ARROW)


def reaching(steps: Steps, target: int) -> NDArray[np.intp]:
    """The nodes from which `target` can be reached by steps, itself among them, in increasing order."""
    reached = np.zeros(len(steps), dtype=bool)
    reached[target] = True
    frontier = np.array([target])
    while frontier.size:
        fresh = steps[:, frontier].any(axis=1) & ~reached
        reached |= fresh
        frontier = np.flatnonzero(fresh)
    return np.flatnonzero(reached)


def ancestor_bits(marks: Marks) -> NDArray[np.uint64]:
    """Row v is the bitset of the ancestors of v along directed edges, v itself among them."""
    return closure(np.ascontiguousarray(directed_steps(marks).T))


def anterior_bits(marks: Marks) -> NDArray[np.uint64]:
    """Row v is the bitset of the possible anteriors of v, v itself among them."""
    return closure(np.ascontiguousarray(possible_anterior_steps(marks).T))


def reachable(steps: Steps) -> Steps:
    """At u, v: whether steps lead from u to v; a node reaches itself."""
    bits = closure(np.ascontiguousarray(steps))
    return np.unpackbits(bits.view(np.uint8), axis=1, count=len(steps), bitorder="little").astype(bool)


def reach_each_other(steps: Steps) -> Steps:
    """At u, v: whether steps lead from u to v and back; a node reaches itself."""
    reached = reachable(steps)
    return np.asarray(reached & reached.T)
