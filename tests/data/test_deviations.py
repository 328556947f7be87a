"""What a single look at a column tells, against numpy and scipy, and at the edges of what floats can hold."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kurtosis, skew

from ancestral.data.column import Column
from ancestral.data.stats.deviations import Deviations


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=50), st.sampled_from([1.0, 1e-140, 1e120]))
def test_mean_and_square_are_those_of_numpy(values: list[float], unit: float) -> None:
    array = np.array(values) * unit
    found = Deviations.of(array)
    size = np.abs(array).max()
    assert found.count == len(values)
    assert found.mean == pytest.approx(array.mean(), rel=1e-12, abs=1e-12 * size)
    square = np.sum(((array - array.mean()) / unit) ** 2)
    assert found.square / unit / unit == pytest.approx(square, rel=1e-9, abs=1e-12 * (size / unit) ** 2)
    assert found.length <= found.scale or not found.square


@pytest.mark.parametrize("unit", [1.0, 1e-100, 1e140])
def test_skewness_and_kurtosis_do_not_depend_on_the_unit(unit: float) -> None:
    values = np.random.default_rng(1).lognormal(size=500)
    found = Deviations.of(values * unit)
    assert found.skewness == pytest.approx(skew(values))
    assert found.kurtosis == pytest.approx(kurtosis(values))


def test_squares_that_overflow_are_not_finite() -> None:
    assert not math.isfinite(Deviations.of(np.array([1e200, -1e200, 0.0])).square)


def test_what_only_rounding_moves_is_rounding() -> None:
    found = Deviations.of(np.array([0.1 + 0.2, 0.3, 0.3]))
    assert found.is_rounding(0.3)
    assert not found.is_rounding(0.0)


def test_a_column_knows_what_is_missing() -> None:
    nan = float("nan")
    gaps = Column("x", np.array([nan, 2.0, 5.0, nan]))
    assert gaps.has_missing and gaps.present.tolist() == [2.0, 5.0] and gaps.extremes == (2.0, 5.0)
    assert gaps.deviations == Deviations.of(np.array([2.0, 5.0]))
    whole = Column("x", np.array([3.0, -1.0]))
    assert not whole.has_missing and whole.present is whole.values and whole.extremes == (-1.0, 3.0)
    labels = Column("x", np.array([1, -1, 0], dtype=np.int32), ("a", "b"))
    assert labels.has_missing and labels.present.tolist() == [1, 0] and labels.extremes == (0.0, 1.0)
    assert not Column("x", np.array([1, 0], dtype=np.int32), ("a", "b")).has_missing
    assert not Column("x", np.zeros(0)).has_missing
