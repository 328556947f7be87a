"""Moments of columns that are kept, against those of a matrix."""

import numpy as np
import pytest

import ancestral as an
from ancestral.data import DataError, Table
from ancestral.data.linear_relations import LinearRelations
from ancestral.data.stats import column_moments
from ancestral.data.stats.column_moments import ColumnMoments, moments_to_search
from ancestral.data.stats.moments import moments_of_rows


def table_of(n: int, rows: int, seed: int) -> Table:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(rows, n)) * 10.0 ** rng.integers(-6, 7, size=n) + rng.normal(size=n)
    return Table.of(values, names=[f"x{i}" for i in range(n)], kinds="continuous")


def test_the_same_numbers() -> None:
    table = table_of(12, 30, seed=1)
    kept, plain = ColumnMoments.of_table(table), moments_of_rows(table).select(table.names)
    assert kept.names == plain.names and kept.rows == plain.rows
    assert kept.mean is not None and plain.mean is not None
    assert np.allclose(kept.mean, plain.mean) and np.allclose(kept.lengths, plain.lengths)
    assert np.allclose(kept.correlation, plain.correlation, rtol=0, atol=1e-14)
    assert np.allclose(kept.comoments / plain.comoments, 1, atol=1e-9)
    some = kept.select(["x7", "x2"])
    assert np.allclose(some.correlation, plain.select(["x7", "x2"]).correlation, rtol=0, atol=1e-14)
    assert np.allclose(kept.standardised().comoments, plain.standardised().comoments, atol=1e-12)
    assert np.allclose(kept.covariance, plain.covariance)
    assert not kept.columns.flags.writeable


def test_few_columns_and_long_ones_have_a_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_moments, "MANY", 20)
    assert isinstance(moments_to_search(table_of(20, 5, seed=1)), ColumnMoments)
    assert not isinstance(moments_to_search(table_of(20, 6, seed=1)), ColumnMoments)
    assert not isinstance(moments_to_search(table_of(19, 4, seed=1)), ColumnMoments)


@pytest.mark.parametrize("least", [1 - 1e-10, 0.99, 0.5])
def test_extreme_pairs(least: float) -> None:
    rng = np.random.default_rng(2)
    base = rng.normal(size=(40, 25))
    noise = rng.choice([0.0, 1e-6, 0.1], size=25)
    values = np.hstack([base, rng.choice([-3.0, 2.0], size=25) * base + noise * rng.normal(size=(40, 25))])
    kept = ColumnMoments.of_table(Table.of(values, names=[f"x{i}" for i in range(50)], kinds="continuous"))
    correlation = kept.correlation
    expected = np.argwhere(np.triu(np.abs(correlation) >= least, 1)).tolist()
    found = list(kept.extreme_pairs(least))
    assert [[x, y] for x, y, _ in found] == expected and expected
    assert all(sign == np.sign(correlation[x, y]) for x, y, sign in found)


def test_copies_are_named_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=(6, 30))
    values[:, 4], values[:, 20] = 3 * values[:, 9] + 1, -values[:, 9]
    frame = Table.of(values, names=[f"x{i}" for i in range(30)], kinds="continuous")
    told = []
    for many in (10**6, 10):
        monkeypatch.setattr(column_moments, "MANY", many)
        with pytest.raises(DataError) as raised:
            an.discover(frame, algorithm="icd", progress=False)
        told.append(str(raised.value))
    assert told[0] == told[1] and "x9" in told[0]


def test_a_column_that_does_not_vary_has_no_correlation() -> None:
    table = Table.of(np.array([[1.0, 2.0], [1.0, 3.0], [1.0, 5.0]]), names=["a", "b"], kinds="continuous")
    kept = ColumnMoments.of_table(table)
    assert kept.lengths[0] == 0
    for ask in (lambda: kept.correlation, kept.standardised):
        with pytest.raises(DataError, match="there is no correlation with 'a', which has a single value"):
            ask()


def test_relations_need_no_matrix() -> None:
    kept = ColumnMoments.of_table(table_of(15, 40, seed=5))
    assert LinearRelations(kept, None).copies() == []
    assert "correlation" not in vars(kept)
