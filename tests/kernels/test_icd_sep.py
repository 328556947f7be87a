"""The grown sets against their definition: try all sets of the size, keep those that satisfy the conditions."""

from itertools import combinations

import numpy as np
import pytest

from ancestral.graphs import ancestry
from ancestral.search._icd_sep_cy import IcdSep
from tests.support.reference import random_marks

ARROW = 2
EDGES = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 2), (2, 3), (3, 2), (3, 3)]
Marks = np.ndarray


def in_pool(marks: Marks, x: int, y: int, anteriors: bool) -> set[int]:
    steps = ancestry.possible_anterior_steps(marks) if anteriors else ancestry.possible_ancestor_steps(marks)
    return {int(v) for end in (x, y) for v in ancestry.reaching(steps, end)}


def belongs(marks: Marks, root: int, given: tuple[int, ...], mode: str, pool: set[int]) -> bool:
    """Conditions 2b and 3, in plain words: which ways do walks inside the set enter its nodes?"""
    if mode == "all" and not set(given) <= pool:
        return False
    if mode == "distant" and any(not marks[root, v] and v not in pool for v in given):
        return False
    entered = {(root, v) for v in given if marks[root, v]}
    while True:
        more = {
            (u, w)
            for t, u in entered
            for w in given
            if w not in (t, u)
            and marks[u, w]
            and (marks[t, w] or (marks[t, u] == ARROW and marks[w, u] == ARROW))
            and (mode != "distant" or u in pool)
        } - entered
        if not more:
            return {v for _, v in entered} == set(given)
        entered |= more


def distances(marks: Marks, root: int, other: int, mode: str, pool: set[int]) -> dict[int, int]:
    """The steps of the shortest walk from the root to each node, other nodes than the pair being free to use."""
    nodes = [v for v in range(len(marks)) if v not in (root, other)]
    allowed = {v for v in nodes if mode == "off" or v in pool or (mode == "distant" and marks[root, v])}
    found: dict[int, int] = {}
    frontier, seen, steps = {(root, v) for v in allowed if marks[root, v]}, set[tuple[int, int]](), 1
    while frontier:
        for _, v in frontier:
            found.setdefault(v, steps)
        seen |= frontier
        frontier = {
            (u, w)
            for t, u in frontier
            for w in allowed - {t, u}
            if marks[u, w]
            and (marks[t, w] or (marks[t, u] == ARROW and marks[w, u] == ARROW))
            and (mode != "distant" or u in pool)
        } - seen
        steps += 1
    return found


@pytest.mark.parametrize("mode", ["off", "all", "distant"])
@pytest.mark.parametrize("anteriors", [True, False])
def test_sets_are_those_of_the_definition_each_once_nearest_first(mode: str, anteriors: bool) -> None:
    listed = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(3, 8))
        marks = random_marks(rng, n, rng.uniform(0.3, 0.8), EDGES)
        for x, y in combinations(range(n), 2):
            pool = in_pool(marks, x, y, anteriors)
            far = {r: distances(marks, r, x + y - r, mode, pool) for r in (x, y)}
            others = [v for v in range(n) if v not in (x, y)]
            for radius in range(1, n - 1):
                sets = IcdSep(marks, None, radius, mode == "all", mode == "distant", anteriors)
                found = sets.listing(x, y)
                expected = {}
                for given in combinations(others, radius):
                    sums = [sum(far[r][v] for v in given) for r in (x, y) if belongs(marks, r, given, mode, pool)]
                    if sums:
                        expected[given] = min(sums)
                    assert sets.belongs(x, y, given) is bool(sums)
                assert sorted(found) == sorted(expected)
                assert [expected[given] for given in found] == sorted(expected.values())
                assert sets.any_sets is bool(found)
                listed += len(found)
    assert listed > 500


@pytest.mark.parametrize("mode", ["off", "all", "distant"])
def test_what_is_known_to_come_after_both_is_in_no_set(mode: str) -> None:
    pruned = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(4, 8))
        marks = random_marks(rng, n, rng.uniform(0.4, 0.8), EDGES)
        no_cause = (rng.random((n, n)) < 0.5).astype(np.uint8)
        for x, y in combinations(range(n), 2):
            for radius in range(1, n - 1):
                every = IcdSep(marks, None, radius, mode == "all", mode == "distant")
                some = IcdSep(marks, None, radius, mode == "all", mode == "distant", no_cause=no_cause)
                listed = every.listing(x, y)
                # walks stay inside a set, so those that are left are what they were
                expected = [given for given in listed if not any(no_cause[z, x] and no_cause[z, y] for z in given)]
                assert sorted(some.listing(x, y)) == sorted(expected)
                assert [given for given in listed if some.belongs(x, y, given)] == expected
                pruned += len(listed) - len(expected)
    assert pruned > 100


