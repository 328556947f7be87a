"""Tables with overlapping columns as one source: `combine()`, and what was measured together in them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import names_list
from ancestral.data.audit import examine
from ancestral.data.column import Column
from ancestral.data.column_kinds import Labels, in_level_order
from ancestral.data.disagreements import Disagreement, Measured, disagreements
from ancestral.data.doubts.row_doubts import row_doubts
from ancestral.data.errors import DataError, DataWarning, KindsOption, leave_out
from ancestral.data.errors import combined as combined_faults
from ancestral.data.libraries import Library, frame_of
from ancestral.data.table import Table, read_columns
from ancestral.errors import AncestralError, Option, OptionError, UnknownName, refuse_unknown
from ancestral.given_warnings import warn
from ancestral.graphs.names import by_name, quoted
from ancestral.options import TableKeywords, TableOptions
from ancestral.printing import counted, listed, shown_type

__all__ = ["Combined", "combine"]

#: Pairs that were never measured together, of which a text lists the first.
MOST_PAIRS = 20

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Combined:
    """Tables of one population that measured different columns; print it to see what was measured together.

    Attributes:
        tables: The names of the tables.
        columns: The columns of each table.
        rows: The number of rows of each table.
        table: All rows as one `Table`, in which the columns that a row's table lacks are missing.
        disagreements: Where two tables differ beyond chance.

    Examples:
        >>> import polars as pl
        >>> rng = np.random.default_rng(1)
        >>> clinic = pl.DataFrame(rng.standard_normal((50, 2)), schema=["a", "b"])
        >>> survey = pl.DataFrame(rng.standard_normal((60, 2)), schema=["b", "c"])
        >>> both = combine({"clinic": clinic, "survey": survey})
        >>> both.names, both.tables, both.columns, both.rows
        (('a', 'b', 'c'), ('clinic', 'survey'), (('a', 'b'), ('b', 'c')), (50, 60))
        >>> both.rows_together("a", "b"), both.rows_together("a", "c"), both.never
        (50, 0, (('a', 'c'),))
        >>> both.blocks, both.disagreements, both.table.rows
        ((('clinic', 'survey'),), (), 110)
        >>> both.to_frame().select("a", "b", "rows").rows()
        [('a', 'b', 50), ('a', 'c', 0), ('b', 'c', 60)]
    """

    tables: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    rows: tuple[int, ...]
    table: Table
    disagreements: tuple[Disagreement, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All columns, in the order in which the tables have them."""
        return self.table.names

    @cached_property
    def _there(self) -> Numbers:
        return np.column_stack([~column.missing for column in self.table.columns]).astype(np.int64)

    @cached_property
    def _together(self) -> Numbers:
        there = self._there.astype(np.float64)
        return np.rint(there.T @ there).astype(np.int64)

    def rows_together(self, a: str, b: str) -> int:
        """The number of rows that have both a and b.

        Args:
            a: A column.
            b: Another column.

        Returns:
            The number of rows.

        Raises:
            UnknownName: If one of them is not a column.
        """
        for name in (a, b):
            if name not in self.names:
                raise UnknownName(name, self.names, what="column")
        place = self.names.index
        return int(self._together[place(a), place(b)])

    @property
    def never(self) -> tuple[tuple[str, str], ...]:
        """The pairs of columns that no table has together, in the order of names."""
        return tuple(
            (a, b)
            for a, b in combinations(sorted(self.names, key=by_name), 2)
            if not any(a in table and b in table for table in self.columns)
        )

    @property
    def blocks(self) -> tuple[tuple[str, ...], ...]:
        """The tables that hang together by shared columns; more than one block if some share none with the others."""
        left, out = list(range(len(self.tables))), []
        while left:
            block, names = [left.pop(0)], set[str]()
            while block and names != (names := names.union(*(self.columns[i] for i in block))):
                block += [i for i in left if names & set(self.columns[i])]
                left = [i for i in left if i not in block]
            out.append(tuple(self.tables[i] for i in sorted(block)))
        return tuple(out)

    def to_frame(self, *, library: Library = "polars") -> Any:
        """A frame with a row for each pair of columns.

        Args:
            library: "polars", "pandas" or "pyarrow".

        Returns:
            A frame with the columns `a`, `b`, `rows` that have both, and the `tables` that do.

        Raises:
            OptionError: If there is no such library.
        """
        pairs = list(combinations(sorted(self.names, key=by_name), 2))
        tables = [
            ", ".join(name for name, own in zip(self.tables, self.columns, strict=True) if a in own and b in own)
            for a, b in pairs
        ]
        content = {
            "a": [a for a, _ in pairs],
            "b": [b for _, b in pairs],
            "rows": [self.rows_together(a, b) for a, b in pairs],
            "tables": tables,
        }
        return frame_of(content, library)

    def __str__(self) -> str:
        lines = [f"{counted(len(self.tables), 'table')}, {counted(self.table.rows, 'row')}, " + _columns(self.names)]
        lines += [
            f"  {name}: {counted(rows, 'row')}, {_columns(own)}: {listed(own, most=10, spell=quoted)}"
            for name, rows, own in zip(self.tables, self.rows, self.columns, strict=True)
        ]
        pairs = [(self.rows_together(a, b), a, b) for a, b in combinations(sorted(self.names, key=by_name), 2)]
        seen = [rows for rows, a, b in pairs if (a, b) not in set(self.never)]
        if seen:
            rows = f"{min(seen):,}" if min(seen) == max(seen) else f"{min(seen):,} to {max(seen):,}"
            lines.append(f"measured together: {counted(len(seen), 'pair')}, each in {rows} rows (.to_frame())")
        if never := self.never:
            some = ", ".join(f"{quoted(a)}–{quoted(b)}" for a, b in never[:MOST_PAIRS])
            more = f" and {len(never) - MOST_PAIRS:,} more" * (len(never) > MOST_PAIRS)
            lines.append(f"never measured together: {some}{more}")
        if len(self.blocks) > 1:
            lines.append(f"without a shared column: {'; '.join(' and '.join(block) for block in self.blocks)}")
        lines += [f"{disagreement}" for disagreement in self.disagreements]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Combined: {counted(len(self.tables), 'table')}, {_columns(self.names)}>"


