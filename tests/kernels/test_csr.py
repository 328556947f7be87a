"""Compressed rows against numpy's own list of what is not zero."""

import numpy as np
import pytest

from ancestral.graphs.csr import compressed, joined, only_adjacent, with_sources


@pytest.mark.parametrize("n", [0, 1, 2, 31, 32, 33, 64, 70])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 1.0])
def test_all_that_is_not_zero_row_by_row(n: int, share: float) -> None:
    rng = np.random.default_rng(n)
    marks = ((rng.random((n, n)) < share) * rng.integers(1, 4, (n, n))).astype(np.uint8)
    sources, targets, offsets = compressed(marks)
    expected = np.nonzero(marks)
    assert (sources.tolist(), targets.tolist()) == (expected[0].tolist(), expected[1].tolist())
    assert offsets.tolist() == [0, *np.cumsum(np.count_nonzero(marks, axis=1)).tolist()]
    pairs, ends = joined(marks)
    assert pairs.tolist() == np.argwhere(np.triu(marks, 1)).tolist()
    assert ends.tolist() == [[marks[y, x], marks[x, y]] for x, y in pairs]


def test_a_matrix_of_another_type() -> None:
    steps = np.zeros((3, 3), dtype=bool)
    steps[2, 0] = True
    assert compressed(steps)[1].tolist() == [0]
    assert compressed(steps.astype(np.int64) * 256)[0].tolist() == [2]


@pytest.mark.parametrize("n", [0, 1, 2, 33, 70])
@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_rows_that_are_compressed_already(n: int, share: float) -> None:
    rng = np.random.default_rng(n)
    marks = np.triu((rng.random((n, n)) < share) * rng.integers(1, 4, (n, n)), 1).astype(np.uint8)
    marks += np.where(marks.T, rng.integers(1, 4, (n, n)), 0).astype(np.uint8)
    sources, targets, offsets = compressed(marks)
    assert with_sources(offsets, targets)[0].tolist() == np.nonzero(marks)[0].tolist() == sources.tolist()
    pairs, ends = joined(marks, (offsets, targets))
    assert pairs.tolist() == np.argwhere(np.triu(marks, 1)).tolist()
    assert ends.tolist() == [[marks[y, x], marks[x, y]] for x, y in pairs]
    fewer = marks.copy()
    for x, y in pairs[::3]:
        fewer[x, y] = fewer[y, x] = 0
    left_offsets, left = only_adjacent(fewer, offsets, targets)
    assert left.tolist() == np.nonzero(fewer)[1].tolist()
    assert left_offsets.tolist() == [0, *np.cumsum(np.count_nonzero(fewer, axis=1)).tolist()]