def test_pairs_known_to_have_no_edge_are_sides_of_triangles() -> None:
    # 0–1–2 with 1 no collider: a walk from 0 comes to 2 only if 0 and 2 shield it
    marks = np.zeros((4, 4), dtype=np.uint8)
    for x, y in ((0, 1), (1, 2), (2, 3)):
        marks[x, y] = marks[y, x] = 1
    no_edge = np.array([[0, 2]], dtype=np.intc)
    assert IcdSep(marks, None, 2).listing(0, 3) == []
    assert IcdSep(marks, None, 2, no_edge=no_edge).listing(0, 3) == [(1, 2)]
    kept = IcdSep(marks, None, 2, no_edge=no_edge)
    kept.remove(2, 3)
    assert kept.listing(0, 3) == [(1, 2)]


@pytest.mark.parametrize("seed", [107, 278, 489, 585, 635])
def test_long_ways_around_a_node_are_found(seed: int) -> None:
    # in these graphs what a node cuts off is known only after what other walks avoid has been passed on several times
    rng = np.random.default_rng([seed, 5])
    n = int(rng.integers(8, 12))
    marks = random_marks(rng, n, rng.uniform(0.2, 0.4), [(1, 1), (2, 2), (2, 2), (1, 2), (2, 1)])
    for radius in range(2, n - 2):
        expected = [
            given
            for given in combinations(range(2, n), radius)
            if any(belongs(marks, root, given, "off", set()) for root in (0, 1))
        ]
        assert sorted(IcdSep(marks, None, radius).listing(0, 1)) == expected


def test_walks_do_not_go_on_from_a_node_in_the_set_that_is_no_possible_ancestor() -> None:
    # without 5, the only walk from 0 to 4 is 0 <-> 2 <-> 3 <-> 4: 3 is no collider on 0 <-- 3 <-> 4; 2 causes no other
    marks = np.zeros((6, 6), dtype=np.uint8)
    for x, y, at_x, at_y in (
        (0, 1, 1, 1), (0, 2, 2, 2), (2, 3, 2, 2), (3, 4, 2, 2), (0, 3, 2, 3), (1, 4, 2, 3), (0, 5, 2, 2), (4, 5, 2, 2),
        (1, 5, 2, 3),
    ):  # fmt: skip
        marks[y, x], marks[x, y] = at_x, at_y
    assert (2, 3, 4) in IcdSep(marks, None, 3).listing(0, 1)
    near = IcdSep(marks, None, 3, filter_distant=True).listing(0, 1)
    assert (2, 3, 4) not in near and (3, 4, 5) in near


@pytest.mark.parametrize("mode", ["off", "all", "distant"])
def test_how_many_sets_are_put_aside_changes_neither_the_sets_nor_their_order(mode: str) -> None:
    # with room for none, each level is grown alone, and its sets are listed as they are found
    several_levels = 0
    for seed in range(36):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(5, 9))
        marks = random_marks(rng, n, rng.uniform(0.3, 0.7), EDGES)
        no_cause = (rng.random((n, n)) < 0.3).astype(np.uint8) if seed % 3 == 0 else None
        x, y = (int(v) for v in rng.choice(n, 2, replace=False))
        for radius in range(1, n - 1):
            by_level, *others = (
                IcdSep(marks, None, radius, mode == "all", mode == "distant", no_cause=no_cause, most_kept=room)
                for room in (0, 1, 2, 5, 100)
            )
            expected = by_level.listing(x, y)
            assert [sets.listing(x, y) for sets in others] == [expected] * len(others)
            assert [sets.listing(x, y) for sets in others] == [expected] * len(others)  # nothing lingers
            several_levels += len(expected) > 5
    assert several_levels > 20


def test_what_is_forgotten_of_the_steps_is_found_again() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(5, 9))
        marks = random_marks(rng, n, rng.uniform(0.4, 0.8), EDGES)
        for radius in range(2, n - 1):
            expected = IcdSep(marks, None, radius).listing(0, 1)
            assert [IcdSep(marks, None, radius, most_words=most).listing(0, 1) for most in (0, 2, 5)] == [expected] * 3


@pytest.mark.parametrize("selected", [0, 6])
def test_a_node_may_have_more_neighbours_than_a_word_has_bits(selected: int) -> None:
    # 0 *-> 1 <-* v for 70 nodes v, and some of them are on longer walks
    n = 74
    marks = np.zeros((n, n), dtype=np.uint8)
    for v in [0, *range(2, 72)]:
        marks[v, 1] = marks[1, v] = ARROW
    for u, v in [(70, 71), (71, 72), (70, 72), (5, 72), (72, 73), (71, 73)]:
        marks[u, v] = marks[v, u] = ARROW
    for v in range(2, 2 + selected):
        marks[1, v] = 1
    for radius in (2, 3):
        listed = IcdSep(marks, None, radius).listing(0, 73)
        expected = [
            given
            for given in combinations(range(1, 73), radius)
            if {1, 71, 72} & set(given) and any(belongs(marks, root, given, "off", set()) for root in (0, 73))
        ]
        assert len(expected) > 60
        assert sorted(listed) == sorted(expected)


