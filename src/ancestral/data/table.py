"""Table: named columns, each continuous or discrete, as a test of independence needs them.

>>> table = Table.of(np.array([[1.5, 0], [2.5, 1], [0.5, 1]]), names=["dose", "ill"])
>>> print(table.describe())
dose: continuous, 3 values
ill: discrete, 2 levels
"""

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import names_list
from ancestral.data.errors import DataError, listed
from ancestral.data.fingerprint import fingerprint
from ancestral.data.kinds import (
    Floats,
    Kind,
    Labels,
    is_number,
    kind_of,
    labels_of_numbers,
    numbers_of_labels,
    wanted_kinds,
)
from ancestral.data.read import deadline
from ancestral.data.read.files import TextFile, open_file
from ancestral.data.read.frames import ArraySource, FrameSource, column_names
from ancestral.data.read.text import MISSING
from ancestral.data.stats.deviations import Deviations
from ancestral.errors import OptionError, UnknownName
from ancestral.graphs.names import by_name

__all__ = ["Column", "Missing", "Table"]

Missing: TypeAlias = Literal["refuse", "drop", "testwise"]


class Source(Protocol):
    """Anything that has named columns of numbers or labels."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    def where(self, row: int) -> str:
        """How a row, counted from 0, is called in an error."""

    def column(self, name: str, kind: Kind | None) -> Floats | Labels:
        """The column of that name as numbers or labels; `kind` is what the caller wants, if anything."""


@dataclass(frozen=True, eq=False)
class Column:
    """One variable: float64 values with NaN for missing, or int32 codes with -1 for missing and their levels."""

    name: str
    values: NDArray[np.float64] | NDArray[np.int32]
    levels: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        self.values.flags.writeable = False

    @property
    def kind(self) -> Kind:
        """`continuous` or `discrete`."""
        return "continuous" if self.levels is None else "discrete"

    @property
    def missing(self) -> NDArray[np.bool_]:
        """True where the value is missing."""
        return np.isnan(self.values) if self.levels is None else self.values < 0

    @cached_property
    def _span(self) -> tuple[float, float]:
        """The smallest and the largest number or code; NaN, which is contagious, where a number is missing."""
        return float(self.values.min()), float(self.values.max())

    @property
    def has_missing(self) -> bool:
        """Whether any value is missing: the same as `missing.any()`, but quicker to see."""
        if not self.values.size:
            return False
        return math.isnan(self._span[0]) if self.levels is None else self._span[0] < 0

    @property
    def present(self) -> NDArray[np.float64] | NDArray[np.int32]:
        """The values that are not missing."""
        return self.values[~self.missing] if self.has_missing else self.values

    @cached_property
    def extremes(self) -> tuple[float, float]:
        """The smallest and the largest of the values that are not missing; there is at least one."""
        if not self.has_missing:
            return self._span
        present = self.present
        return float(present.min()), float(present.max())

    @cached_property
    def deviations(self) -> Deviations:
        """How the numbers of a continuous column that are not missing lie about their mean."""
        return Deviations.of(np.asarray(self.present, dtype=np.float64))

    @property
    def underflows(self) -> bool:
        """Whether the numbers of a continuous column vary, but their squares are as good as 0."""
        return self.levels is None and bool(self.present.size) and self.deviations.underflows(*self.extremes)

    def as_kind(self, kind: Kind) -> "Column":
        """The same column as the other kind, if its values allow it."""
        if kind == self.kind:
            return self
        if self.levels is None:
            labels = labels_of_numbers(np.asarray(self.values, dtype=np.float64))
            return Column(self.name, labels.codes, labels.levels)
        codes = np.asarray(self.values, dtype=np.int32)
        return Column(self.name, numbers_of_labels(self.name, Labels(codes, self.levels)))

    def keep(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> "Column":
        """The column with some of its rows, chosen or by number; levels that occur no more are gone."""
        values = self.values[rows]
        if self.levels is None:
            return Column(self.name, values)
        used = np.zeros(len(self.levels) + 1, dtype=bool)
        used[values] = True  # -1 falls on the last
        used[-1] = False
        position = np.append(np.cumsum(used[:-1]) - 1, -1).astype(np.int32)
        return Column(self.name, position[values], tuple(n for n, u in zip(self.levels, used, strict=False) if u))

    def describe(self) -> str:
        """The column in a line: its kind, and how many values it takes."""
        gone = int(self.missing.sum())
        if self.levels is None:
            count, unit = np.unique(self.values[~self.missing]).size, "value"
        else:
            count, unit = len(self.levels), "level"
        plural = "s" if count != 1 else ""
        return f"{self.name}: {self.kind}, {count} {unit}{plural}" + (f", {gone} missing" if gone else "")


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Columns of equal length with distinct names."""

    columns: tuple[Column, ...]
    dropped_rows: int = 0  #: rows left out because a value was missing
    _position: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        names = column_names(column.name for column in self.columns)
        if not names:
            raise DataError("the table has no columns; choose some with columns=, or drop fewer")
        lengths = {column.values.shape[0] for column in self.columns}
        if len(lengths) > 1:
            raise DataError(f"the columns have different numbers of rows: {sorted(lengths)}; they must agree")
        object.__setattr__(self, "_position", {name: i for i, name in enumerate(names)})

    @classmethod
    def of(
        cls,
        source: Any,
        *,
        names: Sequence[str] | None = None,
        columns: Sequence[str] | str | None = None,
        drop: Sequence[str] | str | None = None,
        kinds: Mapping[str, str] | str | None = None,
        missing: Missing = "refuse",
        separator: str | None = None,
        decimal: str | None = None,
    ) -> "Table":
        """A table from a frame of pandas, polars or pyarrow, a numpy array, a path to a file, or a table.

        Sources that a search reads some rows at a time, such as `"visits/*.parquet"`, are read as a whole.

        `names` names the columns of an array, or of a file without a header. `columns` and `drop` choose variables.
        `kinds` overrules which columns are continuous or discrete: `{"stage": "continuous"}`, or one word for all.
        `missing` says what to do about missing values: "refuse" them, "drop" the rows that have any, or keep them so
        that each question uses the rows that are complete for it ("testwise"). A table that was made with "testwise"
        keeps its missing values when it is passed on. `separator` and `decimal` are for text files where they are not
        found rightly.
        """
        if missing not in ("refuse", "drop", "testwise"):
            raise OptionError(f"missing={missing!r} is not known; it is 'refuse', 'drop' or 'testwise'")
        from ancestral.data.read.streams import chunks_of

        chunks = chunks_of(source, names=names, separator=separator, decimal=decimal)
        if chunks is not None:
            whole = chosen_names(chunks.names, columns, drop)
            said = wanted_kinds(kinds, chunks.names)
            return cls._made(chunks.source(whole), whole, said, missing)
        is_path = isinstance(source, str | os.PathLike)
        if not is_path and not (separator is None and decimal is None):
            raise OptionError("separator= and decimal= are for text files; leave them out")
        if isinstance(source, Table):
            if names is not None:
                raise OptionError("names= is for arrays and files without header; a table has its names already")
            return source._refined(columns, drop, kinds, missing)
        opened: Source
        if is_path:
            opened = open_file(Path(os.fsdecode(source)), names=names, separator=separator, decimal=decimal)
        elif isinstance(source, np.ndarray):
            opened = ArraySource(source, names)
        elif names is not None:
            raise OptionError("names= is for arrays and files without header; rename the columns of the frame instead")
        else:
            opened = FrameSource(source)
        chosen = chosen_names(opened.names, columns, drop)
        wanted = wanted_kinds(kinds, opened.names)
        if isinstance(opened, TextFile) and chosen:
            opened.load(chosen)
        return cls._made(opened, chosen, wanted, missing)

    @classmethod
    def _made(cls, source: Source, names: Sequence[str], wanted: Mapping[str, Kind], missing: Missing) -> "Table":
        """The table of these columns of a source."""
        if names and not source.rows:
            raise DataError("the table has no rows; a search needs data")
        return cls(tuple(_column(source, name, wanted.get(name)) for name in names))._without_missing(missing)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in their order."""
        return tuple(self._position)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.columns[0].values.shape[0])

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of each column."""
        return tuple(column.kind for column in self.columns)

    def column(self, name: str) -> Column:
        """The column of that name."""
        if not isinstance(name, str) or name not in self._position:
            raise UnknownName(name, self.names, what="column")
        return self.columns[self._position[name]]

    def select(self, names: Sequence[str]) -> "Table":
        """The table with these columns, in this order."""
        return Table(tuple(self.column(name) for name in names_list("names", names)), self.dropped_rows)

    def continuous_matrix(self) -> tuple[Floats, tuple[str, ...]]:
        """The continuous columns as one matrix, a column a variable (Fortran order), and their names."""
        chosen = [column for column in self.columns if column.levels is None]
        matrix = np.empty((self.rows, len(chosen)), dtype=np.float64, order="F")
        for i, column in enumerate(chosen):
            matrix[:, i] = column.values
        return matrix, tuple(column.name for column in chosen)

    def discrete_codes(self) -> tuple[NDArray[np.int32], tuple[tuple[str, ...], ...], tuple[str, ...]]:
        """The codes of the discrete columns as one matrix (Fortran order), the levels of each, and their names."""
        chosen = [(column, column.levels) for column in self.columns if column.levels is not None]
        codes = np.empty((self.rows, len(chosen)), dtype=np.int32, order="F")
        for i, (column, _) in enumerate(chosen):
            codes[:, i] = column.values
        return codes, tuple(levels for _, levels in chosen), tuple(column.name for column, _ in chosen)

    def missing_counts(self) -> dict[str, int]:
        """How many values are missing in each column."""
        return {column.name: int(column.missing.sum()) if column.has_missing else 0 for column in self.columns}

    def complete_rows(self) -> "Table":
        """The table without the rows that have a missing value."""
        gone = self._incomplete()
        count = int(gone.sum())
        if not count:
            return self
        return Table(tuple(column.keep(~gone) for column in self.columns), self.dropped_rows + count)

    def lengths(self, names: Sequence[str]) -> list[float]:
        """How far the values of each of these columns are from its mean, all together."""
        return [column.deviations.length for column in self.select(names).columns]

    @cached_property
    def fingerprint(self) -> str:
        """A fingerprint of the content: names, kinds, levels and values; the order of columns does not matter."""
        parts: list[Any] = []
        for column in sorted(self.columns, key=lambda column: by_name(column.name)):
            levels = column.levels
            parts += [column.name, column.kind, *(() if levels is None else (len(levels), *levels)), column.values]
        return fingerprint("table", parts)

    def describe(self) -> str:
        """How each column was read, a line each."""
        return "\n".join(column.describe() for column in self.columns)

    def __repr__(self) -> str:
        counts = [(self.kinds.count(kind), kind) for kind in ("continuous", "discrete")]
        parts = " and ".join(f"{count} {kind}" for count, kind in counts if count)
        dropped = f" ({self.dropped_rows} dropped)" if self.dropped_rows else ""
        return f"Table of {self.rows} rows{dropped}, {parts} column{'s' if len(self.columns) > 1 else ''}"

    def _incomplete(self) -> NDArray[np.bool_]:
        gone = np.zeros(self.rows, dtype=bool)
        for column in self.columns:
            if column.has_missing:
                gone |= column.missing
        return gone

    def _refined(
        self,
        columns: Sequence[str] | str | None,
        drop: Sequence[str] | str | None,
        kinds: Mapping[str, str] | str | None,
        missing: Missing,
    ) -> "Table":
        wanted = wanted_kinds(kinds, self.names)
        chosen = [self.column(name) for name in chosen_names(self.names, columns, drop)]
        made = tuple(column.as_kind(wanted.get(column.name, column.kind)) for column in chosen)
        table = Table(made, self.dropped_rows)
        return table._without_missing("drop") if missing == "drop" else table

    def _without_missing(self, missing: Missing, *, testwise: bool = True) -> "Table":
        """The table after the missing values were treated as the caller wants, who may also want `testwise`."""
        if missing == "testwise":
            return self
        counts = {name: count for name, count in self.missing_counts().items() if count}
        if not counts:
            return self
        complete = self.rows - int(self._incomplete().sum())
        if missing == "drop" and complete:
            return self.complete_rows()
        most = 10
        shown = ", ".join(f"{name!r}: {count}" for name, count in list(counts.items())[:most])
        shown += f" and {len(counts) - most} columns more" if len(counts) > most else ""
        fault = f"values are missing in {len(counts)} of {len(self.columns)} columns, {self.rows} rows ({shown})"
        if any(not is_number(level) for name in counts for level in self.column(name).levels or ()):
            fault += "; in text, " + listed(MISSING, most=len(MISSING)) + " count as missing"
        drop = "drop= the columns with most gaps"
        other = 'missing="testwise" to let each question use the rows that are complete for it'
        if not complete:
            raise DataError(f"{fault}, and no row is complete; " + (f"pass {other}, or {drop}" if testwise else drop))
        other = f", or {other}" if testwise else ""
        raise DataError(f'{fault}; pass missing="drop" to use the {complete} rows that are complete{other}')


