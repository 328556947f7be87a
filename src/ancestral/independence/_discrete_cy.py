"""Contingency tables: the G test and Pearson's chi-squared test of conditional independence.

The idea: each row of the data falls into a stratum, the combination of values of the conditioning set, numbered in
mixed radix; inside it into a cell of the table of x and y. The statistics of the strata add up, and so do their
degrees of freedom, which follow the margins that are not empty: (rows present − 1)(columns present − 1).

A question needs `rows_per_df` rows for each degree of freedom that the full table would have; otherwise the data cannot
support it. So no table has more than four cells a row: a b ≤ 4 (a − 1)(b − 1) for a and b from 2 on.

Few strata are counted by bit planes (`_planes_cy`), many row by row; the numbers of the strata of all conditions but
the last are kept for the next question, which often shares them.

G needs no logarithm: with h(k) = k log k from a table, G / 2 of a stratum is h of its cells, minus h of its margins,
plus h of its size. The table is in whole units, as fine as 64 bits allow, so the sums are exact: G is the same in
whatever order x and y, the conditions and the strata come, and the differences lose no digits.

Invariants: row v of `codes` has the values of variable v, 0 … levels[v] − 1, or −1 where missing (such rows are left
out); `threshold[df]` is the quantile of the chi-squared distribution.
"""

from math import ceil, log2, prod
from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from ancestral._cython import exact_count_log_count
    from ancestral.independence._margins_cy import GivenMargins
    from ancestral.independence._planes_cy import Planes
    from ancestral.independence._questions_cy import ChiSquared

#: k log k is looked up for counts k below this, and computed for greater ones, of which a table has few.
LOOKED_UP = cython.declare(cython.Py_ssize_t, 1 << 20)


