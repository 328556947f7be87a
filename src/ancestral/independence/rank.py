"""The test "rank": Fisher's z on normal scores, for monotone relations between columns that are far from normal.

Each column's values are replaced by the normal quantiles of their ranks, so only the order of values counts.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Moments, Table
from ancestral.data.kinds import Floats
from ancestral.data.stats.weighted import WeightedRows, Weights, weighted_products
from ancestral.graphs.names import in_order
from ancestral.independence.base import Makers, MomentsSource, Resampler, Test, no_effect
from ancestral.independence.fisher_z import FisherZ
from ancestral.independence.likelihood_ratio import LikelihoodRatio
from ancestral.independence.resamplers import table_to_draw, varying_moments
from ancestral.independence.scores import ONLY_ORDER, normal_scores

__all__ = ["RANK", "RankTest"]


class RankTest(FisherZ):
    """Asks the correlations of normal scores; `moments` are those of the scores."""

    name = "rank"

    def resampler(self) -> Resampler:
        """Ranks the drawn rows of the table anew. Raises `OptionError` where the rows are gone."""
        table = table_to_draw(self._data)
        return RankResampler.of(WeightedRows.of(table, in_order(table.names)), self.alpha)

    def effect_moments(self) -> MomentsSource:
        """Refuse: scores have no units."""
        raise no_effect(*ONLY_ORDER)


@dataclass(frozen=True)
class RankResampler:
    """Makes the test of the normal scores that the drawn rows have among each other.

    A row's rank in a resample is a sum of weights along the order of its column, and that order is found once. `order`
    has the rows of each column by their values; `first` and `last` say, in this order, where the ties of a value begin
    and end.
    """

    names: tuple[str, ...]
    order: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    alpha: float

    @classmethod
    def of(cls, columns: WeightedRows, alpha: float) -> "RankResampler":
        """Sort each column, and find the ties in it."""
        order = np.argsort(columns.values, axis=1, kind="stable")
        by_value = np.take_along_axis(columns.values, order, axis=1)
        places = np.broadcast_to(np.arange(order.shape[1]), order.shape)
        begins = np.ones(order.shape, dtype=bool)
        begins[:, 1:] = by_value[:, 1:] != by_value[:, :-1]
        ends = np.ones(order.shape, dtype=bool)
        ends[:, :-1] = begins[:, 1:]
        first = np.maximum.accumulate(np.where(begins, places, 0), axis=1)
        behind = np.where(ends, places, order.shape[1])[:, ::-1]
        last = np.minimum.accumulate(behind, axis=1)[:, ::-1]
        return cls(columns.names, order, first, np.ascontiguousarray(last), alpha)

    @property
    def rows(self) -> int:
        """The number of rows to draw from."""
        return int(self.order.shape[1])

    def scores(self, weights: Weights) -> Floats:
        """The normal scores of the drawn rows among each other, a row a variable; 0 for rows that were not drawn."""
        from scipy.special import ndtri

        drawn = weights[self.order]
        upto = np.cumsum(drawn, axis=1)
        before = np.take_along_axis(upto - drawn, self.first, axis=1)  # drawn rows with a smaller value
        # the mean rank of `ties` equal values that come after `before` smaller ones is before + (ties + 1) / 2
        middle = (before + np.take_along_axis(upto, self.last, axis=1) + 1) / 2
        share = np.where(drawn > 0, (middle - 0.5) / upto[:, -1:], 0.5)
        out: Floats = np.empty(drawn.shape)
        np.put_along_axis(out, self.order, ndtri(share), axis=1)
        return out

    def test(self, weights: Weights) -> Test | None:
        """The test on a resample, of the columns that vary in it; None if fewer than two do."""
        scores = self.scores(weights)
        rows = int(weights.sum())
        mean = scores @ weights.astype(np.float64) / rows
        nothing = np.zeros(len(mean))
        _, products = weighted_products(scores, weights, mean, nothing, nothing + 1)
        drawn = scores[:, weights > 0]
        products[drawn.min(axis=1) == drawn.max(axis=1)] = 0
        moments = varying_moments(Moments(self.names, rows, mean, products))
        return None if moments is None else RankTest(moments, self.alpha)


def _of_table(table: Table, alpha: float) -> Test:
    if any(column.has_missing for column in table.columns):
        return LikelihoodRatio(table, alpha, rowwise=True, fisher=True, scores=True)
    values, names = table.continuous_matrix()
    scores = Table.of(normal_scores(values), names=names, kinds="continuous")
    return RankTest(Moments.of(scores).standardised(), alpha, table)


RANK = Makers(of_table=_of_table)
