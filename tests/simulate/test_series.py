"""Series have the law of their model: stationary, with its covariance and its separations. And random series DAGs."""

from collections import Counter
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import ancestral as an
from ancestral import AncestralError, GraphError, OptionError, is_separated
from ancestral.graphs import SeriesDAG
from ancestral.graphs.window import Window
from ancestral.simulate import SeriesModel, linear_series, nonlinear_series, random_series_dag, series_model
from tests.support.series_truth import random_series_dag as tangled_dag

Floats = NDArray[np.float64]

LOOPED = SeriesDAG.parse("A-1->A, A-1->B, B-0->C, C-2->A, L-0->A, L-1->C, L-1->L", latent=["L"])


def windows_of(frame: Any, lags: int) -> Floats:
    """The values of each unit at its last steps, side by side as in `Window.names`: independent rows."""
    values = frame.drop("unit", "time").to_numpy()
    units = values.reshape(frame["unit"].n_unique(), -1)
    out: Floats = units[:, -(lags + 1) * values.shape[1] :]
    return out


def long_covariance(model: SeriesModel, lags: int, steps: int) -> Floats:
    """The covariance of the observed processes at the last steps of a model that began with noise alone, steps ago.

    All values at all steps are solved for at once, so that no recursion over time is involved.
    """
    size, names = model.weights.shape[1], list(model.dag.parents)
    whole = np.zeros((steps * size, steps * size))
    for lag, weights in enumerate(model.weights):
        whole += np.kron(np.eye(steps, k=lag), weights)
    effects = np.linalg.inv(np.eye(steps * size) - whole)
    covariance = effects.T @ effects
    window = Window(model.dag.observed, lags)
    places = [(steps - 1 - lag) * size + names.index(name) for name, lag in map(window.place, window.names)]
    out: Floats = covariance[np.ix_(places, places)]
    return out


# -- the model ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_covariance_is_that_of_a_model_that_began_long_ago(seed: int) -> None:
    for dag in (LOOPED, tangled_dag(np.random.default_rng(seed))):
        model = series_model(dag, seed=seed, strength=(0.1, 0.3))
        assert model.radius < 0.9
        assert np.allclose(model.covariance(3), long_covariance(model, 3, steps=100), atol=1e-6)


def test_covariance_of_an_autoregression_is_that_of_the_textbook() -> None:
    model = series_model(SeriesDAG.parse("A-1->A"), seed=1, coefficients={("A", 1, "A"): 0.8})
    assert model.radius == pytest.approx(0.8)
    expected = [[0.8 ** abs(i - j) / (1 - 0.64) for j in range(4)] for i in range(4)]
    assert np.allclose(model.covariance(3), expected)
    with pytest.raises(OptionError, match="lags must be a whole number of at least 0"):
        model.covariance(-1)


def partial_correlation(covariance: Floats, x: int, y: int, given: list[int]) -> float:
    precision = np.linalg.inv(covariance[np.ix_([x, y, *given], [x, y, *given])])
    return float(-precision[0, 1] / sqrt(precision[0, 0] * precision[1, 1]))


def test_separations_of_the_window_are_the_vanishing_partial_correlations() -> None:
    rng = np.random.default_rng(3)
    counts: Counter[bool] = Counter()
    for _ in range(25):
        dag = tangled_dag(rng)
        covariance = series_model(dag, seed=rng).covariance(2)
        window = dag.window(2)
        for _ in range(40):
            x, y, *others = rng.permutation(len(window.observed)).tolist()
            given = [z for z in others if rng.random() < 0.4]
            names = [window.observed[z] for z in given]
            separated = is_separated(window, window.observed[x], window.observed[y], given=names)
            assert (abs(partial_correlation(covariance, x, y, given)) < 1e-9) == separated, repr(dag)
            counts[separated] += 1
    assert min(counts.values()) > 100


def test_coefficients_belong_to_edges_and_are_in_their_ranges() -> None:
    dag = random_series_dag(10, seed=1)
    model = series_model(dag, seed=2, strength=(0.1, 0.2), autocorrelation=(0.4, 0.5))
    names = list(dag.parents)
    found = {(names[x], int(lag), names[y]) for lag, x, y in np.argwhere(model.weights)}
    assert found == set(dag.edges)
    own = [model.weights[1, i, i] for i in range(10)]
    links = [model.weights[lag, names.index(a), names.index(b)] for a, lag, b in dag.edges if a != b]
    assert all(0.4 <= value <= 0.5 for value in own)
    assert all(0.1 <= abs(value) <= 0.2 for value in links)
    assert {value > 0 for value in links} == {True, False}


