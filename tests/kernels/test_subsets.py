"""The sets of PC and of FCI's second search against their definition: all subsets of a pool, each once."""

from itertools import combinations, permutations

import numpy as np
import pytest

from ancestral import DAG, Oracle, is_separated, simulate
from ancestral._pulse_cy import Pulse
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search._augment_cy import augment, possible_links
from ancestral.search._pds_cy import possible_d_sep_of_all
from ancestral.search._subsets_cy import Subsets
from ancestral.search.stage import Answer
from tests.support.reference import random_marks, simple_paths

CIRCLE, ARROW = 1, 2
EDGES = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3)]


def pools(rng: np.random.Generator, n: int, share: float) -> np.ndarray:
    inside = (rng.random((n, n)) < share).astype(np.uint8)
    np.fill_diagonal(inside, 0)
    return inside


def was_there(known: np.ndarray, end: int, v: int, x: int, y: int) -> bool:
    """Whether v was in the known pool of this end when the pair had its turn."""
    return bool(known[end, v] == 1 or (known[end, v] == 2 and tuple(sorted((end, v))) > (x, y)))


@pytest.mark.parametrize("radius", [1, 2, 3])
@pytest.mark.parametrize("has_known", [False, True])
def test_every_subset_of_either_pool_is_asked_once(radius: int, has_known: bool) -> None:
    rng = np.random.default_rng(radius)
    n, asked = 8, 0
    sets = Subsets(n, None)
    for _ in range(6):
        inside = pools(rng, n, 0.6)
        # 2: the edge fell when it had its turn, so later pairs did not meet it
        known = np.where(inside, rng.integers(0, 3, (n, n)), 0).astype(np.uint8)
        sets.begin(inside, radius, known if has_known else None)
        for x, y in combinations(range(n), 2):
            others = [v for v in range(n) if v not in (x, y)]
            expected = [
                given
                for given in combinations(others, radius)
                if any(inside[end, given].all() for end in (x, y))
                and not (has_known and any(all(was_there(known, end, v, x, y) for v in given) for end in (x, y)))
            ]
            listed = sets.listing(x, y)
            assert sorted(listed) == expected  # each once
            first = [inside[x, given].all() for given in listed]
            assert first == sorted(first, reverse=True)  # those of the first end before the others
            asked += len(listed)
            for given in combinations(others, radius):
                assert sets.belongs(x, y, given) == any(inside[end, given].all() for end in (x, y))
        assert sets.any_sets
    assert asked > 100


@pytest.mark.parametrize("radius", [1, 2, 3])
def test_what_is_known_to_come_after_both_is_in_no_subset(radius: int) -> None:
    rng = np.random.default_rng(radius)
    n, pruned = 7, 0
    for _ in range(6):
        inside = pools(rng, n, 0.7)
        no_cause = pools(rng, n, 0.5)
        every, some = Subsets(n, None), Subsets(n, None, no_cause=no_cause)
        every.begin(inside, radius)
        some.begin(inside, radius)
        for x, y in combinations(range(n), 2):
            listed = every.listing(x, y)
            expected = [given for given in listed if not any(no_cause[z, x] and no_cause[z, y] for z in given)]
            assert some.listing(x, y) == expected
            assert [given for given in listed if some.belongs(x, y, given)] == expected
            pruned += len(listed) - len(expected)
    assert pruned > 50


def test_what_is_removed_leaves_both_pools_unless_they_are_fixed() -> None:
    inside = np.ones((5, 5), dtype=np.uint8) - np.eye(5, dtype=np.uint8)
    sets = Subsets(5, None)
    for fixed, expected in ((False, [(3,), (4,)]), (True, [(2,), (3,), (4,)])):
        sets.begin(inside, 1, None, fixed)
        sets.remove(0, 2)
        sets.remove(1, 2)
        assert sets.listing(0, 1) == expected
    assert inside.sum() == 20  # the matrix of others is left alone


def test_possible_d_sep_is_what_walks_reach() -> None:
    rng = np.random.default_rng(3)
    further = 0
    for _ in range(40):
        marks = random_marks(rng, 7, 0.4, EDGES)
        expected = np.zeros((7, 7), dtype=bool)
        for x in range(7):
            steps = {(x, v) for v in range(7) if marks[x, v]}
            while True:  # a step may follow another in a triangle or over a collider
                more = {
                    (u, w)
                    for t, u in steps
                    for w in range(7)
                    if w not in (t, x)
                    and marks[u, w]
                    and (marks[t, w] or (marks[t, u] == ARROW and marks[w, u] == ARROW))
                } - steps
                if not more:
                    break
                steps |= more
            expected[x, [v for _, v in steps]] = True
        found = possible_d_sep_of_all(marks, Pulse()) != 0
        assert np.array_equal(found, expected)
        for x, v in combinations(range(7), 2):  # every path is a walk
            for path in simple_paths(marks, x, v):
                if all(
                    marks[t, w] or (marks[t, u] == ARROW and marks[w, u] == ARROW)
                    for t, u, w in zip(path, path[1:], path[2:], strict=False)
                ):
                    assert found[x, v]
                    assert found[v, x]
        further += int(np.count_nonzero(found & (marks == 0)))
    assert further > 50


