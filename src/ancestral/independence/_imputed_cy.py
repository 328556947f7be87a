"""Questions to several imputed tables, answered together: what they say differently counts as not known.

The idea (Rubin 1987): with m imputed tables, the variance of an estimate is that within a table plus (1 + 1/m) times
that between tables. Partial correlations are combined as z = atanh(r), whose variance within is 1 / (N − k − 3); the
ratio of the mean to the root of the variance is t with (m − 1) / λ² degrees of freedom, where λ is the share of the
variance that is between. Chi-squared statistics W with k degrees of freedom are combined by the rule D2 of Li, Meng,
Raghunathan & Rubin (1991): with r = (1 + 1/m) times the variance of the roots of W, D2 = (mean W / k − (m + 1)/(m − 1)
r) / (1 + r) is F with k and k^(−3/m) (m − 1) (1 + 1/r)² degrees of freedom.

`statistic` is the chi-squared value with the p-value of that t or F. If one table cannot support a question, no answer
is given. If degrees of freedom differ between tables (levels that do not occur together in one of them), each statistic
is first replaced by that of the usual number with the same p-value.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from math import atanh, exp, fabs, isnan, lgamma, log, log1p, sqrt

    from ancestral.independence._questions_cy import ChiSquared, Questions
    from ancestral.independence._questions_cy import chi2_log_tail as log_tail

NAN = cython.declare(cython.double, float("nan"))

#: If the others leave less than this share of the variance of a node, the set counts as singular.
SINGULAR = cython.declare(cython.double, 1e-10)

#: Beyond this many degrees of freedom t is normal, and F chi-squared, to six digits.
MANY = cython.declare(cython.double, 1e7)

#: The largest statistic that is combined; larger ones would only add to the variance between tables.
MOST_STATISTIC = cython.declare(cython.double, 1e6)


@cython.cclass
class Pooled(ChiSquared):
    """What both kinds of combined questions have in common: from an F statistic to a chi-squared one, and the decision.

    The logarithm of the level is `log_alpha`.
    """

    def begin_pooled(self, n: int, alpha: float) -> None:
        """Initialise the fields of questions about n variables."""
        self.begin(n, np.zeros((n, n)))
        self.log_alpha = log(alpha)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def decide(
        self,
        x: cython.Py_ssize_t,
        y: cython.Py_ssize_t,
        size: cython.Py_ssize_t,
        share: cython.double,
        df: cython.double,
        left: cython.double,
    ) -> cython.int:
        """Leave the chi-squared statistic with the p-value of an F statistic; 1 if that exceeds alpha."""
        log_p: cython.double = log_f_tail(share, df, left)
        self.df = cython.cast(cython.longlong, df)
        self.statistic = chi2_of(log_p, self.df)
        if size == 0:
            self.strength[x, y] = self.strength[y, x] = self.statistic / self.df
        return log_p > self.log_alpha


@cython.final
@cython.cclass
class PooledCorrelations(Pooled):
    """Asks the correlation matrices of imputed tables."""

    def __init__(self, correlations: Any, rows: int, alpha: float) -> None:
        self.correlation = np.ascontiguousarray(correlations, dtype=np.float64)
        n = self.correlation.shape[1]
        self.begin_pooled(n, alpha)
        self.rows = rows
        widest: cython.Py_ssize_t = min(n, 202)
        self.scratch = np.zeros((widest, widest))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def independent(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        i: cython.Py_ssize_t
        count: cython.Py_ssize_t = self.correlation.shape[0]
        within: cython.double = self.rows - size - 3
        rho: cython.double
        z: cython.double
        mean: cython.double = 0.0
        between: cython.double = 0.0
        last: cython.double
        total: cython.double
        if within < 1 or size + 2 > self.scratch.shape[0]:
            return self.cannot_tell(size)
        for i in range(count):  # mean and sum of squares, by Welford's updates
            rho = self.partial(i, x, y, given, size)
            if isnan(rho):
                return self.cannot_tell(size)
            z = atanh(max(-1.0 + 1e-16, min(1.0 - 1e-16, rho)))
            last = mean
            mean += (z - mean) / (i + 1)
            between += (z - last) * (z - mean)
        between = between / (count - 1) * (1.0 + 1.0 / count)
        total = 1.0 / within + between
        return self.decide(
            x,
            y,
            size,
            mean * mean / total,
            1.0,
            MANY if between < 1e-9 * total else (count - 1) * (total / between) ** 2,
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def partial(
        self,
        which: cython.Py_ssize_t,
        x: cython.Py_ssize_t,
        y: cython.Py_ssize_t,
        given: cython.int[::1],
        size: cython.Py_ssize_t,
    ) -> cython.double:
        """The partial correlation in one of the tables; NaN where the conditioning set is singular."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        k: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        width: cython.Py_ssize_t = size + 2
        factor: cython.double
        for i in range(width):
            a = given[i] if i < size else x if i == size else y
            for j in range(i, width):
                b = given[j] if j < size else x if j == size else y
                self.scratch[i, j] = self.correlation[which, a, b]
        for i in range(size):
            if self.scratch[i, i] < SINGULAR:
                return NAN
            for j in range(i + 1, width):
                factor = self.scratch[i, j] / self.scratch[i, i]
                for k in range(j, width):
                    self.scratch[j, k] -= factor * self.scratch[i, k]
        if self.scratch[size, size] < SINGULAR or self.scratch[size + 1, size + 1] < SINGULAR:
            return NAN
        return self.scratch[size, size + 1] / sqrt(self.scratch[size, size] * self.scratch[size + 1, size + 1])


