"""Merged lists of configurations against a dictionary."""

import numpy as np
import pytest

from ancestral.data.stats._merging_cy import merged


def _list(rng: np.random.Generator, count: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    words = np.unique(rng.integers(0, 4, size=(count, width)).astype(np.uint64) << np.uint64(62), axis=0)
    return words, rng.integers(1, 10, size=len(words))


@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize(("count", "other"), [(0, 3), (3, 0), (1, 1), (5, 40), (60, 60)])
def test_merged_lists_are_the_sums_of_both(count: int, other: int, width: int) -> None:
    rng = np.random.default_rng([count, other, width])
    lists = _list(rng, count, width), _list(rng, other, width)
    expected: dict[tuple[int, ...], int] = {}
    for words, weights in lists:
        for row, weight in zip(words.tolist(), weights.tolist(), strict=True):
            expected[tuple(row)] = expected.get(tuple(row), 0) + weight
    words, weights = merged(*lists[0], *lists[1])
    assert [tuple(row) for row in words.tolist()] == sorted(expected)
    assert weights.tolist() == [expected[key] for key in sorted(expected)]
