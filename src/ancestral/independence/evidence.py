"""Evidence: the statistic, degrees of freedom and p-value behind an answer, computed when they are shown.

While a search runs, a question leaves two raw numbers, `statistic` and `df`. What they are depends on the test: a
squared correlation, a chi-squared statistic, a p-value. A test turns them into evidence by `Test.p_values`.
"""

import math
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import significance_level

__all__ = [
    "Evidence",
    "Evidences",
    "Scale",
    "checked_alpha",
    "chi2_p_values",
    "chi2_quantiles",
    "normal_p_values",
    "normal_quantile",
    "p_values_on_scale",
]

Floats = NDArray[np.float64]


class Scale(StrEnum):
    """What the one number is that is kept of a question, and from which its evidence follows (`p_values_on_scale`).

    `NORMAL`: the absolute value of a standard normal statistic. `CHI2`: a chi-squared statistic, kept together with
    its degrees of freedom. `P_VALUE`: a p-value. `DECISION`: 1 for independent and 0 for dependent, of a test that
    reports no p-values; nothing is shown of it. `LATENT`: as `NORMAL`, of a question that has an effective number of
    rows of its own, so that no correlation follows from the statistic.
    """

    NORMAL = "normal"
    CHI2 = "chi2"
    P_VALUE = "p-value"
    DECISION = "decision"
    LATENT = "latent"

    @property
    def most(self) -> float:
        """The largest number on the scale; the smallest is 0."""
        return 1.0 if self in (Scale.P_VALUE, Scale.DECISION) else math.inf


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of one question: the statistic, its degrees of freedom or None, the p-value, and the rows used.

    Statistic and p-value are NaN where the data cannot support the question.
    """

    statistic: float
    df: int | None
    p_value: float
    rows: int


@dataclass(frozen=True)
class Evidences:
    """The evidence of many questions, an entry each: statistics as shown, degrees of freedom (0: none), p-values.

    Statistics and p-values are NaN where the data cannot support a question.
    """

    statistic: Floats
    df: Floats
    p_value: Floats

    def numbers(self, scale: Scale) -> Floats:
        """The numbers on this scale, from which `p_values_on_scale` makes the same evidence again."""
        return self.statistic if scale in (Scale.NORMAL, Scale.CHI2, Scale.LATENT) else self.p_value


def p_values_on_scale(scale: Scale, numbers: Floats, df: NDArray[np.floating | np.integer]) -> Evidences:
    """The evidence of questions of which these numbers are known; `df` are degrees of freedom, 0 where there are none.

    >>> p_values_on_scale(Scale.NORMAL, np.array([0.0]), np.array([0])).p_value
    array([1.])
    """
    if scale in (Scale.NORMAL, Scale.LATENT):
        return normal_p_values(numbers)
    if scale is Scale.CHI2:
        return chi2_p_values(numbers, df)
    unknown = np.full(len(numbers), np.nan)
    return Evidences(unknown, np.zeros(len(numbers)), numbers if scale is Scale.P_VALUE else unknown)


def chi2_p_values(statistic: Floats, df: NDArray[np.floating | np.integer]) -> Evidences:
    """The evidence of chi-squared statistics with these degrees of freedom."""
    from scipy.special import chdtrc

    df = np.asarray(df, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        return Evidences(statistic, np.where(np.isnan(statistic), 0.0, df), chdtrc(df, statistic))


def normal_p_values(z: Floats) -> Evidences:
    """The evidence of absolute values of standard normal statistics."""
    from scipy.special import erfc

    return Evidences(z, np.zeros(z.shape), erfc(z / math.sqrt(2)))


def checked_alpha(alpha: object) -> float:
    """The significance level of a test, if it is one."""
    return significance_level("alpha", alpha)


def normal_quantile(alpha: float) -> float:
    """The value that a standard normal variable exceeds in absolute value with probability alpha."""
    return -NormalDist().inv_cdf(alpha / 2)


def chi2_quantiles(alpha: float, most: int) -> Floats:
    """For df = 0 … most, the value that a chi-squared variable exceeds with probability alpha; 0 for df = 0."""
    from scipy.special import chdtri

    out = np.zeros(most + 1)
    out[1:] = chdtri(np.arange(1, most + 1), alpha)
    return out
