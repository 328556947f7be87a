"""Moments of columns so many that the matrix of their co-moments would be far larger than the columns themselves.

The columns are kept, centred and of length 1, and a correlation is the product of two of them. Co-moments of some
columns are made when these are selected; the matrix of all only if something asks for it.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from ancestral.arguments import names_list
from ancestral.data.column_kinds import Floats
from ancestral.data.column_names import positions_of
from ancestral.data.stats.comoments import centred, check_lengths, times_transpose
from ancestral.data.stats.moments import Moments, moments_of_rows
from ancestral.data.table import Table

__all__ = ["ColumnMoments", "moments_to_search"]

#: From MANY columns on, if there are at least MORE for each row, no matrix of all pairs is made.
MANY, MORE = 8_000, 4


def moments_to_search(table: Table) -> Moments:
    """The moments of a table without missing values, whose columns are in the order of their names."""
    if table.design is not None or len(table.names) < max(MANY, MORE * table.rows):
        return moments_of_rows(table)
    return ColumnMoments.of_table(table)


class ColumnMoments(Moments):
    """The moments of columns that are kept: `columns` has a row for each, centred and of length 1, 0 if it is constant.

    >>> kept = ColumnMoments.of_table(Table.of(np.array([[1.0, 1.0], [2.0, 3.0], [6.0, 2.0]]), names=["a", "b"]))
    >>> np.round(kept.correlation, 6).tolist(), np.round(kept.comoments[0], 6).tolist(), kept.select(["b"]).names
    ([[1.0, 0.188982], [0.188982, 1.0]], [14.0, 1.0], ('b',))
    """

    columns: Floats

    def __init__(
        self, names: tuple[str, ...], rows: int, mean: Floats | None, columns: Floats, lengths: Floats
    ) -> None:
        columns.flags.writeable = False
        self.__dict__.update(names=names, rows=rows, mean=mean, groups=None, columns=columns, _lengths=lengths)

    @classmethod
    def of_table(cls, table: Table) -> "ColumnMoments":
        """The moments of a table without missing values, every column taken as numbers."""
        given = [column.as_kind("continuous") for column in table.columns]
        about = [column.deviations for column in given]
        out = np.empty((len(given), table.rows))
        values = [np.asarray(column.values, np.float64) for column in given]
        for part in centred(values, about, slice(0, table.rows), out):
            size = np.sqrt(np.einsum("ij,ij->i", out[part], out[part]))
            out[part] /= np.where(size > 0, size, 1.0)[:, None]
        varies = out.any(axis=1)
        lengths = np.array([one.length for one in about]) * varies
        return cls(table.names, table.rows, np.array([one.mean for one in about]), out, lengths)

    @property
    def lengths(self) -> Floats:
        """The root of the sum of squared deviations of each column."""
        return np.asarray(self.__dict__["_lengths"])

    @cached_property
    def correlation(self) -> Floats:
        """The correlation matrix."""
        check_lengths(self.names, self.lengths)
        out = times_transpose(self.columns)
        np.clip(out, -1.0, 1.0, out=out)
        np.fill_diagonal(out, 1.0)
        out.flags.writeable = False
        return out

    @cached_property
    def comoments(self) -> Floats:
        """The sums of products of deviations from the means."""
        out = times_transpose(self.columns)
        out *= self.lengths[:, None]
        out *= self.lengths
        out.flags.writeable = False
        return out

    def select(self, names: Sequence[str]) -> "ColumnMoments":
        """The moments of these columns, in this order."""
        chosen = names_list("names", names)
        if chosen == self.names:
            return self
        where = positions_of(chosen, self.names)
        mean = None if self.mean is None else self.mean[where]
        return ColumnMoments(chosen, self.rows, mean, self.columns[where], self.lengths[where])

    def standardised(self) -> "ColumnMoments":
        """The moments of the same columns brought to mean 0 and variance 1, which keep the same array."""
        check_lengths(self.names, self.lengths)
        return ColumnMoments(
            self.names, self.rows, None, self.columns, np.full(len(self.names), math.sqrt(self.rows - 1))
        )

    def extreme_pairs(self, least: float) -> Iterator[tuple[int, int, float]]:
        """The pairs x < y whose correlation is at least `least` in absolute value, in their order, with its sign.

        Columns of length 1 with a correlation of r or -r are sqrt(2 - 2r) from each other, or from being opposite, and
        so are at most their projections on any direction. So few pairs are left to look at.
        """
        directions = np.random.default_rng(0).normal(size=(self.rows, 3))
        seen = np.abs(self.columns @ (directions / np.linalg.norm(directions, axis=0)))
        apart = math.sqrt(2 * (1 - least)) + 1e-12
        order = np.argsort(seen[:, 0])
        ranked = seen[order, 0]
        first = np.searchsorted(ranked, seen[:, 0] - apart, side="left").tolist()
        stop = np.searchsorted(ranked, seen[:, 0] + apart, side="right").tolist()
        for x in range(len(self.names)):
            near = order[first[x] : stop[x]]
            near = near[near > x]
            near = near[(np.abs(seen[near] - seen[x]) <= apart).all(axis=1)]
            if near.size:
                products = self.columns[near] @ self.columns[x]
                for y, product in sorted(zip(near.tolist(), products.tolist(), strict=True)):
                    if abs(product) >= least:
                        yield x, y, math.copysign(1.0, product)
