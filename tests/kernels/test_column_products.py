"""Correlations from columns against those of numpy, in single precision and where it cannot decide."""

from itertools import combinations

import numpy as np
import pytest

from ancestral.independence._column_products_cy import ColumnProducts
from ancestral.independence._gaussian_cy import PartialCorrelations


def unit_columns(n: int, rows: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    out = rng.normal(size=(n, rows)) + 0.5 * rng.normal(size=rows)
    out -= out.mean(axis=1)[:, None]
    return np.asarray(out / np.linalg.norm(out, axis=1)[:, None])


def exact(products: ColumnProducts) -> np.ndarray:
    pairs = np.array(list(combinations(range(products.n), 2)))
    out = np.eye(products.n)
    out[tuple(pairs.T)] = out[tuple(pairs.T[::-1])] = products.of_pairs(pairs)
    return out


@pytest.mark.parametrize("rows", [5, 8, 61, 400])
def test_correlations_of_pairs(rows: int) -> None:
    columns = unit_columns(30, rows, seed=rows)
    products = ColumnProducts(columns)
    assert np.allclose(exact(products), np.corrcoef(columns), rtol=0, atol=1e-14)
    pairs = np.array([[3, 7], [7, 3]])
    assert products.of_pairs(pairs)[0] == products.of_pairs(pairs)[1]


@pytest.mark.parametrize("seed", range(3))
def test_dependent_pairs_are_decided_in_double_precision(seed: int) -> None:
    columns = unit_columns(150, 50, seed)  # more than a tile of rows
    products = ColumnProducts(columns)
    correlation = exact(products)
    squares = np.sort((correlation**2)[np.triu_indices(150, 1)])
    for accept in (0.0, squares[5], squares[5000], np.nextafter(squares[5000], 0.0), 0.05, squares[-1], 1.0):
        joined = np.zeros((150, 150), dtype=np.uint8)
        products.dependent_rows(0, 100, accept, joined)
        products.dependent_rows(100, 150, accept, joined)
        # numpy squares as the kernel does, so that a pair at the limit itself is not dependent
        assert np.array_equal(joined, np.triu(correlation**2 > accept, 1))


def test_single_precision_is_not_enough() -> None:
    """Columns whose correlations differ by less than single precision can tell: the limit lies between them."""
    base = unit_columns(2, 60, seed=1)
    near = np.array([base[0], base[1], base[1] + 1e-10 * base[0]])
    near /= np.linalg.norm(near, axis=1)[:, None]
    products = ColumnProducts(near)
    low, high = sorted(products.of_pairs(np.array([[0, 1], [0, 2]])) ** 2)
    assert low < high and np.float32(low) == np.float32(high)
    joined = np.zeros((3, 3), dtype=np.uint8)
    products.dependent_rows(0, 3, float((low + high) / 2), joined)
    assert joined[0, 1] + joined[0, 2] == 1


@pytest.mark.parametrize("kept", [1, 4, 1000])
def test_partial_correlations_of_columns(kept: int) -> None:
    """The same decisions and statistics as from the matrix, however few correlations are kept."""
    columns = unit_columns(9, 40, seed=4)
    threshold = np.full(9, 0.02)
    lazy = PartialCorrelations(None, threshold, ColumnProducts(columns, kept))
    plain = PartialCorrelations(np.corrcoef(columns), threshold)
    for size in range(5):
        for given in combinations(range(2, 9), size):
            assert lazy.ask(0, 1, given) == plain.ask(0, 1, given)
            assert lazy.statistic == pytest.approx(plain.statistic, abs=1e-12)
    assert np.allclose(lazy.marginals(), plain.marginals(), rtol=0, atol=1e-14)


def test_too_few_rows_support_no_question() -> None:
    lazy = PartialCorrelations(None, np.array([-1.0, -1.0]), ColumnProducts(unit_columns(4, 5, seed=0)))
    joined = np.zeros((4, 4), dtype=np.uint8)
    lazy.dependent_rows(0, 4, joined)
    assert np.array_equal(joined, np.triu(np.ones((4, 4)), 1)) and lazy.unsupported[0] == 6
    assert np.isnan(lazy.marginals()[:, 0]).all()
