"""Weighted configurations say what the rows say, to the last bit."""

import numpy as np
import pytest

from ancestral.data.stats.packing import Packing
from ancestral.independence._configurations_cy import Configurations
from ancestral.independence._discrete_cy import Contingency


@pytest.mark.parametrize("pearson", [False, True])
@pytest.mark.parametrize("levels", [[2, 3, 4, 2], [2, 300, 3, 17, 5, 1 << 15, 1 << 16, 9]])
def test_configurations_answer_like_rows(pearson: bool, levels: list[int]) -> None:
    rng = np.random.default_rng(1)
    codes = np.stack([rng.integers(0, size, 300) % 7 for size in levels])
    codes[1] = np.where(rng.random(300) < 0.4, codes[0], codes[1])
    rows = Contingency(codes, levels, np.full(1000, 10.0), pearson, 1)
    alike, counts = np.unique(codes, axis=1, return_counts=True)
    alike, counts = np.repeat(alike, 2, axis=1), np.repeat(counts, 2)  # one configuration may stand there twice
    counts[1::2] = 0
    packing = Packing(tuple(levels))
    words = packing.packed(list(alike))
    found = Configurations(words, counts, packing.places, levels, 300, np.full(1000, 10.0), pearson, 1)
    questions = [(0, 2, []), (0, 1, [2]), (1, 2, [0, 3]), (2, 3, [0]), (0, 3, [])]
    for asked in (found, found.another()):
        for x, y, given in questions:
            assert asked.measured(x, y, given) == rows.measured(x, y, given)
            assert (asked.statistic, asked.df, asked.used) == (rows.statistic, rows.df, rows.used)
            assert asked.ask(x, y, given) == rows.ask(x, y, given)


def test_counts_beyond_those_that_are_looked_up() -> None:
    # a table of 2 by 2 with counts above 2^20, whose G is computed by hand in extended precision
    table = np.array([[3_000_000, 2_000_000], [2_500_000, 1_700_000]])
    packing = Packing((2, 2))
    words = packing.packed([np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])])
    total = int(table.sum())
    found = Configurations(words, table.ravel().copy(), packing.places, [2, 2], total, np.full(9, 10.0), False, 5)
    assert found.measured(0, 1, [])
    exact = table.astype(np.longdouble)
    expected = exact.sum(axis=1, keepdims=True) * exact.sum(axis=0, keepdims=True) / exact.sum()
    assert found.statistic == pytest.approx(float(2 * (exact * np.log(exact / expected)).sum()), rel=1e-9)
    assert found.used == total