def test_given_coefficients_are_kept_and_the_others_drawn() -> None:
    dag = SeriesDAG.parse("A-1->A, A-2->B")
    model = series_model(dag, seed=1, coefficients={("A", 2, "B"): -7.5})
    assert model.weights[2, 0, 1] == -7.5
    assert 0.3 <= model.weights[1, 0, 0] <= 0.6


def test_models_are_drawn_until_they_are_stationary() -> None:
    """Two processes that drive each other explode if both effects are strong; of some draws they are."""
    dag = SeriesDAG.parse("A-1->B, B-1->A, A-1->A, B-1->B")
    radii = [series_model(dag, seed=seed, strength=(0.2, 1.5)).radius for seed in range(30)]
    assert max(radii) <= 0.99
    assert max(radii) > 0.9
    with pytest.raises(GraphError, match=r"none of 1,000 .* stationary; pass smaller numbers as strength= or autocorr"):
        series_model(dag, seed=1, strength=(3, 4))
    with pytest.raises(OptionError, match=r"coefficients must be those of a stationary model: its largest eigenvalue"):
        series_model(dag, seed=1, coefficients=dict.fromkeys(dag.edges, 0.6))
    with pytest.raises(GraphError, match=r"the model must be stationary, and has an eigenvalue of 1\.2"):
        SeriesModel(SeriesDAG.parse("A-1->A"), np.array([[[0.0]], [[1.2]]])).covariance(1)


# -- linear series ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", ["normal", "uniform", "laplace"])
def test_units_have_the_covariance_of_the_model_from_their_first_row_on(noise: str) -> None:
    units = 8000
    frame = linear_series(LOOPED, rows=3, seed=4, units=units, noise=noise, autocorrelation=(0.6, 0.8))
    expected = series_model(LOOPED, seed=4, autocorrelation=(0.6, 0.8)).covariance(2)
    values = windows_of(frame, 2)
    products = values[:, :, None] * values[:, None, :]
    error = products.std(axis=0) / sqrt(units)
    assert (np.abs(products.mean(axis=0) - expected) < 4.5 * error).all()
    assert (np.abs(values.mean(axis=0)) < 4.5 * np.sqrt(np.diag(expected) / units)).all()


def test_a_long_series_has_the_covariance_of_the_model_too() -> None:
    model = series_model(LOOPED, seed=4)
    values = linear_series(LOOPED, rows=40_000, seed=4).to_numpy()
    lagged = np.hstack([values[:-1], values[1:]])
    spread = np.sqrt(np.diag(model.covariance(1)))
    assert np.abs((np.cov(lagged.T) - model.covariance(1)) / np.outer(spread, spread)).max() < 0.05


@pytest.mark.parametrize(
    ("noise", "fourth_moment", "largest"), [("normal", 3, np.inf), ("uniform", 1.8, sqrt(3)), ("laplace", 6, np.inf)]
)
def test_noise_has_variance_1_and_its_own_shape(noise: str, fourth_moment: float, largest: float) -> None:
    values = linear_series(SeriesDAG.parse("A"), rows=60_000, seed=1, noise=noise)["A"].to_numpy()
    assert abs(values.mean()) < 0.02
    assert values.var() == pytest.approx(1, abs=0.04)
    assert (values**4).mean() == pytest.approx(fourth_moment, rel=0.1)
    assert np.abs(values).max() <= largest


@pytest.mark.parametrize("draw", [linear_series, nonlinear_series])
def test_the_first_rows_and_units_stay_the_same_if_more_are_drawn(draw: Any) -> None:
    frame = draw(LOOPED, rows=30, seed=5, units=4)
    assert frame.columns == ["unit", "time", "A", "B", "C"]
    assert frame["unit"].to_list() == [unit for unit in range(1, 5) for _ in range(30)]
    assert frame["time"].to_list() == list(range(1, 31)) * 4
    one = draw(LOOPED, rows=30, seed=5)
    assert one.columns == ["A", "B", "C"]
    assert np.allclose(one.to_numpy(), frame[:30].drop("unit", "time").to_numpy(), atol=1e-12)
    assert np.allclose(draw(LOOPED, rows=10, seed=5).to_numpy(), one[:10].to_numpy(), atol=1e-12)
    assert not np.allclose(draw(LOOPED, rows=30, seed=6).to_numpy(), one.to_numpy())
    assert len({tuple(frame[30 * unit]["A"]) for unit in range(4)}) == 4
    seen = SeriesDAG(LOOPED.processes, LOOPED.edges)
    assert np.allclose(draw(seen, rows=30, seed=5)["A"].to_numpy(), one["A"].to_numpy(), atol=1e-12)


