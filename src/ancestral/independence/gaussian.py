"""Fisher's z test of partial correlations: for continuous columns that are close to jointly normal.

Two variables with partial correlation r given k others in n rows are called independent if
|atanh(r)| sqrt(n - k - 3) does not exceed the normal quantile for alpha. It needs nothing but `Moments`.

`rank` is the same test on normal scores: each column's values are replaced by the normal quantiles of their ranks, so
only the order of values counts. For monotone relations between columns that are far from normal.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Moments
from ancestral.independence._gaussian_cy import PartialCorrelations
from ancestral.independence.evidence import Evidence, checked_alpha, normal_quantile, normal_tail

__all__ = ["FisherZ", "normal_scores"]

#: Sets with more nodes than this are never asked about; no search gets there.
WIDEST = 200


class FisherZ:
    """Asks the correlations of moments."""

    def __init__(self, moments: Moments, alpha: float = 0.01, name: str = "fisher-z") -> None:
        self.moments = moments
        self.alpha = checked_alpha(alpha)
        self.name = name

    @property
    def names(self) -> tuple[str, ...]:
        """The variables one can ask about."""
        return self.moments.names

    @property
    def rows(self) -> int:
        """How many rows the moments were made of."""
        return self.moments.rows

    def questions(self, names: Sequence[str]) -> PartialCorrelations:
        """The questions about these variables, numbered in this order."""
        quantile = normal_quantile(self.alpha)
        most = min(len(names), WIDEST)
        left = [self.rows - k - 3 for k in range(most + 1)]
        thresholds = [math.tanh(quantile / math.sqrt(n)) ** 2 if n >= 1 else -1.0 for n in left]
        return PartialCorrelations(self.moments.arranged(names).correlation, thresholds)

    def evidence(
        self, questions: PartialCorrelations, names: Sequence[str], x: int, y: int, given: Sequence[int]
    ) -> Evidence:
        """What the answer rests on."""
        r = questions.partial_correlation(x, y, given)
        left = self.rows - len(given) - 3
        if math.isnan(r) or left < 1:
            return Evidence(math.nan, None, math.nan, self.rows)
        z = math.atanh(min(r, 1 - 1e-16)) * math.sqrt(left)
        return Evidence(z, None, normal_tail(z), self.rows)


def normal_scores(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each column's values replaced by the normal quantiles of their ranks; ties share their mean rank, NaN stay."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    ranks = rankdata(values, axis=0, nan_policy="omit")
    present = np.sum(~np.isnan(values), axis=0)
    return np.asarray(ndtri((ranks - 0.5) / np.maximum(present, 1)))
