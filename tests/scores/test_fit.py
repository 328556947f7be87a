"""The fit of a graph against a general optimiser, and what it says of a graph with all edges."""

import numpy as np
import pytest

from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.scores.fit import fit_of
from tests.support.ancestral_graphs import least_deviance, random_correlation, random_mag

NAMES = ("a", "b", "c", "d")


@pytest.mark.parametrize("seed", range(3))
def test_the_implied_covariance_has_the_largest_likelihood(seed: int) -> None:
    rng = np.random.default_rng(seed)
    marks, correlation = random_mag(rng, 4, 0.6), random_correlation(rng, 4)
    fit = fit_of(ColumnBlocks.single(correlation, 500), NAMES, marks, 0.5)
    least = least_deviance(marks, correlation)
    free = np.linalg.slogdet(correlation)[1] + 4
    assert fit.deviance == pytest.approx(500 * (least - free), abs=0.01)
    assert fit.degrees_of_freedom == 6 - int(np.triu(marks != 0).sum())


def test_a_graph_with_all_edges_fits_exactly() -> None:
    correlation = random_correlation(np.random.default_rng(1), 4)
    marks = np.triu(np.full((4, 4), 2, dtype=np.uint8), 1) + np.tril(np.full((4, 4), 3, dtype=np.uint8), -1)
    fit = fit_of(ColumnBlocks.single(correlation, 500), NAMES, marks, 0.5)
    assert fit.degrees_of_freedom == 0
    assert np.abs(fit.residuals).max() < 1e-9 and abs(fit.deviance) < 1e-6
