"""What a test decided on, for those who want to see it: computed when it is shown, not when it is asked."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.errors import OptionError

__all__ = [
    "Evidence",
    "checked_alpha",
    "chi2_evidence",
    "chi2_quantiles",
    "chi2_tail",
    "normal_quantile",
    "normal_tail",
]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The statistic of a test, its degrees of freedom (None where it has none), its p-value, and the rows it used.

    All but the rows are NaN where the data cannot support the question.
    """

    statistic: float
    df: int | None
    p_value: float
    rows: int


def chi2_evidence(questions: Any, x: int, y: int, given: Sequence[int]) -> Evidence:
    """The evidence of questions that measure a chi-squared `statistic`, its `df` and the rows `used`."""
    if not questions.measured(x, y, given):
        return Evidence(math.nan, None, math.nan, int(questions.used))
    statistic, df = float(questions.statistic), int(questions.df)
    return Evidence(statistic, df, chi2_tail(statistic, df), int(questions.used))


def checked_alpha(alpha: float) -> float:
    """The significance level, if it is one."""
    if not isinstance(alpha, (int, float)) or not 0 < alpha < 1:
        raise OptionError(f"alpha={alpha!r} is no significance level; pass a number between 0 and 1, for example 0.01")
    return float(alpha)


def normal_quantile(alpha: float) -> float:
    """The value that a standard normal variable exceeds in absolute value with probability alpha."""
    return -NormalDist().inv_cdf(alpha / 2)


def normal_tail(z: float) -> float:
    """The probability that a standard normal variable exceeds z in absolute value."""
    return math.erfc(abs(z) / math.sqrt(2))


def chi2_quantiles(alpha: float, most: int) -> NDArray[np.float64]:
    """For df = 0 … most, the value that a chi-squared variable exceeds with probability alpha."""
    from scipy.special import chdtri

    out = np.zeros(most + 1)
    out[1:] = chdtri(np.arange(1, most + 1), alpha)
    return out


def chi2_tail(statistic: float, df: int) -> float:
    """The probability that a chi-squared variable exceeds the statistic."""
    from scipy.special import chdtrc

    return float(chdtrc(df, statistic))
