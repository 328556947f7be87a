"""Moments: the number of rows, means and co-moments of columns, which is all that a linear test needs of the data.

The moments of two parts of the rows give the moments of both together, so data that do not fit into memory, or that are
in several places, can be summed up.

The numbers must depend neither on the order of the columns nor on their units. So columns are put in the order of their
names before anything is summed, and each is centred and brought to a length of about one before they are multiplied.
"""

import math
import os
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ancestral.arguments import names_list, path_of
from ancestral.data.column_kinds import Floats, Kind
from ancestral.data.column_names import check_same_columns, column_names, positions_of, wrong_count_of_names
from ancestral.data.design import DesignFacts
from ancestral.data.errors import DataError, overflowing
from ancestral.data.fingerprint import fingerprint
from ancestral.data.read.deadline import check
from ancestral.data.read.matrix_files import read_matrix
from ancestral.data.read.path_checks import path_text, shown_path
from ancestral.data.stats.comoments import MATRIX_ROWS, Portions, added, comoments_of, correlation_of
from ancestral.data.stats.deviations import Deviations
from ancestral.data.stats.grouped_moments import GroupedMoments, group_labels
from ancestral.data.stats.grouped_rows import GroupedRows
from ancestral.data.table import Table
from ancestral.errors import Option, OptionError
from ancestral.graphs.names import by_name
from ancestral.option_groups import with_options
from ancestral.options import ROWS_OPTIONS, Matrix, RowsKeywords, TableOptions
from ancestral.printing import counted, listed

__all__ = ["Moments", "moments_in_file", "moments_of_columns", "moments_of_groups", "moments_of_rows"]

#: How far a given matrix may be from symmetric, from a unit diagonal, and from positive semi-definite.
TOLERANCE = 1e-8


