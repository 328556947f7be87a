"""Streams of batches: each batch is summarised in this process while the next one is read."""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import chain
from typing import Any, Protocol

from ancestral.data.column_names import column_names, no_columns
from ancestral.data.errors import DataError
from ancestral.data.read import deadline
from ancestral.data.read.batches import BATCH_ROWS, Batch, Place, batches_of_frames
from ancestral.data.read.column_source import ColumnSource
from ancestral.data.read.joined_rows import JoinedRows
from ancestral.data.read.missing_values import IN_FRAMES, MissingValues
from ancestral.data.read.remarks import Remark
from ancestral.data.read.stream_protocol import P, no_rows
from ancestral.data.tree_sum import tree_sum

__all__ = ["BatchStream", "Dataset", "Frames"]

#: Batches that are summarised at the same time.
LANES = 2


class Batches(Protocol):
    """What a stream is read from."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""

    @property
    def settled(self) -> bool:
        """Whether the batches that came last can be used; if not, they must be read again."""

    @property
    def remarks(self) -> Sequence[Remark]:
        """What the batches that came last tell about how values are written."""

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """These columns of all rows."""


class BatchStream:
    """Batches that are summarised in this process, in up to `lanes` threads beside the one that reads.

    Frames of the user's own have no lanes: each is summarised before the next one is fetched, since they may share
    their memory.
    """

    def __init__(self, source: Batches, lanes: int = LANES) -> None:
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
                raise no_rows()
            return total

    @property
    def remarks(self) -> Sequence[Remark]:
        """What the rows that came last tell about how values are written."""
        return self._source.remarks

    def all_rows(self, names: tuple[str, ...]) -> ColumnSource:
        """All rows of these columns."""
        if not names:
            raise no_columns()
        while True:
            parts: list[tuple[Any, Place, str]] = []
            from_file = True
            with _closing(self._source.batches(names)) as batches:
                for batch in batches:
                    deadline.check()
                    parts.append((batch.frame(names), batch.first, batch.decimal))
                    from_file &= batch.from_file
            if self._source.settled:
                words = getattr(self._source, "missing_words", None)
                return JoinedRows(parts, names, self._source.remarks, from_file=from_file, words=words)

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


class Frames:
    """Frames of pandas, polars or pyarrow that come one after the other."""

    settled = True
    remarks: tuple[Remark, ...] = ()

    def __init__(self, frames: Iterable[Any], missing: MissingValues = IN_FRAMES) -> None:
        self._missing = missing
        coming = iter(frames)
        first = next(coming, None)
        if first is None:
            raise DataError("no frame came from the iterator; it is empty, or was used before: make a new one")
        self.names = Batch(first).names
        self._coming = chain([first], coming)

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """All columns of the frames, which can be read once."""
        return batches_of_frames(self._coming, self.names, self._missing)


class Dataset:
    """A dataset of pyarrow."""

    settled = True
    remarks: tuple[Remark, ...] = ()

    def __init__(self, dataset: Any, missing: MissingValues = IN_FRAMES) -> None:
        self._missing = missing
        self.names = column_names(dataset.schema.names)
        self._dataset = dataset

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """These columns of all rows."""
        parts = self._dataset.to_batches(columns=list(columns), batch_size=BATCH_ROWS, batch_readahead=2)
        return batches_of_frames(parts, tuple(columns), self._missing)
