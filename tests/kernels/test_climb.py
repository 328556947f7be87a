"""Climbs and walks: against scores from scratch, the definitions of legal graphs, and all changes that are left."""

from itertools import product

import numpy as np
import pytest

from ancestral.scores._climb_cy import Climb
from tests.kernels.test_score import CLOSE, ROWS, penalties, score_of
from tests.support.ancestral_graphs import (
    confounded_mag,
    every_pair,
    is_legal,
    model_correlation,
    random_correlation,
    random_mag,
    set_type,
    singles,
)

#: What the first of two changes may cost, if the second one gives an edge another type.
REACH = 10.0


def climb_over(correlation: np.ndarray, exact_nodes: int = 5) -> Climb:
    """A climb over all pairs of variables with one column each."""
    n = len(correlation)
    climb = Climb(correlation, singles(n), ROWS, exact_nodes=exact_nodes, reach=REACH)
    climb.set_candidates(every_pair(n))
    return climb


@pytest.mark.parametrize("seed", range(3))
def test_every_graph_of_a_climb_is_legal_and_scores_lower(seed: int) -> None:
    rng = np.random.default_rng(seed)
    correlation = random_correlation(rng, 6)
    climb = climb_over(correlation, exact_nodes=3)
    climb.load(random_mag(rng, 6, 0.3))
    while True:
        before = climb.total
        if not climb.climb(1):
            break
        marks = climb.matrix()
        assert is_legal(marks)
        assert climb.total < before
        assert climb.total == pytest.approx(score_of(correlation, marks), abs=CLOSE)
    for a, b in every_pair(6).tolist():  # no single change is left that lowers the score
        for kind in range(4):
            if climb.kind_of(a, b) != kind and climb.may_change_to(a, b, kind):
                after = marks.copy()
                set_type(after, a, b, kind)
                assert score_of(correlation, after) > climb.total - CLOSE


@pytest.mark.parametrize("exact_nodes", [1, 5])
def test_after_a_climb_the_score_is_that_of_the_parameters(exact_nodes: int) -> None:
    rng = np.random.default_rng(4)
    correlation = model_correlation(rng, confounded_mag(rng, 6), singles(6))
    climb = climb_over(correlation, exact_nodes)
    climb.load(random_mag(rng, 6))
    assert climb.climb() > 5
    edges = int(np.triu(climb.matrix() != 0).sum())
    assert penalties(climb, correlation) == pytest.approx(edges * (np.log(ROWS) + 2 * np.log(6)), abs=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_no_two_changes_are_left_that_lower_the_score(seed: int) -> None:
    # of two changes, one may remove an edge: then the two must gain 6. Otherwise the first may cost up to the reach
    rng = np.random.default_rng(seed)
    correlation = model_correlation(rng, confounded_mag(rng, 5), singles(5))
    climb = climb_over(correlation)
    climb.load(random_mag(rng, 5))
    climb.climb()
    marks, score = climb.matrix(), climb.total
    pairs = every_pair(5).tolist()
    edges = [[a, b] for a, b in pairs if marks[a, b]]
    for (a, b), kind in product(pairs, range(4)):
        if kind == climb.kind_of(a, b):
            continue
        added = climb.weigh_change(a, b, kind)
        for (c, d), other in product(edges, range(4)):
            if other == climb.kind_of(c, d) or len({a, b, c, d}) != 3:
                continue
            if other == 0 and kind != 0:
                assert not climb.change_types([(a, b), (c, d)], [kind, other], -6.1)
            if other != 0 and added < REACH:
                assert not climb.change_types([(a, b), (c, d)], [kind, other], -CLOSE)
    assert np.array_equal(climb.matrix(), marks) and climb.total == score


def test_compound_changes_lead_on_from_where_single_ones_end() -> None:
    further = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        correlation = model_correlation(rng, confounded_mag(rng, 5), singles(5))
        single = Climb(correlation, singles(5), ROWS, reach=-1e9)
        single.set_candidates(every_pair(5))
        single.climb()
        climb = climb_over(correlation)
        climb.load(single.matrix())
        climb.climb()
        assert climb.total <= single.total + CLOSE
        further += climb.total < single.total - CLOSE
    assert further > 0


def test_a_climb_changes_only_active_candidates_and_allowed_types() -> None:
    rng = np.random.default_rng(1)
    correlation = random_correlation(rng, 5)
    allowed = np.full((5, 5), 1 | 1 << 1 | 1 << 2 | 1 << 3, dtype=np.uint8)
    allowed[0, 1] = allowed[1, 0] = 1 | 1 << 3
    climb = Climb(correlation, singles(5), ROWS, types_allowed=allowed)
    climb.set_candidates(every_pair(5))
    climb.weigh_all()
    climb.set_active([a < 2 for a, _ in every_pair(5).tolist()])
    climb.climb()
    marks = climb.matrix()
    assert not marks[2:, 2:].any() and marks.any()
    assert marks[0, 1] == marks[1, 0]


@pytest.mark.parametrize("seed", range(3))
def test_a_climb_goes_on_from_a_graph_that_was_taken_over(seed: int) -> None:
    rng = np.random.default_rng(seed)
    correlation = model_correlation(rng, confounded_mag(rng, 5), singles(5))
    climb = climb_over(correlation)
    climb.climb()
    climb.take_over(random_mag(rng, 5))
    climb.climb()
    for a, b in every_pair(5).tolist():
        for kind in range(4):
            assert not climb.change_types([(a, b)], [kind], -CLOSE)


def test_all_changes_are_weighed_once() -> None:
    rng = np.random.default_rng(2)
    climb = climb_over(random_correlation(rng, 5))
    climb.set_active(np.zeros(10))
    climb.weigh_all()
    assert climb.weighed == 30  # three other types of each pair, also of those that take no part
    climb.weigh_all()
    assert climb.weighed == 30
    climb.set_active(np.ones(10))
    assert climb.climb(1) == 1  # a change that is made was not weighed again
    assert climb.weighed == 30


@pytest.mark.parametrize("seed", range(3))
def test_every_step_of_a_walk_is_legal_and_keeps_the_score(seed: int) -> None:
    rng = np.random.default_rng(seed)
    correlation = random_correlation(rng, 5)
    climb = climb_over(correlation)
    climb.climb()
    pairs = np.argwhere(np.triu(climb.matrix() != 0, 1))
    steps = 0
    for pair in pairs[rng.integers(0, len(pairs), 40)]:
        score = climb.total
        steps += climb.walk([pair], [int(rng.integers(1, 4))], 6, 0.02)
        marks = climb.matrix()
        assert is_legal(marks)
        assert climb.total == pytest.approx(score, abs=0.02)
        assert score_of(correlation, marks) == pytest.approx(climb.total, abs=CLOSE)
    assert steps > 0


def test_a_walk_leaves_large_districts_alone() -> None:
    rng = np.random.default_rng(0)
    marks = confounded_mag(rng, 5)
    climb = climb_over(model_correlation(rng, marks, singles(5)))
    climb.load(marks)
    pairs = np.repeat(every_pair(5), 4, axis=0)
    kinds = np.tile(np.arange(4), 10)
    assert climb.walk(pairs, kinds, 4, 1e9) == 0
    assert climb.walk(pairs, kinds, 5, 1e9) > 0
