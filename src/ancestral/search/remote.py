"""Asks the questions of a radius on the workers of an executor, in chunks.

Within a radius no pair depends on what is found for another one, so the list of pairs may be cut anywhere, and each
result is written where its pairs stand in the list. Which worker asked, and which result arrived first, cannot be seen
in the answer. A chunk depends on two payloads alone (`remote_tasks`): the test, which is packed once, and the radius.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.independence._questions_cy import Questions
from ancestral.independence.base import Test
from ancestral.parallel.clock import Watch
from ancestral.parallel.tasks import run_tasks
from ancestral.parallel.transports import Workers, transport_for
from ancestral.parallel.tuning import DEFAULTS, Tuning
from ancestral.parallel.worker import Task
from ancestral.search.lookup import Key, Pairs
from ancestral.search.remote_tasks import (
    Chunk,
    Joined,
    Lines,
    PairsGivenSets,
    Radius,
    Rows,
    Separated,
    SetSpec,
    Variables,
    ask_chunk,
)
from ancestral.search.stage import Answer

__all__ = ["RemoteAsker", "RemoteProgress", "cut"]


def cut(work: NDArray[np.float64], parts: int) -> list[tuple[int, int]]:
    """Cut a list into at most `parts` ranges [first, stop) of about equal work.

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
    """What workers have reported so far: questions, finished edges, and whether there was any set to ask about."""

    def __init__(self) -> None:
        self.asked = 0
        self.done = 0
        self.any_sets = False

    def count(self, asked: int, done: int) -> None:
        """Add questions and edges."""
        self.asked += asked
        self.done += done


class RemoteAsker:
    """Asks on the workers of an executor; the test is sent to each of them once.

    Every method raises `Stopped` when the time is over, and `ExecutorGone`.
    """

    def __init__(self, executor: Executor, test: Test, names: Sequence[str], tuning: Tuning = DEFAULTS) -> None:
        self._transport = transport_for(executor, tuning)
        self.tuning = tuning
        self._n = len(names)
        self._work = 0.0  # sent so far, in the units of `work`
        self._seconds = 0.0  # that workers took for it
        self._variables = self._transport.pack(
            Variables(test.for_workers(), names),
            f"the test {test.name!r}",
            "define its function at the top of a module that workers can import, install cloudpickle, or pass a "
            "ThreadPoolExecutor",
        )

    def ask_rows(
        self,
        marks: NDArray[np.uint8],
        questions: Questions,
        progress: RemoteProgress,
        watch: Watch,
        unasked: Pairs | None = None,
    ) -> None:
        """Fill the upper half of the matrix: 1 where two variables are dependent given nothing, but for `unasked`.

        The questions learn the strengths of association that workers found.
        """
        strength: NDArray[np.float64] = questions.known_strength()

        def put(first: int, stop: int, found: Joined) -> None:
            marks[first:stop] = found.rows
            if found.strength is not None:
                strength[first:stop] = found.strength
            progress.count(found.asked, found.asked)

        work = np.arange(self._n - 1, -1, -1, dtype=np.float64)
        questions.unsupported[:] += self._ask(work, Rows, Radius(strength, unasked=unasked), watch, put)
        if strength.shape == marks.shape:
            np.copyto(strength, strength.T, where=np.tri(self._n, k=-1, dtype=bool))

    def ask_pairs(
        self,
        pairs: Pairs,
        work: NDArray[np.float64],
        sets: SetSpec,
        questions: Questions,
        out: Separated,
        progress: RemoteProgress,
        watch: Watch,
    ) -> None:
        """Fill the rows of `out` as `Asking.separate` does; `work` is how much work each pair may be."""

        def put(first: int, stop: int, found: Separated) -> None:
            out.separated[first:stop] = found.separated
            out.sets[first:stop] = found.sets
            out.evidence[first:stop] = found.evidence
            out.unanswered[first:stop] = found.unanswered
            progress.count(found.asked, stop - first)
            progress.any_sets |= found.any_sets

        def chunk(first: int, stop: int) -> Chunk:
            return PairsGivenSets(pairs[first:stop], out.sets.shape[1])

        radius = Radius(questions.known_strength(), sets)
        questions.unsupported[:] += self._ask(work, chunk, radius, watch, put)

    def ask_lines(
        self, lines: Sequence[Sequence[Key]], questions: Questions, watch: Watch
    ) -> dict[Key, tuple[Answer, bool]]:
        """Ask lines of single questions: the answers, and whether the data could support each.

        None of them counts as asked yet.
        """
        answers: dict[Key, tuple[Answer, bool]] = {}

        def put(first: int, stop: int, found: list[tuple[Key, Answer, bool]]) -> None:
            answers.update((key, (answer, supported)) for key, answer, supported in found)

        work = np.array([len(line) for line in lines], dtype=np.float64)
        radius = Radius(questions.known_strength())
        self._ask(work, lambda first, stop: Lines(lines[first:stop]), radius, watch, put)
        return answers

    def close(self) -> None:
        """Let workers drop the test."""
        self._transport.forget()

    def _ask(
        self,
        work: NDArray[np.float64],
        chunk: Callable[[int, int], Chunk],
        radius: Radius,
        watch: Watch,
        put: Callable[[int, int, Any], None],
    ) -> NDArray[np.int64]:
        """Have workers ask about chunks [first, stop) of a list, and put what each has found.

        Returns the number of questions, by the size of the set, that the data could not support.
        """
        workers = Workers(self._transport)
        ranges = cut(work, self._parts(float(work.sum()), workers.wait(watch)))
        payload = self._transport.pack(radius)
        unsupported: NDArray[np.int64] = np.zeros(self._n + 1, dtype=np.int64)

        def put_answers(key: tuple[int, int], answers: tuple[Any, NDArray[np.int64]], seconds: float) -> None:
            self._seconds += seconds
            put(*key, answers[0])
            np.add(unsupported, answers[1], out=unsupported)

        tasks = [Task(key, ask_chunk, (self._variables, payload, chunk(*key))) for key in ranges]
        try:
            run_tasks(workers, tasks, watch, put_answers)
        finally:
            self._transport.forget(payload)
        return unsupported

    def _parts(self, work: float, workers: int) -> int:
        """Into how many chunks to cut some work; fewer, where the last chunks were quick."""
        most = self.tuning.chunks_per_worker
        if self._work:
            expected = work * self._seconds / self._work
            most = min(most, 1 + int(expected / (self.tuning.shortest_chunk * workers)))
        self._work += work
        return most * workers
