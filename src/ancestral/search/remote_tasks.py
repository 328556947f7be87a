"""The chunks of a radius that workers ask about, and what they return.

A worker needs the test, and what the radius is about: the graph as it was when the radius began. Both come as payloads.
It returns what a thread would have written into its rows, and the number of questions that the data could not support.
The sender knows where that belongs, so it does not matter which worker ran which chunk, or when.
"""

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
from ancestral.parallel.clock import Watch
from ancestral.search._asking_cy import Asking
from ancestral.search._every_pair_cy import EveryPair
from ancestral.search.lookup import Key, Pairs
from ancestral.search.stage import Answer

__all__ = [
    "Chunk", "Joined", "Lines", "PairsGivenSets", "Radius", "Rows", "Separated", "SetSpec", "Variables", "ask_chunk",
]  # fmt: skip

# -- payloads ---------------------------------------------------------------------------------------------------------


class Variables:
    """A test, and its variables in the order of positions. Each thread of a worker gets questions of its own."""

    def __init__(self, test: Test, names: Sequence[str]) -> None:
        self.test = test
        self.names = list(names)
        self._prepare()

    def _prepare(self) -> None:
        self._lock = Lock()
        self._idle: deque[Questions] = deque()

    @contextmanager
    def questions(self) -> Iterator[Questions]:
        """Questions that no other thread uses meanwhile."""
        with self._lock:
            questions = self._idle.pop() if self._idle else self.test.questions(self.names)
        yield questions
        self._idle.append(questions)  # not after an exception: their state is not known then

    def __getstate__(self) -> tuple[Test, list[str]]:
        return self.test, self.names

    def __setstate__(self, state: tuple[Test, list[str]]) -> None:
        self.test, self.names = state
        self._prepare()


class SetSpec(Protocol):
    """Makes the sets of a radius in a worker."""

    def begin(self, questions: Questions, pulse: Pulse) -> Asking:
        """The sets, ready to be asked about."""


@dataclass(frozen=True)
class Radius:
    """What all chunks of a radius share: its sets, and the `strength` that questions had learned when it began.

    `sets` is None where single questions are asked, or pairs given nothing; of these, `unasked` are left out.
    """

    strength: NDArray[np.float64]
    sets: SetSpec | None = None
    unasked: Pairs | None = None

    def known_strength(self) -> NDArray[np.float64]:
        """The strengths, as `Questions.share` reads them."""
        return self.strength


# -- chunks -----------------------------------------------------------------------------------------------------------


class Chunk(Protocol):
    """A part of a radius."""

    def ask(self, questions: Questions, radius: Radius, pulse: Pulse) -> Any:
        """Ask, and return what was found."""


@dataclass(frozen=True)
class Rows:
    """Radius 0: the pairs of the rows [first, stop) of the matrix, given nothing."""

    first: int
    stop: int

    def ask(self, questions: Questions, radius: Radius, pulse: Pulse) -> "Joined":
        """Ask about each pair."""
        n = questions.n
        strength: NDArray[np.float64] = np.zeros_like(radius.strength)
        questions.share(Radius(strength))
        joined = np.zeros((n, n), dtype=np.uint8)
        asker = EveryPair(questions, pulse, radius.unasked)
        asker.separate(joined, self.first, self.stop)
        learned = strength[self.first : self.stop] if strength.shape == (n, n) else None
        return Joined(joined[self.first : self.stop], learned, asker.asked)


@dataclass(frozen=True)
class Joined:
    """Whether the pairs of some rows are dependent, and how strongly they are associated, if the test tells."""

    rows: NDArray[np.uint8]
    strength: NDArray[np.float64] | None
    asked: int


@dataclass(frozen=True)
class PairsGivenSets:
    """Some pairs given the sets of the radius, which have this `size`; each pair until a set separates it."""

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
        evidence, unanswered = np.empty((count, 2)), np.zeros(count, dtype=np.int64)
        asking.separate(self.pairs, 0, count, separated, sets, evidence, unanswered)
        return Separated(separated, sets, evidence, unanswered, asking.asked, bool(asking.any_sets))


@dataclass(frozen=True)
class Separated:
    """What `Asking.separate` fills in for some pairs, the number of questions, and whether there were any sets."""

    separated: NDArray[np.uint8]
    sets: Pairs
    evidence: NDArray[np.float64]
    unanswered: NDArray[np.int64]
    asked: int = 0
    any_sets: bool = False


@dataclass(frozen=True)
class Lines:
    """Single questions in lines: each line is asked until an answer is "independent"."""

    lines: Sequence[Sequence[Key]]

    def ask(self, questions: Questions, radius: Radius, pulse: Pulse) -> list[tuple[Key, Answer, bool]]:
        """The questions that were asked, the answers, and whether the data could support them."""
        questions.share(radius)
        answers = []
        for line in self.lines:
            for x, y, given in line:
                pulse.step()
                before = int(questions.unsupported[len(given)])
                answer = Answer(questions.ask(x, y, given), questions.statistic, questions.df)
                answers.append(((x, y, given), answer, int(questions.unsupported[len(given)]) == before))
                if answer.independent:
                    break
        return answers


# -- in the worker ----------------------------------------------------------------------------------------------------


def ask_chunk(variables: Variables, radius: Radius, chunk: Chunk, watch: Watch) -> tuple[Any, NDArray[np.int64]]:
    """Ask about a chunk, in a worker; raises `Stopped` when its time is over.

    Returns what was found, and how many questions, by the size of the set, the data could not support.
    """
    with variables.questions() as questions:
        before = questions.unsupported.copy()
        found = chunk.ask(questions, radius, watch.pulse(tells=False))
        return found, questions.unsupported - before