@cython.cclass
class Contingency(ChiSquared):
    """Asks a table of codes. After a question `statistic`, `df` and `used` (rows) tell what it was decided on."""

    def __init__(
        self,
        codes: Any,
        levels: Any,
        threshold: Any,
        pearson: bool,
        rows_per_df: int,
        planes: Any = None,
        level: float = 0.0,
    ) -> None:
        self.codes = np.ascontiguousarray(codes, dtype=np.intc)
        self.levels = np.array(levels, dtype=np.intc)
        n, rows = np.shape(codes)
        self.begin(n, np.zeros((n, n)))
        self.planes = Planes(np.asarray(self.codes), levels, planes)
        self.rows = rows
        self.threshold = np.array(threshold, dtype=np.float64)
        self.pearson = pearson
        self.rows_per_df = rows_per_df
        self.begin_judging(rows, levels, level)
        widest = max(levels, default=1)
        self.stratum = np.zeros(rows, dtype=np.intc)
        self.cell = np.zeros(rows, dtype=np.intc)
        self.held = np.zeros(n + 1, dtype=np.intc)
        self.held_size = 0
        self.counts = np.zeros(4 * rows + 1, dtype=np.intc)
        self.margins = np.zeros(2 * widest, dtype=np.intc)
        self.count_log_count, self.unit = table_of_count_log_count(rows)
        self.used = 0

    def another(self) -> Any:
        """The same questions for another thread, with the same codes and planes in memory."""
        codes, levels = np.asarray(self.codes), np.asarray(self.levels).tolist()
        threshold = np.asarray(self.threshold)
        return Contingency(codes, levels, threshold, self.pearson, self.rows_per_df, self.planes, self.level)

    def begin_judging(self, rows: int, levels: Any, level: float) -> None:
        """Set by which distribution the statistic is judged: given the margins at this level, or (0) chi-squared."""
        self.level = level
        self.given_margins = cython.cast(GivenMargins, None)
        if level > 0.0:
            cells = min(4 * rows, prod(int(count) for count in levels))
            widest = max(levels, default=1)
            self.given_margins = GivenMargins(rows, cells, widest, np.asarray(self.threshold), level)

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
        strata: cython.Py_ssize_t = count_strata(self.levels, x, y, given, size, self.rows_per_df, self.rows)
        self.statistic = 0.0
        self.df = 0
        self.used = 0
        if strata == 0:
            return 0
        if self.planes.reaches(x, y, given, size):
            self.planes.tabulate(x, y, given, size, self.counts)
        elif size == 0:
            self.hold(given, 0)
            self.count_rows(self.stratum, 1, x, y, strata)
        else:
            self.hold(given, size - 1)
            self.count_rows(self.codes[given[size - 1]], self.levels[given[size - 1]], x, y, strata)
        return self.sum_up(strata, self.levels[x], self.levels[y])

    # -- row by row ---------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def hold(self, given: cython.int[::1], size: cython.Py_ssize_t) -> cython.int:
        """Put the numbers of the strata of these conditions into `stratum`, −1 where a value is missing."""
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t = 0
        if self.held_size == size:
            while k < size and self.held[k] == given[k]:
                k += 1
            if k == size:
                return 0
        self.held_size = size
        for i in range(self.rows):
            self.stratum[i] = 0
        for k in range(size):
            self.held[k] = given[k]
            split_strata(self.stratum, self.codes[given[k]], self.levels[given[k]])
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def count_rows(
        self,
        last: cython.int[::1],
        levels: cython.int,
        x: cython.Py_ssize_t,
        y: cython.Py_ssize_t,
        strata: cython.Py_ssize_t,
    ) -> cython.int:
        """Count each row in its cell, or beyond the last one if it is not complete.

        `last` has the values of the last condition, which has `levels` levels; the strata of the others are held.
        """
        i: cython.Py_ssize_t
        lx: cython.int = self.levels[x]
        ly: cython.int = self.levels[y]
        beyond: cython.int = cython.cast(cython.int, strata * lx * ly)
        for i in range(beyond + 1):
            self.counts[i] = 0
        find_cells(self.stratum, last, levels, self.codes[x], lx, self.codes[y], ly, beyond, self.cell)
        count_cells(self.cell, self.counts)
        return 0

    # -- statistics ---------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def sum_up(self, strata: cython.Py_ssize_t, lx: cython.Py_ssize_t, ly: cython.Py_ssize_t) -> cython.int:
        """The statistic, the degrees of freedom and the rows of all strata."""
        s: cython.Py_ssize_t
        total: cython.int
        half_g: cython.longlong = 0
        if self.level > 0.0:
            return self.judge(strata, lx, ly)
        for s in range(strata):
            total = self.find_margins(s * lx * ly, lx, ly)
            if total == 0:
                continue
            self.used += total
            if self.pearson:
                self.statistic += self.stratum_pearson(s * lx * ly, lx, ly, total)
            else:
                half_g += self.stratum_half_g(s * lx * ly, lx, ly, total)
        if not self.pearson:
            self.statistic = 2.0 * self.unit * max(half_g, 0)  # h is rounded, so that half_g may end just below 0
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def judge(self, strata: cython.Py_ssize_t, lx: cython.Py_ssize_t, ly: cython.Py_ssize_t) -> cython.int:
        """The same, judged given the margins; 0 if the data cannot tell."""
        s: cython.Py_ssize_t
        total: cython.int
        self.given_margins.begin()
        for s in range(strata):
            total = self.find_margins(s * lx * ly, lx, ly)
            self.used += total
            if total > 1:
                pearson: cython.double = self.stratum_pearson(s * lx * ly, lx, ly, total)
                self.given_margins.add(self.margins, lx, ly, total, pearson)
        if not self.given_margins.judge():
            self.df = 0
            return 0
        self.statistic = self.given_margins.statistic
        self.df = self.given_margins.df
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def find_margins(self, first: cython.Py_ssize_t, lx: cython.Py_ssize_t, ly: cython.Py_ssize_t) -> cython.int:
        """Sum the table that begins at `first`, by x, by y and in all; its degrees of freedom are added to `df`."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        count: cython.int
        margin: cython.int
        total: cython.int = 0
        present_x: cython.longlong = 0
        present_y: cython.longlong = 0
        for j in range(ly):
            self.margins[lx + j] = 0
        for i in range(lx):
            margin = 0
            for j in range(ly):
                count = self.counts[first + i * ly + j]
                margin += count
                self.margins[lx + j] += count
            self.margins[i] = margin
            total += margin
            present_x += margin > 0
        if total > 0:
            for j in range(ly):
                present_y += self.margins[lx + j] > 0
            self.df += (present_x - 1) * (present_y - 1)
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def stratum_half_g(
        self, first: cython.Py_ssize_t, lx: cython.Py_ssize_t, ly: cython.Py_ssize_t, total: cython.int
    ) -> cython.longlong:
        """Half the statistic G of the table that begins at `first` and has these margins, in units of the table."""
        i: cython.Py_ssize_t
        out: cython.longlong = self.h(total)
        for i in range(lx * ly):
            out += self.h(self.counts[first + i])
        for i in range(lx + ly):
            out -= self.h(self.margins[i])
        return out

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def h(self, count: cython.int) -> cython.longlong:
        """k log k of a count k, in whole units."""
        if count < LOOKED_UP:
            return self.count_log_count[count]
        return exact_count_log_count(count, self.unit)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def stratum_pearson(
        self, first: cython.Py_ssize_t, lx: cython.Py_ssize_t, ly: cython.Py_ssize_t, total: cython.int
    ) -> cython.double:
        """Pearson's statistic of the table that begins at `first` and has these margins."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        expected: cython.double
        difference: cython.double
        out: cython.double = 0.0
        for i in range(lx):
            for j in range(ly):
                if self.margins[i] == 0 or self.margins[lx + j] == 0:
                    continue
                expected = cython.cast(cython.double, self.margins[i]) * self.margins[lx + j] / total
                difference = self.counts[first + i * ly + j] - expected
                out += difference * difference / expected
        return out


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def count_strata(
    levels: cython.int[::1],
    x: cython.Py_ssize_t,
    y: cython.Py_ssize_t,
    given: cython.int[::1],
    size: cython.Py_ssize_t,
    rows_per_df: cython.double,
    rows: cython.double,
) -> cython.Py_ssize_t:
    """The number of strata; 0 where the rows are too few for so many tables of x and y."""
    k: cython.Py_ssize_t
    count: cython.Py_ssize_t = 1
    full_df: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, levels[x] - 1) * (levels[y] - 1)
    if full_df == 0 or full_df * rows_per_df > rows:
        return 0
    for k in range(size):
        count *= levels[given[k]]
        if count * full_df * rows_per_df > rows:
            return 0
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def split_strata(stratum: cython.int[::1], values: cython.int[::1], levels: cython.int) -> cython.int:
    """Split the stratum of each row by one more condition."""
    i: cython.Py_ssize_t
    for i in range(stratum.shape[0]):
        stratum[i] = stratum[i] * levels + values[i] if (stratum[i] | values[i]) >= 0 else -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def find_cells(
    stratum: cython.int[::1],
    last: cython.int[::1],
    levels: cython.int,
    first: cython.int[::1],
    lx: cython.int,
    second: cython.int[::1],
    ly: cython.int,
    beyond: cython.int,
    cell: cython.int[::1],
) -> cython.int:
    """The cell of each row; apart from the counting, so that the compiler can do several rows at a time."""
    i: cython.Py_ssize_t
    for i in range(cell.shape[0]):
        cell[i] = (
            ((stratum[i] * levels + last[i]) * lx + first[i]) * ly + second[i]
            if (stratum[i] | last[i] | first[i] | second[i]) >= 0
            else beyond
        )
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def count_cells(cell: cython.int[::1], counts: cython.int[::1]) -> cython.int:
    i: cython.Py_ssize_t
    for i in range(cell.shape[0]):
        counts[cell[i]] += 1
    return 0


def table_of_count_log_count(rows: int) -> tuple[Any, float]:
    """k log k for k = 0 … rows, in whole units so small that sums over a table still fit into 64 bits; the unit.

    Of each of the four kinds of terms a statistic adds up at most rows log rows. No more than the counts that are
    looked up are in the table.
    """
    largest = np.longdouble(rows) * np.log(np.longdouble(max(rows, 1)))
    unit = 2.0 ** (ceil(log2(4 * float(largest) + 1)) - 62)
    count = np.arange(min(rows + 1, LOOKED_UP), dtype=np.longdouble)
    exact = count * np.log(np.maximum(count, 1))
    return np.rint(exact / unit).astype(np.int64), unit
