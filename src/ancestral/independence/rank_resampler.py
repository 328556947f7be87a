"""Resamples of normal scores: the drawn rows are ranked anew, without sorting them again."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.data import Moments
from ancestral.data.column_kinds import Floats
from ancestral.data.stats.weighted import WeightedRows, Weights, weighted_products
from ancestral.independence.base import Test
from ancestral.independence.resamplers import varying_moments

__all__ = ["RankResampler"]


@dataclass(frozen=True)
class RankResampler:
    """Makes the test of the normal scores that the drawn rows have among each other.

    A row's rank in a resample is a sum of weights along the order of its column, and that order is found once. `order`
    has the rows of each column by their values; `first` and `last` say, in this order, where the ties of a value begin
    and end. `make` makes the test of moments.
    """

    names: tuple[str, ...]
    order: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    make: Callable[[Moments], Test]

    @classmethod
    def of(cls, columns: WeightedRows, make: Callable[[Moments], Test]) -> "RankResampler":
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
        return cls(columns.names, order, first, np.ascontiguousarray(last), make)

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
        return None if moments is None else self.make(moments)
