"""Sums over the rows of one batch, in one pass (`_sums_cy`): deviations of each column, and co-moments of all.

Each column is centred and brought to a size of at most one by a power of two, which rounds nothing, before anything is
multiplied.
"""

import math
from collections.abc import Sequence

import numpy as np

from ancestral.data.kinds import Floats
from ancestral.data.stats._sums_cy import add_sums
from ancestral.data.stats.deviations import Deviations

__all__ = ["sums_of"]

#: Scales below this power of two have no inverse.
LEAST = -1000
#: So many rows are brought together at a time: they stay in the cache.
PORTION = 8192


def sums_of(columns: Sequence[Floats]) -> tuple[list[Deviations], Floats]:
    """The deviations of each column, of which none has missing values, and their co-moments."""
    n, rows = len(columns), len(columns[0])
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.array([column.mean() for column in columns])
        reach = np.array([max(c.max() - m, m - c.min()) for c, m in zip(columns, mean, strict=True)])
        scale = np.ldexp(1.0, np.maximum(np.frexp(reach)[1], LEAST))
        powers, products = np.zeros((3, n)), np.zeros((n, n))
        for start in range(0, rows, PORTION):
            portion = np.stack([column[start : start + PORTION] for column in columns])
            add_sums(portion, mean, 1 / scale, powers, products)
        products += np.triu(products, 1).T
        first, cube, fourth = powers
        rest = first / rows  # what rounding left of the mean
        products -= np.outer(first, rest)
        cube -= 3 * rest * products.diagonal()
        fourth -= 4 * rest * cube
    about = []
    for v in range(n):
        size = float(scale[v])
        length = math.sqrt(max(products[v, v], 0.0))
        unit = math.ldexp(1.0, math.frexp(length)[1])  # the scale of deviations, in our units
        whole = (length * size) * (length * size)  # may be infinite
        about.append(
            Deviations(
                rows,
                float(mean[v]),
                float(rest[v] * size),
                whole,
                unit * size,
                float(cube[v] / unit**3),
                float(fourth[v] / unit**4),
            )
        )
    # a column that only rounding keeps from being constant is constant
    varies = np.array([not found.is_rounding(abs(found.first_mean)) for found in about])
    with np.errstate(over="ignore", invalid="ignore"):
        return about, np.where(varies[:, None] & varies, products, 0.0) * scale[:, None] * scale
