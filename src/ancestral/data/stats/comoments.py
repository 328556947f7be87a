"""Co-moments: sums of products of deviations, how those of two parts add, and the correlations that they give.

Every product of a matrix with its own transpose over rows of data is made here, or in one pass over a batch by `sums`.

Reference: Chan, Golub, LeVeque (1983), Algorithms for computing the sample variance, The American Statistician 37.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np

from ancestral.data.column_kinds import Floats
from ancestral.data.errors import DataError, leave_out, overflowing
from ancestral.data.read.deadline import check
from ancestral.data.stats.deviations import Deviations
from ancestral.printing import listed

__all__ = [
    "MATRIX_ROWS",
    "PRODUCT_ROWS",
    "Portions",
    "added",
    "centred",
    "check_lengths",
    "comoments_of",
    "correlation_of",
    "times_transpose",
]

#: Rows of data that are multiplied at a time, so that the centred copy of a table stays small.
PRODUCT_ROWS = 4096

#: Rows of a large matrix that are worked on at a time, so that no second matrix of its size is made.
MATRIX_ROWS = 64

#: Columns that are centred together: so few that their rows stay in the cache of a core.
COLUMNS_AT_ONCE = 16

#: From more columns than this on, a product is made in tiles of TILE columns: with two threads, OpenBLAS 0.3.31 crashes
#: on 20,000 columns at once.
TILED = 10_000
TILE = 4_096


class Portions(Protocol):
    """A column of numbers of which ranges of rows can be had: an array, or an object that makes them on request."""

    def __getitem__(self, rows: slice, /) -> Floats: ...


def times_transpose(matrix: Floats) -> Floats:
    """The matrix times its transpose, in tiles if it has very many rows."""
    n = len(matrix)
    if n <= TILED:
        out: Floats = matrix @ matrix.T
        return out
    out = np.empty((n, n))
    for first in range(0, n, TILE):
        rows, rest = slice(first, first + TILE), slice(first + TILE, n)
        out[rows, rows] = matrix[rows] @ matrix[rows].T
        out[rows, rest] = matrix[rows] @ matrix[rest].T
        out[rest, rows] = out[rows, rest].T
    return out


def centred(columns: Sequence[Portions], about: Sequence[Deviations], rows: slice, out: Floats) -> Iterator[slice]:
    """Fill `out`, a row for each column, with the deviations of some rows, brought to a length of about one.

    Some columns are filled in at a time, and then told.
    """
    # a column that only rounding keeps from being constant is constant
    varies = np.array([not one.is_rounding(abs(one.first_mean)) for one in about])
    first_mean = np.array([one.first_mean for one in about])
    rest = np.array([one.rest for one in about])
    shrink = np.where(varies, 1 / np.array([one.scale for one in about]), 0.0)
    for i in range(0, len(columns), COLUMNS_AT_ONCE):
        few = slice(i, i + COLUMNS_AT_ONCE)
        some = np.stack([values[rows] for values in columns[few]], out=out[few])
        some -= first_mean[few, None]
        some -= rest[few, None]
        some *= shrink[few, None]  # powers of two: scaling by them rounds nothing
        yield few


def comoments_of(columns: Sequence[Portions], about: Sequence[Deviations]) -> Floats:
    """The co-moments of columns whose deviations are known; some rows at a time, so that no second table is made."""
    rows = about[0].count
    scale = np.array([one.scale for one in about])
    portions = -(-rows // PRODUCT_ROWS)
    ends = [rows * i // portions for i in range(portions + 1)]
    out: Floats = np.zeros(())
    whole = np.empty(len(columns) * (-(-rows // portions)))
    for first, stop in pairwise(ends):
        check()
        matrix = whole[: len(columns) * (stop - first)].reshape(len(columns), stop - first)  # a row for each variable
        for _ in centred(columns, about, slice(first, stop), matrix):
            pass
        product = times_transpose(matrix)
        out = product if first == 0 else np.add(out, product, out=out)
    out *= scale[:, None]
    out *= scale
    return out


def added(
    rows: int, mean: Floats, comoments: Floats, other_rows: int, other_mean: Floats, other_comoments: Floats
) -> tuple[Floats, Floats]:
    """The means and the co-moments of two parts together. Co-moments that overflow become infinite."""
    total = rows + other_rows
    with np.errstate(over="ignore", invalid="ignore"):
        apart = other_mean - mean
        return (
            mean + apart * (other_rows / total),
            comoments + other_comoments + np.outer(apart, apart) * (rows * other_rows / total),
        )


def check_lengths(names: Sequence[str], length: Floats) -> None:
    """Raise DataError if a column does not vary, or if the sum of its squared deviations overflows."""
    if not length.all():
        flat = [name for name, size in zip(names, length, strict=True) if not size]
        has = "has" if len(flat) == 1 else "have"
        raise DataError(f"there is no correlation with {listed(flat)}, which {has} a single value; ", *leave_out(*flat))
    if not np.isfinite(length).all():
        raise overflowing(names[int(np.argmin(np.isfinite(length)))])


def correlation_of(names: Sequence[str], comoments: Floats) -> Floats:
    """The correlation matrix: symmetric, within [-1, 1], with a diagonal of exactly 1.

    Raises DataError if a column does not vary, or if its co-moments overflow.
    """
    length = np.sqrt(comoments.diagonal())
    check_lengths(names, length)
    out: Floats = np.empty_like(comoments)
    for first in range(0, len(length), MATRIX_ROWS):
        part = slice(first, first + MATRIX_ROWS)
        some = np.divide(comoments[part], length[part, None], out=out[part])
        some /= length
        some += (comoments[:, part] / length[:, None] / length[part]).T  # the order of dividing must not matter
        some *= 0.5
        np.clip(some, -1.0, 1.0, out=some)
    np.fill_diagonal(out, 1.0)
    return out
