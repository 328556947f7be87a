"""Scans: files read some rows at a time, text by the reader of tables (`delimited`), Parquet by pyarrow.

What a Parquet file holds is in its schema. A text file has none: which columns are numbers is guessed by the beginnings
of all files; where a later line shows that a guess was wrong, reading begins again with the better one.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ancestral.data.errors import DataError, listed
from ancestral.data.read import deadline
from ancestral.data.read.batches import BATCH, Batch, ahead
from ancestral.data.read.compression import opened
from ancestral.data.read.delimited import Delimited, Modes
from ancestral.data.read.files import refuse_text_options
from ancestral.data.read.frames import column_names
from ancestral.data.read.guards import reason
from ancestral.data.read.heads import check_reading
from ancestral.data.read.paths import check_file, files_in, is_utf8, shown
from ancestral.extras import require_package

__all__ = ["Files", "files_in"]


class Files:
    """Several files with the same columns."""

    def __init__(
        self, paths: Sequence[Path], *, names: Iterable[str] | None, separator: str | None, decimal: str | None
    ) -> None:
        require_package("pyarrow", "arrow", "to read files some rows at a time")
        check_reading(separator, decimal)
        said = None if names is None else column_names(names)
        for path in paths:
            check_file(path)
        self._scans: list[_Parquet | _Text] = []
        modes: Modes = {}
        for path, label in zip(paths, _labels(paths), strict=True):
            deadline.check()
            if path.suffix.lower() == ".parquet":
                refuse_text_options(names, separator, decimal)
                self._scans.append(_Parquet(path, label))
            else:
                self._scans.append(_Text(path, label, modes, said, separator, decimal))
        self.names = tuple(dict.fromkeys(name for scan in self._scans for name in scan.names))

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """These columns of all rows."""
        for scan in self._scans:
            here = set(scan.names)
            if lacking := [name for name in columns if name not in here]:
                raise DataError(
                    f"{scan.label} lacks {listed(lacking)}, which other files have; all parts of a source must have "
                    f"the same columns, so leave out what some lack: drop={lacking!r}"
                )
        return ahead(batch for scan in self._scans for batch in scan.batches(list(columns)))


def _labels(paths: Sequence[Path]) -> list[str]:
    """What each file is called in errors: its name, and the folders in which it lies apart from others."""
    real = [path.resolve() for path in paths]
    times = Counter(real)
    for path, here in zip(paths, real, strict=True):
        if times[here] > 1:
            raise DataError(f"'{shown(path)}' is named twice, so its rows would count twice; name each file once")
    folder = Path(os.path.commonpath([path.parent for path in real]))
    return [shown(path.relative_to(folder).as_posix()) for path in real]


class _Parquet:
    def __init__(self, path: Path, label: str) -> None:
        self.path = path
        self.label = label
        with opened(path) as file:
            self.names = column_names(self._read(file).schema_arrow.names)

    def _read(self, file: Any) -> Any:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            return pq.ParquetFile(self.path if is_utf8(self.path) else file)
        except (pa.ArrowException, OSError) as error:
            raise DataError(
                f"{self.label} cannot be read as parquet: {reason(error)}; save it anew, or as csv"
            ) from None

    def batches(self, columns: list[str]) -> Iterator[Batch]:
        """These columns, some rows at a time."""
        import pyarrow as pa

        first = 0
        try:
            with opened(self.path) as file:
                for part in self._read(file).iter_batches(batch_size=BATCH, columns=columns):
                    if part.num_rows:
                        yield Batch(part, first, self.label)
                    first += part.num_rows
        except (pa.ArrowException, OSError) as error:
            raise DataError(f"{self.label} cannot be read: {reason(error)}; save it anew") from None


class _Text:
    def __init__(
        self,
        path: Path,
        label: str,
        modes: Modes,
        names: tuple[str, ...] | None,
        separator: str | None,
        decimal: str | None,
    ) -> None:
        self.label = label
        self._text = Delimited(path, label, names=names, separator=separator, decimal=decimal, modes=modes)
        self.names = self._text.names

    def batches(self, columns: list[str]) -> Iterator[Batch]:
        """These columns, some rows at a time."""
        for part in self._text.parts(columns):
            yield Batch(part.frame, part.first, self.label, decimal=self._text.decimal)
