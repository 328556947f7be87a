"""All ancestral graphs on a skeleton, and all separations of a graph: brute force for small graphs, without any rule.

The idea: give the edges their marks one after another, `-->`, `<--`, `<->` or `---`, and backtrack as soon as the
marks so far cannot belong to an answer: an arrowhead at a node of an undirected edge, a directed or almost directed
cycle, or (with `like_colliders`) an unshielded triple that is a collider here and not in the model, or the other way
round. Each of these shows on the edges so far and is never repaired by later ones, so no answer is lost.

Answers are found one at a time, and earlier ones are not kept: there may be millions on a few nodes. Between two
answers there may be many trials, so each trial is a beat of the pulse.
"""

from collections.abc import Iterator
from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from ancestral._pulse_cy import Pulse
    from ancestral.graphs._separation_cy import Walker
    from ancestral.graphs.marks import ARROW, TAIL


def separations(marks: Any) -> Any:
    """For each pair x < y and each set of the other nodes (bit masks, in increasing order), whether it separates them.

    The marks must be arrowheads and tails; at most 31 nodes.
    """
    n: cython.Py_ssize_t = len(marks)
    size: cython.Py_ssize_t = 1 << n
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    given: cython.Py_ssize_t
    row: cython.Py_ssize_t = 0
    walker: Walker = Walker(marks)
    blocks: cython.ulonglong[::1] = np.zeros(1, dtype=np.uint64)
    out = np.zeros((n * (n - 1) // 2, size), dtype=np.uint8)
    separated: cython.uchar[:, ::1] = out
    for x in range(n):
        for y in range(x + 1, n):
            for given in range(size):
                if (given >> x) & 1 or (given >> y) & 1:
                    continue
                blocks[0] = given
                separated[row, given] = not walker.walk(x, y, blocks, blocks)
            row += 1
    return out


def enumerate_mags(model: Any, like_colliders: bool, look: Any = None) -> Iterator[Any]:
    """The marks of all ancestral graphs with the skeleton of the model.

    With `like_colliders`, only of those with the same unshielded colliders. They need not be maximal. At most 31 nodes.
    `look` is called from time to time, also between two answers.
    """
    trial = _Trial(model, like_colliders, look)
    while trial.advance():
        yield trial.array.copy()


@cython.cclass
class _Trial:
    """Edges 0 … k of `ends` have marks, the others none; `choice[i]` is the last choice tried for edge i, -1: none."""

    def __init__(self, model: Any, like_colliders: bool, look: Any) -> None:
        self.model = np.array(model, dtype=np.uint8, order="C")
        self.n = len(model)
        ends = np.argwhere(np.triu(model) != 0)
        self.ends = np.ascontiguousarray(ends, dtype=np.intc)
        self.edges = len(ends)
        self.array = np.zeros_like(np.asarray(self.model))
        self.marks = self.array
        self.reach = np.zeros(self.n, dtype=np.uintc)
        self.like_colliders = like_colliders
        self.choice = np.full(self.edges + 1, -1, dtype=np.intc)
        self.k = 0
        self.pulse = Pulse(look)

    def advance(self) -> bool:
        """Put the next answer into `array`; return False when there are no more."""
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        if self.k == self.edges and self.choice[self.k] == 0:  # go on after an answer
            self.choice[self.k] = -1
            self.k -= 1
        while self.k >= 0:
            self.pulse.beat()
            if self.k == self.edges:
                self.choice[self.k] = 0
                return True
            u, v = self.ends[self.k, 0], self.ends[self.k, 1]
            self.choice[self.k] += 1
            if self.choice[self.k] > 3:
                self.marks[u, v] = self.marks[v, u] = 0
                self.choice[self.k] = -1
                self.k -= 1
                continue
            # 0 to 3: <->, -->, <--, ---
            self.marks[u, v] = TAIL if self.choice[self.k] & 2 else ARROW
            self.marks[v, u] = TAIL if self.choice[self.k] & 1 else ARROW
            if self.fits(self.k):
                self.k += 1
        return False

    @cython.cfunc
    @cython.exceptval(-1)
    def fits(self, k: cython.Py_ssize_t) -> cython.bint:
        """Whether the marks of edge k are compatible with those of the edges before it."""
        u: cython.Py_ssize_t = self.ends[k, 0]
        v: cython.Py_ssize_t = self.ends[k, 1]
        return self.ends_agree(u, v) and self.ends_agree(v, u) and self.ancestral(k)

    @cython.cfunc
    @cython.exceptval(-1)
    def ends_agree(self, u: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.bint:
        """Whether the mark at v on u–v is compatible with the other marks at v."""
        w: cython.Py_ssize_t
        collides: cython.bint
        line: cython.bint = self.marks[u, v] == TAIL and self.marks[v, u] == TAIL
        for w in range(self.n):
            if w == u or self.marks[w, v] == 0:
                continue
            if line and self.marks[w, v] == ARROW:
                return False
            if self.marks[u, v] == ARROW and self.marks[w, v] == TAIL and self.marks[v, w] == TAIL:
                return False
            if self.like_colliders and self.model[u, w] == 0:
                collides = self.marks[u, v] == ARROW and self.marks[w, v] == ARROW
                if collides != (self.model[u, v] == ARROW and self.model[w, v] == ARROW):
                    return False
        return True

    @cython.cfunc
    @cython.exceptval(-1)
    def ancestral(self, k: cython.Py_ssize_t) -> cython.bint:
        """Whether no node with an arrowhead is, along the edges 0 … k, an ancestor of the node at the other end."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        for i in range(self.n):
            self.reach[i] = 0
        for i in range(k + 1):
            u, v = self.ends[i, 0], self.ends[i, 1]
            if self.marks[u, v] == ARROW and self.marks[v, u] == TAIL:
                self.reach[u] |= 1 << v
            elif self.marks[v, u] == ARROW and self.marks[u, v] == TAIL:
                self.reach[v] |= 1 << u
        for j in range(self.n):
            for i in range(self.n):
                if (self.reach[i] >> j) & 1:
                    self.reach[i] |= self.reach[j]
        for i in range(k + 1):
            u, v = self.ends[i, 0], self.ends[i, 1]
            if self.marks[u, v] == ARROW and (self.reach[v] >> u) & 1:
                return False
            if self.marks[v, u] == ARROW and (self.reach[u] >> v) & 1:
                return False
        return True
