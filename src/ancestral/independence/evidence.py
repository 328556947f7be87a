"""What a test decided on, for those who want to see it: computed when it is shown, not when it is asked."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import DefaultFloat, real, shown
from ancestral.errors import OptionError

__all__ = [
    "DEFAULT_ALPHA",
    "Evidence",
    "Weighed",
    "checked_alpha",
    "chi2_quantiles",
    "normal_quantile",
    "single_evidence",
    "weigh_chi2",
    "weigh_normal",
    "weigh_p_values",
]

#: The significance level of a search for which none was chosen.
DEFAULT_ALPHA = DefaultFloat(0.01)

#: Quantiles for smaller levels come too close to the smallest floats, 5e-324, to be computed.
SMALLEST_ALPHA = 1e-300


@dataclass(frozen=True, slots=True)
class Evidence:
    """The statistic of a test, its degrees of freedom (None where it has none), its p-value, and the rows it used.

    All but the rows are NaN where the data cannot support the question.
    """

    statistic: float
    df: int | None
    p_value: float
    rows: int


@dataclass(frozen=True)
class Weighed:
    """The evidence of many questions: statistics as they are shown, degrees of freedom (0: none), p-values.

    NaN where the data cannot support a question.
    """

    statistic: NDArray[np.float64]
    df: NDArray[np.float64]
    p_value: NDArray[np.float64]


def weigh_chi2(raw: NDArray[np.float64]) -> Weighed:
    """The evidence of rows `statistic, df`, chi-squared."""
    from scipy.special import chdtrc

    statistic, df = raw.T
    with np.errstate(invalid="ignore"):
        return Weighed(statistic, np.where(np.isnan(statistic), 0.0, df), chdtrc(df, statistic))


def weigh_normal(z: NDArray[np.float64]) -> Weighed:
    """The evidence of normal statistics, without a sign."""
    from scipy.special import erfc

    return Weighed(z, np.zeros_like(z), erfc(z / math.sqrt(2)))


def weigh_p_values(raw: NDArray[np.float64], known: bool = True) -> Weighed:
    """The evidence of rows `p-value, 0`, without a statistic; where not even p-values are known, NaN."""
    nothing = np.full(len(raw), np.nan)
    return Weighed(nothing, np.zeros(len(raw)), raw[:, 0] if known else nothing)


def single_evidence(questions: Any, weigh: Any, x: int, y: int, given: Sequence[int], rows: int) -> Evidence:
    """The evidence of one question, asked again; `weigh` is that of its test."""
    questions.ask(x, y, given)
    weighed = weigh(np.array([[questions.statistic, questions.df]], dtype=np.float64), np.array([len(given)]))
    df = int(weighed.df[0])
    used = int(getattr(questions, "used", rows))
    return Evidence(float(weighed.statistic[0]), df or None, float(weighed.p_value[0]), used)


def checked_alpha(alpha: object) -> float:
    """The significance level, if it is one."""
    number = real(alpha)
    if number is None or not 0 < number < 1:
        raise OptionError(
            f"alpha={shown(alpha)} is no significance level; pass a number between 0 and 1, for example 0.01"
        )
    if number < SMALLEST_ALPHA:
        raise OptionError(
            f"alpha={shown(alpha)} is too small to compare p-values with; pass a number from {SMALLEST_ALPHA:g} to 1, "
            "for example 0.01"
        )
    return number


def normal_quantile(alpha: float) -> float:
    """The value that a standard normal variable exceeds in absolute value with probability alpha."""
    return -NormalDist().inv_cdf(alpha / 2)


def chi2_quantiles(alpha: float, most: int) -> NDArray[np.float64]:
    """For df = 0 … most, the value that a chi-squared variable exceeds with probability alpha."""
    from scipy.special import chdtri

    out = np.zeros(most + 1)
    out[1:] = chdtri(np.arange(1, most + 1), alpha)
    return out
