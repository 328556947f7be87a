"""Linear Gaussian rows have the law of the model: its covariance, its separations, its truncation."""

from itertools import combinations
from math import erf, exp, pi, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from numpy.typing import NDArray

from ancestral import DAG, GraphError, OptionError, is_separated
from ancestral.simulate import GaussianModel, gaussian_model, linear_gaussian, random_dag
from ancestral.simulate.sampling import sample

Floats = NDArray[np.float64]

ROWS = 40_000


def drawn(dag: DAG, *, rows: int = ROWS, seed: int = 1, keep: float = 0.5) -> Floats:
    return linear_gaussian(dag, rows=rows, seed=seed, keep=keep).to_numpy()


def partial_correlation(values: Floats, x: int, y: int, given: tuple[int, ...] = ()) -> float:
    """By definition: the correlation of what is left of x and y after regression on the others."""
    design = np.column_stack([np.ones(len(values)), values[:, given]])
    ends = values[:, [x, y]]
    left = ends - design @ np.linalg.lstsq(design, ends, rcond=None)[0]
    return float(np.corrcoef(left.T)[0, 1])


def test_weights_belong_to_edges_and_are_as_in_the_paper() -> None:
    dag = random_dag(nodes=150, degree=8, seed=1)
    model = gaussian_model(dag, seed=2)
    edges = {(dag.index(a), dag.index(b)) for a, _, b in dag.edges()}
    assert {(int(x), int(y)) for x, y in np.argwhere(model.weights)} == edges
    on_edges = model.weights[tuple(np.array(sorted(edges)).T)]
    size = np.abs(on_edges)
    assert 0.5 <= size.min() < 0.55 and 1.95 < size.max() <= 2
    # uniform: mean 1.25, variance 1.5² / 12; and half of them negative
    assert abs(size.mean() - 1.25) < 4 * 1.5 / sqrt(12 * len(size))
    assert abs(np.mean(on_edges < 0) - 0.5) < 4 * 0.5 / sqrt(len(size))


def test_covariance_is_that_of_the_equations() -> None:
    dag = random_dag(nodes=12, degree=4, seed=1)
    model = gaussian_model(dag, seed=1)
    solved = np.linalg.inv(np.eye(12) - model.weights)
    assert np.allclose(model.covariance, solved.T @ solved)


def test_covariance_along_paths() -> None:
    dag = DAG.parse("c -> b, b -> a, c -> a")
    model = gaussian_model(dag, seed=3)
    c, b, a = map(dag.index, "cba")
    direct, on_the_way = model.weights[c, a], model.weights[c, b] * model.weights[b, a]
    assert model.covariance[c, a] == pytest.approx(direct + on_the_way)


@pytest.mark.parametrize("seed", range(3))
def test_rows_have_the_covariance_of_the_model(seed: int) -> None:
    dag = random_dag(nodes=12, degree=3, seed=seed)
    model = gaussian_model(dag, seed=seed)
    places = [dag.index(name) for name in dag.observed]
    expected = model.covariance[np.ix_(places, places)]
    values = drawn(dag, seed=seed)
    error = np.sqrt((expected**2 + np.outer(np.diag(expected), np.diag(expected))) / ROWS)
    assert (np.abs(np.cov(values.T) - expected) < 4.5 * error).all()
    assert (np.abs(values.mean(axis=0)) < 4.5 * np.sqrt(np.diag(expected) / ROWS)).all()


def test_regression_on_the_parents_gives_weights_and_unit_normal_noise() -> None:
    dag = random_dag(nodes=15, degree=3, seed=4, latent=0)
    model = gaussian_model(dag, seed=5)
    values = drawn(dag, seed=5)
    for y in range(15):
        parents = np.flatnonzero(model.weights[:, y])
        fit = np.linalg.lstsq(values[:, parents], values[:, y], rcond=None)[0]
        error = np.sqrt(np.diag(np.linalg.inv(values[:, parents].T @ values[:, parents])))
        assert (np.abs(fit - model.weights[parents, y]) < 4.5 * error).all()
        noise = np.sort(values[:, y] - values[:, parents] @ model.weights[parents, y])
        # Kolmogorov's distance from the standard normal law
        law = np.array([0.5 + 0.5 * erf(v / sqrt(2)) for v in noise])
        assert np.abs(law - (np.arange(ROWS) + 0.5) / ROWS).max() < 2 / sqrt(ROWS)


@pytest.mark.parametrize("seed", range(3))
def test_separations_are_vanishing_partial_correlations(seed: int) -> None:
    dag = random_dag(nodes=8, degree=2.5, seed=seed)
    values = drawn(dag, seed=seed)
    separated = 0
    for x, y in combinations(range(len(dag.observed)), 2):
        others = [z for z in range(len(dag.observed)) if z not in (x, y)]
        for given in [(), *((z,) for z in others), *combinations(others, 2)]:
            names = [dag.observed[z] for z in given]
            if is_separated(dag, dag.observed[x], dag.observed[y], given=names):
                separated += 1
                assert abs(partial_correlation(values, x, y, given)) < 4.5 / sqrt(ROWS)
    assert separated > 20


