"""Latent correlations of pairs of columns by maximum likelihood: polychoric and polyserial, with influence functions.

The idea: an ordinal column is a normal variable of which only the interval between two thresholds is seen. Thresholds
come from the margins; given them, the correlation of a pair is where the score (the derivative of the mean logarithm of
the likelihood) is zero, found by Fisher scoring within a bracket that always holds the zero (Olsson 1979; Olsson,
Drasgow & Dorans 1982).

The influence function of such an estimate says what one row adds to N times its error. It has a summand for the score
of the row, divided by the information, and one for each estimated margin. Let s be the score of a cell. A threshold
t moves the mean score by the sum over the cells on its two sides of (density at t) * (difference of s), and a row moves
t by (1{x ≤ t} − P(x ≤ t)) / density. The margin of a continuous column moves all of its normal scores: with h(z) the
mean derivative of the score with respect to z, a row at z adds the integral of h(u) (1{z ≤ u} − Φ(u)) over u.

Invariants: thresholds ascend strictly and are finite; level c of a column lies between thresholds c − 1 and c.
Integrals over a continuous column are sums over a grid of step `STEP`, which for these smooth functions are exact to
1e-9.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from math import asin, cos, erfc, exp, fabs, sin, sqrt

#: The largest correlation that is estimated; a pair whose likelihood grows up to here has an empty corner.
LARGEST = cython.declare(cython.double, 0.995)
#: Steps of Fisher scoring: five or so are needed, and bisection, the worst case, is done after 30.
MOST_STEPS = cython.declare(cython.Py_ssize_t, 60)
#: A step smaller than this ends the search for the zero.
PRECISE = cython.declare(cython.double, 1e-9)
#: Probabilities below this count as this, so that nothing is divided by zero.
TINY = cython.declare(cython.double, 1e-300)

#: The grid of a standard normal variable: from -BOUND to BOUND.
BOUND = cython.declare(cython.double, 8.0)
STEP = cython.declare(cython.double, 0.0625)
GRID_POINTS = cython.declare(cython.Py_ssize_t, 257)

ROOT_2 = cython.declare(cython.double, 1.4142135623730951)
TWO_PI = cython.declare(cython.double, 6.283185307179586)
ROOT_TWO_PI = cython.declare(cython.double, 2.5066282746310002)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cdf(x: cython.double) -> cython.double:
    """The standard normal distribution function."""
    return 0.5 * erfc(-x / ROOT_2)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def density(x: cython.double) -> cython.double:
    """The standard normal density."""
    return exp(-0.5 * x * x) / ROOT_TWO_PI


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def between(low: cython.double, high: cython.double) -> cython.double:
    """The probability of the interval, computed in the tail where it is accurate."""
    if low > 0:
        return 0.5 * (erfc(low / ROOT_2) - erfc(high / ROOT_2))
    return 0.5 * (erfc(-high / ROOT_2) - erfc(-low / ROOT_2))


@cython.final
@cython.cclass
class LatentPairs:
    """Estimates correlations of pairs; holds the nodes of the quadrature and working space for `most` levels."""

    def __init__(self, most: int) -> None:
        nodes, weights = np.polynomial.legendre.leggauss(20)
        self.nodes = np.ascontiguousarray(nodes)
        self.node_weights = np.ascontiguousarray(weights)
        self.most = most
        self.corners = np.zeros((most + 1, most + 1))
        self.slopes = np.zeros((most + 1, most + 1))
        self.cells = np.zeros((most, most))
        self.scores = np.zeros((most, most))
        self.effects = np.zeros(most)
        self.mean_slope = np.zeros(GRID_POINTS)

    # -- the bivariate normal distribution ------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def joint(self, h: cython.double, k: cython.double, r: cython.double) -> cython.double:
        """P(X ≤ h, Y ≤ k) at correlation r: the integral of its derivative in asin(r) (Drezner & Wesolowsky 1990).

        The integrand is exp(−(h² + k² − 2hk sin t) / (2 cos² t)) / 2π, for t from 0 to asin(r); strong correlations
        are integrated in four parts, since it changes quickly at the end.
        """
        end: cython.double = asin(r)
        parts: cython.Py_ssize_t = 1 if fabs(r) < 0.9 else 4
        half: cython.double = 0.5 * end / parts
        total: cython.double = 0.0
        squares: cython.double = 0.5 * (h * h + k * k)
        product: cython.double = h * k
        i: cython.Py_ssize_t
        part: cython.Py_ssize_t
        angle: cython.double
        c: cython.double
        for part in range(parts):
            for i in range(self.nodes.shape[0]):
                angle = half * (2 * part + 1 + self.nodes[i])
                c = cos(angle)
                total += self.node_weights[i] * exp((product * sin(angle) - squares) / (c * c))
        return cdf(h) * cdf(k) + half * total / TWO_PI

    def probability(self, h: float, k: float, r: float) -> float:
        """P(X ≤ h, Y ≤ k) at correlation r, of at most 0.995 in absolute value."""
        return float(self.joint(h, k, r))

    # -- ordinal with ordinal -------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fill_cells(self, of_x: cython.double[::1], of_y: cython.double[::1], r: cython.double) -> cython.void:
        """The probabilities of all cells at correlation r, and their scores: derivative by r, over probability."""
        rows: cython.Py_ssize_t = of_x.shape[0] + 1
        columns: cython.Py_ssize_t = of_y.shape[0] + 1
        rest: cython.double = 1.0 - r * r
        scale: cython.double = 1.0 / (TWO_PI * sqrt(rest))
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        for a in range(rows + 1):
            for b in range(columns + 1):
                if a == 0 or b == 0:
                    self.corners[a, b] = self.slopes[a, b] = 0.0
                elif a == rows or b == columns:
                    self.slopes[a, b] = 0.0
                    if a == rows and b == columns:
                        self.corners[a, b] = 1.0
                    else:
                        self.corners[a, b] = cdf(of_y[b - 1]) if a == rows else cdf(of_x[a - 1])
                else:
                    h: cython.double = of_x[a - 1]
                    k: cython.double = of_y[b - 1]
                    self.corners[a, b] = self.joint(h, k, r)
                    self.slopes[a, b] = scale * exp(-0.5 * (h * h + k * k - 2.0 * r * h * k) / rest)
        for a in range(rows):
            for b in range(columns):
                p: cython.double = (
                    self.corners[a + 1, b + 1] - self.corners[a, b + 1] - self.corners[a + 1, b] + self.corners[a, b]
                )
                self.cells[a, b] = max(p, TINY)
                self.scores[a, b] = (
                    self.slopes[a + 1, b + 1] - self.slopes[a, b + 1] - self.slopes[a + 1, b] + self.slopes[a, b]
                ) / max(p, 1e-14)

    def polychoric(self, shares: Any, of_x: Any, of_y: Any, influence: Any) -> float:
        """The correlation of two ordinal columns.

        `shares[a, b]` is the share of rows in a cell, and `of_x` and `of_y` are the thresholds of its margins. Writes
        the influence of a row in each cell.
        """
        p: cython.double[:, ::1] = np.array(shares, dtype=np.float64)
        x: cython.double[::1] = np.array(of_x, dtype=np.float64)
        y: cython.double[::1] = np.array(of_y, dtype=np.float64)
        out: cython.double[:, ::1] = influence
        r: cython.double
        with cython.nogil:
            r = self.solve_table(p, x, y)
            self.table_influence(x, y, r, out)
        return r

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def solve_table(
        self,
        p: cython.double[:, ::1],
        x: cython.double[::1],
        y: cython.double[::1],
    ) -> cython.double:
        low: cython.double = -LARGEST
        high: cython.double = LARGEST
        r: cython.double = 0.0
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        for _ in range(MOST_STEPS):
            score: cython.double = 0.0
            information: cython.double = 0.0
            self.fill_cells(x, y, r)
            for a in range(p.shape[0]):
                for b in range(p.shape[1]):
                    score += p[a, b] * self.scores[a, b]
                    information += self.cells[a, b] * self.scores[a, b] * self.scores[a, b]
            if score > 0:
                low = r
            else:
                high = r
            new: cython.double = r + score / max(information, TINY)
            if not low < new < high:
                new = 0.5 * (low + high)
            if fabs(new - r) < PRECISE:
                return new
            r = new
        return r

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def table_influence(
        self,
        x: cython.double[::1],
        y: cython.double[::1],
        r: cython.double,
        out: cython.double[:, ::1],
    ) -> cython.void:
        """What a row of each cell adds: its score, and what it does to the thresholds of both margins."""
        rows: cython.Py_ssize_t = x.shape[0] + 1
        columns: cython.Py_ssize_t = y.shape[0] + 1
        root: cython.double = sqrt(1.0 - r * r)
        information: cython.double = 0.0
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        t: cython.Py_ssize_t
        effect: cython.double
        self.fill_cells(x, y, r)
        for a in range(rows):
            for b in range(columns):
                information += self.cells[a, b] * self.scores[a, b] * self.scores[a, b]
                out[a, b] = self.scores[a, b]
        for t in range(rows - 1):  # the threshold between levels t and t + 1 of x
            effect = 0.0
            for b in range(columns):
                effect += self.share_at(x[t], y, b, r, root) * (self.scores[t, b] - self.scores[t + 1, b])
            for a in range(rows):
                for b in range(columns):
                    out[a, b] -= ((1.0 if a <= t else 0.0) - cdf(x[t])) * effect
        for t in range(columns - 1):
            effect = 0.0
            for a in range(rows):
                effect += self.share_at(y[t], x, a, r, root) * (self.scores[a, t] - self.scores[a, t + 1])
            for a in range(rows):
                for b in range(columns):
                    out[a, b] -= ((1.0 if b <= t else 0.0) - cdf(y[t])) * effect
        for a in range(rows):
            for b in range(columns):
                out[a, b] /= max(information, TINY)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def share_at(
        self,
        at: cython.double,
        others: cython.double[::1],
        level: cython.Py_ssize_t,
        r: cython.double,
        root: cython.double,
    ) -> cython.double:
        """The probability of a level of the other variable, where this one has the value `at`."""
        above: cython.double = 1.0
        below: cython.double = 0.0
        if level < others.shape[0]:
            above = cdf((others[level] - r * at) / root)
        if level > 0:
            below = cdf((others[level - 1] - r * at) / root)
        return above - below

    # -- continuous with ordinal ----------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def score_at(
        self, z: cython.double, level: cython.Py_ssize_t, t: cython.double[::1], r: cython.double
    ) -> cython.double:
        """The score of a row with the value z and this level; `level_share` is then the probability of the level."""
        root: cython.double = sqrt(1.0 - r * r)
        low: cython.double = -40.0
        high: cython.double = 40.0
        slope: cython.double = 0.0
        if level < t.shape[0]:
            high = (t[level] - r * z) / root
            slope = density(high) * (r * t[level] - z)
        if level > 0:
            low = (t[level - 1] - r * z) / root
            slope = slope - density(low) * (r * t[level - 1] - z)
        self.level_share = max(between(low, high), TINY)
        return slope / (root * root * root * self.level_share)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def serial_information(self, t: cython.double[::1], r: cython.double) -> cython.double:
        """The mean square of the score."""
        total: cython.double = 0.0
        i: cython.Py_ssize_t
        level: cython.Py_ssize_t
        for i in range(0, GRID_POINTS, 2):
            z: cython.double = i * STEP - BOUND
            for level in range(t.shape[0] + 1):
                s: cython.double = self.score_at(z, level, t, r)
                if self.level_share > 1e-30:
                    total += density(z) * self.level_share * s * s
        return 2.0 * STEP * total

    def polyserial(
        self, values: Any, codes: Any, weights: Any, thresholds: Any, effects: Any, margin: Any
    ) -> tuple[float, float]:
        """The correlation of a column of normal scores with an ordinal one, and the information about it.

        Writes what `serial_influence` needs: `effects` of the thresholds, and the effect of the `margin` of the scores
        on the grid.
        """
        z: cython.double[::1] = np.array(values, dtype=np.float64)
        c: cython.int[::1] = np.array(codes, dtype=np.intc)
        w: cython.double[::1] = np.array(weights, dtype=np.float64)
        t: cython.double[::1] = np.array(thresholds, dtype=np.float64)
        of_thresholds: cython.double[::1] = effects
        of_margin: cython.double[::1] = margin
        r: cython.double
        information: cython.double
        with cython.nogil:
            r = self.solve_rows(z, c, w, t)
            information = self.serial_effects(t, r, of_thresholds, of_margin)
        return r, information

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def solve_rows(
        self,
        z: cython.double[::1],
        c: cython.int[::1],
        w: cython.double[::1],
        t: cython.double[::1],
    ) -> cython.double:
        low: cython.double = -LARGEST
        high: cython.double = LARGEST
        r: cython.double = 0.0
        i: cython.Py_ssize_t
        total: cython.double = 0.0
        for i in range(w.shape[0]):
            total += w[i]
        for _ in range(MOST_STEPS):
            score: cython.double = 0.0
            for i in range(z.shape[0]):
                if w[i] > 0:
                    score += w[i] * self.score_at(z[i], c[i], t, r)
            score = score / total
            if score > 0:
                low = r
            else:
                high = r
            new: cython.double = r + score / max(self.serial_information(t, r), TINY)
            if not low < new < high:
                new = 0.5 * (low + high)
            if fabs(new - r) < PRECISE:
                return new
            r = new
        return r

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def serial_effects(
        self,
        t: cython.double[::1],
        r: cython.double,
        effects: cython.double[::1],
        margin: cython.double[::1],
    ) -> cython.double:
        """The information; writes the effect of each threshold, and of the margin at each point of the grid."""
        root: cython.double = sqrt(1.0 - r * r)
        information: cython.double = 0.0
        centre: cython.double = 0.0
        levels: cython.Py_ssize_t = t.shape[0] + 1
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        for k in range(levels - 1):
            effects[k] = 0.0
        for i in range(GRID_POINTS):
            z: cython.double = i * STEP - BOUND
            h: cython.double = 0.0
            before: cython.double = 0.0  # the score of the level below
            for k in range(levels):
                s: cython.double = self.score_at(z, k, t, r)
                if self.level_share <= 1e-30:
                    s = 0.0
                information += STEP * density(z) * self.level_share * s * s
                if k > 0:
                    at: cython.double = density((t[k - 1] - r * z) / root) / root
                    h -= r * at * (s - before)
                    effects[k - 1] += STEP * density(z) * at * (before - s) / density(t[k - 1])
                before = s
            self.mean_slope[i] = h
            centre += STEP * h * cdf(z)
        margin[GRID_POINTS - 1] = -centre
        for i in range(GRID_POINTS - 2, -1, -1):  # the integral of h from z on, less the mean
            margin[i] = margin[i + 1] + 0.5 * STEP * (self.mean_slope[i] + self.mean_slope[i + 1])
        return information

    def serial_influence(
        self,
        values: Any,
        codes: Any,
        thresholds: Any,
        r: cython.double,
        information: cython.double,
        effects: Any,
        margin: Any,
        influence: Any,
    ) -> None:
        """Write the influence of each row on the polyserial correlation."""
        z: cython.double[::1] = np.array(values, dtype=np.float64)
        c: cython.int[::1] = np.array(codes, dtype=np.intc)
        t: cython.double[::1] = np.array(thresholds, dtype=np.float64)
        of_thresholds: cython.double[::1] = effects
        of_margin: cython.double[::1] = margin
        out: cython.double[::1] = influence
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        level: cython.Py_ssize_t
        place: cython.double
        with cython.nogil:
            for level in range(t.shape[0] + 1):
                self.effects[level] = 0.0
                for k in range(t.shape[0]):
                    self.effects[level] -= ((1.0 if level <= k else 0.0) - cdf(t[k])) * of_thresholds[k]
            for i in range(z.shape[0]):
                place = min(max((z[i] + BOUND) / STEP, 0.0), GRID_POINTS - 1.000001)
                k = cython.cast(cython.Py_ssize_t, place)
                place = place - k
                out[i] = (
                    self.score_at(z[i], c[i], t, r)
                    + self.effects[c[i]]
                    + (1.0 - place) * of_margin[k]
                    + place * of_margin[k + 1]
                ) / max(information, TINY)
