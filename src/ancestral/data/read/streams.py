"""Chunks: sources that are read some rows at a time, and the one pass over them that a search needs.

| source | how it is read |
| --- | --- |
| a folder, a pattern (`visits/*.parquet`), a list of paths | `scans` |
| an iterator or a list of frames, a `RecordBatchReader` or a dataset of pyarrow | frame by frame |
| a relation of DuckDB | by record batches, while the query runs |
| a frame of Dask | where its partitions are; only summaries come here |
"""

import os
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import chain
from typing import Any, Protocol

from ancestral.data.errors import DataError
from ancestral.data.kinds import Kind, wanted_kinds
from ancestral.data.read.batches import BATCH, Batch, Reread, ahead, batches_of_frames, row_in_words
from ancestral.data.read.deadline import check, limited, patiently
from ancestral.data.read.file_batches import Files
from ancestral.data.read.frames import FrameSource, column_names
from ancestral.data.read.guards import reason, refusing
from ancestral.data.read.paths import files_in, location
from ancestral.data.stats.summary import Summary
from ancestral.data.stats.tree_sum import tree_sum
from ancestral.data.table import Missing, Source, Table, chosen_names
from ancestral.errors import OptionError

__all__ = ["Chunks", "chunks_of", "complete", "is_chunked", "summarized"]

#: So many summaries of partitions are tree_sum at a time.
BRANCHES = 8
#: So many batches are summed up at the same time.
LANES = 2


class Chunks(Protocol):
    """A source that is read some rows at a time."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns."""

    def summary(self, names: tuple[str, ...], wanted: Mapping[str, Kind], missing: Missing) -> Summary:
        """The summary of these columns."""

    def source(self, names: tuple[str, ...]) -> Source:
        """All rows of these columns, as a source of columns."""


def is_chunked(source: Any) -> bool:
    """Whether a source is one that is read some rows at a time; nothing is read of it."""
    package = type(source).__module__.split(".")[0]
    if isinstance(source, str | os.PathLike):
        return files_in(location(source)) is not None
    if isinstance(source, list | tuple):
        return bool(source) and (_all_paths(source) or _all_frames(source))
    is_dask = package.startswith("dask") and _is_frame_of_dask(source)
    is_dataset = package == "pyarrow" and hasattr(source, "to_batches") and hasattr(source, "scanner")
    return is_dask or is_dataset or package in ("duckdb", "_duckdb") or isinstance(source, Iterator)


def chunks_of(
    source: Any, *, names: Iterable[str] | None = None, separator: str | None = None, decimal: str | None = None
) -> Chunks | None:
    """The source, if it is one that is read some rows at a time; None if it is read at once."""
    if not is_chunked(source):
        if type(source).__module__.startswith("dask") and hasattr(source, "to_delayed"):
            raise OptionError(f"a {type(source).__name__} of dask is no table; pass a frame, as in series.to_frame()")
        return None
    package = type(source).__module__.split(".")[0]
    if isinstance(source, Iterator) and package != "pyarrow":
        if hasattr(source, "readline"):
            raise OptionError(
                f"an open file ({type(source).__name__}) was given; pass its path, or a frame that was read from it"
            )
        first = next(source, None)
        source = chain([] if first is None else [first], source)
        if isinstance(first, str | os.PathLike):  # Path.glob
            source = sorted(map(_path, source))
    path = isinstance(source, str | os.PathLike)
    if path or (isinstance(source, list | tuple) and _all_paths(source)):
        files = files_in(location(source) if path else [location(one) for one in source])
        return None if files is None else _Read(Files(files, names=names, separator=separator, decimal=decimal))
    found: Chunks
    if package in ("duckdb", "_duckdb"):
        found = _Read(_Relation(source))
    elif package.startswith("dask"):
        found = _Partitions(source)
    elif package == "pyarrow" and hasattr(source, "scanner"):
        found = _Read(_Dataset(source))
    else:
        found = _Read(_Frames(source), lanes=0)
    if names is not None or separator is not None or decimal is not None:
        raise OptionError("names=, separator= and decimal= are for text files; leave them out")
    return found


def summarized(
    chunks: Chunks,
    *,
    columns: Sequence[str] | str | None = None,
    drop: Sequence[str] | str | None = None,
    kinds: Mapping[str, str] | str | None = None,
    missing: Missing = "refuse",
) -> Summary:
    """The summary of the chosen columns of a source, checked."""
    if missing not in ("refuse", "drop", "testwise"):
        raise OptionError(f"missing={missing!r} is not known; it is 'refuse', 'drop' or 'testwise'")
    if missing == "testwise":
        raise OptionError(
            'missing="testwise" goes back to the rows, and this source is read some rows at a time; pass '
            'missing="drop", or read all rows as one table'
        )
    names = chosen_names(chunks.names, columns, drop)
    if not names:
        raise DataError("the table has no columns; choose some with columns=, or drop fewer")
    return chunks.summary(names, wanted_kinds(kinds, chunks.names), missing).checked()