# -- nonlinear series ---------------------------------------------------------------------------------------------


def test_nonlinear_series_do_not_grow_in_loops_and_are_stationary() -> None:
    loops = SeriesDAG.parse("A-1->B, B-1->A, A-1->A, B-0->C, C-1->B, C-2->C, A-3->C")
    for seed in range(4):
        frame = nonlinear_series(loops, rows=120, seed=seed, units=400, autocorrelation=(0.5, 0.9))
        values = frame.drop("unit", "time").to_numpy().reshape(400, 120, 3)
        first, last = values[:, :1].reshape(400, 3), values[:, -1:].reshape(400, 3)
        error = np.sqrt((first.var(axis=0) + last.var(axis=0)) / 400)
        assert (np.abs(first.mean(axis=0) - last.mean(axis=0)) < 4.5 * error).all()
        assert (np.abs(np.log(first.var(axis=0) / last.var(axis=0))) < 0.7).all()
        assert (values.std(axis=(0, 1)) > 0.3).all() and (values.std(axis=(0, 1)) < 3).all()


def test_nonlinear_processes_depend_on_their_causes_and_are_separated_by_them() -> None:
    chain = SeriesDAG.parse("A-1->B, B-1->C, A-1->A, B-0->D")
    values = windows_of(nonlinear_series(chain, rows=3, seed=2, units=1500), 2)
    names = list(Window(("A", "B", "C", "D"), 2).names)
    test = an.discover(pl.DataFrame(values, schema=names), test="basis", max_radius=0).test
    questions = test.questions(names)

    def p_value(x: str, y: str, *given: str) -> float:
        return float(test.evidence(questions, names.index(x), names.index(y), tuple(map(names.index, given))).p_value)

    assert p_value("A[t-2]", "B[t-1]") < 1e-6
    assert p_value("B[t-1]", "C[t]") < 1e-6
    assert p_value("B[t]", "D[t]") < 1e-6
    assert p_value("A[t-2]", "A[t-1]") < 1e-6
    assert p_value("A[t-2]", "C[t]", "B[t-1]") > 0.01
    assert p_value("A[t]", "B[t]", "A[t-1]") > 0.01
    assert p_value("A[t-1]", "D[t]", "B[t]") > 0.01