def combine(
    tables: Mapping[str, Any] | Iterable[Any], *, kinds: Mapping[str, Any] | None = None, drop: Any = None
) -> Combined:
    """Combine tables that measured different, overlapping sets of columns on different rows of one population.

    Every question is then asked of the rows of the tables that have all its columns, and a question for which there is
    no such table has no answer. Missing values within a table are left out question by question, as with
    `missing="testwise"` (docs/missing.md, docs/combine.md).

    Args:
        tables: Frames of any library, paths or `Table`s, in a dictionary by name, or in a list. Other options of
            reading go to `an.Table.of(path, missing="testwise", separator=";")`, which makes such a table.
        kinds: As in `discover`; it may name columns of any table.
        drop: As in `discover`, likewise.

    Returns:
        A `Combined`, for `discover`, `stages`, `sweep` and `bootstrap`.

    Raises:
        DataError: With the name of the table, if a table cannot be read, has faults, or has a single column, or if a
            column is numbers in one table and labels in another.
        OptionError: If an option cannot be used.
        UnknownName: If `kinds` or `drop` names a column that no table has.

    Warns:
        DataWarning: If tables disagree about a shared column beyond chance, or if some share no column with the others.

    Examples:
        >>> import numpy as np
        >>> import polars as pl
        >>> rng = np.random.default_rng(1)
        >>> a, b, c = rng.standard_normal((3, 200))
        >>> both = combine({"clinic": pl.DataFrame({"a": a, "b": a + b}), "survey": pl.DataFrame({"b": a + c, "c": c})})
        >>> print(both)
        2 tables, 400 rows, 3 columns
          clinic: 200 rows, 2 columns: a and b
          survey: 200 rows, 2 columns: b and c
        measured together: 2 pairs, each in 200 rows (.to_frame())
        never measured together: a–c
    """
    named = _named(tables)
    chosen, left_out = _checked_kinds(kinds), () if drop is None else names_list("drop", drop)
    read = {name: _read(name, source, chosen, left_out) for name, source in named.items()}
    known = list(dict.fromkeys(column for table in read.values() for column in table.names))
    refuse_unknown([name for name in chosen if name not in left_out], known, what="column")
    if left_out:
        sources = [*known, *(name for source in named.values() for name in _names(source))]
        refuse_unknown(left_out, list(dict.fromkeys(sources)), what="column")
    for name, table in read.items():
        _audit(name, table)
    kinds_agree(read)
    levels = {column: _levels(column, read) for column in known}
    aligned = {name: _aligned(table, levels) for name, table in read.items()}
    combined = Combined(
        tuple(read),
        tuple(table.names for table in read.values()),
        tuple(table.rows for table in read.values()),
        _stacked(known, list(aligned.values()), levels),
        disagreements([Measured(name, columns) for name, columns in aligned.items()]),
    )
    for told in _doubts(combined):
        warn(told, stacklevel=2)
    return combined


