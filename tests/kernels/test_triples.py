import numpy as np

from ancestral.graphs.compressed import compressed
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search._triples_cy import collider_triples
from reference import random_marks


def test_triples_are_common_neighbours_outside_a_set_that_is_not_empty() -> None:
    rng = np.random.default_rng(0)
    for _ in range(30):
        marks = random_marks(rng, 8, 0.5, [(1, 1)])
        sepsets = Sepsets(8)
        pairs, expected = [], set()
        for x, y in np.argwhere(np.triu(marks == 0, 1)).tolist():
            given = [z for z in range(8) if z not in (x, y) and rng.random() < 0.3]
            sepsets.record(x, y, given)
            pairs.append((x, y))
            if given:
                expected |= {(x, v, y) for v in range(8) if marks[x, v] and marks[v, y] and v not in given}
        _, targets, offsets = compressed(marks)
        found = collider_triples(marks, offsets, targets, sepsets, pairs).tolist()
        assert len(found) == len(expected)
        assert set(map(tuple, found)) == expected


def test_sepsets_know_the_difference_between_nothing_and_none() -> None:
    sepsets = Sepsets(4)
    sepsets.record(0, 1, [], radius=0, found_by=0)
    sepsets.record(2, 1, [3, 0], radius=2, found_by=1)
    assert sepsets.find(1, 0) == ()
    assert sepsets.find(1, 2) == (0, 3)
    assert sepsets.find(0, 2) is None
    assert sepsets.note(1, 2)[1:] == (2, 1)