def chosen_names(
    known: tuple[str, ...], columns: Iterable[str] | str | None, drop: Iterable[str] | str | None
) -> tuple[str, ...]:
    """The names that `columns` and `drop` leave, in the order of `columns`."""
    everything = set(known)
    wanted = known if columns is None else column_names(names_list("columns", columns))
    unwanted = () if drop is None else names_list("drop", drop)
    for name in (*wanted, *unwanted):
        if name not in everything:
            raise UnknownName(name, known, what="column")
    gone = set(unwanted)
    return tuple(name for name in wanted if name not in gone)


def _column(source: Source, name: str, kind: Kind | None) -> Column:
    """The column of that name, of the kind that the caller or its values want."""
    deadline.check()
    read = source.column(name, kind)
    if isinstance(read, Labels):
        column = Column(name, read.codes, read.levels)
        none = not read.levels
    else:
        column = Column(name, read)
        none = column.has_missing and bool(np.isnan(read).all())
        if not none and not all(map(math.isfinite, column.extremes)):
            row = int(np.argmax(np.isinf(read)))
            raise DataError(
                f"column {name!r} holds infinite values, the first in {source.where(row)}; make them missing, "
                f"or leave the column out: drop=[{name!r}]"
            )
        column = column.as_kind(kind_of(read) if kind is None else kind)
    if none:
        raise DataError(f"column {name!r} has no values at all; leave it out: drop=[{name!r}]")
    return column if kind is None else column.as_kind(kind)
