"""The likelihood of districts against regressions, and against a general optimiser."""

import numpy as np
import pytest

from ancestral.scores._ancestral_cy import AncestralGraph
from ancestral.scores._districts_cy import Districts
from tests.kernels.test_ancestral import loaded
from tests.support.ancestral_graphs import districts_of, least_deviance, random_correlation, random_mag, singles

#: How closely f is fitted here.
CLOSE = 1e-11


@pytest.mark.parametrize("seed", range(4))
def test_a_node_without_spouses_is_a_regression(seed: int) -> None:
    rng = np.random.default_rng(seed)
    correlation = random_correlation(rng, 5)
    graph = AncestralGraph(5)
    parents = [0, 2, 3]
    for u in parents:
        graph.change(u, 4, 1)
    left = correlation[4, 4] - correlation[4, parents] @ np.linalg.solve(
        correlation[np.ix_(parents, parents)], correlation[parents, 4]
    )
    found = Districts(correlation, singles(5)).value_of(graph, [4])
    assert found == pytest.approx(np.log(left) + 1, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_likelihood_is_at_its_maximum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    marks = random_mag(rng, 4, 0.8)
    correlation = random_correlation(rng, 4)
    fit = Districts(correlation, singles(4), CLOSE, 2000)
    graph = loaded(marks)
    apart = sum(fit.value_of(graph, district) for district in districts_of(marks))
    together = fit.value_of(graph, range(4))
    assert apart == pytest.approx(together, abs=1e-8)
    assert together == pytest.approx(least_deviance(marks, correlation), abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_blocks_of_columns(seed: int) -> None:
    # a block of several columns, all joined to the same others, is as many variables with all edges between them
    rng = np.random.default_rng(seed)
    correlation = random_correlation(rng, 5)
    graph = AncestralGraph(3)
    graph.change(0, 1, 3)
    graph.change(1, 2, 3 if seed % 2 else 2)
    blocks = Districts(correlation, np.array([0, 2, 4, 5], dtype=np.intc), CLOSE, 2000)
    found = blocks.value_of(graph, range(3))
    split = np.zeros((5, 5), dtype=np.uint8)
    for pair in ((0, 1), (2, 3)):
        split[pair] = split[pair[::-1]] = 2  # correlated errors within a block
    for a in (0, 1):
        for b in (2, 3):
            split[a, b] = split[b, a] = 2
    for b in (2, 3):
        split[4, b], split[b, 4] = (2, 2) if seed % 2 else (2, 3)
    assert found == pytest.approx(least_deviance(split, correlation), abs=1e-6)


def test_a_column_that_others_determine_is_bounded() -> None:
    correlation = np.ones((3, 3))
    graph = AncestralGraph(3)
    graph.change(0, 2, 1)
    graph.change(1, 2, 1)
    assert np.isfinite(Districts(correlation, singles(3)).value_of(graph, [2]))