@dataclass(frozen=True, eq=False, repr=False)
class Moments:
    """Rows, means and co-moments of named columns.

    Attributes:
        names: The columns.
        rows: The number of rows.
        mean: The mean of each column; None where only a covariance or correlation matrix is known.
        comoments: The sums of products of deviations from the means.
        groups: Of weighted rows, or of rows in clusters, what is known of each group; None otherwise.

    Examples:
        >>> chunks = [np.array([[1.0, 2.0], [2.0, 4.5]]), np.array([[3.0, 5.5], [4.0, 8.0], [5.0, 11.0]])]
        >>> both = Moments.of(chunks[0]) + Moments.of(chunks[1])
        >>> both
        Moments of 2 columns, 5 rows
        >>> print(both.mean, both.covariance[0, 1].round(6))
        [3.  6.2] 5.375
        >>> moments = Moments.of(np.array([[1.0, 2.0], [2.0, 4.5], [3.0, 5.5]]))
        >>> moments.names, moments.rows, moments.kinds, moments.groups
        (('x1', 'x2'), 3, ('continuous', 'continuous'), None)
        >>> moments.comoments
        array([[2. , 3.5],
               [3.5, 6.5]])
        >>> moments.correlation.diagonal(), (moments.lengths**2).round(6)
        (array([1., 1.]), array([2. , 6.5]))
        >>> moments.select(["x2"]).comoments, moments.arranged(["x2", "x1"]).names
        (array([[6.5]]), ('x2', 'x1'))
        >>> moments.arranged(["x2", "x1"]).fingerprint == moments.fingerprint
        True
        >>> moments.standardised().comoments.diagonal()  # rows - 1 in each column
        array([2., 2.])
    """

    names: tuple[str, ...]
    rows: int
    mean: Floats | None  #: None where only a covariance or correlation matrix is known
    comoments: Floats
    groups: GroupedMoments | GroupedRows | None = None  #: of weighted rows, or of rows in clusters

    def __post_init__(self) -> None:
        for array in (self.mean, self.comoments):
            if array is not None:
                array.flags.writeable = False

    @classmethod
    @with_options(TableOptions, only=ROWS_OPTIONS)
    def of(cls, source: Any, **options: Unpack[RowsKeywords]) -> "Moments":
        """The moments of a table, or of any other data that `discover` reads; every column is taken as numbers.

        Rows with missing values cannot be kept: `missing` is "refuse" or "drop".

        Args:
            source: The data.

        {options}

        Returns:
            The moments.

        Raises:
            DataError: If the data cannot be used.
            OptionError: If an option cannot be used.

        Examples:
            >>> Moments.of(np.array([[1.0, 5.0], [2.0, 7.0], [6.0, 3.0]]), names=["a", "b"]).mean
            array([3., 5.])
        """
        from ancestral.data.stats.summarize import moments_of  # imports this module: summaries are made of moments

        return moments_of(source, TableOptions.from_keywords("Moments.of", options, ROWS_OPTIONS))

    @classmethod
    def from_covariance(
        cls,
        matrix: ArrayLike,
        *,
        rows: int,
        names: Sequence[str] | None = None,
        mean: ArrayLike | None = None,
    ) -> "Moments":
        """The moments of a sample covariance matrix and the number of its rows.

        Args:
            matrix: The matrix: co-moments divided by rows - 1.
            rows: The number of rows, at least 2.
            names: The columns; x1, x2, … if they are not given.
            mean: The means. If they are given, the moments can be added to others.

        Returns:
            The moments.

        Raises:
            DataError: If no data have such a matrix.
            OptionError: If `rows` is not such a number.

        Examples:
            >>> Moments.from_covariance([[4.0, 1.0], [1.0, 9.0]], rows=11, names=["a", "b"]).comoments
            array([[40., 10.],
                   [10., 90.]])
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
        """The moments of a correlation matrix and the number of its rows, as of columns of variance 1.

        Args:
            matrix: The matrix, with ones in its diagonal.
            rows: The number of rows, at least 2.
            names: The columns; x1, x2, … if they are not given.

        Returns:
            The moments.

        Raises:
            DataError: If no data have such a matrix.
            OptionError: If `rows` is not such a number.

        Examples:
            >>> Moments.from_correlation([[1.0, 0.5], [0.5, 1.0]], rows=100).correlation
            array([[1. , 0.5],
                   [0.5, 1. ]])
        """
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

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, rows: int | None = None, matrix: Matrix | None = None) -> "Moments":
        """The moments in the file of a covariance or correlation matrix.

        The file is Tetrad's, with the number of rows, the names and the lower triangle, or a square table with a line
        of names.

        Args:
            path: The file.
            rows: The number of rows, if the file does not tell it.
            matrix: "covariance", the default, or "correlation".

        Returns:
            The moments.

        Raises:
            DataError: If the file cannot be used.
            OptionError: If the number of rows is not known.

        Examples:
            >>> import pathlib, tempfile
            >>> file = pathlib.Path(tempfile.mkdtemp()) / "covariance.csv"
            >>> _ = file.write_text("a,b\\n4,1\\n1,9\\n", encoding="utf-8")
            >>> moments = Moments.read(file, rows=11)
            >>> moments.names, moments.covariance[0, 1].round(6)
            (('a', 'b'), np.float64(1.0))
        """
        return moments_in_file(path, TableOptions(rows=rows, matrix=matrix))

    @cached_property
    def covariance(self) -> Floats:
        """The sample covariance matrix.

        Raises:
            DataError: If there is a single row.
        """
        if self.rows < 2:
            raise DataError("a single row has no covariance; there must be at least 2 rows")
        out: Floats = self.comoments / (self.rows - 1)
        if isinstance(self.groups, GroupedMoments):
            out *= self.rows / self.groups.weight
        out.flags.writeable = False
        return out

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of each column: all are continuous."""
        return tuple("continuous" for _ in self.names)

    @cached_property
    def correlation(self) -> Floats:
        """The correlation matrix: symmetric, within [-1, 1], with a diagonal of exactly 1."""
        out = correlation_of(self.names, self.comoments)
        out.flags.writeable = False
        return out

    @property
    def lengths(self) -> Floats:
        """The root of the sum of squared deviations of each column."""
        return np.asarray(np.sqrt(self.comoments.diagonal()))

    def arranged(self, names: Sequence[str]) -> "Moments":
        """The same moments with the columns in another order.

        Args:
            names: All columns, in the new order.

        Returns:
            The moments.

        Raises:
            DataError: If these are not the columns.
        """
        if len(names) != len(self.names) or set(names) != set(self.names):
            check_same_columns(self.names, names)
        return self.select(names)

    def select(self, names: Sequence[str]) -> "Moments":
        """The moments of some columns.

        Args:
            names: The columns, in the order that they should have.

        Returns:
            The moments.

        Raises:
            UnknownName: If one of them is not a column.
            DataError: If one of them is named twice.
        """
        chosen = names_list("names", names)
        if chosen == self.names:
            return self
        where = positions_of(chosen, self.names)
        mean = None if self.mean is None else self.mean[where]
        groups = None if self.groups is None else self.groups.select(chosen)
        return Moments(chosen, self.rows, mean, self.comoments[np.ix_(where, where)], groups)

    def standardised(self) -> "Moments":
        """The moments of the same columns brought to mean 0 and variance 1; they hold one matrix and not two.

        Returns:
            The moments.
        """
        return _OfCorrelation(self.names, self.rows, self.correlation)

    @cached_property
    def fingerprint(self) -> str:
        """A fingerprint of the content; the order of columns does not matter."""
        order = sorted(self.names, key=by_name)
        same = self.arranged(order)
        mean = "no means" if same.mean is None else same.mean
        groups = same.groups.hashed if isinstance(same.groups, GroupedMoments) else []
        return fingerprint("moments", [*order, self.rows, mean, same.comoments, *groups])

    def __add__(self, other: object) -> "Moments":
        if not isinstance(other, Moments):
            return NotImplemented
        other = other.arranged(self.names)
        if self.mean is None or other.mean is None:
            raise DataError(
                "moments of a matrix alone do not add up, since its means are not known; make them from data, or pass ",
                Option("mean"),
                " to Moments.from_covariance",
            )
        if isinstance(self.groups, GroupedMoments) and isinstance(other.groups, GroupedMoments):
            return moments_of_groups(self.groups + other.groups, self.names)
        if self.groups is not None or other.groups is not None:
            raise DataError(
                "moments of rows with weights or clusters add up with others of such rows only; make both with the "
                "same columns of weights and clusters"
            )
        mean, comoments = added(self.rows, self.mean, self.comoments, other.rows, other.mean, other.comoments)
        return Moments(self.names, self.rows + other.rows, mean, comoments)

    def __radd__(self, other: object) -> "Moments":
        return self if other == 0 else NotImplemented  # so that sum(...) works

    def __repr__(self) -> str:
        return f"Moments of {counted(len(self.names), 'column')}, {counted(self.rows, 'row')}"

    def designed_blocks(self) -> tuple[dict[str, tuple[str | None, ...]], GroupedRows, DesignFacts]:
        """The columns of weighted or clustered rows, for a score: only if there are `groups`.

        Returns:
            The columns in the order of names, rows in independent groups, and the facts of their design.

        Examples:
            >>> import polars as pl
            >>> rows = pl.DataFrame({"a": [1.0, 2.0, 4.0], "b": [3.0, 1.0, 2.0], "w": [1.0, 2.0, 1.5]})
            >>> _, _, facts = Moments.of(rows, weights="w").designed_blocks()
            >>> facts.rows, facts.weights
            (3, 'w')
        """
        assert isinstance(self.groups, GroupedMoments)
        order = sorted(self.names, key=by_name)
        return dict.fromkeys(order, (None,)), self.groups.select(order).as_rows(), self.groups.facts


