"""Deadline: reading ends when the time is over, and on Ctrl-C, whatever library does the reading.

`discover`, `stages` and `bootstrap` set the time limit around all that reads (`reading_within`). Readers look at it
between two parts (`check`); a call of a library that may take long is made in another thread (`patiently`), so that
this one sees the clock and Ctrl-C. The limit lies in a context variable: no function needs an argument for it.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

from ancestral.errors import RunError

__all__ = ["check", "limited", "patiently", "reading_within"]

T = TypeVar("T")

#: Seconds between two looks at the clock, and at Ctrl-C, while another thread reads.
LOOK_EVERY = 0.05
#: Seconds that reading may always take: a search whose limit is shorter still has a graph, if one without an answer.
GRACE = 1.0
#: Seconds that are left when none are: a limit must be above 0.
SOON = 1e-6

_limit: ContextVar[tuple[float, float] | None] = ContextVar("limit", default=None)  # when it ends, how long it was


@contextmanager
def reading_within(seconds: float | None) -> Iterator[Callable[[], float | None]]:
    """Let all that is read inside end after `seconds` from now (None: no limit), and tell how many are left.

    Reading has at least GRACE seconds. A limit that was there before, and is over earlier, stays.
    """
    outer = _limit.get()
    mine = None if seconds is None else (time.monotonic() + seconds, seconds)
    before = _limit.set(mine if outer is None or (mine is not None and mine[0] < outer[0]) else outer)
    try:
        yield lambda: None if mine is None else max(mine[0] - time.monotonic(), SOON)
    finally:
        _limit.reset(before)


def limited() -> bool:
    """Whether there is a limit."""
    return _limit.get() is not None


def check() -> None:
    """Raise `RunError` if the time is over."""
    limit = _limit.get()
    if limit is not None and time.monotonic() >= limit[0] + max(0.0, GRACE - limit[1]):
        raise RunError(
            f"the time limit of {limit[1]:g} s ended while the data were being read, so nothing was searched; "
            "pass a longer time_limit="
        )


def patiently(call: Callable[[], T]) -> T:
    """What the call returns or raises; it runs in another thread, which is left alone when the time is over."""
    done: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()

    def work() -> None:
        try:
            done.put((call(), None))
        except BaseException as error:
            done.put((None, error))

    Thread(target=copy_context().run, args=(work,), daemon=True).start()
    while True:
        try:
            result, error = done.get(timeout=LOOK_EVERY)
            break
        except Empty:
            check()
    if error is not None:
        raise error
    return result  # type: ignore[return-value]
