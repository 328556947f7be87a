"""Likelihood ratios of regressions both ways: x on Z with and without y, and y on Z with and without x.

The idea: if x and y are independent given Z, y does not help to predict x from Z, and x does not help to predict y. A
continuous response is regressed linearly, with normal errors (`_blocks_cy` has that likelihood ratio, with Bartlett's
correction); a label by multinomial logistic regression, of which logistic regression is the case of two levels. Labels
among the regressors enter as indicators. Each direction is right if its model of the response given Z is. So x and y
count as independent if either direction says so: of the two statistics the one with the larger p-value is left. A
direction that the data cannot support is left out; if neither is left, the question cannot be answered. Given nothing
both models are right, and one direction is enough; for two labels that is the G statistic. Of two continuous variables
both directions are one.

Multinomial regressions are fitted by Newton's method with step halving; the larger model begins with the coefficients
of the smaller one. A fit of a response on Z is kept for later questions in which it occurs, if no value is missing.

In small samples the likelihood ratio of labels is too large. Its mean is df + e(larger) − e(smaller) to the order 1/N,
with e = (3 ρ13² + 2 ρ23² − 3 ρ4) / 12 for an exponential family in its canonical parameters (Lawley 1956; McCullagh
1987, section 7.3); the statistic is divided by the mean over df. The cumulants are taken at the fit of the smaller
model. With u the whitened score of a row for a level, less its mean over the levels of that row, ρ13² is the squared
length of Σ E|u|²u, ρ23² that of the tensor Σ E u⊗u⊗u, and ρ4 = Σ (E|u|⁴ − (E|u|²)² − 2 E (u·u')²).

Invariants: block v of the regressors is rows starts[v] … starts[v + 1] − 1 of `regressors`; `codes[v]` are the levels
of a label, numbered from 0, −1 where missing; `levels[v]` is 0 for a continuous variable. The row t of `design` is a 1,
the columns of Z that are kept, and then those of the other variable; coefficient j, c is `beta[j * width + c]`.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from math import exp, fabs, isnan, log, sqrt

    from ancestral.independence._blocks_cy import Blocks
    from ancestral.independence._questions_cy import ChiSquared
    from ancestral.independence._questions_cy import chi2_log_tail as log_tail

NAN = cython.declare(cython.double, float("nan"))

#: A column of which others leave less than this share of the variance is dropped, as in _blocks_cy.
SINGULAR = cython.declare(cython.double, 1e-10)

#: The largest number of coefficients of a multinomial regression.
MOST_COEFFICIENTS = cython.declare(cython.Py_ssize_t, 256)

#: The largest number of coefficients for which the correction is computed: its time grows with their third power.
MOST_CORRECTED = cython.declare(cython.Py_ssize_t, 64)

#: The correction is computed up to this many rows, if the levels of the response are even: the number of levels times
#: the rows of the rarest one. Beyond, it changes a statistic by less than a hundredth of its value.
CORRECTED_ROWS = cython.declare(cython.Py_ssize_t, 2000)

#: Rows that are needed for each coefficient of the larger model.
ROWS_PER_COEFFICIENT = cython.declare(cython.double, 3.0)

#: The largest correction that is trusted: beyond it the next terms of the expansion count as much.
MOST_CORRECTION = cython.declare(cython.double, 1.5)

#: Steps of Newton's method; a fit that takes more has a coefficient that grows without bound, because levels of the
#: response are separated.
MOST_STEPS = cython.declare(cython.Py_ssize_t, 16)
MOST_STEPS_SEPARATED = cython.declare(cython.Py_ssize_t, 40)

#: The share of a step below which halving it is given up: rounding is all that is left of the gain.
SHORTEST_STEP = cython.declare(cython.double, 1e-9)

#: Twice the gain of the log-likelihood that a further step promises, below which a fit is at its end.
CLOSE = cython.declare(cython.double, 1e-9)

#: The same, below which the step that is taken is the last one: Newton's method squares what is left. A fit of few rows
#: goes on, because its correction needs the information at the fit itself.
NEARLY = cython.declare(cython.double, 1e-5)

#: Fits that are kept, and the largest sets and numbers of coefficients of which they are.
KEPT_FITS = cython.declare(cython.Py_ssize_t, 2048)
KEPT_GIVEN = cython.declare(cython.Py_ssize_t, 8)
KEPT_COEFFICIENTS = cython.declare(cython.Py_ssize_t, 64)


@cython.cclass
class Regressions(Blocks):
    """Asks the columns of a table by regressions.

    The first six arguments are those of `Blocks`, for linear regressions; then the columns themselves, one per row (0
    where a value is missing), the codes of each variable, and its number of levels, 0 for a continuous one.
    """

    def __init__(
        self,
        starts: Any,
        correlation: Any,
        values: Any,
        rows: int,
        threshold: Any,
        regressors: Any,
        codes: Any,
        levels: Any,
    ) -> None:
        Blocks.__init__(self, starts, correlation, values, rows, threshold, 0.0, False)
        self.regressors = regressors
        self.codes = codes
        self.levels = np.array(levels, dtype=np.intc)
        self.gaps_anywhere = values is not None
        widest: cython.Py_ssize_t = min(int(np.max(starts)) + 1, MOST_COEFFICIENTS)
        most_levels: cython.Py_ssize_t = max(int(np.max(levels)), 1)
        size: cython.Py_ssize_t = min(widest * most_levels, MOST_COEFFICIENTS)
        cubed: cython.Py_ssize_t = min(size, MOST_CORRECTED)
        self.design = np.zeros((rows, widest))  # the system provides memory only when it is touched
        self.response = np.zeros(rows, dtype=np.intc)
        self.renumbered = np.zeros(most_levels, dtype=np.intc)
        self.tally = np.zeros(most_levels, dtype=np.intc)
        self.order = np.zeros(self.n + 1, dtype=np.intc)
        self.chosen = np.zeros(widest, dtype=np.intc)
        self.hessian = np.zeros((size, size))
        self.factor = np.zeros((size, size))
        self.gradient = np.zeros(size)
        self.step = np.zeros(size)
        self.beta = np.zeros(size)
        self.trial = np.zeros(size)
        self.chance = np.zeros(most_levels)
        self.points = np.zeros((most_levels, size))
        self.third = np.zeros(cubed * cubed * cubed)
        self.lean = np.zeros(size)
        kept: cython.Py_ssize_t = 1 if self.gaps_anywhere else KEPT_FITS
        self.fit_keys = np.zeros((kept, 2 + KEPT_GIVEN), dtype=np.intc)
        self.fit_betas = np.zeros((kept, KEPT_COEFFICIENTS))
        self.fit_values = np.zeros((kept, 2))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def measure(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        """Compute the statistic; 0 where the data support neither direction."""
        first: cython.Py_ssize_t = min(x, y)
        second: cython.Py_ssize_t = max(x, y)
        known: cython.bint = False
        statistic: cython.double = 0.0
        df: cython.longlong = 0
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        v: cython.int
        for i in range(size):  # in the order of the variables, so that equal sets have equal fits
            v = given[i]
            k = i
            while k > 0 and self.order[k - 1] > v:
                self.order[k] = self.order[k - 1]
                k -= 1
            self.order[k] = v
        if self.levels[first] == 0 or self.levels[second] == 0:
            if self.levels[first] == 0:  # the linear regression of the first on the others
                known = Blocks.measure(self, second, first, self.order, size)
            else:
                known = Blocks.measure(self, first, second, self.order, size)
            if self.levels[first] == self.levels[second] or (known and size == 0):
                return known
            statistic = self.statistic
            df = self.df
        for i in range(2):
            v = cython.cast(cython.int, second if i else first)
            if self.levels[v] == 0 or not self.by_regression(v, first if i else second, self.order, size):
                continue
            if not known or more_likely(self.statistic, self.df, statistic, df):
                statistic = self.statistic
                df = self.df
            known = True
            if size == 0:  # the other direction has the same likelihood ratio
                break
        self.statistic = statistic
        self.df = df
        return known

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def by_regression(
        self, y: cython.Py_ssize_t, x: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        """The likelihood ratio of the label y on Z with and without x; 0 where the data cannot support it."""
        k: cython.Py_ssize_t
        in_z: cython.Py_ssize_t = 0
        width: cython.Py_ssize_t
        without: cython.double
        expected: cython.double
        self.clock += 1
        self.listed_count = 0
        for k in range(size):
            in_z = self.gather(given[k], in_z)
        width = self.gather(x, in_z)
        if width + (self.starts[y + 1] - self.starts[y]) > self.a.shape[0]:
            return 0
        self.gather(y, width)  # for the rows in which it is missing
        self.used = self.rows - self.listed_count
        if self.used < 2:
            return 0
        self.correlate(width)
        self.keep_columns(in_z, width)
        self.number_levels(y)
        self.df = (self.width - self.given_width) * self.answers
        if self.df == 0 or self.df >= self.threshold.shape[0]:
            return 0
        k = self.width * self.answers
        if k > self.beta.shape[0] or self.used < ROWS_PER_COEFFICIENT * k:
            return 0
        if self.corrected and k > MOST_CORRECTED:
            return 0
        self.gather_rows(y)
        if not self.fit_given(y, given, size):
            return 0
        without = self.likelihood
        expected = 1.0
        if self.corrected:
            self.derive(self.width)
            if not decompose(self.hessian, self.factor, k):
                return 0
            expected = 1.0 + (self.expansion(self.width) - self.correction) / self.df
            if not (1.0 / MOST_CORRECTION < expected < MOST_CORRECTION):
                return 0
        if not self.fit(self.width, True):
            return 0
        self.statistic = max(0.0, 2.0 * (self.likelihood - without)) / expected
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def keep_columns(self, in_z: cython.Py_ssize_t, width: cython.Py_ssize_t) -> cython.int:
        """List the columns of Z and of x that those before them do not explain, by the correlations in `a`."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        k: cython.Py_ssize_t
        factor: cython.double
        self.given_width = 1  # the constant
        self.width = 1
        for i in range(width):
            if i == in_z:
                self.given_width = self.width
            if self.a[i, i] < SINGULAR or self.width >= self.chosen.shape[0]:
                continue
            self.chosen[self.width] = self.columns[i]
            self.width += 1
            for j in range(i + 1, width):
                factor = self.a[i, j] / self.a[i, i]
                for k in range(j, width):
                    self.a[j, k] -= factor * self.a[i, k]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def number_levels(self, y: cython.Py_ssize_t) -> cython.int:
        """Number the levels of y that occur in these rows, the most frequent one last: its coefficients are zero."""
        t: cython.Py_ssize_t
        c: cython.Py_ssize_t
        usual: cython.Py_ssize_t = 0
        rarest: cython.int = cython.cast(cython.int, self.used)
        for c in range(self.levels[y]):
            self.tally[c] = 0
        for t in range(self.codes.shape[1]):
            if not self.rowwise or self.seen[t] != self.clock:
                self.tally[self.codes[y, t]] += 1
        for c in range(self.levels[y]):
            if self.tally[c] > self.tally[usual]:
                usual = c
        self.answers = 0
        for c in range(self.levels[y]):
            if self.tally[c] > 0 and c != usual:
                self.renumbered[c] = cython.cast(cython.int, self.answers)
                self.answers += 1
                rarest = min(rarest, self.tally[c])
        self.renumbered[usual] = cython.cast(cython.int, self.answers)
        self.corrected = rarest * (self.answers + 1) <= CORRECTED_ROWS
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def gather_rows(self, y: cython.Py_ssize_t) -> cython.int:
        """Copy the complete rows of the columns that were kept; `count` is then their number."""
        t: cython.Py_ssize_t
        c: cython.Py_ssize_t
        self.count = 0
        for t in range(self.codes.shape[1]):
            if self.rowwise and self.seen[t] == self.clock:
                continue
            self.design[self.count, 0] = 1.0
            for c in range(1, self.width):
                self.design[self.count, c] = self.regressors[self.chosen[c], t]
            self.response[self.count] = self.renumbered[self.codes[y, t]]
            self.count += 1
        return 0

    # -- fits ---------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def fit_given(self, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t) -> cython.int:
        """Fit y on Z, or remember the fit: coefficients, `likelihood` and `correction`; 0 if there is none."""
        j: cython.Py_ssize_t
        c: cython.Py_ssize_t
        coefficients: cython.Py_ssize_t = self.given_width * self.answers
        slot: cython.Py_ssize_t = -1
        known: cython.bint = False
        for c in range(self.width * self.answers):
            self.beta[c] = 0.0
        if not self.gaps_anywhere and size <= KEPT_GIVEN and coefficients <= KEPT_COEFFICIENTS:
            slot = self.slot_of(y, size)
            known = self.fit_keys[slot, 0] == y + 1 and self.fit_keys[slot, 1] == size
            for c in range(size):
                known = known and self.fit_keys[slot, 2 + c] == given[c]
            if known:
                for j in range(self.answers):
                    for c in range(self.given_width):
                        self.beta[j * self.width + c] = self.fit_betas[slot, j * self.given_width + c]
                self.likelihood = self.fit_values[slot, 0]
                self.correction = self.fit_values[slot, 1]
                return not isnan(self.likelihood)
        for j in range(self.answers + 1):  # without regressors: the logarithms of the ratios of the levels
            self.chance[j] = 0.0
        for c in range(self.count):
            self.chance[self.response[c]] += 1.0
        for j in range(self.answers):
            self.beta[j * self.width] = log(self.chance[j] / self.chance[self.answers])
        self.correction = 0.0
        if not self.fit(self.given_width, False):
            self.likelihood = NAN
        elif self.corrected:
            self.correction = self.expansion(self.given_width)
        if slot >= 0:
            self.fit_keys[slot, 0] = cython.cast(cython.int, y + 1)
            self.fit_keys[slot, 1] = cython.cast(cython.int, size)
            for c in range(size):
                self.fit_keys[slot, 2 + c] = given[c]
            for j in range(self.answers):
                for c in range(self.given_width):
                    self.fit_betas[slot, j * self.given_width + c] = self.beta[j * self.width + c]
            self.fit_values[slot, 0] = self.likelihood
            self.fit_values[slot, 1] = self.correction
        return not isnan(self.likelihood)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def slot_of(self, y: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The place in which the fit of y on the set in `order` is kept."""
        i: cython.Py_ssize_t
        mixed: cython.longlong = y + 1
        for i in range(size):
            mixed = (mixed * 1000003 + cython.cast(cython.longlong, self.order[i]) + 7) % 2147483647
        return mixed % self.fit_keys.shape[0]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def fit(self, width: cython.Py_ssize_t, separated: cython.bint) -> cython.int:
        """Newton's method from `beta` on, for the first columns of the design; `likelihood` is the logarithm.

        0 if it does not end. `separated`: coefficients may grow without bound, since the likelihood does not. The
        factor of the information at the fit is left in `factor`.
        """
        j: cython.Py_ssize_t
        c: cython.Py_ssize_t
        steps_left: cython.Py_ssize_t = MOST_STEPS_SEPARATED if separated else MOST_STEPS
        size: cython.Py_ssize_t = width * self.answers
        gain: cython.double
        value: cython.double
        length: cython.double
        self.likelihood = self.value_at(self.beta, width)
        while steps_left > 0:
            steps_left -= 1
            self.derive(width)
            if not decompose(self.hessian, self.factor, size):
                return separated
            for c in range(size):
                self.step[c] = self.gradient[c]
            solve_lower(self.factor, self.step, size, 0)
            gain = 0.0
            for c in range(size):
                gain += self.step[c] * self.step[c]
            if gain < CLOSE:
                self.likelihood += 0.5 * gain
                return 1
            solve_upper(self.factor, self.step, size)
            length = 2.0
            value = self.likelihood - 1.0
            while value < self.likelihood - 1e-13 * fabs(self.likelihood):
                length *= 0.5
                if length < SHORTEST_STEP:
                    return separated
                for j in range(self.answers):
                    for c in range(self.width):
                        self.trial[j * self.width + c] = self.beta[j * self.width + c]
                    for c in range(width):
                        self.trial[j * self.width + c] += length * self.step[j * width + c]
                value = self.value_at(self.trial, width)
            for c in range(self.width * self.answers):
                self.beta[c] = self.trial[c]
            self.likelihood = value
            if gain < NEARLY and not self.corrected:
                return 1
        return separated

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def value_at(self, beta: cython.double[::1], width: cython.Py_ssize_t) -> cython.double:
        """The log-likelihood with these coefficients."""
        t: cython.Py_ssize_t
        total: cython.double = 0.0
        for t in range(self.count):
            total += chances_of(self.design, t, beta, self.answers, width, self.width, self.response[t], self.chance)
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def derive(self, width: cython.Py_ssize_t) -> cython.int:
        """The gradient and the information (lower half) at `beta`."""
        t: cython.Py_ssize_t
        j: cython.Py_ssize_t
        k: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        size: cython.Py_ssize_t = width * self.answers
        weight: cython.double
        product: cython.double
        for a in range(size):
            self.gradient[a] = 0.0
            for b in range(a + 1):
                self.hessian[a, b] = 0.0
        for t in range(self.count):
            chances_of(self.design, t, self.beta, self.answers, width, self.width, self.response[t], self.chance)
            for j in range(self.answers):
                weight = (1.0 if self.response[t] == j else 0.0) - self.chance[j]
                for a in range(width):
                    self.gradient[j * width + a] += weight * self.design[t, a]
                for k in range(j + 1):
                    weight = self.chance[j] * ((1.0 if j == k else 0.0) - self.chance[k])
                    for a in range(width):
                        product = weight * self.design[t, a]
                        if product != 0.0:
                            for b in range(a + 1):
                                self.hessian[j * width + a, k * width + b] += product * self.design[t, b]
        for j in range(self.answers):
            for k in range(j):  # the block of two levels is symmetric in their columns
                for a in range(width):
                    for b in range(a):
                        self.hessian[j * width + b, k * width + a] = self.hessian[j * width + a, k * width + b]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expansion(self, width: cython.Py_ssize_t) -> cython.double:
        """The term e of the mean of the likelihood ratio, at `beta`; `factor` is that of the information there."""
        t: cython.Py_ssize_t
        j: cython.Py_ssize_t
        k: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        c: cython.Py_ssize_t
        size: cython.Py_ssize_t = width * self.answers
        fourth: cython.double = 0.0
        squares: cython.double
        length: cython.double
        rest: cython.double
        product: cython.double
        both: cython.double
        total: cython.double = 0.0
        for a in range(size * size * size):
            self.third[a] = 0.0
        for a in range(size):
            self.lean[a] = 0.0
        for t in range(self.count):
            chances_of(self.design, t, self.beta, self.answers, width, self.width, self.response[t], self.chance)
            rest = 1.0
            for j in range(self.answers):
                rest -= self.chance[j]
            self.chance[self.answers] = max(rest, 0.0)
            for a in range(size):
                self.gradient[a] = 0.0
                self.points[self.answers, a] = 0.0
            for j in range(self.answers):
                for a in range(size):
                    self.step[a] = 0.0
                for a in range(width):
                    self.step[j * width + a] = self.design[t, a]
                solve_lower(self.factor, self.step, size, j * width)
                for a in range(size):
                    self.points[j, a] = self.step[a]
                    self.gradient[a] += self.chance[j] * self.step[a]
            squares = 0.0
            for j in range(self.answers + 1):
                length = 0.0
                for a in range(size):
                    self.points[j, a] -= self.gradient[a]
                    length += self.points[j, a] * self.points[j, a]
                squares += self.chance[j] * length
                fourth += self.chance[j] * length * length
                for a in range(size):
                    product = self.chance[j] * self.points[j, a]
                    self.lean[a] += product * length
                    for b in range(a + 1):
                        both = product * self.points[j, b]
                        if both != 0.0:
                            for c in range(b + 1):
                                self.third[(a * size + b) * size + c] += both * self.points[j, c]
            fourth -= squares * squares
            for j in range(self.answers + 1):
                for k in range(j + 1):
                    product = 0.0
                    for a in range(size):
                        product += self.points[j, a] * self.points[k, a]
                    fourth -= (2.0 if j == k else 4.0) * self.chance[j] * self.chance[k] * product * product
        total = -3.0 * fourth
        for a in range(size):
            total += 3.0 * self.lean[a] * self.lean[a]
            for b in range(a + 1):
                for c in range(b + 1):
                    product = self.third[(a * size + b) * size + c]
                    total += 2.0 * product * product * (1.0 if a == c else 3.0 if a == b or b == c else 6.0)
        return total / 12.0

    # -- along a stack: nothing is shared but the fits ------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin_pair(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.void:
        ChiSquared.begin_pair(self, x, y)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def push(self, z: cython.Py_ssize_t) -> cython.int:
        return ChiSquared.push(self, z)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pop(self) -> cython.void:
        ChiSquared.pop(self)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def first_separating(self, nodes: cython.int[::1], count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        return ChiSquared.first_separating(self, nodes, count)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def more_likely(
    statistic: cython.double, df: cython.longlong, other: cython.double, other_df: cython.longlong
) -> cython.bint:
    """Whether a statistic has a larger p-value than another one."""
    if df == other_df:
        return statistic < other
    return log_tail(statistic, df) > log_tail(other, other_df)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def chances_of(
    design: cython.double[:, ::1],
    t: cython.Py_ssize_t,
    beta: cython.double[::1],
    answers: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
    response: cython.int,
    chance: cython.double[::1],
) -> cython.double:
    """The probabilities of the levels but the last in row t; returns the logarithm of that of its own level."""
    j: cython.Py_ssize_t
    c: cython.Py_ssize_t
    score: cython.double
    largest: cython.double = 0.0
    total: cython.double
    own: cython.double = 0.0
    for j in range(answers):
        score = 0.0
        for c in range(width):
            score += beta[j * stride + c] * design[t, c]
        chance[j] = score
        largest = max(largest, score)
        if j == response:
            own = score
    total = exp(-largest)
    for j in range(answers):
        chance[j] = exp(chance[j] - largest)
        total += chance[j]
    for j in range(answers):
        chance[j] /= total
    return own - largest - log(total)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def decompose(matrix: cython.double[:, ::1], factor: cython.double[:, ::1], n: cython.Py_ssize_t) -> cython.int:
    """The Cholesky factor of a matrix of which the lower half is known; 0 if it is not positive definite."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    total: cython.double
    for i in range(n):
        for j in range(i + 1):
            total = matrix[i, j]
            for k in range(j):
                total -= factor[i, k] * factor[j, k]
            if i == j:
                if not total > 1e-13 * matrix[i, i]:
                    return 0
                factor[i, i] = sqrt(total)
            else:
                factor[i, j] = total / factor[j, j]
    return 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def solve_lower(
    factor: cython.double[:, ::1], vector: cython.double[::1], n: cython.Py_ssize_t, first: cython.Py_ssize_t
) -> cython.void:
    """Solve L u = vector in place; the entries before `first` are zero."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    total: cython.double
    for i in range(first, n):
        total = vector[i]
        for k in range(first, i):
            total -= factor[i, k] * vector[k]
        vector[i] = total / factor[i, i]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def solve_upper(factor: cython.double[:, ::1], vector: cython.double[::1], n: cython.Py_ssize_t) -> cython.void:
    """Solve L' u = vector in place."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    total: cython.double
    for i in range(n - 1, -1, -1):
        total = vector[i]
        for k in range(i + 1, n):
            total -= factor[k, i] * vector[k]
        vector[i] = total / factor[i, i]
