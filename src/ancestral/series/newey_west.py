"""Newey–West variances: of an estimate from rows in the order of time, whose errors depend on those of nearby steps.

An estimate that is, but for smaller terms, the truth plus a sum of influence values, one for each row, has the variance
of that sum. Products of values that are l steps apart count with Bartlett's weight 1 - l / (bandwidth + 1), so that the
variance is never negative (Newey & West 1987). Steps are counted by their time: values on both sides of a gap are as
far apart as they are, and values of different units never meet. A missing step adds nothing, as if its value were 0.

The bandwidth is twice the root of the steps of a unit, so large that intervals must allow for the error of the variance
itself, as Lazarus et al. (2018) advise. With b, the share of the steps that it covers, the variance has about 1.5 / b
degrees of freedom for each unit, and is too small by a factor 1 - b + b² / 3, since residuals add up to 0 (Kiefer &
Vogelsang 2005, "fixed b").

References: Newey & West (1987), Econometrica 55; Kiefer & Vogelsang (2005), Econometric Theory 21; Lazarus, Lewis,
Stock & Watson (2018), HAR inference: recommendations for practice, JBES 36.
"""

import math

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import Floats

__all__ = ["fixed_b_quantile", "newey_west", "usual_bandwidth"]

#: Times the root of the number of steps. Lazarus et al. have 1.3; with 2, intervals are about 3 % wider, and of 500
#: steps with an autocorrelation of .9 they hold the truth in 91 in place of 90 of 100 cases.
RULE = 2.0


def newey_west(influence: Floats, unit: NDArray[np.int64], step: NDArray[np.int64], bandwidth: int) -> Floats:
    """The variances of sums of influence values, a column for each estimate.

    `unit` and `step` tell the unit of each row and its place in time; rows of a unit are in the order of time.

    >>> values, one_unit = np.array([[1.0], [2.0], [-1.0]]), np.zeros(3, dtype=np.int64)
    >>> newey_west(values, one_unit, np.arange(3), bandwidth=1)  # 1 + 4 + 1 + 2 * 1/2 * (1 * 2 - 2 * 1)
    array([6.])
    >>> newey_west(values, one_unit, np.array([0, 1, 3]), bandwidth=1)  # the last one has no neighbour
    array([8.])
    """
    apart = int(step.max(initial=0)) + bandwidth + 1
    place = unit * apart + step  # places of different units are more than the bandwidth apart
    total: Floats = np.asarray((influence**2).sum(axis=0))
    for lag in range(1, bandwidth + 1):
        later = np.minimum(np.searchsorted(place, place + lag), len(place) - 1)
        there = place[later] == place + lag
        products = (influence[there] * influence[later[there]]).sum(axis=0)
        total = total + 2 * (1 - lag / (bandwidth + 1)) * products
    return total


def usual_bandwidth(rows: int, units: int, lags: int) -> int:
    """The bandwidth for so many rows in so many units: by the rule, at least `lags`, and within a unit.

    >>> usual_bandwidth(500, 1, 3), usual_bandwidth(500, 10, 3)
    (44, 14)
    """
    steps = rows / units
    return max(0, min(max(lags, int(RULE * math.sqrt(steps))), int(steps) - 1))


def fixed_b_quantile(confidence: float, rows: int, units: int, bandwidth: int, left: int) -> float:
    """How many standard errors an interval reaches to each side; `left` are the degrees of freedom of the residuals.

    >>> round(fixed_b_quantile(0.95, 500, 1, 29, 498), 2)  # of a table of Kiefer & Vogelsang: 2.14
    2.12
    """
    from scipy.stats import t as student

    share = min((bandwidth + 1) * units / rows, 1.0)  # of the steps of a unit
    freedom = min(1.5 * units / share, left)
    return float(student.ppf((1 + confidence) / 2, freedom)) / math.sqrt(1 - share + share**2 / 3)