def test_neighbours_are_dependent_given_anything() -> None:
    dag = DAG.parse("a -> b, b -> c, d -> c, c -> e")
    values = drawn(dag)
    for a, _, b in dag.edges():
        x, y = dag.index(a), dag.index(b)
        others = [z for z in range(5) if z not in (x, y)]
        for size in range(4):
            for given in combinations(others, size):
                assert abs(partial_correlation(values, x, y, given)) > 0.1


def test_a_latent_cause_leaves_its_effects_dependent() -> None:
    values = drawn(DAG.parse("L -> a, L -> b, c", latent=["L"]))
    assert abs(partial_correlation(values, 0, 1, (2,))) > 0.1
    assert abs(partial_correlation(values, 0, 2, (1,))) < 4.5 / sqrt(ROWS)


@pytest.mark.parametrize("keep", [0.5, 0.2, 0.95])
def test_truncation_has_the_moments_of_a_truncated_normal(keep: float) -> None:
    dag = DAG.parse("x -> s, y -> s, z", selection=["s"])
    a, b = gaussian_model(dag, seed=1).weights[[dag.index("x"), dag.index("y")], dag.index("s")]
    spread = sqrt(a * a + b * b + 1)
    # of a standard normal variable above its quantile q: mean m, variance 1 - shrink
    q = NormalDist().inv_cdf(1 - keep)
    m = exp(-q * q / 2) / sqrt(2 * pi) / keep
    shrink = m * (m - q)
    values = drawn(dag, keep=keep)
    toward = np.array([a, b, 0]) / spread
    expected = np.eye(3) - shrink * np.outer(toward, toward)
    assert (np.abs(values.mean(axis=0) - toward * m) < 4.5 / sqrt(ROWS)).all()
    assert (np.abs(np.cov(values.T) - expected) < 4.5 * sqrt(2 / ROWS)).all()


def test_selection_joins_the_parents() -> None:
    free = drawn(DAG.parse("x -> s, y -> s", latent=["s"]))
    selected = drawn(DAG.parse("x -> s, y -> s", selection=["s"]))
    assert abs(partial_correlation(free, 0, 1)) < 4.5 / sqrt(ROWS)
    assert abs(partial_correlation(selected, 0, 1)) > 0.05


def test_every_selection_node_counts() -> None:
    """Both a and b are cut at their median, so where each of them is selected on, only one side of each is left."""
    dag = DAG.parse("a -> s, b -> t", selection=["s", "t"])
    weights = gaussian_model(dag, seed=1).weights
    values = drawn(dag)
    for x, node, by in [(0, "a", "s"), (1, "b", "t")]:
        w = weights[dag.index(node), dag.index(by)]
        mean = w / sqrt(w * w + 1) * sqrt(2 / pi)
        assert abs(values[:, x].mean() - mean) < 4.5 / sqrt(ROWS)


def test_a_selection_node_in_the_middle_separates() -> None:
    dag = DAG.parse("x -> s, s -> y, y -> t, z -> t", selection=["s", "t"])
    assert is_separated(dag, "x", "y")
    values = drawn(dag)
    assert abs(partial_correlation(values, 0, 1)) < 4.5 / sqrt(ROWS)
    assert abs(partial_correlation(values, 1, 2)) > 0.05


def test_many_nodes_and_rows_go_in_blocks() -> None:
    dag = random_dag(nodes=300, degree=2, seed=1)
    values = drawn(dag, rows=20_000)
    assert values.shape == (20_000, len(dag.observed))
    assert np.isfinite(values).all()
    assert len(np.unique(values[:, 0])) == 20_000


def test_values_beyond_all_bounds_are_refused() -> None:
    steep = GaussianModel(DAG.parse("a -> b, b -> c"), 1e200 * np.eye(3, k=1))
    with pytest.raises(GraphError, match=r"values grow .* fewer or shorter paths"):
        sample(steep.dag, steep.mechanisms(keep=0.5), 10, np.random.SeedSequence(1))
    with pytest.raises(GraphError, match=r"values grow"):
        _ = steep.covariance


@pytest.mark.parametrize("keep", [0, 1, -0.1, float("nan")])
def test_a_share_must_be_between_0_and_1(keep: float) -> None:
    with pytest.raises(OptionError, match=r"keep must be between 0 and 1, a share of the rows, got "):
        linear_gaussian(DAG.parse("a -> b"), rows=10, seed=1, keep=keep)
