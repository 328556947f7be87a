"""Rounding decides nothing in searches by score: the same graph from correlations that differ in their last digits."""

import numpy as np
import pytest
from numpy.typing import NDArray

import ancestral as an
from ancestral.scores.ties import TIE, first_lowest


def found_in(correlation: NDArray[np.float64], algorithm: str) -> tuple[an.PAG, str]:
    moments = an.Moments.from_correlation(correlation, rows=400)
    resamples = 0 if algorithm == "scored" else None
    found = an.discover(moments, algorithm=algorithm, resamples=resamples, progress=False)
    return found.pag, str(found.claims_frame()) if algorithm == "scored" else ""


@pytest.mark.parametrize("algorithm", ["scored", "boss", "gfci", "boss-fci"])
def test_rounding_does_not_choose_the_graph(algorithm: str) -> None:
    for seed in range(8):
        dag = an.simulate.random_dag(nodes=14, degree=3, seed=seed)
        values = an.simulate.linear_gaussian(dag, rows=400, seed=seed).to_numpy()
        correlation = np.corrcoef(values.T)
        noise = np.random.default_rng(seed).normal(scale=2e-16, size=correlation.shape)
        np.fill_diagonal(noise, 0)
        assert found_in(correlation + noise + noise.T, algorithm) == found_in(correlation, algorithm)


def test_of_equal_scores_the_first_one_is_taken() -> None:
    assert first_lowest("abcd", {"a": 3.0, "b": 1.0 + TIE / 2, "c": 1.0, "d": 1.0}.__getitem__) == "b"
    assert first_lowest("abcd", {"a": 3.0, "b": 1.0 + TIE * 2, "c": 1.0, "d": 1.0}.__getitem__) == "c"
