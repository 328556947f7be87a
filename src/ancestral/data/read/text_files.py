"""Text files, CSV and the like: all rows as columns, or some rows at a time.

polars parses. What it would have to guess is decided beside it: what a record is (`records`), the separator and the
names (`heads`), which columns are numbers and with which decimal mark (`delimited`).
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ancestral.data.column_kinds import Floats, Kind, Labels
from ancestral.data.read.batches import Batch
from ancestral.data.read.delimited import Delimited, Modes
from ancestral.data.read.path_checks import shown_path
from ancestral.data.read.remarks import Remark
from ancestral.data.read.text_options import TextOptions
from ancestral.data.read.text_values import read_text_values

if TYPE_CHECKING:
    import polars as pl

__all__ = ["TextBatches", "TextFile", "TextTable"]


class TextFile:
    """A text file with a line for each row of a table; its head is read when it is opened."""

    def __init__(self, path: Path, options: TextOptions) -> None:
        self._text = Delimited(path, shown_path(path.name), options)
        self.names = self._text.names

    def load(self, names: Sequence[str]) -> "TextTable":
        """All rows of these columns."""
        import polars as pl

        while True:
            frames = [part.frame for part in self._text.parts(names)]
            if self._text.settled:
                return TextTable(self._text, pl.concat(frames))


class TextTable:
    """All rows of some columns of a text file."""

    def __init__(self, text: Delimited, frame: "pl.DataFrame") -> None:
        self._text = text
        self._frame = frame
        self.rows = frame.height
        self.remarks = text.remarks()

    def where(self, row: int) -> str:
        """How errors name a row: by its line in the file."""
        return str(self._text.place(row))

    def column(self, name: str, kind: Kind | None) -> Floats | Labels:
        """The column of that name as numbers or labels."""
        import polars as pl

        series = self._frame[name]
        if series.dtype == pl.Float64:
            return self._text.missing.among(np.array(series.to_numpy(), dtype=np.float64))
        return read_text_values(
            series,
            name,
            kind,
            self.where,
            self._text.missing,
            decimal=self._text.decimal,
            from_file=True,
            remark=self.remarks.append,
        )

    def missing_words(self, names: Sequence[str]) -> dict[str, dict[str, int]]:
        """How often each word stands for a missing value in these columns."""
        return self._text.missing_words(names)


class TextBatches:
    """One text file of a source that is read some rows at a time."""

    def __init__(self, path: Path, label: str, options: TextOptions, modes: Modes) -> None:
        self.label = label
        self._text = Delimited(path, label, options, modes)
        self.names = self._text.names

    @property
    def settled(self) -> bool:
        """Whether the rows that were read last are read as they must be; see `Delimited`."""
        return self._text.settled

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """These columns, some rows at a time."""
        text = self._text
        for part in text.parts(columns):
            place = text.place(part.first)
            yield Batch(part.frame, place, text.missing, decimal=text.decimal, word_at=text.missing_word)

    @property
    def remarks(self) -> list[Remark]:
        """What the rows that came last tell about how numbers are written."""
        return self._text.remarks()

    def missing_words(self, names: Sequence[str]) -> dict[str, dict[str, int]]:
        """How often each word stands for a missing value in these columns."""
        return self._text.missing_words(names)
