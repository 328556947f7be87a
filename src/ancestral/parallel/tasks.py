"""The one loop that runs tasks on workers: it sends them, waits for results, and sends lost tasks again.

A task is lost when its worker dies or cannot be reached. When sending it again does not help, or the executor takes no
more tasks, the executor counts as gone (`ExecutorGone`).
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from math import inf
from typing import Any

from ancestral.errors import RunError
from ancestral.parallel.clock import Stopped, Watch
from ancestral.parallel.transports import ExecutorGone, Transport, Workers, one_line
from ancestral.parallel.worker import Task, TaskError, TaskResult

__all__ = ["TaskLost", "result_of", "run_tasks", "wait_before_retry"]

Put = Callable[[Any, Any, float], None]


class TaskLost(Exception):
    """The result of a task did not come back; the message says why."""


def run_tasks(
    workers: Workers,
    tasks: Iterable[Task],
    watch: Watch,
    put: Put,
    *,
    most_out: Callable[[int], int] | None = None,
    grace: float | None = None,
) -> None:
    """Run all tasks, and call `put(key, value, seconds)` with each result, in the order in which they arrive.

    `most_out(workers)` is how many tasks may be out at a time; the next task is taken from the iterator when there is
    room, so it may depend on earlier results. Without it all are sent at once.

    Raises `Stopped` when the time is over, `ExecutorGone`, `RunError` if workers cannot run tasks, or whatever a task
    raised. Tasks that have not begun are then cancelled, and threads of this process stop. With a `grace`, results that
    have arrived are still put, and when the time is over, also those that arrive within that many seconds.
    """
    transport = workers.transport
    coming, more = iter(tasks), True
    out: dict[Future[Any], tuple[Task, int]] = {}  # with the number of times that the task was sent again
    try:
        while more or out:
            watch.look()
            room = inf if most_out is None else most_out(workers.count())
            while more and len(out) < room:
                task = next(coming, None)
                more = task is not None
                if task is not None:
                    out[transport.send(task, watch)] = task, 0
            lost: list[tuple[Task, int]] = []
            reason = ""
            for future in _wait_for_some(out, watch, workers):
                try:
                    result = result_of(future)
                except TaskLost as error:
                    lost.append(out.pop(future))
                    reason = str(error)
                else:
                    put(out.pop(future)[0].key, result.value, result.seconds)
            if lost:
                wait_before_retry(transport, max(retries for _, retries in lost), reason, watch)
                for task, retries in lost:
                    out[transport.send(task, watch)] = task, retries + 1
    except BaseException as error:
        watch.stop()
        if grace is not None:
            if isinstance(error, Stopped):
                wait(out, grace)
            _put_finished(out, put)
        raise
    finally:
        for future in out:
            future.cancel()


def _wait_for_some(out: Collection["Future[Any]"], watch: Watch, workers: Workers) -> Iterable["Future[Any]"]:
    """Wait until a task has ended, for a moment and no longer than the watch allows; those that have ended."""
    left = watch.seconds_left
    timeout = workers.tuning.poll_every if left is None else min(left, workers.tuning.poll_every)
    if not out:  # there are no workers yet
        time.sleep(timeout)
    done = wait(out, timeout, FIRST_COMPLETED).done
    if not done:
        workers.count()  # raises if there are none any more
    return done


def _put_finished(out: Mapping["Future[Any]", tuple[Task, int]], put: Put) -> None:
    for future, (task, _) in out.items():
        if future.done() and not future.cancelled() and future.exception() is None:
            result = future.result()
            if isinstance(result, TaskResult):
                put(task.key, result.value, result.seconds)


def result_of(future: "Future[Any]") -> TaskResult:
    """The result of a task; raises what the task raised, or `TaskLost`, `ExecutorGone` or `RunError`."""
    try:
        result: TaskResult | TaskError = future.result()
    except BrokenExecutor as error:  # a broken pool stays broken
        raise ExecutorGone(one_line(error)) from error
    except CancelledError as error:
        raise TaskLost(one_line(error)) from error
    except Exception as error:
        # a task returns its own exceptions, so this one is about a worker that died, or the connection to it
        if isinstance(error, OSError) or type(error).__module__.startswith("distributed."):
            raise TaskLost(one_line(error)) from error
        raise RunError(
            f"a worker could not run what it was sent ({one_line(error)}); install the same packages on all workers"
        ) from error
    if isinstance(result, TaskError):
        raise result.error
    return result


def wait_before_retry(transport: Transport, retries: int, reason: str, watch: Watch) -> None:
    """Wait before lost tasks are sent again; raise `ExecutorGone` with the reason when retries are exhausted.

    `retries` is how many times the tasks were sent again before. The watch is looked at meanwhile, so that time limits
    and Ctrl-C work. Where the executor is not open after a pause, it gets the next one.
    """
    for pause in transport.tuning.retry_pauses[retries:]:
        until = time.monotonic() + pause
        while time.monotonic() < until:
            time.sleep(min(pause, transport.tuning.poll_every))
            watch.look()
        if transport.is_open():
            transport.forget()  # payloads may be lost with the workers that had them
            return
    raise ExecutorGone(reason)
