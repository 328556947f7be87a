"""The size of the search of windows: independent series with a long memory are rarely joined."""

import numpy as np
import pytest

from benchmarks.series_size import ALPHA, PAIRS, autoregressive, count


def test_independent_series_with_a_long_memory_are_rarely_joined() -> None:
    found = count(0.9, False, repeats=150, rows=500, seed=2)
    given_nothing, given_own_past = found.rejected.mean(axis=0)
    assert given_nothing > 0.25  # the trouble is there
    assert given_own_past < 0.06
    assert len(found.pairs) == len(PAIRS) == 7
    assert not any(pair.is_too_large for pair in found.pairs)  # more than three standard errors above 2 · alpha
    assert found.any_edge <= np.sum([pair.share for pair in found.pairs])
    assert found.any_edge < 7 * ALPHA + 3 * np.sqrt(0.07 * 0.93 / 150)


def test_the_series_of_the_benchmark_have_the_autocorrelation_they_should() -> None:
    values = autoregressive(np.random.default_rng(1), 20_000, 0.9)
    for column in values.T:
        assert np.mean(column[1:] * column[:-1]) / column.var() == pytest.approx(0.9, abs=0.02)
        assert column.var() == pytest.approx(1, abs=0.15)
    assert abs(np.mean(values[:, 0] * values[:, 1])) < 0.1
