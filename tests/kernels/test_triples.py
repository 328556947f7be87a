import numpy as np

from ancestral.graphs.csr import compressed
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search._triples_cy import unshielded_triples
from tests.support.reference import random_marks


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
        found = unshielded_triples(marks, offsets, targets, sepsets, pairs).tolist()
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


def test_many_sepsets_at_once_are_those_one_by_one() -> None:
    many, single = Sepsets(9), Sepsets(9)
    pairs = np.array([(0, 1), (0, 5), (2, 3), (4, 8)], dtype=np.intc)
    sets = np.array([(3, 2), (7, 6), (8, 0), (1, 5)], dtype=np.intc)
    evidence = np.array([[0.5, 1.0], [0.25, 2.0], [0.125, 3.0], [0.0, 4.0]])
    joined = np.ones((9, 9), dtype=np.uint8)
    joined[0, 2] = joined[2, 0] = 0
    many.record_empty_sets(joined)
    many.record_all(pairs, sets, 2, 1, evidence)
    single.record(0, 2, [])
    for (x, y), given, shown in zip(pairs.tolist(), sets.tolist(), evidence.tolist(), strict=True):
        single.record(y, x, given, 2, 1, shown)
    assert many.sets(many.count) == single.sets(single.count)
    assert many.sets(3) == many.sets(many.count)[:2]
    for x in range(9):
        for y in range(9):
            assert many.find(x, y) == single.find(x, y)
    assert many.found_at(2, 1).tolist() == pairs.tolist()
    assert many.found_at(2, 0).tolist() == many.found_at(0, 0).tolist() == []


def test_sepsets_are_kept_and_made_again_in_columns() -> None:
    first, again = Sepsets(40), Sepsets(40)
    assert [len(column) for column in first.columns(first.count)] == [0, 0, 0, 0, 0]
    rng = np.random.default_rng(1)
    for x in range(38):
        for y in range(x + 1, 40):
            given = rng.choice(np.setdiff1d(np.arange(40), [x, y]), size=1 + (x + y) % 5, replace=False).tolist()
            first.record(y, x, given, x % 4, y % 3, (x / 7, float(y)))
    columns = first.columns(first.count)
    again.record_columns(*columns)
    assert again.sets(again.count) == first.sets(first.count)
    assert all(again.find(x, y) == first.find(x, y) for x in range(40) for y in range(40))
    pairs, sizes, members, notes, evidence = first.columns(100)  # those of an earlier stage
    listed = first.sets(100)
    assert [tuple(pair) for pair in pairs.tolist()] == [row[:2] for row in listed]
    stops = np.cumsum(sizes)
    assert [tuple(members[stop - size : stop].tolist()) for stop, size in zip(stops, sizes, strict=True)] == [
        row[2] for row in listed
    ]
    assert notes.tolist() == [list(row[3:5]) for row in listed] and evidence.tolist() == [
        list(row[5:]) for row in listed
    ]
    members[:] = 0  # a copy
    assert first.sets(100) == listed


def test_the_sets_of_many_pairs() -> None:
    sepsets = Sepsets(6)
    sepsets.record(0, 1, [4])
    sepsets.record(0, 2, [])
    sepsets.record(2, 3, [5, 0, 1])
    sizes, sets = sepsets.sets_of(np.array([(2, 3), (0, 2), (1, 0)]))
    assert sizes.tolist() == [3, 0, 1]
    assert (sets[0].tolist(), sets[2, :1].tolist()) == ([0, 1, 5], [4])
