"""Steps of whole numbers against numpy."""

import numpy as np
import pytest

from ancestral.data._steps_cy import whole_steps


@pytest.mark.parametrize("low", [0.0, -7.0, 1e12, -(2.0**53)])
def test_steps_lead_back_to_the_values(low: float) -> None:
    steps = np.random.default_rng(1).integers(0, 255, size=1000)
    values = low + steps
    values[3] = np.nan
    smallest, found, occurs = whole_steps(values)
    assert smallest == np.nanmin(values)
    np.testing.assert_array_equal(found[:3], (values - smallest)[:3])
    np.testing.assert_array_equal(found[4:], (values - smallest)[4:])
    assert found[3] == 255
    np.testing.assert_array_equal(np.flatnonzero(occurs), np.unique(found))


@pytest.mark.parametrize(
    "values",
    [[0.0, 0.5], [0.0, 255.0], [np.inf, np.inf], [-np.inf, 0.0], [1e300, -1e300]],
    ids=["a fraction", "far apart", "infinite", "minus infinite", "very far apart"],
)
def test_other_numbers_have_no_steps(values: list[float]) -> None:
    assert whole_steps(np.array(values)) is None


def test_no_value_takes_no_step() -> None:
    _, steps, occurs = whole_steps(np.array([np.nan, np.nan]))
    assert steps.tolist() == [255, 255] and not occurs[:255].any()


def test_a_gap_does_not_hide_a_fraction() -> None:
    assert whole_steps(np.array([np.nan, 1.0, 2.5])) is None
    assert whole_steps(np.array([np.nan, 1.0, 2.0]))[1].tolist() == [255, 0, 1]
