"""Sums over the rows of one batch, in few passes over memory: deviations of each column, and co-moments of all.

A few rows at a time, so few that they stay in the cache, are centred, brought to a size of at most one by powers of
two, which round nothing, and multiplied. The products are so small that BLAS has no use for threads, which would wait
for each other and for the thread that reads ahead.
"""

import math
from collections.abc import Sequence

import numpy as np

from ancestral.data.deviations import Deviations
from ancestral.data.kinds import Floats

__all__ = ["sums_of"]

#: So many numbers stay in the cache.
CACHED = 1 << 15
#: OpenBLAS multiplies matrices with fewer products than this without threads.
ALONE = 200_000


def sums_of(columns: Sequence[Floats]) -> tuple[list[Deviations], Floats]:
    """The deviations of each column, of which none has missing values, and their co-moments."""
    n, rows = len(columns), len(columns[0])
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.array([column.mean() for column in columns])
        reach = np.array([max(c.max() - m, m - c.min()) for c, m in zip(columns, mean, strict=True)])
        scale = np.ldexp(1.0, np.frexp(reach)[1])
        depth = max(16, min(CACHED // n, ALONE // (n * n)))
        across = max(1, CACHED // (n * depth))  # so many small products at a time
        first = np.zeros(n)
        cube, fourth = np.zeros(n), np.zeros(n)
        products = np.zeros((n, n))
        for start in range(0, rows, depth * across):
            part = np.stack([column[start : start + depth * across] for column in columns])
            part -= mean[:, None]
            part *= (1 / scale)[:, None]
            first += part.sum(axis=1)
            products += _products(part, depth)
            square = part * part
            cube += np.einsum("ij,ij->i", square, part)
            fourth += np.einsum("ij,ij->i", square, square)
        rest = first / rows  # what rounding left of the mean
        products -= np.outer(first, rest)
        cube -= 3 * rest * products.diagonal()
        fourth -= 4 * rest * cube
    about = []
    for v in range(n):
        size = float(scale[v])
        length = math.sqrt(max(products[v, v], 0.0))
        unit = math.ldexp(1.0, math.frexp(length)[1])  # the scale of deviations, in our units
        whole = (length * size) ** 2 if size < 1e154 else math.inf
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


def _products(part: Floats, depth: int) -> Floats:
    """The sums of products of rows, by many small multiplications."""
    n, rows = part.shape
    even = rows - rows % depth
    out = part[:, even:] @ part[:, even:].copy().T
    if even:
        cut = part[:, :even].reshape(n, even // depth, depth)
        # a copy, since of a matrix and itself BLAS makes another product, which takes threads much sooner
        out += np.matmul(cut.transpose(1, 0, 2), cut.copy().transpose(1, 2, 0)).sum(axis=0)
    return out
