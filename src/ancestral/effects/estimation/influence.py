"""Standard errors and intervals from influence values: what each row adds to the error of an estimate.

An estimate that is, but for smaller terms, the truth plus the mean of independent influence values has the variance of
that mean. Rows of one cluster are added up first, so that they may depend on each other in any way; weights multiply.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.data import DataError
from ancestral.data.column_kinds import Floats
from ancestral.effects.estimation.rows import Rows

__all__ = ["Estimate", "Sampling"]


@dataclass(frozen=True)
class Estimate:
    """A number, its standard error, and the ends of its interval."""

    value: float
    error: float
    low: float
    high: float


@dataclass(frozen=True)
class Sampling:
    """How rows were sampled, and the level of the intervals; `parameters` were fitted to these same rows."""

    weights: Floats
    groups: NDArray[np.integer] | None
    confidence: float
    parameters: int = 1

    @classmethod
    def of(cls, rows: Rows, confidence: float, parameters: int = 1) -> "Sampling":
        """The sampling of these rows. Raises `DataError` for fewer than two clusters."""
        if rows.groups is not None and rows.groups.max() < 1:
            raise DataError("a single cluster has no standard error; effects need rows of several clusters")
        return cls(rows.weights, rows.groups, confidence, parameters)

    def mean(self, values: Floats) -> float:
        """The weighted mean."""
        return float(self.weights @ values / self.weights.sum())

    def error(self, influence: Floats) -> float:
        """The standard error of an estimate with these influence values."""
        parts, rows = self.weights * influence, len(influence)
        if self.groups is not None:
            parts = np.bincount(self.groups, weights=parts).astype(np.float64)
        count = len(parts)
        factor = count / (count - 1) * (rows - 1) / max(rows - self.parameters, 1)
        return math.sqrt(factor * float(parts @ parts)) / rows

    def estimate(self, value: float, influence: Floats) -> Estimate:
        """An estimate with a symmetric interval."""
        error = self.error(influence)
        reach = error * self._quantile(len(influence))
        return Estimate(value, error, value - reach, value + reach)

    def ratio(self, above: float, below: float, influence_above: Floats, influence_below: Floats) -> Estimate:
        """The ratio of two positive estimates, with an interval that is symmetric for its logarithm."""
        value = above / below
        error = self.error((influence_above - value * influence_below) / below)
        reach = error / value * self._quantile(len(influence_above))
        return Estimate(value, error, value * math.exp(-reach), value * math.exp(reach))

    def _quantile(self, rows: int) -> float:
        from scipy.stats import t as student

        left = rows - self.parameters if self.groups is None else int(self.groups.max())
        return float(student.ppf((1 + self.confidence) / 2, max(left, 1)))
