"""Numbers of pairs in a table against a matrix of numpy."""

import numpy as np
import pytest

import ancestral.graphs._pair_numbers_cy as kernel
from ancestral.graphs._pair_numbers_cy import PairNumbers


@pytest.mark.parametrize("table", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_as_a_matrix(table: bool, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if table:
        monkeypatch.setattr(kernel, "MOST_IN_MATRIX", 0)
        monkeypatch.setattr(kernel, "PLACES", 2)  # so that it grows
    n, rng = 25, np.random.default_rng(seed)
    numbers, expected = PairNumbers(n), np.zeros((n, n), dtype=int)
    assert numbers.in_matrix is not table
    for turn in range(2):
        for x, y, number in rng.integers(0, [n, n, 9], size=(80, 3)).tolist():
            if x != y:
                numbers.give(x, y, number)
                expected[x, y] = expected[y, x] = number
        found = [[numbers.number(x, y) for y in range(n)] for x in range(n)]
        assert np.array_equal(found, expected)
        pairs = rng.integers(0, n, size=(50, 2))
        assert np.array_equal(numbers.of_pairs(pairs), expected[tuple(pairs.T)])
        if turn == 0:  # all is forgotten
            marks = np.triu(rng.random((n, n)) < 0.2, 1).astype(np.uint8)
            marks += marks.T
            numbers.begin_apart(marks)
            expected = (marks == 0).astype(int)
            np.fill_diagonal(expected, 0)
