"""Rows of series: the values of the processes, and the unit and the time of each row, read from any source."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from ancestral.data.column_kinds import Floats, Kind, Labels, labels_of_numbers, labels_of_text
from ancestral.data.errors import DataError
from ancestral.data.read.column_source import ColumnSource
from ancestral.data.read.file_lists import FileList, labels_of, located
from ancestral.data.read.frame_sources import FrameSource
from ancestral.data.read.kinds import TABLE, is_stream, kind_of_data, package_of
from ancestral.data.read.matrix_files import refuse_matrix
from ancestral.data.read.remarks import Remark
from ancestral.data.read.streams import stream_of
from ancestral.data.series.times import Times, times_of
from ancestral.data.table import Reading, Table, opened_table, read_columns
from ancestral.errors import Option, OptionError, refuse_unknown
from ancestral.options import TableOptions
from ancestral.printing import counted, shown_type

__all__ = ["SeriesRows", "check_columns", "read_rows"]

#: Whole numbers up to this are exact as floating point numbers.
EXACT = 1 << 53


@dataclass(frozen=True, eq=False)
class SeriesRows:
    """The rows of series as they were given.

    - `reading`: the columns of the processes, before anything is refused.
    - `units`: the unit of each row; None if all rows are of one unit that has no name.
    - `times`: the time of each row; None if rows are in the order of time.
    - `where` tells how errors name a row.
    """

    reading: Reading
    units: Labels | None
    times: Times | None
    where: Callable[[int], str]


def check_columns(time: str | None, unit: str | None, options: TableOptions) -> None:
    """Raise `OptionError` if one column is to be both time and unit, or for options that series do not take."""
    if time is not None and time == unit:
        raise OptionError(
            ["cannot be combined with ", Option("unit", unit), ": one column cannot be both"],
            option="time",
            value=time,
            assigned=True,
            way_out="name another column, or leave one of the two out",
        )
    for name in ("weights", "clusters"):
        if (given := getattr(options, name)) is not None:
            raise OptionError(
                "does not apply to series, whose windows all count alike",
                option=name,
                value=given,
                assigned=True,
                way_out=["leave ", Option(name), " out; ", Option("unit"), " names the rows that belong together"],
            )


def read_rows(source: Any, options: TableOptions, time: str | None, unit: str | None) -> SeriesRows:
    """The rows of a source whose rows are all read at once: a frame, an array, files, or a list of frames or arrays.

    The items of a list or dictionary, and files, are a unit each, unless a column tells the units. Raises DataError or
    `OptionError` for times and units that cannot be used; faults of the processes are in the reading.
    """
    parts = _parts_of(source, time, unit)
    if unit is not None:
        parts = replace(parts, names=None)
    _refuse_options(parts, options)
    beside = tuple(name for name in (time, unit) if name is not None)
    columns = _columns_beside(parts.source, options, beside)
    drop = (*(options.drop or ()), *beside)
    reading = read_columns(parts.source, replace(options, drop=drop or None))
    if columns is not None and reading.table is not None and columns.rows != reading.table.rows:
        raise DataError("the source has changed while it was read; wait until it is complete, and read it again")
    where = (lambda row: f"row {row + 1}") if columns is None else columns.where
    times = None if time is None or columns is None else times_of(columns, time)
    units = None if unit is None or columns is None else _units(columns, unit)
    if parts.names is not None:
        sizes = parts.sizes(options)
        units = Labels(np.repeat(np.arange(len(sizes)), sizes), parts.names)
        where = where if parts.counts is None else _named_by_part(parts.names, sizes)
    return SeriesRows(reading, units, times, where)


@dataclass(frozen=True)
class _Parts:
    """A source that is read as one table, and the names of its parts if each is a unit.

    `counts` are the rows of each part; those of files are not known before they are read.
    """

    source: Any
    names: tuple[str, ...] | None = None
    counts: tuple[int, ...] | None = None

    def sizes(self, options: TableOptions) -> tuple[int, ...]:
        """The rows of each part; files are opened again to count them."""
        if self.counts is not None:
            return self.counts
        assert isinstance(self.source, FileList)
        opened = [opened_table(path, options) for path in self.source.paths]
        return tuple(one.load(one.names[:1]).rows for one in opened)


def _parts_of(source: Any, time: str | None, unit: str | None) -> _Parts:
    """What a source is made of. Raises DataError for what has no order."""
    if isinstance(source, Mapping) and source and all(map(_is_part, source.values())):
        parts = _parts_of(list(source.values()), time, unit)
        return replace(parts, names=tuple(map(str, source)))
    if isinstance(source, Mapping | set | frozenset):
        raise DataError(
            f"{shown_type(source)} is not a table, and its items have no order; pass a frame, an array, the path of a "
            "file, or a list or dictionary of frames, one for each unit"
        )
    if isinstance(source, list | tuple) and source and all(isinstance(part, np.ndarray) for part in source):
        return _joined_arrays(source)
    source = located(source)
    if isinstance(source, FileList):
        return _Parts(source, tuple(labels_of(source.paths)))
    if isinstance(source, list | tuple) and is_stream(source):
        frames = [_with_index(frame, time, unit) for frame in source]
        names = tuple(str(i) for i in range(1, len(frames) + 1))
        return _Parts(_joined(frames), names, tuple(int(frame.shape[0]) for frame in frames))
    if isinstance(source, Path | np.ndarray | Table):
        return _Parts(source)
    if not is_stream(source):
        return _Parts(FrameSource(_with_index(source, time, unit)).frame.to_native())  # a lazy frame is collected once
    if time is None and package_of(source) in ("duckdb", "_duckdb"):
        raise OptionError(
            "must name the column that orders the rows: those of a relation of DuckDB have no order of their own",
            option="time",
            value=None,
            way_out="name the column of times, or pass a frame whose rows are in the order of time",
        )
    return _Parts(_joined(source))


def _is_part(item: object) -> bool:
    """Whether an item of a dictionary is a frame or an array."""
    return isinstance(item, np.ndarray) or (hasattr(item, "columns") and hasattr(item, "shape"))


def _joined_arrays(arrays: Sequence[Any]) -> _Parts:
    """Arrays of two dimensions with equally many columns as one."""
    for number, array in enumerate(arrays, start=1):
        if array.ndim != 2 or array.shape[1] != arrays[0].shape[1]:
            raise OptionError(
                f"arrays of a list must have two dimensions, steps and variables, and equally many columns, and array "
                f"{number} has the shape {array.shape} beside {arrays[0].shape}; pass arrays of the same columns"
            )
    masked = any(isinstance(one, np.ma.MaskedArray) for one in arrays)
    whole: Any = np.ma.concatenate(arrays) if masked else np.concatenate(arrays)  # type: ignore[no-untyped-call]
    return _Parts(whole, tuple(str(i) for i in range(1, len(arrays) + 1)), tuple(len(array) for array in arrays))


def _joined(source: Any) -> Any:
    """All rows of a source that comes in parts, read once, as one frame of polars."""
    stream = stream_of(source)
    assert stream is not None
    rows = stream.all_rows(stream.names)
    assert isinstance(rows, FrameSource)
    return rows.frame.to_native()


def _with_index(frame: Any, time: str | None, unit: str | None) -> Any:
    """A frame of pandas with the levels of its index as columns that are named as time or unit."""
    if package_of(frame) != "pandas" or not hasattr(frame, "columns"):
        return frame
    levels = [name for name in (time, unit) if name in list(frame.index.names) and name not in list(frame.columns)]
    return frame.reset_index(level=levels) if levels and None not in levels else frame


def _refuse_options(parts: _Parts, options: TableOptions) -> None:
    """Refuse options that the source does not take, and the files of matrices."""
    refuse_matrix(parts.source, options)
    options.refuse_unused(TABLE if isinstance(parts.source, Table) else kind_of_data(parts.source))


def _columns_beside(source: Any, options: TableOptions, names: tuple[str, ...]) -> ColumnSource | None:
    """The columns of times and units, which are not variables; None if there are none."""
    if not names:
        return None
    if isinstance(source, Table):
        refuse_unknown(names, source.names, what="column")
        return _OfTable(source)
    stream = stream_of(source, options)
    if stream is not None:
        refuse_unknown(names, stream.names, what="column")
        return stream.all_rows(names)
    opened = opened_table(source, options)
    refuse_unknown(names, opened.names, what="column")
    return opened.load(names)


@dataclass(frozen=True)
class _OfTable:
    """The columns of a table, as a source gives them."""

    table: Table
    remarks: tuple[Remark, ...] = ()

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.table.rows

    def missing_words(self, names: Sequence[str]) -> dict[str, dict[str, int]]:
        """How often words stand for missing values: none does in a table."""
        return {}

    def where(self, row: int) -> str:
        """How errors name a row: by its number, counted from 1."""
        return f"row {row + 1}"

    def column(self, name: str, kind: Kind | None) -> Floats | Labels:
        """The column of that name as the table has it."""
        return self.table.column(name).content


def _units(source: ColumnSource, name: str) -> Labels:
    """The units in a column. Raises DataError if one is missing, or if each row has a unit of its own."""
    units = _large_numbers(source, name)
    if units is None:
        read = source.column(name, "discrete")
        units = read if isinstance(read, Labels) else labels_of_numbers(read)
    if (units.codes < 0).any():
        row = int(np.argmax(units.codes < 0))
        raise DataError(
            f"every row must belong to a unit, and column {name!r} is missing in {source.where(row)}; fill it in, or "
            "remove the row"
        )
    if len(units.codes) > 1 and np.unique(units.codes).size == len(units.codes):
        raise DataError(
            f"column {name!r} has a different value in each of {counted(len(units.codes), 'row')}, so no unit has two "
            "steps; name the column that tells which rows belong to one series, or leave ",
            Option("unit"),
            " out if all rows do",
        )
    return units


def _large_numbers(source: ColumnSource, name: str) -> Labels | None:
    """Whole numbers that floating point numbers cannot tell apart, as labels; None if a column holds others."""
    import narwhals as nw
    import polars as pl

    if not isinstance(source, FrameSource):
        return None
    series = source.frame.get_column(source.frame.columns[source.names.index(name)])
    if not series.dtype.is_integer() or not len(series) or max(abs(series.min() or 0), abs(series.max() or 0)) <= EXACT:
        return None
    return labels_of_text(pl.Series(series.cast(nw.String).to_list(), dtype=pl.String))


def _named_by_part(names: Sequence[str], sizes: Sequence[int]) -> Callable[[int], str]:
    """How errors name a row of parts that are a unit each."""
    starts = [0, *accumulate(sizes)]

    def where(row: int) -> str:
        part = bisect_right(starts, row) - 1
        return f"row {row - starts[part] + 1} of unit {names[part]!r}"

    return where
