"""Bit planes: the rows of a contingency table are counted 64 at a time, and sets of planes are rarely counted twice.

The idea: for each level of each column a plane, one bit a row. The rows of a cell are the AND of the planes of its
levels, and a popcount counts them. The last level needs no plane: what any level has, less what the others have. So a
table is first filled with the last level standing for any; such a cell is the AND of fewer planes. Then, column by
column, the others are subtracted. A column with missing values has a plane for its last level too, and rows without a
value, which are in none of its planes, drop out by themselves.

The AND of few planes turns up in many tables: for pairs it is kept in `pairs`, −1 where not counted yet; for three and
four in `common`, where one set takes the place of another with the same slot, and `known` tells whose it is. These are
exact numbers, so no answer depends on what was asked before. Threads share the planes and `pairs`, where each entry is
a single number that all of them would write alike.

Memory: one byte a row and column for MOST_LEVELS planes; a column with more levels has none, and must be counted row by
row. As much again for `known` and `common`, MOST_SLOTS at most (12 MB). `pairs` takes MOST_PAIRS at most (64 MB); where
it would be larger, it is not kept.

Invariants: plane 0 has all rows; level l of column v is plane first[v] + l, for l < planned[v]; first[v] = −1 if it has
none; bits beyond the last row are 0. Strata are numbered in mixed radix, the last condition fastest; in each x by y.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from ancestral._cython import and3_count, and_count, and_into

#: The most levels that a column with planes has: a byte of planes for each row.
MOST_LEVELS = cython.declare(cython.Py_ssize_t, 8)
#: The most cells of a table that is counted by planes: more take longer than a pass over the rows.
MOST_CELLS = cython.declare(cython.Py_ssize_t, 256)
#: The most entries of `pairs`: 64 MB.
MOST_PAIRS = cython.declare(cython.Py_ssize_t, 1 << 24)
#: The most entries of `common`: 12 MB together with `known`.
MOST_SLOTS = cython.declare(cython.Py_ssize_t, 1 << 20)
#: The most planes for which a set of four of them has a key of 60 bits.
MOST_PLANES = cython.declare(cython.longlong, 1 << 15)


@cython.cclass
class Planes:
    """The columns of a table of codes, −1 where missing; `like` are planes of the same table, for another thread."""

    def __init__(self, codes: Any, levels: Any, like: Any = None) -> None:
        n, rows = np.shape(codes)
        self.value = np.zeros(n + 1, dtype=np.intc)
        self.chosen = np.zeros(n + 1, dtype=np.intc)
        self.ordered = np.zeros(4, dtype=np.intc)
        self.mask = np.zeros((1, max((rows + 63) // 64, 1)), dtype=np.uint64)
        self.rows = rows
        if like is None:
            self.planes, self.levels, self.planned, self.first, self.pairs = shared_planes(codes, levels)
        else:
            other: Planes = like
            self.planes = other.planes
            self.levels = other.levels
            self.planned = other.planned
            self.first = other.first
            self.pairs = other.pairs
        planes, words = np.shape(self.planes)
        slots = min(1 << int(planes * words).bit_length(), MOST_SLOTS) if planes <= MOST_PLANES else 0
        self.known = np.zeros(slots, dtype=np.int64)
        self.common = np.zeros(slots, dtype=np.intc)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def reaches(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.bint:
        """Whether all columns have planes, and the table is not too large for them."""
        k: cython.Py_ssize_t
        cells: cython.Py_ssize_t
        if self.first[x] < 0 or self.first[y] < 0:
            return False
        cells = self.levels[x] * self.levels[y]
        for k in range(size):
            cells *= self.levels[given[k]]
            if self.first[given[k]] < 0 or cells > MOST_CELLS:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def tabulate(
        self,
        x: cython.Py_ssize_t,
        y: cython.Py_ssize_t,
        given: cython.int[::1],
        size: cython.Py_ssize_t,
        counts: cython.int[::1],
    ) -> cython.int:
        """Count the tables of all strata."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        k: cython.Py_ssize_t
        conditions: cython.Py_ssize_t
        chosen: cython.Py_ssize_t
        cell: cython.Py_ssize_t = 0
        cells: cython.Py_ssize_t = self.levels[x] * self.levels[y]
        for k in range(size):
            cells *= self.levels[given[k]]
            self.value[k] = 0
        while cell < cells:  # the values of the conditions run through all strata, like the digits of a counter
            conditions = 0
            self.masked = False
            for k in range(size):
                if self.value[k] < self.planned[given[k]]:
                    self.chosen[conditions] = self.first[given[k]] + self.value[k]
                    conditions += 1
            for i in range(self.levels[x]):
                for j in range(self.levels[y]):
                    chosen = conditions
                    if i < self.planned[x]:
                        self.chosen[chosen] = cython.cast(cython.int, self.first[x] + i)
                        chosen += 1
                    if j < self.planned[y]:
                        self.chosen[chosen] = cython.cast(cython.int, self.first[y] + j)
                        chosen += 1
                    counts[cell] = cython.cast(cython.int, self.rows_in_all(conditions, chosen))
                    cell += 1
            k = size - 1
            while k >= 0 and self.value[k] == self.levels[given[k]] - 1:
                self.value[k] = 0
                k -= 1
            if k >= 0:
                self.value[k] += 1
        self.subtract(y, 1, cells, counts)
        self.subtract(x, self.levels[y], cells, counts)
        i = self.levels[x] * self.levels[y]
        for k in range(size - 1, -1, -1):
            self.subtract(given[k], i, cells, counts)
            i *= self.levels[given[k]]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def subtract(
        self, v: cython.Py_ssize_t, step: cython.Py_ssize_t, cells: cython.Py_ssize_t, counts: cython.int[::1]
    ) -> cython.int:
        """Where the last level of v stands for any, subtract the others; from one level to the next it is `step`."""
        levels: cython.Py_ssize_t = self.levels[v]
        start: cython.Py_ssize_t = 0
        last: cython.Py_ssize_t
        i: cython.Py_ssize_t
        level: cython.Py_ssize_t
        if self.planned[v] == levels:
            return 0
        while start < cells:
            last = start + (levels - 1) * step
            for level in range(levels - 1):
                for i in range(step):
                    counts[last + i] -= counts[start + level * step + i]
            start += levels * step
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def rows_in_all(self, conditions: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """How many rows are in all chosen planes, the first of which are of conditions; looked up, if it is known."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        plane: cython.int
        slot: cython.Py_ssize_t
        number: cython.longlong
        key: cython.longlong = 0
        mixed: cython.longlong = 0
        if size == 0:
            return self.rows
        if size <= 2 and self.pairs.shape[0]:
            i = self.chosen[0]
            j = self.chosen[size - 1]
            if self.pairs[i, j] < 0:
                self.pairs[i, j] = cython.cast(cython.int, and_count(self.planes, i, self.planes, j))
                self.pairs[j, i] = self.pairs[i, j]
            return self.pairs[i, j]
        if size > 4 or self.known.shape[0] == 0:
            return self.count(conditions, size)
        for i in range(size):  # in order, so that a set has one key
            plane = self.chosen[i]
            j = i
            while j > 0 and self.ordered[j - 1] > plane:
                self.ordered[j] = self.ordered[j - 1]
                j -= 1
            self.ordered[j] = plane
        for i in range(size):
            number = cython.cast(cython.longlong, self.ordered[i])
            key = key * MOST_PLANES + number
            mixed = (mixed * 31 + number) * 40503 & 0x3FFFFFFF
        slot = (mixed >> 8) & (self.known.shape[0] - 1)
        if self.known[slot] != key:
            self.common[slot] = cython.cast(cython.int, self.count(conditions, size))
            self.known[slot] = key
        return self.common[slot]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def count(self, conditions: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Count the rows in all chosen planes; those in the planes of the conditions are kept for the next cell."""
        k: cython.Py_ssize_t
        if not self.masked:
            self.masked = True
            and_into(self.mask, 0, self.planes, 0, self.planes, self.chosen[0] if conditions else 0)
            for k in range(1, conditions):
                and_into(self.mask, 0, self.mask, 0, self.planes, self.chosen[k])
        if size == conditions:
            return and_count(self.mask, 0, self.planes, 0)
        if size == conditions + 1:
            return and_count(self.mask, 0, self.planes, self.chosen[conditions])
        return and3_count(self.mask, 0, self.planes, self.chosen[conditions], self.chosen[conditions + 1])


def shared_planes(codes: Any, levels: Any) -> tuple[Any, Any, Any, Any, Any]:
    """What threads share: `planes`, `levels`, `planned`, `first`, and `pairs`, of which none is counted yet."""
    n, rows = np.shape(codes)
    sizes = np.array(levels, dtype=np.intc)
    complete = np.array([column.min(initial=0) >= 0 for column in codes], dtype=np.intc)
    few = sizes <= MOST_LEVELS
    planned = np.where(few, sizes - complete, 0).astype(np.intc)
    first = 1 + np.cumsum(planned, dtype=np.intc) - planned
    words = max((rows + 63) // 64, 1)
    bits = np.zeros((1 + planned.sum(), 8 * words), dtype=np.uint8)
    bits[0, : (rows + 7) // 8] = np.packbits(np.ones(rows, dtype=bool), bitorder="little")
    for v in range(n):
        for level in range(planned[v]):
            bits[first[v] + level, : (rows + 7) // 8] = np.packbits(codes[v] == level, bitorder="little")
    kept = len(bits) if len(bits) ** 2 <= MOST_PAIRS else 0
    pairs = np.full((kept, kept), -1, dtype=np.intc)
    return bits.view(np.uint64), sizes, planned, np.where(few, first, -1).astype(np.intc), pairs
