"""Formats of data files: the endings of each, and how a file of it is read, whole or some rows at a time.

`FORMATS` has one entry for each format, and everything that depends on the format of a file is decided by it. A format
that a library reads as frames is made by `frame_format`; docs/extending.md shows how to add one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ancestral.data.read import arrow_files, excel_files, frame_files, parquet_files, statistics_files, text_files
from ancestral.data.read.column_source import OpenedTable
from ancestral.data.read.decompression import COMPRESSED
from ancestral.data.read.delimited import Modes
from ancestral.data.read.file_batches import FileBatches
from ancestral.data.read.remarks import Remark
from ancestral.data.read.text_options import TEXT_OPTIONS, TextOptions

__all__ = ["FORMATS", "DataFormat", "endings_in_words", "format_of", "frame_format"]


@dataclass(frozen=True)
class DataFormat:
    """A format of data files.

    - `name`: what messages call it; the key in `FORMATS`.
    - `endings`: the endings of file names, in lower case, each with its dot.
    - `open_table`: opens a file, whose columns are then loaded, all rows at once.
    - `open_batches`: opens a file to read some rows at a time. It gets the path, what messages call the file, the
      options, and what the files of one source know about their columns (only text files use it).
    - `options`: the options of reading that it takes, among `TEXT_OPTIONS`.
    - `compressed`: whether a file may be compressed, with one of the endings in `COMPRESSED` added to its name.
    - `package`, `extra`: the package that `open_batches` needs, and the extra of ancestral that installs it.
    - `write`: the bytes of a file of a polars frame; None if ancestral does not write the format.
    """

    name: str
    endings: tuple[str, ...]
    open_table: Callable[[Path, TextOptions], OpenedTable]
    open_batches: Callable[[Path, str, TextOptions, Modes], FileBatches]
    options: frozenset[str] = frozenset()
    compressed: bool = False
    package: str | None = None
    extra: str | None = None
    write: Callable[[Any], bytes] | None = None


def _text(name: str, ending: str, write: Callable[[Any], bytes] | None = None) -> DataFormat:
    """A format of text files."""
    return DataFormat(
        name, (ending,), text_files.TextFile, text_files.TextBatches, TEXT_OPTIONS, compressed=True, write=write
    )


def frame_format(
    name: str,
    endings: Iterable[str],
    read: Callable[[Path], Any],
    *,
    names: Callable[[Path], Iterable[object]] | None = None,
    batches: Callable[[Path, list[str], int], Iterable[Any]] | None = None,
    package: str | None = None,
    extra: str | None = None,
    write: Callable[[Any], bytes] | None = None,
    untyped: bool = False,
    remarks: Callable[[Path], list[Remark]] | None = None,
) -> DataFormat:
    """A format that a library reads as frames of pandas, polars or pyarrow.

    `read(path)` returns all rows as a frame. `names(path)` returns the names of the columns, and
    `batches(path, columns, rows)` yields frames of these columns with about that many rows each, so that the file need
    not fit into memory; without these two, `read` is used in their place. What the functions raise about a file
    becomes a `DataError` that names it. `package` and `extra` say which package `batches` needs, and how to install it.
    In an `untyped` format each cell has a type of its own: `read` returns text, which is taken as in text files.
    `remarks(path)` returns what the user of a file must know.
    """
    reader = frame_files.FrameReader(name, read, names, batches, untyped, remarks)
    return DataFormat(
        name, tuple(endings), reader.open_table, reader.open_batches, package=package, extra=extra, write=write
    )


#: The formats of data files, by name. Assign to it to add one.
FORMATS: dict[str, DataFormat] = {
    "csv": _text("csv", ".csv", lambda frame: frame.write_csv().encode()),
    "tsv": _text("tsv", ".tsv", lambda frame: frame.write_csv(separator="\t").encode()),
    "text": _text("text", ".txt"),
    "parquet": frame_format(
        "parquet",
        [".parquet"],
        parquet_files.read,
        names=parquet_files.names,
        batches=parquet_files.batches,
        package="pyarrow",
        extra="arrow",
        write=parquet_files.write,
    ),
    "arrow": frame_format(
        "arrow",
        arrow_files.ENDINGS,
        arrow_files.read,
        names=arrow_files.names,
        batches=arrow_files.batches,
    ),
    "excel": frame_format("excel", excel_files.ENDINGS, excel_files.read, untyped=True, remarks=excel_files.remarks),
    "statistics": frame_format(
        "statistics",
        statistics_files.READERS,
        statistics_files.read,
        names=statistics_files.names,
        remarks=statistics_files.remarks,
    ),
}


def format_of(path: Path) -> DataFormat | None:
    """The format that the name of a file tells; None if no format has such an ending.

    >>> format_of(Path("visits.CSV.gz")).name, format_of(Path("visits.docx"))
    ('csv', None)
    """
    name = path.name.lower()
    plain = name
    for ending in COMPRESSED:
        plain = plain.removesuffix(ending)
    for data_format in FORMATS.values():
        if (plain if data_format.compressed else name).endswith(data_format.endings):
            return data_format
    return None


def endings_in_words(
    chosen: Callable[[DataFormat], object] = lambda data_format: True, compressed: Iterable[str] = COMPRESSED
) -> str:
    """The endings of the chosen formats, for a message, and what may be added to them for compressed files.

    >>> endings_in_words(lambda data_format: data_format.compressed)
    '.csv, .tsv, .txt (also with .gz or .zst)'
    """
    formats = [data_format for data_format in FORMATS.values() if chosen(data_format)]
    packed = [ending for one in formats if one.compressed for ending in one.endings]
    plain = [ending for one in formats if not one.compressed for ending in one.endings]
    parts = [f"{', '.join(packed)} (also with {' or '.join(compressed)})"] if packed else []
    return " and ".join([*parts, *([", ".join(plain)] if plain else [])])
