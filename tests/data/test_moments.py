"""Moments against numpy by definition; they add up, and neither units nor the order of columns changes them."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ancestral.data import Counts, DataError, Moments, Table
from ancestral.data.stats.moments import TOLERANCE
from ancestral.errors import OptionError, UnknownName


def sample(rows: int, columns: int, seed: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, columns)) @ rng.normal(size=(columns, columns)) + rng.normal(size=columns)


def test_moments_by_definition() -> None:
    data = sample(50, 4, seed=1)
    moments = Moments.of(data)
    assert moments.names == ("x1", "x2", "x3", "x4") and moments.rows == 50
    assert moments.mean is not None
    np.testing.assert_allclose(moments.mean, data.mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(moments.covariance, np.cov(data.T), rtol=1e-12)
    np.testing.assert_allclose(moments.correlation, np.corrcoef(data.T), rtol=1e-12)


@pytest.mark.parametrize("whole", [True, False])
def test_moments_and_counts_take_the_options_of_text(whole: bool, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("1,5;2\n2,5;1\n0,5;2\n")
    source = path if whole else [path]
    moments = Moments.of(source, names=["a", "b"], separator=";", decimal=",", drop="b")
    assert moments.names == ("a",) and moments.mean == [1.5]
    counts = Counts.of(source, names=iter("ab"), separator=";", columns=["b"])
    assert counts.levels == (("1", "2"),) and counts.rows == 3
    for what in (Moments, Counts):
        with pytest.raises(TypeError, match=rf"{what.__name__}.of\(\) got an unexpected keyword argument 'kinds'"):
            what.of(source, kinds="discrete")  # type: ignore[call-arg]


def test_an_array_has_the_names_that_are_given() -> None:
    assert Moments.of(sample(9, 2, seed=1), names=["u", "v"]).names == ("u", "v")


@given(st.integers(1, 29), st.integers(0, 1000), st.sampled_from([0.0, 1e3, -1e6]))
def test_chunks_add_up(cut: int, seed: int, shift: float) -> None:
    data = sample(30, 3, seed) + shift
    both = Moments.of(data[:cut]) + Moments.of(data[cut:])
    whole = Moments.of(data)
    assert both.rows == whole.rows and both.mean is not None and whole.mean is not None
    np.testing.assert_allclose(both.mean, whole.mean, rtol=1e-12)
    np.testing.assert_allclose(both.comoments, whole.comoments, rtol=1e-8, atol=1e-8 * np.abs(whole.comoments).max())


def test_many_chunks_can_be_summed_in_any_order_of_columns() -> None:
    data = sample(60, 3, seed=2)
    frame = pl.DataFrame(data, schema=["a", "b", "c"])
    total = sum([Moments.of(frame[:20]), Moments.of(frame[20:45].select("c", "a", "b")), Moments.of(frame[45:])])
    assert isinstance(total, Moments) and total.names == ("a", "b", "c")
    np.testing.assert_allclose(total.covariance, np.cov(data.T), rtol=1e-12)


def test_moments_of_other_columns_do_not_add() -> None:
    one, two = Moments.of(pl.DataFrame({"a": [1.0, 2.0]})), Moments.of(pl.DataFrame({"b": [1.0, 2.0]}))
    with pytest.raises(DataError, match="the columns differ \\(only one side has 'b', only one side has 'a'\\)"):
        one + two
    with pytest.raises(TypeError):
        one + 1


def test_whole_numbers_are_numbers_in_every_chunk() -> None:
    moments = Moments.of(pl.DataFrame({"n": [1, 2, 3, 4], "on": [True, False, True, True]}))
    np.testing.assert_allclose(moments.covariance, np.cov([[1, 2, 3, 4], [1, 0, 1, 1]]))
    table = Table.of(np.array([[1], [2]]))
    assert table.kinds == ("discrete",) and Moments.of(table).covariance == [[0.5]]
    with pytest.raises(DataError, match="column 'w' cannot be continuous"):
        Moments.of(pl.DataFrame({"w": ["a", "b"]}))


def test_units_do_not_matter() -> None:
    data = sample(200, 4, seed=3)
    scaled = data * np.array([1e-8, 1e12, 1.0, 1e-100]) + np.array([1e-5, -3e13, 1e6, 0.0])
    np.testing.assert_allclose(Moments.of(scaled).correlation, np.corrcoef(data.T), atol=1e-9)


def test_the_correlation_is_symmetric_with_a_diagonal_of_one() -> None:
    data = sample(100, 6, seed=4)
    data[:, 3] = -2 * data[:, 0] + 1
    correlation = Moments.of(data).correlation
    assert (correlation == correlation.T).all()
    assert (correlation.diagonal() == 1).all() and (np.abs(correlation) <= 1).all()
    assert correlation[0, 3] == pytest.approx(-1, abs=1e-12)


@given(st.permutations(list(range(7))), st.integers(0, 100))
def test_the_order_of_columns_changes_no_bit(order: list[int], seed: int) -> None:
    data = sample(40, 7, seed)
    names = [f"x{i}" for i in range(7)]
    straight = Moments.of(Table.of(data, names=names))
    shuffled = Moments.of(Table.of(data[:, order], names=[names[i] for i in order]))
    assert shuffled.names == tuple(names[i] for i in order)
    again = shuffled.arranged(names)
    assert again.mean is not None and straight.mean is not None
    assert (again.mean == straight.mean).all()
    assert (again.comoments == straight.comoments).all()
    assert (again.correlation == straight.correlation).all()


def test_a_constant_column_has_no_correlation() -> None:
    moments = Moments.of(pl.DataFrame({"tenth": [0.1] * 7, "x": [1.5, 2, 3, 4, 5, 6, 7]}))
    assert moments.comoments[0].tolist() == [0.0, 0.0]  # rounding is no variation
    with pytest.raises(DataError, match="no correlation with 'tenth', which has a single value"):
        _ = moments.correlation


def test_missing_values() -> None:
    frame = pl.DataFrame({"a": [1.5, None, 2.5, 7.0], "b": [1.0, 2.0, 3.0, 5.0]})
    with pytest.raises(DataError, match="values are missing in 1 column of 4 rows"):
        Moments.of(frame)
    assert Moments.of(frame, missing="drop").rows == 3
    with pytest.raises(OptionError, match="does not apply to moments, which are of complete rows"):
        Moments.of(frame, missing="testwise")
    with pytest.raises(DataError, match="values are missing"):
        Moments.of(Table.of(frame, missing="testwise"))


def test_a_part_of_the_columns() -> None:
    moments = Moments.of(sample(20, 3, seed=5))
    part = moments.select(["x3", "x1"])
    assert part.covariance.tolist() == moments.covariance[np.ix_([2, 0], [2, 0])].tolist()
    with pytest.raises(UnknownName, match="unknown column 'y'"):
        moments.select(["y"])
    assert Moments.of(sample(20, 3, seed=5), drop=["x2"]).names == ("x1", "x3")


def test_from_a_matrix() -> None:
    data = sample(80, 3, seed=6)
    covariance, correlation = np.cov(data.T), np.corrcoef(data.T)
    made = Moments.from_covariance(covariance, rows=80, names=["a", "b", "c"], mean=data.mean(axis=0))
    np.testing.assert_allclose(made.covariance, covariance, rtol=1e-14)
    np.testing.assert_allclose(made.correlation, correlation, rtol=1e-12)
    more = sample(20, 3, seed=7)
    both = made + Moments.of(pl.DataFrame(more, schema=["a", "b", "c"]))
    np.testing.assert_allclose(both.covariance, np.cov(np.vstack([data, more]).T), rtol=1e-12)
    bare = Moments.from_correlation(correlation, rows=80)
    assert bare.names == ("x1", "x2", "x3")
    np.testing.assert_allclose(bare.correlation, correlation, rtol=1e-14)
    with pytest.raises(DataError, match="its means are not known"):
        bare + bare


def test_a_frame_of_correlations_brings_its_names() -> None:
    frame = pd.DataFrame(sample(30, 2, seed=8), columns=["a", "b"])
    assert Moments.from_correlation(frame.corr(), rows=30).names == ("a", "b")


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[1, 0.5, 0.1], [0.5, 1, 0.2]], "the correlation matrix has the shape (2, 3); it must be square"),
        ([], "it must be square"),
        ([["a"]], "does not consist of numbers"),
        ([[1, 0.5], [0.4, 1]], "is not symmetric: 0.5 for 'x1' and 'x2', but 0.4 for 'x2' and 'x1'"),
        (
            [[1, 0.5], [0.5, 2]],
            "the correlation of 'x2' with itself is 2 instead of 1; if the matrix holds covariances",
        ),
        ([[1, 1.5], [1.5, 1]], "gives 'x1' and 'x2' a correlation of 1.5; it must lie between -1 and 1"),
        ([[1, float("nan")], [0.5, 1]], "the correlation of 'x1' and 'x2' is nan; all entries must be finite"),
        ([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]], "not positive semi-definite (smallest eigenvalue -0.8)"),
    ],
)
def test_matrices_that_are_no_correlations(matrix: list[list[float]], message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        Moments.from_correlation(matrix, rows=100)


def test_other_refusals() -> None:
    with pytest.raises(DataError, match="the variance of 'x2' is -1"):
        Moments.from_covariance([[1, 0], [0, -1]], rows=10)
    with pytest.raises(DataError, match="a correlation of 2; it must lie"):
        Moments.from_covariance([[4, 8], [8, 4]], rows=10)
    with pytest.raises(OptionError, match="rows must be a whole number, 2 or more, got 1"):
        Moments.from_correlation(np.eye(2), rows=1)
    with pytest.raises(OptionError, match="names must have one name for each of 2 columns of the correlation matrix"):
        Moments.from_correlation(np.eye(2), rows=10, names=["a"])
    with pytest.raises(OptionError, match="mean must have one finite number for each of 2 columns"):
        Moments.from_covariance(np.eye(2), rows=10, mean=[1.0])


def test_a_given_matrix_is_left_as_it_is() -> None:
    given = np.array([[1.0, 0.3, -0.2], [0.3, 1.0, 0.123456789], [-0.2, 0.123456789, 1.0]])
    assert Moments.from_correlation(given, rows=50).correlation.tobytes() == given.tobytes()
    scaled = Moments.from_covariance(4 * given, rows=50)
    assert (scaled.covariance == 4 * given).all() and scaled.correlation.tobytes() == given.tobytes()


def test_the_tolerance_for_rounding_is_given_once() -> None:
    def equal(smallest: float) -> np.ndarray:
        """Three columns, equally correlated, whose matrix has this smallest eigenvalue (and a largest of 1.5)."""
        return np.full((3, 3), (smallest - 1) / 2) + np.eye(3) * (3 - smallest) / 2

    Moments.from_correlation(equal(-1.2 * TOLERANCE), rows=50)
    with pytest.raises(DataError, match="not positive semi-definite"):
        Moments.from_correlation(equal(-2.2 * TOLERANCE), rows=50)


@pytest.mark.parametrize("tile", [1, 3, 4, 100])
def test_products_of_very_many_columns_are_made_in_tiles(tile: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With two threads some builds of OpenBLAS crash on 20,000 columns at once."""
    values = np.random.default_rng(tile).normal(size=(30, 11))
    whole = Moments.of(values).comoments
    monkeypatch.setattr("ancestral.data.stats.comoments.TILED", 5)
    monkeypatch.setattr("ancestral.data.stats.comoments.TILE", tile)
    tiled = Moments.of(values).comoments
    assert np.allclose(tiled, whole, rtol=1e-13, atol=1e-13) and np.array_equal(tiled, tiled.T)
