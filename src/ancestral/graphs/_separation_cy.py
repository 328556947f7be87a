"""Walks that carry dependence: the one loop behind d-separation, m-separation and inducing paths.

The idea (Bayes ball): a node is entered through an arrowhead or through a tail, so there are two states per node
and each edge is visited at most twice: linear time. A walk may pass
- a collider (entered and left through arrowheads) if it is in `opens`,
- any other node if it is not in `blocks`.

For separation given Z, both are Z. (A walk may turn back: from a collider with a descendant in Z it leads down to
that descendant and up again, so ancestors need not be known.) For inducing paths relative to the latent nodes,
`blocks` are all nodes but the latent ones, and `opens` the ancestors of the two ends (and of selection).
If there is such a walk, there is also a path. Every mark must be an arrowhead or a tail; circles are not allowed.
"""

from typing import Any

import cython
import numpy as np

from ancestral.graphs.csr import compressed

if not cython.compiled:
    from ancestral._cython import bit64
    from ancestral.graphs.marks import ARROW


@cython.cclass
class Walker:
    """Walks on one graph. It has its own scratch space, so only one thread may use it at a time."""

    def __init__(self, marks: Any) -> None:
        sources, heads, self.offsets = compressed(marks)
        self.n = len(marks)
        self.words = (self.n + 63) // 64
        self.targets = heads
        self.near = np.ascontiguousarray(marks[heads, sources], dtype=np.uint8)
        self.far = np.ascontiguousarray(marks[sources, heads], dtype=np.uint8)
        self.queue = np.zeros(2 * self.n + 1, dtype=np.intc)
        self.seen = np.zeros(2 * self.n + 1, dtype=np.uintc)
        self.stamp = 0

    def connected(
        self,
        x: cython.Py_ssize_t,
        y: cython.Py_ssize_t,
        blocks: cython.ulonglong[::1],
        opens: cython.ulonglong[::1],
    ) -> bool:
        """Whether a walk leads from x to y."""
        return bool(self.walk(x, y, blocks, opens))

    def reached(self, x: cython.Py_ssize_t, blocks: cython.ulonglong[::1], opens: cython.ulonglong[::1]) -> Any:
        """All nodes to which a walk leads from x, in increasing order."""
        self.walk(x, -1, blocks, opens)
        states = np.asarray(self.seen)[: 2 * self.n].reshape(self.n, 2)
        found = (states == self.stamp).any(axis=1)
        found[x] = False
        return np.flatnonzero(found)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def walk(
        self,
        x: cython.Py_ssize_t,
        y: cython.Py_ssize_t,
        blocks: cython.ulonglong[::1],
        opens: cython.ulonglong[::1],
    ) -> cython.int:
        """Return 1 if a walk leads from x to y, otherwise 0; with y = -1, mark all states that can be reached.

        State 2v is node v entered through a tail or circle, state 2v + 1 through an arrowhead.
        """
        self.stamp += 1
        head: cython.Py_ssize_t = 0
        tail: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        state: cython.Py_ssize_t
        through_arrow: cython.bint
        may_collide: cython.bint
        may_pass: cython.bint
        for i in range(self.offsets[x], self.offsets[x + 1]):
            v = self.targets[i]
            if v == y:
                return 1
            state = 2 * v + (self.far[i] == ARROW)
            self.seen[state] = self.stamp
            self.queue[tail] = cython.cast(cython.int, state)
            tail += 1
        while head < tail:
            state = self.queue[head]
            head += 1
            v = state >> 1
            through_arrow = state & 1
            may_collide = through_arrow and opens[v >> 6] & bit64(v) != 0
            may_pass = blocks[v >> 6] & bit64(v) == 0
            for i in range(self.offsets[v], self.offsets[v + 1]):
                if through_arrow and self.near[i] == ARROW:
                    if not may_collide:
                        continue
                elif not may_pass:
                    continue
                if self.targets[i] == y:
                    return 1
                state = 2 * self.targets[i] + (self.far[i] == ARROW)
                if self.seen[state] != self.stamp:
                    self.seen[state] = self.stamp
                    self.queue[tail] = cython.cast(cython.int, state)
                    tail += 1
        return 0