@cython.final
@cython.cclass
class PooledStatistics(Pooled):
    """Asks the questions of imputed tables, each of which leaves a chi-squared statistic."""

    def __init__(self, inner: Any, alpha: float) -> None:
        self.inner = list(inner)
        self.begin_pooled(self.inner[0].n, alpha)
        self.found = np.zeros((len(self.inner), 2))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def independent(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        i: cython.Py_ssize_t
        count: cython.Py_ssize_t = self.found.shape[0]
        df: cython.double = 0.0
        w: cython.double
        root: cython.double
        last: cython.double
        mean: cython.double = 0.0
        mean_root: cython.double = 0.0
        r: cython.double = 0.0
        with cython.gil:
            self.ask_all(x, y, given, size)
        for i in range(count):
            if isnan(self.found[i, 0]):
                return self.cannot_tell(size)
            df += self.found[i, 1] / count
        df = cython.cast(cython.double, cython.cast(cython.longlong, df + 0.5))
        for i in range(count):
            w = min(self.found[i, 0], MOST_STATISTIC)
            if self.found[i, 1] != df:
                w = chi2_of(
                    log_tail(w, cython.cast(cython.longlong, self.found[i, 1])), cython.cast(cython.longlong, df)
                )
            root = sqrt(w)
            mean += w / count
            last = mean_root
            mean_root += (root - mean_root) / (i + 1)
            r += (root - last) * (root - mean_root)
        r = r / (count - 1) * (1.0 + 1.0 / count)
        return self.decide(
            x,
            y,
            size,
            max(0.0, (mean / df - (count + 1.0) / (count - 1.0) * r) / (1.0 + r)),
            df,
            MANY if r < 1e-9 else exp(-3.0 / count * log(df)) * (count - 1) * (1.0 + 1.0 / r) ** 2,
        )

    @cython.cfunc
    @cython.exceptval(-1)
    def ask_all(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        """Ask each table; `found` has a row `statistic, df` for each."""
        i: cython.Py_ssize_t
        for i in range(self.found.shape[0]):
            one: Questions = self.inner[i]
            with cython.nogil:
                one.independent(x, y, given, size)
            self.found[i, 0] = one.statistic
            self.found[i, 1] = cython.cast(cython.double, one.df)
        return 0


def f_log_tail(value: float, df: float, left: float) -> float:
    """The logarithm of the probability that an F variable exceeds the value."""
    return float(log_f_tail(value, df, left))


def chi2_statistic(log_p: float, df: int) -> float:
    """The value that a chi-squared variable exceeds with the probability of which this is the logarithm."""
    return float(chi2_of(log_p, df))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def log_f_tail(value: cython.double, df: cython.double, left: cython.double) -> cython.double:
    """By the incomplete beta function: the tail is I_x(left/2, df/2) with x = left / (left + df value)."""
    x: cython.double
    tail: cython.double
    if value <= 0.0:
        return 0.0
    if left >= MANY:
        return log_tail(df * value, cython.cast(cython.longlong, df))
    x = left / (left + df * value)
    if x < (0.5 * left + 1.0) / (0.5 * (left + df) + 2.0):
        return log_beta_part(0.5 * left, 0.5 * df, x)
    tail = exp(log_beta_part(0.5 * df, 0.5 * left, df * value / (left + df * value)))
    return log1p(-tail) if tail < 1.0 else -1e300


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def log_beta_part(a: cython.double, b: cython.double, x: cython.double) -> cython.double:
    """log I_x(a, b) by its continued fraction (Lentz's method), which converges for x below (a + 1) / (a + b + 2)."""
    i: cython.Py_ssize_t
    c: cython.double = 1.0
    d: cython.double = 1.0 - (a + b) * x / (a + 1.0)
    h: cython.double
    term: cython.double
    tiny: cython.double = 1e-300
    d = 1.0 / (d if fabs(d) > tiny else tiny)
    h = d
    for i in range(1, 10000):
        term = i * (b - i) * x / ((a + 2.0 * i - 1.0) * (a + 2.0 * i))
        d = 1.0 + term * d
        d = 1.0 / (d if fabs(d) > tiny else tiny)
        c = 1.0 + term / c
        c = c if fabs(c) > tiny else tiny
        h *= d * c
        term = -(a + i) * (a + b + i) * x / ((a + 2.0 * i) * (a + 2.0 * i + 1.0))
        d = 1.0 + term * d
        d = 1.0 / (d if fabs(d) > tiny else tiny)
        c = 1.0 + term / c
        c = c if fabs(c) > tiny else tiny
        h *= d * c
        if fabs(d * c - 1.0) < 1e-15:
            break
    return lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x) - log(a) + log(h)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def chi2_of(log_p: cython.double, df: cython.longlong) -> cython.double:
    """Solve log_tail(statistic, df) = log_p, by bisection from a bracket that holds it, refined by secants."""
    i: cython.Py_ssize_t
    low: cython.double = 0.0
    high: cython.double = 2.0 * df + 4.0
    at_low: cython.double = -log_p
    at_high: cython.double
    middle: cython.double
    value: cython.double
    if log_p >= 0.0:
        return 0.0
    at_high = log_tail(high, df) - log_p
    while at_high > 0.0:
        low = high
        at_low = at_high
        high *= 2.0
        at_high = log_tail(high, df) - log_p
    for i in range(200):
        middle = low + (high - low) * at_low / (at_low - at_high)
        if i % 3 == 2 or not (low < middle < high):
            middle = 0.5 * (low + high)
        value = log_tail(middle, df) - log_p
        if value == 0.0 or high - low <= 1e-14 * high:
            return middle
        if value > 0.0:
            low = middle
            at_low = value
        else:
            high = middle
            at_high = value
    return 0.5 * (low + high)