def _columns(names: Sequence[str]) -> str:
    return counted(len(names), "column")


# -- reading -----------------------------------------------------------------------------------------------------------


def _named(tables: Any) -> dict[str, Any]:
    """The tables by name; those of a list are named after their files, or by number."""
    if isinstance(tables, Mapping):
        named = {str(name): table for name, table in tables.items()}
    elif isinstance(tables, list | tuple):
        named = {}
        for number, table in enumerate(tables, 1):
            name = PurePath(table).name if isinstance(table, str | PurePath) else f"table {number}"
            if name in named:
                raise OptionError(
                    f"must have different names, and two are called {name!r}",
                    option="tables",
                    way_out="pass a dictionary, {name: table}, that gives each a name",
                )
            named[name] = table
    else:
        raise OptionError(
            f"must be in a dictionary by name or in a list, got {shown_type(tables)}",
            option="tables",
            way_out="one table alone goes to discover()",
        )
    if len(named) < 2:
        raise OptionError(
            f"must be at least two, got {len(named)}", option="tables", way_out="one table alone goes to discover()"
        )
    return named


def _checked_kinds(kinds: Any) -> dict[str, Any]:
    if kinds is None:
        return {}
    if not isinstance(kinds, Mapping):
        raise OptionError(
            "must be a dictionary from columns to kinds", option="kinds", value=kinds, way_out='as in {"q": "ordinal"}'
        )
    return {str(name): kind for name, kind in kinds.items()}


def _read(name: str, source: Any, kinds: Mapping[str, Any], drop: Sequence[str]) -> Table:
    """One of the tables; faults name it."""
    try:
        table = _opened(source, kinds, drop)
    except AncestralError as error:
        raise DataError(f"table {name!r}: ", *error.args) from None
    if table.design is not None:
        raise DataError(f"table {name!r}: its rows have weights or clusters, which cannot be combined; leave them out")
    if len(table.names) < 2:
        raise DataError(
            f"table {name!r}: it has a single column, {table.names[0]!r}, and answers no question about how columns "
            "depend on each other; leave the table out"
        )
    return table


def _opened(source: Any, kinds: Mapping[str, Any], drop: Sequence[str]) -> Table:
    """The table of a source, with those of the kinds, and without those columns, that it has."""
    if not kinds and not drop:
        return Table.of(source, missing="testwise")
    names = _names(source)
    own = [name for name in drop if name in names]
    if len(own) == len(names):
        raise DataError("all its columns are left out; leave the table out instead")
    options: TableKeywords = {"missing": "testwise"}
    if chosen := {name: kind for name, kind in kinds.items() if name in names}:
        options["kinds"] = chosen
    if own:
        options["drop"] = own
    return Table.of(source, **options)


def _names(source: Any) -> tuple[str, ...]:
    """The columns of a source, also those that cannot be read."""
    return read_columns(source, TableOptions(missing="testwise")).names


def _audit(name: str, table: Table) -> None:
    """Raise DataError for faults of one table, and warn of doubts; a column may have a single value in one of them."""
    findings = examine(table)
    constant = [column for column in table.columns if _is_constant(column)]
    if constant:
        left = [column.name for column in table.columns if column not in constant]
        errors = examine(table.select(left)).errors if left else ()
    else:
        errors = findings.errors
    if errors:
        raise DataError(f"table {name!r}: ", *combined_faults(errors).args)
    for doubt in (*findings.warnings, *row_doubts(table)):
        warn(DataWarning(f"table {name!r}: ", *doubt.args), stacklevel=3)


