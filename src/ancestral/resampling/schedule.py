"""Repeats carried out: here one after the other, by threads, or by somebody else's executor.

Whoever carries them out, the graphs come back in the order of their numbers, and when something ends the work early,
those kept are the first ones without a gap. So a run that was stopped has what a shorter run would have had.
"""

import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from ancestral.errors import OptionError, RunError, RunWarning
from ancestral.parallel.clock import TELL_EVERY, RepeatsProgress, Stopped, Watch
from ancestral.parallel.payloads import Payload, TaskError, check_version, load_cached
from ancestral.parallel.transports import (
    ExecutorGone,
    TaskLost,
    Transport,
    WorkerCount,
    brought,
    said,
    transport_for,
    wait_before_retry,
)
from ancestral.resampling.repeats import Repeats
from ancestral.search.stage import Edges
from ancestral.version import VERSION

__all__ = ["RepeatResults", "run_repeats"]

#: An executor gets chunks of about so many seconds: when it ends early, not much is lost. But a chunk is of so many
#: repeats at most.
ABOUT, LARGEST = 0.5, 64
#: So many chunks are out at a time for each helper where they are short, so that nobody waits for work.
OUT = 2
#: So long the last graphs are waited for when the time is over, in seconds: whoever has begun ends by itself.
GRACE = 2.0
#: How often the clock is looked at while others work, in seconds.
LOOK_EVERY = 0.05


@dataclass
class RepeatResults:
    """The graphs of the first repeats, and why there are no more: "time limit", "interrupt", "executor" or None."""

    graphs: list[Edges] = field(default_factory=list)
    stopped: str | None = None


class _Clock:
    """When the time is over, and whom to tell how far it is."""

    def __init__(self, wanted: int, seconds: float | None, tell: Callable[[RepeatsProgress], None] | None) -> None:
        self.wanted = wanted
        self.started = self._told = time.monotonic()
        self.deadline = None if seconds is None else self.started + seconds
        self._tell = tell

    @property
    def left(self) -> float | None:
        return None if self.deadline is None else self.deadline - time.monotonic()

    def check(self) -> None:
        """Stopped, if the time is over."""
        left = self.left
        if left is not None and left <= 0:
            raise Stopped

    def tell(self, done: int) -> None:
        now = time.monotonic()
        if self._tell is None or (now - self._told < TELL_EVERY and done < self.wanted):
            return
        self._told = now
        elapsed = now - self.started
        remaining = elapsed * (self.wanted - done) / done if done else None
        self._tell(RepeatsProgress(self.wanted, done, elapsed, remaining))


def run_repeats(
    repeats: Repeats,
    wanted: int,
    *,
    executor: Executor | None = None,
    workers: int = 1,
    seconds: float | None = None,
    tell: Callable[[RepeatsProgress], None] | None = None,
) -> RepeatResults:
    """Carry out repeats 0 … wanted − 1; a time limit, Ctrl-C or an executor that breaks ends it with what is done."""
    clock = _Clock(wanted, seconds, tell)
    if executor is None and workers == 1:
        return _here(repeats, clock)
    if executor is not None:
        return _Dispatch(clock, _ExecutorPool(transport_for(executor), repeats, clock)).run()
    with _threads(repeats, workers, clock) as near:
        return _Dispatch(clock, near).run()


def _here(repeats: Repeats, clock: _Clock) -> RepeatResults:
    out = RepeatResults()
    try:
        for number in range(clock.wanted):
            clock.check()
            out.graphs.append(repeats.one(number, Watch(clock.left)))
            clock.tell(len(out.graphs))
    except Stopped:
        out.stopped = "time limit"
    except KeyboardInterrupt:
        out.stopped = "interrupt"
    return out


@dataclass(frozen=True)
class _Chunk:
    """The graphs of some repeats, the first of those that were wanted, and the seconds that they took."""

    graphs: list[Edges]
    seconds: float


class _Helpers(Protocol):
    """Who carry out repeats."""

    def send(self, first: int, stop: int) -> "Future[Any]":
        """Have these repeats carried out; ExecutorGone if nobody can."""

    def count(self) -> int:
        """How many there are; ExecutorGone if there has been nobody for too long."""

    def wait_before_retry(self, tried: int, why: str) -> None:
        """Something got lost and will be sent again, for the so-manieth time; ExecutorGone if that is hopeless."""

    def cancel(self, futures: Iterable["Future[Any]"]) -> None:
        """Nobody waits for these any longer."""


class _ExecutorPool:
    """The workers of somebody else's executor."""

    def __init__(self, way: Transport, repeats: Repeats, clock: _Clock) -> None:
        self._way = way
        self._clock = clock
        self._muster = WorkerCount(way)
        try:
            self._parcel = way.pack(repeats)
        except Exception as error:  # pickle raises whatever it meets
            raise OptionError(
                f"the data cannot be sent to other processes: {error}; pass a ThreadPoolExecutor"
            ) from error

    def send(self, first: int, stop: int) -> "Future[Any]":
        try:
            left = self._clock.left
            seconds = None if left is None else max(left, 0.0)
            return self._way.submit(_some, VERSION, self._way.post(self._parcel), first, stop, seconds)
        except ExecutorGone:
            raise
        except Exception as error:  # each kind of executor has its own way to say that it is closed
            raise ExecutorGone(said(error)) from error

    def count(self) -> int:
        return self._muster.count()

    def wait_before_retry(self, tried: int, why: str) -> None:
        wait_before_retry(self._way, tried, why, self._clock.check)

    def cancel(self, futures: Iterable["Future[Any]"]) -> None:
        self._way.cancel(futures)


