"""Batches: some rows at a time of a source that is too large to be read at once, and what they are called in errors."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextvars import copy_context
from queue import Empty, Queue
from threading import Event, Thread
from typing import Any, TypeVar

from ancestral.data.errors import DataError, listed
from ancestral.data.kinds import Floats, Kind, Labels
from ancestral.data.read import deadline
from ancestral.data.read.frames import FrameSource, column_names
from ancestral.data.read.guards import faults_of_polars, reason

__all__ = ["BATCH", "Batch", "Reread", "ahead", "batches_of_frames"]

#: So many rows are read at a time, where we may choose.
BATCH = 1 << 16
#: Seconds to wait for the thread that reads ahead, once nobody wants more of it.
PATIENCE = 2.0

T = TypeVar("T")


class Reread(Exception):
    """A file turned out to hold other types than it seemed; begin again, the source knows better now."""


class Batch:
    """A frame that is a part of a source; `first` rows came before it in `place`, a file if it has a name."""

    def __init__(self, frame: Any, first: int = 0, place: str | None = None, *, decimal: str = ".") -> None:
        self._source = FrameSource(_as_frame(frame), ours=True)
        self._first = first
        self._place = place
        self.decimal = decimal

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns."""
        return self._source.names

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return self._source.rows

    def where(self, row: int) -> str:
        """How a row is called in an error: counted from 1 in its file, or in all that came."""
        return row_in_words(self._first + row, self._place)

    def column(self, name: str, wanted: Kind | None = "discrete") -> Floats | Labels:
        """The column as numbers, if it holds numbers, or as labels; `wanted` is the kind that the caller has said."""
        if wanted is None:
            self._source.check_objects(name)
        return self._source.column(name, "discrete")

    def frame(self, names: tuple[str, ...]) -> Any:
        """These columns as a frame of polars that shares no memory with anybody."""
        import polars as pl

        return self._source.in_polars(names).select(pl.all().gather(pl.int_range(pl.len())))

    @property
    def place(self) -> tuple[int, str | None]:
        """How many rows came before it, and the name of its file."""
        return self._first, self._place

    def is_text(self, name: str) -> bool:
        """Whether the labels of a column are text, which may have been meant as numbers."""
        return self._source.is_text(name)


def row_in_words(row: int, place: str | None) -> str:
    """A row, counted from 0, in an error."""
    return f"row {row + 1}" + (f" of {place}" if place else "")


def _as_frame(frame: Any) -> Any:
    """The frame; a record batch or a table of pyarrow becomes one of polars."""
    if not type(frame).__module__.startswith("pyarrow") or type(frame).__name__ not in ("RecordBatch", "Table"):
        return frame
    import polars as pl

    names = column_names(frame.schema.names)
    columns = [_plain(frame.column(i), name) for i, name in enumerate(names)]
    try:
        return pl.from_arrow(type(frame).from_arrays(columns, names=list(names)))
    except faults_of_polars():
        for name, column in zip(names, columns, strict=True):
            try:
                pl.from_arrow(type(frame).from_arrays([column], names=[name]))
            except faults_of_polars() as error:
                raise _unreadable(name, column.type, reason(error)) from None
        raise


def _plain(column: Any, name: str) -> Any:
    """A column of pyarrow in a form that polars knows; raises if there is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_decimal256(column.type):
        raise _unreadable(name, column.type, "it has more than 38 digits")
    if pa.types.is_interval(column.type) or pa.types.is_union(column.type):
        raise _unreadable(name, column.type, "it is neither a number nor a label")
    if not pa.types.is_run_end_encoded(column.type):
        return column
    if isinstance(column, pa.ChunkedArray):
        chunks = [pc.run_end_decode(chunk) for chunk in column.chunks]
        return pa.chunked_array(chunks, type=column.type.value_type)
    return pc.run_end_decode(column)


def _unreadable(name: str, dtype: Any, why: str) -> DataError:
    return DataError(
        f"column {name!r} holds values of type {dtype}, which cannot be read ({why}); turn it into numbers or text, "
        f"or leave it out: drop=[{name!r}]"
    )


def batches_of_frames(frames: Iterable[Any], names: tuple[str, ...]) -> Iterator[Batch]:
    """The batches of frames that come one after the other and have the same columns, in any order."""
    first = 0
    for number, frame in enumerate(frames, start=1):
        deadline.check()
        batch = Batch(frame, first)
        check_names(names, batch.names, f"frame {number}")
        first += batch.rows
        if batch.rows:
            yield batch


def check_names(names: tuple[str, ...], found: Iterable[str], what: str) -> None:
    """Raise unless a part has the columns of the others."""
    here = dict.fromkeys(found)
    known = set(names)
    lacking = [name for name in names if name not in here]
    more = [name for name in here if name not in known]
    if lacking or more:
        parts = [f"lacks {listed(lacking)}"] * bool(lacking) + [f"has {listed(more)} besides"] * bool(more)
        raise DataError(f"{what} {' and '.join(parts)}; all parts of a source must have the same columns")


def ahead(items: Iterable[T], stop: Callable[[], object] | None = None) -> Iterator[T]:
    """The items; while one is worked on, a thread gets the next. Waiting for it ends when the time is over.

    `stop` is called if the thread still works on an item when nobody wants more.
    """
    queue: Queue[Callable[[], T] | None] = Queue(maxsize=1)
    enough = Event()

    def get() -> None:
        try:
            for item in items:
                queue.put(lambda item=item: item)  # type: ignore[misc]
                if enough.is_set():
                    return
        except BaseException as error:
            queue.put(lambda error=error: _raise(error))  # type: ignore[misc]
        finally:
            if hasattr(items, "close"):
                items.close()
        queue.put(None)

    thread = Thread(target=copy_context().run, args=(get,), daemon=True)
    thread.start()
    try:
        while (item := _waited_for(queue)) is not None:
            yield item()
    finally:
        enough.set()
        if stop is not None and thread.is_alive():
            stop()
        until = time.monotonic() + PATIENCE
        while thread.is_alive() and time.monotonic() < until:  # it may be waiting to hand something over
            while not queue.empty():
                queue.get()
            thread.join(0.01)


def _waited_for(queue: "Queue[T]") -> T:
    while True:
        try:
            return queue.get(timeout=deadline.CHECK_EVERY)
        except Empty:
            deadline.check()


def _raise(error: BaseException) -> Any:
    raise error