def complete(
    source: Any,
    what: str,
    *,
    kind: Kind,
    columns: Sequence[str] | str | None,
    drop: Sequence[str] | str | None,
    missing: Missing,
) -> Summary | Table:
    """All columns as one kind, of the rows that are complete: summed up if they come in chunks, else as a table."""
    if missing == "testwise":
        raise OptionError(f'{what} are of complete rows; pass missing="drop" to leave the other rows out')
    if (chunks := chunks_of(source)) is not None:
        return summarized(chunks, columns=columns, drop=drop, kinds=kind, missing=missing)
    table = Table.of(source, columns=columns, drop=drop, kinds=kind, missing="testwise")
    return table._without_missing(missing, testwise=False)


def _is_frame_of_dask(source: Any) -> bool:
    """Whether it is a frame; a series has columns, too, but fewer dimensions."""
    return hasattr(source, "to_delayed") and hasattr(source, "columns") and getattr(source, "ndim", 2) == 2


def _path(item: Any) -> str:
    check()
    if not isinstance(item, str | os.PathLike):
        raise OptionError(f"the iterator gives paths and also a {type(item).__name__}; it must give one or the other")
    return location(item)


def _all_paths(items: Sequence[Any]) -> bool:
    return all(isinstance(item, str | os.PathLike) for item in items)


def _all_frames(items: Sequence[Any]) -> bool:
    return all(hasattr(item, "columns") and hasattr(item, "shape") for item in items)


@contextmanager
def _closing(batches: Iterator[Batch]) -> Iterator[Iterator[Batch]]:
    """Close what reads, also if what it gives cannot be used: files and connections are free again."""
    try:
        yield batches
    finally:
        if hasattr(batches, "close"):
            batches.close()


class _Batches(Protocol):
    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """These columns of all rows."""


class _Read:
    """Chunks that come here to be summed up.

    Frames of the user's own are summed up before the next one is fetched (no `lanes`): they may share their memory.
    """

    def __init__(self, source: _Batches, lanes: int = LANES) -> None:
        self._source = source
        self._lanes = lanes
        self.names = source.names

    def summary(self, names: tuple[str, ...], wanted: Mapping[str, Kind], missing: Missing) -> Summary:
        """The sum of the summaries of all batches."""
        while True:
            try:
                return self._summed(names, wanted, missing)
            except Reread:
                continue

    def source(self, names: tuple[str, ...]) -> Source:
        """All rows of these columns."""
        if not names:
            raise DataError("the table has no columns; choose some with columns=, or drop fewer")
        while True:
            try:
                with _closing(self._source.batches(names)) as batches:
                    return _Parts(batches, names)
            except Reread:
                continue

    def _summed(self, names: tuple[str, ...], wanted: Mapping[str, Kind], missing: Missing) -> Summary:
        with closing(self._parts(names, wanted, missing)) as pieces:
            first = next(pieces, None)
            if first is None:
                raise DataError("the table has no rows; a search needs data")
            return tree_sum(chain([first], pieces))

    def _parts(self, names: tuple[str, ...], wanted: Mapping[str, Kind], missing: Missing) -> Generator[Summary]:
        """The summaries of the batches, in their order; what one is told of others does not hang on the clock."""
        continuous: frozenset[str] = frozenset()
        coming: deque[Future[Summary]] = deque()
        pool = ThreadPoolExecutor(max(1, self._lanes))
        try:
            with _closing(self._source.batches(names)) as batches:
                for batch in batches:
                    check()
                    coming.append(pool.submit(Summary.of, batch, names, wanted, missing, continuous))
                    if len(coming) > self._lanes:
                        part = coming.popleft().result()
                        continuous |= part.continuous
                        yield part
            while coming:
                yield coming.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