def test_the_augmented_skeleton_has_the_arrowheads_that_single_nodes_reveal() -> None:
    arrowheads = 0
    for seed in range(12):
        dag = simulate.random_dag(nodes=9, degree=2.5, seed=seed)
        names = list(dag.observed)
        n = len(names)
        skeleton = np.zeros((n, n), dtype=np.uint8)
        sepsets = Sepsets(n)
        expected = set()
        for x, y in combinations(range(n), 2):
            others = [v for v in range(n) if v not in (x, y)]
            given = next((z for k in range(n - 1) for z in combinations(others, k) if apart(dag, names, x, y, z)), None)
            if given is None:
                skeleton[x, y] = skeleton[y, x] = 1
            else:
                sepsets.record(x, y, given)
                for w in others:
                    if w not in given and not apart(dag, names, x, y, (*given, w)):
                        expected |= {(v, w) for v in (x, y, *given)}
        pairs = np.argwhere(np.triu(skeleton == 0, 1)).astype(np.intc)
        arrows = skeleton.copy()
        counts, nobody = np.zeros(n + 1, dtype=np.int64), np.zeros(len(pairs), dtype=np.uint8)
        questions = Oracle(dag).questions(names)
        assert not augment(arrows, pairs, sepsets, questions, n - 2, counts, nobody, {}, Pulse())
        assert set(map(tuple, np.argwhere(arrows == ARROW).tolist())) == {(v, w) for v, w in expected if skeleton[v, w]}
        assert counts.sum() <= len(pairs) * n
        arrowheads += int(np.count_nonzero(arrows == ARROW))
        # nothing larger than what is allowed is asked
        few = np.zeros_like(counts)
        forbidden = augment(skeleton.copy(), pairs, sepsets, questions, 1, few, nobody, {}, Pulse())
        assert not few[2:].any()
        assert forbidden >= (counts[2:].sum() > 0)
        # nor what has been answered before
        answers = {
            (x, y, tuple(sorted((*given, w)))): Answer(apart(dag, names, x, y, (*given, w)), 1.0, 0.0)
            for x, y in pairs.tolist()
            for given in [sepsets.find(x, y)]
            for w in set(range(n)) - {x, y, *given}
        }
        again, told = skeleton.copy(), np.ones(len(pairs), dtype=np.uint8)
        none = np.zeros_like(counts)
        augment(again, pairs, sepsets, questions, n - 2, none, told, answers, Pulse())
        assert not none.any()
        assert np.array_equal(again, arrows)
    assert arrowheads > 40


def apart(dag: DAG, names: list[str], x: int, y: int, given: tuple[int, ...]) -> bool:
    return is_separated(dag, names[x], names[y], given={names[z] for z in given})


def test_a_possible_link_needs_two_ends_that_are_not_adjacent() -> None:
    # lemma 4: u <-> x <-> y <-> v, where u and v are not adjacent, and each may be an ancestor of the other's neighbour
    u, x, y, v = range(4)
    everything = np.full((4, 1), 15, dtype=np.uint64)
    marks = np.zeros((4, 4), dtype=np.uint8)
    for a, b in ((u, x), (x, y), (y, v)):
        marks[a, b] = marks[b, a] = ARROW
    assert possible_links(marks, everything).tolist() == [[x, y]]
    marks[u, v] = marks[v, u] = CIRCLE
    assert possible_links(marks, everything).tolist() == []


def test_possible_links_are_those_of_the_definition() -> None:
    n, links, others = 7, 0, 0
    rng = np.random.default_rng(4)
    for _ in range(40):
        marks = random_marks(rng, n, 0.6, [(CIRCLE, CIRCLE), (CIRCLE, ARROW), (ARROW, CIRCLE), *[(ARROW, ARROW)] * 3])
        may_cause = rng.random((n, n)) < 0.6  # [u, y]: whether u may be an ancestor of y
        anteriors = (may_cause.T << np.arange(n)).sum(axis=1, dtype=np.uint64)[:, None]
        two_way = (marks == ARROW) & (marks.T == ARROW)
        expected = [
            [x, y]
            for x, y in combinations(range(n), 2)
            if two_way[x, y]
            and any(
                two_way[u, x] and two_way[y, v] and not marks[u, v] and may_cause[u, y] and may_cause[v, x]
                for u, v in permutations(set(range(n)) - {x, y}, 2)
            )
        ]
        assert possible_links(marks, anteriors).tolist() == expected
        links += len(expected)
        others += int(np.count_nonzero(two_way)) // 2 - len(expected)
    assert links > 50 and others > 50
