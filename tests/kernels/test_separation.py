import numpy as np
import pytest

from ancestral.classes._equivalence_cy import separations
from ancestral.graphs._separation_cy import Walker
from ancestral.graphs.ancestry import ancestor_bits
from ancestral.graphs.bits import bits_of, union_of
from tests.support.reference import random_dag_marks, separated_by_paths, some_mags, subsets


def check_all_separations(marks: np.ndarray) -> None:
    n = len(marks)
    walker, ancestors = Walker(marks), ancestor_bits(marks)
    for x in range(n):
        for y in range(n):
            others = set(range(n)) - {x, y}
            for given in subsets(others) if x != y else ():
                connected = not separated_by_paths(marks, x, y, given)
                blocks = bits_of(given, 1)
                # a collider above a given node is open, whether that is said or found out by walking down
                assert walker.connected(x, y, blocks, union_of(given, ancestors)) is connected, (marks, x, y, given)
                assert walker.connected(x, y, blocks, blocks) is connected, (marks, x, y, given)


@pytest.mark.parametrize("seed", range(12))
def test_d_separation_is_its_definition(seed: int) -> None:
    check_all_separations(random_dag_marks(np.random.default_rng(seed), 5, 0.5))


def test_m_separation_is_its_definition() -> None:
    for mag in some_mags(seed=1, count=12, n=5):
        check_all_separations(mag.marks)


def test_all_separations_at_once() -> None:
    for mag in some_mags(seed=2, count=6, n=4):
        table = separations(mag.marks)
        row = 0
        for x in range(4):
            for y in range(x + 1, 4):
                for given in subsets(set(range(4)) - {x, y}):
                    mask = sum(1 << z for z in given)
                    assert table[row, mask] == separated_by_paths(mag.marks, x, y, given)
                row += 1


def test_walks_across_word_borders() -> None:
    n = 130  # a chain: every inner node blocks, and nothing else does
    marks = np.zeros((n, n), dtype=np.uint8)
    for v in range(n - 1):
        marks[v, v + 1], marks[v + 1, v] = 2, 3
    walker, ancestors = Walker(marks), ancestor_bits(marks)
    assert walker.connected(0, n - 1, bits_of([], 3), union_of([], ancestors))
    for v in (1, 63, 64, 65, 128):
        assert not walker.connected(0, n - 1, bits_of([v], 3), union_of([v], ancestors))
    assert walker.reached(0, bits_of([100], 3), union_of([100], ancestors)).tolist() == list(range(1, 101))
