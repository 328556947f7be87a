"""Likelihood-ratio test of independence between blocks of columns, under a Gaussian model.

The idea (degenerate Gaussian; Andrews, Ramsey & Cooper 2019): a continuous variable is one column, a discrete one an
indicator column for each level but one; all of them together are treated as Gaussian. Let E(Y|Z) be the determinant of
the covariance of the block Y given Z. The likelihood ratio of "x and y independent given Z" is
L = E(Y | Z, X) / E(Y | Z), and −(N − 1 − |Z| − (|X| + |Y| + 1)/2) log L is chi-squared with |X||Y| degrees of freedom
(Bartlett's correction). Columns that the ones before them explain are dropped and counted in none of these sizes.
Where both blocks are single columns `fisher` decides by Fisher's z, with 1 − L the squared partial correlation.

Sets that grow along a stack share its elimination, as in _gaussian_cy: `left[c, s]` is what the steps before s leave of
the covariance of column c with that of step s, `shares[c, s]` the same over the pivot. Only the few columns of the last
node, x and y are eliminated for a question, by the same operations in the same order as for a single question.

With missing values (`rowwise`) the correlations are those of the rows that are complete for the question. Most rows
are: so sums over all rows, a missing value counting as zero, are made once (`IncompleteColumns`), and a question
subtracts what the few rows with a gap in one of its blocks have contributed, or, if these are most, sums up the others.
What is left of a column may be small beside what was subtracted; then the sums are made anew from the rows themselves.

Invariants: block v is columns starts[v] … starts[v + 1] − 1; `correlation` has a unit diagonal; `threshold[df]` is the
quantile of the chi-squared distribution.
"""

from typing import Any

import cython
import numpy as np

from ancestral.independence.incomplete import IncompleteColumns

if not cython.compiled:
    from math import atanh, exp, log, sqrt

    from ancestral.independence._questions_cy import ChiSquared

#: A column of which others leave less than this share of the variance is dropped.
SINGULAR = cython.declare(cython.double, 1e-10)

#: If less than this share of the sum of squares of a column is left, rounding shows: three digits of sixteen.
TRUSTED = cython.declare(cython.double, 1e-3)

#: Rows that are summed at a time: few enough for the values of some columns to stay in the nearest cache.
STRETCH = cython.declare(cython.Py_ssize_t, 256)