class _Parts(FrameSource):
    """All rows of batches, as one frame; errors tell in which file a row is."""

    def __init__(self, batches: Iterator[Batch], names: tuple[str, ...]) -> None:
        import polars as pl

        frames: list[pl.DataFrame] = []
        self._starts: list[int] = []
        self._places: list[tuple[int, str | None]] = []
        decimals = set()
        rows = 0
        for batch in batches:
            check()
            frames.append(batch.frame(names))
            self._starts.append(rows)
            self._places.append(batch.place)
            decimals.add(batch.decimal)
            rows += batch.rows
        if not frames:
            raise DataError("the table has no rows; a search needs data")
        for name, *types in zip(names, *(frame.dtypes for frame in frames), strict=True):
            if len({dtype.is_numeric() for dtype in types if dtype != pl.Null}) > 1:
                raise DataError(
                    f"column {name!r} holds numbers in some parts and labels in others; make it one of them "
                    f"everywhere, or leave it out: drop=[{name!r}]"
                )
        with refusing("the parts cannot be put together", "make the columns of all parts of the same types"):
            whole = pl.concat(frames, how="vertical_relaxed")
        super().__init__(whole, ours=True, decimal="," if decimals == {","} else ".")

    def where(self, row: int) -> str:
        """How a row is called in an error: counted from 1 in its file, or in all that came."""
        part = bisect_right(self._starts, row) - 1
        first, place = self._places[part]
        return row_in_words(first + row - self._starts[part], place)


class _Frames:
    """Frames of pandas, polars or pyarrow that come one after the other."""

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

    def __init__(self, dataset: Any) -> None:
        self.names = column_names(dataset.schema.names)
        self._dataset = dataset

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        parts = self._dataset.to_batches(columns=list(columns), batch_size=BATCH, batch_readahead=2)
        return batches_of_frames(parts, tuple(columns))


class _Relation:
    """A relation of DuckDB: a query that runs while its rows are read."""

    def __init__(self, relation: Any) -> None:
        with _refusing_duckdb():
            if not hasattr(relation, "columns"):
                raise OptionError(
                    f"a {type(relation).__name__} of duckdb is no table; pass a relation, as in "
                    "connection.sql('select …')"
                )
            self.names = column_names(relation.columns)
        self._relation = relation

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        return ahead(self._batches(tuple(columns)), self._interrupt)

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
            with closing(reader(BATCH)) as rows:  # the connection is free again, whatever happens
                yield from batches_of_frames(rows, columns)


@contextmanager
def _refusing_duckdb() -> Iterator[None]:
    """Turn what DuckDB says about a query that cannot be run to its end into a `DataError`."""
    import duckdb
    import pyarrow as pa

    try:
        yield
    except (duckdb.Error, pa.ArrowException, OSError) as error:
        raise DataError(f"the query of DuckDB failed: {reason(error)}; correct it, or run it anew") from None


class _Partitions:
    """A frame of Dask: each partition is summed up where it is, and the sums are tree_sum in a tree."""

    def __init__(self, frame: Any) -> None:
        self.names = column_names(frame.columns)
        self._native = dict(zip(self.names, frame.columns, strict=True))
        self._frame = frame

    def _chosen(self, names: tuple[str, ...]) -> Any:
        return self._frame[[self._native[name] for name in names]]

    def summary(self, names: tuple[str, ...], wanted: Mapping[str, Kind], missing: Missing) -> Summary:
        """The sum of the summaries of all partitions."""
        import dask

        engine: Any = dask  # says little about its types
        parts = [
            engine.delayed(_of_partition)(part, number, names, dict(wanted), missing)
            for number, part in enumerate(self._chosen(names).to_delayed(), start=1)
        ]
        while len(parts) > 1:
            parts = [engine.delayed(_sum)(parts[i : i + BRANCHES]) for i in range(0, len(parts), BRANCHES)]
        (whole,) = _computed(lambda: engine.compute(*parts)) if parts else (None,)
        if whole is None:
            raise DataError("the table has no rows; a search needs data")
        return whole

    def source(self, names: tuple[str, ...]) -> Source:
        """All rows of these columns."""
        return FrameSource(_computed(self._chosen(names).compute))


def _computed(call: Callable[[], Any]) -> Any:
    """What Dask computes; in another thread only where there is a time limit, which this one then sees."""
    return patiently(call) if limited() else call()


def _of_partition(
    frame: Any, number: int, names: tuple[str, ...], wanted: Mapping[str, Kind], missing: Missing
) -> Summary | None:
    if not len(frame):
        return None
    place = f"partition {number}"
    parts = (Batch(frame.iloc[i : i + BATCH], i, place) for i in range(0, len(frame), BATCH))
    return tree_sum(Summary.of(part, names, wanted, missing) for part in parts)


def _sum(parts: Sequence[Summary | None]) -> Summary | None:
    there = [part for part in parts if part is not None]
    return tree_sum(there) if there else None
