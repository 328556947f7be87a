"""Files that a library reads as frames: all rows at once, or some rows at a time."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ancestral.data.column_names import column_names
from ancestral.data.read.batches import BATCH_ROWS, Batch, Place
from ancestral.data.read.deadline import patiently
from ancestral.data.read.delimited import Modes
from ancestral.data.read.frame_sources import FrameSource
from ancestral.data.read.guards import reading_by_others
from ancestral.data.read.missing_values import MissingValues
from ancestral.data.read.notations import Notation, numbers_in
from ancestral.data.read.path_checks import open_regular, shown_path
from ancestral.data.read.remarks import Remark
from ancestral.data.read.text_options import TextOptions
from ancestral.data.read.written_numbers import like_codes, remark_on_codes, remarks_on

__all__ = ["FrameReader"]


@dataclass(frozen=True)
class FrameReader:
    """The functions of a format; see `formats.frame_format`."""

    data_format: str
    read: Callable[[Path], Any]
    names: Callable[[Path], Iterable[object]] | None = None
    batches: Callable[[Path, list[str], int], Iterable[Any]] | None = None
    untyped: bool = False
    remarks: Callable[[Path], list[Remark]] | None = None

    def open_table(self, path: Path, options: TextOptions) -> FrameSource:
        """All rows of a file."""
        with reading_by_others(shown_path(path.name), self.data_format), open_regular(path):
            whole = self.whole(path, options)
            source = FrameSource(
                whole.frame, whole.missing, ours=True, takes_decimal=not self.untyped, from_file=self.untyped
            )
            source.remarks.extend(whole.remarks)
            return source

    def whole(self, path: Path, options: TextOptions) -> "Whole":
        """All rows of a file as a frame; where cells have no types, columns of numbers are made of text."""
        frame = patiently(lambda: self.read(path))
        remarks = [] if self.remarks is None else self.remarks(path)
        if not self.untyped:
            return Whole(frame, options.missing_typed, remarks)
        typed, more = with_numbers(frame, options.missing)
        return Whole(typed, options.missing, [*remarks, *more])

    def open_batches(self, path: Path, label: str, options: TextOptions, modes: Modes) -> "FrameBatches":
        """A file that is read some rows at a time."""
        return FrameBatches(self, path, label, options)


@dataclass(frozen=True)
class Whole:
    """All rows of a file, what counts as missing in it, and what its user must know."""

    frame: Any
    missing: MissingValues
    remarks: list[Remark]


class FrameBatches:
    """One file of a source that is read some rows at a time."""

    settled = True  #: what the columns are is known from the beginning

    def __init__(self, reader: FrameReader, path: Path, label: str, options: TextOptions) -> None:
        self._reader = reader
        self._path = path
        self._options = options
        self.label = label
        self.remarks: list[Remark] = []
        with reading_by_others(label, reader.data_format), open_regular(path):
            self.names = column_names(Batch(reader.read(path)).names if reader.names is None else reader.names(path))

    def missing_words(self, names: Sequence[str]) -> dict[str, dict[str, int]]:
        """How often each word stands for a missing value in these columns: none does in columns that have a type."""
        return {}

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """These columns, some rows at a time."""
        place = Place(0, self.label)
        with reading_by_others(self.label, self._reader.data_format), open_regular(self._path):
            missing, frames = self._frames(list(columns))
            for frame in frames:
                batch = Batch(frame, place, missing)
                if batch.rows:
                    yield batch
                place = place.after(batch.rows)

    def _frames(self, columns: list[str]) -> tuple[MissingValues, Iterable[Any]]:
        if self._reader.batches is None:
            whole = self._reader.whole(self._path, self._options)
            self.remarks = whole.remarks
            return whole.missing, [whole.frame]
        return self._options.missing_typed, self._reader.batches(self._path, columns, BATCH_ROWS)


def with_numbers(frame: Any, missing: MissingValues) -> tuple[Any, list[Remark]]:
    """A frame of polars with numbers in the place of text, in columns whose text consists of numbers; and remarks."""
    import polars as pl

    columns: list[pl.Series] = []
    remarks: list[Remark] = []
    for name in frame.columns:
        column = frame[name]
        if column.dtype == pl.String:
            bare = missing.cleaned(column)
            numbers = numbers_in(bare)
            if numbers.null_count() == bare.null_count():
                present = len(numbers) - numbers.null_count()
                notation = Notation.of(bare, ".", 0)
                remarks += remarks_on(name, notation, present, ".", lambda row: f"row {row + 1}", takes_decimal=False)
                if (row := like_codes(bare)) is not None:
                    remarks.append(remark_on_codes(name, bare[row], f"row {row + 1}"))
                column = numbers
        columns.append(column.alias(name))
    return pl.DataFrame(columns), remarks