@cython.cclass
class Blocks(ChiSquared):
    """Asks a correlation matrix of columns, or the columns themselves (`values`, one per row, NaN where missing; or
    their `IncompleteColumns`, made once for several objects).

    After a question `statistic`, `df` and `used` (rows) tell what it was decided on.
    """

    def __init__(
        self, starts: Any, correlation: Any, values: Any, rows: int, threshold: Any, quantile: float, fisher: bool
    ) -> None:
        n = len(starts) - 1
        self.starts = np.array(starts, dtype=np.intc)
        self.begin(n, np.zeros((n, n)))
        self.rowwise = values is not None
        self.correlation = (
            np.zeros((1, 1)) if correlation is None else np.array(correlation, dtype=np.float64, order="C")
        )
        shared = values
        if not isinstance(shared, IncompleteColumns):
            shared = IncompleteColumns.none() if values is None else IncompleteColumns.of(values, starts)
        self.values = shared.values
        self.gap_starts = shared.gap_starts
        self.gaps = shared.gaps
        self.centred = shared.centred
        self.sums = shared.sums
        self.products = shared.products
        self.listed = np.zeros(self.values.shape[1], dtype=np.intc)
        self.listed_count = 0
        self.seen = np.zeros(self.values.shape[1], dtype=np.int64)
        self.clock = 0
        self.fisher = fisher
        self.rows = rows
        self.threshold = np.array(threshold, dtype=np.float64)
        self.quantile = quantile
        width = int(np.max(starts))
        self.columns = np.zeros(width, dtype=np.intc)
        widest = min(width, 256)
        self.a = np.zeros((widest, widest))
        self.b = np.zeros((widest, widest))
        self.mean = np.zeros(widest)
        together = 1 if self.rowwise else width  # the system provides memory only when it is touched
        self.left = np.zeros((together, widest))
        self.shares = np.zeros((together, widest))
        self.stamps = np.zeros((together, widest), dtype=np.int64)
        self.stamp_of = np.zeros(widest, dtype=np.int64)
        self.pivots = np.zeros(widest)
        self.step_columns = np.zeros(widest, dtype=np.intc)
        self.steps_below = np.zeros(n + 1, dtype=np.intc)
        self.steps = 0
        self.stacked = 0
        self.stretch = np.zeros((widest if self.rowwise else 1, STRETCH))
        self.used = 0.0

    def measured(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: Any) -> bool:
        """Compute `statistic`, `df` and `used` for a question; False where the data cannot support it."""
        array = np.array(given, dtype=np.intc)
        return bool(self.measure(x, y, array, len(array)))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def independent(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        if not self.measure(x, y, given, size):
            return self.cannot_tell(size)
        if size == 0:
            self.strength[x, y] = self.strength[y, x] = self.statistic / self.df
        return self.statistic <= self.accept_below()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def accept_below(self) -> cython.double:
        """The greatest statistic that still counts as independent."""
        return self.quantile * self.quantile if self.fisher else self.threshold[self.df]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def measure(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        """Compute the statistic; 0 where the data cannot support the question."""
        k: cython.Py_ssize_t
        in_z: cython.Py_ssize_t = 0
        in_zx: cython.Py_ssize_t
        width: cython.Py_ssize_t
        self.clock += 1
        self.listed_count = 0
        for k in range(size):
            in_z = self.gather(given[k], in_z)
        in_zx = self.gather(x, in_z)
        width = self.gather(y, in_zx)
        self.used = self.rows - self.listed_count
        if width > self.a.shape[0] or self.used < 2:
            return 0
        self.correlate(width)
        return self.compare(0, in_z, in_zx, width)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def compare(
        self,
        kept_before: cython.Py_ssize_t,
        in_z: cython.Py_ssize_t,
        in_zx: cython.Py_ssize_t,
        width: cython.Py_ssize_t,
    ) -> cython.int:
        """The statistic of the blocks of `a`: Z up to `in_z`, X up to `in_zx`, then Y; 0 where it cannot be computed.

        `kept_before` columns of Z were eliminated before.
        """
        j: cython.Py_ssize_t
        k: cython.Py_ssize_t
        kept_z: cython.Py_ssize_t = kept_before + eliminate(self.a, 0, in_z, width)
        kept_x: cython.Py_ssize_t
        kept_y: cython.Py_ssize_t
        log_ratio: cython.double
        rho: cython.double
        left: cython.double
        for j in range(in_zx, width):
            for k in range(j, width):
                self.b[j, k] = self.a[j, k]
        kept_x = eliminate(self.a, in_z, in_zx, width)
        kept_y = eliminate(self.b, in_zx, width, width)  # Y given Z
        self.df = kept_x * kept_y
        left = self.used - kept_z - (3 if self.fisher else 1 + 0.5 * (kept_x + kept_y + 1))
        if left < 1 or self.df == 0 or self.df >= self.threshold.shape[0]:
            return 0
        if eliminate(self.a, in_zx, width, width) < kept_y:  # Y given Z and X
            self.statistic = 1e300  # X determines a part of Y
            return 1
        log_ratio = log_determinant(self.a, in_zx, width) - log_determinant(self.b, in_zx, width)
        if self.fisher:
            rho = sqrt(max(0.0, 1.0 - exp(log_ratio)))
            self.statistic = left * atanh(min(rho, 1.0 - 1e-16)) ** 2
        else:
            self.statistic = max(0.0, -left * log_ratio)
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def gather(self, v: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Append the columns of block v to `columns`, of which there are `count` so far; returns the new number.

        Rows that are missing in the block, and in none before, are listed.
        """
        c: cython.Py_ssize_t
        g: cython.Py_ssize_t
        t: cython.int
        for c in range(self.starts[v], self.starts[v + 1]):
            self.columns[count] = cython.cast(cython.int, c)
            count += 1
        if self.rowwise:
            for g in range(self.gap_starts[v], self.gap_starts[v + 1]):
                t = self.gaps[g]
                if self.seen[t] != self.clock:
                    self.seen[t] = self.clock
                    self.listed[self.listed_count] = t
                    self.listed_count += 1
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def correlate(self, width: cython.Py_ssize_t) -> cython.int:
        """Fill the upper half of `a` with the correlations of the first `width` of `columns`."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        scale: cython.double
        if not self.rowwise:
            for i in range(width):
                for j in range(i, width):
                    self.a[i, j] = self.correlation[self.columns[i], self.columns[j]]
            return 0
        if not self.comoments(width):
            self.comoments_anew(width)
        for i in range(width):  # a column that is constant in these rows becomes zero and is dropped
            self.mean[i] = 1.0 / sqrt(self.a[i, i]) if self.a[i, i] > 0.0 else 0.0
        for i in range(width):
            for j in range(i + 1):
                scale = self.mean[i] * self.mean[j]
                self.a[j, i] = self.a[i, j] * scale
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def comoments(self, width: cython.Py_ssize_t) -> cython.int:
        """Fill the lower half of `a` with sums of products about the mean over the complete rows.

        0 if too little is left of a column for that to be exact.
        """
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        gaps: cython.Py_ssize_t = self.listed_count
        few: cython.bint = 2 * gaps <= self.seen.shape[0]
        if not few:
            self.list_complete()
        self.sum_listed(width)
        for i in range(width):
            if few:
                self.mean[i] = self.sums[self.columns[i]] - self.mean[i]
            for j in range(i + 1):
                if few:
                    self.a[i, j] = self.products[self.columns[i], self.columns[j]] - self.a[i, j]
                self.a[i, j] -= self.mean[i] * self.mean[j] / self.used
            if not self.a[i, i] >= TRUSTED * self.products[self.columns[i], self.columns[i]]:
                return 0
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def list_complete(self) -> cython.int:
        """List the rows that were not listed, instead of those that were."""
        t: cython.Py_ssize_t
        self.listed_count = 0
        for t in range(self.seen.shape[0]):
            if self.seen[t] != self.clock:
                self.listed[self.listed_count] = cython.cast(cython.int, t)
                self.listed_count += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def sum_listed(self, width: cython.Py_ssize_t) -> cython.int:
        """Sums (in `mean`) and sums of products (the lower half of `a`) of `centred` over the listed rows."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        first: cython.Py_ssize_t = 0
        length: cython.Py_ssize_t
        for i in range(width):
            self.mean[i] = 0.0
            for j in range(i + 1):
                self.a[i, j] = 0.0
        while first < self.listed_count:
            length = min(STRETCH, self.listed_count - first)
            for i in range(width):
                self.mean[i] += pick(self.centred, self.columns[i], self.listed, first, length, self.stretch, i)
                for j in range(i + 1):
                    self.a[i, j] += dot(self.stretch, i, j, length)
            first += length
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def comoments_anew(self, width: cython.Py_ssize_t) -> cython.int:
        """The same from the values as they are, in two passes."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        t: cython.Py_ssize_t
        c: cython.Py_ssize_t
        d: cython.Py_ssize_t
        first: cython.Py_ssize_t = 0
        total: cython.double
        while self.seen[first] == self.clock:
            first += 1
        for i in range(width):  # measured from the first of them, so that the mean of a constant is exact
            c = self.columns[i]
            total = 0.0
            for t in range(first, self.seen.shape[0]):
                if self.seen[t] != self.clock:
                    total += self.values[c, t] - self.values[c, first]
            self.mean[i] = total / self.used + self.values[c, first]
        for i in range(width):
            c = self.columns[i]
            for j in range(i + 1):
                d = self.columns[j]
                total = 0.0
                for t in range(first, self.seen.shape[0]):
                    if self.seen[t] != self.clock:
                        total += (self.values[c, t] - self.mean[i]) * (self.values[d, t] - self.mean[j])
                self.a[i, j] = total
        return 0

    # -- along a stack ------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin_pair(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.void:
        ChiSquared.begin_pair(self, x, y)
        self.steps = 0
        self.stacked = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def push(self, z: cython.Py_ssize_t) -> cython.int:
        """A step of elimination for each column of z that the ones before it do not explain."""
        c: cython.Py_ssize_t
        pivot: cython.double
        self.steps_below[self.height] = cython.cast(cython.int, self.steps)
        ChiSquared.push(self, z)
        self.stacked += self.starts[z + 1] - self.starts[z]
        if self.rowwise or self.stacked > self.pivots.shape[0]:
            return 0  # nothing is shared, or no set from here on can be asked about
        for c in range(self.starts[z], self.starts[z + 1]):
            self.follow(c)
            pivot = remainder(self.correlation, self.shares, self.left, c, c, self.steps)
            if pivot < SINGULAR:
                continue
            self.step_columns[self.steps] = cython.cast(cython.int, c)
            self.pivots[self.steps] = pivot
            self.clock += 1
            self.stamp_of[self.steps] = self.clock
            self.steps += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pop(self) -> cython.void:
        z: cython.Py_ssize_t
        self.height -= 1
        z = self.stack[self.height]
        self.stacked -= self.starts[z + 1] - self.starts[z]
        self.steps = self.steps_below[self.height]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def follow(self, c: cython.Py_ssize_t) -> cython.int:
        """Make left[c, s] and shares[c, s] valid for each step s."""
        s: cython.Py_ssize_t = self.steps
        while s > 0 and self.stamps[c, s - 1] != self.stamp_of[s - 1]:
            s -= 1
        while s < self.steps:
            self.left[c, s] = remainder(self.correlation, self.shares, self.left, self.step_columns[s], c, s)
            self.shares[c, s] = self.left[c, s] / self.pivots[s]
            self.stamps[c, s] = self.stamp_of[s]
            s += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def first_separating(self, nodes: cython.int[::1], count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        i: cython.Py_ssize_t
        if self.rowwise:
            return ChiSquared.first_separating(self, nodes, count)
        self.closest_at = -1
        for i in range(count):
            if not self.measure_last(nodes[i]):
                self.cannot_tell(self.height + 1)
            elif self.statistic <= self.accept_below():
                return i
            elif self.closer():
                self.closest_at = i
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def measure_last(self, v: cython.Py_ssize_t) -> cython.int:
        """Compute the statistic given the stack and v; 0 where the data cannot support the question."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        in_z: cython.Py_ssize_t = self.gather(v, 0)
        in_zx: cython.Py_ssize_t = self.gather(self.x, in_z)
        width: cython.Py_ssize_t = self.gather(self.y, in_zx)
        self.used = self.rows
        if self.stacked + width > self.a.shape[0] or self.used < 2:
            return 0
        for i in range(width):
            self.follow(self.columns[i])
        for i in range(width):
            for j in range(i, width):
                self.a[i, j] = remainder(
                    self.correlation, self.shares, self.left, self.columns[i], self.columns[j], self.steps
                )
        return self.compare(self.steps, in_z, in_zx, width)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def eliminate(
    matrix: cython.double[:, ::1], first: cython.Py_ssize_t, last: cython.Py_ssize_t, width: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Eliminate columns first … last − 1 from those behind them; returns how many were not singular.

    Of the symmetric matrix only the upper half is looked at.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    kept: cython.Py_ssize_t = 0
    factor: cython.double
    for i in range(first, last):
        if matrix[i, i] < SINGULAR:
            continue
        kept += 1
        for j in range(i + 1, width):
            factor = matrix[i, j] / matrix[i, i]
            for k in range(j, width):
                matrix[j, k] -= factor * matrix[i, k]
    return kept


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def log_determinant(matrix: cython.double[:, ::1], first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.double:
    """The log determinant of the columns first … last − 1 that are not singular, after they were eliminated."""
    i: cython.Py_ssize_t
    total: cython.double = 0.0
    for i in range(first, last):
        if matrix[i, i] >= SINGULAR:
            total += log(matrix[i, i])
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def remainder(
    correlation: cython.double[:, ::1],
    share: cython.double[:, ::1],
    left: cython.double[:, ::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    steps: cython.Py_ssize_t,
) -> cython.double:
    """What `steps` steps leave of the covariance of two columns, b being behind a in the order of elimination."""
    s: cython.Py_ssize_t
    out: cython.double = correlation[a, b]
    for s in range(steps):
        out -= share[a, s] * left[b, s]
    return out


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def pick(
    values: cython.double[:, ::1],
    c: cython.Py_ssize_t,
    listed: cython.int[::1],
    first: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    out: cython.double[:, ::1],
    i: cython.Py_ssize_t,
) -> cython.double:
    """Copy the values of column c in some of the listed rows to row i; their sum."""
    t: cython.Py_ssize_t
    total: cython.double = 0.0
    for t in range(length):
        out[i, t] = values[c, listed[first + t]]
        total += out[i, t]
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def dot(
    rows: cython.double[:, ::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t, length: cython.Py_ssize_t
) -> cython.double:
    """The sum of products of two rows; four sums, none of which waits for another."""
    t: cython.Py_ssize_t
    whole: cython.Py_ssize_t = length - length % 4
    a: cython.double = 0.0
    b: cython.double = 0.0
    c: cython.double = 0.0
    d: cython.double = 0.0
    for t in range(0, whole, 4):
        a += rows[i, t] * rows[j, t]
        b += rows[i, t + 1] * rows[j, t + 1]
        c += rows[i, t + 2] * rows[j, t + 2]
        d += rows[i, t + 3] * rows[j, t + 3]
    for t in range(whole, length):
        a += rows[i, t] * rows[j, t]
    return (a + b) + (c + d)
