"""Each check can fail: for each there is a test that breaks its promise, and others only as a consequence."""

import math
from collections.abc import Sequence
from functools import partial
from threading import Lock
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral.data import Moments, Table
from ancestral.independence import Evidence, Evidences, PValueTest, Scale, TableResampler
from ancestral.independence._custom_cy import Custom
from ancestral.testing import check_test, checks_of_test

DAG = an.DAG.parse("a -> c, b -> c, c -> d, d -> e")
FRAME = an.simulate.linear_gaussian(DAG, rows=200, seed=2)


class Sound(PValueTest):
    """Fisher's z of partial correlations, by inverting matrices."""

    name = "sound"

    def __init__(self, data: Any, alpha: float = 0.01) -> None:
        super().__init__(data, alpha)
        self.covariance = np.cov([column.values for column in self.table.columns])

    def p_value(self, x: str, y: str, given: tuple[str, ...], /) -> Any:
        if self.rows < len(given) + 4:
            return math.nan
        at = [self.names.index(name) for name in (x, y, *given)]
        precision = np.linalg.inv(self.covariance[np.ix_(at, at)])
        r = precision[0, 1] / math.sqrt(precision[0, 0] * precision[1, 1])
        return math.erfc(abs(math.atanh(r)) * math.sqrt((self.rows - len(given) - 3) / 2))


def as_number(answer: Any, *question: Any) -> float:
    return float(answer)


def test_a_sound_test_passes() -> None:
    check_test(Sound, FRAME)
    check_test(partial(Sound, alpha=0.3), FRAME)
    assert an.discover(Sound(FRAME)).pag.nodes == tuple(FRAME.columns)


class BadMember(Sound):
    name = ""


class SharedQuestions(Sound):
    kept: Custom

    def questions(self, names: Sequence[str]) -> Custom:
        if getattr(self, "order", None) != tuple(names):
            self.order, self.kept = tuple(names), super().questions(names)
        return self.kept

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("kept", "order")}


class AnyName(Sound):
    def questions(self, names: Sequence[str]) -> Custom:
        return Custom(list(names), self.p_value, self.alpha, as_number)


class OtherLevel(Sound):
    """Decides at another level than it says."""

    def questions(self, names: Sequence[str]) -> Custom:
        return Custom(self.checked_names(names), self.p_value, 0.3, as_number)


class OtherEvidence(Sound):
    def evidence(self, questions: Any, x: int, y: int, given: Sequence[int]) -> Evidence:
        found = super().evidence(questions, x, y, given)
        return Evidence(found.statistic, found.df, found.p_value, 2 * self.rows)


class SortedPValues(Sound):
    """Gives the p-values of many questions in an order of its own."""

    def p_values(self, raw: Any, sizes: Any) -> Evidences:
        return super().p_values(np.sort(raw, axis=0), sizes)


class OtherScale(Sound):
    """Says that its numbers are normal statistics."""

    scale = Scale.NORMAL

    def p_values(self, raw: Any, sizes: Any) -> Evidences:
        return Evidences(raw[:, 0], raw[:, 1], raw[:, 0])


class OneSided(Sound):
    def p_value(self, x: str, y: str, given: tuple[str, ...], /) -> Any:
        p = super().p_value(x, y, given)
        return p if x < y else p**1.01


class FirstGiven(Sound):
    """Looks at the first given variable only."""

    def p_value(self, x: str, y: str, given: tuple[str, ...], /) -> Any:
        return super().p_value(x, y, given[:1])


class NumbersByTable(Sound):
    """Numbers the variables as the table does, whatever order is asked for."""

    def questions(self, names: Sequence[str]) -> Custom:
        self.checked_names(names)
        return super().questions(self.names)


class ByPlace(Sound):
    """Depends on where a column stands."""

    def p_value(self, x: str, y: str, given: tuple[str, ...], /) -> Any:
        first = min(self.names.index(x), self.names.index(y))
        return super().p_value(x, y, given) ** (1 + 0.01 * first)


class Forgetful(Sound):
    """Answers otherwise each time."""

    def p_value(self, x: str, y: str, given: tuple[str, ...], /) -> Any:
        self.turns = getattr(self, "turns", 0) + 1
        return super().p_value(x, y, given) ** (1 + 0.001 * self.turns)


class WrongMarginals(Sound):
    class Questions(Custom):
        def marginals_of(self, pairs: Any) -> Any:
            return super().marginals_of(pairs)[::-1]

    def questions(self, names: Sequence[str]) -> Custom:
        return self.Questions(self.checked_names(names), self.p_value, self.alpha, as_number)


class TwoFaced(Sound):
    """Single questions are answered soundly; a search, which asks in C, meets other p-values."""

    class Questions(Custom):
        sound: Custom

        def ask(self, x: int, y: int, given: Any) -> bool:
            return self.sound.ask(x, y, given)

        @property
        def statistic(self) -> float:  # type: ignore[override]
            return self.sound.statistic

        def marginals_of(self, pairs: Any) -> Any:
            return self.sound.marginals_of(pairs)

    def questions(self, names: Sequence[str]) -> Custom:
        made = self.Questions(self.checked_names(names), lambda x, y, given: 0.5, self.alpha, as_number)
        made.sound = super().questions(names)
        return made


