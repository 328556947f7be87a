"""All subsets of a pool of nodes, asked as they are chosen: one set size of PC's search, or of FCI's second one.

The idea: each node has a pool, its neighbours or its Possible-D-Sep. The sets of a pair are the subsets, of one size,
of the pool of either end, without the pair itself. They are chosen node by node, in the order that the test prefers,
then by position, so nodes must be numbered by name; the subsets of the first end's pool come before those of the
second's. No set is asked about twice: a subset of the second pool is left out if it lies in the first one, and any set
is left out if an earlier phase asked about it. `known` holds the pools of that phase: 1 where v was in the pool of x
for the whole step, 2 where it was until the edge x–v was tested and removed. Pairs are tested in increasing order.

`inside[x, v]`: v is in the pool of x. The pools are those at the beginning of the radius; only `remove` changes them
before its end.
"""

from typing import Any

import cython
import numpy as np

from ancestral.graphs.csr import compressed

if not cython.compiled:
    from ancestral._pulse_cy import Pulse
    from ancestral.independence._questions_cy import Questions
    from ancestral.search._asking_cy import Asking


@cython.final
@cython.cclass
class Subsets(Asking):
    """The sets of one radius: subsets of pools over n nodes. Matrices are not copied, so they must not be changed."""

    def __init__(self, n: int, questions: Questions | None, pulse: Pulse | None = None, no_cause: Any = None) -> None:
        self.prepare(n, questions, pulse, no_cause)
        self.pool = np.zeros(n, dtype=np.intc)
        self.pool_size = 0
        self.array: Any = None
        self.copied = False

    def begin(self, inside: Any, radius: int, known: Any = None, fixed: bool = False) -> None:
        """Go on to the subsets of this size of these pools, except those of the `known` pools.

        `fixed`: the pools stay as they are, whatever edges are removed.
        """
        self.fixed = fixed
        if inside is not self.array or self.copied:
            self.array = np.ascontiguousarray(inside, dtype=np.uint8)
            self.inside = self.array
            self.copied = False
            _, self.targets, self.starts = compressed(self.array)
        self.has_known = known is not None
        self.known = np.zeros((1, 1), dtype=np.uint8) if known is None else known
        self.begin_radius(radius)

    def remove(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> None:
        """Remove each of the two from the other's pool at once, so that the next pair does not see it; unless fixed."""
        if self.fixed:
            return
        if not self.copied:
            self.array = self.array.copy()
            self.inside = self.array
            self.copied = True
        self.array[x, y] = 0
        self.array[y, x] = 0

    # -- one pair -----------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def try_sets(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.int:
        side: cython.Py_ssize_t
        self.begin_pair(x, y)
        for side in range(2):
            self.find_pool(side)
            if self.pool_size < self.radius:
                continue
            self.any_sets = True
            if self.radius == 1 and self.batch_size > 1:
                if self.ask_single(side):
                    return 1
                continue
            self.sort_by_preference(self.pool, 0, self.pool_size)
            if self.choose(side, 0, 0):
                return 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def find_pool(self, side: cython.Py_ssize_t) -> cython.int:
        """Find the pool of this end, without the other end and the nodes known to come later than both."""
        root: cython.Py_ssize_t = self.roots[side]
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        self.pool_size = 0
        for i in range(self.starts[root], self.starts[root + 1]):
            v = self.targets[i]
            if self.prunes and self.outside(v):
                continue
            if v != self.roots[1 - side] and self.inside[root, v]:  # the list still has the edges that were removed
                self.pool[self.pool_size] = cython.cast(cython.int, v)
                self.pool_size += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def ask_single(self, side: cython.Py_ssize_t) -> cython.int:
        """Radius 1, for tests that answer many questions together."""
        count: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        for i in range(self.pool_size):
            if not self.was_asked(side, 0, self.pool[i]):
                self.last[count] = self.pool[i]
                count += 1
        return self.ask_preferred(count)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def choose(self, side: cython.Py_ssize_t, size: cython.Py_ssize_t, first: cython.Py_ssize_t) -> cython.int:
        """`size` nodes are chosen; try every set that takes its other nodes from index `first` of the pool on."""
        i: cython.Py_ssize_t
        found: cython.int
        left: cython.Py_ssize_t = self.radius - size
        self.pulse.beat()
        for i in range(first, self.pool_size - left + 1):
            if left == 1:
                if not self.was_asked(side, size, self.pool[i]) and self.ask_with(size, self.pool[i]):
                    return 1
                continue
            self.chosen[size] = self.pool[i]
            self.grown += 1
            found = self.choose(side, size + 1, i + 1)
            self.leave(size)
            if found:
                return 1
        return self.ask_last(size) if self.last_count else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def was_asked(self, side: cython.Py_ssize_t, size: cython.Py_ssize_t, z: cython.Py_ssize_t) -> cython.bint:
        """Whether the first `size` chosen nodes and z are a set that was asked about before."""
        if side == 1 and self.all_in(self.roots[0], size, z):
            return True
        if not self.has_known:
            return False
        return self.all_known(self.roots[0], size, z) or self.all_known(self.roots[1], size, z)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def all_in(self, root: cython.Py_ssize_t, size: cython.Py_ssize_t, z: cython.Py_ssize_t) -> cython.bint:
        """Whether the first `size` chosen nodes and z lie in this node's pool."""
        i: cython.Py_ssize_t
        if not self.inside[root, z]:
            return False
        for i in range(size):
            if not self.inside[root, self.chosen[i]]:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def all_known(self, root: cython.Py_ssize_t, size: cython.Py_ssize_t, z: cython.Py_ssize_t) -> cython.bint:
        """Whether they lay in this node's pool of the earlier phase when the pair was tested there."""
        i: cython.Py_ssize_t
        if not self.was_known(root, z):
            return False
        for i in range(size):
            if not self.was_known(root, self.chosen[i]):
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def was_known(self, root: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.bint:
        """Whether v was in this node's pool of the earlier phase when the pair was tested there."""
        low: cython.Py_ssize_t = min(root, v)
        if self.known[root, v] != 2:
            return self.known[root, v] != 0
        return low > self.roots[0] or (low == self.roots[0] and max(root, v) > self.roots[1])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def chosen_belongs(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.bint:
        last: cython.Py_ssize_t = self.radius - 1
        z: cython.Py_ssize_t = self.chosen[last]
        i: cython.Py_ssize_t
        if self.prunes:
            self.roots[0] = cython.cast(cython.int, x)
            self.roots[1] = cython.cast(cython.int, y)
            for i in range(self.radius):
                if self.outside(self.chosen[i]):
                    return False
        return self.all_in(x, last, z) or self.all_in(y, last, z)
