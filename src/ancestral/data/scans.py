"""Scans: files read some rows at a time, by pyarrow (`pip install ancestral[arrow]`).

What a Parquet file holds is in its schema. A text file has none: which columns are numbers is guessed by the beginnings
of all files; where a later line shows that a guess was wrong, reading begins again with the better one. A column is
read as numbers, or, if some are written in a way that only the slower reading of tables knows (a decimal comma,
spaces), by that, or, if some are none, as text.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from glob import glob, has_magic
from itertools import islice
from pathlib import Path
from typing import Any

from ancestral.data.batches import BATCH, Batch, Reread, ahead
from ancestral.data.errors import DataError, listed
from ancestral.data.extras import required
from ancestral.data.files import TextFile, check_reading, is_readable
from ancestral.data.frames import column_names
from ancestral.data.text import MISSING, cleaned, numbers_in
from ancestral.errors import OptionError

__all__ = ["Files", "files_in"]

#: So many lines of a text file are looked at to find the separator, the decimal mark and the types.
HEAD = 1000
#: So many bytes of a text file are read at a time.
BLOCK = 8 << 20


def files_in(source: str | Path | Sequence[Any]) -> list[Path] | None:
    """The files that a folder, a pattern such as `visits/*.parquet`, or a list of paths means; None: a single file."""
    if not isinstance(source, str | Path):
        return [file for path in source for file in files_in(path) or [Path(path)]]
    path = Path(source)
    if path.is_dir():
        found = sorted(file for file in path.rglob("*") if is_readable(file) and not _is_hidden(file, path))
        if not found:
            raise DataError(
                f"the folder {str(path)!r} holds no file that can be read (.csv, .tsv, .txt, also with .gz or .zst, "
                "and .parquet); correct the path"
            )
        return found
    if path.exists() or not has_magic(str(source)):
        return None
    found = sorted(Path(file) for file in glob(str(source), recursive=True) if Path(file).is_file())
    if not found:
        raise DataError(f"no file is called like {str(source)!r}; correct the pattern")
    return found


def _is_hidden(file: Path, folder: Path) -> bool:
    """Whether other programs take it for notes of their own: `_SUCCESS`, `.checkpoint`."""
    return any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)


class Files:
    """Several files with the same columns."""

    def __init__(
        self, paths: Sequence[Path], *, names: Iterable[str] | None, separator: str | None, decimal: str | None
    ) -> None:
        required("pyarrow", "arrow", "to read files some rows at a time")
        check_reading(separator, decimal)
        options = names is not None or separator is not None or decimal is not None
        said = None if names is None else column_names(names)
        self._scans: list[_Parquet | _Text] = []
        modes: dict[str, str] = {}
        labels = _labels(paths)
        for path, label in zip(paths, labels, strict=True):
            if not path.exists():
                raise DataError(f"there is no file {str(path)!r}; correct the path")
            if not is_readable(path):
                raise DataError(f"{label!r} is of no kind that can be read; leave it out, or save it as csv")
            if path.suffix.lower() == ".parquet":
                if options:
                    raise OptionError("names=, separator= and decimal= are for text files; a parquet file knows them")
                self._scans.append(_Parquet(path, label))
            else:
                self._scans.append(_Text(path, label, modes, said, separator, decimal))
        self.names = tuple(dict.fromkeys(name for scan in self._scans for name in scan.names))

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """These columns of all rows."""
        for scan in self._scans:
            if lacking := [name for name in columns if name not in scan.names]:
                raise DataError(
                    f"{scan.label} lacks {listed(lacking)}, which other files have; all parts of a source must have "
                    f"the same columns, so leave out what some lack: drop={lacking!r}"
                )
        return ahead(batch for scan in self._scans for batch in scan.batches(list(columns)))


def _labels(paths: Sequence[Path]) -> list[str]:
    """What each file is called in errors: its name, and the folders in which it lies apart from others."""
    real = [path.resolve() for path in paths]
    for path, here in zip(paths, real, strict=True):
        if real.count(here) > 1:
            raise DataError(f"{str(path)!r} is named twice, so its rows would count twice; name each file once")
    folder = Path(os.path.commonpath([path.parent for path in real]))
    return [path.relative_to(folder).as_posix() for path in real]


class _Parquet:
    def __init__(self, path: Path, label: str) -> None:
        self.path = path
        self.label = label
        self.names = column_names(self._opened().schema_arrow.names)

    def _opened(self) -> Any:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            return pq.ParquetFile(self.path)
        except (pa.ArrowException, OSError) as error:
            raise DataError(
                f"{self.label} cannot be read as parquet: {_said(error)}; save it anew, or as csv"
            ) from None

    def batches(self, columns: list[str]) -> Iterator[Batch]:
        import pyarrow as pa

        first = 0
        try:
            for part in self._opened().iter_batches(batch_size=BATCH, columns=columns):
                if part.num_rows:
                    yield Batch(part, first, self.label)
                first += part.num_rows
        except (pa.ArrowException, OSError) as error:
            raise DataError(f"{self.label} cannot be read: {_said(error)}; save it anew") from None


class _Text:
    """`modes` tells of each column how it is read: "numbers", "marked" numbers, "text"; all files share it."""

    def __init__(
        self,
        path: Path,
        label: str,
        modes: dict[str, str],
        names: tuple[str, ...] | None,
        separator: str | None,
        decimal: str | None,
    ) -> None:
        self.path = path
        self.label = label
        head = _head(path, names, separator, decimal)
        self.names = head.names
        self._separator, self._decimal, self._above = head.separator, head.decimal, head.first_line - 1
        self._modes = modes
        for name in self.names:
            self._modes[name] = max(self._modes.get(name, "numbers"), _mode(head, name), key=_MODES.index)

    def batches(self, columns: list[str]) -> Iterator[Batch]:
        import polars as pl
        import pyarrow as pa
        import pyarrow.csv as pc

        modes = {name: self._modes[name] for name in columns}
        types = {name: pa.float64() if modes.get(name) == "numbers" else pa.string() for name in self.names}
        first = 0
        try:
            with pa.input_stream(str(self.path), compression="detect") as stream:
                reader = pc.open_csv(
                    stream,
                    pc.ReadOptions(column_names=list(self.names), skip_rows=self._above, block_size=BLOCK),
                    pc.ParseOptions(delimiter=self._separator, newlines_in_values=True),
                    pc.ConvertOptions(
                        column_types=types,
                        include_columns=columns,
                        null_values=list(MISSING),
                        strings_can_be_null=True,
                        quoted_strings_can_be_null=True,
                    ),
                )
                for part in reader:
                    frame = pl.from_arrow(part)
                    assert isinstance(frame, pl.DataFrame)
                    for name, mode in modes.items():
                        if mode == "marked":
                            frame = frame.with_columns(self._numbers(name, frame[name]))
                    if frame.height:
                        yield Batch(frame, first, self.label, decimal=self._decimal)
                    first += frame.height
        except pa.ArrowInvalid as error:
            self._learn(str(error), columns)

    def _numbers(self, name: str, text: Any) -> Any:
        text = cleaned(text)
        numbers = numbers_in(text, self._decimal)
        if numbers.null_count() > text.null_count():
            self._modes[name] = "text"
            raise Reread
        return numbers

    def _learn(self, said: str, columns: list[str]) -> None:
        """Begin again with a column read otherwise, or raise if that is not what was wrong."""
        for name in columns:
            # columns are counted from 0 in the file
            if f"In CSV column #{self.names.index(name)}:" in said and self._modes[name] == "numbers":
                self._modes[name] = "marked"
                raise Reread from None
        raise DataError(
            f"{self.label} cannot be read with the separator {self._separator!r}: {said.splitlines()[0]}; "
            "correct the line, or pass another separator="
        )


_MODES = ("numbers", "marked", "text")


def _said(error: Exception) -> str:
    """What a library says of a fault."""
    return str(error).splitlines()[0].rstrip(".")


def _head(path: Path, names: tuple[str, ...] | None, separator: str | None, decimal: str | None) -> TextFile:
    """The beginning of a text file, as a table of its own."""
    import pyarrow as pa

    with tempfile.TemporaryDirectory() as folder:
        plain = path.with_suffix("") if path.suffix.lower() in (".gz", ".zst") else path
        beginning = Path(folder) / plain.name
        try:
            with pa.input_stream(str(path), compression="detect") as stream:
                content = stream.read(1 << 20) or b""
        except (pa.ArrowException, OSError) as error:
            raise DataError(f"{path.name} cannot be read: {_said(error)}; save it anew") from None
        lines = content.splitlines(keepends=True)
        if len(content) == 1 << 20 and len(lines) > 1:
            lines.pop()  # it is not there as a whole
        beginning.write_bytes(b"".join(islice(lines, HEAD)))
        return TextFile(beginning, names=names, separator=separator, decimal=decimal)


def _mode(head: TextFile, name: str) -> str:
    """How a column is best read, by its first lines."""
    if head.is_number(name):
        return "numbers"
    text = cleaned(head.text(name))
    return "text" if numbers_in(text, head.decimal).null_count() > text.null_count() else "marked"
