"""Grouped rows: weighted columns, with rows ordered by the independent groups of a design.

All that a test under a design needs of numbers are sums of products within each group. So in the place of its rows a
group may have fewer others with the same sums of products: so are sums over a stream asked (`GroupedMoments`).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import Floats
from ancestral.data.design import Design
from ancestral.data.read.deadline import check
from ancestral.data.stats.comoments import Portions, correlation_of

__all__ = ["GroupedRows"]

#: Pairs of columns with a squared correlation above this do not count in the mean design effect.
NEARLY_ONE = 0.98


@dataclass(frozen=True, eq=False)
class GroupedRows:
    """Columns by key, a row of `values` for each.

    A value is the deviation from the weighted mean of its column, over the weighted standard deviation (`scales`),
    times the root of the weight of its row; weights add up to `rows`. Group g is columns starts[g] … starts[g + 1] − 1
    of `values`.
    """

    keys: tuple[Hashable, ...]
    values: Floats
    scales: Floats
    starts: NDArray[np.int64]
    rows: int

    @classmethod
    def of(cls, keys: Sequence[Hashable], columns: Sequence[Portions], design: Design) -> "GroupedRows":
        """Columns of numbers without missing values, of rows that were sampled by this design."""
        order, starts = design.groups
        weights = design.scaled[order]
        roots, count = np.sqrt(weights), len(order)
        values, scales = np.empty((len(columns), count)), np.empty(len(columns))
        for i, column in enumerate(columns):
            check()
            read = np.asarray(column[0:count], dtype=np.float64)[order]
            size = float(np.abs(read - read[0]).max()) or 1.0
            own = (read - read[0]) / size
            for _ in range(2):  # the second time removes what rounding left of the mean
                own -= own @ weights / count
            own *= roots
            scale = float(np.sqrt(own @ own / count))
            values[i] = own / scale if scale else own
            scales[i] = scale * size
        return cls(tuple(keys), values, scales, starts, count)

    @property
    def groups(self) -> int:
        """The number of groups."""
        return len(self.starts) - 1

    def select(self, keys: Sequence[Hashable]) -> "GroupedRows":
        """These columns, in this order."""
        if tuple(keys) == self.keys:
            return self
        position = {key: i for i, key in enumerate(self.keys)}
        where = [position[key] for key in keys]
        return GroupedRows(tuple(keys), self.values[where], self.scales[where], self.starts, self.rows)

    @cached_property
    def correlation(self) -> Floats:
        """The weighted correlations."""
        out = correlation_of([str(key) for key in self.keys], self.values @ self.values.T)
        out.flags.writeable = False
        return out

    def effective_rows(self, variable: Sequence[int]) -> float:
        """The number of rows, divided by the mean design effect of the correlations of columns of different variables.

        `variable` tells which variable each column is of. At most the number of rows.
        """
        if len(set(variable)) < 2 or self.groups < 2:
            return float(self.rows)
        r = self.correlation
        own = np.asarray(variable)
        pairs = np.triu(own[:, None] != own, 1) & (r**2 < NEARLY_ONE)
        if not pairs.any():
            return float(self.rows)
        effects = self._squares() / self.rows / (1 - np.where(pairs, r, 0) ** 2) ** 2
        mean = float(effects[pairs].mean()) * self.groups / (self.groups - 1)
        return min(float(self.rows), self.rows / mean) if mean > 0 else float(self.rows)

    def _squares(self) -> Floats:
        """For each pair of columns, the sum of squares over groups of what they add to the correlation."""
        r, v = self.correlation, self.values
        if self.values.shape[1] == self.groups:  # every row is a group, and sums of products of powers do
            second, third, fourth = (v**2) @ (v**2).T, (v**3) @ v.T, (v**4).sum(axis=1)
            apart = fourth[:, None] + fourth + 2 * second
            return np.asarray(second - r * (third + third.T) + r**2 / 4 * apart)
        out = np.zeros_like(r)
        for first, stop in zip(self.starts[:-1].tolist(), self.starts[1:].tolist(), strict=True):
            products = v[:, first:stop] @ v[:, first:stop].T
            lengths = products.diagonal()
            out += (products - r * (lengths[:, None] + lengths) / 2) ** 2
        return out
