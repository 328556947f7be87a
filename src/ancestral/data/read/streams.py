"""Streams: sources that are read some rows at a time.

| source | how it is read |
| --- | --- |
| a folder, a pattern (`visits/*.parquet`), a list of paths | file by file (`file_batches`) |
| an iterator or a list of frames, a `RecordBatchReader` or a dataset of pyarrow | frame by frame |
| a relation of DuckDB | by record batches, while the query runs |
| a frame of Dask | where its partitions are; only summaries come here |
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import accumulate, chain
from typing import Any, Protocol, TypeVar

from ancestral.data.column_names import column_names, no_columns
from ancestral.data.errors import DataError, combined, leave_out
from ancestral.data.read import deadline
from ancestral.data.read.batches import BATCH_ROWS, Batch, Place, batches_of_frames
from ancestral.data.read.column_source import ColumnSource
from ancestral.data.read.delimited import Modes
from ancestral.data.read.file_batches import FileBatches, FilesInTurn
from ancestral.data.read.file_lists import FileList, checked_format, is_path, labels_of, located
from ancestral.data.read.frame_sources import FrameSource
from ancestral.data.read.guards import reason, refusing
from ancestral.data.read.kinds import FRAMES, is_stream, kind_of_data, package_of
from ancestral.data.read.path_checks import path_text
from ancestral.data.read.read_ahead import read_ahead
from ancestral.data.read.text_options import TextOptions
from ancestral.data.tree_sum import tree_sum
from ancestral.errors import OptionError
from ancestral.extras import require_package
from ancestral.options import TableOptions

__all__ = ["Stream", "stream_of"]

#: Summaries of Dask's partitions that one task adds.
BRANCHES = 8

#: Batches that are summarised at the same time.
LANES = 2


class _Part(Protocol):
    """The summary of some rows. Summaries add up."""

    @property
    def continuous(self) -> frozenset[str]:
        """The columns that are continuous, whatever the other rows hold."""

    def __add__(self, other: Any, /) -> Any: ...


P = TypeVar("P", bound=_Part)


class Stream(Protocol):
    """A source that is read some rows at a time."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns."""

    def summary(self, names: tuple[str, ...], summarize: Callable[[Batch, frozenset[str]], P]) -> P:
        """The sum of the summaries of all batches of these columns. Raises DataError if there are no rows.

        `summarize` gets a batch, and the columns that earlier batches have shown to be continuous.
        """

    def all_rows(self, names: tuple[str, ...]) -> ColumnSource:
        """All rows of these columns, read into memory."""


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
    if isinstance(source, FileList):
        return _BatchStream(_opened(source, TextOptions.of(options)))
    if package in ("duckdb", "_duckdb"):
        return _BatchStream(_Relation(source))
    if package.startswith("dask"):
        return _DaskStream(source)
    if package == "pyarrow" and hasattr(source, "scanner"):
        return _BatchStream(_Dataset(source))
    return _BatchStream(_Frames(source), lanes=0)


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
            raise OptionError(
                f"the iterator gives paths and also a {type(item).__name__}; it must give one or the other"
            )
        paths.append(path_text(item))
    files = located(sorted(paths))
    assert isinstance(files, FileList)
    return files


def _no_rows() -> DataError:
    return DataError("the table has no rows; a search needs data")


