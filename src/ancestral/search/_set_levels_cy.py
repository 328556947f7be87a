"""Sets that were grown in one order and are asked about in another: by level, then in the order in which they came.

The idea: one walk over all sets of a pair is cheaper than one walk for each level. So sets of the levels `low` to
`high` are put aside, each as its last node and its stem, the nodes before it, which sets that differ in their last node
share. A level has a chain for each of the two sides. Memory is bounded: where there is no room for another set, the
highest levels are dropped, to be grown again later (`high` becomes smaller). If not even the lowest level has
room, `high` is `low` - 1, and nothing is kept.

Invariants: set k is `stems[size * stem_of[k]]` up to but without `stems[size * (stem_of[k] + 1)]`, and `last[k]`; slot
2 (level - low) + side begins a chain with `first`, goes on with `next`, and has its last set in `end`, all -1 where
there is none.
"""

import cython
import numpy as np

#: Levels that are kept at a time; a level is a sum of distances, and few graphs have as many.
MOST_LEVELS = cython.declare(cython.Py_ssize_t, 1024)


@cython.final
@cython.cclass
class SetLevels:
    """Sets of one pair, by level and side; `begin` forgets them."""

    def __init__(self) -> None:
        self.first = np.full(2 * MOST_LEVELS, -1, dtype=np.intc)
        self.end = np.full(2 * MOST_LEVELS, -1, dtype=np.intc)
        self.stems = np.zeros(0, dtype=np.intc)
        self.allocated = 0
        self.low = 0
        self.high = -1
        self.count = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def begin(
        self, low: cython.Py_ssize_t, high: cython.Py_ssize_t, size: cython.Py_ssize_t, capacity: cython.Py_ssize_t
    ) -> cython.int:
        """Make room for `capacity` sets of these levels, or of the lowest of them; stems have `size` nodes."""
        slot: cython.Py_ssize_t
        self.low = low
        self.high = min(high, low + MOST_LEVELS - 1)
        self.size = size
        self.capacity = capacity
        if capacity > self.allocated or capacity * size > self.stems.shape[0]:
            with cython.gil:
                self._allocate()
        for slot in range(2 * (self.high - low + 1)):
            self.first[slot] = self.end[slot] = -1
        self.count = 0
        self.stem_count = 0
        self.stem = -1
        return 0

    def _allocate(self) -> None:
        self.allocated = max(self.capacity, self.allocated)
        self.last = np.zeros(self.allocated, dtype=np.intc)
        self.stem_of = np.zeros(self.allocated, dtype=np.intc)
        self.slot_of = np.zeros(self.allocated, dtype=np.intc)
        self.next = np.zeros(self.allocated, dtype=np.intc)
        self.stems = np.zeros(self.allocated * self.size, dtype=np.intc)  # memory is provided when it is touched

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin_stem(self) -> cython.void:
        """The sets to come have other nodes before the last one."""
        self.stem = -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add(
        self, stem: cython.int[::1], z: cython.Py_ssize_t, level: cython.Py_ssize_t, side: cython.Py_ssize_t
    ) -> cython.void:
        """Put aside the first nodes of `stem` with z; the level must be from `low` to `high`."""
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        while self.count == self.capacity and level <= self.high:
            self.lower()
        if level > self.high:
            return
        if self.stem < 0:
            self.stem = self.stem_count
            self.stem_count += 1
            for i in range(self.size):
                self.stems[self.stem * self.size + i] = stem[i]
        k = self.count
        self.count += 1
        self.last[k] = cython.cast(cython.int, z)
        self.stem_of[k] = cython.cast(cython.int, self.stem)
        self.slot_of[k] = cython.cast(cython.int, 2 * (level - self.low) + side)
        self.link(k)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lower(self) -> cython.void:
        """Drop the highest levels until no more than half of the room is used, but for the lowest level."""
        slot: cython.Py_ssize_t
        high: cython.Py_ssize_t = self.low
        k: cython.Py_ssize_t
        used: cython.Py_ssize_t = 0
        if self.high == self.low:
            self.high = self.low - 1
            self.count = 0
            return
        for slot in range(2 * (self.high - self.low)):
            k = self.first[slot]
            while k >= 0:
                used += 1
                k = self.next[k]
            if used > self.capacity // 2:
                break
            high = self.low + slot // 2 if slot % 2 else high
        self.keep_up_to(high)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def keep_up_to(self, high: cython.Py_ssize_t) -> cython.void:
        """Drop the sets of higher levels, and move the others together, in their order."""
        k: cython.Py_ssize_t
        i: cython.Py_ssize_t
        kept: cython.Py_ssize_t = 0
        stem: cython.Py_ssize_t = -1  # the stem, by its old number, that was moved last
        self.high = high
        self.stem_count = 0
        for k in range(2 * (high - self.low + 1)):
            self.first[k] = self.end[k] = -1
        for k in range(self.count):
            if self.slot_of[k] >= 2 * (high - self.low + 1):
                continue
            if self.stem_of[k] != stem:
                stem = self.stem_of[k]
                for i in range(self.size):
                    self.stems[self.stem_count * self.size + i] = self.stems[stem * self.size + i]
                self.stem_count += 1
            self.last[kept] = self.last[k]
            self.stem_of[kept] = cython.cast(cython.int, self.stem_count - 1)
            self.slot_of[kept] = self.slot_of[k]
            self.link(kept)
            kept += 1
        self.count = kept
        self.stem = -1  # the next set brings its stem again

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def link(self, k: cython.Py_ssize_t) -> cython.void:
        """Append set k to the chain of its slot."""
        slot: cython.Py_ssize_t = self.slot_of[k]
        self.next[k] = -1
        if self.first[slot] < 0:
            self.first[slot] = cython.cast(cython.int, k)
        else:
            self.next[self.end[slot]] = cython.cast(cython.int, k)
        self.end[slot] = cython.cast(cython.int, k)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def shared(self, stem: cython.Py_ssize_t, nodes: cython.int[::1]) -> cython.Py_ssize_t:
        """How many nodes, from the first on, this stem has in common with `nodes`."""
        i: cython.Py_ssize_t = 0
        while i < self.size and self.stems[stem * self.size + i] == nodes[i]:
            i += 1
        return i
