"""Questions asked elsewhere: the edges of a radius go out to the workers of an executor, in chunks.

The idea: within a radius no pair depends on what was found for another one, so any cut of the list of pairs will do,
and whatever comes back is put where the pair stands in the list. Who asked, and which answer arrived first, cannot be
seen in the result. What is asked depends on nothing but the chunk and two payloads (`task`): the test, which is packed
once, and the radius. How they get there is known by `ways`.

An task that did not come back because a worker died is sent again. When that does not help, or the executor can take
no more, it is gone (`ExecutorGone`), and what the search had found before stands.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    wait,
)
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.errors import OptionError
from ancestral.independence._questions_cy import Questions
from ancestral.independence.base import Test
from ancestral.parallel.clock import TELL_EVERY, Watch
from ancestral.parallel.payloads import Payload
from ancestral.parallel.transports import (
    ExecutorGone,
    TaskLost,
    WorkerCount,
    brought,
    said,
    transport_for,
    wait_before_retry,
)
from ancestral.printing import shown
from ancestral.search.lookup import Key, Pairs
from ancestral.search.remote_tasks import (
    Joined,
    Lines,
    PairsGivenSets,
    Radius,
    Rows,
    Separated,
    Sets,
    Task,
    TaskResult,
    Variables,
    run,
)
from ancestral.search.stage import Answer
from ancestral.version import VERSION

__all__ = ["RemoteAsker", "RemoteProgress", "checked_executor", "cut"]

#: So many chunks for each worker: their work is not known beforehand, and nobody shall wait long for the others.
CHUNKS = 8

#: But none that is expected to take less than so many seconds, as long as each worker has one: sending costs time.
SHORTEST = 0.2


def checked_executor(executor: object, stable: bool, workers: int) -> Executor | None:
    """The executor, if it is one and can be of use."""
    if executor is None:
        return None
    if not isinstance(executor, Executor):
        way_out = (
            "pass client.get_executor()" if hasattr(executor, "get_executor") else "pass a concurrent.futures.Executor"
        )
        raise OptionError(f"executor={shown(executor)} is no executor; {way_out}")
    if not stable:
        raise OptionError("stable=False removes an edge before the next pair is asked; leave it out with executor=")
    if workers != 1:
        raise OptionError(f"workers={shown(workers)} are threads of this process; leave it out with executor=")
    return executor


def cut(work: NDArray[np.float64], parts: int) -> list[tuple[int, int]]:
    """Cut a list into at most so many parts of about equal work: where each begins and ends.

    >>> cut(np.array([4.0, 1.0, 1.0, 1.0, 1.0]), 2)
    [(0, 1), (1, 5)]
    """
    until = np.cumsum(work)
    if not len(until):
        return []
    stops = np.searchsorted(until, until[-1] * np.arange(1, parts + 1) / parts * (1 - 1e-12)) + 1
    stops = np.unique(np.minimum(stops, len(until)))
    stops[-1] = len(until)
    return list(zip([0, *stops[:-1].tolist()], stops.tolist(), strict=True))


class RemoteProgress:
    """How far the workers are, as one has heard: questions and edges so far, and whether there was any set."""

    def __init__(self) -> None:
        self.asked = 0
        self.done = 0
        self.any_sets = False

    def count(self, asked: int, done: int) -> None:
        """So many more."""
        self.asked += asked
        self.done += done


class RemoteAsker:
    """The workers of an executor, who know the test."""

    def __init__(self, executor: Executor, test: Test, names: Sequence[str]) -> None:
        self._way = transport_for(executor)
        self._n = len(names)
        self._work = 0.0  # that was sent so far, in units of `_shares`
        self._seconds = 0.0  # that workers took for it
        try:
            self._variables = self._way.pack(Variables(test.for_workers(), names))
        except Exception as error:  # pickle raises whatever it meets
            raise OptionError(
                f"the test {test.name!r} cannot be sent to other processes: {error}; define its function at the top of "
                "a module that workers can import, install cloudpickle, or pass a ThreadPoolExecutor"
            ) from error

    # -- what is asked ------------------------------------------------------------------------------------------

    def ask_rows(self, marks: NDArray[np.uint8], questions: Questions, heard: RemoteProgress, watch: Watch) -> None:
        """Fill the upper half of the matrix: 1 where two are dependent given nothing. The questions learn of it."""
        strength: NDArray[np.float64] = questions.known_strength()
        shares = self._shares(np.arange(self._n - 1, -1, -1, dtype=np.float64), watch)

        def put(number: int, found: Joined) -> None:
            first, stop = shares[number]
            marks[first:stop] = found.rows
            if found.strength is not None:
                strength[first:stop] = found.strength
            heard.count(found.asked, found.asked)

        rows = [Rows(first, stop) for first, stop in shares]
        questions.unsupported[:] += self._ask(rows, Radius(strength), watch, put)
        if strength.shape == marks.shape:
            np.copyto(strength, strength.T, where=np.tri(self._n, k=-1, dtype=bool))

    def ask_pairs(
        self,
        pairs: Pairs,
        work: NDArray[np.float64],
        sets: Sets,
        questions: Questions,
        out: Separated,
        heard: RemoteProgress,
        watch: Watch,
    ) -> None:
        """Fill the rows of the pairs as `Asking.separate` does; `work` says how much each may be."""
        shares = self._shares(work, watch)

        def put(number: int, found: Separated) -> None:
            first, stop = shares[number]
            out.separated[first:stop] = found.separated
            out.sets[first:stop] = found.sets
            out.evidence[first:stop] = found.evidence
            heard.count(found.asked, stop - first)
            heard.any_sets |= found.any_sets

        tasks = [PairsGivenSets(pairs[first:stop], out.sets.shape[1]) for first, stop in shares]
        radius = Radius(questions.known_strength(), sets)
        questions.unsupported[:] += self._ask(tasks, radius, watch, put)

    def ask_lines(
        self, lines: Sequence[Sequence[Key]], questions: Questions, watch: Watch
    ) -> dict[Key, tuple[Answer, bool]]:
        """Ask lines of single questions; none of them counts yet."""
        answers: dict[Key, tuple[Answer, bool]] = {}

        def put(number: int, found: list[tuple[Key, Answer, bool]]) -> None:
            answers.update((key, (answer, supported)) for key, answer, supported in found)

        shares = self._shares(np.array([len(line) for line in lines], dtype=np.float64), watch)
        tasks = [Lines(lines[first:stop]) for first, stop in shares]
        self._ask(tasks, Radius(questions.known_strength()), watch, put)
        return answers

    # -- sending ------------------------------------------------------------------------------------------------

    def _shares(self, work: NDArray[np.float64], watch: Watch) -> list[tuple[int, int]]:
        """How to share out things of so much work, as soon as there are workers."""
        muster = WorkerCount(self._way)
        while not (workers := muster.count()):
            time.sleep(TELL_EVERY)
            watch.look()
        total = float(work.sum())
        parts = CHUNKS
        if self._work:
            expected = total * self._seconds / self._work
            parts = min(CHUNKS, 1 + int(expected / (SHORTEST * workers)))
        self._work += total
        return cut(work, parts * workers)

    def _ask(
        self, tasks: Sequence[Task], radius: Radius, watch: Watch, put: Callable[[int, Any], None]
    ) -> NDArray[np.int64]:
        """Send these tasks, and put what each has found where its number says, as it comes.

        Gives the number of questions, by size, that the data could not support.
        """
        about = self._way.pack(radius)
        unsupported: NDArray[np.int64] = np.zeros(self._n + 1, dtype=np.int64)
        tries = [0] * len(tasks)
        waiting: dict[Future[Any], int] = {}
        to_send = list(range(len(tasks)))
        muster = WorkerCount(self._way)
        try:
            while to_send or waiting:
                for number in to_send:
                    waiting[self._sent(about, tasks[number], watch)] = number
                to_send, why = [], ""
                done = wait(waiting, timeout=TELL_EVERY, return_when=FIRST_COMPLETED).done
                watch.look()
                if not done:
                    muster.count()
                for future in done:
                    number = waiting.pop(future)
                    try:
                        home: TaskResult = brought(future)
                    except TaskLost as lost:
                        to_send.append(number)
                        why = str(lost)
                        continue
                    unsupported += home.unsupported
                    self._seconds += home.seconds
                    put(number, home.found)
                if to_send:
                    wait_before_retry(self._way, max(tries[number] for number in to_send), why, watch.look)
                    for number in to_send:
                        tries[number] += 1
        except BaseException:
            self._way.cancel(waiting)
            raise
        finally:
            self._way.forget(about)
        return unsupported

    def _sent(self, about: Payload, task: Task, watch: Watch) -> "Future[Any]":
        seconds = None if watch.deadline is None else max(0.0, watch.deadline - time.monotonic())
        try:
            return self._way.submit(run, VERSION, self._way.post(self._variables), self._way.post(about), task, seconds)
        except ExecutorGone:
            raise
        except Exception as error:  # each kind of executor has its own way to say that it is closed
            raise ExecutorGone(said(error)) from error

    def close(self) -> None:
        """Workers need not keep anything any longer."""
        self._way.forget()
