"""Matrices and tables that are worked on part by part: the seams between the parts must not show."""

import json
import warnings
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.data import DataError, Moments, Table
from ancestral.data.audit import examine
from ancestral.data.stats.comoments import MATRIX_ROWS, PRODUCT_ROWS

COLUMNS = 2 * MATRIX_ROWS + 7


def rows(count: int, columns: int = COLUMNS, seed: int = 1) -> np.ndarray:
    """Normal values, each column with a share of the one before."""
    values = np.random.default_rng(seed).normal(size=(count, columns))
    values[:, 1:] += 0.3 * values[:, :-1]
    return values


def named(columns: int) -> list[str]:
    return [f"x{i}" for i in range(columns)]


@pytest.mark.parametrize("count", [PRODUCT_ROWS - 1, PRODUCT_ROWS, PRODUCT_ROWS + 1, 2 * PRODUCT_ROWS + 5])
def test_moments_of_many_rows_are_those_of_all_of_them(count: int) -> None:
    values = rows(count, 5) * [1, 1e-9, 1e9, 1, 1] + [0, 0, 0, 1e6, 0]
    moments = Moments.of(values)
    np.testing.assert_allclose(moments.covariance, np.cov(values, rowvar=False), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(moments.correlation, np.corrcoef(values, rowvar=False), atol=1e-12)
    assert (moments.comoments == moments.comoments.T).all()


def test_a_wide_correlation_matrix_is_symmetric_with_ones() -> None:
    values = rows(300)
    correlation = Moments.of(values).correlation
    np.testing.assert_allclose(correlation, np.corrcoef(values, rowvar=False), atol=1e-13)
    assert (correlation == correlation.T).all() and (correlation.diagonal() == 1).all()


def test_moments_of_a_correlation_matrix_hold_one_matrix() -> None:
    matrix = np.corrcoef(rows(300), rowvar=False)
    moments = Moments.from_correlation(matrix, rows=300, names=named(COLUMNS)[::-1])
    an.discover(moments, max_radius=0)
    assert "comoments" not in vars(moments)
    np.testing.assert_allclose(moments.correlation, matrix, atol=1e-15)
    np.testing.assert_allclose(moments.comoments, 299 * matrix, atol=1e-12)
    np.testing.assert_allclose(moments.covariance, matrix, atol=1e-15)
    few = moments.select(["x3", "x1"])
    assert few.names == ("x3", "x1") and few.correlation[0, 1] == moments.correlation[-4, -2]
    assert moments.select(moments.names) is moments


def test_standardised_moments_have_the_same_correlations() -> None:
    moments = Moments.of(rows(50, 4) * [1, 10, 100, 1000] + 7)
    same = moments.standardised()
    assert (same.correlation == moments.correlation).all()
    assert same.names == moments.names and same.rows == 50
    np.testing.assert_allclose(same.covariance.diagonal(), 1.0)


def test_faults_of_a_given_matrix_are_found_beyond_its_first_rows() -> None:
    good = np.corrcoef(rows(300), rowvar=False)
    x, y = MATRIX_ROWS + 2, MATRIX_ROWS + 30

    def fault(value: float, mirrored: float) -> str:
        matrix = good.copy()
        matrix[x, y], matrix[y, x] = value, mirrored
        with pytest.raises(DataError) as caught:
            Moments.from_correlation(matrix, rows=300)
        return str(caught.value)

    names = f"'x{x + 1}' and 'x{y + 1}'"
    assert fault(np.nan, 0.1).startswith(f"the correlation of {names} is nan")
    assert f"not symmetric: 0.2 for {names}, but 0.1 for" in fault(0.2, 0.1)
    assert fault(1.5, 1.5).startswith(f"the correlation matrix gives {names} a correlation of 1.5")
    assert "not positive semi-definite" in fault(-0.99, -0.99)


def test_a_singular_correlation_matrix_is_one_of_data() -> None:
    values = rows(20, 30)  # fewer rows than columns
    moments = Moments.from_correlation(np.corrcoef(values, rowvar=False), rows=20)
    assert len(moments.names) == 30


def test_copies_are_found_in_every_part() -> None:
    values = rows(400)
    values[:, MATRIX_ROWS + 9] = -2 * values[:, MATRIX_ROWS + 3] + 1
    values[:, -1] = values[:, 5]
    errors = examine(Table.of(values, names=named(COLUMNS))).errors
    assert len(errors) == 1 and str(errors[0]).startswith("some columns are copies of others: x134 = x5, x73 = ")


def test_columns_that_add_up_are_found_among_many() -> None:
    values = rows(400)
    values[:, -1] = values[:, 0] + values[:, MATRIX_ROWS + 1]
    errors = examine(Table.of(values, names=named(COLUMNS))).errors
    assert len(errors) == 1 and "some columns are determined by others: x134 = x0 + x65" in str(errors[0])


def test_many_columns_that_nearly_determine_each_other_are_doubted() -> None:
    values = rows(400)
    values[:, -1] = values[:, 0] + 1e-4 * values[:, -1]
    (doubt,) = examine(Table.of(values, names=named(COLUMNS))).warnings
    assert str(doubt).startswith("columns 'x0' and 'x134' nearly determine each other")
    assert examine(Table.of(rows(400), names=named(COLUMNS))).warnings == ()


def test_what_is_written_into_an_array_later_does_not_reach_the_table() -> None:
    array = np.array([0.5, 1.5, 2.25])
    table = Table.of(pl.DataFrame({"x": array}))  # polars does not copy it
    array[:] = 0.0
    assert table.column("x").values.tolist() == [0.5, 1.5, 2.25]


def test_a_parquet_file_of_numbers_is_searched_like_its_frame(tmp_path: Path) -> None:
    values = rows(500, 12)
    frame = pl.DataFrame({name: values[:, i] for i, name in enumerate(named(12)[::-1])})
    frame = frame.with_columns(pl.col("x3").cast(pl.Float32))
    frame.write_parquet(tmp_path / "t.parquet", row_group_size=100)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = an.discover(tmp_path / "t.parquet")
    again = an.discover(frame)
    assert found.pag == again.pag and found.pag.nodes == tuple(frame.columns)
    one, other = json.loads(found.to_json()), json.loads(again.to_json())
    assert (one["data"].pop("source"), other["data"].pop("source")) == (str(tmp_path / "t.parquet"), None)
    assert one == other
