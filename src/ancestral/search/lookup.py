"""Single questions, each asked once, remembered and counted.

Kernels ask most questions of a search. Others depend on what was found: to verify an edge, to follow up a link. The
search has asked nearly all of these already. Which ones is looked up for many questions at a time, so that only the few
others are asked, one by one. Sets are sorted tuples of positions, pairs have the smaller position first.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isnan

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.independence._questions_cy import Questions
from ancestral.search.stage import Answer

__all__ = ["AskRemotely", "Given", "HasAsked", "Key", "Pair", "Pairs", "QuestionCache", "SetRows", "never_asked"]

#: Two positions, the smaller one first.
Pair = tuple[int, int]

#: A conditioning set: positions in increasing order.
Given = tuple[int, ...]

#: A question: the pair and the set.
Key = tuple[int, int, Given]

#: Pairs as an array: rows x, y with x < y.
Pairs = NDArray[np.intc]

#: Sets of one size as an array: a row for each set.
SetRows = NDArray[np.intc]

#: For pairs, and a set for each of them: whether the search has asked that question.
HasAsked = Callable[[Pairs, SetRows], NDArray[np.bool_]]

#: Asks lists of questions in the workers of an executor, each list up to the first answer "independent". Returns the
#: answers, and for each whether the data support it.
AskRemotely = Callable[[Sequence[Sequence[Key]]], Mapping[Key, tuple[Answer, bool]]]


def never_asked(pairs: Pairs, sets: SetRows) -> NDArray[np.bool_]:
    """The default for `HasAsked`: report that the search has asked none of these questions."""
    return np.zeros(len(pairs), dtype=bool)


class QuestionCache:
    """Asks each question once. If the search has asked it and the pair is still adjacent, the answer was "dependent".

    - `has_asked`: tells which questions the search has asked.
    - `tests`: counts the questions asked here, by the size of the set.
    - `answers`: the answers to these questions. Several caches of one search may share them.
    - `ask_remotely`: if given, `ask_ahead` has questions answered elsewhere before it is their turn.
    """

    def __init__(
        self,
        questions: Questions,
        pulse: Pulse | None = None,
        has_asked: HasAsked = never_asked,
        tests: Counter[int] | None = None,
        answers: dict[Key, Answer] | None = None,
        ask_remotely: AskRemotely | None = None,
    ) -> None:
        self.pulse = pulse or Pulse()
        self.tests: Counter[int] = Counter() if tests is None else tests
        self.has_asked = has_asked
        self.answers: dict[Key, Answer] = {} if answers is None else answers
        self._questions = questions
        self._asked_by_search: set[Key] = set()  # as far as it was looked up
        self._asked_again: dict[Key, Answer] = {}  # of the search, where it matters whether there was an answer
        self._ask_remotely = ask_remotely
        self._answered_ahead: dict[Key, tuple[Answer, bool]] = {}

    def independent(self, x: int, y: int, given: Given, looked_up: bool = False) -> bool:
        """Whether x and y are independent given these nodes.

        The question is not asked if the search has asked it: the pair was adjacent after that radius, so it is
        dependent. `looked_up`: `look_up` was called with this question before.
        """
        self.pulse.step()
        key = (min(x, y), max(x, y), given)
        if key not in self.answers:
            if not looked_up:
                self.look_up([key])
            if key in self._asked_by_search:
                return False
            self.tests[len(given)] += 1
            self.answers[key] = self._ask(key)
        return self.answers[key].independent

    def shown_dependent(self, x: int, y: int, given: Given) -> bool:
        """Whether the question has an answer, which is "dependent": one without an answer shows nothing.

        A question of the search is asked again, which does not count.
        """
        if self.independent(x, y, given):
            return False
        key = (min(x, y), max(x, y), given)
        answer = self.answers.get(key) or self._asked_again.get(key)
        if answer is None:
            unsupported = self._questions.unsupported.copy()
            answer = Answer(self._questions.ask(*key), self._questions.statistic, self._questions.df)
            self._questions.unsupported[:] = unsupported
            self._asked_again[key] = answer
        return not answer.independent and not isnan(answer.statistic)

    def _ask(self, key: Key) -> Answer:
        if key not in self._answered_ahead:
            return Answer(self._questions.ask(*key), self._questions.statistic, self._questions.df)
        answer, supported = self._answered_ahead.pop(key)
        if not supported:
            self._questions.unsupported[len(key[2])] += 1
        return answer

    def ask_ahead(self, lines: Iterable[Sequence[Key]]) -> None:
        """Have these questions answered elsewhere, if possible: each list is asked in order until a set separates.

        Asking ahead does not change which questions count: a question counts when `independent` is called with it.
        """
        if self._ask_remotely is None:
            return
        listed = list(lines)
        self.look_up(key for line in listed for key in line)
        left = {tuple(self._not_answered(line)): None for line in listed}  # each list once
        left.pop((), None)
        if len(left) > 1:  # a single list is asked here as quickly
            self._answered_ahead = dict(self._ask_remotely(list(left)))

    def _not_answered(self, line: Sequence[Key]) -> Iterable[Key]:
        for key in line:
            if key in self.answers:
                if self.answers[key].independent:
                    return
            elif key not in self._asked_by_search:
                yield key

    def look_up(self, keys: Iterable[Key]) -> None:
        """Look up which of these questions the search has asked; all sets of one size are looked up together.

        For each size the graph of its radius may have to be made again, which takes longer than many questions.
        """
        by_size: dict[int, list[Key]] = {}
        for key in keys:
            if key not in self._asked_by_search and key not in self.answers:
                by_size.setdefault(len(key[2]), []).append(key)
        for size, some in by_size.items():
            pairs = np.array([key[:2] for key in some], dtype=np.intc)
            asked = self.has_asked(pairs, np.array([key[2] for key in some], dtype=np.intc).reshape(len(some), size))
            self._asked_by_search.update(key for key, known in zip(some, asked.tolist(), strict=True) if known)

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
        """The first questions that `minimal` asks, up to the first answer "independent"."""
        return [(min(x, y), max(x, y), tuple(v for v in given if v != z)) for z in given]
