"""Columns with gaps, and what all questions about them share: sums over all rows, a missing value counting as zero.

A question takes what it does not want out of these sums. So that little is lost to rounding there, each column is
centred, and brought to a length of about one by a power of two, which rounds nothing.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

__all__ = ["Gaps"]


@dataclass(frozen=True)
class Gaps:
    """Blocks of columns, one column per row; block v is rows starts[v] … starts[v + 1] − 1 of `values`.

    It has a gap where any of its columns has: in gaps[gap_starts[v]] … gaps[gap_starts[v + 1] − 1]. `centred` is zero
    there.
    """

    values: NDArray[np.float64]
    gap_starts: NDArray[np.intc]
    gaps: NDArray[np.intc]
    centred: NDArray[np.float64]
    sums: NDArray[np.float64]
    products: NDArray[np.float64]

    @classmethod
    def of(cls, values: NDArray[np.float64], starts: NDArray[np.integer]) -> "Gaps":
        """Find the gaps; NaN is missing."""
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
    def none(cls) -> "Gaps":
        """Nothing at all, for a test that does not look at rows."""
        return cls.of(np.zeros((1, 1)), np.array([0, 1]))