# -- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("draw", [linear_series, nonlinear_series])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dag": an.DAG.parse("a -> b")}, "dag must be a SeriesDAG, got .*; for example SeriesDAG.parse"),
        ({"dag": SeriesDAG.parse("A", latent=["A"])}, "must have an observed process, and all .* are latent"),
        (
            {"dag": SeriesDAG.parse("time-1->B"), "units": 2},
            "not be called 'time', .*; rename it, or pass units=1",
        ),
        ({"rows": 0}, "rows must be a whole number of at least 1, got 0"),
        ({"rows": 10**9}, "rows must be a whole number from 1 to 333,333,333, .*: draw several parts"),
        ({"rows": 10**6, "units": 10**6}, "rows must be a whole number from 1 to 333, got"),
        ({"units": 0}, "units must be a whole number of at least 1, got 0"),
        ({"noise": "gaussian"}, "noise must be one of 'normal', 'uniform', 'laplace', got 'gaussian'"),
        ({"seed": -1}, "seed must be a whole number of at least 0, or a numpy Generator, got -1"),
        ({"autocorrelation": 0.5}, "autocorrelation must be two numbers, the smaller one first, .* below 1, got 0.5"),
        ({"autocorrelation": (0.5, 1.0)}, r"autocorrelation must be two numbers.*got \(0.5, 1.0\)"),
        ({"autocorrelation": (0.5, 0.4)}, r"autocorrelation must be two numbers.*got \(0.5, 0.4\)"),
        ({"autocorrelation": (0.5, float("nan"))}, "autocorrelation must be two numbers"),
    ],
)
def test_options_that_cannot_be_meant(draw: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(AncestralError, match=message):
        draw(**{"dag": LOOPED, "rows": 5, "seed": 1, **options})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strength": (-0.2, 0.5)}, "strength must be two numbers, the smaller one first, of at least 0 and below inf"),
        ({"strength": ("a", "b")}, "strength must be two numbers"),
        (
            {"coefficients": [0.5]},
            r"coefficients must be a mapping of edges to numbers, got \[0.5\]; for example ",
        ),
        ({"coefficients": {("A", 1, "C"): 1}}, r"coefficients must be of edges of the graph, got \('A', 1, 'C'\)"),
        ({"coefficients": {("A", 1, "B"): None}}, "coefficients must be finite numbers, got None for A -1-> B"),
        ({"coefficients": {("A", 1, "B"): np.inf}}, "coefficients must be finite numbers, got inf for A -1-> B"),
    ],
)
def test_options_of_linear_models_that_cannot_be_meant(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        linear_series(LOOPED, rows=5, seed=1, **options)


# -- random series DAGs -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("processes", "latent"), [(4, 1), (5, 1), (7, 2), (10, 3), (14, 4)])
def test_random_graphs_have_the_default_design(processes: int, latent: int) -> None:
    for seed in range(20):
        dag = random_series_dag(processes, seed=seed)
        links = [(a, lag, b) for a, lag, b in dag.edges if a != b]
        assert dag.processes == tuple(f"x{i}" for i in range(1, processes + 1))
        assert len(dag.latent) == latent
        assert len({(a, b) for a, _, b in links}) == len(links) == processes
        assert sum(lag == 0 for _, lag, _ in links) == round(0.3 * processes)
        assert {(name, 1, name) for name in dag.processes} == {edge for edge in dag.edges if edge[0] == edge[2]}
        assert dag.order <= 3


def test_random_graphs_have_the_shares_that_are_asked_for() -> None:
    dag = random_series_dag(6, seed=1, links=20, lags=1, contemporaneous=0.5, latent=0, own_past=False)
    assert Counter(lag for _, lag, _ in dag.edges) == {0: 10, 1: 10}
    assert not dag.latent
    assert not random_series_dag(3, seed=1, links=0, own_past=False).edges
    assert random_series_dag(1, seed=1).edges == (("x1", 1, "x1"),)
    full = random_series_dag(4, seed=1, links=12, contemporaneous=0.5)
    assert len(full.edges) == 16


def test_every_link_lag_and_latent_process_is_as_likely_as_any_other() -> None:
    count = 3000
    pairs: Counter[tuple[str, str]] = Counter()
    lags: Counter[int] = Counter()
    latent: Counter[str] = Counter()
    rng = np.random.default_rng(1)
    for _ in range(count):
        dag = random_series_dag(4, seed=rng, links=4, contemporaneous=0.5, own_past=False)
        pairs.update((a, b) for a, _, b in dag.edges)
        lags.update(lag for _, lag, _ in dag.edges)
        latent.update(dag.latent)
    assert len(pairs) == 12
    assert all(abs(found - count / 3) < 4.5 * sqrt(count * 2 / 9) for found in pairs.values())
    assert lags[0] == 2 * count
    assert all(abs(lags[lag] - 2 * count / 3) < 4.5 * sqrt(2 * count * 2 / 9) for lag in (1, 2, 3))
    assert all(abs(found - count / 4) < 4.5 * sqrt(count * 3 / 16) for found in latent.values())


def test_the_seed_decides_about_the_graph() -> None:
    assert random_series_dag(6, seed=1) == random_series_dag(6, seed=np.random.default_rng(1))
    assert len({random_series_dag(6, seed=seed) for seed in range(20)}) == 20


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"processes": 0}, "processes must be a whole number of at least 1, got 0"),
        ({"processes": 1001}, "processes must be a whole number from 1 to 1,000"),
        ({"links": -1}, "links must be a whole number of at least 0"),
        ({"links": 13}, "links must be at most 12 for 4 processes, of which at most 6 are within a step, got 13; take"),
        ({"links": 7, "contemporaneous": 1}, "links must be at most 12 .* got 7; .* smaller contemporaneous="),
        ({"lags": 0}, "lags must be a whole number of at least 1"),
        ({"latent": 4}, "latent must be a whole number from 0 to 3, got 4"),
        ({"contemporaneous": 1.5}, "contemporaneous must be from 0 to 1, got 1.5"),
        ({"own_past": 1}, "own_past must be True or False, got 1"),
        ({"seed": "x"}, "seed must be a whole number of at least 0"),
    ],
)
def test_graphs_that_cannot_be_drawn(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        random_series_dag(**{"processes": 4, "seed": 1, **options})


def test_links_within_a_step_may_join_all_pairs() -> None:
    """They follow a causal order, so that even then there is no cycle, which would be refused."""
    dag = random_series_dag(5, seed=3, links=10, contemporaneous=1)
    assert {frozenset((a, b)) for a, lag, b in dag.edges if a != b and lag == 0} == set(
        map(frozenset, combinations(dag.processes, 2))
    )
