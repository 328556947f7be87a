"""From a source to a stream: which sources are read some rows at a time, and how.

| source | how it is read |
| --- | --- |
| a folder, a pattern (`visits/*.parquet`), a list of paths | file by file (`file_batches`) |
| an iterator or a list of frames, a `RecordBatchReader` or a dataset of pyarrow | frame by frame |
| a relation of DuckDB | by record batches, while the query runs |
| a frame of Dask | where its partitions are; only summaries come here |
| samples, of any of these but frames of Dask, or of frames and files | sample after sample (`samples`) |
"""

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any

from ancestral.data.read import deadline
from ancestral.data.read.batch_stream import Batches, BatchStream, Dataset, Frames
from ancestral.data.read.dask_stream import DaskStream
from ancestral.data.read.delimited import Modes
from ancestral.data.read.duckdb_stream import Relation
from ancestral.data.read.file_batches import FileBatches, FilesInTurn
from ancestral.data.read.file_lists import FileList, checked_format, is_path, labels_of, located
from ancestral.data.read.kinds import FRAMES, is_stream, kind_of_data, package_of
from ancestral.data.read.path_checks import path_text
from ancestral.data.read.samples import SampleBatches, Samples
from ancestral.data.read.stream_protocol import Stream
from ancestral.data.read.text_options import TextOptions
from ancestral.errors import OptionError
from ancestral.extras import require_package
from ancestral.options import TableOptions
from ancestral.printing import shown_type

__all__ = ["stream_of", "stream_to_sum"]


def stream_of(source: Any, options: TableOptions = TableOptions()) -> Stream | None:  # noqa: B008
    """The source as a stream; None if it is read at once.

    Raises OptionError if the source is an iterator and an option was given that its items do not take.
    """
    source = located(source)
    if not is_stream(source):
        if type(source).__module__.startswith("dask") and hasattr(source, "to_delayed"):
            raise OptionError(
                f"a {type(source).__name__} of dask is not a table; pass a frame, as in series.to_frame()"
            )
        return None
    package = package_of(source)
    if isinstance(source, Iterator) and package != "pyarrow":
        source = _checked_iterator(source)
        options.refuse_unused(kind_of_data(source) if isinstance(source, FileList) else FRAMES)
    if package.startswith("dask"):
        return DaskStream(source, TextOptions.of(options).missing_typed)
    if isinstance(source, Samples):
        return BatchStream(SampleBatches(source, partial(_batches, options=options)), lanes=0)
    batches = _batches(source, options)
    return BatchStream(batches, lanes=0) if isinstance(batches, Frames) else BatchStream(batches)


def _batches(source: Any, options: TableOptions) -> Batches:
    """The batches of a stream, or of a single frame."""
    package, how = package_of(source), TextOptions.of(options)
    if isinstance(source, FileList):
        return _opened(source, how)
    if package in ("duckdb", "_duckdb"):
        return Relation(source, how.missing_typed)
    if package == "pyarrow" and hasattr(source, "scanner"):
        return Dataset(source, how.missing_typed)
    return Frames(source if is_stream(source) else [source], how.missing_typed)


def stream_to_sum(source: Any, options: TableOptions) -> Stream | None:
    """The source as a stream that a search sums up; None if it is read as one table, as the user may ask for.

    Samples are summed up if one of them is a stream.
    """
    if options.in_memory or (isinstance(source, Samples) and not any(map(is_stream, source.sources.values()))):
        return None
    return stream_of(source, options)


def _opened(files: FileList, options: TextOptions) -> FilesInTurn:
    formats = [checked_format(path) for path in files.paths]
    opened: list[FileBatches] = []
    modes: Modes = {}
    for path, label, data_format in zip(files.paths, labels_of(files.paths), formats, strict=True):
        deadline.check()
        if data_format.package is not None:
            what = f"to read {data_format.name} files some rows at a time"
            require_package(data_format.package, data_format.extra, what)
        opened.append(data_format.open_batches(path, label, options, modes))
    return FilesInTurn(opened)


def _checked_iterator(source: Iterator[Any]) -> "Iterator[Any] | FileList":
    """An iterator of frames as it is, and one of paths as a list of files."""
    if hasattr(source, "readline"):
        raise OptionError(
            f"an open file ({type(source).__name__}) was given; pass its path, or a frame that was read from it"
        )
    first = next(source, None)
    source = chain([] if first is None else [first], source)
    if not is_path(first):
        return source
    paths = []
    for item in source:  # Path.glob, for example
        deadline.check()
        if not is_path(item):
            raise OptionError(f"the iterator gives paths and also {shown_type(item)}; it must give one or the other")
        paths.append(path_text(item))
    files = located(sorted(paths))
    assert isinstance(files, FileList)
    return files
