"""Fisher's z test of partial correlations: for continuous columns that are close to jointly normal.

Two variables with partial correlation r given k others in n rows are called independent if
|atanh(r)| sqrt(n - k - 3) does not exceed the normal quantile for alpha. It needs nothing but `Moments`.

`rank` is the same test on normal scores: each column's values are replaced by the normal quantiles of their ranks, so
only the order of values counts. For monotone relations between columns that are far from normal.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Moments, Table
from ancestral.data.stats.summary import Summary
from ancestral.independence._gaussian_cy import PartialCorrelations
from ancestral.independence.evidence import (
    Evidence,
    Evidences,
    Scale,
    checked_alpha,
    normal_quantile,
    single_evidence,
    weigh_normal,
)

__all__ = ["FisherZ", "normal_scores"]

#: Sets with more nodes than this are never asked about; no search gets there.
WIDEST = 200


class FisherZ:
    """Asks the correlations of moments; `table` is where they came from: a table, or the summary of one."""

    scale = Scale.NORMAL

    def __init__(
        self, moments: Moments, alpha: float = 0.01, name: str = "fisher-z", table: Table | Summary | None = None
    ) -> None:
        self.moments = moments
        self.table = table
        self.alpha = checked_alpha(alpha)
        self.name = name
        # while some questions are being asked, others about the same variables share their matrix
        self._arrangements: WeakValueDictionary[tuple[str, ...], NDArray[np.float64]] = WeakValueDictionary()

    @property
    def names(self) -> tuple[str, ...]:
        """The variables one can ask about."""
        return self.moments.names if self.table is None else self.table.names

    @property
    def kinds(self) -> dict[str, str]:
        """Which variables are continuous: all."""
        return dict.fromkeys(self.names, "continuous")

    @property
    def rows(self) -> int:
        """How many rows the moments were made of."""
        return self.moments.rows

    def without_rows(self) -> "FisherZ":
        """The same for those who only ask: its moments, and no table."""
        return FisherZ(self.moments, self.alpha, self.name)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_arrangements": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _arrangements=WeakValueDictionary())

    def questions(self, names: Sequence[str]) -> PartialCorrelations:
        """The questions about these variables, numbered in this order."""
        thresholds = _thresholds(self.alpha, self.rows, min(len(names), WIDEST))
        return PartialCorrelations(self._arranged(names), thresholds)

    def _arranged(self, names: Sequence[str]) -> NDArray[np.float64]:
        """The correlations with the columns in this order; not copied where that is the order of the moments."""
        if tuple(names) == self.moments.names:
            return self.moments.correlation
        arranged = self._arrangements.get(tuple(names))
        if arranged is not None:
            return arranged
        if len(names) != len(self.names) or set(names) != set(self.names):
            self.moments.arranged(names)  # says what is wrong
        position = {name: i for i, name in enumerate(self.moments.names)}
        where = [position[name] for name in names]
        arranged = self.moments.correlation[np.ix_(where, where)]
        self._arrangements[tuple(names)] = arranged
        return arranged

    def in_data_units(self, names: Sequence[str]) -> Moments:
        """The moments of these variables in the units of the table, if there is one; no row is looked at again."""
        chosen = self.moments.select(names)
        if self.table is None:
            return chosen
        length = np.array(self.table.lengths(names))
        return Moments(tuple(names), self.rows, None, chosen.correlation * np.outer(length, length))

    def p_values(self, raw: NDArray[np.float64], sizes: NDArray[np.integer]) -> Evidences:
        """What squared partial correlations given so many variables say: Fisher's z and its p-value."""
        r = np.minimum(np.sqrt(raw[:, 0]), 1 - 1e-16)
        return weigh_normal(np.arctanh(r) * np.sqrt(np.maximum(self.rows - sizes - 3, 0)))

    def evidence(
        self, questions: PartialCorrelations, names: Sequence[str], x: int, y: int, given: Sequence[int]
    ) -> Evidence:
        """What the answer rests on."""
        return single_evidence(questions, self.p_values, x, y, given, self.rows)

    @property
    def fingerprint(self) -> str:
        """Of the content that is asked."""
        return self.moments.fingerprint if self.table is None else self.table.fingerprint


@lru_cache(maxsize=16)
def _thresholds(alpha: float, rows: int, most: int) -> tuple[float, ...]:
    """For sets of 0, 1, … most variables, the largest squared partial correlation that is called none; -1: no rows."""
    quantile = normal_quantile(alpha)
    left = [rows - k - 3 for k in range(most + 1)]
    return tuple(math.tanh(quantile / math.sqrt(n)) ** 2 if n >= 1 else -1.0 for n in left)


def normal_scores(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each column's values replaced by the normal quantiles of their ranks; ties share their mean rank, NaN stay."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    ranks = rankdata(values, axis=0, nan_policy="omit")
    present = np.sum(~np.isnan(values), axis=0)
    return np.asarray(ndtri((ranks - 0.5) / np.maximum(present, 1)))
