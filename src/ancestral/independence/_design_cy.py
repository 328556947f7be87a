"""Questions to rows that are weighted, or not independent of each other: what a statistic is worth under such a design.

The idea: a statistic is the squared length of a sum over rows, T = Σ u, of vectors that are independent of each other
with unit variances if the model holds and every row counts once. Under a design the rows fall into groups that are
independent (clusters, or single rows that have weights); the sum of a group is u_g, and the variance of T is estimated
by V = Σ u_g u_g', without any model of what happens within a group (the sandwich). The statistic is divided by the mean
design effect, tr V / df. What is left is compared with an F distribution: its first degrees of freedom are
(tr V)² / tr V², which is df where all directions have the same design effect (Rao & Scott 1984; Thomas & Rao 1987), and
its second ones say how well the groups determine tr V.

With q_g the squared length of u_g, and κ the mean of q² over the squared mean of q, tr V has a relative variance of
(κ − 1) / groups, which would be that of 2 groups / (κ − 1) degrees of freedom (Satterthwaite 1946). Samples show heavy
tails too rarely, so three quarters of them are taken, and no more than the groups allow that the given variables leave
(docs/designs.md has how that keeps the level).

Invariants: `statistic` is a p-value, from 0 to 1, and NaN where the data cannot support a question. The memory for sums
of a group is `own`; the positions in it that are not zero are the first of `present`.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from math import exp, fabs, lgamma, log

    from ancestral.independence._questions_cy import Questions

#: Groups beyond those that the given variables use up; with fewer, no variance can be estimated.
FEWEST_GROUPS = cython.declare(cython.double, 3.0)

#: The share of the estimated degrees of freedom of a variance that is trusted.
TRUSTED = cython.declare(cython.double, 0.75)


@cython.cclass
class DesignedQuestions(Questions):
    """Asks under a design; a subclass sums up groups.

    After a question `statistic` is its p-value, `raw` the statistic before it was corrected, `effect` the mean design
    effect, and `shown_df` and `freedom` are the two degrees of freedom of F.
    """

    def begin_design(self, n: int, alpha: float, rows: float, widest: int) -> None:
        """Initialise what all questions under a design have; `widest` is the largest number of directions."""
        self.begin(n, np.zeros((n, n)))
        self.alpha = alpha
        self.rows = rows
        self.used = rows
        self.raw = self.effect = self.shown_df = self.freedom = 0.0
        self.own = np.zeros(widest)
        self.present = np.zeros(widest, dtype=np.intc)
        self.cross = np.zeros((widest, widest))  # the system provides memory only when it is touched

    def measured(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: Any) -> bool:
        """Compute what a question is decided on; False where the data cannot support it."""
        array = np.array(given, dtype=np.intc)
        return bool(self.measure(x, y, array, len(array)))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def measure(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        """Compute the p-value; 0 where the data cannot support the question."""
        with cython.gil:
            raise NotImplementedError("a subclass of DesignedQuestions must implement measure()")

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def independent(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        if not self.measure(x, y, given, size):
            return self.cannot_tell(size)
        if size == 0:
            self.strength[x, y] = self.strength[y, x] = self.raw / self.effect if self.effect > 0.0 else self.raw
        return self.statistic > self.alpha

    # -- the sums of groups -------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def begin_sums(self, size: cython.Py_ssize_t) -> cython.int:
        """Forget all groups; the sums to come have this many directions."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        self.total = 0.0
        self.squares = 0.0
        for i in range(size):
            self.own[i] = 0.0
            for j in range(i + 1):
                self.cross[i, j] = 0.0
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def add_group(self, size: cython.Py_ssize_t) -> cython.int:
        """Add the group whose sums are in `own`, which is zero again afterwards."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        a: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        length: cython.double = 0.0
        for i in range(size):
            if self.own[i] != 0.0:
                self.present[count] = cython.cast(cython.int, i)
                count += 1
                length += self.own[i] * self.own[i]
        self.total += length
        self.squares += length * length
        if size > 1:
            for i in range(count):
                a = self.present[i]
                for j in range(i + 1):
                    self.cross[a, self.present[j]] += self.own[a] * self.own[self.present[j]]
        for i in range(count):
            self.own[self.present[i]] = 0.0
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def trace_of_square(self, size: cython.Py_ssize_t) -> cython.double:
        """tr V² of the groups that were added."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        out: cython.double = 0.0
        if size == 1:
            return self.total * self.total
        for i in range(size):
            for j in range(i):
                out += 2.0 * self.cross[i, j] * self.cross[i, j]
            out += self.cross[i, i] * self.cross[i, i]
        return out

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def judge(
        self,
        statistic: cython.double,
        df: cython.double,
        even: cython.double,
        groups: cython.double,
        spent: cython.double,
        unit: cython.double,
    ) -> cython.int:
        """The p-value of a statistic with `df` degrees of freedom, from the sums over groups; 0 if they are too few.

        `even` is (tr V)² / tr V², `spent` the number of given columns, and `unit` what tr V / df is without a design.
        """
        left: cython.double = groups - 1.0 - spent
        if left < FEWEST_GROUPS or not self.total > 0.0:
            return 0
        self.raw = statistic
        self.effect = self.total / (unit * df) * groups / left
        self.shown_df = min(max(even, 1.0), df)
        self.freedom = freedom_of(self.total, self.squares, groups, left * self.shown_df)
        self.statistic = f_tail(statistic / (self.effect * df), self.shown_df, self.freedom)
        return 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def freedom_of(
    total: cython.double, squares: cython.double, groups: cython.double, most: cython.double
) -> cython.double:
    """The degrees of freedom of a variance that is a sum over groups, at most `most`; `squares` sums their squares."""
    spread: cython.double = groups * squares / (total * total) - 1.0
    if spread * most > 2.0 * TRUSTED * groups:
        return 2.0 * TRUSTED * groups / spread
    return most


