"""Single questions, each asked once, remembered and counted.

Beside the bulk of a search, which kernels ask, there are questions that depend on what was found: to verify an edge,
to follow up a link. Nearly all of them the search has asked already; which, is found out for many at a time, so that
only the few others are met one by one. Sets are sorted tuples of positions, pairs have the smaller one first.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.independence._questions_cy import Questions
from ancestral.search.stage import Answer

__all__ = ["AskAhead", "Given", "HasAsked", "Key", "Pair", "Pairs", "QuestionCache", "nothing"]

Pair = tuple[int, int]
Given = tuple[int, ...]
Key = tuple[int, int, Given]
Pairs = NDArray[np.intc]

#: For rows x, y with x < y and a set for each, all of one size: whether the search has asked that.
HasAsked = Callable[[Pairs, Pairs], NDArray[np.bool_]]

#: Asks lines of questions, each up to an answer "independent"; gives the answers, and whether the data support them.
AskAhead = Callable[[Sequence[Sequence[Key]]], Mapping[Key, tuple[Answer, bool]]]


def nothing(pairs: Pairs, sets: Pairs) -> NDArray[np.bool_]:
    """What a search that did not take place has asked."""
    return np.zeros(len(pairs), dtype=bool)


class QuestionCache:
    """Asks each question once. What the search has asked of a pair that is still adjacent was answered "dependent".

    `tests` counts by the size of the set; several inquiries of one search may share their `answers`. `others` may be
    asked ahead; a question counts when it has its turn.
    """

    def __init__(
        self,
        questions: Questions,
        pulse: Pulse | None = None,
        has_asked: HasAsked = nothing,
        tests: Counter[int] | None = None,
        answers: dict[Key, Answer] | None = None,
        others: AskAhead | None = None,
    ) -> None:
        self.pulse = pulse or Pulse()
        self.tests: Counter[int] = Counter() if tests is None else tests
        self.has_asked = has_asked
        self._questions = questions
        #: Every answer, by the pair and the set.
        self.answers: dict[Key, Answer] = {} if answers is None else answers
        #: Some of what the search has asked.
        self._known: set[Key] = set()
        self._others = others
        self._ahead: dict[Key, tuple[Answer, bool]] = {}

    def independent(self, x: int, y: int, given: Given, looked_up: bool = False) -> bool:
        """Ask, unless the search has asked the same already: the pair was adjacent after that radius, so dependent.

        `looked_up`: whether the search has, is known here by now.
        """
        self.pulse.step()
        key = (min(x, y), max(x, y), given)
        if key not in self.answers:
            if not looked_up:
                self.look_up([key])
            if key in self._known:
                return False
            self.tests[len(given)] += 1
            self.answers[key] = self._ask(key)
        return self.answers[key].independent

    def _ask(self, key: Key) -> Answer:
        if key not in self._ahead:
            return Answer(self._questions.ask(*key), self._questions.statistic, self._questions.df)
        answer, supported = self._ahead.pop(key)
        if not supported:
            self._questions.unsupported[len(key[2])] += 1
        return answer

    def ask_ahead(self, lines: Iterable[Sequence[Key]]) -> None:
        """Let others ask these questions, if there are others: lines that are to be gone through, each up to a set.

        Which of them have their turn is decided later, and as if nobody had asked.
        """
        if self._others is None:
            return
        listed = list(lines)
        self.look_up(key for line in listed for key in line)
        left = {tuple(self._not_answered(line)): None for line in listed}  # each line once
        left.pop((), None)
        if len(left) > 1:  # a single line is as quickly asked here
            self._ahead = dict(self._others(list(left)))

    def _not_answered(self, line: Sequence[Key]) -> Iterable[Key]:
        for key in line:
            if key in self.answers:
                if self.answers[key].independent:
                    return
            elif key not in self._known:
                yield key

    def look_up(self, keys: Iterable[Key]) -> None:
        """Add to what is known those of the questions that the search has asked; all of a size are looked up together.

        For each size the graph of its radius may have to be made again, which takes longer than many questions.
        """
        by_size: dict[int, list[Key]] = {}
        for key in keys:
            if key not in self._known and key not in self.answers:
                by_size.setdefault(len(key[2]), []).append(key)
        for size, some in by_size.items():
            pairs = np.array([key[:2] for key in some], dtype=np.intc)
            asked = self.has_asked(pairs, np.array([key[2] for key in some], dtype=np.intc).reshape(len(some), size))
            self._known.update(key for key, known in zip(some, asked.tolist(), strict=True) if known)

    def evidence(self, x: int, y: int, given: Given) -> tuple[float, float]:
        """The statistic and degrees of freedom of a question that was asked here."""
        answer = self.answers[min(x, y), max(x, y), given]
        return answer.statistic, answer.df

    def minimal(self, x: int, y: int, given: Given) -> Given:
        """A subset that still separates, and from which no single node can be dropped."""
        for z in given:
            rest = tuple(v for v in given if v != z)
            if self.independent(x, y, rest):
                return self.minimal(x, y, rest)
        return given

    @staticmethod
    def smaller(x: int, y: int, given: Given) -> list[Key]:
        """The first questions that `minimal` asks, up to one that says "independent"."""
        return [(min(x, y), max(x, y), tuple(v for v in given if v != z)) for z in given]
