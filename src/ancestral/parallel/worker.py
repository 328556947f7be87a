"""What a worker gets, how it runs that, and what it returns.

A value that many tasks need is a `Payload`: pickled once, and loaded once by each process. An exception of a task, such
as one that a user's own test raises, is returned as a value. So an exception that a future raises by itself is about
workers, not about their work.
"""

import pickle
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any

from ancestral.errors import AncestralError, RunError
from ancestral.parallel.clock import Stopped, Watch
from ancestral.version import VERSION

__all__ = ["Payload", "Task", "TaskError", "TaskResult", "load_cached", "run_task"]

#: Payloads that a process keeps loaded: the test and the last radius of two searches, or the data of a bootstrap.
MOST_CACHED = 4


@dataclass(frozen=True)
class Payload:
    """A pickled value, or the `value` itself where workers are threads of this process."""

    token: str
    content: bytes = b""
    value: Any = None


@dataclass(frozen=True)
class Task:
    """A call for a worker: `function(*arguments, watch)`, in which payloads stand for their values.

    `key` says to the sender what the task is about; it is not sent.
    """

    key: Any
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class TaskResult:
    """What a task returned, and the seconds that it took."""

    value: Any
    seconds: float


@dataclass(frozen=True)
class TaskError:
    """The exception that a task raised."""

    error: Exception


_cache: OrderedDict[str, Any] = OrderedDict()
_lock = Lock()


def load_cached(payload: Payload) -> Any:
    """The value of a payload; the last few that were loaded are kept."""
    if payload.value is not None:
        return payload.value
    with _lock:
        if payload.token not in _cache:
            _cache[payload.token] = pickle.loads(payload.content)
        _cache.move_to_end(payload.token)
        while len(_cache) > MOST_CACHED:
            _cache.popitem(last=False)
        return _cache[payload.token]


def run_task(
    version: str, function: Callable[..., Any], time_limit: Watch | float | None, *arguments: Any
) -> TaskResult | TaskError:
    """Run a task in a worker.

    `version` is the version of ancestral that sent it. `time_limit` is in seconds from now, by the clock of the worker,
    whatever its time of day; a thread of the sender's process gets a `Watch` instead.
    """
    in_process = isinstance(time_limit, Watch)
    try:
        if version != VERSION:
            raise RunError(
                f"a worker has ancestral {VERSION}, and this process has ancestral {version}; install the same version "
                "everywhere"
            )
        values = [load_cached(value) if isinstance(value, Payload) else value for value in arguments]
        watch = time_limit if isinstance(time_limit, Watch) else Watch(time_limit)
        began = time.perf_counter()
        value = function(*values, watch)
        return TaskResult(value, time.perf_counter() - began)
    except Exception as error:
        return TaskError(_with_traceback(error, in_process))


def _with_traceback(error: Exception, in_process: bool) -> Exception:
    """The exception with its traceback as a note, unless its message explains it.

    An exception that cannot be pickled is replaced by its text, unless it stays in this process.
    """
    if isinstance(error, (AncestralError, Stopped)):
        return error
    where = "".join(traceback.format_exception(error))
    if not in_process:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            error = RuntimeError(f"{type(error).__name__}: {error}")
    error.add_note(f"Raised in a worker:\n{where}")
    return error
