"""Kinds of data: how a source is read, decided by its type alone, and which options it takes."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ancestral.data.read.file_lists import FileList, located
from ancestral.data.read.formats import format_of
from ancestral.data.read.samples import Samples
from ancestral.data.read.text_options import TEXT_OPTIONS
from ancestral.options import SourceKind
from ancestral.printing import listed, with_article

__all__ = ["FRAME", "FRAMES", "MATRIX", "TABLE", "is_stream", "kind_of_data", "package_of"]

#: The options that all data take.
ALWAYS = frozenset(("test", "alpha", "columns", "drop", "kinds", "missing", "na", "in_memory", "weights", "clusters"))

TABLE = SourceKind("table", "a Table", ALWAYS - {"na"})
FRAME = SourceKind("frame", "a frame", ALWAYS)
MATRIX = SourceKind(
    "matrix", "the file of a matrix", frozenset(("test", "alpha", "columns", "drop", "encoding", "matrix", "rows"))
)
ARRAY = SourceKind("array", "an array", ALWAYS | {"names"})
FRAMES = SourceKind("frames", "a source of frames", ALWAYS)
#: Its first item tells whether it is a source of frames or of paths; until then it takes the options of both.
ITERATOR = SourceKind("iterator", "an iterator", ALWAYS | TEXT_OPTIONS)


def kind_of_data(source: Any) -> SourceKind:
    """The kind of data other than a `Table`; nothing is read of them. What is not known by its type is a frame."""
    source = located(source)
    if isinstance(source, Path):
        return _files((source,))
    if isinstance(source, FileList):
        return _files(source.paths)
    if isinstance(source, np.ndarray):
        return ARRAY
    if isinstance(source, Samples):
        takes = [kind_of_data(one).takes for one in source.sources.values()]
        return SourceKind("samples", "several samples", frozenset.intersection(*takes))
    if not is_stream(source):
        return FRAME
    return ITERATOR if isinstance(source, Iterator) and package_of(source) != "pyarrow" else FRAMES


def _files(paths: Sequence[Path]) -> SourceKind:
    """Files take the options that the formats of all of them take."""
    formats = {data_format.name: data_format for path in paths if (data_format := format_of(path)) is not None}
    what = (
        f"{listed(formats, spell=str)} files together"
        if len(formats) > 1
        else with_article(" ".join([*formats, "file"]))
    )
    # a file of an unknown format is refused when it is opened
    return SourceKind("files", what, ALWAYS | TEXT_OPTIONS.intersection(*(one.options for one in formats.values())))


def is_stream(source: Any) -> bool:
    """Whether a source is read some rows at a time; nothing is read of it."""
    source = located(source)
    if isinstance(source, FileList | Samples):
        return True
    if isinstance(source, list | tuple):
        return bool(source) and _all_frames(source)
    package = package_of(source)
    is_dask = package.startswith("dask") and _is_dask_frame(source)
    is_dataset = package == "pyarrow" and hasattr(source, "to_batches") and hasattr(source, "scanner")
    return is_dask or is_dataset or package in ("duckdb", "_duckdb") or isinstance(source, Iterator)


def package_of(source: Any) -> str:
    """The package that the type of an object comes from."""
    return type(source).__module__.split(".")[0]


def _is_dask_frame(source: Any) -> bool:
    """Whether an object of Dask is a frame; a series has `columns`, too, but one dimension."""
    return hasattr(source, "to_delayed") and hasattr(source, "columns") and getattr(source, "ndim", 2) == 2


def _all_frames(items: Sequence[Any]) -> bool:
    return all(hasattr(item, "columns") and hasattr(item, "shape") for item in items)
