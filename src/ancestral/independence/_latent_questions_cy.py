"""Partial correlations of latent variables, each judged by its own variance.

The idea: a partial correlation r is a smooth function of the correlations among its variables, whose joint errors have
the covariance Γ / N. With Ω the inverse of these correlations, u = Ω[:, x] / sqrt(Ω[x, x]) and v likewise of y, the
derivative of r by the correlation of a and b is g[a, b] = u[a] v[b] + u[b] v[a] + r (u[a] u[b] + v[a] v[b]), so the
variance of r is g' Γ g / N. Fisher's z then has the variance g' Γ g / (1 − r²)² / N; for numbers that are measured
exactly this is 1 / N, and for coarse ones the effective number of rows is smaller. Γ is estimated, and in few rows it
may come out too small by chance. So no question has more effective rows than it would have if x and y depended on
nothing, N λ[x] λ[y], where λ is the share of the variance of a latent variable that its levels show.

Invariants: `correlation` is symmetric with a unit diagonal; `gamma` is by pairs, pair (a, b) with a < b in row
first[a] + b. `statistic` is the absolute value of a standard normal variable.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from math import atanh, fabs, isnan, sqrt

    from ancestral.independence._questions_cy import Questions

#: If the others leave less than this share of the variance of a node, the set counts as singular.
SINGULAR = cython.declare(cython.double, 1e-6)

NAN = cython.declare(cython.double, float("nan"))


@cython.final
@cython.cclass
class LatentQuestions(Questions):
    """Asks latent correlations; `widest` is the size of the largest conditioning set that can be asked about.

    `shown` has the share of the variance of each variable that its levels show. A question is answered if its
    effective number of rows, less those that its conditions cost, is at least `fewest`.
    """

    def __init__(
        self, correlation: Any, gamma: Any, shown: Any, rows: float, quantile: float, fewest: float, widest: int
    ) -> None:
        self.correlation = np.ascontiguousarray(correlation, dtype=np.float64)
        self.gamma = np.ascontiguousarray(gamma, dtype=np.float64)
        self.shown = np.ascontiguousarray(shown, dtype=np.float64)
        n = len(correlation)
        self.begin(n, None)
        self.has_preference = True
        self.rows = rows
        self.quantile = quantile
        self.fewest = fewest
        self.widest = widest
        self.effective = 0.0
        self.first = np.array([a * (2 * n - a - 1) // 2 - a - 1 for a in range(n)], dtype=np.intp)
        most = min(n, widest + 2)
        self.members = np.zeros(most, dtype=np.intc)
        self.factor = np.zeros((most, most))
        self.left = np.zeros((2, most))
        self.pair_rows = np.zeros(max(most * (most - 1) // 2, 1), dtype=np.intp)
        self.gradient = np.zeros(max(most * (most - 1) // 2, 1))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-2)
    def partial(self, size: cython.Py_ssize_t) -> cython.double:
        """The partial correlation of the first two members given the others; 2 where they are singular.

        Leaves u and v in `left`. The members are factored as LL' in the order conditions, y, x, so that the last rows
        of the inverse of L are what is needed.
        """
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        k: cython.Py_ssize_t
        s: cython.double
        for i in range(size):
            for j in range(i + 1):
                s = self.correlation[self.members[size - 1 - i], self.members[size - 1 - j]]
                for k in range(j):
                    s = s - self.factor[i, k] * self.factor[j, k]
                if i == j:
                    if s < SINGULAR:
                        return 2.0
                    self.factor[i, i] = sqrt(s)
                else:
                    self.factor[i, j] = s / self.factor[j, j]
        # solve for the columns of the inverse that belong to x and y: L w = e, L' o = w
        for k in range(2):  # 0: x, the last in the order of the factor; 1: y
            for i in range(size):
                s = 1.0 if i == size - 1 - k else 0.0
                for j in range(size - 1 - k, i):
                    s = s - self.factor[i, j] * self.left[k, j]
                self.left[k, i] = s / self.factor[i, i] if i >= size - 1 - k else 0.0
            for i in range(size - 1, -1, -1):
                s = self.left[k, i]
                for j in range(i + 1, size):
                    s = s - self.factor[j, i] * self.left[k, j]
                self.left[k, i] = s / self.factor[i, i]
        xx: cython.double = sqrt(self.left[0, size - 1])
        yy: cython.double = sqrt(self.left[1, size - 2])
        r: cython.double = -self.left[0, size - 2] / (xx * yy)
        for i in range(size):
            self.left[0, i] /= xx
            self.left[1, i] /= yy
        return r

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def differentiate(self, size: cython.Py_ssize_t, r: cython.double) -> cython.Py_ssize_t:
        """The derivative of the partial correlation r by that of each pair of members, in `gradient`; how many pairs.

        `pair_rows` has the number of each of these pairs.
        """
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        ua: cython.double
        ub: cython.double
        va: cython.double
        vb: cython.double
        for i in range(size):
            for j in range(i):
                a = self.members[size - 1 - i]
                b = self.members[size - 1 - j]
                self.pair_rows[count] = self.first[a] + b if a < b else self.first[b] + a
                ua = self.left[0, i]
                ub = self.left[0, j]
                va = self.left[1, i]
                vb = self.left[1, j]
                self.gradient[count] = ua * vb + ub * va + r * (ua * ub + va * vb)
                count += 1
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def variance(self, size: cython.Py_ssize_t, r: cython.double) -> cython.double:
        """N times the variance of the partial correlation of the members."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        total: cython.double = 0.0
        for i in range(self.differentiate(size, r)):
            s: cython.double = 0.5 * self.gradient[i] * self.gamma[self.pair_rows[i], self.pair_rows[i]]
            for j in range(i):
                s += self.gradient[j] * self.gamma[self.pair_rows[i], self.pair_rows[j]]
            total += 2.0 * self.gradient[i] * s
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def independent(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        i: cython.Py_ssize_t
        r: cython.double
        of_z: cython.double
        self.effective = 0.0
        if size > self.widest:
            return self.cannot_tell(size)
        self.members[0] = cython.cast(cython.int, x)
        self.members[1] = cython.cast(cython.int, y)
        for i in range(size):
            self.members[2 + i] = given[i]
        r = self.partial(size + 2)
        if r > 1.5:
            return self.cannot_tell(size)
        r = min(max(r, -0.9999999999), 0.9999999999)
        of_z = self.variance(size + 2, r) / ((1.0 - r * r) * (1.0 - r * r))
        of_z = max(of_z, 1.0 / (self.shown[x] * self.shown[y]))
        self.effective = (self.rows - size - 3) / of_z
        if not self.effective >= self.fewest:
            return self.cannot_tell(size)
        self.statistic = fabs(atanh(r)) * sqrt(self.effective)
        return self.statistic <= self.quantile

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def preference(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.double:
        return min(fabs(self.correlation[x, v]), fabs(self.correlation[y, v]))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def closer(self) -> cython.bint:
        """The smaller of two statistics has the larger p-value."""
        if isnan(self.statistic) or self.statistic >= self.closest_statistic:
            return False
        self.closest_statistic = self.statistic
        return True
