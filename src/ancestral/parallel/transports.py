"""Ways to the workers of an executor: threads of this process, other processes, the workers of a Dask cluster.

Dask spreads a payload over its workers once; to other executors it goes with each call, and a process opens it once.
"""

import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from hashlib import sha256
from typing import Any
from uuid import uuid4

from ancestral.errors import RunError
from ancestral.parallel.clock import TELL_EVERY
from ancestral.parallel.payloads import Payload, TaskError, pickled

__all__ = [
    "ExecutorGone",
    "TaskLost",
    "Transport",
    "WorkerCount",
    "brought",
    "said",
    "transport_for",
    "wait_before_retry",
]

#: What was lost is sent again after so many seconds, and then again.
PAUSES = (0.1, 0.5, 2.0)

#: Without any worker for so many seconds, a cluster is taken to be gone; it is looked at so often.
PATIENCE, LOOK_EVERY = 30.0, 1.0


class ExecutorGone(Exception):
    """The executor takes no more tasks, or they do not come back; says why."""


class Transport:
    """To the workers of any executor, which are processes somewhere: payloads go with each task."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor

    def workers(self) -> int:
        """How many there are, as far as one can know."""
        return int(getattr(self.executor, "_max_workers", None) or os.cpu_count() or 1)

    def pack(self, thing: Any) -> Payload:
        """A payload of something that they need."""
        content = pickled(thing)
        return Payload(sha256(content).hexdigest(), content)

    def post(self, payload: Payload) -> Any:
        """What stands for the payload among the arguments of an task."""
        return payload

    def submit(self, *call: Any) -> "Future[Any]":
        """Have a worker call something."""
        return self.executor.submit(*call)

    def is_there(self) -> bool:
        """Whether it takes more, as far as one can know."""
        return True

    def cancel(self, futures: Iterable["Future[Any]"]) -> None:
        """Nobody waits for these any longer."""
        for future in futures:
            future.cancel()

    def forget(self, payload: Payload | None = None) -> None:
        """This payload, or any, is not needed any longer."""


class _ToThreads(Transport):
    """To threads of this process, for whom nothing is packed."""

    def pack(self, thing: Any) -> Payload:
        return Payload(uuid4().hex, thing=thing)


class _ToDask(Transport):
    """To the workers of a Dask cluster, each of whom gets a payload once."""

    def __init__(self, executor: Executor) -> None:
        super().__init__(executor)
        self._client: Any = executor._client  # type: ignore[attr-defined]
        self._posted: dict[str, Any] = {}

    def workers(self) -> int:
        return int(sum(self._client.nthreads().values()))

    def post(self, payload: Payload) -> Any:
        from asyncio import CancelledError as ClosedMeanwhile  # no Exception, and not that of futures

        if payload.token not in self._posted:
            try:
                (self._posted[payload.token],) = self._client.scatter([payload], broadcast=True, hash=False)
            except ClosedMeanwhile as error:
                raise ExecutorGone(said(error)) from error
        return self._posted[payload.token]

    def submit(self, *call: Any) -> "Future[Any]":
        submit: Any = self.executor.submit
        future: Future[Any] = submit(*call, pure=False)  # not worth a look whether the same was ever asked
        return future

    def is_there(self) -> bool:
        return bool(self._client.status == "running")

    def forget(self, payload: Payload | None = None) -> None:
        if payload is None:
            self._posted.clear()
        else:
            self._posted.pop(payload.token, None)


def transport_for(executor: Executor) -> Transport:
    """The way to the workers of an executor."""
    if isinstance(executor, ThreadPoolExecutor):
        return _ToThreads(executor)
    if type(executor).__module__.startswith("distributed.") and hasattr(getattr(executor, "_client", None), "scatter"):
        return _ToDask(executor)
    return Transport(executor)


class WorkerCount:
    """Counts the workers now and then; there must not be none of them for long."""

    def __init__(self, way: Transport) -> None:
        self._way = way
        self._there = 0
        self._looked = -LOOK_EVERY
        self._none_since: float | None = None

    def count(self) -> int:
        """The number of workers, when they were counted last."""
        now = time.monotonic()
        if now - self._looked < LOOK_EVERY:
            return self._there
        try:
            self._there, self._looked = self._way.workers(), now
        except Exception as error:  # it takes a cluster to know
            raise ExecutorGone(said(error) if self._way.is_there() else "it is closed") from error
        if self._there:
            self._none_since = None
        elif self._none_since is None:
            self._none_since = now
        elif now - self._none_since >= PATIENCE:
            raise ExecutorGone(f"it has had no workers for {PATIENCE:.0f} s")
        return self._there


def wait_before_retry(way: Transport, tried: int, why: str, look: Callable[[], object]) -> None:
    """Before what was lost is sent again: give the executor time to come to itself, and `look` up meanwhile."""
    for pause in PAUSES[tried:]:
        until = time.monotonic() + pause
        while time.monotonic() < until:
            time.sleep(min(pause, TELL_EVERY))
            look()
        if way.is_there():
            way.forget()  # what workers had may be lost with them
            return
    raise ExecutorGone(why)


# -- what came back ---------------------------------------------------------------------------------------------------


class TaskLost(Exception):
    """An task did not come back; says why."""


def brought(future: "Future[Any]") -> Any:
    """What a worker brought; raises what its work led to."""
    try:
        found = future.result()
    except BrokenExecutor as error:  # a broken pool stays broken
        raise ExecutorGone(said(error)) from error
    except CancelledError as error:
        raise TaskLost(said(error)) from error
    except Exception as error:
        # of a worker that died, or of the way to it: an task itself brings its exceptions home
        if isinstance(error, OSError) or type(error).__module__.startswith("distributed."):
            raise TaskLost(said(error)) from error
        raise RunError(
            f"a worker could not run what it was sent ({said(error)}); install the same packages on all workers"
        ) from error
    if isinstance(found, TaskError):
        raise found.error
    return found


def said(error: BaseException) -> str:
    """An exception in a line."""
    text = str(error).strip().split("\n")[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
