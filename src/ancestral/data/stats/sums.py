"""Sums over the rows of a batch in one pass (`_sums_cy`): the deviations of each column, and the co-moments of all.

Each column is centred and scaled by a power of two to a size of at most one, which rounds nothing, before anything is
multiplied.
"""

import math
from collections.abc import Sequence

import numpy as np

from ancestral.data.column_kinds import Floats
from ancestral.data.stats._sums_cy import add_sums
from ancestral.data.stats.deviations import Deviations

__all__ = ["sums_of"]

#: The exponent of the smallest scale: powers of two much below it have no finite inverse.
LEAST_EXPONENT = -1000
#: Rows that are copied side by side at a time: so few that they stay in the cache of a core.
STACKED_ROWS = 8192


def sums_of(columns: Sequence[Floats]) -> tuple[list[Deviations], Floats]:
    """The deviations of each of these columns, which have no missing values, and their co-moments."""
    n, rows = len(columns), len(columns[0])
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.array([column.mean() for column in columns])
        reach = np.array([max(c.max() - m, m - c.min()) for c, m in zip(columns, mean, strict=True)])
        scale = np.ldexp(1.0, np.maximum(np.frexp(reach)[1], LEAST_EXPONENT))
        powers, products = np.zeros((3, n)), np.zeros((n, n))
        for start in range(0, rows, STACKED_ROWS):
            portion = np.stack([column[start : start + STACKED_ROWS] for column in columns])
            add_sums(portion, mean, 1 / scale, powers, products)
        products += np.triu(products, 1).T
        first, cube, fourth = powers
        rest = first / rows  # the rounding error of the mean
        products -= np.outer(first, rest)
        cube -= 3 * rest * products.diagonal()
        fourth -= 4 * rest * cube
    about = []
    for v in range(n):
        size = float(scale[v])
        length = math.sqrt(max(products[v, v], 0.0))
        unit = math.ldexp(1.0, math.frexp(length)[1])  # the scale of the deviations, after scaling
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
    varies = np.array([not one.is_rounding(abs(one.first_mean)) for one in about])
    with np.errstate(over="ignore", invalid="ignore"):
        return about, np.where(varies[:, None] & varies, products, 0.0) * scale[:, None] * scale
