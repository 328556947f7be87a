"""Transports: how tasks and payloads get to the workers of an executor.

Workers are threads of this process, other processes, or the workers of a Dask cluster. Dask spreads a payload over its
workers once; to other executors it goes with each task, and a process loads it once.
"""

import os
import pickle
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from hashlib import sha256
from math import inf
from typing import Any
from uuid import uuid4

from ancestral.errors import OptionError
from ancestral.parallel.clock import Watch
from ancestral.parallel.tuning import DEFAULTS, Tuning
from ancestral.parallel.worker import Payload, Task, run_task
from ancestral.version import VERSION

__all__ = ["ExecutorGone", "Transport", "Workers", "one_line", "pickled", "transport_for"]


class ExecutorGone(Exception):
    """The executor takes no more tasks, or their results do not come back; the message says why."""


class Transport:
    """To the workers of any executor: payloads go with each task."""

    def __init__(self, executor: Executor, tuning: Tuning = DEFAULTS) -> None:
        self.executor = executor
        self.tuning = tuning

    def worker_count(self) -> int:
        """The number of workers, as far as it is known."""
        return int(getattr(self.executor, "_max_workers", None) or os.cpu_count() or 1)

    def is_open(self) -> bool:
        """Whether the executor takes more tasks, as far as it is known."""
        return True

    def pack(self, value: Any, what: str = "a value", way_out: str = "pass a ThreadPoolExecutor") -> Payload:
        """A payload that holds a value; raises `OptionError` if it cannot be pickled, and calls it `what`."""
        try:
            content = pickled(value)
        except Exception as error:  # pickle raises whatever it meets
            raise OptionError(f"{what} cannot be sent to other processes: {error}", way_out=way_out) from error
        return Payload(sha256(content).hexdigest(), content)

    def send(self, task: Task, watch: Watch) -> "Future[Any]":
        """Have a worker run a task, within the time that the watch has left; raises `ExecutorGone`."""
        try:
            arguments = [self._posted(value) if isinstance(value, Payload) else value for value in task.arguments]
            return self.submit(run_task, VERSION, task.function, self._time_limit(watch), *arguments)
        except ExecutorGone:
            raise
        except Exception as error:  # each kind of executor has an exception of its own for being closed
            raise ExecutorGone(one_line(error)) from error

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> "Future[Any]":
        """Have a worker call a function."""
        return self.executor.submit(function, *arguments, **options)

    def forget(self, payload: Payload | None = None) -> None:
        """Let go of a payload, or of all: workers need not keep it, or may have lost it."""

    def _posted(self, payload: Payload) -> Any:
        """What represents a payload among the arguments of a call."""
        return payload

    def _time_limit(self, watch: Watch) -> Watch | float | None:
        return watch.seconds_left


class _ThreadTransport(Transport):
    """To threads of this process, which share its objects, also the watch."""

    def pack(self, value: Any, what: str = "", way_out: str = "") -> Payload:
        return Payload(uuid4().hex, value=value)

    def _time_limit(self, watch: Watch) -> Watch:
        return watch.child()


class _DaskTransport(Transport):
    """To the workers of a Dask cluster, each of which gets a payload once."""

    def __init__(self, executor: Executor, tuning: Tuning = DEFAULTS) -> None:
        super().__init__(executor, tuning)
        self._client: Any = executor._client  # type: ignore[attr-defined]
        self._scattered: dict[str, Any] = {}

    def worker_count(self) -> int:
        return int(sum(self._client.nthreads().values()))

    def is_open(self) -> bool:
        return bool(self._client.status == "running")

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> "Future[Any]":
        # not pure: looking up whether the same call was made before costs more than it can save
        return super().submit(function, *arguments, pure=False, **options)

    def forget(self, payload: Payload | None = None) -> None:
        if payload is None:
            self._scattered.clear()
        else:
            self._scattered.pop(payload.token, None)

    def _posted(self, payload: Payload) -> Any:
        from asyncio import CancelledError  # a BaseException, unlike that of futures: the client was closed meanwhile

        if payload.token not in self._scattered:
            try:
                (self._scattered[payload.token],) = self._client.scatter([payload], broadcast=True, hash=False)
            except CancelledError as error:
                raise ExecutorGone(one_line(error)) from error
        return self._scattered[payload.token]


def transport_for(executor: Executor, tuning: Tuning = DEFAULTS) -> Transport:
    """The transport to the workers of an executor."""
    if isinstance(executor, ThreadPoolExecutor):
        return _ThreadTransport(executor, tuning)
    if type(executor).__module__.startswith("distributed.") and hasattr(getattr(executor, "_client", None), "scatter"):
        return _DaskTransport(executor, tuning)
    return Transport(executor, tuning)


class Workers:
    """The workers of a transport, counted now and then during one piece of work."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.tuning = transport.tuning
        self._count = 0
        self._counted_at = -inf
        self._none_since: float | None = None

    def count(self) -> int:
        """The number of workers; raises `ExecutorGone` if there have been none for too long."""
        now = time.monotonic()
        if now - self._counted_at < self.tuning.count_workers_every:
            return self._count
        try:
            self._count, self._counted_at = self.transport.worker_count(), now
        except Exception as error:  # a cluster is asked, which may be gone
            raise ExecutorGone(one_line(error) if self.transport.is_open() else "it is closed") from error
        if self._count or self._none_since is None:
            self._none_since = None if self._count else now
        elif now - self._none_since >= self.tuning.no_workers_timeout:
            raise ExecutorGone(f"it has had no workers for {self.tuning.no_workers_timeout:.0f} s")
        return self._count

    def wait(self, watch: Watch) -> int:
        """The number of workers, as soon as there are any; raises `ExecutorGone` or `Stopped`."""
        while not (count := self.count()):
            time.sleep(self.tuning.poll_every)
            watch.look()
        return count


def pickled(value: Any) -> bytes:
    """Pickle a value, by cloudpickle where it is installed: that also takes functions of a script or a notebook."""
    try:
        import cloudpickle as pickler
    except ImportError:
        pickler = pickle
    return bytes(pickler.dumps(value, protocol=pickle.HIGHEST_PROTOCOL))


def one_line(error: BaseException) -> str:
    """An exception in a line: its type, and the first line of its message."""
    text = str(error).strip().split("\n")[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