class _Batches(Protocol):
    """What a stream is read from."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""

    @property
    def settled(self) -> bool:
        """Whether the batches that came last can be used; if not, they must be read again."""

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """These columns of all rows."""


class _BatchStream:
    """Batches that are summarised in this process, in up to `lanes` threads beside the one that reads.

    Frames of the user's own have no lanes: each is summarised before the next one is fetched, since they may share
    their memory.
    """

    def __init__(self, source: _Batches, lanes: int = LANES) -> None:
        self._source = source
        self._lanes = lanes
        self.names = source.names

    def summary(self, names: tuple[str, ...], summarize: Callable[[Batch, frozenset[str]], P]) -> P:
        """The sum of the summaries of all batches."""
        while True:
            with closing(self._summaries(names, summarize)) as parts:
                first = next(parts, None)
                total = None if first is None else tree_sum(chain([first], parts))
            if not self._source.settled:
                continue  # some columns turned out to be other than they seemed
            if total is None:
                raise _no_rows()
            return total

    def all_rows(self, names: tuple[str, ...]) -> ColumnSource:
        """All rows of these columns."""
        if not names:
            raise no_columns()
        while True:
            parts = []
            with _closing(self._source.batches(names)) as batches:
                for batch in batches:
                    deadline.check()
                    parts.append((batch.frame(names), batch.first, batch.decimal))
            if self._source.settled:
                return _JoinedRows(parts, names)

    def _summaries(self, names: tuple[str, ...], summarize: Callable[[Batch, frozenset[str]], P]) -> Generator[P]:
        """The summaries of the batches, in their order.

        What a batch is told of earlier ones depends on their number alone, not on how quick the threads are.
        """
        continuous: frozenset[str] = frozenset()
        coming: deque[Future[P]] = deque()
        pool = ThreadPoolExecutor(max(1, self._lanes))
        try:
            with _closing(self._source.batches(names)) as batches:
                for batch in batches:
                    deadline.check()
                    coming.append(pool.submit(summarize, batch, continuous))
                    if len(coming) > self._lanes:
                        part = coming.popleft().result()
                        continuous |= part.continuous
                        yield part
            while coming and self._source.settled:
                yield coming.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def _closing(batches: Iterator[Batch]) -> Iterator[Iterator[Batch]]:
    """Close an iterator of batches at the end, so that its files and connections are free again."""
    try:
        yield batches
    finally:
        if hasattr(batches, "close"):
            batches.close()


class _JoinedRows(FrameSource):
    """All rows of batches as one frame; errors name the file of a row. A part is a frame, its place, its decimal mark.

    Raises DataError if there are no rows, or if the parts do not fit together.
    """

    def __init__(self, parts: Sequence[tuple[Any, Place, str]], names: tuple[str, ...]) -> None:
        import polars as pl

        if not parts:
            raise _no_rows()
        frames: list[pl.DataFrame] = [frame for frame, _, _ in parts]
        faults = []
        for name, *types in zip(names, *(frame.dtypes for frame in frames), strict=True):
            if len({dtype.is_numeric() for dtype in types if dtype != pl.Null}) > 1:
                faults.append(
                    DataError(
                        f"column {name!r} holds numbers in some parts and labels in others; make it one of them "
                        "everywhere, or ",
                        *leave_out(name),
                    )
                )
        if faults:
            raise combined(faults)
        with refusing("the parts cannot be put together", "make the columns of all parts of the same types"):
            whole = pl.concat(frames, how="vertical_relaxed")
        super().__init__(whole, ours=True, decimal="," if {mark for _, _, mark in parts} == {","} else ".")
        self._places = [place for _, place, _ in parts]
        self._starts = [0, *accumulate(frame.height for frame in frames)]

    def where(self, row: int) -> str:
        """How errors name a row: by its line or number in its file, or by its number in everything that came."""
        part = bisect_right(self._starts, row) - 1
        return str(self._places[part].after(row - self._starts[part]))


class _Frames:
    """Frames of pandas, polars or pyarrow that come one after the other."""

    settled = True

    def __init__(self, frames: Iterable[Any]) -> None:
        coming = iter(frames)
        first = next(coming, None)
        if first is None:
            raise DataError("no frame came from the iterator; it is empty, or was used before: make a new one")
        self.names = Batch(first).names
        self._coming = chain([first], coming)

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        return batches_of_frames(self._coming, self.names)


class _Dataset:
    """A dataset of pyarrow."""

    settled = True

    def __init__(self, dataset: Any) -> None:
        self.names = column_names(dataset.schema.names)
        self._dataset = dataset

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        parts = self._dataset.to_batches(columns=list(columns), batch_size=BATCH_ROWS, batch_readahead=2)
        return batches_of_frames(parts, tuple(columns))


class _Relation:
    """A relation of DuckDB: a query that runs while its rows are read."""

    settled = True

    def __init__(self, relation: Any) -> None:
        with _refusing_duckdb():
            if not hasattr(relation, "columns"):
                raise OptionError(
                    f"a {type(relation).__name__} of duckdb is not a table; pass a relation, as in "
                    "connection.sql('select …')"
                )
            self.names = column_names(relation.columns)
        self._relation = relation

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        return read_ahead(self._batches(tuple(columns)), self._interrupt)

    def _interrupt(self) -> None:
        """End the query, where the relation knows its connection (from DuckDB 2 on)."""
        connection = getattr(self._relation, "_con", None)
        if connection is not None and hasattr(connection, "interrupt"):
            connection.interrupt()

    def _batches(self, columns: tuple[str, ...]) -> Iterator[Batch]:
        quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in columns)
        with _refusing_duckdb():
            chosen = self._relation.project(quoted)
            reader = chosen.to_arrow_reader if hasattr(chosen, "to_arrow_reader") else chosen.fetch_record_batch
            with closing(reader(BATCH_ROWS)) as rows:  # the connection is free again, whatever happens
                yield from batches_of_frames(rows, columns)


@contextmanager
def _refusing_duckdb() -> Iterator[None]:
    """Turn what DuckDB raises about a query that cannot be run to its end into a `DataError`."""
    import duckdb
    import pyarrow as pa

    try:
        yield
    except (duckdb.Error, pa.ArrowException, OSError) as error:
        raise DataError(f"the query of DuckDB failed: {reason(error)}; correct it, or run it again") from None


class _DaskStream:
    """A frame of Dask: each partition is summarised where it is, and the summaries are added in a tree."""

    def __init__(self, frame: Any) -> None:
        self.names = column_names(frame.columns)
        self._native = dict(zip(self.names, frame.columns, strict=True))
        self._frame = frame

    def _chosen(self, names: tuple[str, ...]) -> Any:
        return self._frame[[self._native[name] for name in names]]

    def summary(self, names: tuple[str, ...], summarize: Callable[[Batch, frozenset[str]], P]) -> P:
        """The sum of the summaries of all partitions."""
        import dask

        engine: Any = dask  # says little about its types
        parts = [
            engine.delayed(_partition_summary)(part, f"partition {number}", summarize)
            for number, part in enumerate(self._chosen(names).to_delayed(), start=1)
        ]
        while len(parts) > 1:
            parts = [engine.delayed(_sum)(parts[i : i + BRANCHES]) for i in range(0, len(parts), BRANCHES)]
        (total,) = _computed(lambda: engine.compute(*parts)) if parts else (None,)
        if total is None:
            raise _no_rows()
        return total

    def all_rows(self, names: tuple[str, ...]) -> ColumnSource:
        """All rows of these columns."""
        return FrameSource(_computed(self._chosen(names).compute))


def _computed(call: Callable[[], Any]) -> Any:
    """What Dask computes; in another thread only if there is a time limit, so that this one can look at the clock."""
    return deadline.patiently(call) if deadline.limited() else call()


def _partition_summary(frame: Any, label: str, summarize: Callable[[Batch, frozenset[str]], P]) -> P | None:
    if not len(frame):
        return None
    starts = range(0, len(frame), BATCH_ROWS)
    batches = (Batch(frame.iloc[i : i + BATCH_ROWS], Place(i, label)) for i in starts)
    return tree_sum(summarize(batch, frozenset()) for batch in batches)


def _sum(parts: Sequence[P | None]) -> P | None:
    there = [part for part in parts if part is not None]
    return tree_sum(there) if there else None
