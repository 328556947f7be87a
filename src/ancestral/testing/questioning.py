"""How the checks ask an independence test: some questions, drawn at random but always the same, and their answers."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ancestral.data import Table
from ancestral.errors import OptionError
from ancestral.graphs.names import in_order
from ancestral.independence._questions_cy import Questions
from ancestral.independence.base import Test
from ancestral.independence.evidence import Evidence
from ancestral.testing.checks import require

__all__ = [
    "CLOSE",
    "Asked",
    "Question",
    "Subject",
    "answer",
    "answers",
    "in_words",
    "require_same",
    "require_same_members",
    "same_number",
    "some_questions",
]

#: Questions that most checks ask: enough to meet sets of each size, few enough for a test that takes milliseconds.
QUESTIONS = 24
#: The largest conditioning set that is asked about.
WIDEST = 3

#: Two numbers are the same if they differ by less than this part of them, as sums in another order do, or by TINY.
CLOSE, TINY = 1e-6, 1e-9

Question = tuple[str, str, tuple[str, ...]]


@dataclass(frozen=True)
class Subject:
    """The test that is checked, and, if it is made of data, the table and how it is made."""

    test: Test
    table: Table | None
    make: Callable[[Table], Test]

    @classmethod
    def of(cls, test: Any, data: Any) -> "Subject":
        """What `check_test` was called with. Raises `OptionError` if one of the arguments does not fit the other."""
        if data is None:
            if not hasattr(test, "questions") or isinstance(test, type):
                raise OptionError(
                    "without data, the first argument must be an existing test; pass data as the second "
                    "argument to check a function that makes tests"
                )
            return cls(test, None, lambda table: test)
        if not callable(test):
            raise OptionError(
                "with data, the first argument must be a function that makes the test of a table, such as its class; "
                "leave the data out to check an existing test"
            )
        table = Table.of(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return cls(test(table), table, test)

    @property
    def data(self) -> Table:
        """The table, for checks that need one."""
        assert self.table is not None
        return self.table

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The variables in the order in which a search numbers them."""
        return in_order(tuple(self.test.names))

    @cached_property
    def asked(self) -> list[Question]:
        """The questions that most checks ask."""
        return some_questions(self.names)

    @cached_property
    def answers(self) -> "list[Asked]":
        """The answers to these questions, as a search would get them."""
        return answers(self.test, self.names, self.asked)


@dataclass(frozen=True)
class Asked:
    """The answer to a question, and the evidence for it."""

    independent: bool
    evidence: Evidence


def some_questions(names: Sequence[str]) -> list[Question]:
    """Questions about these variables, drawn at random with sets of all sizes up to `WIDEST`; the same at each call."""
    rng = np.random.default_rng(1)
    drawn: dict[tuple[frozenset[str], frozenset[str]], Question] = {}
    for number in range(20 * QUESTIONS):  # of few variables there are fewer questions than that
        size = min(number % (WIDEST + 1), len(names) - 2)
        x, y, *given = (names[i] for i in rng.permutation(len(names))[: size + 2])
        drawn.setdefault((frozenset((x, y)), frozenset(given)), (x, y, tuple(given)))
    return list(drawn.values())[:QUESTIONS]


def answers(test: Test, names: Sequence[str], asked: Sequence[Question]) -> list[Asked]:
    """The answers of a test whose questions are made for these variables, in this order."""
    questions = test.questions(names)
    return [answer(test, questions, names, question) for question in asked]


def answer(test: Test, questions: Questions, names: Sequence[str], question: Question) -> Asked:
    """The answer to one question, and its evidence; `names` are the variables that the questions were made for."""
    x, y, given = question
    position = {name: i for i, name in enumerate(names)}
    numbers = position[x], position[y], [position[z] for z in given]
    return Asked(questions.ask(*numbers), test.evidence(questions, *numbers))


def in_words(question: Question) -> str:
    """The question for a sentence: x and y given these."""
    x, y, given = question
    return f"{x} and {y} given {', '.join(given) or 'nothing'}"


def same_number(a: float, b: float) -> bool:
    """Whether two numbers are both NaN, or the same up to rounding."""
    return (a != a and b != b) or a == b or abs(a - b) <= max(CLOSE * max(abs(a), abs(b)), TINY)


def require_same(asked: Sequence[Question], ones: Sequence[Asked], others: Sequence[Asked], how: str) -> None:
    """Raise `AssertionError` unless both answers to each question agree; `how` says how the second ones were got."""
    for question, one, other in zip(asked, ones, others, strict=True):
        for what in ("p_value", "statistic"):
            a, b = getattr(one.evidence, what), getattr(other.evidence, what)
            require(same_number(a, b), f"The {what} of {in_words(question)} is {a:.9g}, {how} {b:.9g}.")
        p, q = one.evidence.p_value, other.evidence.p_value
        near_alpha = p < q or p > q  # the same up to rounding, so alpha may lie between them
        require(
            one.independent == other.independent or near_alpha,
            f"{in_words(question)} are {_answer_in_words(one)}, {how} {_answer_in_words(other)}.",
        )


def _answer_in_words(found: Asked) -> str:
    return "independent" if found.independent else "dependent"


def require_same_members(one: Test, other: Test, what: str) -> None:
    """Raise `AssertionError` unless the other test, which `what` names, says the same of itself as the first."""
    for member in ("name", "names", "kinds", "rows", "alpha", "scale", "fingerprint"):
        a, b = getattr(one, member), getattr(other, member)
        require(a == b, f"The {member} of {what} is {b!r}, that of the test {a!r}.")
