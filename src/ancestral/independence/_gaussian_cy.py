"""Partial correlations and Fisher's z, decided without a logarithm.

The idea: x and y are eliminated on the conditioning set by an LDL' factorisation that carries both right-hand sides
along; what is left is the partial correlation. Fisher's z accepts independence if |atanh(rho)| sqrt(rows - k - 3) is
at most the normal quantile, which is rho² ≤ threshold[k] with threshold[k] = tanh²(quantile / sqrt(rows - k - 3)),
tabulated once.

Invariants: `correlation` is symmetric with a unit diagonal; `threshold[k]` is negative where there are too few rows
for k conditions. Row 0 of `scratch` is working space, rows 1–3 hold 1/d, x and y per step, row 4 + j the factors of
step j.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from math import isnan

    from ancestral.independence._questions_cy import Questions


#: A node whose variance is explained by the others up to this share says nothing new: the set counts as singular.
SINGULAR = cython.declare(cython.double, 1e-10)


@cython.cclass
class PartialCorrelations(Questions):
    """Asks a correlation matrix."""

    def __init__(self, correlation: Any, threshold: Any) -> None:
        self.correlation = np.array(correlation, dtype=np.float64, order="C")
        self.begin(len(correlation), np.abs(self.correlation))
        self.threshold = np.array(threshold, dtype=np.float64)
        widest = max(len(threshold), 1)
        self.scratch = np.zeros((4 + widest, widest))

    def partial_correlation(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: Any) -> float:
        """The absolute partial correlation; NaN where the conditioning set is singular or too large."""
        array = np.array(given, dtype=np.intc)
        if len(array) >= self.threshold.shape[0]:
            return float("nan")
        squared = self.rho2(x, y, array, len(array))
        return float(np.sqrt(squared)) if squared >= 0 else float("nan")

    def marginals(self) -> Any:
        """A row `squared correlation, 0` for each pair; NaN where there are too few rows."""
        squared = np.asarray(self.correlation)[np.triu_indices(self.n, 1)] ** 2
        if self.threshold[0] < 0:
            squared[:] = np.nan
        return np.column_stack([squared, np.zeros_like(squared)])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-2)
    def rho2(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.double:
        """The squared partial correlation; -1 where the conditioning set is singular."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        q: cython.Py_ssize_t
        z: cython.Py_ssize_t
        s: cython.double
        f: cython.double
        d: cython.double
        to_x: cython.double
        to_y: cython.double
        xx: cython.double = 1.0
        yy: cython.double = 1.0
        xy: cython.double = self.correlation[x, y]
        for j in range(size):
            z = given[j]
            to_x = self.correlation[z, x]
            to_y = self.correlation[z, y]
            d = 1.0
            for i in range(j):
                s = self.correlation[z, given[i]]
                for q in range(i):
                    s = s - self.scratch[0, q] * self.scratch[4 + i, q]
                self.scratch[0, i] = s
                f = s * self.scratch[1, i]
                self.scratch[4 + j, i] = f
                d = d - s * f
                to_x = to_x - f * self.scratch[2, i]
                to_y = to_y - f * self.scratch[3, i]
            if d < SINGULAR:
                return -1.0
            self.scratch[1, j] = 1.0 / d
            self.scratch[2, j] = to_x
            self.scratch[3, j] = to_y
            xx = xx - to_x * to_x / d
            yy = yy - to_y * to_y / d
            xy = xy - to_x * to_y / d
        if xx < SINGULAR or yy < SINGULAR:
            return -1.0
        return xy * xy / (xx * yy)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def independent(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        squared: cython.double
        if size >= self.threshold.shape[0] or self.threshold[size] < 0:
            return self.cannot_tell(size)
        squared = self.rho2(x, y, given, size)
        if squared < 0:
            return self.cannot_tell(size)
        self.statistic = squared
        return squared <= self.threshold[size]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def closer(self) -> cython.bint:
        """Among sets of one size the smallest partial correlation has the largest p-value."""
        if not (self.statistic < self.closest_statistic or (isnan(self.closest_statistic) and self.statistic >= 0)):
            return False
        self.closest_statistic = self.statistic
        return True
