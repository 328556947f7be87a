"""The compliance suite of a data format: each check tests one promise of `DataFormat`."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ancestral.data import DataError, Table
from ancestral.data.read.batches import BATCH_ROWS
from ancestral.data.read.formats import FORMATS, DataFormat, format_of
from ancestral.data.read.streams import stream_of
from ancestral.data.read.text_options import TEXT_OPTIONS, TextOptions
from ancestral.data.stats.summarize import summarized
from ancestral.errors import OptionError
from ancestral.testing.checks import Check, checks_from, require, suite

__all__ = ["check_data_format", "checks_of_data_format"]

#: Rows of the file that is read some rows at a time: more than one batch.
ROWS = BATCH_ROWS + 1000

#: The columns of the files that are written, in their order.
COLUMNS = ("number", "word", "level", "count")

#: Rows of a file that is small enough to be read as a whole.
FEW = 40

#: Bytes that are not a file of any format: they hold zero bytes, so they are not text either.
GARBAGE = bytes(range(256)) * 8

#: A file is asked to have this many missing values in each column that has any.
GAPS = 3


def checks_of_data_format(name: str, write: Callable[[Any], bytes] | None = None) -> Iterator[Check]:
    """The checks of a format of data files, each of one promise of `ancestral.data.read.formats.DataFormat`.

    Args:
        name: The name of the format in `FORMATS`.
        write: Takes a polars frame with columns of numbers, of whole numbers and of text, some with missing values, and
            returns the bytes of a file; it is needed if the format cannot be written by ancestral.

    Yields:
        The checks.

    Examples:
        >>> check_data_format("parquet")
    """
    return checks_from(_CHECKS, _Subject(name, write))


check_data_format = suite(checks_of_data_format)


@dataclass
class _Subject:
    """A format and what writes its files."""

    name: str
    given_write: Callable[[Any], bytes] | None

    @cached_property
    def format(self) -> DataFormat:
        """The format of this name."""
        require(self.name in FORMATS, f"FORMATS has no format of the name {self.name!r}.")
        return FORMATS[self.name]

    def file(self, folder: str, content: Any) -> Path:
        """A file in a folder that holds a frame, or these bytes."""
        write = self.given_write or self.format.write
        require(write is not None, "It cannot be written: pass write=, a function from a frame to the bytes of a file.")
        assert write is not None
        path = Path(folder) / f"data{self.format.endings[0]}"
        path.write_bytes(content if isinstance(content, bytes) else write(content))
        return path

    def batches(self, path: Path, columns: Sequence[str]) -> list[Any]:
        """These columns of a file as frames of polars, some rows at a time."""
        opened = self.format.open_batches(path, path.name, TextOptions(), {})
        while True:
            frames = [batch.frame(tuple(columns)) for batch in opened.batches(columns)]
            if opened.settled:
                return frames


def _frame(rows: int, gaps: int = 0) -> Any:
    """A polars frame with columns of every kind, the first `gaps` values of some of which are missing."""
    import polars as pl

    rng = np.random.default_rng(1)
    numbers = rng.normal(size=rows) * 10.0 ** rng.integers(-200, 200, rows)
    frame = pl.DataFrame(
        {
            "number": numbers,
            "word": rng.choice(["plain", "two words", "a, b", "größer"], rows),
            "level": rng.integers(0, 4, rows),
            "count": rng.integers(-(2**40), 2**40, rows),
        }
    )
    present = pl.int_range(pl.len()) >= gaps
    return frame.with_columns(
        pl.when(present).then(pl.col(name)).otherwise(None).alias(name) for name in ("number", "word", "level")
    )


def _require_same(found: Table, frame: Any, what: str) -> None:
    """Require that a table has the columns of a frame, to the last bit."""
    expected = Table.of(frame, missing="testwise")
    require(found.rows == expected.rows, f"{what} has {found.rows} rows, and {expected.rows} were written.")
    for name in expected.names:
        one, two = found.column(name), expected.column(name)
        require(one.kind == two.kind, f"{what} has a {one.kind} column {name!r}, and a {two.kind} one was written.")
        same = one.levels == two.levels and np.array_equal(one.values, two.values, equal_nan=one.levels is None)
        require(same, f"{what} has other values in column {name!r} than were written.")


# -- the checks -------------------------------------------------------------------------------------------------------


def _endings(subject: _Subject) -> None:
    """The entry has the name of its key, and its endings tell files of the format from all others."""
    data_format = subject.format
    require(
        data_format.name == subject.name, f"It is {subject.name!r} in FORMATS and calls itself {data_format.name!r}."
    )
    require(bool(data_format.endings), "It has no endings.")
    for ending in data_format.endings:
        require(ending.startswith(".") and ending == ending.lower(), f"{ending!r} is not a dot and lower-case letters.")
        found = format_of(Path(f"data{ending}"))
        require(found is data_format, f"A file with the ending {ending!r} is taken for {found and found.name}.")


def _options(subject: _Subject) -> None:
    """It takes options among those of text files, and any other is refused."""
    data_format = subject.format
    require(data_format.options <= TEXT_OPTIONS, f"It takes {sorted(data_format.options - TEXT_OPTIONS)}.")
    values: dict[str, Any] = {"names": list(COLUMNS), "separator": ",", "decimal": ".", "encoding": "utf-8"}
    with tempfile.TemporaryDirectory() as folder:
        path = subject.file(folder, _frame(FEW))
        for option in sorted(TEXT_OPTIONS - data_format.options):
            try:
                Table.of(path, **{option: values[option]})
            except OptionError:
                continue
            raise AssertionError(f"It ignored {option}=.")


def _names(subject: _Subject) -> None:
    """The names of the columns are those of the file, in its order, read as a table and as a stream."""
    with tempfile.TemporaryDirectory() as folder:
        path = subject.file(folder, _frame(FEW))
        stream = stream_of([path])
        assert stream is not None
        for what, names in (("The table", Table.of(path).names), ("The stream", stream.names)):
            require(names == COLUMNS, f"{what} has the columns {', '.join(names)}, and not {', '.join(COLUMNS)}.")


def _table(subject: _Subject) -> None:
    """A table of the file has the rows, the kinds and the values that were written, to the last bit."""
    with tempfile.TemporaryDirectory() as folder:
        frame = _frame(FEW)
        _require_same(Table.of(subject.file(folder, frame)), frame, "The table")


def _missing_values(subject: _Subject) -> None:
    """Missing values are missing, read as a table and as a stream, and no other value is."""
    with tempfile.TemporaryDirectory() as folder:
        frame = _frame(FEW, GAPS)
        path = subject.file(folder, frame)
        _require_same(Table.of(path, missing="testwise"), frame, "The table")
        _require_same(Table.of([path], missing="testwise"), frame, "The stream")


def _stream(subject: _Subject) -> None:
    """Read some rows at a time, the file has the same rows as read at once."""
    with tempfile.TemporaryDirectory() as folder:
        frame = _frame(ROWS)
        path = subject.file(folder, frame)
        _require_same(Table.of([path]), frame, "The stream")


def _chosen_columns(subject: _Subject) -> None:
    """A stream of some columns, in any order, has these columns."""
    with tempfile.TemporaryDirectory() as folder:
        frame = _frame(FEW)
        path = subject.file(folder, frame)
        for columns in (["count", "word"], ["level"]):
            found = Table.of(iter(subject.batches(path, columns)))
            require(found.names == tuple(columns), f"Asked for {columns}, it gave {list(found.names)}.")
            _require_same(found, frame.select(columns), "The stream")


def _fingerprint(subject: _Subject) -> None:
    """The fingerprint of the rows is that of the frame that was written, read as a table and as a stream."""
    with tempfile.TemporaryDirectory() as folder:
        frame = _frame(FEW)
        path = subject.file(folder, frame)
        stream = stream_of([path])
        assert stream is not None
        expected = Table.of(frame).fingerprint
        require(Table.of(path).fingerprint == expected, "That of the table is another.")
        require(summarized(stream).fingerprint == expected, "That of the stream is another.")


def _damage(subject: _Subject) -> None:
    """A damaged file is refused by a `DataError` that names it, read as a table and as a stream."""
    with tempfile.TemporaryDirectory() as folder:
        whole = subject.file(folder, _frame(FEW)).read_bytes()
        for damage, content in (("garbage", GARBAGE), ("half a file and garbage", whole[: len(whole) // 2] + GARBAGE)):
            path = subject.file(folder, content)
            for what, source in (("a table", path), ("a stream", [path])):
                try:
                    Table.of(source)
                except DataError as error:
                    require(path.name in str(error), f"{damage}, as {what}: the error does not name the file: {error}")
                    continue
                except Exception as error:
                    raise AssertionError(f"{damage}, as {what}: it raised {type(error).__name__}: {error}") from error
                raise AssertionError(f"{damage} was read as {what}.")


_CHECKS: tuple[Callable[[_Subject], None], ...] = (
    _endings,
    _options,
    _names,
    _table,
    _missing_values,
    _stream,
    _chosen_columns,
    _fingerprint,
    _damage,
)
