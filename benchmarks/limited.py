"""Run one search under a limit of CPU seconds; what goes wrong is part of a comparison.

Needs the standard library alone, so that programs in other virtual environments can use it.
"""

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

__all__ = ["Outcome", "limited"]

T = TypeVar("T")


class _Stopped(BaseException):
    """A search has used up its time; not an `Exception`, which a search may catch."""


def _stop(_signal: int, _frame: object) -> None:
    raise _Stopped


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """What a search has found, if it has, its CPU seconds, and why it failed, if it did."""

    found: T | None
    seconds: float
    failed: str = ""


def limited(search: Callable[[], T], patience: float) -> Outcome[T]:
    """Search for at most so many CPU seconds."""
    before = signal.signal(signal.SIGPROF, _stop)
    start = time.process_time()
    found, failed = None, ""
    try:
        # a stop that comes where it is swallowed, as in a callback, comes again after a second
        signal.setitimer(signal.ITIMER_PROF, patience, 1.0)
        found = search()
    except _Stopped:
        failed = f"stopped after {patience:g} s"
    except Exception as error:
        failed = f"{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = time.process_time() - start
        signal.signal(signal.SIGPROF, before)
    return Outcome(found, round(seconds, 4), failed)
