"""The laws of random models that benchmarks share."""

import numpy as np
import pytest

import ancestral as an
from benchmarks.designs import DESIGNS, STRONG, WEAK


@pytest.mark.parametrize("design", DESIGNS)
def test_the_covariance_is_that_given_the_selection_nodes(design: str) -> None:
    drawn = DESIGNS[design](15, 3)
    everything = drawn.model.covariance
    o = [drawn.dag.index(name) for name in drawn.dag.observed]
    s = [drawn.dag.index(name) for name in drawn.dag.selection]
    across = everything[np.ix_(o, s)]
    expected = everything[np.ix_(o, o)] - across @ np.linalg.inv(everything[np.ix_(s, s)]) @ across.T
    assert np.allclose(drawn.covariance, expected)
    rows = drawn.rows(100_000, 5)
    assert tuple(rows.columns) == drawn.dag.observed
    spread = np.sqrt(np.diag(expected))
    assert np.abs(np.cov(rows.to_numpy().T) - expected).max() < 0.02 * (spread[:, None] * spread).max()


@pytest.mark.parametrize("design", DESIGNS)
def test_the_truth_is_that_of_the_dag_and_weights_keep_to_the_law(design: str) -> None:
    drawn = DESIGNS[design](15, 4)
    assert drawn.truth == an.pag_of(drawn.dag)
    assert drawn.truth.nodes == drawn.dag.observed
    size = np.abs(drawn.model.weights[drawn.model.weights != 0])
    low, high = WEAK if design == "weak" else STRONG
    assert low <= size.min() < size.max() <= high
    assert len(size) == len(drawn.dag.edges())
    again = DESIGNS[design](15, 4)
    assert again.dag == drawn.dag
    assert again.rows(20, 1).equals(drawn.rows(20, 1))


def test_names_do_not_tell_the_causal_order() -> None:
    with_the_names = against = 0
    for seed in range(20):
        for edge in DESIGNS["paper"](15, seed).dag.edges():
            a, _, b = edge if edge[1] == "-->" else edge[::-1]
            if a[0] == b[0] == "v":
                with_the_names += a < b
                against += a > b
    assert 0.3 < with_the_names / (with_the_names + against) < 0.7


def test_latent_causes_take_the_place_of_edges_or_come_on_top() -> None:
    many = DESIGNS["latent"](15, 1).dag
    assert len(many.observed) == 15
    assert len(many.latent) == 8
    assert len(DESIGNS["selection"](15, 1).dag.selection) == 2
    confounded = edges = 0
    for seed in range(30):
        dag = DESIGNS["bidir"](15, seed).dag
        confounded += len(dag.latent)
        edges += len(dag.edges()) - len(dag.latent)  # a latent cause has two edges
    assert 0.6 < confounded / edges < 0.8