def _is_constant(column: Column) -> bool:
    return len(np.unique(column.present)) < 2


# -- making one table --------------------------------------------------------------------------------------------------


def kinds_agree(read: Mapping[str, Table]) -> None:
    """Raise DataError if a column is of one kind in one table, and of another kind in another."""
    first: dict[str, tuple[str, str]] = {}
    for name, table in read.items():
        for column in table.columns:
            known, kind = first.setdefault(column.name, (name, column.kind))
            if kind != column.kind:
                raise DataError(
                    f"column {column.name!r} is {_in_words(kind)} in table {known!r} and {_in_words(column.kind)} in "
                    f"table {name!r}; say what it is with ",
                    KindsOption({column.name: "continuous" if "continuous" in (kind, column.kind) else "discrete"}),
                    ", rename it in one of them, or ",
                    *leave_out(column.name),
                )


def _in_words(kind: str) -> str:
    return {"continuous": "numbers", "discrete": "labels", "ordinal": "ordered levels"}[kind]


def _levels(name: str, read: Mapping[str, Table]) -> tuple[str, ...] | None:
    """The levels that a column has in any table; None for numbers. Ordered levels must have the same order."""
    columns = [(table, own.column(name)) for table, own in read.items() if name in own.names]
    if columns[0][1].levels is None:
        return None
    every = list(dict.fromkeys(level for _, column in columns for level in column.levels or ()))
    if not columns[0][1].ordered:
        return tuple(in_level_order(tuple(every)))
    whole = max((column.levels or () for _, column in columns), key=len)
    for table, column in columns:
        if [level for level in whole if level in (column.levels or ())] != list(column.levels or ()):
            raise DataError(
                f"column {name!r} has the ordered levels {listed(whole)} in one table and "
                f"{listed(column.levels or ())} in table {table!r}; give their order with ",
                Option("kinds", {name: [*whole]}),
            )
    return whole


def _aligned(table: Table, levels: Mapping[str, tuple[str, ...] | None]) -> dict[str, Column]:
    """The columns of a table, labels with the levels of all tables."""
    out = {}
    for column in table.columns:
        every = levels[column.name]
        if every is not None and column.levels is not None:
            place = np.array([*(every.index(level) for level in column.levels), -1], dtype=np.int32)
            column = Column.of_labels(column.name, Labels(place[column.values], every, column.ordered))
        out[column.name] = column
    return out


def _stacked(
    names: Sequence[str], tables: Sequence[dict[str, Column]], levels: Mapping[str, tuple[str, ...] | None]
) -> Table:
    """All rows; where a table lacks a column, it is missing."""
    rows = [len(next(iter(table.values())).values) for table in tables]
    columns = []
    for name in names:
        every = levels[name]
        gap: Any = np.nan if every is None else np.int32(-1)
        parts = [
            table[name].values if name in table else np.full(count, gap)
            for table, count in zip(tables, rows, strict=True)
        ]
        ordered = any(name in table and table[name].ordered for table in tables)
        values = np.concatenate(parts)
        if every is None:
            columns.append(Column(name, np.asarray(values, dtype=np.float64)))
        else:
            columns.append(Column.of_labels(name, Labels(values.astype(np.int32), every, ordered)))
    return Table(tuple(columns))


def _doubts(combined: Combined) -> Iterable[DataWarning]:
    if len(combined.blocks) > 1:
        blocks = "; ".join(" and ".join(map(repr, block)) for block in combined.blocks)
        yield DataWarning(
            f"the tables fall into {len(combined.blocks)} groups that share no column ({blocks}), so nothing is "
            "learned between them; search each group for itself, or add a table that links them"
        )
    if combined.disagreements:
        told = "; ".join(disagreement.text for disagreement in combined.disagreements[:5])
        more = f" and {len(combined.disagreements) - 5} more" * (len(combined.disagreements) > 5)
        yield DataWarning(
            f"{told}{more} (.disagreements); they may not be samples of one population, and then the graph mixes both: "
            "leave out the table or the column, or make units and labels the same"
        )
