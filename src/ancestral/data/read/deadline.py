"""The deadline of reading: reading ends when the time is over, and on Ctrl-C, whichever library reads.

`discover`, `stages` and `bootstrap` set the time limit around everything that reads (`reading_within`). Readers check
it between two parts (`check`); a call of a library that may take long is made in another thread (`patiently`), so that
this one sees the clock and Ctrl-C. The limit is in a context variable, so no function needs an argument for it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

from ancestral.errors import Option, RunError
from ancestral.parallel.clock import Stopped, Watch
from ancestral.parallel.tuning import DEFAULTS

__all__ = ["CHECK_EVERY", "check", "limited", "patiently", "reading_within"]

T = TypeVar("T")

#: Seconds between two checks of the clock, and of Ctrl-C, while another thread reads.
CHECK_EVERY = DEFAULTS.poll_every
#: Seconds that reading may always take: with a shorter limit, a search still returns a graph, if one without edges.
LEAST_SECONDS = 1.0
#: Seconds that are passed on when none are left, since a time limit must be above 0.
SOON = 1e-6


@dataclass(frozen=True)
class _Limit:
    """A time limit in seconds, the watch that ends reading, and the limit that was set outside of this one."""

    seconds: float
    watch: Watch
    outer: "_Limit | None"

    def check(self) -> None:
        """Raise `RunError` if the time is over, here or outside."""
        if self.outer is not None:
            self.outer.check()
        try:
            self.watch.check()
        except Stopped:
            raise RunError(
                f"the time limit of {self.seconds:g} s ended while the data were being read, so nothing was searched; "
                "pass a longer ",
                Option("time_limit"),
            ) from None


_limit: ContextVar[_Limit | None] = ContextVar("limit", default=None)


@contextmanager
def reading_within(seconds: float | None) -> Iterator[Callable[[], float | None]]:
    """End everything that is read inside after `seconds` from now (None: no limit).

    Yields a function that returns the seconds that are left. Reading may take at least LEAST_SECONDS. A limit that was
    set outside stays in force.
    """
    if seconds is None:
        yield lambda: None
        return
    whole, reading = Watch(seconds), Watch(max(seconds, LEAST_SECONDS))
    before = _limit.set(_Limit(seconds, reading, _limit.get()))
    try:
        yield lambda: max(whole.seconds_left or 0.0, SOON)
    finally:
        _limit.reset(before)


def limited() -> bool:
    """Whether there is a limit."""
    return _limit.get() is not None


def check() -> None:
    """Raise `RunError` if the time is over."""
    if (limit := _limit.get()) is not None:
        limit.check()


def patiently(call: Callable[[], T]) -> T:
    """Return what the call returns, or raise what it raises.

    It runs in another thread, which is abandoned when the time is over.
    """
    done: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()

    def work() -> None:
        try:
            done.put((call(), None))
        except BaseException as error:
            done.put((None, error))

    Thread(target=copy_context().run, args=(work,), daemon=True).start()
    while True:
        try:
            result, error = done.get(timeout=CHECK_EVERY)
            break
        except Empty:
            check()
    if error is not None:
        raise error
    return result  # type: ignore[return-value]
