"""What a test decided on, for those who want to see it: computed when it is shown, not when it is asked."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import DefaultFloat, real
from ancestral.errors import OptionError
from ancestral.printing import shown

__all__ = [
    "DEFAULT_ALPHA",
    "Evidence",
    "Evidences",
    "Scale",
    "checked_alpha",
    "chi2_quantiles",
    "normal_quantile",
    "single_evidence",
    "weigh_chi2",
    "weigh_normal",
    "weigh_numbers",
    "weigh_p_values",
]

#: The significance level of a search for which none was chosen.
DEFAULT_ALPHA = DefaultFloat(0.01)

#: Quantiles for smaller levels come too close to the smallest floats, 5e-324, to be computed.
SMALLEST_ALPHA = 1e-300


class Scale(StrEnum):
    """What the single number is, from which all that is shown of a question follows (`weigh_numbers`).

    A normal statistic without its sign; a chi-squared statistic, which needs its degrees of freedom, too; a p-value; or
    a decision, 1 for independent and 0 for dependent, of which nothing is shown.
    """

    NORMAL = "normal"
    CHI2 = "chi2"
    P_VALUE = "p-value"
    DECISION = "decision"

    @property
    def most(self) -> float:
        """The largest such number; the smallest is 0."""
        return 1.0 if self in (Scale.P_VALUE, Scale.DECISION) else math.inf


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
class Evidences:
    """The evidence of many questions: statistics as they are shown, degrees of freedom (0: none), p-values.

    NaN where the data cannot support a question.
    """

    statistic: NDArray[np.float64]
    df: NDArray[np.float64]
    p_value: NDArray[np.float64]

    def numbers(self, scale: Scale) -> NDArray[np.float64]:
        """The number on this scale for each question, from which `weigh_numbers` makes the same evidence again."""
        return self.statistic if scale in (Scale.NORMAL, Scale.CHI2) else self.p_value


def weigh_numbers(scale: Scale, numbers: NDArray[np.float64], df: NDArray[np.floating | np.integer]) -> Evidences:
    """The evidence of these numbers; `df` are degrees of freedom, 0 where a question has none."""
    if scale is Scale.NORMAL:
        return weigh_normal(numbers)
    if scale is Scale.CHI2:
        return weigh_chi2(np.column_stack([numbers, df]))
    return weigh_p_values(numbers[:, None], known=scale is Scale.P_VALUE)


def weigh_chi2(raw: NDArray[np.float64]) -> Evidences:
    """The evidence of rows `statistic, df`, chi-squared."""
    from scipy.special import chdtrc

    statistic, df = raw.T
    with np.errstate(invalid="ignore"):
        return Evidences(statistic, np.where(np.isnan(statistic), 0.0, df), chdtrc(df, statistic))


def weigh_normal(z: NDArray[np.float64]) -> Evidences:
    """The evidence of normal statistics, without a sign."""
    from scipy.special import erfc

    return Evidences(z, np.zeros_like(z), erfc(z / math.sqrt(2)))


def weigh_p_values(raw: NDArray[np.float64], known: bool = True) -> Evidences:
    """The evidence of rows `p-value, 0`, without a statistic; where not even p-values are known, NaN."""
    nothing = np.full(len(raw), np.nan)
    return Evidences(nothing, np.zeros(len(raw)), raw[:, 0] if known else nothing)


def single_evidence(questions: Any, p_values: Any, x: int, y: int, given: Sequence[int], rows: int) -> Evidence:
    """The evidence of one question, asked again; `p_values` is that of its test."""
    questions.ask(x, y, given)
    weighed = p_values(np.array([[questions.statistic, questions.df]], dtype=np.float64), np.array([len(given)]))
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
