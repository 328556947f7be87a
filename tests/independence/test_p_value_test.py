"""Tests of one's own that inherit from `PValueTest`: missing values, and questions that the data cannot support."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import pearsonr

import ancestral as an
from ancestral.certainty.repeats import weights_of
from ancestral.data import Table
from ancestral.independence import PValueTest
from ancestral.independence.base import Makers
from ancestral.independence.registry import TESTS, TestKind
from ancestral.testing import check_test

DAG = an.DAG.parse("a -> c, b -> c, c -> d")
FRAME = an.simulate.linear_gaussian(DAG, rows=400, seed=1)
#: a lacks every fourth value, d the first ten.
HOLED = FRAME.with_columns(
    a=pl.when(pl.int_range(400) % 4 == 0).then(None).otherwise("a"),
    d=pl.when(pl.int_range(400) < 10).then(None).otherwise("d"),
)


class Residuals(PValueTest):
    """The correlation of residuals, of the rows that are complete for a question."""

    name = "residuals"

    def values(self, names: tuple[str, ...]) -> tuple[Any, ...]:
        return self.complete(*names)

    def p_value(self, x: str, y: str, given: tuple[str, ...], /) -> Any:
        a, b, *others = self.values((x, y, *given))
        if len(a) < len(given) + 4:
            return float("nan")
        design = np.column_stack([np.ones(len(a)), *others])
        ends = np.column_stack([a, b])
        if np.isnan(design).any() or np.isnan(ends).any():
            return float("nan")
        ends -= design @ np.linalg.lstsq(design, ends, rcond=None)[0]
        return pearsonr(ends[:, 0], ends[:, 1]).pvalue


class Naive(Residuals):
    """The same of all rows, though values are missing in some."""

    name = "naive"

    def values(self, names: tuple[str, ...]) -> tuple[Any, ...]:
        return tuple(self.table.column(name).values for name in names)


RESIDUALS = Makers(of_table=Residuals)
NAIVE = Makers(of_table=Naive)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("residuals", "naive"):
        kind = TestKind(frozenset({"continuous"}), "a test of one's own", f"{__name__}.{name.upper()}")
        monkeypatch.setitem(TESTS, name, kind)


@pytest.mark.usefixtures("registered")
def test_evidence_counts_the_rows_that_are_complete_for_the_question() -> None:
    found = an.discover(HOLED, test="residuals", missing="testwise", alpha=0.01)
    assert found.evidence("a", "c", given=[]).rows == 300
    assert found.evidence("b", "c", given=[]).rows == 400
    assert found.evidence("c", "d", given=[]).rows == 390
    assert found.evidence("a", "d", given=["c"]).rows == 293
    assert an.discover(FRAME, test="residuals").evidence("a", "c", given=[]).rows == 400


def test_the_order_of_the_variables_does_not_matter_for_the_rows() -> None:
    test = Residuals(Table.of(HOLED, missing="testwise"))
    questions = test.questions(("d", "c", "a"))
    assert test.evidence(questions, 0, 1, ()).rows == 390
    assert test.evidence(questions, 1, 2, ()).rows == 300


def test_complete_values_are_those_of_the_complete_rows() -> None:
    mixed = pl.DataFrame({"a": [1.5, None, 3.5, 4.5], "b": ["x", "y", None, "z"], "c": [1.0, 2.0, 3.0, 4.0]})
    test = Residuals(Table.of(mixed, missing="testwise", kinds={"a": "continuous", "c": "continuous"}))
    a, b = test.complete("a", "b")
    assert a.tolist() == [1.5, 4.5]
    levels = test.table.column("b").levels
    assert levels is not None and [levels[code] for code in b] == ["x", "z"]
    assert test.complete("c")[0].tolist() == [1, 2, 3, 4]
    assert test.complete() == ()


def test_a_test_of_complete_rows_keeps_the_promises_testwise() -> None:
    check_test(Residuals, Table.of(HOLED, missing="testwise"))
    check_test(Residuals, FRAME)


@pytest.mark.usefixtures("registered")
def test_a_test_that_computes_with_missing_values_is_told_what_to_do() -> None:
    with pytest.raises(an.OptionError) as told:
        an.discover(HOLED, test="naive", missing="testwise")
    assert str(told.value) == (
        "values are missing, and the test 'naive' does not leave out the rows in which they are: it answered nan for "
        "a and b given nothing; let p_value() compute with self.complete(x, y, *given), or use the complete rows "
        'only: missing="drop"'
    )
    assert an.discover(HOLED, test="naive", missing="drop").test.rows == 293


def test_a_question_of_too_few_rows_is_not_supported() -> None:
    few = FRAME.head(6).with_columns(e=pl.Series([1.0, 3.0, -2.0, 0.5, 7.0, 1.5]))
    found = an.discover(Residuals(few, alpha=0.5))
    asked = found.test.questions(few.columns)
    assert not asked.ask(0, 1, [2, 3, 4]) and asked.unsupported.tolist() == [0, 0, 0, 1, 0, 0]
    evidence = found.evidence("a", "b", given=["c", "d", "e"])
    assert np.isnan(evidence.p_value) and evidence.rows == 6


def test_a_resample_is_judged_by_the_same_level() -> None:
    boot = an.bootstrap(Residuals(FRAME, alpha=0.3), repeats=5, seed=2)
    plain = [
        an.discover(Residuals(FRAME[np.repeat(np.arange(400), weights_of(2, number, 400, None))], alpha=0.3)).pag
        for number in range(5)
    ]
    assert Counter(plain) == dict(boot.graphs)


def test_a_run_with_unsupported_questions_is_saved_and_resumed(tmp_path: Path) -> None:
    few = an.simulate.linear_gaussian(an.simulate.random_dag(nodes=8, degree=4, seed=1), rows=6, seed=1)
    holed = few.with_columns(x2=pl.when(pl.int_range(6) < 3).then(None).otherwise("x2"))
    test = Residuals(Table.of(holed, missing="testwise"), alpha=0.2)
    whole = an.discover(test)
    assert whole.unsupported[0] == 6 and whole.unsupported.total() > 6
    part = an.discover(test, max_radius=0)
    part.save(tmp_path / "run.json")
    resumed = an.discover(test, resume=tmp_path / "run.json")
    assert resumed.pag == whole.pag
    assert (resumed.tests, resumed.unsupported) == (whole.tests, whole.unsupported)
    assert resumed.to_frame("all").equals(whole.to_frame("all"))
