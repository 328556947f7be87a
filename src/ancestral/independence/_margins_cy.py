"""Pearson's statistic, judged by its distribution given the margins of every stratum.

The idea: if x and y are independent given Z, all ways to pair the values of x with those of y within a stratum are
equally likely. So the distribution of the statistic given the margins is known, however small the counts are. A stratum
in which the statistic cannot vary says nothing and is left out.

1. Its first three cumulants are known (`_trace_moments_cy`), and add up over strata. Where all expected counts are at
   least `REGULAR`, a chi-squared variable with the usual degrees of freedom, shifted and stretched to the same mean and
   variance, is close; elsewhere one whose degrees of freedom give it the same third cumulant (Pearson's type III).
2. A single 2 x 2 table with smaller expected counts is judged exactly, by summing over all tables. For other small
   tables, where the fit can neither be trusted nor is far from alpha, tables with the same margins are drawn at random,
   until as many as `ENOUGH` were at least as extreme (Besag & Clifford 1991). The seed follows from the margins, so the
   same counts always have the same answer, whatever the order of x and y, of levels and of strata.
3. The p-value is reported as the chi-squared statistic with `df` degrees of freedom that has it.

Tables as extreme as the one seen count half (mid-p), which makes up for the gaps between the few values that the
statistic of a small table has.

The data cannot tell if even the most extreme tables with these margins have a probability above alpha.

Invariants: `kept` has the margins that are not empty of the strata that are kept, one stratum after another: those of
x, then those of y, which `sizes` counts.
"""

from functools import cache
from typing import Any

import cython
import numpy as np

from ancestral.independence._trace_moments_cy import third_cumulants

if not cython.compiled:
    from math import cbrt, exp, floor, lgamma, log, sqrt

    from ancestral._cython import mixed_bits
    from ancestral.independence._questions_cy import log_tail
    from ancestral.independence._trace_moments_cy import third_of_trace, variance_of_trace

#: Expected counts from which on two cumulants are enough; the usual rule for Pearson's test.
REGULAR = cython.declare(cython.double, 5.0)
#: Type III is trusted if variance and third cumulant are at most so many times those of a chi-squared variable with the
#: same mean, and no expected count is below `LEAST`.
TRUSTED = cython.declare(cython.double, 2.0)
LEAST = cython.declare(cython.double, 0.5)
#: It is also trusted from so many degrees of freedom of the fitted variable on, if they are at least half the usual
#: ones: many terms add up, and no few of them rule.
MANY = cython.declare(cython.double, 10.0)
#: Drawing ends when so many tables were at least as extreme as the one seen.
ENOUGH = cython.declare(cython.Py_ssize_t, 25)
#: No table is drawn where type III has a p-value above this and three times alpha, or below `TINY` times alpha.
LARGE = cython.declare(cython.double, 0.3)
TINY = cython.declare(cython.double, 1e-4)
#: Logarithms of factorials are looked up below this, and computed from it on.
LOOKED_UP = cython.declare(cython.Py_ssize_t, 1 << 16)
#: The lower 32 bits of a hash, and what makes its 63 bits a number between 0 and 1.
WORD = cython.declare(cython.longlong, (1 << 32) - 1)
UNIT = cython.declare(cython.double, 2.0**-63)