def f_distribution_tail(ratio: float, df: float, other: float) -> float:
    """The probability that a variable with an F distribution exceeds `ratio`; degrees of freedom need not be whole."""
    return float(f_tail(ratio, df, other))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def f_tail(ratio: cython.double, df: cython.double, other: cython.double) -> cython.double:
    """The regularised incomplete beta function at other / (other + df ratio) (DLMF 8.17)."""
    a: cython.double = 0.5 * other
    b: cython.double = 0.5 * df
    x: cython.double
    y: cython.double
    front: cython.double
    if not ratio > 0.0:
        return 1.0
    x = other / (other + df * ratio)
    y = df * ratio / (other + df * ratio)
    if not x > 0.0:
        return 0.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y))
    if x < (a + 1.0) / (a + b + 2.0):
        return min(1.0, front * beta_fraction(a, b, x) / a)
    return min(1.0, max(0.0, 1.0 - front * beta_fraction(b, a, y) / b))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def beta_fraction(a: cython.double, b: cython.double, x: cython.double) -> cython.double:
    """The continued fraction of the incomplete beta function (DLMF 8.17.22), by the method of Lentz."""
    m: cython.Py_ssize_t
    tiny: cython.double = 1e-300
    d: cython.double = 1.0 - (a + b) * x / (a + 1.0)
    c: cython.double = 1.0
    step: cython.double
    part: cython.double
    out: cython.double
    if fabs(d) < tiny:
        d = tiny
    d = 1.0 / d
    out = d
    for m in range(1, 10_000):
        part = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        d = 1.0 + part * d
        if fabs(d) < tiny:
            d = tiny
        c = 1.0 + part / c
        if fabs(c) < tiny:
            c = tiny
        d = 1.0 / d
        out = out * d * c
        part = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        d = 1.0 + part * d
        if fabs(d) < tiny:
            d = tiny
        c = 1.0 + part / c
        if fabs(c) < tiny:
            c = tiny
        d = 1.0 / d
        step = d * c
        out = out * step
        if fabs(step - 1.0) < 1e-15:
            break
    return out
