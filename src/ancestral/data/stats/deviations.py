"""Deviations: the mean of a column, and sums of powers of the deviations from it.

A column of ten thousand values fits into the cache of a processor, a table of a thousand such columns does not. So
everything that is needed of a single column later (mean, length, skewness, kurtosis) is computed in one pass.

The deviations of two parts of a column add up to those of the whole.

Reference: Pébay (2008), Formulas for robust, one-pass parallel computation of covariances and arbitrary-order
statistical moments, Sandia report SAND2008-6212.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import Floats

__all__ = ["Deviations"]

EPSILON = float(np.finfo(np.float64).eps)
#: Sums of squares below this have lost digits: they are near the smallest numbers of floating point.
SMALLEST = 1e-290


@dataclass(frozen=True)
class Deviations:
    """The mean of some values, and sums of powers of their deviations from it.

    >>> found = Deviations.of(np.array([1.0, 2.0, 6.0]))
    >>> found.mean, found.square
    (3.0, 14.0)
    >>> (found + Deviations.of(np.array([3.0, 7.0]))).mean
    3.8
    """

    count: int
    first_mean: float
    rest: float  #: the mean of the differences to the first mean: its rounding error
    square: float  #: the sum of squared deviations; not finite where these overflow
    scale: float  #: the power of two next above the root of `square`; dividing by it rounds nothing
    cube: float  #: the sum of third powers of deviations / scale
    fourth: float  #: the same of fourth powers

    @classmethod
    def of(cls, values: Floats) -> "Deviations":
        """The deviations of some values; there is at least one, and none is missing."""
        with np.errstate(over="ignore", invalid="ignore"):
            first_mean = float(values.mean())
            centred = values - first_mean
            rest = float(centred.mean())
            centred -= rest
            squares = centred * centred
            square = float(squares.sum())
            scale = math.ldexp(1.0, math.frexp(math.sqrt(square))[1])
            centred *= 1 / scale
            np.multiply(centred, centred, out=squares)
            centred *= squares
            squares *= squares
            cube, fourth = float(centred.sum()), float(squares.sum())
        return cls(values.size, first_mean, rest, square, scale, cube, fourth)

    @classmethod
    def of_counts(cls, values: Floats, counts: NDArray[np.int64]) -> "Deviations":
        """The deviations of values of which value i occurs counts[i] times; at least one occurs."""
        occurs = counts > 0
        values, weights = values[occurs], counts[occurs].astype(np.float64)
        total = int(counts.sum())
        with np.errstate(over="ignore", invalid="ignore"):
            first_mean = float(values @ weights) / total
            centred = values - first_mean
            rest = float(centred @ weights) / total
            centred -= rest
            square = float(centred**2 @ weights)
            scale = math.ldexp(1.0, math.frexp(math.sqrt(square))[1])
            centred *= 1 / scale
            cube, fourth = float(centred**3 @ weights), float(centred**4 @ weights)
        return cls(total, first_mean, rest, square, scale, cube, fourth)

    def __add__(self, other: object) -> "Deviations":
        if not isinstance(other, Deviations):
            return NotImplemented
        m, n = self.count, other.count
        count = m + n
        apart = (other.first_mean - self.first_mean) + (other.rest - self.rest)
        step = self.rest + apart * (n / count)
        first_mean = self.first_mean + step
        square = self.square + other.square + apart * apart * (m * n / count)
        scale = math.ldexp(1.0, math.frexp(math.sqrt(square))[1]) if math.isfinite(square) else math.inf
        # all in units of the new scale, which is at least as large as the old ones; powers of two round nothing
        near, far, gap = self.scale / scale, other.scale / scale, apart / scale
        a2, b2 = self.square / scale / scale, other.square / scale / scale
        a3, b3 = self.cube * near**3, other.cube * far**3
        cube = a3 + b3 + gap**3 * (m * n * (m - n) / count**2) + 3 * gap * (m * b2 - n * a2) / count
        fourth = self.fourth * near**4 + other.fourth * far**4
        fourth += gap**4 * (m * n * (m * m - m * n + n * n) / count**3)
        fourth += 6 * gap**2 * (m * m * b2 + n * n * a2) / count**2 + 4 * gap * (m * b3 - n * a3) / count
        # the rounding error of the mean
        rest = (self.first_mean - first_mean) + step
        return Deviations(count, first_mean, rest, square, scale, cube, fourth)

    @property
    def mean(self) -> float:
        """The mean, with a single rounding."""
        return self.first_mean + self.rest

    @property
    def length(self) -> float:
        """The root of the sum of squared deviations."""
        return math.sqrt(self.square)

    def is_rounding(self, size: float) -> bool:
        """Whether only rounding keeps values of this size from being all the same."""
        return self.length <= 4 * EPSILON * size * math.sqrt(self.count)

    def underflows(self, low: float, high: float) -> bool:
        """Whether values between these two vary by so little that the squares of their deviations vanish."""
        return self.square < SMALLEST and high - low > 8 * EPSILON * max(abs(low), abs(high))

    @property
    def skewness(self) -> float:
        """The mean third power of the standardised values; 0 if they are normal."""
        return self.cube / self.count / (self.length / self.scale / math.sqrt(self.count)) ** 3

    @property
    def kurtosis(self) -> float:
        """The mean fourth power of the standardised values, less 3; 0 if they are normal."""
        return self.fourth / self.count / (self.length / self.scale / math.sqrt(self.count)) ** 4 - 3
