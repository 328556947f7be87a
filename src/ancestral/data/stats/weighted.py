"""Weighted moments: those of a table in which each row occurs so many times, without repeating any row.

A resample of rows is a whole number for each row: how often it was drawn. Its moments are sums over the rows times
these weights, so a thousand resamples need one table. Each row is multiplied by the root of its weight, so that the sum
of products is a matrix times itself, which BLAS does in half the time, and which is symmetric to the last bit.

Columns are centred at the mean of all rows, as in `Moments`, and what the mean of a resample is off is taken out
afterwards. Where a resample is far narrower than the table (an outlier was not drawn), that would lose digits: then its
rows are gathered. Indicators, which are 0 or 1, have no digits to lose.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ancestral.data.errors import DataError
from ancestral.data.kinds import Floats
from ancestral.data.stats.deviations import Deviations
from ancestral.data.stats.moments import PORTION, Moments, moments_of_rows
from ancestral.data.table import Table

__all__ = ["WeightedRows", "Weights", "gathered", "weighted_products"]

Weights = NDArray[np.int64]

#: A resample whose variance is less than this part of that of the table is computed from its own rows.
NARROW = 1e-3

#: Up to so many products at a time BLAS works by itself; beyond, it wakes threads, which costs more than a small table.
BY_ITSELF = 1 << 18
#: A portion of fewer rows than this is not worth a call: let BLAS have its threads.
FEWEST = 16


def gathered(table: Table, weights: Weights) -> Table:
    """The table with each row as often as its weight says; levels that occur no more are gone."""
    rows = np.repeat(np.arange(len(weights), dtype=np.int64), weights)
    return Table(tuple(column.keep(rows) for column in table.columns), table.dropped_rows)


def weighted_products(
    values: Floats, weights: Weights, centre: Floats, rest: Floats, shrink: Floats
) -> tuple[Floats, Floats]:
    """The weighted sums of (values − centre − rest) * shrink, and of their products; a row of `values` a variable."""
    rows = values.shape[1]
    roots = np.sqrt(weights)
    counts = weights.astype(np.float64)
    few = BY_ITSELF // len(values) ** 2
    portions = -(-rows // (few if few >= FEWEST else PORTION))
    sums: Floats = np.zeros(len(values))
    products: Floats = np.zeros((len(values), len(values)))
    for first, stop in pairwise([rows * i // portions for i in range(portions + 1)]):
        some = values[:, first:stop] - centre[:, None]
        some -= rest[:, None]
        some *= shrink[:, None]
        sums += some @ counts[first:stop]
        some *= roots[first:stop]
        products += some @ some.T
    return sums, products


@dataclass(frozen=True, eq=False)
class WeightedRows:
    """Columns of numbers, a row of `values` each, ready to be weighted; some may be `indicators`.

    >>> rows = WeightedRows(("a", "b"), np.array([[1.0, 2.0, 4.0], [1.0, 0.0, 1.0]]))
    >>> found = rows.moments(np.array([2, 0, 1]))  # the first row twice, the second never
    >>> print(found.rows, found.mean, found.comoments[0])
    3 [2. 1.] [6. 0.]
    """

    names: tuple[str, ...]
    values: Floats
    indicators: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, table: Table, names: Sequence[str]) -> "WeightedRows":
        """These columns of a table, in this order."""
        return cls(tuple(names), np.array([table.column(name).values for name in names], dtype=np.float64))

    @cached_property
    def _about(self) -> list[Deviations]:
        return [Deviations.of(column) for column in self.values]

    @cached_property
    def _centring(self) -> tuple[Floats, Floats, Floats, Floats]:
        """First means, what they leave, scales, and the sums of squares after scaling."""
        found = self._about
        first, rest, scale, square = (
            np.array([getattr(one, what) for one in found]) for what in ("first_mean", "rest", "scale", "square")
        )
        return first, rest, scale, square / scale**2

    def moments(self, weights: Weights) -> Moments:
        """The moments of the rows, each as often as its weight says."""
        rows = int(weights.sum())
        if rows < 1:
            raise DataError("all weights are 0, so there are no rows; draw at least one")
        first, rest, scale, squares = self._centring
        sums, products = weighted_products(self.values, weights, first, rest, 1 / scale)
        products -= np.outer(sums, sums) / rows
        narrow = products.diagonal() < NARROW * squares * (rows / self.values.shape[1])
        if (narrow if self.indicators is None else narrow & ~self.indicators).any():
            return self._gathered(weights)
        products *= scale[:, None]
        products *= scale
        return Moments(self.names, rows, first + (rest + sums / rows * scale), products)

    def _gathered(self, weights: Weights) -> Moments:
        drawn = np.repeat(self.values, weights, axis=1)
        return moments_of_rows(Table.of(drawn.T, names=self.names, kinds="continuous"))
