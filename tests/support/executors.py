"""Executors for tests: they count, shuffle and fail; and searches with a tuning that has small problems sent, too."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest

from ancestral import Discovery, discovery
from ancestral.errors import AncestralError
from ancestral.parallel.tuning import Tuning
from ancestral.parallel.worker import TaskError
from ancestral.search.stage import Stage
from ancestral.search_run import SearchRun

#: Small problems are sent, too, in few chunks, and retries come soon.
SEND_ALL = Tuning(
    chunks_per_worker=2, shortest_chunk=1e-9, least_work_to_send=0, retry_pauses=(0.02, 0.02, 0.02)
)  # fmt: skip


def discover(source: Any, tuning: Tuning = SEND_ALL, **options: Any) -> Discovery:
    """`ancestral.discover`, with this tuning."""
    with tuned(tuning):
        return discovery.discover(source, **options)


def stages(source: Any, tuning: Tuning = SEND_ALL, **options: Any) -> Iterator[Stage]:
    """`ancestral.stages`, with this tuning."""
    with tuned(tuning):
        return discovery.stages(source, **options)


@contextmanager
def tuned(tuning: Tuning) -> Iterator[None]:
    """Searches that are begun inside the block have this tuning."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(discovery, "SearchRun", partial(SearchRun, tuning=tuning))
        yield


class CountingExecutor(ThreadPoolExecutor):
    """Threads; counts the calls that it gets."""

    calls = 0

    def submit(self, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Count the call, and run it."""
        self.calls += 1
        return super().submit(*args, **kwargs)


class ShuffledExecutor(Executor):
    """Runs calls one after the other, in a random order, as a process elsewhere would: everything is pickled.

    `fails` gives, by the number of the call, the exception that its future gets in the place of a result.
    """

    def __init__(self, seed: int = 1, fails: Callable[[int], BaseException | None] = lambda number: None) -> None:
        self._max_workers = 8
        self.order: list[int] = []
        self._fails = fails
        self._random = random.Random(seed)
        self._calls: list[tuple[int, Future[Any], Any]] = []
        self._number = 0
        self._ended = False
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Keep the call for later."""
        future: Future[Any] = Future()
        self._calls.append((self._number, future, lambda: fn(*args, **kwargs)))
        self._number += 1
        return future

    def _work(self) -> None:
        while not self._ended:
            time.sleep(0.002)  # until several calls have come together
            while self._calls:
                number, future, call = self._calls.pop(self._random.randrange(len(self._calls)))
                if not future.set_running_or_notify_cancel():
                    continue
                self.order.append(number)
                try:
                    if (error := self._fails(number)) is not None:
                        raise error
                    future.set_result(call())
                except BaseException as error:
                    future.set_exception(error)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the thread."""
        self._ended = True
        self._thread.join()


class FailingExecutor(Executor):
    """Runs each call when it is submitted; `fails` gives, by the number of the call from 1, how it fails.

    An error of ancestral is returned as the error of the task, and a RuntimeError about a shutdown is raised by
    `submit`.
    """

    def __init__(self, fails: Callable[[int], BaseException | None] = lambda number: None) -> None:
        self._max_workers = 2
        self._fails = fails
        self.calls = 0

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> "Future[Any]":
        """Run the call, or fail."""
        self.calls += 1
        future: Future[Any] = Future()
        error = self._fails(self.calls)
        if isinstance(error, RuntimeError) and "shutdown" in str(error):
            raise error
        if isinstance(error, AncestralError):
            future.set_result(TaskError(error))
        elif error is None:
            future.set_result(function(*arguments, **options))
        else:
            future.set_exception(error)
        return future
