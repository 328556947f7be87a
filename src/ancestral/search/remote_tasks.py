"""What a worker somewhere else does for a search: it opens what it was sent, asks, and says what it found.

The idea: whoever asks must have the test, and what the radius is about: the graph as it was when the radius began. Both
come as payloads. What an task brings back is what a thread would have written into its rows, and the number of
questions that the data could not support. Where that belongs is known at home, so it does not matter who ran which
task, or when.
"""

import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.independence._questions_cy import Questions
from ancestral.independence.base import Test
from ancestral.parallel.clock import Stopped
from ancestral.parallel.payloads import Payload, TaskError, check_version, load_cached
from ancestral.search._asking_cy import Asking
from ancestral.search._every_pair_cy import EveryPair
from ancestral.search.lookup import Key, Pairs
from ancestral.search.stage import Answer

__all__ = [
    "Joined",
    "Lines",
    "PairsGivenSets",
    "Radius",
    "Rows",
    "Separated",
    "Sets",
    "Task",
    "TaskResult",
    "Variables",
    "run",
]  # fmt: skip

# -- what is sent once ------------------------------------------------------------------------------------------------


class Variables:
    """A test, and the order of its variables; threads of a worker take turns with the questions."""

    def __init__(self, test: Test, names: Sequence[str]) -> None:
        self.test = test
        self.names = list(names)
        self._prepare()

    def _prepare(self) -> None:
        self._lock = Lock()
        self._idle: deque[Questions] = deque()

    @contextmanager
    def questions(self) -> Iterator[Questions]:
        """Questions that nobody else asks meanwhile."""
        with self._lock:
            questions = self._idle.pop() if self._idle else self.test.questions(self.names)
        yield questions
        self._idle.append(questions)  # not after an exception: who knows how it was left

    def __getstate__(self) -> tuple[Test, list[str]]:
        return self.test, self.names

    def __setstate__(self, state: tuple[Test, list[str]]) -> None:
        self.test, self.names = state
        self._prepare()


class Sets(Protocol):
    """How to make the sets of a radius again."""

    def begin(self, questions: Questions, pulse: Pulse) -> Asking:
        """The sets, ready to be asked about."""


@dataclass(frozen=True)
class Radius:
    """What all tasks of a radius are about: its sets, None where single questions or none are asked.

    `strength` is what the questions had learned when it began.
    """

    strength: NDArray[np.float64]
    sets: Sets | None = None

    def known_strength(self) -> NDArray[np.float64]:
        """For questions that shall know the same."""
        return self.strength


# -- what is done -----------------------------------------------------------------------------------------------------


class Task(Protocol):
    """A share of a radius."""

    def ask(self, questions: Questions, radius: Radius, pulse: Pulse) -> Any:
        """Ask; what is found."""


@dataclass(frozen=True)
class Rows:
    """Radius 0: the pairs of these rows of the matrix, given nothing."""

    first: int
    stop: int

    def ask(self, questions: Questions, radius: Radius, pulse: Pulse) -> "Joined":
        """Ask about each pair."""
        n = questions.n
        strength: NDArray[np.float64] = np.zeros_like(radius.strength)
        questions.share(Radius(strength))
        joined = np.zeros((n, n), dtype=np.uint8)
        asker = EveryPair(questions, pulse)
        asker.separate(joined, self.first, self.stop)
        learned = strength[self.first : self.stop] if strength.shape == (n, n) else None
        return Joined(joined[self.first : self.stop], learned, asker.asked)


@dataclass(frozen=True)
class Joined:
    """Whether the pairs of some rows are dependent, and how strongly they are associated where the test tells."""

    rows: NDArray[np.uint8]
    strength: NDArray[np.float64] | None
    asked: int


@dataclass(frozen=True)
class PairsGivenSets:
    """These pairs given the sets of the radius, each until one separates it."""

    pairs: Pairs
    size: int

    def ask(self, questions: Questions, radius: Radius, pulse: Pulse) -> "Separated":
        """Ask about each pair."""
        questions.share(radius)
        assert radius.sets is not None
        asking = radius.sets.begin(questions, pulse)
        count = len(self.pairs)
        separated = np.zeros(count, dtype=np.uint8)
        sets = np.zeros((count, self.size), dtype=np.intc)
        evidence = np.empty((count, 2))
        asking.separate(self.pairs, 0, count, separated, sets, evidence)
        return Separated(separated, sets, evidence, asking.asked, bool(asking.any_sets))


@dataclass(frozen=True)
class Separated:
    """What `Asking.separate` fills in for some pairs, the number of questions, and whether there were any sets."""

    separated: NDArray[np.uint8]
    sets: Pairs
    evidence: NDArray[np.float64]
    asked: int = 0
    any_sets: bool = False


@dataclass(frozen=True)
class Lines:
    """Single questions in lines: each line is asked until an answer is "independent"."""

    lines: Sequence[Sequence[Key]]

    def ask(self, questions: Questions, radius: Radius, pulse: Pulse) -> list[tuple[Key, Answer, bool]]:
        """The questions that were asked, the answers, and whether the data could support them."""
        questions.share(radius)
        said = []
        for line in self.lines:
            for x, y, given in line:
                pulse.step()
                before = int(questions.unsupported[len(given)])
                answer = Answer(questions.ask(x, y, given), questions.statistic, questions.df)
                said.append(((x, y, given), answer, int(questions.unsupported[len(given)]) == before))
                if answer.independent:
                    break
        return said


# -- there and back ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TaskResult:
    """What an task found, how many of its questions the data could not support, by size, and how long it took."""

    found: Any
    unsupported: NDArray[np.int64]
    seconds: float


def run(version: str, variables: Payload, radius: Payload, task: Task, seconds: float | None) -> TaskResult | TaskError:
    """Run an task, as a worker; when so many seconds are over, nobody waits for it any more."""
    try:
        check_version(version)
        began = time.perf_counter()
        about: Variables = load_cached(variables)
        with about.questions() as questions:
            before = questions.unsupported.copy()
            found = task.ask(questions, load_cached(radius), _pulse(seconds))
            return TaskResult(found, questions.unsupported - before, time.perf_counter() - began)
    except Exception as error:
        return TaskError.by(error)


def _pulse(seconds: float | None) -> Pulse:
    """A pulse that ends the work when the time is over."""
    if seconds is None:
        return Pulse()
    deadline = time.monotonic() + seconds

    def look() -> None:
        if time.monotonic() >= deadline:
            raise Stopped

    return Pulse(look)