def moments_of_groups(groups: GroupedMoments, names: Sequence[str]) -> Moments:
    """The moments of groups of weighted rows, whose keys are the names of columns."""
    chosen = groups.select(names)
    return Moments(tuple(names), chosen.rows, chosen.mean, chosen.total, chosen)


class _OfCorrelation(Moments):
    """The moments of a correlation matrix; their co-moments, a matrix as large, are made when they are asked for."""

    def __init__(self, names: tuple[str, ...], rows: int, correlation: Floats) -> None:
        correlation.flags.writeable = False
        self.__dict__.update(names=names, rows=rows, mean=None, correlation=correlation, groups=None)

    @cached_property
    def comoments(self) -> Floats:
        """The co-moments of columns of variance 1."""
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
        where = positions_of(chosen, self.names)
        return _OfCorrelation(chosen, self.rows, self.correlation[np.ix_(where, where)])


def moments_in_file(path: str | os.PathLike[str], options: TableOptions) -> Moments:
    """The moments in the file of a matrix, with the options `rows`, `matrix` and `encoding`; see `Moments.read`."""
    place = Path(path_text(path_of("path", path)))
    read = read_matrix(place, options.matrix, options.rows, options.encoding)
    if read.rows is None:
        raise OptionError(
            f"must be the number of rows that the {read.matrix} matrix in {shown_path(place.name)} is of, which the "
            "file does not tell",
            option="rows",
            value=None,
            way_out=["for example ", Option("rows", 500)],
        )
    make = Moments.from_correlation if read.matrix == "correlation" else Moments.from_covariance
    try:
        return make(read.values, rows=read.rows, names=read.names)
    except DataError as fault:
        raise DataError(f"{shown_path(place.name)}: ", *fault.args) from None


