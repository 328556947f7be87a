"""Whether what some columns leave of x and of y goes together: sums of products of residuals, and their distribution.

The idea (generalised covariance measure; Shah & Peters 2020; with weights Scheidegger, Hörrmann & Bühlmann 2022): x and
y are each some columns, functions of their values. Let r_i and s_j be what a regression on functions of Z, the
`design`, leaves of them. If x and y are independent given Z, and the design holds the conditional mean of x's column i
or that of y's column j, the products u = r_i s_j have mean zero, and so have w(Z) u for any weight w, whatever the
variances are. The statistic is T = |Σ u|² / N over all pairs i, j, and over a few weights for the first pair. Its
distribution is that of Σ λ_k χ²_1, with λ the eigenvalues of S = Σ u uᵀ / N. A chi-squared variable with a location and
scale of its own is fitted to the first three moments, which follow from tr S, tr S² and tr S³ (Hall 1983; Buckley &
Eagleson 1988), with whole degrees of freedom. S is taken from the products, so variances that change with Z do no harm.

The mean of a function of x given Z is seldom a sum of functions of each z, not even in Gaussian data; but where noise
is added to some function f(Z) it is a function of f(Z). So the regression is done twice: the squares and cubes of what
the first one fits join the design of the second.

Under weights and clusters regressions are weighted, and u is the sum over a group of the weights times the products of
its rows; S is a sum over groups. Few groups do not determine S well, so that the p-value is that of an F distribution
(`_design_cy`). Columns that differ between groups leave fewer degrees of freedom than groups: each takes the share of
its variance that is between groups, all of it where rows are groups.

A subclass fills the design (`fill_design`). Invariants: questions are computed on places of variables in the order of
names, whatever the order in which they are asked; `place` has that of each. The variable at place v is rows
tested_starts[v] … tested_starts[v + 1] − 1 of `tested`, and rows term_starts[v] … term_starts[v + 1] − 1 of `terms` if
it is given; the first first_terms[v] of these are of degree one. Under a design (`designed`) rows are listed by group,
values of columns are times the root of the weight of their row, and `statistic` is a p-value. Work is proportional to
the number of rows.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from math import sqrt

    from ancestral.independence._design_cy import f_tail, freedom_of
    from ancestral.independence._questions_cy import ChiSquared, Questions

#: A column of which others leave less than this share of the variance is dropped.
SINGULAR = cython.declare(cython.double, 1e-6)

#: A column of x or y of which the given variables leave less than this share is determined by them.
DETERMINED = cython.declare(cython.double, 1e-3)

#: Rows for each column of a regression: with fewer, too little is left of x and y.
ROWS_PER_COLUMN = cython.declare(cython.Py_ssize_t, 4)

#: Fitted values are cut off at this many standard deviations before they are raised to powers.
FARTHEST = cython.declare(cython.double, 4.0)

#: Rows that are summed at a time: few enough for the values of some columns to stay in the cache.
STRETCH = cython.declare(cython.Py_ssize_t, 256)

#: So many more degrees of freedom than products must be left of the rows.
LEAST_LEFT = cython.declare(cython.Py_ssize_t, 8)

#: Groups for each column of a regression under a design, as far as columns differ between groups.
GROUPS_PER_COLUMN = cython.declare(cython.double, 2.0)

#: So many groups must be left beside those that the given variables take.
FEWEST_GROUPS = cython.declare(cython.double, 3.0)

#: The greatest number of columns of a design, and of products.
MOST = cython.declare(cython.Py_ssize_t, 256)


@cython.cclass
class ResidualProducts(ChiSquared):
    """Asks the columns of variables. After a question `statistic`, `df` and `used` (rows) tell what it was decided on.

    `features` has them (`independence.features.Features`), in the order of names; `place` is that of each variable;
    `threshold[df]` is the quantile of the chi-squared distribution, `alpha` its level, which p-values are compared
    with under a design.
    """

    def __init__(self, features: Any, place: Any, threshold: Any, alpha: float = 0.0) -> None:
        n = len(place)
        self.begin(n, np.zeros((n, n)))
        self.tested = features.tested
        self.tested_starts = features.tested_starts
        self.terms = features.terms
        self.term_starts = features.term_starts
        self.first_terms = features.first_terms
        self.place = place
        self.scales = features.scales
        self.missing = features.missing
        self.has_missing = bool(features.missing.any())
        self.threshold = threshold
        self.alpha = alpha
        rows = self.tested.shape[1]
        widest = 2 * int(np.diff(features.tested_starts).max())
        self.members = np.zeros(n + 1, dtype=np.intc)
        self.designed = features.groups is not None
        if features.groups is None:
            self.listed = np.arange(rows, dtype=np.intc)
            self.roots = np.ones(1)
            self.group_starts = np.zeros(1, dtype=np.int64)
        else:
            self.listed = np.array(features.groups.order, dtype=np.intc)
            self.roots = np.sqrt(features.groups.weights)
            self.group_starts = np.array(features.groups.starts, dtype=np.int64)
        self.groups = rows
        self.ratio = 0.0
        self.size = 0
        self.length = rows
        # the system provides memory only when it is touched
        self.design = np.zeros((min(MOST, rows // ROWS_PER_COLUMN) + 1, rows))
        self.residuals = np.zeros((widest, rows))
        self.fitted = np.zeros((widest, rows))
        self.powers = np.zeros((2 * widest, rows))
        self.power_count = 0
        self.gram = np.zeros((MOST, MOST))
        self.factor = np.zeros((MOST, MOST))
        self.shares = np.zeros(MOST)
        self.solved = np.zeros(MOST)
        self.columns = np.zeros(MOST, dtype=np.intc)
        self.kept = 0
        self.weights = np.zeros((n, rows))
        self.products = np.zeros(MOST)
        self.sums = np.zeros(MOST)
        self.second = np.zeros((MOST, MOST))
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
            self.strength[x, y] = self.strength[y, x] = self.ratio if self.designed else self.statistic / self.df
        if self.designed:
            return self.statistic > self.alpha
        return self.statistic <= self.threshold[self.df]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def closer(self) -> cython.bint:
        return Questions.closer(self) if self.designed else ChiSquared.closer(self)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def measure(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        """Compute the statistic; 0 where the data cannot support the question."""
        k: cython.Py_ssize_t
        j: cython.Py_ssize_t
        v: cython.Py_ssize_t
        in_x: cython.Py_ssize_t
        in_y: cython.Py_ssize_t
        room: cython.Py_ssize_t
        of_powers: cython.Py_ssize_t = 0
        weight_count: cython.Py_ssize_t = 0
        share: cython.double
        x, y = min(self.place[x], self.place[y]), max(self.place[x], self.place[y])
        for k in range(size):
            v = self.place[given[k]]
            j = k
            while j > 0 and self.members[j - 1] > v:
                self.members[j] = self.members[j - 1]
                j -= 1
            self.members[j] = cython.cast(cython.int, v)
        self.size = size
        self.list_complete(x, y)
        self.used = self.length
        self.groups = self.group_starts.shape[0] - 1 if self.designed else self.length
        self.kept = 0
        self.power_count = 0
        in_x = self.tested_starts[x + 1] - self.tested_starts[x]
        in_y = self.tested_starts[y + 1] - self.tested_starts[y]
        if size > 0:
            room = min(self.length // ROWS_PER_COLUMN, MOST)
            if self.designed:
                share = 0.0
                for k in range(size):
                    self.put(self.terms, self.term_starts[self.members[k]], self.design, 0)
                    share += self.spent_on(self.design, 0) / (self.length * size)
                if share > 0.0:  # of a column that is between groups
                    room = cython.cast(cython.Py_ssize_t, min(room, self.groups / (GROUPS_PER_COLUMN * share)))
            of_powers = min(2 * (in_x + in_y), room // 4)
            k = self.fill_design(room, of_powers)
            if k == 0:
                return 0
            self.orthogonalise(k)
        if not self.put_residuals(x, 0) or not self.put_residuals(y, in_x):
            return 0
        for k in range(max(in_x, in_y)):  # the functions of x and y of lowest degree first
            if k < in_x:
                self.put_powers(k, of_powers)
            if k < in_y:
                self.put_powers(in_x + k, of_powers)
        for j in range(in_x + in_y):
            for k in range(self.power_count):
                share = dot(self.residuals, j, self.powers, k, 0, self.length)
                subtract(self.residuals, j, self.powers, k, share, self.length)
        self.whiten(0, in_x, self.tested_starts[x])
        self.whiten(in_x, in_x + in_y, self.tested_starts[y])
        for k in range(size):
            v = self.members[k]
            if self.first_terms[v] == 1:
                for j in range(self.length):
                    self.weights[weight_count, j] = self.terms[self.term_starts[v], self.listed[j]]
                self.standardise(self.weights, weight_count)
                weight_count += 1
        return self.compare(in_x, in_y, weight_count)

    # -- rows and columns ---------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def list_complete(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.int:
        """List the rows in which none of the variables of the question is missing."""
        t: cython.Py_ssize_t
        k: cython.Py_ssize_t
        whole: cython.bint
        if not self.has_missing:
            return 0
        self.length = 0
        for t in range(self.tested.shape[1]):
            whole = not (self.missing[x, t] or self.missing[y, t])
            for k in range(self.size):
                if self.missing[self.members[k], t]:
                    whole = False
            if whole:
                self.listed[self.length] = cython.cast(cython.int, t)
                self.length += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def put(
        self, values: cython.double[:, ::1], c: cython.Py_ssize_t, out: cython.double[:, ::1], at: cython.Py_ssize_t
    ) -> cython.int:
        """Copy the listed rows of column c to row `at` of `out`, about their mean."""
        t: cython.Py_ssize_t
        for t in range(self.length):
            out[at, t] = values[c, self.listed[t]]
        return self.centre(out, at)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def centre(self, rows: cython.double[:, ::1], at: cython.Py_ssize_t) -> cython.int:
        """Standardise a column; under a design, times the roots of weights."""
        t: cython.Py_ssize_t
        self.standardise(rows, at)
        if self.designed:
            for t in range(self.length):
                rows[at, t] *= self.roots[t]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def standardise(self, rows: cython.double[:, ::1], at: cython.Py_ssize_t) -> cython.int:
        """Subtract the mean of a column, and divide it by its root mean square; a constant one becomes zero."""
        t: cython.Py_ssize_t
        total: cython.double = 0.0
        squares: cython.double = 0.0
        before: cython.double = 0.0
        weight: cython.double = 1.0
        for t in range(self.length):
            if self.designed:
                weight = self.roots[t] * self.roots[t]
            total += weight * rows[at, t]
            before += weight * rows[at, t] * rows[at, t]
        total /= max(self.length, 1)
        for t in range(self.length):
            if self.designed:
                weight = self.roots[t] * self.roots[t]
            rows[at, t] -= total
            squares += weight * rows[at, t] * rows[at, t]
        if squares <= 1e-20 * before:
            squares = 0.0
        squares = sqrt(self.length / squares) if squares > 0.0 else 0.0
        for t in range(self.length):
            rows[at, t] *= squares
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def fill_design(self, room: cython.Py_ssize_t, of_powers: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Put functions of the given variables, the `members`, into `design`, each about its mean; returns how many.

        There is `room` for so many columns, of which the powers of fitted values take `of_powers`. 0 where there is too
        little room for what the given variables need.
        """
        with cython.gil:
            raise NotImplementedError("a subclass of ResidualProducts must implement fill_design()")

    # -- regression ---------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def orthogonalise(self, count: cython.Py_ssize_t) -> cython.int:
        """Make the triangular factor of the correlations of the first `count` columns, and list those that it keeps."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        s: cython.Py_ssize_t
        u: cython.Py_ssize_t
        first: cython.Py_ssize_t = 0
        last: cython.Py_ssize_t
        total: cython.double
        pivot: cython.double
        for i in range(count):
            for j in range(i + 1):
                self.gram[i, j] = 0.0
        while first < self.length:
            last = min(first + STRETCH, self.length)
            for i in range(count):
                for j in range(i + 1):
                    self.gram[i, j] += dot(self.design, i, self.design, j, first, last)
            first = last
        self.kept = 0
        for i in range(count):
            pivot = self.gram[i, i] / self.length
            for s in range(self.kept):
                total = self.gram[i, self.columns[s]] / self.length
                for u in range(s):
                    total -= self.factor[self.kept, u] * self.factor[s, u]
                total /= self.factor[s, s]
                self.factor[self.kept, s] = total
                pivot -= total * total
            if pivot > SINGULAR:
                self.factor[self.kept, self.kept] = sqrt(pivot)
                self.columns[self.kept] = cython.cast(cython.int, i)
                self.kept += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def leave(self, rows: cython.double[:, ::1], at: cython.Py_ssize_t) -> cython.double:
        """Subtract from a column what the design explains of it; returns the mean square that is left."""
        s: cython.Py_ssize_t
        u: cython.Py_ssize_t
        total: cython.double
        for s in range(self.kept):
            total = dot(rows, at, self.design, self.columns[s], 0, self.length) / self.length
            for u in range(s):
                total -= self.factor[s, u] * self.solved[u]
            self.solved[s] = total / self.factor[s, s]
        for s in range(self.kept - 1, -1, -1):
            total = self.solved[s]
            for u in range(s + 1, self.kept):
                total -= self.factor[u, s] * self.shares[u]
            self.shares[s] = total / self.factor[s, s]
        for s in range(self.kept):
            subtract(rows, at, self.design, self.columns[s], self.shares[s], self.length)
        return dot(rows, at, rows, at, 0, self.length) / self.length

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def put_residuals(self, v: cython.Py_ssize_t, at: cython.Py_ssize_t) -> cython.int:
        """Put what the design leaves of the columns of v into `residuals`, from row `at` on; the rest into `fitted`.

        0 if the given variables determine a number: nothing of it is left but what their functions do not reach.
        """
        c: cython.Py_ssize_t
        t: cython.Py_ssize_t
        for c in range(self.tested_starts[v], self.tested_starts[v + 1]):
            self.put(self.tested, c, self.residuals, at)
            for t in range(self.length):
                self.fitted[at, t] = self.residuals[at, t]
            if self.leave(self.residuals, at) < DETERMINED:
                if self.first_terms[v] == 1 and c == self.tested_starts[v]:
                    return 0
                for t in range(self.length):
                    self.residuals[at, t] = 0.0
            for t in range(self.length):
                self.fitted[at, t] -= self.residuals[at, t]
            at += 1
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def put_powers(self, j: cython.Py_ssize_t, most: cython.Py_ssize_t) -> cython.int:
        """Square and cube of the fitted values of column j, as orthonormal columns that the design does not explain."""
        t: cython.Py_ssize_t
        k: cython.Py_ssize_t
        exponent: cython.int
        spread: cython.double
        value: cython.double
        spread = sqrt(dot(self.fitted, j, self.fitted, j, 0, self.length) / self.length)
        if spread < 1e-6:
            return 0
        for exponent in range(2, 4):
            if self.power_count >= most:
                return 0
            for t in range(self.length):
                value = self.fitted[j, t] / spread
                if self.designed:
                    value = value / self.roots[t] if self.roots[t] > 0.0 else 0.0
                value = max(-FARTHEST, min(FARTHEST, value))
                self.powers[self.power_count, t] = value * value * (value if exponent == 3 else 1.0)
            self.centre(self.powers, self.power_count)
            self.leave(self.powers, self.power_count)
            for k in range(self.power_count):
                value = dot(self.powers, self.power_count, self.powers, k, 0, self.length)
                subtract(self.powers, self.power_count, self.powers, k, value, self.length)
            value = dot(self.powers, self.power_count, self.powers, self.power_count, 0, self.length)
            if value > 1e-6 * self.length:
                value = 1.0 / sqrt(value)
                for t in range(self.length):
                    self.powers[self.power_count, t] *= value
                self.power_count += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def whiten(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, of: cython.Py_ssize_t) -> cython.int:
        """Make residuals first … last − 1 uncorrelated, and as large as the `scales` of columns from `of` on say.

        Zero where those before explain one.
        """
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        t: cython.Py_ssize_t
        before: cython.double
        scale: cython.double
        for i in range(first, last):
            before = dot(self.residuals, i, self.residuals, i, 0, self.length)
            for j in range(first, i):
                scale = dot(self.residuals, i, self.residuals, j, 0, self.length) / self.length
                subtract(self.residuals, i, self.residuals, j, scale, self.length)
            scale = dot(self.residuals, i, self.residuals, i, 0, self.length)
            scale = sqrt(self.length / scale) if before > 0.0 and scale > 1e-6 * before else 0.0
            for t in range(self.length):
                self.residuals[i, t] *= scale
        for i in range(first, last):
            for t in range(self.length):
                self.residuals[i, t] *= self.scales[of + i - first]
        return 0

    # -- the statistic ------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def compare(self, in_x: cython.Py_ssize_t, in_y: cython.Py_ssize_t, weight_count: cython.Py_ssize_t) -> cython.int:
        """Sum up the products of residuals, and find `statistic` and `df`; 0 where there is nothing to compare."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        t: cython.Py_ssize_t
        g: cython.Py_ssize_t
        first: cython.Py_ssize_t
        last: cython.Py_ssize_t = 0
        q: cython.Py_ssize_t = in_x * in_y + weight_count
        left: cython.double = self.used - 1 - self.kept - self.power_count
        value: cython.double
        total: cython.double = 0.0
        lengths: cython.double = 0.0
        fourth: cython.double = 0.0
        square: cython.double
        one: cython.double = 0.0
        two: cython.double = 0.0
        three: cython.double = 0.0
        if q > MOST or left < q + LEAST_LEFT:
            return 0
        for i in range(q):
            self.sums[i] = 0.0
            for j in range(i + 1):
                self.second[i, j] = 0.0
        for g in range(self.groups):
            first = last
            last = self.group_starts[g + 1] if self.designed else g + 1
            for i in range(q):
                self.products[i] = 0.0
            for t in range(first, last):
                for i in range(in_x):
                    for j in range(in_y):
                        self.products[i * in_y + j] += self.residuals[i, t] * self.residuals[in_x + j, t]
                value = self.residuals[0, t] * self.residuals[in_x, t]
                for i in range(weight_count):
                    self.products[in_x * in_y + i] += value * self.weights[i, t]
            square = 0.0
            for i in range(q):
                value = self.products[i]
                square += value * value
                self.sums[i] += value
                for j in range(i + 1):
                    self.second[i, j] += value * self.products[j]
            lengths += square
            fourth += square * square / self.used
        for i in range(q):
            total += self.sums[i] * self.sums[i]
            for j in range(i + 1):
                self.second[i, j] /= self.used
                self.second[j, i] = self.second[i, j]
            one += self.second[i, i]
        if not one > 0.0:
            return 0
        for i in range(q):
            for j in range(q):
                two += self.second[i, j] * self.second[i, j]
                value = 0.0
                for t in range(q):
                    value += self.second[i, t] * self.second[t, j]
                three += value * self.second[i, j]
        # a group's product with itself does not belong into tr S²; tr S³ has three such pairs
        square = max((self.used * two - fourth) * self.groups / self.used / (self.groups - 1.0), one * one / q)
        three *= (square / two) ** 3
        two = square
        self.df = max(1, min(q, cython.cast(cython.longlong, two * two * two / (three * three) + 0.5)))
        if self.designed:
            return self.judge(total, one, two, lengths, fourth * self.used)
        total *= left / (self.used * self.used)  # with more columns, residuals become a little too similar
        self.statistic = max(0.0, self.df + (total - one) * sqrt(self.df / two))
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def judge(
        self,
        total: cython.double,
        one: cython.double,
        two: cython.double,
        lengths: cython.double,
        squares: cython.double,
    ) -> cython.int:
        """The p-value of |Σ u|² under a design; 0 where too few groups are left.

        `one` and `two` are tr S and tr S²; `lengths` and `squares` sum |u|² and its square over groups. With enough
        groups, the statistic is a + b χ², where a and b fit the moments. Both are as uncertain as tr S is, so that
        their sum at the statistic is more certain by what a takes of it.
        """
        k: cython.Py_ssize_t
        left: cython.double = self.groups - 1.0
        slope: cython.double = sqrt(two / self.df)
        start: cython.double = one - slope * self.df
        freedom: cython.double
        share: cython.double
        for k in range(self.kept):
            left -= self.spent_on(self.design, self.columns[k]) / self.length
        for k in range(self.power_count):
            left -= self.spent_on(self.powers, k)
        if left < FEWEST_GROUPS:
            return 0
        total *= left / (self.groups * self.used)
        self.ratio = total / one
        self.statistic = 1.0
        if total > start:
            freedom = freedom_of(lengths, squares, self.groups, left * max(one * one / two, 1.0))
            share = min(1.0, (total - start) / total)
            self.statistic = f_tail((total - start) / (slope * self.df), self.df, freedom * share * share)
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def spent_on(self, rows: cython.double[:, ::1], at: cython.Py_ssize_t) -> cython.double:
        """The sum of squares of a column that is between groups."""
        g: cython.Py_ssize_t
        t: cython.Py_ssize_t
        value: cython.double
        weight: cython.double
        out: cython.double = 0.0
        for g in range(self.groups):
            value = 0.0
            weight = 0.0
            for t in range(self.group_starts[g], self.group_starts[g + 1]):
                value += self.roots[t] * rows[at, t]
                weight += self.roots[t] * self.roots[t]
            if weight > 0.0:
                out += value * value / weight
        return out


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def dot(
    a: cython.double[:, ::1],
    i: cython.Py_ssize_t,
    b: cython.double[:, ::1],
    j: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.double:
    """The sum of products of two columns over some rows; four sums, none of which waits for another."""
    t: cython.Py_ssize_t
    whole: cython.Py_ssize_t = last - (last - first) % 4
    p: cython.double = 0.0
    q: cython.double = 0.0
    r: cython.double = 0.0
    s: cython.double = 0.0
    for t in range(first, whole, 4):
        p += a[i, t] * b[j, t]
        q += a[i, t + 1] * b[j, t + 1]
        r += a[i, t + 2] * b[j, t + 2]
        s += a[i, t + 3] * b[j, t + 3]
    for t in range(whole, last):
        p += a[i, t] * b[j, t]
    return (p + q) + (r + s)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def subtract(
    a: cython.double[:, ::1],
    i: cython.Py_ssize_t,
    b: cython.double[:, ::1],
    j: cython.Py_ssize_t,
    share: cython.double,
    length: cython.Py_ssize_t,
) -> cython.void:
    """Subtract a share of one column from another."""
    t: cython.Py_ssize_t
    for t in range(length):
        a[i, t] -= share * b[j, t]
