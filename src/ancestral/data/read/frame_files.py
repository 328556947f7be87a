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
from ancestral.data.read.path_checks import open_regular, shown_path
from ancestral.data.read.text_options import TextOptions

__all__ = ["FrameReader"]


@dataclass(frozen=True)
class FrameReader:
    """The functions of a format; see `formats.frame_format`."""

    data_format: str
    read: Callable[[Path], Any]
    names: Callable[[Path], Iterable[object]] | None = None
    batches: Callable[[Path, list[str], int], Iterable[Any]] | None = None

    def open_table(self, path: Path, options: TextOptions) -> FrameSource:
        """All rows of a file."""
        with reading_by_others(shown_path(path.name), self.data_format), open_regular(path):
            return FrameSource(patiently(lambda: self.read(path)), ours=True)

    def open_batches(self, path: Path, label: str, options: TextOptions, modes: Modes) -> "FrameBatches":
        """A file that is read some rows at a time."""
        return FrameBatches(self, path, label)


class FrameBatches:
    """One file of a source that is read some rows at a time."""

    settled = True  #: what the columns are is known from the beginning

    def __init__(self, reader: FrameReader, path: Path, label: str) -> None:
        self._reader = reader
        self._path = path
        self.label = label
        with reading_by_others(label, reader.data_format), open_regular(path):
            self.names = column_names(Batch(reader.read(path)).names if reader.names is None else reader.names(path))

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """These columns, some rows at a time."""
        place = Place(0, self.label)
        with reading_by_others(self.label, self._reader.data_format), open_regular(self._path):
            for frame in self._frames(list(columns)):
                batch = Batch(frame, place)
                if batch.rows:
                    yield batch
                place = place.after(batch.rows)

    def _frames(self, columns: list[str]) -> Iterable[Any]:
        if self._reader.batches is None:
            return [self._reader.read(self._path)]
        return self._reader.batches(self._path, columns, BATCH_ROWS)