def moments_of_rows(table: Table) -> Moments:
    """The moments of a table without missing values, every column taken as numbers, also where squares underflow."""
    order = sorted(table.names, key=by_name)
    columns = [column.as_kind("continuous") for column in table.select(order).columns]
    if (design := table.design) is not None:
        named: dict[Hashable, Floats] = {column.name: np.asarray(column.values, dtype=np.float64) for column in columns}
        labels = group_labels(design, 0, None)
        groups = GroupedMoments.of(named, design.row_weights, labels, design.rows, design.facts)
        return moments_of_groups(groups, table.names)
    about = []
    for column in columns:
        check()
        about.append(column.deviations)
    numbers = [np.asarray(column.values, dtype=np.float64) for column in columns]
    return moments_of_columns(order, numbers, about).arranged(table.names)


def moments_of_columns(names: Sequence[str], columns: Sequence[Portions], about: Sequence[Deviations]) -> Moments:
    """The moments of columns whose deviations are known; raises DataError if squares overflow."""
    for name, deviations in zip(names, about, strict=True):
        if not math.isfinite(deviations.square):
            raise overflowing(name)
    mean = np.array([deviations.mean for deviations in about])
    return Moments(tuple(names), about[0].count, mean, comoments_of(columns, about))


def _checked_means(mean: Any, count: int) -> Floats:
    """The means as an array of finite numbers, one for each column."""
    try:
        means = np.array(mean, dtype=np.float64)
    except (TypeError, ValueError):
        means = np.array(np.nan)
    if means.shape != (count,) or not np.isfinite(means).all():
        raise OptionError(
            f"must have one finite number for each of {counted(count, 'column')}", option="mean", value=mean
        )
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
        raise wrong_count_of_names(len(known), count, f" of the {what} matrix")
    if isinstance(rows, bool) or not isinstance(rows, int | np.integer) or rows < 2:
        raise OptionError("must be a whole number, 2 or more", option="rows", value=rows)
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
    """The positions of wrong entries, row by row; `wrong` tells for a range of rows which entries are wrong."""
    for first in range(0, len(values), MATRIX_ROWS):
        faulty = wrong(slice(first, first + MATRIX_ROWS))
        if faulty.any():
            for x, y in np.argwhere(faulty).tolist():
                yield first + x, y


def _make_symmetric(values: Floats) -> None:
    """Replace each entry and its mirror image by their mean."""
    for first in range(0, len(values), MATRIX_ROWS):
        rows, rest = slice(first, first + MATRIX_ROWS), slice(first, None)
        mean = (values[rows, rest] + values[rest, rows].T) / 2
        values[rows, rest], values[rest, rows] = mean, mean.T


def _surely_semi_definite(values: Floats) -> bool:
    """A quick check, False if in doubt: there is a Cholesky factor once the tolerance is added to every eigenvalue."""
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
    """Raise DataError unless the entries are correlations of some data."""
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
