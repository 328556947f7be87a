"""Sums over rows against numpy, in extended precision."""

import numpy as np
import pytest

from ancestral.data.stats._sums_cy import add_sums


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (3, 255), (2, 256), (5, 700)])
def test_sums_of_powers_and_products(columns: int, rows: int) -> None:
    rng = np.random.default_rng(rows)
    matrix = rng.normal(size=(columns, rows)) + 3.0
    mean, shrink = rng.normal(size=columns), np.full(columns, 0.25)
    d = (matrix.astype(np.longdouble) - mean[:, None]) * shrink[:, None]
    powers, products = np.zeros((3, columns)), np.zeros((columns, columns))
    add_sums(matrix, mean, shrink, powers, products)
    upper = np.triu_indices(columns)
    np.testing.assert_allclose(powers, np.stack([d.sum(axis=1), (d**3).sum(axis=1), (d**4).sum(axis=1)]), rtol=1e-12)
    together = (d[:, None, :] * d[None, :, :]).sum(axis=2)
    np.testing.assert_allclose(products[upper], together[upper], rtol=1e-12, atol=1e-13 * rows)
