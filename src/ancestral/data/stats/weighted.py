"""Weighted moments: those of a table in which each row counts several times, computed without repeating any row.

A resample of rows is a whole number for each row: how often it was drawn. Its moments are weighted sums over the rows,
so a thousand resamples need one table. Each row is multiplied by the root of its weight, so that the sum of products is
a matrix times its own transpose, which BLAS computes in half the time, and which is symmetric to the last bit.

Columns are centred at the mean of all rows, as in `Moments`, and the difference to the mean of the resample is
subtracted afterwards. Where a resample is far narrower than the table (an outlier was not drawn), that would lose
digits: then its rows are copied. Indicators, which are 0 or 1, have no digits to lose.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import Floats
from ancestral.data.errors import DataError
from ancestral.data.stats.comoments import PRODUCT_ROWS, times_transpose
from ancestral.data.stats.deviations import Deviations
from ancestral.data.stats.moments import Moments, moments_of_rows
from ancestral.data.table import Table

__all__ = ["WeightedRows", "Weights", "gathered", "weighted_products"]

Weights = NDArray[np.int64]

#: A resample with a variance below this share of the table's is computed from its own rows, to lose no digits.
NARROW = 1e-3

#: Products of a call up to which BLAS uses one thread; waking its threads costs more than a small table does.
SINGLE_THREADED = 1 << 18
#: Rows of a call below which calls are not worth their cost: then BLAS may use its threads.
FEWEST_ROWS = 16


def gathered(table: Table, weights: Weights) -> Table:
    """The table with each row repeated as often as its weight says, without levels that do not occur."""
    if table.design is not None:
        rows, design = table.design.drawn(weights)
        return replace(replace(table, design=None).keep(rows), design=design)
    rows = np.repeat(np.arange(len(weights), dtype=np.int64), weights)
    return Table(tuple(column.keep(rows) for column in table.columns), table.dropped_rows)


def weighted_products(
    values: Floats, weights: Weights, centre: Floats, rest: Floats, shrink: Floats
) -> tuple[Floats, Floats]:
    """Weighted sums of (values − centre − rest) * shrink, and of their products; each row of `values` is a variable."""
    rows = values.shape[1]
    roots = np.sqrt(weights)
    counts = weights.astype(np.float64)
    few = SINGLE_THREADED // len(values) ** 2
    portions = -(-rows // (few if few >= FEWEST_ROWS else PRODUCT_ROWS))
    sums: Floats = np.zeros(len(values))
    products: Floats = np.zeros((len(values), len(values)))
    for first, stop in pairwise([rows * i // portions for i in range(portions + 1)]):
        some = values[:, first:stop] - centre[:, None]
        some -= rest[:, None]
        some *= shrink[:, None]
        sums += some @ counts[first:stop]
        some *= roots[first:stop]
        products += times_transpose(some)
    return sums, products


@dataclass(frozen=True, eq=False)
class WeightedRows:
    """Columns of numbers as rows of `values`, ready to be weighted; `indicators` tells which are indicators.

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
        """First means, what rounding left of them, scales, and the sums of squares after scaling."""
        about = self._about
        first, rest, scale, square = (
            np.array([getattr(one, what) for one in about]) for what in ("first_mean", "rest", "scale", "square")
        )
        return first, rest, scale, square / scale**2

    def moments(self, weights: Weights) -> Moments:
        """The moments of the rows, each counted as often as its weight says; raises DataError if all weights are 0."""
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