def _some(version: str, payload: Payload, first: int, stop: int, seconds: float | None) -> _Chunk | TaskError:
    """Carry out some repeats, as a worker, in at most so many seconds from now on."""
    try:
        check_version(version)
        repeats: Repeats = load_cached(payload)
        began = time.perf_counter()
        return _Chunk(repeats.some(first, stop, seconds), time.perf_counter() - began)
    except Exception as error:
        return TaskError.by(error)


@dataclass(frozen=True)
class _ThreadPool:
    """Threads of our own, who are always there."""

    pool: ThreadPoolExecutor
    workers: int
    some: Callable[[int, int], list[Edges]]

    def send(self, first: int, stop: int) -> "Future[Any]":
        return self.pool.submit(self._some, first, stop)

    def _some(self, first: int, stop: int) -> _Chunk | TaskError:
        try:
            began = time.perf_counter()
            return _Chunk(self.some(first, stop), time.perf_counter() - began)
        except Exception as error:
            return TaskError(error)

    def count(self) -> int:
        return self.workers

    def wait_before_retry(self, tried: int, why: str) -> None:
        raise ExecutorGone(why)

    def cancel(self, futures: Iterable["Future[Any]"]) -> None:
        for future in futures:
            future.cancel()


@contextmanager
def _threads(repeats: Repeats, workers: int, clock: _Clock) -> Iterator[_ThreadPool]:
    """Threads of our own, which end at once when nobody waits for them any more."""
    watches: list[Watch] = []

    def some(first: int, stop: int) -> list[Edges]:
        out = []
        for number in range(first, stop):
            watch = Watch(None if clock.left is None else max(clock.left, 0.0))
            watches.append(watch)
            try:
                watch.check()
                out.append(repeats.one(number, watch))
            except Stopped:
                break
            finally:
                watches.remove(watch)
        return out

    pool = ThreadPoolExecutor(workers)
    try:
        yield _ThreadPool(pool, workers, some)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for watch in list(watches):
            watch.stop()
        pool.shutdown(wait=True)


class _Dispatch:
    """Chunks of repeats that are out, and those that came back."""

    def __init__(self, clock: _Clock, helpers: _Helpers) -> None:
        self.clock = clock
        self.helpers = helpers
        self.stops: dict[int, int] = {}  # where each chunk that was sent ends
        self.back: dict[int, list[Edges]] = {}
        self.out: dict[Future[Any], int] = {}
        self.tries: Counter[int] = Counter()
        self.done = 0
        self.seconds = 0.0

    def run(self) -> RepeatResults:
        """Send the chunks out, one after the other, and wait for all."""
        stopped = None
        first = 0
        try:
            while first < self.clock.wanted or self.out:
                self.clock.check()
                most = self._ahead() * self.helpers.count()
                while first < self.clock.wanted and len(self.out) < most:
                    self.stops[first] = min(first + self._size(), self.clock.wanted)
                    self._send(first)
                    first = self.stops[first]
                self._look()
        except Stopped:
            stopped = "time limit"
            wait(self.out, GRACE)
            self._take_what_is_there()
        except KeyboardInterrupt:
            stopped = "interrupt"
            self._take_what_is_there()
        except ExecutorGone as error:
            stopped = "executor"
            self._take_what_is_there()
            if not self._kept():
                raise RunError(
                    f"the executor failed ({error}) before a repeat was done; mend it, or leave executor= out"
                ) from error
            warnings.warn(
                f"the executor failed ({error}); repeats that were done before: {len(self._kept())}",
                RunWarning,
                stacklevel=4,
            )
        finally:
            self.helpers.cancel([future for future in self.out if not future.done()])
        kept = self._kept()
        if stopped is None and len(kept) < self.clock.wanted:  # a worker saw first that the time is over
            stopped = "time limit"
        return RepeatResults(kept, stopped)

    def _ahead(self) -> int:
        """How many chunks are out at a time for each helper.

        A chunk gets the seconds that are left when it is sent, and a worker counts them from the moment it begins. So
        under a time limit long chunks, and those of unknown length, do not wait behind others: they would end too late.
        """
        short = self.done > 0 and self.seconds / self.done <= ABOUT
        return OUT if short or self.clock.deadline is None else 1

    def _size(self) -> int:
        """How many repeats the next chunk shall have."""
        return min(LARGEST, max(1, int(ABOUT * self.done / self.seconds))) if self.seconds else 1

    def _send(self, first: int) -> None:
        self.out[self.helpers.send(first, self.stops[first])] = first

    def _look(self) -> None:
        if not self.out:  # nobody is there yet
            time.sleep(LOOK_EVERY)
        left = self.clock.left
        ready, _ = wait(self.out, LOOK_EVERY if left is None else min(max(left, 0), LOOK_EVERY), FIRST_COMPLETED)
        lost, why = [], ""
        for future in ready:
            first = self.out.pop(future)
            try:
                self._take(first, brought(future))
            except TaskLost as error:
                lost.append(first)
                why = str(error)
        if ready:
            self.clock.tell(self.done)
        if lost:
            self.helpers.wait_before_retry(max(self.tries[first] for first in lost), why)
            for first in lost:
                self.tries[first] += 1
                self._send(first)

    def _take_what_is_there(self) -> None:
        for future, first in self.out.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                found = future.result()
                if not isinstance(found, TaskError):
                    self._take(first, found)

    def _take(self, first: int, chunk: _Chunk) -> None:
        self.back[first] = chunk.graphs
        self.done += len(chunk.graphs)
        self.seconds += chunk.seconds

    def _kept(self) -> list[Edges]:
        """The first repeats without a gap."""
        kept: list[Edges] = []
        while some := self.back.get(len(kept)):
            kept += some
        return kept