class SameFingerprint(Sound):
    @property
    def fingerprint(self) -> str:
        return "data"


class Unpicklable(Sound):
    def __init__(self, data: Any, alpha: float = 0.01) -> None:
        super().__init__(data, alpha)
        self.lock = Lock()

    def for_workers(self) -> Any:
        return Sound(self.table, self.alpha)


class HalfForWorkers(Sound):
    """What workers get is not the whole test."""

    def for_workers(self) -> Any:
        other = Sound(self.table, self.alpha)
        other.rows = 0
        return other


class ResamplesOther(Sound):
    """Loses a variable when it is resampled."""

    def resampler(self) -> Any:
        return TableResampler.of(self.table, without_the_first)


def without_the_first(table: Table) -> Sound:
    return Sound(table.select(table.names[1:]))


class IgnoresWeights(Sound):
    def resampler(self) -> Any:
        return Stubborn.of(self.table, partial(IgnoresWeights, alpha=self.alpha))


class Stubborn(TableResampler):
    """Draws all rows whatever the weights are."""

    def test(self, weights: Any) -> Any:
        return super().test(np.ones_like(weights))


class OtherMoments(Sound):
    def effect_moments(self) -> Any:
        return SimpleNamespace(select=lambda names: Moments.of(self.table))


class Eager(Sound):
    """Its p-values are too small."""

    def p_value(self, x: str, y: str, given: tuple[str, ...], /) -> Any:
        return super().p_value(x, y, given) ** 3


class Blind(Sound):
    """Its p-values have the right distribution, and nothing to do with dependence."""

    def p_value(self, x: str, y: str, given: tuple[str, ...], /) -> Any:
        values = np.asarray([self.table.column(name).values[:3].sum() for name in (x, y, *given)])
        return float(np.sort(np.abs(values)).sum() * 1e3 % 1)


class Confident(Sound):
    """Takes for independent what it cannot tell."""

    def p_value(self, x: str, y: str, given: tuple[str, ...], /) -> Any:
        p = super().p_value(x, y, given)
        return 1.0 if math.isnan(p) else p


#: The check that each broken test is for, and the others that fail with it.
BROKEN: dict[type[Sound], tuple[str, set[str]]] = {
    BadMember: ("members", set()),
    SharedQuestions: ("questions", set()),
    AnyName: ("wrong_names", set()),
    OtherLevel: ("decisions", set()),
    OtherEvidence: ("evidence", set()),
    SortedPValues: ("p_values", {"search"}),
    OtherScale: ("scale", {"search"}),
    OneSided: ("symmetry", {"search"}),
    FirstGiven: ("order_of_given", {"too_few_rows"}),
    NumbersByTable: ("order_of_names", {"order_of_columns", "all_rows"}),
    ByPlace: ("order_of_columns", {"all_rows"}),
    Forgetful: (
        "repetition",
        {"evidence", "symmetry", "order_of_given", "order_of_names", "search", "pickle", "for_workers"},
    ),
    WrongMarginals: ("marginals", {"search"}),
    TwoFaced: ("search", set()),
    SameFingerprint: ("fingerprint", set()),
    Unpicklable: ("pickle", set()),
    HalfForWorkers: ("for_workers", set()),
    ResamplesOther: ("all_rows", set()),
    IgnoresWeights: ("drawn_rows", set()),
    OtherMoments: ("effect_moments", set()),
    Eager: ("level", set()),
    Blind: ("power", {"too_few_rows"}),
    Confident: ("too_few_rows", set()),
}


def failing(test: Any) -> set[str]:
    out = set()
    for check in checks_of_test(test, FRAME):
        try:
            check()
        except Exception:
            out.add(check.name)
    return out


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.__name__)
def test_a_broken_promise_is_found(broken: type[Sound]) -> None:
    check, others = BROKEN[broken]
    assert failing(broken) == {check, *others}


def test_every_check_can_fail() -> None:
    assert {check for check, _ in BROKEN.values()} == {check.name for check in checks_of_test(Sound, FRAME)}


def test_all_failures_are_listed() -> None:
    with pytest.raises(AssertionError) as caught:
        check_test(OneSided, FRAME)
    lines = str(caught.value).splitlines()
    assert lines[0] == "2 of 23 checks failed:"
    assert lines[1].startswith("- symmetry: x and y can change places. The p_value of ")
    assert lines[2].startswith("- search: ")


def test_what_a_test_raises_is_told() -> None:
    class Raises(Sound):
        def for_workers(self) -> Any:
            raise ZeroDivisionError("my own fault")

    with pytest.raises(AssertionError, match=r"- for_workers: .* It raised ZeroDivisionError: my own fault") as caught:
        check_test(Raises, FRAME)
    assert isinstance(caught.value.__cause__, Exception)


def test_a_test_that_is_made_already_is_checked_without_data() -> None:
    check_test(Sound(FRAME))
    wrong: list[tuple[Any, ...]] = [(Sound,), (lambda table: Sound(table),), (3,)]
    for arguments in wrong:
        with pytest.raises(an.OptionError, match="without data, the first argument must be an existing test"):
            check_test(*arguments)
    with pytest.raises(an.OptionError, match="must be a function that makes the test of a table"):
        check_test(Sound(FRAME), FRAME)
