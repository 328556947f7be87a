"""Weighted moments are those of the rows written out as often as their weights say."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ancestral as an
from ancestral.data.stats.comoments import PRODUCT_ROWS
from ancestral.data.stats.weighted import FEWEST_ROWS, SINGLE_THREADED, WeightedRows, gathered

NAMES = ("a", "b", "c", "d")


def expected(values: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean and the covariance of the rows written out, by numpy, in extended precision."""
    rows = np.repeat(values, weights, axis=1).astype(np.longdouble)
    mean = rows.mean(axis=1)
    apart = rows - mean[:, None]
    return mean, apart @ apart.T


def agree(values: np.ndarray, weights: np.ndarray) -> None:
    mean, products = expected(values, weights)
    found = WeightedRows(NAMES[: len(values)], values).moments(weights)
    length = np.sqrt(products.diagonal())
    assert found.rows == weights.sum()
    assert found.mean is not None
    # relative to what the columns are: their own size for means, their own spread for products
    assert np.all(np.abs(found.mean - mean) <= 1e-12 * (np.abs(values).max(axis=1) + 1e-300))
    spread = np.outer(length, length)
    assert np.all(np.abs(found.comoments - products)[spread > 0] <= 1e-12 * spread[spread > 0])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 400), st.integers(1, 4))
def test_weights_are_repetitions(seed: int, rows: int, columns: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((columns, rows)) @ np.diag(rng.uniform(0.5, 2, rows))
    values += rng.uniform(-5, 5, (columns, 1))
    agree(values, np.bincount(rng.integers(0, rows, rows), minlength=rows))


def test_many_portions_add_up() -> None:
    rng = np.random.default_rng(3)
    rows = 3 * max(PRODUCT_ROWS, SINGLE_THREADED // 16) // 2 + 7
    values = rng.standard_normal((4, rows))
    assert SINGLE_THREADED // 16 >= FEWEST_ROWS and rows > SINGLE_THREADED // 16
    agree(values, np.bincount(rng.integers(0, rows, rows), minlength=rows))


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e12])
@pytest.mark.parametrize("shift", [0.0, 1e3])
def test_units_do_not_matter(scale: float, shift: float) -> None:
    rng = np.random.default_rng(5)
    values = (rng.standard_normal((3, 200)) + shift) * np.array([[scale], [1.0], [1 / scale]])
    agree(values, np.bincount(rng.integers(0, 200, 200), minlength=200))


def test_an_outlier_that_is_not_drawn_costs_no_digits() -> None:
    rng = np.random.default_rng(7)
    values = rng.standard_normal((2, 100))
    values[0] *= 1e-6
    values[0, 13] = 1e9
    weights = np.ones(100, dtype=np.int64)
    weights[13] = 0
    agree(values, weights)


def test_a_column_that_does_not_vary_in_the_rows_drawn_has_no_spread() -> None:
    values = np.array([[0.1, 0.1, 0.1, 7.0], [1.0, 2.0, 3.0, 4.0]])
    found = WeightedRows(("a", "b"), values).moments(np.array([2, 1, 1, 0]))
    assert found.comoments[0].tolist() == [0.0, 0.0] and found.comoments[1, 1] > 0


def test_weights_of_one_are_the_moments() -> None:
    values = np.random.default_rng(1).standard_normal((4, 500))
    whole = an.Moments.of(an.Table.of(values.T, names=NAMES))
    found = WeightedRows(NAMES, values).moments(np.ones(500, dtype=np.int64))
    assert np.abs(found.correlation - whole.correlation).max() < 1e-15


def test_without_rows_there_are_no_moments() -> None:
    with pytest.raises(an.DataError, match="all weights are 0"):
        WeightedRows(("a",), np.array([[1.0, 2.0]])).moments(np.zeros(2, dtype=np.int64))


def test_gathered_rows_lose_the_levels_that_were_not_drawn() -> None:
    table = an.Table.of(pl.DataFrame({"x": ["u", "v", "w", "v"], "y": [1.5, 2.5, 3.5, 4.5]}))
    drawn = gathered(table, np.array([2, 0, 1, 1]))
    assert drawn.column("y").values.tolist() == [1.5, 1.5, 3.5, 4.5]
    assert [drawn.column("x").levels[i] for i in drawn.column("x").values] == ["u", "u", "w", "v"]  # type: ignore[index]
    assert gathered(table, np.array([1, 0, 2, 0])).column("x").levels == ("u", "w")
