"""Partial correlations and likelihood ratios of blocks of columns, under weights and clusters.

The idea: let e_x and e_y be what is left of the columns of x and of y after a weighted regression on the given columns,
orthogonal and of unit length within each of the two blocks, and C the matrix of their weighted correlations. The
statistic is that of `_gaussian_cy` (Fisher's z) or `_blocks_cy` (likelihood ratio) for as many rows as there are. To
first order a row adds e_x e_y' − ½ (e_x e_x' C + C e_y e_y') to C, since the scales of e_x and e_y are estimated, too;
for single columns this over 1 − r² is what it adds to Fisher's z. Sums of these over groups say what the statistic is
worth (`_design_cy`). A question takes one pass over the rows for each given column.

Invariants: row c of `values` is column c, centred at its weighted mean and scaled to unit weighted variance, each value
times the root of the weight of its row; weights add up to `rows`, so that values · values' = rows · correlation. Rows
are ordered by group; group g is rows group_starts[g] … group_starts[g + 1] − 1. Sums of groups can be used in place of
rows, if they have the same products. Block v is columns starts[v] … starts[v + 1] − 1.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from math import atanh, log, sqrt

    from ancestral.independence._design_cy import DesignedQuestions

#: A column of which others leave less than this share of the variance is dropped.
SINGULAR = cython.declare(cython.double, 1e-10)

#: The most columns of a question.
MOST_COLUMNS = cython.declare(cython.Py_ssize_t, 256)

#: The most pairs of a column of x and a column of y.
MOST_PAIRS = cython.declare(cython.Py_ssize_t, 1024)


@cython.final
@cython.cclass
class DesignedBlocks(DesignedQuestions):
    """Asks weighted columns in groups of rows; `fisher`: all blocks are single columns, and Fisher's z decides."""

    def __init__(
        self, starts: Any, correlation: Any, values: Any, group_starts: Any, rows: float, alpha: float, fisher: bool
    ) -> None:
        self.starts = np.array(starts, dtype=np.intc)
        self.correlation = np.array(correlation, dtype=np.float64, order="C")
        self.values = np.ascontiguousarray(values, dtype=np.float64)
        self.group_starts = np.array(group_starts, dtype=np.int64)
        self.fisher = fisher
        width = int(np.max(starts))
        widest = int(np.max(np.diff(starts)))
        self.begin_design(len(starts) - 1, alpha, rows, min(widest * widest, MOST_PAIRS))
        together = min(width, MOST_COLUMNS)
        self.columns = np.zeros(width, dtype=np.intc)
        self.kept = np.zeros(together, dtype=np.intc)
        self.pivot = np.zeros(together, dtype=np.intc)
        self.left = np.zeros((together, together))
        self.ratio = np.zeros((together, together))
        self.variance = np.zeros(together)
        self.factor = np.zeros(together)
        self.residual = np.zeros((2 * widest, self.values.shape[1]))
        self.common = np.zeros((widest, widest))
        self.small = np.zeros((widest, widest))
        self.from_x = np.zeros(widest)
        self.from_y = np.zeros(widest)

    def another(self) -> Any:
        """The same questions for another thread, with the same rows in memory."""
        return DesignedBlocks(
            np.asarray(self.starts),
            np.asarray(self.correlation),
            np.asarray(self.values),
            np.asarray(self.group_starts),
            self.rows,
            self.alpha,
            self.fisher,
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def measure(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        c: cython.Py_ssize_t
        v: cython.Py_ssize_t
        width: cython.Py_ssize_t = 0
        in_z: cython.Py_ssize_t = 0
        in_zx: cython.Py_ssize_t = 0
        kept_z: cython.Py_ssize_t
        wide_x: cython.Py_ssize_t
        wide_y: cython.Py_ssize_t
        rest: cython.double
        r: cython.double
        statistic: cython.double
        for k in range(size + 2):
            v = given[k] if k < size else (x if k == size else y)
            if width + self.starts[v + 1] - self.starts[v] > self.kept.shape[0]:
                return 0
            for c in range(self.starts[v], self.starts[v + 1]):
                self.columns[width] = cython.cast(cython.int, c)
                width += 1
            if k == size - 1:
                in_z = width
            if k == size:
                in_zx = width
        kept_z = self.orthogonal(0, in_z, 0, -1)
        wide_x = self.orthogonal(in_z, in_zx, kept_z, 0)
        wide_y = self.orthogonal(in_zx, width, kept_z, wide_x)
        rest = self.rows - kept_z - (3.0 if self.fisher else 1.0 + 0.5 * (wide_x + wide_y + 1))
        if rest < 1.0 or wide_x == 0 or wide_y == 0 or wide_x * wide_y > self.own.shape[0]:
            return 0
        for i in range(wide_x):
            for k in range(wide_y):
                r = 0.0
                for c in range(self.values.shape[1]):
                    r += self.residual[i, c] * self.residual[wide_x + k, c]
                self.common[i, k] = r / self.rows
        self.begin_sums(wide_x * wide_y)
        if wide_x == 1 and wide_y == 1:
            r = min(max(self.common[0, 0], -1.0 + 1e-15), 1.0 - 1e-15)
            statistic = rest * (atanh(r) * atanh(r) if self.fisher else -log(1.0 - r * r))
            self.add_pairs(r)
        else:
            statistic = -rest * self.log_ratio(wide_x, wide_y)
            self.add_blocks(wide_x, wide_y)
        if self.total <= 1e-12 * self.rows and statistic > self.rows:  # one determines the other
            self.raw = statistic
            self.effect = 1.0
            self.statistic = 0.0
            return 1
        return self.judge(
            statistic,
            wide_x * wide_y,
            self.total * self.total / max(self.trace_of_square(wide_x * wide_y), 1e-300),
            self.group_starts.shape[0] - 1,
            kept_z,
            self.rows,
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def orthogonal(
        self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, in_z: cython.Py_ssize_t, out: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Eliminate the first `in_z` pivots, and the columns before it, from columns first … last − 1; how many stay.

        What is left of those that stay goes to the rows of `residual` from `out` on, unless that is −1.
        """
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        q: cython.Py_ssize_t
        count: cython.Py_ssize_t = in_z
        s: cython.double
        d: cython.double
        for j in range(first, last):
            d = 1.0
            for i in range(count):
                s = self.correlation[self.columns[j], self.kept[i]]
                for q in range(i):
                    s -= self.left[j, q] * self.ratio[self.pivot[i], q]
                self.left[j, i] = s
                self.ratio[j, i] = s / self.variance[i]
                d -= s * self.ratio[j, i]
            if d < SINGULAR:
                continue
            if out >= 0:
                self.variance[count] = d
                self.residuals_of(j, count, out)
                out += 1
            self.kept[count] = self.columns[j]
            self.pivot[count] = cython.cast(cython.int, j)
            self.variance[count] = d
            count += 1
        return count - in_z

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def residuals_of(self, j: cython.Py_ssize_t, count: cython.Py_ssize_t, out: cython.Py_ssize_t) -> cython.int:
        """What the first `count` pivots leave of a column, with a variance of one, in row `out` of `residual`."""
        i: cython.Py_ssize_t
        q: cython.Py_ssize_t
        t: cython.Py_ssize_t
        column: cython.Py_ssize_t = self.columns[j]
        f: cython.double
        scale: cython.double = 1.0 / sqrt(self.variance[count])
        for i in range(count - 1, -1, -1):  # coefficients of the pivots themselves, not of what is left of them
            f = self.ratio[j, i]
            for q in range(i + 1, count):
                f -= self.factor[q] * self.ratio[self.pivot[q], i]
            self.factor[i] = f
        for t in range(self.values.shape[1]):
            self.residual[out, t] = self.values[column, t] * scale
        for i in range(count):
            column = self.kept[i]
            f = self.factor[i] * scale
            for t in range(self.values.shape[1]):
                self.residual[out, t] -= f * self.values[column, t]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def log_ratio(self, wide_x: cython.Py_ssize_t, wide_y: cython.Py_ssize_t) -> cython.double:
        """The log determinant of I − C C', by elimination."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        k: cython.Py_ssize_t
        out: cython.double = 0.0
        f: cython.double
        for i in range(wide_x):
            for j in range(wide_x):
                f = 1.0 if i == j else 0.0
                for k in range(wide_y):
                    f -= self.common[i, k] * self.common[j, k]
                self.small[i, j] = f
        for i in range(wide_x):
            out += log(max(self.small[i, i], 1e-300))
            for j in range(i + 1, wide_x):
                f = self.small[i, j] / max(self.small[i, i], 1e-300)
                for k in range(j, wide_x):
                    self.small[j, k] -= f * self.small[i, k]
        return out

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def add_pairs(self, r: cython.double) -> cython.int:
        """Sum up the groups where x and y are single columns with partial correlation r."""
        g: cython.Py_ssize_t
        t: cython.Py_ssize_t
        a: cython.double
        b: cython.double
        total: cython.double
        scale: cython.double = 1.0 / (1.0 - r * r)
        for g in range(self.group_starts.shape[0] - 1):
            total = 0.0
            for t in range(self.group_starts[g], self.group_starts[g + 1]):
                a = self.residual[0, t]
                b = self.residual[1, t]
                total += a * b - 0.5 * r * (a * a + b * b)
            self.own[0] = total * scale
            self.add_group(1)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def add_blocks(self, wide_x: cython.Py_ssize_t, wide_y: cython.Py_ssize_t) -> cython.int:
        """Sum up the groups where x or y has several columns."""
        g: cython.Py_ssize_t
        t: cython.Py_ssize_t
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        f: cython.double
        for g in range(self.group_starts.shape[0] - 1):
            for t in range(self.group_starts[g], self.group_starts[g + 1]):
                for k in range(wide_y):
                    f = 0.0
                    for i in range(wide_x):
                        f += self.common[i, k] * self.residual[i, t]
                    self.from_x[k] = self.residual[wide_x + k, t] - 0.5 * f
                for i in range(wide_x):
                    f = 0.0
                    for k in range(wide_y):
                        f += self.common[i, k] * self.residual[wide_x + k, t]
                    self.from_y[i] = 0.5 * f
                for i in range(wide_x):
                    for k in range(wide_y):
                        self.own[i * wide_y + k] += (
                            self.residual[i, t] * self.from_x[k] - self.from_y[i] * self.residual[wide_x + k, t]
                        )
            self.add_group(wide_x * wide_y)
        return 0
