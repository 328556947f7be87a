"""Deviations: how the values of one column lie about their mean.

A column of ten thousand values fits into the cache of a processor, a table of a thousand such columns does not. So all
that is asked of single columns later (mean, length, skewness, kurtosis) is computed at once, while one is at hand.
"""

import math
from dataclasses import dataclass

import numpy as np

from ancestral.data.kinds import Floats

__all__ = ["Deviations"]

EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Deviations:
    """The mean of some values, and sums of powers of their deviations from it.

    >>> found = Deviations.of(np.array([1.0, 2.0, 6.0]))
    >>> found.mean, found.square
    (3.0, 14.0)
    """

    count: int
    first_mean: float
    rest: float  #: the mean of what is left after the first mean is taken away: what rounding left
    square: float  #: the sum of squared deviations; not finite where these overflow
    scale: float  #: the power of two next above the root of `square`; dividing by it rounds nothing
    cube: float  #: the sum of third powers of deviations / scale
    fourth: float  #: the same of fourth powers

    @classmethod
    def of(cls, values: Floats) -> "Deviations":
        """The deviations of values none of which is missing; there is at least one."""
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

    @property
    def mean(self) -> float:
        """The mean, but for the last rounding."""
        return self.first_mean + self.rest

    @property
    def length(self) -> float:
        """The root of the sum of squared deviations."""
        return math.sqrt(self.square)

    def is_rounding(self, size: float) -> bool:
        """Whether only rounding keeps values of this size from being all the same."""
        return self.length <= 4 * EPSILON * size * math.sqrt(self.count)

    @property
    def skewness(self) -> float:
        """The mean third power of the standardised values; 0 if they are normal."""
        return self.cube / self.count / (self.length / self.scale / math.sqrt(self.count)) ** 3

    @property
    def kurtosis(self) -> float:
        """The mean fourth power of the standardised values, less 3; 0 if they are normal."""
        return self.fourth / self.count / (self.length / self.scale / math.sqrt(self.count)) ** 4 - 3
