"""Contingency tables: the G test and Pearson's chi-squared test of conditional independence.

The idea: each row of the data falls into a stratum, the combination of values of the conditioning set, numbered in
mixed radix; inside it into a cell of the table of x and y. The statistics of the strata add up, and so do their
degrees of freedom, which follow the margins that are not empty: (rows present − 1)(columns present − 1).

A question needs `rows_per_df` rows for each degree of freedom that the full table would have; otherwise the data cannot
support it. So the table never has more cells than a small multiple of the rows.

Invariants: row v of `codes` has the values of variable v, 0 … levels[v] − 1, or −1 where missing (such rows are left
out); `threshold[df]` is the quantile of the chi-squared distribution; `counts` is zero between questions.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from math import log

    from ancestral.independence._questions_cy import ChiSquared


@cython.cclass
class Contingency(ChiSquared):
    """Asks a table of codes. After a question `statistic`, `df` and `used` (rows) tell what it was decided on."""

    def __init__(self, codes: Any, levels: Any, threshold: Any, pearson: bool, rows_per_df: int) -> None:
        self.codes = np.ascontiguousarray(codes, dtype=np.intc)
        self.levels = np.array(levels, dtype=np.intc)
        n, rows = np.shape(codes)
        self.begin(n, np.zeros((n, n)))
        self.rows = rows
        self.threshold = np.array(threshold, dtype=np.float64)
        self.pearson = pearson
        self.rows_per_df = rows_per_df
        widest = max(levels, default=1)
        self.stratum = np.zeros(rows, dtype=np.intc)
        self.counts = np.zeros(widest * widest + 4 * rows + 16, dtype=np.intc)
        self.margins = np.zeros(2 * widest, dtype=np.intc)
        self.used = 0

    def measured(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: Any) -> bool:
        """Compute `statistic`, `df` and `used` for a question; False where the data cannot support it."""
        array = np.array(given, dtype=np.intc)
        return bool(self.tabulate(x, y, array, len(array)) and self.df > 0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def independent(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        if not self.tabulate(x, y, given, size) or self.df == 0 or self.df >= self.threshold.shape[0]:
            return self.cannot_tell(size)
        if size == 0:  # every pair is asked this first: what it says orders the candidates of all later questions
            self.strength[x, y] = self.strength[y, x] = self.statistic / self.df
        return self.statistic <= self.threshold[self.df]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def tabulate(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        """Count and sum up; 0 where the table is too large for the rows."""
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        z: cython.Py_ssize_t
        lx: cython.Py_ssize_t = self.levels[x]
        ly: cython.Py_ssize_t = self.levels[y]
        cells: cython.Py_ssize_t = lx * ly
        full_df: cython.longlong = (lx - 1) * (ly - 1)
        strata: cython.longlong = 1
        self.statistic = 0.0
        self.df = 0
        self.used = 0
        for k in range(size):
            strata = strata * self.levels[given[k]]
            if strata * full_df * self.rows_per_df > self.rows:
                return 0
        if full_df * self.rows_per_df > self.rows or full_df == 0:
            return 0
        for i in range(self.rows):
            self.stratum[i] = 0
        for k in range(size):
            z = given[k]
            for i in range(self.rows):
                if self.codes[z, i] < 0 or self.stratum[i] < 0:
                    self.stratum[i] = -1
                else:
                    self.stratum[i] = self.stratum[i] * self.levels[z] + self.codes[z, i]
        for i in range(self.rows):
            if self.stratum[i] >= 0 and self.codes[x, i] >= 0 and self.codes[y, i] >= 0:
                self.counts[self.stratum[i] * cells + self.codes[x, i] * ly + self.codes[y, i]] += 1
                self.used += 1
        for k in range(strata):
            self.statistic += self.stratum_statistic(k * cells, lx, ly)
        for i in range(strata * cells):
            self.counts[i] = 0
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def stratum_statistic(
        self, first: cython.Py_ssize_t, lx: cython.Py_ssize_t, ly: cython.Py_ssize_t
    ) -> cython.double:
        """The statistic of the table that begins at `first`; its degrees of freedom are added to `df`."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        count: cython.int
        total: cython.longlong = 0
        present_x: cython.longlong = 0
        present_y: cython.longlong = 0
        expected: cython.double
        difference: cython.double
        out: cython.double = 0.0
        for i in range(lx + ly):
            self.margins[i] = 0
        for i in range(lx):
            for j in range(ly):
                count = self.counts[first + i * ly + j]
                self.margins[i] += count
                self.margins[lx + j] += count
                total += count
        if total == 0:
            return 0.0
        for i in range(lx):
            present_x += self.margins[i] > 0
        for j in range(ly):
            present_y += self.margins[lx + j] > 0
        self.df += (present_x - 1) * (present_y - 1)
        for i in range(lx):
            for j in range(ly):
                if self.margins[i] == 0 or self.margins[lx + j] == 0:
                    continue
                count = self.counts[first + i * ly + j]
                expected = cython.cast(cython.double, self.margins[i]) * self.margins[lx + j] / total
                if self.pearson:
                    difference = count - expected
                    out += difference * difference / expected
                elif count > 0:
                    out += 2.0 * count * log(count / expected)
        return out
