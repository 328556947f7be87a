"""Moments: what a linear test needs to know of the data, in a form that adds up.

Number of rows, means, and co-moments (sums of products of deviations from the mean): the moments of two chunks of rows
give the moments of both together, so data that do not fit into memory, or that lie in several places, can be summed.

The numbers must not hang on the order of the columns, nor on their units. So columns are put in the order of their
names before anything is summed, and each is centred and brought to a length of about one before they are multiplied.

Reference: Chan, Golub, LeVeque (1983), Algorithms for computing the sample variance, The American Statistician 37.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ancestral.arguments import names_list
from ancestral.data.errors import DataError, listed, overflowing, underflowing
from ancestral.data.fingerprint import fingerprint
from ancestral.data.kinds import Floats
from ancestral.data.read.deadline import check
from ancestral.data.read.frames import column_names
from ancestral.data.stats.deviations import Deviations
from ancestral.data.table import Missing, Table
from ancestral.errors import UnknownName
from ancestral.graphs.names import by_name
from ancestral.printing import shown

__all__ = ["Moments", "Portions", "moments_of_columns", "moments_of_rows"]

#: How far a given matrix may be from symmetric, from a unit diagonal, from positive semi-definite.
TOLERANCE = 1e-8

#: So many rows of data are multiplied at a time, so many rows of a matrix are worked on at a time.
PORTION, PART = 4096, 64

#: From more columns than this on, products are made in tiles of so many: with two threads OpenBLAS 0.3.31 crashes on
#: 20,000 columns at once.
TILED = 10_000
TILE = 4_096


class Portions(Protocol):
    """A column of numbers of which some rows can be had: an array, or what makes them when they are wanted."""

    def __getitem__(self, rows: slice, /) -> Floats: ...


@dataclass(frozen=True, eq=False, repr=False)
class Moments:
    """Rows, means and co-moments of named columns.

    >>> chunks = [np.array([[1.0, 2.0], [2.0, 4.5]]), np.array([[3.0, 5.5], [4.0, 8.0], [5.0, 11.0]])]
    >>> both = Moments.of(chunks[0]) + Moments.of(chunks[1])
    >>> both
    Moments of 2 columns, 5 rows
    >>> print(both.mean, both.covariance[0, 1].round(6))
    [3.  6.2] 5.375
    """

    names: tuple[str, ...]
    rows: int
    mean: Floats | None  #: None where only a covariance or correlation matrix is known
    comoments: Floats

    def __post_init__(self) -> None:
        for array in (self.mean, self.comoments):
            if array is not None:
                array.flags.writeable = False

    @classmethod
    def of(
        cls,
        source: Any,
        *,
        columns: Sequence[str] | str | None = None,
        drop: Sequence[str] | str | None = None,
        missing: Missing = "refuse",
    ) -> "Moments":
        """The moments of a table, or of anything that `discover` reads; every column is taken as numbers.

        Missing values are refused, or rows that have any are left out (`missing="drop"`).
        """
        from ancestral.data.read.streams import complete

        table = complete(source, "moments", kind="continuous", columns=columns, drop=drop, missing=missing)
        if not isinstance(table, Table):
            assert table.moments is not None
            return table.moments
        if tiny := [column.name for column in table.columns if column.underflows]:
            raise underflowing(tiny)
        return moments_of_rows(table)

    @classmethod
    def from_covariance(
        cls,
        matrix: ArrayLike,
        *,
        rows: int,
        names: Sequence[str] | None = None,
        mean: ArrayLike | None = None,
    ) -> "Moments":
        """The moments behind a sample covariance matrix (the sums divided by rows - 1) of so many rows.

        With the means known as well, they can be added to others.
        """
        values, known = _checked_matrix(matrix, names, rows, "covariance")
        diagonal = values.diagonal()
        for i in np.flatnonzero(diagonal <= 0):
            raise DataError(
                f"the variance of {known[i]!r} is {diagonal[i]:.6g}; a variance is positive: "
                "correct the matrix, or leave the column out"
            )
        scale = np.sqrt(diagonal)
        unit = values / scale[:, None]
        unit /= scale
        _check_correlation(unit, known, "covariance")
        means = None if mean is None else _checked_means(mean, len(known))
        _make_symmetric(values)
        values *= rows - 1
        return cls(known, int(rows), means, values)

    @classmethod
    def from_correlation(cls, matrix: ArrayLike, *, rows: int, names: Sequence[str] | None = None) -> "Moments":
        """The moments behind a correlation matrix of so many rows: columns of variance one."""
        values, known = _checked_matrix(matrix, names, rows, "correlation")
        for i in np.flatnonzero(np.abs(values.diagonal() - 1) > TOLERANCE):
            raise DataError(
                f"the correlation of {known[i]!r} with itself is {values[i, i]:.10g} instead of 1; "
                "if the matrix holds covariances, use Moments.from_covariance"
            )
        _check_correlation(values, known, "correlation")
        _make_symmetric(values)
        np.clip(values, -1.0, 1.0, out=values)
        np.fill_diagonal(values, 1.0)
        return _OfCorrelation(known, int(rows), values)

    @cached_property
    def covariance(self) -> Floats:
        """The sample covariance matrix."""
        if self.rows < 2:
            raise DataError("a single row has no covariance; there must be at least 2 rows")
        out: Floats = self.comoments / (self.rows - 1)
        out.flags.writeable = False
        return out

    @cached_property
    def correlation(self) -> Floats:
        """The correlation matrix: symmetric, within [-1, 1], with a diagonal of exactly 1."""
        length = self.lengths
        if not length.all():
            flat = [name for name, size in zip(self.names, length, strict=True) if not size]
            raise DataError(f"no correlation with {listed(flat)}, which has a single value; leave it out with drop=")
        if not np.isfinite(length).all():
            wide = self.names[int(np.argmin(np.isfinite(length)))]
            raise overflowing(wide)
        out: Floats = np.empty_like(self.comoments)
        for first in range(0, len(length), PART):
            part = slice(first, first + PART)
            some = np.divide(self.comoments[part], length[part, None], out=out[part])
            some /= length
            some += (self.comoments[:, part] / length[:, None] / length[part]).T  # the order of dividing must not count
            some *= 0.5
            np.clip(some, -1.0, 1.0, out=some)
        np.fill_diagonal(out, 1.0)
        out.flags.writeable = False
        return out

    @property
    def lengths(self) -> Floats:
        """The root of the sum of squared deviations of each column."""
        return np.asarray(np.sqrt(self.comoments.diagonal()))

    def arranged(self, names: Sequence[str]) -> "Moments":
        """The same moments with the columns in another order."""
        if len(names) != len(self.names) or set(names) != set(self.names):
            raise DataError(_disagreement(self.names, names))
        return self.select(names)

    def select(self, names: Sequence[str]) -> "Moments":
        """The moments of these columns, in this order."""
        chosen = names_list("names", names)
        if chosen == self.names:
            return self
        where = self._positions(chosen)
        mean = None if self.mean is None else self.mean[where]
        return Moments(chosen, self.rows, mean, self.comoments[np.ix_(where, where)])

    def standardised(self) -> "Moments":
        """The moments of the same columns brought to mean 0 and variance 1, which hold one matrix and not two."""
        return _OfCorrelation(self.names, self.rows, self.correlation)

    def _positions(self, names: Sequence[str]) -> list[int]:
        """Where these columns are."""
        position = {name: i for i, name in enumerate(self.names)}
        for name in names:
            if name not in position:
                raise UnknownName(name, self.names, what="column")
        return [position[name] for name in column_names(names)]

    @cached_property
    def fingerprint(self) -> str:
        """A fingerprint of the content; the order of columns does not matter."""
        order = sorted(self.names, key=by_name)
        same = self.arranged(order)
        mean = "no means" if same.mean is None else same.mean
        return fingerprint("moments", [*order, self.rows, mean, same.comoments])

    def __add__(self, other: object) -> "Moments":
        if not isinstance(other, Moments):
            return NotImplemented
        other = other.arranged(self.names)
        if self.mean is None or other.mean is None:
            raise DataError(
                "moments of a matrix alone do not add up, since its means are not known; "
                "make them from data, or pass mean= to Moments.from_covariance"
            )
        rows = self.rows + other.rows
        with np.errstate(over="ignore", invalid="ignore"):  # `correlation` tells of it
            apart = other.mean - self.mean
            mean = self.mean + apart * (other.rows / rows)
            comoments = self.comoments + other.comoments + np.outer(apart, apart) * (self.rows * other.rows / rows)
        return Moments(self.names, rows, mean, comoments)

    def __radd__(self, other: object) -> "Moments":
        return self if other == 0 else NotImplemented  # so that sum(...) works

    def __repr__(self) -> str:
        return f"Moments of {len(self.names)} columns, {self.rows} rows"


class _OfCorrelation(Moments):
    """The moments behind a correlation matrix; co-moments, which are a matrix as large, are there when asked for."""

    def __init__(self, names: tuple[str, ...], rows: int, correlation: Floats) -> None:
        correlation.flags.writeable = False
        self.__dict__.update(names=names, rows=rows, mean=None, correlation=correlation)

    @cached_property
    def comoments(self) -> Floats:
        """The correlations, as of columns of variance one."""
        out: Floats = self.correlation * (self.rows - 1)
        out.flags.writeable = False
        return out

    @property
    def lengths(self) -> Floats:
        """The same for all columns."""
        return np.full(len(self.names), math.sqrt(self.rows - 1))

    def select(self, names: Sequence[str]) -> Moments:
        """The moments of these columns, in this order."""
        chosen = names_list("names", names)
        if chosen == self.names:
            return self
        where = self._positions(chosen)
        return _OfCorrelation(chosen, self.rows, self.correlation[np.ix_(where, where)])


def moments_of_rows(table: Table) -> Moments:
    """The moments of a table of numbers without gaps, also where their squares underflow."""
    order = sorted(table.names, key=by_name)
    columns = table.select(order).columns
    about = []
    for column in columns:
        check()
        about.append(column.deviations)
    numbers = [np.asarray(column.values, dtype=np.float64) for column in columns]
    return moments_of_columns(order, numbers, about).arranged(table.names)


def moments_of_columns(names: Sequence[str], columns: Sequence[Portions], about: Sequence[Deviations]) -> Moments:
    """The moments of columns that are there portion by portion, and of which the deviations are known."""
    for name, found in zip(names, about, strict=True):
        if not math.isfinite(found.square):
            raise overflowing(name)
    mean = np.array([found.mean for found in about])
    return Moments(tuple(names), about[0].count, mean, _comoments(columns, about))


def _products(matrix: Floats) -> Floats:
    """The matrix times its transpose; for very many rows tile by tile, since some builds of OpenBLAS crash on it."""
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


def _comoments(columns: Sequence[Portions], about: Sequence[Deviations]) -> Floats:
    """The sums of products of deviations; rows go in portions, so that no second table is in memory."""
    rows = about[0].count
    # a column that only rounding keeps from being constant is constant
    varies = np.array([not found.is_rounding(abs(found.first_mean)) for found in about])
    first_mean = np.array([found.first_mean for found in about])
    rest = np.array([found.rest for found in about])
    scale = np.array([found.scale for found in about])
    shrink = np.where(varies, 1 / scale, 0.0)
    portions = -(-rows // PORTION)
    ends = [rows * i // portions for i in range(portions + 1)]
    out: Floats = np.zeros(())
    whole = np.empty(len(columns) * (-(-rows // portions)))
    for first, stop in pairwise(ends):
        check()
        matrix = whole[: len(columns) * (stop - first)].reshape(len(columns), stop - first)  # a row a variable
        for i in range(0, len(columns), 16):  # so few stay in the cache
            few = slice(i, i + 16)
            some = np.stack([values[first:stop] for values in columns[few]], out=matrix[few])
            some -= first_mean[few, None]
            some -= rest[few, None]
            some *= shrink[few, None]  # powers of two: scaling by them rounds nothing
        product = _products(matrix)
        out = product if first == 0 else np.add(out, product, out=out)
    out *= scale[:, None]
    out *= scale
    return out


def _checked_means(mean: Any, count: int) -> Floats:
    """The means as an array of so many finite numbers."""
    try:
        means = np.array(mean, dtype=np.float64)
    except (TypeError, ValueError):
        means = np.array(np.nan)
    if means.shape != (count,) or not np.isfinite(means).all():
        raise DataError(f"mean= must hold one finite number for each column, {count} in all, got {shown(mean)}")
    return means


def _checked_matrix(matrix: Any, names: Sequence[str] | None, rows: int, what: str) -> tuple[Floats, tuple[str, ...]]:
    """The matrix as a square array of finite numbers, and the names of its columns."""
    if names is None and hasattr(matrix, "columns"):
        names = list(matrix.columns)
    try:
        values = np.array(matrix, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"the {what} matrix does not consist of numbers; pass an array of floats") from None
    if values.ndim != 2 or values.shape[0] != values.shape[1] or not values.size:
        raise DataError(f"the {what} matrix has the shape {values.shape}; it must be square")
    count = values.shape[0]
    known = column_names(names_list("names", names) if names is not None else (f"x{i}" for i in range(1, count + 1)))
    if len(known) != count:
        raise DataError(f"{len(known)} names for a {what} matrix of {count} columns; names= has one name a column")
    if isinstance(rows, bool) or not isinstance(rows, int | np.integer) or rows < 2:
        raise DataError(f"rows={rows!r} is no number of rows; it is a whole number, at least 2")
    for x, y in _where(values, lambda part: ~np.isfinite(values[part])):
        raise DataError(f"the {what} of {known[x]!r} and {known[y]!r} is {values[x, y]}; all entries must be finite")
    scale = np.sqrt(np.abs(values.diagonal()))

    def apart(part: slice) -> NDArray[np.bool_]:
        allowed = TOLERANCE * np.maximum(np.outer(scale[part], scale), np.finfo(float).tiny)
        return np.asarray(np.abs(values[part] - values[:, part].T) > allowed)

    for x, y in _where(values, apart):
        raise DataError(
            f"the {what} matrix is not symmetric: {values[x, y]:.10g} for {known[x]!r} and {known[y]!r}, "
            f"but {values[y, x]:.10g} for {known[y]!r} and {known[x]!r}; correct one of them"
        )
    return values, known


def _where(values: Floats, wrong: Callable[[slice], NDArray[np.bool_]]) -> Iterator[tuple[int, int]]:
    """The entries that are wrong, row by row; `wrong` is asked about a few rows at a time."""
    for first in range(0, len(values), PART):
        found = wrong(slice(first, first + PART))
        if found.any():
            for x, y in np.argwhere(found).tolist():
                yield first + x, y


def _make_symmetric(values: Floats) -> None:
    """Replace each entry and its mirror image by their mean."""
    for first in range(0, len(values), PART):
        rows, rest = slice(first, first + PART), slice(first, None)
        mean = (values[rows, rest] + values[rest, rows].T) / 2
        values[rows, rest], values[rest, rows] = mean, mean.T


def _surely_semi_definite(values: Floats) -> bool:
    """A quick yes: with the tolerated amount added to every root, there is a Cholesky factor. No if in doubt."""
    diagonal = values.diagonal().copy()
    np.fill_diagonal(values, diagonal + TOLERANCE)
    try:
        np.linalg.cholesky(values)
    except np.linalg.LinAlgError:
        return False
    finally:
        np.fill_diagonal(values, diagonal)
    return True


def _check_correlation(values: Floats, names: tuple[str, ...], what: str) -> None:
    """Raise unless the entries are correlations of some data."""
    for x, y in _where(values, lambda part: np.abs(values[part]) > 1 + TOLERANCE):
        raise DataError(
            f"the {what} matrix gives {names[x]!r} and {names[y]!r} a correlation of {values[x, y]:.6g}; "
            "it must lie between -1 and 1"
        )
    if _surely_semi_definite(values):
        return
    roots, vectors = np.linalg.eigh((values + values.T) / 2)
    if roots[0] < -TOLERANCE * max(1.0, roots[-1]):
        weight = np.abs(vectors[:, 0])
        blamed = [names[i] for i in np.argsort(-weight, kind="stable") if weight[i] > 0.1 * weight.max()]
        raise DataError(
            f"no data have this {what} matrix: it is not positive semi-definite (smallest eigenvalue {roots[0]:.3g}), "
            f"because of {listed(blamed)}; compute all entries from the same rows"
        )


def _disagreement(names: Sequence[str], others: Sequence[str]) -> str:
    """What differs between two lists of names."""
    here = [name for name in names if name not in set(others)]
    there = [name for name in others if name not in set(names)]
    parts = [f"only one side has {listed(side)}" for side in (here, there) if side]
    return f"the columns differ ({', '.join(parts) or 'a name occurs twice'}); choose the same columns on both sides"
