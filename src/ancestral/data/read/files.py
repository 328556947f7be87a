"""Files as columns: CSV, TSV and Parquet, compressed or not.

polars parses; what it would have to guess is decided beside it: what a record is (`records`), the separator and the
names (`heads`), which columns are numbers and with which decimal mark (`delimited`).
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ancestral.data.kinds import Floats, Kind, Labels
from ancestral.data.read.batches import Reread
from ancestral.data.read.compression import opened
from ancestral.data.read.deadline import patiently
from ancestral.data.read.delimited import Delimited
from ancestral.data.read.frames import FrameSource
from ancestral.data.read.guards import refusing
from ancestral.data.read.heads import check_reading
from ancestral.data.read.paths import check_file, is_readable, is_utf8, shown
from ancestral.data.read.text import read_text
from ancestral.errors import OptionError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["TextFile", "is_readable", "open_file", "refuse_text_options"]


def open_file(
    path: str | Path,
    *,
    names: Iterable[str] | None = None,
    separator: str | None = None,
    decimal: str | None = None,
) -> "TextFile | FrameSource":
    """The file as a source of columns. With `names`, its first line is data and not a header."""
    check_reading(separator, decimal)
    path = Path(path)
    check_file(path)
    if path.suffix.lower() == ".parquet":
        refuse_text_options(names, separator, decimal)
        return _parquet(path)
    return TextFile(path, names=names, separator=separator, decimal=decimal)


def refuse_text_options(names: object, separator: object, decimal: object) -> None:
    """Raise if options were given that say how text is read."""
    if names is not None or separator is not None or decimal is not None:
        raise OptionError("names=, separator= and decimal= are for text files; a parquet file knows its columns")


class TextFile:
    """A text file with a line a case and a column a variable; `load` reads the columns that are wanted."""

    def __init__(
        self,
        path: Path,
        *,
        names: Iterable[str] | None = None,
        separator: str | None = None,
        decimal: str | None = None,
    ) -> None:
        self._text = Delimited(path, shown(path.name), names=names, separator=separator, decimal=decimal)
        self.names = self._text.names
        self._frame: pl.DataFrame | None = None

    def load(self, names: Sequence[str]) -> None:
        """Read these columns of all rows."""
        import polars as pl

        while self._frame is None:
            try:
                self._frame = pl.concat([part.frame for part in self._text.parts(names)])
            except Reread:
                continue

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._loaded.height

    def where(self, row: int) -> str:
        """How a row is called in an error: the line of the file."""
        return self._text.where(row)

    def column(self, name: str, kind: Kind | None) -> Floats | Labels:
        """The column of that name as numbers or labels."""
        import polars as pl

        series = self._loaded[name]
        if series.dtype == pl.Float64:
            return np.array(series.to_numpy(), dtype=np.float64)
        return read_text(series, name, kind, self.where, decimal=self._text.decimal, from_file=True)

    @property
    def _loaded(self) -> "pl.DataFrame":
        if self._frame is None:
            self.load(self.names)
        assert self._frame is not None
        return self._frame


def _parquet(path: Path) -> FrameSource:
    import polars as pl

    with (
        refusing(f"{shown(path.name)} cannot be read as parquet", "save it anew, or save it as csv"),
        opened(path) as file,
    ):
        source = path if is_utf8(path) else file
        return FrameSource(patiently(lambda: pl.read_parquet(source, glob=False)), ours=True)
