"""Partial correlations against numpy's inverse of the correlation matrix."""

from itertools import combinations

import numpy as np
import pytest

from ancestral.independence._gaussian_cy import PartialCorrelations


def by_inverse(correlation: np.ndarray, x: int, y: int, given: tuple[int, ...]) -> float:
    some = [x, y, *given]
    precision = np.linalg.inv(correlation[np.ix_(some, some)])
    return float(abs(precision[0, 1]) / np.sqrt(precision[0, 0] * precision[1, 1]))


@pytest.mark.parametrize("seed", range(3))
def test_partial_correlations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    correlation = np.asarray(np.corrcoef(rng.standard_normal((40, 8)) @ rng.standard_normal((8, 8)), rowvar=False))
    questions = PartialCorrelations(correlation, np.ones(8))
    for size in range(7):
        for given in list(combinations(range(2, 8), size))[:8]:
            expected = by_inverse(correlation, 0, 1, given)
            questions.ask(0, 1, given)
            assert np.sqrt(questions.statistic) == pytest.approx(expected, abs=1e-12)
            for factor in (0.999, 1.001):
                decided = PartialCorrelations(correlation, np.full(8, (expected * factor) ** 2))
                assert decided.ask(0, 1, given) is (factor > 1)


def test_what_cannot_be_told_is_dependent_and_counted() -> None:
    correlation = np.eye(4)
    correlation[2, 3] = correlation[3, 2] = 1.0  # a singular conditioning set
    questions = PartialCorrelations(correlation, [1.0, 1.0, 1.0])
    assert questions.ask(0, 1, [2])
    assert not questions.ask(0, 1, [2, 3])
    assert not questions.ask(2, 0, [3])  # nothing of 2 is left
    few = PartialCorrelations(np.eye(4), [1.0, -1.0])
    assert not few.ask(0, 1, [2])  # too few rows for one condition
    assert not few.ask(0, 1, [2, 3])  # more conditions than were ever meant
    assert questions.unsupported.tolist() == [0, 1, 1, 0, 0]
    assert few.unsupported.tolist() == [0, 1, 1, 0, 0]
