"""Columns with missing values, and the sums over all their rows that questions share.

In these sums a missing value counts as zero; a question subtracts the rows that are incomplete for it. So that little
is lost to rounding there, each column is centred, and divided by a power of two near its length, which rounds nothing.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

__all__ = ["IncompleteColumns"]


@dataclass(frozen=True)
class IncompleteColumns:
    """Blocks of columns, one column per row of `values`; block v is rows starts[v] … starts[v + 1] − 1.

    A block has a gap in a row of the data if any of its columns has; gaps[gap_starts[v]] … gaps[gap_starts[v + 1] − 1]
    are the rows with a gap in block v. `centred` is zero there.
    """

    values: NDArray[np.float64]
    gap_starts: NDArray[np.intc]
    gaps: NDArray[np.intc]
    centred: NDArray[np.float64]
    sums: NDArray[np.float64]
    products: NDArray[np.float64]

    @classmethod
    def of(cls, values: NDArray[np.float64], starts: NDArray[np.integer]) -> "IncompleteColumns":
        """Find the gaps of these blocks, and sum up; NaN is missing."""
        values = np.ascontiguousarray(values, dtype=np.float64)
        missing = np.isnan(values)
        centred = np.zeros(values.shape)
        gaps = []
        for first, stop in pairwise(starts):
            gap = missing[first:stop].any(axis=0)
            gaps.append(np.flatnonzero(gap))
            if not gap.all():
                block = values[first:stop, ~gap]
                block = block - block.mean(axis=1, keepdims=True)
                length = np.abs(block).max(axis=1, keepdims=True)
                centred[first:stop, ~gap] = block / np.ldexp(1.0, np.frexp(length)[1])
        return cls(
            values,
            np.cumsum([0, *map(len, gaps)]).astype(np.intc),
            np.concatenate(gaps).astype(np.intc),
            centred,
            centred.sum(axis=1),
            np.ascontiguousarray(centred @ centred.T),
        )

    @classmethod
    def none(cls) -> "IncompleteColumns":
        """A placeholder for questions that do not look at rows."""
        return cls.of(np.zeros((1, 1)), np.array([0, 1]))
