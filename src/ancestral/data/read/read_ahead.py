"""Reading ahead: a thread gets the next item while the caller works on the one before."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextvars import copy_context
from queue import Empty, Queue
from threading import Event, Thread
from typing import Any, TypeVar

from ancestral.data.read import deadline

__all__ = ["read_ahead"]

#: Seconds to wait for the reading thread to end once its items are not needed any more.
JOIN_SECONDS = 2.0

T = TypeVar("T")


def read_ahead(items: Iterable[T], stop: Callable[[], object] | None = None) -> Iterator[T]:
    """Yield the items, which a thread gets from the iterable one ahead of the caller.

    Waiting for an item ends when the time limit is over (`deadline`). An exception of the iterable is raised here.
    When the caller is done, the iterable is closed; `stop` is called first if the thread is still working on an item.
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
        while (item := _next_in(queue)) is not None:
            yield item()
    finally:
        enough.set()
        if stop is not None and thread.is_alive():
            stop()
        until = time.monotonic() + JOIN_SECONDS
        while thread.is_alive() and time.monotonic() < until:  # it may be waiting until the queue is empty
            while not queue.empty():
                queue.get()
            thread.join(0.01)


def _next_in(queue: "Queue[T]") -> T:
    while True:
        try:
            return queue.get(timeout=deadline.CHECK_EVERY)
        except Empty:
            deadline.check()


def _raise(error: BaseException) -> Any:
    raise error
