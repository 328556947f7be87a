"""Batches: some rows at a time of a source that is too large to be read at once, and what they are called in errors."""

from collections.abc import Callable, Iterable, Iterator
from queue import Queue
from threading import Event, Thread
from typing import Any, TypeVar

from ancestral.data.errors import DataError, listed
from ancestral.data.frames import FrameSource
from ancestral.data.kinds import Floats, Labels

__all__ = ["BATCH", "Batch", "Reread", "ahead", "batches_of_frames"]

#: So many rows are read at a time, where we may choose.
BATCH = 1 << 16

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
        return f"row {self._first + row + 1}" + (f" of {self._place}" if self._place else "")

    def column(self, name: str) -> Floats | Labels:
        """The column as numbers, if it holds numbers, or as labels."""
        return self._source.column(name, "discrete")

    def frame(self, names: tuple[str, ...]) -> Any:
        """These columns as a frame of polars that shares no memory with anybody."""
        import polars as pl

        return self._source.frame.select(names).to_polars().select(pl.all().gather(pl.int_range(pl.len())))

    def is_text(self, name: str) -> bool:
        """Whether the labels of a column are text, which may have been meant as numbers."""
        return self._source.is_text(name)


def _as_frame(frame: Any) -> Any:
    """The frame; a record batch of pyarrow becomes one."""
    if type(frame).__module__.startswith("pyarrow") and type(frame).__name__ in ("RecordBatch", "Table"):
        import polars as pl

        return pl.from_arrow(frame)
    return frame


def batches_of_frames(frames: Iterable[Any], names: tuple[str, ...]) -> Iterator[Batch]:
    """The batches of frames that come one after the other and have the same columns, in any order."""
    first = 0
    for number, frame in enumerate(frames, start=1):
        batch = Batch(frame, first)
        check_names(names, batch.names, f"frame {number}")
        first += batch.rows
        if batch.rows:
            yield batch


def check_names(names: tuple[str, ...], found: Iterable[str], what: str) -> None:
    """Raise unless a part has the columns of the others."""
    here = list(found)
    lacking = [name for name in names if name not in set(here)]
    more = [name for name in here if name not in set(names)]
    if lacking or more:
        parts = [f"lacks {listed(lacking)}"] * bool(lacking) + [f"has {listed(more)} besides"] * bool(more)
        raise DataError(f"{what} {' and '.join(parts)}; all parts of a source must have the same columns")


def ahead(items: Iterable[T]) -> Iterator[T]:
    """The items; while one is worked on, a thread gets the next."""
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
        queue.put(None)

    thread = Thread(target=get, daemon=True)
    thread.start()
    try:
        while (item := queue.get()) is not None:
            yield item()
    finally:
        enough.set()
        while thread.is_alive():  # it may be waiting to hand something over
            while not queue.empty():
                queue.get()
            thread.join(0.01)


def _raise(error: BaseException) -> Any:
    raise error
