"""Bit planes: counting the rows of a contingency table 64 at a time.

The idea: for each level of each column a plane, one bit a row. The rows of a cell are the AND of the planes of its
levels, and a popcount counts them. A row without a value is in no plane of its column, so it drops out by itself. Where
x and y have a value in every row, the cells of their last levels follow from the margins by subtraction.

What is counted or built once is used again; all of it is exact, so the answers do not depend on what was asked before:
- `masks`, the strata of all conditions but the last: sets that differ in the last one only come one after the other;
- `both[p, q]`, the rows that two planes have in common, −1 where not counted yet: tables given nothing, and the margins
  of those given one column.

Memory: one byte a row and column for the planes of MOST_LEVELS levels; a column with more has none, and its rows must
be counted one by one. `both` takes MOST_PAIRS numbers at most; where there would be more, it is not kept. `masks` has a
plane for each stratum, and MOST_PASSES // 4 at most.

Invariants: plane 0 has all rows; level l of column v is plane first[v] + l, first[v] = −1 if it has none; bits beyond
the last row are 0; the table of a stratum stands in `counts` x by y, strata in mixed radix, the last condition fastest.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from ancestral._cython import and3_count, and_count, and_into

#: A column with more levels has no planes.
MOST_LEVELS = cython.declare(cython.Py_ssize_t, 8)
#: So many passes over planes take about as long as one over the rows, one by one.
MOST_PASSES = cython.declare(cython.Py_ssize_t, 256)
#: How many numbers of rows common to two planes are kept at most: 64 MB.
MOST_PAIRS = cython.declare(cython.Py_ssize_t, 1 << 24)


@cython.cclass
class Planes:
    """The columns of a table of codes, −1 where missing."""

    def __init__(self, codes: Any, levels: Any) -> None:
        n, rows = np.shape(codes)
        sizes = np.array(levels, dtype=np.intc)
        few = sizes <= MOST_LEVELS
        ends = 1 + np.cumsum(np.where(few, sizes, 0), dtype=np.intc)
        words = max((rows + 63) // 64, 1)
        bits = np.zeros((ends.max(initial=1), 8 * words), dtype=np.uint8)
        bits[0, : (rows + 7) // 8] = np.packbits(np.ones(rows, dtype=bool), bitorder="little")
        for v in np.flatnonzero(few):
            hits = codes[v] == np.arange(sizes[v])[:, None]
            bits[ends[v] - sizes[v] : ends[v], : (rows + 7) // 8] = np.packbits(hits, axis=1, bitorder="little")
        self.planes = bits.view(np.uint64)
        self.levels = sizes
        self.first = np.where(few, ends - sizes, -1).astype(np.intc)
        self.complete = np.array([column.min(initial=0) >= 0 for column in codes], dtype=np.uint8)
        self.masks = np.zeros((MOST_PASSES // 4, words), dtype=np.uint64)
        self.mask = np.zeros((1, words), dtype=np.uint64)
        kept = len(bits) if len(bits) ** 2 <= MOST_PAIRS else 0
        self.both = np.full((kept, kept), -1, dtype=np.intc)
        self.held = np.zeros(n + 1, dtype=np.intc)
        self.held_size = -1
        self.held_strata = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def passes(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """How many passes over planes the table of this question takes; 0 where there are none, or too many."""
        k: cython.Py_ssize_t
        count: cython.Py_ssize_t
        if self.first[x] < 0 or self.first[y] < 0:
            return 0
        count = self.levels[x] * self.levels[y]  # a stratum is built, its margins and cells are counted
        for k in range(size):
            count *= self.levels[given[k]]
            if self.first[given[k]] < 0 or count > MOST_PASSES:
                return 0
        return count

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
        """Count the table of each stratum."""
        s: cython.Py_ssize_t
        level: cython.Py_ssize_t
        plane: cython.Py_ssize_t
        last: cython.Py_ssize_t
        rows: cython.Py_ssize_t
        start: cython.Py_ssize_t = 0
        cells: cython.Py_ssize_t = self.levels[x] * self.levels[y]
        if size == 0:
            return self.fill(self.planes, 0, True, self.pair(0, 0), x, y, counts, 0)
        last = given[size - 1]
        if size == 1:
            for level in range(self.levels[last]):
                plane = self.first[last] + level
                self.fill(self.planes, plane, True, self.pair(0, plane), x, y, counts, level * cells)
            return 0
        self.hold(given, size - 1)
        for s in range(self.held_strata):
            for level in range(self.levels[last]):
                rows = and_into(self.mask, 0, self.masks, s, self.planes, self.first[last] + level)
                self.fill(self.mask, 0, False, rows, x, y, counts, start)
                start += cells
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def hold(self, given: cython.int[::1], size: cython.Py_ssize_t) -> cython.int:
        """Have the strata of these conditions in `masks`."""
        k: cython.Py_ssize_t = 0
        s: cython.Py_ssize_t
        level: cython.Py_ssize_t
        levels: cython.Py_ssize_t
        if self.held_size == size:
            while k < size and self.held[k] == given[k]:
                k += 1
            if k == size:
                return 0
        and_into(self.masks, 0, self.planes, 0, self.planes, 0)
        self.held_size = size
        self.held_strata = 1
        for k in range(size):
            self.held[k] = given[k]
            levels = self.levels[given[k]]
            for s in range(self.held_strata - 1, -1, -1):  # from the last: a stratum is split before it is overwritten
                for level in range(levels - 1, -1, -1):
                    and_into(self.masks, s * levels + level, self.masks, s, self.planes, self.first[given[k]] + level)
            self.held_strata *= levels
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def fill(
        self,
        strata: cython.ulonglong[:, ::1],
        stratum: cython.Py_ssize_t,
        is_plane: cython.bint,
        rows: cython.Py_ssize_t,
        x: cython.Py_ssize_t,
        y: cython.Py_ssize_t,
        counts: cython.int[::1],
        start: cython.Py_ssize_t,
    ) -> cython.int:
        """Count the table of x and y in strata[stratum], which has so many rows, and is one of the planes or is not."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        lx: cython.Py_ssize_t = self.levels[x]
        ly: cython.Py_ssize_t = self.levels[y]
        fx: cython.Py_ssize_t = self.first[x]
        fy: cython.Py_ssize_t = self.first[y]
        inferred: cython.Py_ssize_t = self.complete[x] and self.complete[y]  # the cells of the last levels
        rest: cython.Py_ssize_t
        corner: cython.Py_ssize_t = rows
        if rows == 0:
            for i in range(lx * ly):
                counts[start + i] = 0
            return 0
        for i in range(lx - inferred):
            for j in range(ly - inferred):
                if is_plane and stratum == 0:
                    rest = self.pair(fx + i, fy + j)
                else:
                    rest = and3_count(strata, stratum, self.planes, fx + i, fy + j)
                counts[start + i * ly + j] = cython.cast(cython.int, rest)
        if not inferred:
            return 0
        for i in range(lx - 1):
            rest = self.common(strata, stratum, is_plane, fx + i)
            corner -= rest
            for j in range(ly - 1):
                rest -= counts[start + i * ly + j]
            counts[start + i * ly + ly - 1] = cython.cast(cython.int, rest)
        for j in range(ly - 1):
            rest = self.common(strata, stratum, is_plane, fy + j)
            for i in range(lx - 1):
                rest -= counts[start + i * ly + j]
            counts[start + (lx - 1) * ly + j] = cython.cast(cython.int, rest)
            corner -= rest
        counts[start + lx * ly - 1] = cython.cast(cython.int, corner)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def common(
        self,
        strata: cython.ulonglong[:, ::1],
        stratum: cython.Py_ssize_t,
        is_plane: cython.bint,
        plane: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """How many rows a stratum, which is one of the planes or is not, has in common with a plane."""
        if is_plane:
            return self.pair(stratum, plane)
        return and_count(strata, stratum, self.planes, plane)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def pair(self, p: cython.Py_ssize_t, q: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """How many rows two planes have in common."""
        if self.both.shape[0] == 0:
            return and_count(self.planes, p, self.planes, q)
        if self.both[p, q] < 0:
            self.both[p, q] = self.both[q, p] = cython.cast(cython.int, and_count(self.planes, p, self.planes, q))
        return self.both[p, q]
