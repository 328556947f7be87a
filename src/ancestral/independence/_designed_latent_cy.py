"""Partial correlations of latent variables, under weights and clusters.

The idea: each latent correlation is estimated with an error that is a sum over rows, of their influences times their
weights. So is that of a partial correlation, to first order: with g its derivative by the correlations among its
variables (`_latent_questions_cy`), a row of weight w and influences ψ adds w g'ψ, and to Fisher's z this over 1 − r².
Sums of these over groups say what z is worth (`_design_cy`). As without a design, no question counts for more than it
would if x and y depended on nothing and every row counted once.

Invariants: column u of `sums` belongs to a unit. If a unit is a group, it is Σ w ψ over its rows, and second[u] and
fourth[u] are 1. Otherwise a unit is independent rows of the same influence ψ, which is the column, and second[u] and
fourth[u] are the sums of the squares and fourth powers of their weights. Weights add up to `rows`; `groups` is the
number of independent groups, or rows.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from math import atanh

    from ancestral.independence._design_cy import DesignedQuestions


@cython.final
@cython.cclass
class DesignedLatent(DesignedQuestions):
    """Asks weighted latent correlations; `latent` are questions about the same ones, without Γ.

    A question is answered if its effective number of rows is at least `fewest`.
    """

    def __init__(
        self, latent: Any, sums: Any, second: Any, fourth: Any, groups: float, rows: float, alpha: float, fewest: float
    ) -> None:
        self.latent = latent
        self.begin_design(latent.n, alpha, rows, 1)
        self.sums = np.ascontiguousarray(sums, dtype=np.float64)
        self.second = np.ascontiguousarray(second, dtype=np.float64)
        self.fourth = np.ascontiguousarray(fourth, dtype=np.float64)
        self.added = np.zeros(self.sums.shape[1])
        self.groups = groups
        self.fewest = fewest

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def measure(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        i: cython.Py_ssize_t
        r: cython.double
        rest: cython.double = self.rows - size - 3.0
        least: cython.double = self.rows / (self.latent.shown[x] * self.latent.shown[y])
        self.latent.members[0] = cython.cast(cython.int, x)
        self.latent.members[1] = cython.cast(cython.int, y)
        for i in range(size):
            self.latent.members[2 + i] = given[i]
        r = self.latent.partial(size + 2)
        if r > 1.5 or rest < 1.0:
            return 0
        r = min(max(r, -0.9999999999), 0.9999999999)
        self.add_units(self.latent.differentiate(size + 2, r), 1.0 / (1.0 - r * r))
        if not self.total > 0.0:
            return 0
        if self.total < least:
            self.squares *= (least / self.total) * (least / self.total)
            self.total = least
        if not self.judge(rest * atanh(r) * atanh(r), 1.0, 1.0, self.groups, size, self.rows):
            return 0
        return rest >= self.fewest * self.effect

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def add_units(self, count: cython.Py_ssize_t, scale: cython.double) -> cython.int:
        """Sum up what units add to Fisher's z, by the derivatives for the first `count` pairs."""
        j: cython.Py_ssize_t
        u: cython.Py_ssize_t
        pair: cython.Py_ssize_t
        slope: cython.double
        square: cython.double
        self.begin_sums(1)
        for u in range(self.added.shape[0]):
            self.added[u] = 0.0
        for j in range(count):
            pair = self.latent.pair_rows[j]
            slope = self.latent.gradient[j] * scale
            for u in range(self.added.shape[0]):
                self.added[u] += slope * self.sums[pair, u]
        for u in range(self.added.shape[0]):
            square = self.added[u] * self.added[u]
            self.total += square * self.second[u]
            self.squares += square * square * self.fourth[u]
        return 0
