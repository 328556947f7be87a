"""Contingency tables of rows that are weighted, or in clusters: G and Pearson's statistic with Rao–Scott's correction.

The idea: in a stratum with the weight W, let p_a and p_b be the weighted shares of the levels of x and of y. A row of
weight w with levels a and b adds w (1_a − p_a)(1_b − p_b)' / sqrt(W p_a p_b) to a vector with an entry for each cell;
the squared length of its sum over all rows is Pearson's statistic. The rows of one cluster together are a group of
`_design_cy`. Of these the mean of all is subtracted, in proportion to their weights, so that the variance is that
around what there is, not around independence.

Without clusters every row is a group, and rows with the same levels add the same vector, times their weights: then the
sums of w, w² and w⁴ in each cell tell everything. The vectors of two cells of a stratum have the product
(1[a = a'] / p_a − 1)(1[b = b'] / p_b − 1) / W. In a stratum of m rows of equal weight (Kish's number, if their weights
differ) Pearson's statistic has an expectation of m / (m − 1) times its degrees of freedom, and the variance around the
mean of its rows is too small by the same factor; both are corrected there.

Invariants: row v of `codes` has the values of variable v, 0 … levels[v] − 1, none missing; the rows of `powers` are w,
w² and w⁴, scaled so that the weights add up to `rows`. A column of both may stand for several rows with the same
values, if these are in the same cluster. Columns are ordered by group; group g is columns group_starts[g] …
group_starts[g + 1] − 1.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from math import log, sqrt

    from ancestral.independence._design_cy import DesignedQuestions
    from ancestral.independence._discrete_cy import count_strata

#: The most cells of a table of which the variances between clusters are computed.
MOST_CELLS = cython.declare(cython.Py_ssize_t, 1024)

#: The largest correction for the few rows of a stratum.
MOST_SMALL = cython.declare(cython.double, 2.0)


@cython.final
@cython.cclass
class DesignedTables(DesignedQuestions):
    """Asks weighted rows of codes. `group_starts` None: every row is a group, and there are `groups` of them.

    `supported` is the number of rows by which it is judged whether the data can support a table.
    """

    def __init__(
        self,
        codes: Any,
        levels: Any,
        powers: Any,
        group_starts: Any,
        rows: float,
        groups: float,
        supported: float,
        alpha: float,
        pearson: bool,
        rows_per_df: float,
    ) -> None:
        self.codes = np.ascontiguousarray(codes, dtype=np.intc)
        self.levels = np.array(levels, dtype=np.intc)
        self.powers = np.ascontiguousarray(powers, dtype=np.float64)
        self.clustered = group_starts is not None
        self.group_starts = np.zeros(1, dtype=np.int64) if group_starts is None else np.array(group_starts, np.int64)
        self.groups = groups
        self.supported = supported
        self.pearson = pearson
        self.rows_per_df = rows_per_df
        widest = max(levels, default=1)
        self.begin_design(len(levels), alpha, rows, MOST_CELLS if self.clustered else 1)
        most = int(4 * supported) + 1  # never more than four cells a row: a b ≤ 4 (a − 1)(b − 1)
        self.cell = np.zeros(self.codes.shape[1], dtype=np.intc)
        self.counts = np.zeros((3, most))
        self.part = np.zeros(most)
        self.in_strata = np.zeros(most)
        self.by_x = np.zeros((most // 2 + 1, widest))
        self.by_y = np.zeros((most // 2 + 1, widest))
        self.part_x = np.zeros(widest)
        self.part_y = np.zeros(widest)

    def another(self) -> Any:
        """The same questions for another thread, with the same rows in memory."""
        return DesignedTables(
            np.asarray(self.codes),
            np.asarray(self.levels).tolist(),
            np.asarray(self.powers),
            np.asarray(self.group_starts) if self.clustered else None,
            self.rows,
            self.groups,
            self.supported,
            self.alpha,
            self.pearson,
            self.rows_per_df,
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def measure(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        s: cython.Py_ssize_t
        i: cython.Py_ssize_t
        strata: cython.Py_ssize_t = count_strata(self.levels, x, y, given, size, self.rows_per_df, self.supported)
        lx: cython.Py_ssize_t = self.levels[x]
        ly: cython.Py_ssize_t = self.levels[y]
        cells: cython.Py_ssize_t = strata * lx * ly
        present_x: cython.Py_ssize_t
        present_y: cython.Py_ssize_t
        df: cython.double = 0.0
        even: cython.double
        statistic: cython.double = 0.0
        if strata == 0 or (self.clustered and cells > MOST_CELLS):
            return 0
        self.tabulate(x, y, given, size, cells)
        for s in range(strata):
            if self.in_strata[s] == 0.0:
                continue
            present_x = present_y = 0
            for i in range(lx):
                present_x += self.by_x[s, i] > 0.0
            for i in range(ly):
                present_y += self.by_y[s, i] > 0.0
            df += (present_x - 1) * (present_y - 1)
            statistic += self.stratum_statistic(s, lx, ly)
        if df < 1.0:
            return 0
        if self.clustered:
            self.begin_sums(cells)
            self.add_clusters(strata, lx, ly)
            even = self.total * self.total / max(self.trace_of_square(cells), 1e-300)
        else:
            even = self.add_cells(strata, lx, ly)
        return self.judge(statistic, df, even, self.groups, 0.0, 1.0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def tabulate(
        self,
        x: cython.Py_ssize_t,
        y: cython.Py_ssize_t,
        given: cython.int[::1],
        size: cython.Py_ssize_t,
        cells: cython.Py_ssize_t,
    ) -> cython.int:
        """Find the cell of each row, and sum the powers of weights by cell, and the weights by margin and stratum."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        k: cython.Py_ssize_t
        s: cython.Py_ssize_t
        c: cython.Py_ssize_t
        lx: cython.Py_ssize_t = self.levels[x]
        ly: cython.Py_ssize_t = self.levels[y]
        w: cython.double
        for c in range(cells):
            for k in range(3):
                self.counts[k, c] = 0.0
        for i in range(self.codes.shape[1]):
            c = 0
            for k in range(size):
                c = c * self.levels[given[k]] + self.codes[given[k], i]
            c = (c * lx + self.codes[x, i]) * ly + self.codes[y, i]
            self.cell[i] = cython.cast(cython.int, c)
            for k in range(3):
                self.counts[k, c] += self.powers[k, i]
        for s in range(cells // (lx * ly)):
            self.in_strata[s] = 0.0
            for j in range(ly):
                self.by_y[s, j] = 0.0
            for i in range(lx):
                self.by_x[s, i] = 0.0
                for j in range(ly):
                    w = self.counts[0, (s * lx + i) * ly + j]
                    self.by_x[s, i] += w
                    self.by_y[s, j] += w
                self.in_strata[s] += self.by_x[s, i]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def stratum_statistic(self, s: cython.Py_ssize_t, lx: cython.Py_ssize_t, ly: cython.Py_ssize_t) -> cython.double:
        """The statistic of one stratum, of weights in the place of numbers of rows."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        count: cython.double
        expected: cython.double
        out: cython.double = 0.0
        for i in range(lx):
            for j in range(ly):
                expected = self.by_x[s, i] * self.by_y[s, j] / self.in_strata[s]
                count = self.counts[0, (s * lx + i) * ly + j]
                if expected == 0.0:
                    continue
                if self.pearson:
                    out += (count - expected) * (count - expected) / expected
                elif count > 0.0:
                    out += 2.0 * count * log(count / expected)
        return max(out, 0.0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def deviation(
        self,
        s: cython.Py_ssize_t,
        i: cython.Py_ssize_t,
        j: cython.Py_ssize_t,
        lx: cython.Py_ssize_t,
        ly: cython.Py_ssize_t,
    ) -> cython.double:
        """By how much the share of a cell in its stratum differs from the product of the shares of its levels."""
        whole: cython.double = self.in_strata[s]
        return self.counts[0, (s * lx + i) * ly + j] / whole - self.by_x[s, i] / whole * (self.by_y[s, j] / whole)

    # -- clusters -----------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def add_clusters(self, strata: cython.Py_ssize_t, lx: cython.Py_ssize_t, ly: cython.Py_ssize_t) -> cython.int:
        """Sum up the groups, one after the other."""
        g: cython.Py_ssize_t
        t: cython.Py_ssize_t
        s: cython.Py_ssize_t
        for t in range(strata * lx * ly):
            self.part[t] = 0.0
        for g in range(self.group_starts.shape[0] - 1):
            for t in range(self.group_starts[g], self.group_starts[g + 1]):
                self.part[self.cell[t]] += self.powers[0, t]
            for s in range(strata):
                if self.in_strata[s] > 0.0:
                    self.add_stratum(s, lx, ly)
            self.add_group(strata * lx * ly)
            for t in range(self.group_starts[g], self.group_starts[g + 1]):
                self.part[self.cell[t]] = 0.0
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def add_stratum(self, s: cython.Py_ssize_t, lx: cython.Py_ssize_t, ly: cython.Py_ssize_t) -> cython.int:
        """What the rows of a group in one stratum add to the vector of all cells."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        first: cython.Py_ssize_t = s * lx * ly
        inside: cython.double = 0.0
        whole: cython.double = self.in_strata[s]
        share_x: cython.double
        share_y: cython.double
        for j in range(ly):
            self.part_y[j] = 0.0
        for i in range(lx):
            self.part_x[i] = 0.0
            for j in range(ly):
                self.part_x[i] += self.part[first + i * ly + j]
                self.part_y[j] += self.part[first + i * ly + j]
            inside += self.part_x[i]
        if inside == 0.0:
            return 0
        for i in range(lx):
            share_x = self.by_x[s, i] / whole
            for j in range(ly):
                share_y = self.by_y[s, j] / whole
                if share_x == 0.0 or share_y == 0.0:
                    continue
                self.own[first + i * ly + j] = (
                    self.part[first + i * ly + j]
                    - self.part_x[i] * share_y
                    - share_x * self.part_y[j]
                    + inside * share_x * share_y
                    - inside * self.deviation(s, i, j, lx, ly)
                ) / sqrt(whole * share_x * share_y)
        return 0

    # -- weights alone ------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def add_cells(self, strata: cython.Py_ssize_t, lx: cython.Py_ssize_t, ly: cython.Py_ssize_t) -> cython.double:
        """Sum up rows that are groups of their own, by cell; (tr V)² / tr V², both around independence."""
        s: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        k: cython.Py_ssize_t
        m: cython.Py_ssize_t
        c: cython.Py_ssize_t
        whole: cython.double
        weighty: cython.double
        small: cython.double
        length: cython.double
        centre: cython.double
        product: cython.double
        plain: cython.double = 0.0
        both: cython.double = 0.0
        self.total = 0.0
        self.squares = 0.0
        for s in range(strata):
            whole = self.in_strata[s]
            if whole == 0.0:
                continue
            weighty = 0.0
            for c in range(s * lx * ly, (s + 1) * lx * ly):
                weighty += self.counts[1, c]
            # rows of equal weight over one less: once for the statistic, once for the variance around its mean
            small = min(whole * whole / max(whole * whole - weighty, 1e-300), MOST_SMALL)
            small = small * small
            centre = 0.0  # the squared length of the mean vector of the stratum, times its weight
            for i in range(lx):
                for j in range(ly):
                    if self.by_x[s, i] > 0.0 and self.by_y[s, j] > 0.0:
                        product = self.deviation(s, i, j, lx, ly)
                        centre += product * product * whole / self.by_x[s, i] * whole / self.by_y[s, j]
            for i in range(lx):
                for j in range(ly):
                    c = (s * lx + i) * ly + j
                    if self.counts[0, c] == 0.0:
                        continue
                    length = small * (whole / self.by_x[s, i] - 1.0) * (whole / self.by_y[s, j] - 1.0) / whole
                    plain += self.counts[1, c] * length
                    # the product with the mean vector is that with the deviation of the own cell alone
                    product = self.deviation(s, i, j, lx, ly) * whole / self.by_x[s, i] * whole / self.by_y[s, j]
                    length += small * (centre - 2.0 * product) / whole
                    self.total += self.counts[1, c] * length
                    self.squares += self.counts[2, c] * length * length
                    for k in range(lx):
                        for m in range(ly):
                            if self.counts[0, (s * lx + k) * ly + m] == 0.0:
                                continue
                            product = (whole / self.by_x[s, i] if i == k else 0.0) - 1.0
                            product = product * ((whole / self.by_y[s, j] if j == m else 0.0) - 1.0)
                            product = small * product / whole
                            both += self.counts[1, c] * self.counts[1, (s * lx + k) * ly + m] * product * product
        return plain * plain / max(both, 1e-300)
