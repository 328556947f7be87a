"""Questions that are made while others about the same variables are asked share their data, and answer alike."""

import gc
import weakref
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.independence import choose_test
from ancestral.independence.fisher_z import FisherZ

DAG = an.DAG.parse("a -> b, b -> c, c -> d, a -> e, e -> d, b -> f, f -> g, g -> h")
ORDER = sorted("abcdefgh")


def made(kind: str) -> Any:
    """A test of some rows, its columns not in the order of their names."""
    if kind == "fisher-z":
        frame = an.simulate.linear_gaussian(DAG, rows=400, seed=1)
    elif kind == "labels":
        frame = an.simulate.discrete(DAG, rows=400, levels=3, seed=1)
    else:
        frame = an.simulate.mixed(DAG, rows=400, seed=1)
    if kind == "testwise":
        gone = np.random.default_rng(1).random(400) < 0.1
        frame = frame.with_columns(frame.to_series(0).set(pl.Series(gone), None))
    frame = frame.select(frame.columns[::-1])
    return choose_test(frame, missing="testwise" if kind == "testwise" else "refuse")


@pytest.mark.parametrize("kind", ["fisher-z", "labels", "mixed", "testwise"])
def test_further_questions_answer_like_the_first(kind: str) -> None:
    test = made(kind)
    first, second = test.questions(ORDER), test.questions(ORDER)
    assert first is not second
    for x, y in combinations(range(8), 2):
        for given in ([], *([z] for z in range(8) if z not in (x, y))):
            assert first.ask(x, y, given) == second.ask(x, y, given)
            assert (first.statistic, first.df) == (second.statistic, second.df)
    assert first.unsupported.tolist() == second.unsupported.tolist()


@pytest.mark.parametrize("kind", ["fisher-z", "labels", "mixed", "testwise"])
def test_another_order_is_another_matter(kind: str) -> None:
    test = made(kind)
    kept = test.questions(ORDER)
    backwards = test.questions(ORDER[::-1])
    for x, y in combinations(range(8), 2):
        assert kept.ask(x, y, []) == backwards.ask(7 - x, 7 - y, [])
        assert kept.statistic == pytest.approx(backwards.statistic)


@pytest.mark.parametrize("kind", ["fisher-z", "labels", "mixed", "testwise"])
def test_the_number_of_workers_changes_nothing(kind: str) -> None:
    test = made(kind)
    assert an.discover(test, workers=3).to_json() == an.discover(test).to_json()


def test_an_arranged_matrix_is_there_as_long_as_it_is_asked() -> None:
    names = [f"x{i}" for i in range(20, 0, -1)]
    test = FisherZ(an.Moments.from_correlation(np.eye(20), rows=100, names=names))
    questions = [test.questions(names[::-1]) for _ in range(2)]
    arranged = test._arranged(names[::-1])
    assert arranged is test._arranged(names[::-1])
    gone = weakref.ref(arranged)
    del arranged
    assert gone() is not None
    questions.clear()
    gc.collect()
    assert gone() is None


def test_a_test_has_the_columns_in_the_order_of_its_table() -> None:
    assert made("fisher-z").names == tuple(ORDER[::-1])
