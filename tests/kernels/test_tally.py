"""Packed codes against Python's whole numbers, and tallied words against a Counter."""

from collections import Counter

import numpy as np
import pytest

from ancestral.data.stats._merging_cy import merged
from ancestral.data.stats._tally_cy import pack, tally


@pytest.mark.parametrize("bits", [1, 3, 11, 12, 22, 23, 33, 63, 64])
def test_words_are_told_in_ascending_order_with_their_numbers_of_rows(bits: int) -> None:
    rng = np.random.default_rng(bits)
    some = rng.integers(0, (1 << bits) - 1, size=40, dtype=np.uint64, endpoint=True)
    words = rng.choice(some, size=300)
    different, weights = tally(words)
    expected = sorted(Counter(words.tolist()).items())
    assert different.tolist() == [[word] for word, _ in expected]
    assert weights.tolist() == [count for _, count in expected]
    assert different.dtype == np.uint64 and weights.dtype == np.int64


@pytest.mark.parametrize("words", [[], [0], [5, 5, 5], [0, 0], [1 << 63, 0, (1 << 64) - 1]])
def test_a_few_words_are_tallied(words: list[int]) -> None:
    different, weights = tally(np.array(words, dtype=np.uint64))
    expected = sorted(Counter(words).items())
    assert list(zip(different[:, 0].tolist(), weights.tolist(), strict=True)) == expected


def test_codes_stand_side_by_side_in_a_word() -> None:
    out = np.zeros((3, 2), dtype=np.uint64)
    pack(np.array([1, 0, 1], dtype=np.intc), out, 0, 0)
    pack(np.array([9, 4, 0], dtype=np.intc), out, 0, 1)
    pack(np.array([1, 1, 0], dtype=np.intc), out, 0, 63)
    pack(np.array([0, 7, 7], dtype=np.intc), out, 1, 2)
    assert out.tolist() == [[1 + 18 + (1 << 63), 0], [8 + (1 << 63), 28], [1, 28]]


@pytest.mark.parametrize("other", [[], [0], [3, 9, 1 << 63], [2, 3, 4, (1 << 64) - 1]])
def test_words_on_both_sides_are_one_with_both_weights(other: list[int]) -> None:
    one, two = Counter({3: 5, 1 << 63: 2}), Counter(dict.fromkeys(other, 7))
    lists = [
        (
            np.array([[w] for w in sorted(part)], dtype=np.uint64).reshape(-1, 1),
            np.array([part[w] for w in sorted(part)], dtype=np.int64),
        )
        for part in (one, two)
    ]
    words, weights = merged(*lists[0], *lists[1])
    assert list(zip(words[:, 0].tolist(), weights.tolist(), strict=True)) == sorted((one + two).items())