@cython.cclass
class GivenMargins:
    """Takes the strata of a question one by one (`add`), then judges (`judge`).

    `rows`, `cells`, `widest`: the most rows and cells that a question has, and the most levels of a variable.
    `threshold[df]` is the quantile of the chi-squared distribution for `alpha`. After `judge`, `statistic` and `df` are
    what the answer rests on.
    """

    def __init__(self, rows: int, cells: int, widest: int, threshold: Any, alpha: float) -> None:
        self.threshold = np.array(threshold, dtype=np.float64)
        self.alpha = alpha
        # of a stratum that is kept: at most as many margins as cells, or twice as many as rows; and one on probation
        self.kept = np.zeros(min(2 * rows, cells) + 2 * widest, dtype=np.intc)
        most = min(rows // 2, cells // 4) + 1
        self.sizes = np.zeros((most, 2), dtype=np.intc)
        self.totals = np.zeros(most, dtype=np.intc)
        self.keys = np.zeros(most, dtype=np.int64)
        self.order = np.zeros((most, 2), dtype=np.intc)
        self.left = np.zeros(widest, dtype=np.intc)
        self.log_factorial = log_factorials()
        self.small_thirds = third_cumulants()
        self.begin()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin(self) -> cython.void:
        """Forget the strata of the question before."""
        self.strata = 0
        self.filled = 0
        self.df = 0
        self.pearson = 0.0
        self.mean = 0.0
        self.variance = 0.0
        self.least_expected = 1e300
        self.statistic = 0.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def add(
        self,
        margins: cython.int[::1],
        lx: cython.Py_ssize_t,
        ly: cython.Py_ssize_t,
        total: cython.int,
        pearson: cython.double,
    ) -> cython.int:
        """One more stratum: its margins, those of x before those of y, its rows and Pearson's statistic."""
        r: cython.Py_ssize_t = self.keep(margins, 0, lx, self.filled)
        least: cython.double = self.least
        reciprocals: cython.double = self.reciprocals
        c: cython.Py_ssize_t = self.keep(margins, lx, lx + ly, self.filled + r)
        if r < 2 or c < 2:
            return 0
        n: cython.double = total
        t: cython.double = cython.cast(cython.double, r - 1)
        u: cython.double = cython.cast(cython.double, c - 1)
        mean: cython.double = t * u * n / (n - 1.0)
        variance: cython.double = n * n * variance_of_trace(reciprocals, t, self.reciprocals, u, n)
        if variance <= 1e-9 * mean * mean:  # the statistic is the same whatever the table
            return 0
        self.sizes[self.strata, 0] = cython.cast(cython.int, r)
        self.sizes[self.strata, 1] = cython.cast(cython.int, c)
        self.totals[self.strata] = total
        self.filled += r + c
        self.strata += 1
        self.df += (r - 1) * (c - 1)
        self.pearson += pearson
        self.mean += mean
        self.variance += variance
        self.least_expected = min(self.least_expected, least * self.least / n)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def keep(
        self, margins: cython.int[::1], first: cython.Py_ssize_t, stop: cython.Py_ssize_t, at: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Write the margins that are not empty to `kept` from `at` on; their number, and in fields the least one and
        the sum of their reciprocals."""
        i: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        self.least = 1e300
        self.reciprocals = 0.0
        for i in range(first, stop):
            if margins[i] > 0:
                self.kept[at + count] = margins[i]
                count += 1
                self.reciprocals += 1.0 / margins[i]
                self.least = min(self.least, margins[i])
        return count

    # -- the answer -----------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def judge(self) -> cython.int:
        """Set `statistic` and `df`; 0 if the data cannot tell."""
        usual: cython.longlong = self.df
        most: cython.longlong = self.threshold.shape[0] - 1
        p: cython.double
        if self.strata == 0:
            return 0
        if self.least_expected >= REGULAR and usual <= most:
            self.fit(cython.cast(cython.double, usual))
            return 1
        self.sort_margins()
        if self.log_least() > log(self.alpha):
            return 0
        trusted: cython.bint = self.fit_three()
        if self.strata == 1 and self.sizes[0, 0] == 2 and self.sizes[0, 1] == 2:
            p = self.exact()
        elif trusted or self.is_clear():
            return 1
        else:
            p = self.drawn()
        self.df = min(usual, most)
        self.statistic = quantile(p, self.df)
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fit(self, df: cython.double) -> cython.void:
        """The statistic as a chi-squared variable with `df` degrees of freedom that has its mean and variance.

        These need not be a whole number; the statistic is then taken to the nearest one by the cube roots of Wilson &
        Hilferty (1931), which are nearly normal.
        """
        whole: cython.double = max(floor(df + 0.5), 1.0)
        self.df = cython.cast(cython.longlong, whole)
        self.statistic = max(df + (self.pearson - self.mean) / sqrt(self.variance / (2.0 * df)), 0.0)
        if df != whole:
            normal: cython.double = (cbrt(self.statistic / df) - 1.0 + 2.0 / (9.0 * df)) * sqrt(4.5 * df)
            root: cython.double = max(1.0 - 2.0 / (9.0 * whole) + normal * sqrt(2.0 / (9.0 * whole)), 0.0)
            self.statistic = whole * root * root * root

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def fit_three(self) -> cython.int:
        """The same with as many degrees of freedom as the third cumulant asks for; whether it can be trusted."""
        usual: cython.double = cython.cast(cython.double, min(self.df, self.threshold.shape[0] - 1))
        third: cython.double = self.third_cumulant()
        df: cython.double = cython.cast(cython.double, self.threshold.shape[0] - 1)
        if third > 0.0:
            df = min(8.0 * self.variance * self.variance * self.variance / (third * third), df)
        self.fit(df)
        return df >= max(MANY, 0.5 * usual) or (
            self.variance <= TRUSTED * 2.0 * self.mean
            and third <= TRUSTED * 8.0 * self.mean
            and self.least_expected >= LEAST
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_clear(self) -> cython.bint:
        """Whether the p-value of the fit is far from alpha."""
        logarithm: cython.double = log_tail(self.statistic, self.df)
        return logarithm > log(max(LARGE, 3.0 * self.alpha)) or logarithm < log(TINY * self.alpha)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def third_cumulant(self) -> cython.double:
        """The third cumulant of the sum over strata."""
        s: cython.Py_ssize_t
        at: cython.Py_ssize_t = 0
        out: cython.double = 0.0
        for s in range(self.strata):
            out += self.stratum_third(at, self.sizes[s, 0], self.sizes[s, 1], self.totals[s])
            at += self.sizes[s, 0] + self.sizes[s, 1]
        return out

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def stratum_third(
        self, at: cython.Py_ssize_t, r: cython.Py_ssize_t, c: cython.Py_ssize_t, total: cython.int
    ) -> cython.double:
        """The third cumulant of Pearson's statistic of a stratum."""
        i: cython.Py_ssize_t
        n: cython.double = total
        x1: cython.double = 0.0
        x2: cython.double = 0.0
        y1: cython.double = 0.0
        y2: cython.double = 0.0
        squares_x: cython.Py_ssize_t = 0
        squares_y: cython.Py_ssize_t = 0
        value: cython.double
        if total <= 5:  # the formula divides by zero; there are few such tables
            for i in range(r):
                squares_x += self.kept[at + i] * self.kept[at + i]
            for i in range(r, r + c):
                squares_y += self.kept[at + i] * self.kept[at + i]
            return self.small_thirds[total, squares_x, squares_y]
        for i in range(r):
            value = 1.0 / self.kept[at + i]
            x1 += value
            x2 += value * value
        for i in range(r, r + c):
            value = 1.0 / self.kept[at + i]
            y1 += value
            y2 += value * value
        return n * n * n * third_of_trace(x1, x2, r - 1.0, y1, y2, c - 1.0, n)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def sort_margins(self) -> cython.int:
        """The margins of each stratum in descending order."""
        s: cython.Py_ssize_t
        at: cython.Py_ssize_t = 0
        for s in range(self.strata):
            descend(self.kept, at, self.sizes[s, 0])
            at += self.sizes[s, 0]
            descend(self.kept, at, self.sizes[s, 1])
            at += self.sizes[s, 1]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def log_least(self) -> cython.double:
        """The logarithm of the probability of the most extreme tables, the least p-value that the margins allow.

        In a stratum values are paired by rank, the most frequent ones with each other. If of two values one is as
        frequent as the other, a 2 x 2 table and its mirror image are equally extreme.
        """
        s: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        x: cython.Py_ssize_t = 0
        y: cython.Py_ssize_t
        r: cython.Py_ssize_t
        c: cython.Py_ssize_t
        a: cython.longlong
        b: cython.longlong
        common: cython.longlong
        out: cython.double = 0.0
        for s in range(self.strata):
            r = self.sizes[s, 0]
            c = self.sizes[s, 1]
            y = x + r
            out -= self.log_factorial_of(self.totals[s])
            for i in range(r + c):
                out += self.log_factorial_of(self.kept[x + i])
            i = j = 0
            a = self.kept[x]
            b = self.kept[y]
            while i < r and j < c:
                common = min(a, b)
                out -= self.log_factorial_of(common)
                a -= common
                b -= common
                if a == 0:
                    i += 1
                    a = self.kept[x + i] if i < r else 0
                if b == 0:
                    j += 1
                    b = self.kept[y + j] if j < c else 0
            if r == 2 and c == 2 and (self.kept[x] == self.kept[x + 1] or self.kept[y] == self.kept[y + 1]):
                out += log(2.0)
            x = y + c
        return out

    # -- exact, and by drawing ------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def exact(self) -> cython.double:
        """The p-value of a single 2 x 2 table: the probability of all more extreme ones."""
        good: cython.longlong = self.kept[0]
        bad: cython.longlong = self.kept[1]
        sample: cython.longlong = self.kept[2]
        n: cython.longlong = good + bad
        low: cython.longlong = max(0, sample - bad)
        high: cython.longlong = min(good, sample)
        k: cython.longlong
        product: cython.double = cython.cast(cython.double, good) * bad * self.kept[2] * self.kept[3]
        difference: cython.double
        value: cython.double
        more: cython.double = 0.0
        equal: cython.double = 0.0
        for k in range(low, high + 1):
            difference = cython.cast(cython.double, n) * k - cython.cast(cython.double, good) * sample
            value = n * (difference * difference / product)
            if value > self.pearson + 1e-9 * (self.pearson + 1.0):
                more += self.probability(k, good, bad, sample)
            elif value >= self.pearson - 1e-9 * (self.pearson + 1.0):
                equal += self.probability(k, good, bad, sample)
        return min(more + 0.5 * equal, 1.0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def drawn(self) -> cython.double:
        """The p-value by tables that are drawn."""
        draw: cython.Py_ssize_t = 0
        more: cython.Py_ssize_t = 0
        equal: cython.Py_ssize_t = 0
        most: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, min(max(30.0 / self.alpha, 600.0), 30000.0))
        clear: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, 8.0 / self.alpha)
        slack: cython.double = 1e-9 * (self.pearson + 1.0)
        value: cython.double
        count: cython.double
        self.put_in_order()
        while draw < most and more + equal < ENOUGH and not (draw == clear and more + equal == 0):
            value = self.draw_all()
            draw += 1
            if value > self.pearson + slack:
                more += 1
            elif value >= self.pearson - slack:
                equal += 1
        count = more + 0.5 * equal
        if more + equal == ENOUGH:
            return count / draw
        return (count + 1.0) / (draw + 1.0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def put_in_order(self) -> cython.int:
        """An order of the strata that depends on nothing but their margins, and the seed that follows from these.

        `order` has for each the place of its margins and its number; a stratum is transposed if the margins of y come
        first.
        """
        s: cython.Py_ssize_t
        i: cython.Py_ssize_t
        at: cython.Py_ssize_t = 0
        gap: cython.Py_ssize_t
        x: cython.longlong
        y: cython.longlong
        key: cython.longlong
        place: cython.int
        number: cython.int
        for s in range(self.strata):
            x = hashed(self.kept, at, self.sizes[s, 0])
            y = hashed(self.kept, at + self.sizes[s, 0], self.sizes[s, 1])
            self.keys[s] = folded(min(x, y), max(x, y))
            self.order[s, 0] = cython.cast(cython.int, at)
            self.order[s, 1] = cython.cast(cython.int, s if x <= y else -1 - s)
            at += self.sizes[s, 0] + self.sizes[s, 1]
        gap = self.strata // 2
        while gap > 0:  # Shell's way of sorting
            for s in range(gap, self.strata):
                key = self.keys[s]
                place = self.order[s, 0]
                number = self.order[s, 1]
                i = s
                while i >= gap and self.keys[i - gap] > key:
                    self.keys[i] = self.keys[i - gap]
                    self.order[i, 0] = self.order[i - gap, 0]
                    self.order[i, 1] = self.order[i - gap, 1]
                    i -= gap
                self.keys[i] = key
                self.order[i, 0] = place
                self.order[i, 1] = number
            gap //= 2
        key = 0
        for s in range(self.strata):
            key = folded(key, self.keys[s])
        self.seed = key & WORD
        self.uniforms = 0
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def draw_all(self) -> cython.double:
        """Pearson's statistic of a table that is drawn for each stratum."""
        s: cython.Py_ssize_t
        at: cython.Py_ssize_t
        number: cython.Py_ssize_t
        out: cython.double = 0.0
        r: cython.Py_ssize_t
        c: cython.Py_ssize_t
        for s in range(self.strata):
            at = self.order[s, 0]
            number = self.order[s, 1]
            transposed: cython.bint = number < 0
            if transposed:
                number = -1 - number
            r = self.sizes[number, 0]
            c = self.sizes[number, 1]
            out += self.draw(at + r, c, at, r) if transposed else self.draw(at, r, at + r, c)
        return out

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def draw(
        self, at_x: cython.Py_ssize_t, r: cython.Py_ssize_t, at_y: cython.Py_ssize_t, c: cython.Py_ssize_t
    ) -> cython.double:
        """Pearson's statistic of one drawn table, whose margins are in `kept`: cell by cell, each given those before.

        The last row and the last column are what the margins leave.
        """
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        total: cython.int = 0
        pool: cython.int
        rest: cython.int
        count: cython.int
        squares: cython.double
        out: cython.double = 0.0
        for j in range(c):
            self.left[j] = self.kept[at_y + j]
            total += self.left[j]
        pool = total
        for i in range(r):
            rest = self.kept[at_x + i]
            squares = 0.0
            below: cython.int = pool - rest  # the rows that the values of x to come have
            for j in range(c):
                count = rest
                if i == r - 1:
                    count = self.left[j]
                elif j < c - 1 and rest > 0:
                    count = cython.cast(cython.int, self.hypergeometric(self.left[j], pool - self.left[j], rest))
                pool -= self.left[j]
                self.left[j] -= count
                rest -= count
                squares += cython.cast(cython.double, count) * count / self.kept[at_y + j]
            pool = below
            out += squares / self.kept[at_x + i]
        return total * out - total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def hypergeometric(self, good: cython.longlong, bad: cython.longlong, sample: cython.longlong) -> cython.longlong:
        """How many of `sample` things, drawn at random from `good` and `bad` ones, are good.

        By inversion, from the most probable number outwards.
        """
        low: cython.longlong = max(0, sample - bad)
        high: cython.longlong = min(good, sample)
        up: cython.longlong
        down: cython.longlong
        above: cython.double
        below: cython.double
        u: cython.double
        if low == high:
            return low
        mode: cython.longlong = cython.cast(cython.longlong, sample + 1) * (good + 1) // (good + bad + 2)
        up = down = mode
        above = below = self.probability(up, good, bad, sample)
        u = mixed_bits(self.seed, self.uniforms) * UNIT - above
        self.uniforms = (self.uniforms + 1) & WORD
        while u >= 0.0 and (up < high or down > low):
            if up < high:
                above *= cython.cast(cython.double, good - up) * (sample - up)
                up += 1
                above /= cython.cast(cython.double, up) * (bad - sample + up)
                u -= above
                if u < 0.0:
                    return up
            if down > low:
                below *= cython.cast(cython.double, down) * (bad - sample + down)
                down -= 1
                below /= cython.cast(cython.double, good - down) * (sample - down)
                u -= below
                if u < 0.0:
                    return down
        return mode

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def probability(
        self, k: cython.longlong, good: cython.longlong, bad: cython.longlong, sample: cython.longlong
    ) -> cython.double:
        """The probability of k good ones among `sample` drawn from `good` and `bad` ones."""
        return exp(self.log_choose(good, k) + self.log_choose(bad, sample - k) - self.log_choose(good + bad, sample))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def log_choose(self, n: cython.longlong, k: cython.longlong) -> cython.double:
        return self.log_factorial_of(n) - self.log_factorial_of(k) - self.log_factorial_of(n - k)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def log_factorial_of(self, n: cython.longlong) -> cython.double:
        return self.log_factorial[n] if n < LOOKED_UP else lgamma(n + 1.0)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def descend(values: cython.int[::1], first: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.int:
    """Sort some of the values in place, the greatest first."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    value: cython.int
    for i in range(first + 1, first + count):
        value = values[i]
        k = i
        while k > first and values[k - 1] < value:
            values[k] = values[k - 1]
            k -= 1
        values[k] = value
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def hashed(values: cython.int[::1], first: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.longlong:
    """A hash of some of the values, in their order."""
    i: cython.Py_ssize_t
    out: cython.longlong = cython.cast(cython.longlong, count)
    for i in range(first, first + count):
        out = folded(out, cython.cast(cython.longlong, values[i]))
    return out


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def folded(a: cython.longlong, b: cython.longlong) -> cython.longlong:
    """A hash of two hashes."""
    return mixed_bits((a ^ (a >> 32)) & WORD, mixed_bits(b >> 32, b & WORD) & WORD)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def quantile(p: cython.double, df: cython.longlong) -> cython.double:
    """The value that a chi-squared variable exceeds with probability p, by bisection."""
    target: cython.double = log(p)
    low: cython.double = 0.0
    high: cython.double = 4.0 * df - 8.0 * target + 8.0  # far beyond
    middle: cython.double
    i: cython.Py_ssize_t
    for i in range(64):  # noqa: B007
        middle = 0.5 * (low + high)
        if log_tail(middle, df) > target:
            low = middle
        else:
            high = middle
    return high


@cache
def log_factorials() -> Any:
    """The logarithms of the factorials that are looked up."""
    from scipy.special import gammaln

    return gammaln(np.arange(1.0, LOOKED_UP + 1.0))
