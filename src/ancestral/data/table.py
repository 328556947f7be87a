"""Table: named columns, each continuous, discrete or ordinal, as a test of independence needs them.

>>> table = Table.of(np.array([[1.5, 0], [2.5, 1], [0.5, 1]]), names=["dose", "ill"])
>>> print(table.describe())
dose: continuous, 3 values
ill: discrete, 2 levels
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import names_list
from ancestral.data.column import Column
from ancestral.data.column_kinds import Chosen, Floats, Kind, Labels, chosen_kinds, is_number, kind_of_values, read_as
from ancestral.data.column_names import chosen_names, column_names, no_columns
from ancestral.data.design import Design, check_design_columns, design_columns, design_of
from ancestral.data.errors import DataError, DataWarning, NoRows, combined, infinite, without_values
from ancestral.data.fingerprint import fingerprint_of_rows
from ancestral.data.read import deadline
from ancestral.data.read.column_source import ColumnSource, OpenedTable
from ancestral.data.read.file_lists import checked_format, is_path, located
from ancestral.data.read.frame_sources import ArraySource, FrameSource
from ancestral.data.read.index_columns import UNNAMED, counts_rows, left_out, not_row_numbers
from ancestral.data.read.kinds import TABLE, kind_of_data
from ancestral.data.read.matrix_files import refuse_matrix
from ancestral.data.read.missing_words import WordCounts, among_labels
from ancestral.data.read.remarks import Remark, faults_in, told
from ancestral.data.read.streams import stream_of
from ancestral.data.read.text_options import TextOptions
from ancestral.data.row_hash import row_hash
from ancestral.errors import AncestralError, Option, OptionError, UnknownName, refuse_unknown
from ancestral.option_groups import with_options
from ancestral.options import Missing, TableKeywords, TableOptions
from ancestral.printing import counted, listed

__all__ = [
    "MANY_COMPLETE",
    "Reading",
    "Table",
    "chosen_variables",
    "is_index",
    "missing_fault",
    "opened_table",
    "read_columns",
    "read_table",
]

#: Columns whose missing values an error counts; of the others it gives the number.
MOST_COUNTED = 10

#: The share of complete rows from which on dropping the others loses little.
MANY_COMPLETE = 0.9

#: Labels of a row, in lower case, that sums up the others.
TOTALS = frozenset(("total", "totals", "grand total", "sum", "average", "mean", "summe", "gesamt", "mittelwert"))


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Columns of equal length with distinct names.

    Attributes:
        columns: The columns.
        dropped_rows: How many rows were left out as incomplete.
        notes: The warnings that reading gave about how values are written.
        design: The weights and clusters of the rows; None if there are none.

    Raises:
        DataError: If there are no columns, if they differ in length, or if two have one name.

    Examples:
        >>> import polars as pl
        >>> frame = pl.DataFrame({"age": [31.5, 45.0, None, 62.0], "site": ["a", "b", "a", "b"]})
        >>> table = Table.of(frame, missing="testwise")
        >>> table
        Table of 4 rows, 1 continuous and 1 discrete columns
        >>> table.names, table.rows, table.kinds, [column.name for column in table.columns]
        (('age', 'site'), 4, ('continuous', 'discrete'), ['age', 'site'])
        >>> table.has_missing, table.missing_counts(), table.dropped_rows, table.notes, table.design
        (True, {'age': 1, 'site': 0}, 0, (), None)
        >>> print(table.describe())
        age: continuous, 3 values, 1 missing
        site: discrete, 2 levels
        >>> complete = table.complete_rows()
        >>> complete.rows, complete.dropped_rows, complete.fingerprint == table.fingerprint
        (3, 1, False)
        >>> complete.continuous_matrix()[0].ravel(), complete.discrete_codes()[1]
        (array([31.5, 45. , 62. ]), (('a', 'b'),))
    """

    columns: tuple[Column, ...]
    dropped_rows: int = 0
    notes: tuple[DataWarning, ...] = ()
    design: Design | None = None
    _position: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        names = column_names(column.name for column in self.columns)
        if not names:
            raise no_columns()
        lengths = {column.values.shape[0] for column in self.columns}
        if len(lengths) > 1:
            raise DataError(f"the columns have different numbers of rows: {sorted(lengths)}; they must agree")
        object.__setattr__(self, "_position", {name: i for i, name in enumerate(names)})

    @classmethod
    @with_options(TableOptions)
    def of(cls, source: Any, **options: Unpack[TableKeywords]) -> "Table":
        """A table from a frame of pandas, polars or pyarrow, a numpy array, the path of a file, or a table.

        Sources that a search reads some rows at a time, such as `"visits/*.parquet"`, are read as a whole. A table that
        was made with `missing="testwise"` keeps its missing values when it is passed on.

        Args:
            source: The data.

        {options}

        Returns:
            The table.

        Raises:
            DataError: With all faults that reading the columns has shown.
            OptionError: If an option cannot be used.

        Examples:
            >>> import numpy as np
            >>> Table.of(np.array([[1.5, 2.5], [3.5, 4.5]]), names=["a", "b"])
            Table of 2 rows, 2 continuous columns
        """
        chosen, source = TableOptions.from_keywords("Table.of", options), located(source)
        refuse_matrix(source, chosen)
        chosen.refuse_unused(TABLE if isinstance(source, Table) else kind_of_data(source))
        if chosen.missing == "impute":
            raise OptionError(
                "fills gaps for the questions of a search, and a table holds the data as they are",
                option="missing",
                value="impute",
                assigned=True,
                way_out=[
                    "make the table with ",
                    Option("missing", "testwise"),
                    ", and pass it to discover() with ",
                    Option("missing", "impute"),
                ],
            )
        table, faults = read_table(source, chosen)
        if faults:
            raise combined(faults)
        assert table is not None
        return table

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

    @property
    def has_missing(self) -> bool:
        """Whether any value is missing."""
        return any(column.has_missing for column in self.columns)

    def column(self, name: str) -> Column:
        """The column of a name.

        Args:
            name: The name.

        Returns:
            The column, with its `values` and, unless it is continuous, its `levels`.

        Raises:
            UnknownName: If there is no such column.

        Examples:
            >>> import polars as pl
            >>> Table.of(pl.DataFrame({"site": ["a", "b", "a"]})).column("site").levels
            ('a', 'b')
        """
        if not isinstance(name, str) or name not in self._position:
            raise UnknownName(name, self.names, what="column")
        return self.columns[self._position[name]]

    def select(self, names: Sequence[str]) -> "Table":
        """The table with some of its columns.

        Args:
            names: The columns, in the order that they should have.

        Returns:
            The table.

        Raises:
            UnknownName: If one of them is not a column.
            DataError: If one of them is named twice, or there are none.

        Examples:
            >>> import numpy as np
            >>> Table.of(np.array([[1.5, 2.5], [3.5, 4.5]]), names=["a", "b"]).select(["b"]).names
            ('b',)
        """
        return replace(self, columns=tuple(self.column(name) for name in names_list("names", names)))

    def continuous_matrix(self) -> tuple[Floats, tuple[str, ...]]:
        """The continuous columns as the columns of one matrix (Fortran order), and their names.

        Returns:
            The matrix and the names.
        """
        chosen = [column for column in self.columns if column.levels is None]
        matrix = np.empty((self.rows, len(chosen)), dtype=np.float64, order="F")
        for i, column in enumerate(chosen):
            matrix[:, i] = column.values
        return matrix, tuple(column.name for column in chosen)

    def discrete_codes(self) -> tuple[NDArray[np.int32], tuple[tuple[str, ...], ...], tuple[str, ...]]:
        """The codes of the discrete columns as one matrix (Fortran order), the levels of each, and their names.

        Returns:
            The matrix, the levels and the names.
        """
        chosen = [(column, column.levels) for column in self.columns if column.levels is not None]
        codes = np.empty((self.rows, len(chosen)), dtype=np.int32, order="F")
        for i, (column, _) in enumerate(chosen):
            codes[:, i] = column.values
        return codes, tuple(levels for _, levels in chosen), tuple(column.name for column, _ in chosen)

    def missing_counts(self) -> dict[str, int]:
        """The number of missing values of each column.

        Returns:
            The numbers by name.
        """
        return {column.name: int(column.missing.sum()) if column.has_missing else 0 for column in self.columns}

    def complete_rows(self) -> "Table":
        """The table without the rows that have a missing value.

        Returns:
            The table.
        """
        gone = _incomplete(self.columns)
        count = int(gone.sum())
        if not count:
            return self
        return replace(self.keep(~gone), dropped_rows=self.dropped_rows + count)

    def keep(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> "Table":
        """The table with some of its rows, without levels that do not occur.

        Args:
            rows: A mask, or the numbers of the rows from 0 on.

        Returns:
            The table.

        Examples:
            >>> import numpy as np
            >>> import polars as pl
            >>> table = Table.of(pl.DataFrame({"site": ["a", "b", "c"]}))
            >>> table.keep(np.array([True, False, True])).column("site").levels
            ('a', 'c')
        """
        design = None if self.design is None else self.design.keep(rows)
        return replace(self, columns=tuple(column.keep(rows) for column in self.columns), design=design)

    def lengths(self, names: Sequence[str]) -> list[float]:
        """The root of the sum of squared deviations of some columns from their means.

        Args:
            names: The columns.

        Returns:
            A number for each column.

        Raises:
            UnknownName: If one of them is not a column.

        Examples:
            >>> import numpy as np
            >>> table = Table.of(np.array([[1.5, 2.5], [1.5, 4.5], [4.5, 8.5], [2.5, 1.5]]), names=["a", "b"])
            >>> round(table.lengths(["a"])[0] ** 2, 6)  # the mean is 2.5
            6.0
        """
        return [column.deviations.length for column in self.select(names).columns]

    @cached_property
    def fingerprint(self) -> str:
        """A fingerprint of names, kinds and values; neither the order of rows nor that of columns matters."""
        columns = {column.name: column.content for column in self.columns}
        kinds: dict[str, str] = {column.name: column.kind_and_order for column in self.columns}
        if self.design is not None:
            columns |= self.design.hashed
            kinds |= dict.fromkeys(self.design.hashed, "design")
        return fingerprint_of_rows(kinds, self.rows, row_hash(columns))

    def describe(self) -> str:
        """How each column was read, in a line each.

        Returns:
            The lines.
        """
        return "\n".join(column.describe() for column in self.columns)

    def __repr__(self) -> str:
        counts = [(self.kinds.count(kind), kind) for kind in ("continuous", "ordinal", "discrete")]
        parts = listed([f"{count} {kind}" for count, kind in counts if count], spell=str)
        dropped = f" ({self.dropped_rows} dropped)" if self.dropped_rows else ""
        columns = "column" if len(self.columns) == 1 else "columns"
        return f"Table of {counted(self.rows, 'row')}{dropped}, {parts} {columns}"


def _incomplete(columns: Sequence[Column]) -> NDArray[np.bool_]:
    """Which rows have a missing value."""
    gone = np.zeros(columns[0].values.shape[0], dtype=bool)
    for column in columns:
        if column.has_missing:
            gone |= column.missing
    return gone


def missing_fault(
    table: Table,
    missing: Missing,
    words: Callable[[Sequence[str]], WordCounts] | None = None,
    *,
    testwise: bool = True,
    impute: bool = False,
) -> DataError | None:
    """The error for missing values that are not to be kept and cannot be dropped; None if there is none.

    `testwise` tells whether the user may keep them instead, for questions that use the rows complete for them, and
    `impute` whether they may be imputed, which is proposed if many rows are incomplete. `words` finds the words that
    stand for missing values in some columns.
    """
    counts = {name: count for name, count in table.missing_counts().items() if count}
    if missing in ("testwise", "impute") or not counts:
        return None
    complete = table.rows - int(_incomplete(table.columns).sum())
    if missing == "drop" and complete:
        return None
    some = ", ".join(f"{name!r}: {count}" for name, count in list(counts.items())[:MOST_COUNTED])
    if len(counts) > MOST_COUNTED:
        some += f" and {counted(len(counts) - MOST_COUNTED, 'column')} more"
    fault = f"values are missing in {counted(len(counts), 'column')} of {counted(table.rows, 'row')} ({some})"
    labels = {
        name: levels for name in counts if (levels := table.column(name).levels) and not all(map(is_number, levels))
    }
    doubt = among_labels({} if words is None or not labels else words(list(labels)), labels)
    fewer: tuple[str | Option, ...] = (Option("drop"), " the columns with most missing values")
    keep: tuple[str | Option, ...] = (
        Option("missing", "testwise"),
        " to let each question use the rows that are complete for it",
    )
    if impute and testwise and complete < MANY_COMPLETE * table.rows:
        keep += ", or ", Option("missing", "impute"), " to fill the gaps from what was observed (docs/missing.md)"
    if not complete:
        ways_out = ("; pass ", *keep, ", or ", *fewer) if testwise else ("; ", *fewer)
        return DataError(f"{fault}, and no row is complete", *doubt, *ways_out)
    rows = f" to use the {counted(complete, 'row')} without missing values"
    begin = "; if the values are really missing, pass " if doubt else "; pass "
    return DataError(fault, *doubt, begin, Option("missing", "drop"), rows, *((", or ", *keep) if testwise else ()))


@dataclass(frozen=True)
class Reading:
    """What was read of a source, before anything is refused.

    - `names`: the columns that are variables, in their order.
    - `table`: those that can be read, with their missing values; None if there are none.
    - `column_faults`: why the others cannot be read, by name; `faults`: what is wrong beside.
    - `remarks` on how values are written; `kinds` are those that the user chose.
    - `words` finds the words that stand for missing values in some columns, if the source knows them.
    """

    names: tuple[str, ...]
    table: Table | None
    column_faults: Mapping[str, AncestralError]
    faults: Sequence[AncestralError]
    remarks: Sequence[Remark]
    kinds: Mapping[str, Chosen]
    words: Callable[[Sequence[str]], WordCounts] | None = None

    def missing_fault(self, missing: Missing, *, testwise: bool = True, impute: bool = False) -> DataError | None:
        """The error for missing values (`missing_fault`); where rows have weights or clusters, they cannot be kept."""
        if self.table is None:
            return None
        testwise = testwise and self.table.design is None
        return missing_fault(self.table, missing, self.words, testwise=testwise, impute=impute)


def read_columns(source: Any, options: TableOptions) -> Reading:
    """What can be read of a source. The options are those that it takes (`TableOptions.refuse_unused`)."""
    source = located(source)
    if isinstance(source, Table):
        names = chosen_variables(source.names, options)
        kinds = chosen_kinds(options.kinds, source.names)
        readable, unreadable = _gathered(names, lambda name: _as_kind(source.column(name), kinds.get(name)))
        design, faults = _design(source, options) if design_columns(options) else (source.design, [])
        return _reading(Reading(names, None, unreadable, faults, (), kinds), readable, design, source)
    opened, known, names = _opened(source, options)
    kinds = chosen_kinds(options.kinds, known)
    if not opened.rows:
        raise NoRows(names=known)
    indices = [name for name in names if is_index(name, known, options)]
    used = tuple(name for name in names if name not in indices)
    readable, unreadable = _gathered(used, lambda name: _column(opened, name, kinds.get(name)))
    remarks = list(opened.remarks)
    if indices:
        if _counts_rows(opened):
            remarks.append(left_out())
        else:
            used, unreadable[UNNAMED] = names, not_row_numbers()
    remarks += _totals(readable)
    design, faults = _design(opened, options) if design_columns(options) else (None, [])
    faults = [*faults_in(remarks, kinds), *faults]
    return _reading(Reading(used, None, unreadable, faults, remarks, kinds, opened.missing_words), readable, design)


def _reading(
    reading: Reading, readable: Sequence[Column], design: Design | None, source: Table | None = None
) -> Reading:
    """The reading with the table of the columns that can be read; `source` is the table that they come from, if any."""
    if not readable:
        return reading
    dropped, notes = (0, ()) if source is None else (source.dropped_rows, source.notes)
    table = Table(tuple(readable), dropped, notes, design)
    try:
        return replace(reading, table=_weighted(table))
    except DataError as fault:
        return replace(reading, table=replace(table, design=None), faults=[*reading.faults, fault])


def read_table(
    source: Any, options: TableOptions, *, testwise: bool = True, impute: bool = False
) -> tuple[Table | None, list[AncestralError]]:
    """The columns of a source that can be read, and the faults of the others and of missing values.

    The options are those that the source takes (`TableOptions.refuse_unused`).
    The table is None if no column can be read. If there are faults, missing values stay in the table whatever the
    options say. `testwise` and `impute` tell whether missing values may be kept, or imputed (`missing_fault`).
    """
    source, missing = located(source), options.missing
    if isinstance(source, Table):
        missing = "drop" if missing == "drop" else "testwise"
    reading = read_columns(source, options)
    faults = [*reading.column_faults.values(), *reading.faults]
    table = reading.table
    if table is None:
        if not faults:
            raise no_columns()
        return None, faults
    if (gaps := reading.missing_fault(missing, testwise=testwise, impute=impute)) is not None:
        faults.append(gaps)
    if faults:
        return table, faults
    if reading.remarks:
        table = replace(table, notes=told(reading.remarks, reading.kinds))
    return (table.complete_rows() if missing == "drop" else table), []


def is_index(name: str, known: Sequence[str], options: TableOptions) -> bool:
    """Whether a column is the first one, without a name of its own, and nobody asked for it."""
    asked = options.columns is not None or (isinstance(options.kinds, Mapping) and name in options.kinds)
    return name == UNNAMED == known[0] and len(known) > 1 and not asked


def _counts_rows(source: ColumnSource) -> bool:
    try:
        return counts_rows(source.column(UNNAMED, None))
    except DataError:
        return False


def _opened(source: Any, options: TableOptions) -> tuple[ColumnSource, tuple[str, ...], tuple[str, ...]]:
    """All rows of the chosen columns of a source, the names of all its columns, and those of the chosen ones."""
    stream = stream_of(source, options)
    if stream is not None:
        chosen = chosen_variables(stream.names, options)
        return stream.all_rows((*chosen, *design_columns(options))), stream.names, chosen
    opened = opened_table(source, options)
    chosen = chosen_variables(opened.names, options)
    if not chosen:
        raise no_columns()
    return opened.load((*chosen, *design_columns(options))), opened.names, chosen


def chosen_variables(known: tuple[str, ...], options: TableOptions) -> tuple[str, ...]:
    """The chosen columns, without those of weights and clusters."""
    extra = design_columns(options)
    refuse_unknown(extra, known, what="column")
    check_design_columns(options)
    return tuple(name for name in chosen_names(known, options.columns, options.drop) if name not in extra)


def _design(source: Any, options: TableOptions) -> tuple[Design | None, list[AncestralError]]:
    """The design of a source; None if it cannot be used, and then its fault."""
    try:
        return design_of(_Columns(source) if isinstance(source, Table) else source, options), []
    except DataError as fault:
        return None, [fault]


@dataclass(frozen=True)
class _Columns:
    """The columns of a table, as a source gives them."""

    table: Table

    def column(self, name: str, kind: Kind | None) -> Floats | Labels:
        return self.table.column(name).content

    def where(self, row: int) -> str:
        return f"row {row + 1}"


def _weighted(table: Table) -> Table:
    """The table without rows of weight 0. Raises DataError if all weights are 0."""
    if table.design is None or table.design.weights is None or table.design.weights.all():
        return table
    some = table.design.weights > 0
    if not some.any():
        raise DataError(f"all weights in column {table.design.weights_name!r} are 0; at least one row must count")
    return table.keep(some)


def opened_table(source: Any, options: TableOptions) -> OpenedTable:
    """A source that is read at once, of which nothing but the names of its columns is known yet."""
    text = TextOptions.of(options)
    if is_path(source):
        return checked_format(source).open_table(source, text)
    if isinstance(source, np.ndarray):
        return ArraySource(source, text.names, text.missing_typed)
    return FrameSource(source, text.missing_typed)


def _gathered(names: Sequence[str], read: Callable[[str], Column]) -> tuple[list[Column], dict[str, AncestralError]]:
    """The columns that can be read, and the faults of those that cannot, by name."""
    columns: list[Column] = []
    faults: dict[str, AncestralError] = {}
    for name in names:
        deadline.check()
        try:
            columns.append(read(name))
        except DataError as fault:
            faults[name] = fault
    return columns, faults


def _totals(columns: Sequence[Column]) -> list[Remark]:
    """A remark if a label of the last row, which no other row has, says that the row holds totals."""
    for column in columns:
        if column.levels is None or column.values[-1] < 0 or (column.values[:-1] == column.values[-1]).any():
            continue
        label = column.levels[column.values[-1]]
        if label.strip(" :").lower() in TOTALS:
            what = f"the last row seems to hold totals ({label!r} in column {column.name!r}); remove it from the data"
            return [Remark(None, DataWarning(what))]
    return []


def _as_kind(column: Column, kind: Chosen | None) -> Column:
    return column if kind is None else column.as_kind(kind)


def _column(source: ColumnSource, name: str, kind: Chosen | None) -> Column:
    """The column of that name, of the kind that the user chose or that its values have."""
    read = source.column(name, read_as(kind))
    if isinstance(read, Labels):
        column = Column.of_labels(name, read)
        if read.ordered:
            column = column.keep(np.arange(len(read.codes)))  # without categories that do not occur
        empty = not column.levels
    else:
        column = Column(name, read)
        empty = column.has_missing and bool(np.isnan(read).all())
        if not empty and not all(map(math.isfinite, column.extremes)):
            raise infinite(name, source.where(int(np.argmax(np.isinf(read)))))
        column = column.as_kind(kind_of_values(read) if kind is None else kind)
    if empty:
        raise without_values(name)
    return _as_kind(column, kind)