@pytest.mark.parametrize(("n", "fewest_left_out"), [(12, 7), (70, 1)])
def test_nodes_that_cut_off_others(n: int, fewest_left_out: int) -> None:
    # two ways from 0 to 5; after it 6 is needed for 7 and 9, and 7 for 8 unless the walk comes from 1
    marks = np.zeros((n, n), dtype=np.uint8)
    edges = [(0, 2), (0, 3), (2, 4), (3, 5), (4, 5), (5, 6), (6, 7), (7, 8), (2, 3), (6, 9), (1, 8)]
    for u, v in edges + [(2, v) for v in range(10, n)]:
        marks[u, v] = marks[v, u] = ARROW
    nodes = set(range(2, n))
    for left_out in range(fewest_left_out + 1):
        listed = IcdSep(marks, None, n - 2 - left_out).listing(0, 1)
        sets = [tuple(sorted(nodes - set(out))) for out in combinations(nodes, left_out)]
        expected = [given for given in sets if any(belongs(marks, root, given, "off", set()) for root in (0, 1))]
        assert expected
        assert sorted(listed) == sorted(expected)


def test_room_for_sets_grows_with_their_number() -> None:
    marks = random_marks(np.random.default_rng(5), 16, 0.5, EDGES)
    found = IcdSep(marks, None, 6).listing(0, 1)
    assert len(found) == len(set(found)) > 2_000  # more than there is room for at first
    for room in (0, 1_100):
        assert IcdSep(marks, None, 6, most_kept=room).listing(0, 1) == found


def test_sets_of_a_graph_with_more_nodes_than_bits_in_a_word() -> None:
    rng = np.random.default_rng(6)
    n, listed = 70, 0
    marks = random_marks(rng, n, 0.06, EDGES)
    for x, y in ((0, 1), (3, 68), (66, 69)):
        far = {r: distances(marks, r, x + y - r, "off", set()) for r in (x, y)}
        expected: dict[tuple[int, ...], int] = {}
        for given in combinations([v for v in range(n) if v not in (x, y)], 2):
            sums = [sum(far[r][v] for v in given) for r in (x, y) if belongs(marks, r, given, "off", set())]
            if sums:
                expected[given] = min(sums)
        found = IcdSep(marks, None, 2).listing(x, y)
        assert sorted(found) == sorted(expected)
        assert [expected[given] for given in found] == sorted(expected.values())
        listed += len(found)
    assert listed > 20


def test_nodes_that_are_fewer_than_the_radius_make_no_set() -> None:
    marks = np.zeros((6, 6), dtype=np.uint8)
    for v in (2, 3):
        marks[0, v] = marks[v, 0] = 1
    sets = IcdSep(marks, None, 3)
    assert sets.listing(0, 1) == []
    assert not sets.any_sets


def test_radius_zero_has_the_empty_set() -> None:
    assert IcdSep(np.zeros((3, 3), dtype=np.uint8), None, 0).listing(0, 1) == [()]


def test_a_removed_edge_is_gone_for_the_next_pair() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        marks = random_marks(rng, 6, 0.7, EDGES)
        edges = np.argwhere(np.triu(marks))
        sets = IcdSep(marks, None, 2, filter_distant=True)
        sets.listing(0, 1)  # what was known about the old graph must not linger
        x, y = map(int, edges[rng.integers(len(edges))])
        sets.remove(x, y)
        fewer = marks.copy()
        fewer[x, y] = fewer[y, x] = 0
        for a, b in combinations(range(6), 2):
            assert sets.listing(a, b) == IcdSep(fewer, None, 2, filter_distant=True).listing(a, b)


def test_a_removed_edge_may_still_be_the_side_of_a_triangle() -> None:
    # 0–1–2 is a triangle without a collider; 3 is the other end of the pair
    marks = np.zeros((4, 4), dtype=np.uint8)
    for x, y in [(0, 1), (1, 2), (0, 2), (0, 3)]:
        marks[x, y] = marks[y, x] = 1
    for keep, expected in ((False, []), (True, [(1, 2)])):
        sets = IcdSep(marks, None, 2, keep_triangles=keep)
        sets.remove(0, 2)
        assert sets.listing(0, 3) == expected


def test_a_walk_may_cross_itself() -> None:
    # 3 is entered only by walking around the triangle 2, 5, 0 and back through 2: more steps than nodes in the set
    marks = np.zeros((7, 7), dtype=np.uint8)
    for x, y, at_x, at_y in [
        (0, 2, 2, 3), (0, 3, 1, 1), (0, 5, 1, 1), (1, 2, 1, 2), (1, 4, 2, 2), (2, 3, 1, 1),
        (2, 4, 2, 1), (2, 5, 2, 2), (3, 6, 2, 2), (4, 5, 1, 1),
    ]:  # fmt: skip
        marks[y, x], marks[x, y] = at_x, at_y
    assert (0, 2, 3, 5) in IcdSep(marks, None, 4).listing(1, 6)
