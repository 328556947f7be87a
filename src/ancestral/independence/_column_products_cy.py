"""Correlations from columns, each computed when it is asked for, where a matrix of all of them would be too large.

The idea: a search of many variables looks at every pair once, given nothing, and later at the few pairs near its edges.
So every pair is judged by a product in single precision, made in tiles that are thrown away, and decided by it where
it is further from the limit than rounding can reach. All other pairs, and all later questions, take the
product of the two columns in double precision; it is always summed in one order, and the last ones are kept.
No answer depends on single precision, on tiles or on what is kept.

Rounding: a product of two columns of length 1 with m rows is off by at most (m + 4) u in single precision, u = 2^-24:
u for each factor, and one for each addition (Higham 2002, Accuracy and Stability of Numerical Algorithms, chapter 3).

Invariants: `columns` has a row for each variable, of length 1, filled up with zeros to a multiple of 8;
`values[slot]` is the correlation of the pair `keys[slot]`, x * n + y with x < y, or of none if the key is -1.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from math import fabs

#: Correlations that are kept: 2^20 at least, some hundred for each variable where there are many.
LEAST_KEPT = 1 << 20
KEPT_OF_VARIABLE = 128

#: Variables of a tile: its rows, and its columns. With a float for each pair it fits into a second-level cache.
TILE_ROWS = 128
TILE_COLUMNS = 1024

#: Rounding of a number in single precision, relative to the number.
ROUNDING = 2.0**-24


@cython.final
@cython.cclass
class ColumnProducts:
    """The correlations of columns: rows of an array, centred and of length 1."""

    def __init__(self, columns: Any, kept: int = 0) -> None:
        n, rows = np.asarray(columns).shape
        self.n = n
        self.single = np.asarray(columns, dtype=np.float32)
        if rows % 8:
            padded = np.zeros((n, rows + 8 - rows % 8))
            padded[:, :rows] = columns
            columns = padded
        self.columns = np.ascontiguousarray(columns, dtype=np.float64)
        self.begin(kept or min(n * n, max(LEAST_KEPT, KEPT_OF_VARIABLE * n)))

    def begin(self, kept: int) -> None:
        """Make room to keep this number of correlations, rounded up to a power of two."""
        size = 1 << max(kept - 1, 1).bit_length()
        self.keys = np.full(size, -1, dtype=np.int64)
        self.values = np.zeros(size)
        self.mask = size - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def product(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.double:
        """The product of two columns: eight sums, so that the compiler can add several at a time."""
        a: cython.const[cython.double][::1] = self.columns[x]  # type: ignore[valid-type]
        b: cython.const[cython.double][::1] = self.columns[y]  # type: ignore[valid-type]
        i: cython.Py_ssize_t
        s0: cython.double = 0.0
        s1: cython.double = 0.0
        s2: cython.double = 0.0
        s3: cython.double = 0.0
        s4: cython.double = 0.0
        s5: cython.double = 0.0
        s6: cython.double = 0.0
        s7: cython.double = 0.0
        for i in range(0, a.shape[0], 8):
            s0 += a[i] * b[i]
            s1 += a[i + 1] * b[i + 1]
            s2 += a[i + 2] * b[i + 2]
            s3 += a[i + 3] * b[i + 3]
            s4 += a[i + 4] * b[i + 4]
            s5 += a[i + 5] * b[i + 5]
            s6 += a[i + 6] * b[i + 6]
            s7 += a[i + 7] * b[i + 7]
        s0 = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
        return min(max(s0, -1.0), 1.0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def at(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.double:
        """The correlation of x and y."""
        low: cython.longlong = min(x, y)
        high: cython.longlong = max(x, y)
        key: cython.longlong = low * self.n + high
        mixed: cython.longlong = low * 40503 + high
        slot: cython.Py_ssize_t = (mixed ^ (mixed >> 15)) & self.mask
        if x == y:
            return 1.0
        if self.keys[slot] != key:
            self.keys[slot] = key
            self.values[slot] = self.product(low, high)
        return self.values[slot]

    def of_pairs(self, pairs: Any) -> Any:
        """The correlation of each of these pairs, rows x, y; none is kept."""
        ends: cython.int[:, ::1] = np.ascontiguousarray(pairs, dtype=np.intc)
        out = np.zeros(len(ends))
        found: cython.double[::1] = out
        e: cython.Py_ssize_t
        with cython.nogil:
            for e in range(ends.shape[0]):
                found[e] = self.product(min(ends[e, 0], ends[e, 1]), max(ends[e, 0], ends[e, 1]))
        return out

    def dependent_rows(self, first: int, stop: int, accept: float, joined: Any) -> None:
        """Whether the squared correlation of x and each y > x exceeds `accept`, for x from `first` up to `stop`.

        joined[x, y] becomes 1 or 0; nothing else is written.
        """
        limit = float(accept) ** 0.5
        # and by one more for each limit, which is compared in single precision
        margin = 1.01 * (self.single.shape[1] + 6) * ROUNDING
        for top in range(first, stop, TILE_ROWS):
            rows = self.single[top : min(top + TILE_ROWS, stop)]
            for left in range(top, self.n, TILE_COLUMNS):
                tile = rows @ self.single[left : left + TILE_COLUMNS].T
                self.judge(tile, top, left, accept, limit - margin, limit + margin, joined)

    def judge(
        self,
        tile: Any,
        top: cython.Py_ssize_t,
        left: cython.Py_ssize_t,
        accept: cython.double,
        surely_below: cython.double,
        surely_above: cython.double,
        joined: Any,
    ) -> None:
        """Judge the pairs above the diagonal in a tile, whose corner is the pair `top`, `left`."""
        about: cython.const[cython.float][:, ::1] = tile  # type: ignore[valid-type]
        out: cython.uchar[:, ::1] = joined
        low: cython.float = surely_below
        high: cython.float = surely_above
        exact: cython.double
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        above: cython.uchar
        doubtful: cython.uchar
        with cython.nogil:
            for i in range(about.shape[0]):
                doubtful = 0
                for j in range(max(0, top + i + 1 - left), about.shape[1]):
                    above = (about[i, j] > high) | (about[i, j] < -high)
                    out[top + i, left + j] = above
                    doubtful |= above != ((about[i, j] > low) | (about[i, j] < -low))
                if doubtful:
                    for j in range(max(0, top + i + 1 - left), about.shape[1]):
                        if fabs(about[i, j]) > low and fabs(about[i, j]) <= high:
                            exact = self.product(top + i, left + j)
                            out[top + i, left + j] = exact * exact > accept
