"""Nonlinear data: curves as they are described, columns of one scale, and the separations of the graph."""

from collections.abc import Callable
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral.graphs import DAG
from ancestral.simulate import nonlinear
from ancestral.simulate.nonlinear import SHAPES, Curve, nonlinear_model

FORMULAS: dict[str, Callable[[Any], Any]] = {
    "square": lambda v: np.where(abs(v) < 3, v**2, 6 * abs(v) - 9),
    "sine": np.sin,
    "tanh": np.tanh,
    "absolute": abs,
}


def test_a_node_is_a_sum_of_curves_and_noise() -> None:
    dag = DAG.parse("a -> c, b -> c")
    model = nonlinear_model(dag, np.random.default_rng(1))["c"]
    assert model.parents == ("a", "b")
    a, b = np.array([0.3, -1.2]), np.array([0.0, 2.0])
    noise = np.random.default_rng(2).standard_normal(2)
    sums = noise.copy()
    for curve, values in zip(model.curves, (a, b), strict=True):
        raw = FORMULAS[curve.shape](curve.stretch * values + curve.shift)
        sums += curve.weight * (raw - curve.mean) / curve.spread
    assert model.draw([a, b], 2, np.random.default_rng(2)) == pytest.approx(sums / model.spread)


def test_every_curve_occurs_and_has_weights_like_a_line() -> None:
    curves: list[Curve] = []
    for seed in range(60):
        curves += nonlinear_model(DAG.parse("a -> b"), np.random.default_rng(seed))["b"].curves
    assert {curve.shape for curve in curves} == set(SHAPES)
    assert all(0.5 <= abs(curve.weight) <= 2 for curve in curves)
    assert {curve.weight > 0 for curve in curves} == {True, False}


def test_columns_have_one_scale_along_a_long_path() -> None:
    names = [f"v{i}" for i in range(30)]
    dag = DAG.from_edges([(a, "-->", b) for a, b in pairwise(names)])
    rows = nonlinear(dag, rows=4000, seed=1).to_numpy()
    assert np.abs(rows.mean(axis=0)).max() < 0.15
    assert np.abs(rows.std(axis=0) - 1).max() < 0.15


def test_the_first_rows_stay_the_same_if_more_are_drawn() -> None:
    dag = DAG.parse("a -> b, L -> b, L -> c", latent=["L"])
    rows = nonlinear(dag, rows=300, seed=5)
    assert rows.columns == ["a", "b", "c"]
    assert nonlinear(dag, rows=50, seed=5).equals(rows[:50])
    assert not nonlinear(dag, rows=50, seed=6).equals(rows[:50])


def test_selection_keeps_rows_above_the_median() -> None:
    """a and b are independent, and dependent among the rows that their common effect selects."""
    dag = DAG.parse("a -> s, b -> s", selection=["s"])
    free = DAG.parse("a -> s, b -> s")
    kept = 0
    for seed in range(6):
        model = nonlinear_model(dag, np.random.default_rng(seed))["s"]
        values = model.draw([np.zeros(5), np.zeros(5)], 5, np.random.default_rng(seed))
        assert (model.keeps(values) == (values > model.threshold)).all()
        rows = nonlinear(free, rows=2000, seed=seed)["s"].to_numpy()
        own = nonlinear_model(free, an.simulate.sampling.streams(seed)[0])["s"]
        kept += int(np.count_nonzero(own.keeps(rows)))
    assert abs(kept / 12_000 - 0.5) < 5 * sqrt(0.25 / 12_000) + 0.01


def test_neighbours_in_a_chain_depend_and_its_ends_are_separated() -> None:
    rows = nonlinear(DAG.parse("a -> b, b -> c"), rows=1500, seed=2)
    test = an.discover(rows, test="basis").test
    questions = test.questions(["a", "b", "c"])
    p = {(x, y): test.evidence(questions, x, y, ()).p_value for x, y in [(0, 1), (1, 2)]}
    assert max(p.values()) < 1e-6
    assert test.evidence(questions, 0, 2, (1,)).p_value > 0.01
