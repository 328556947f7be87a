"""Scores of graphs and of changes, and climbs: against scores from scratch and the definitions of legal graphs."""

import numpy as np
import pytest

from ancestral.scores._climb_cy import Climb
from ancestral.scores._score_cy import ScoredGraph
from tests.kernels.test_districts import districts_of, singles
from tests.support.ancestral_graphs import is_ancestral, is_maximal, random_correlation, random_mag, set_type

#: Scores are fitted to within 0.001 for each district.
CLOSE = 0.02


def every_pair(n: int) -> np.ndarray:
    return np.argwhere(np.triu(np.ones((n, n)), 1))


def score_of(correlation: np.ndarray, marks: np.ndarray, rows: float = 300.0) -> float:
    scored = ScoredGraph(correlation, singles(len(marks)), rows)
    scored.load(marks)
    return scored.total


@pytest.mark.parametrize("seed", range(4))
def test_the_score_is_that_of_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    marks, correlation = random_mag(rng, 5), random_correlation(rng, 5)
    scored = ScoredGraph(correlation, singles(5), 300.0, gamma=0.5)
    scored.load(marks)
    edges = int(np.triu(marks != 0).sum())
    together = scored.districts.value_of(scored.graph, range(5))
    assert scored.total == pytest.approx(300 * together + edges * (np.log(300) + 2 * np.log(5)), abs=CLOSE)


@pytest.mark.parametrize("exact_nodes", [1, 5])
@pytest.mark.parametrize("seed", range(4))
def test_what_a_change_adds_is_the_difference_of_scores(seed: int, exact_nodes: int) -> None:
    rng = np.random.default_rng(seed)
    marks, correlation = random_mag(rng, 6, 0.7), random_correlation(rng, 6)
    scored = ScoredGraph(correlation, singles(6), 300.0, exact_nodes=exact_nodes)
    scored.load(marks)
    before = scored.total
    for a, b in every_pair(6).tolist():
        for kind in range(4):
            after = marks.copy()
            set_type(after, a, b, kind)
            if not (is_ancestral(after) and is_maximal(after)):
                assert not scored.change_types([(a, b)], [kind])
                continue
            weighed, exact = scored.weigh_change(a, b, kind), score_of(correlation, after) - before
            assert scored.change_types([(a, b)], [kind])
            added = scored.total - before
            # parameters of the present graph lead to a bound, and, where there are two maxima, to either of them
            assert weighed > added - CLOSE > exact - 2 * CLOSE
            if max(map(len, districts_of(after))) <= exact_nodes:
                assert weighed == pytest.approx(added, abs=CLOSE) == pytest.approx(exact, abs=CLOSE)
            assert np.array_equal(scored.matrix(), after)
            scored.load(marks)
            assert scored.total == pytest.approx(before, abs=CLOSE)


@pytest.mark.parametrize("seed", range(3))
def test_every_graph_of_a_climb_is_legal_and_scores_lower(seed: int) -> None:
    rng = np.random.default_rng(seed)
    correlation = random_correlation(rng, 6)
    climb = Climb(correlation, singles(6), 300.0, exact_nodes=3)
    climb.set_candidates(every_pair(6))
    climb.load(random_mag(rng, 6, 0.3))
    while True:
        before = climb.total
        if not climb.climb(1):
            break
        marks = climb.matrix()
        assert is_ancestral(marks) and is_maximal(marks)
        assert climb.total < before
        assert climb.total == pytest.approx(score_of(correlation, marks), abs=CLOSE)
    for a, b in every_pair(6).tolist():  # no single change is left that lowers the score
        for kind in range(4):
            if climb.kind_of(a, b) != kind and climb.may_change_to(a, b, kind):
                after = marks.copy()
                set_type(after, a, b, kind)
                assert score_of(correlation, after) > climb.total - CLOSE


def test_a_climb_changes_only_active_candidates_and_allowed_types() -> None:
    rng = np.random.default_rng(1)
    correlation = random_correlation(rng, 5)
    climb = Climb(correlation, singles(5), 300.0)
    climb.set_candidates(every_pair(5))
    climb.set_active([a < 2 for a, _ in every_pair(5).tolist()])
    climb.allow(0, 1, 1 | 1 << 3, 1 | 1 << 3)
    climb.climb()
    marks = climb.matrix()
    assert not marks[2:, 2:].any() and marks.any()
    assert marks[0, 1] == marks[1, 0]


@pytest.mark.parametrize("seed", range(3))
def test_a_walk_keeps_the_score(seed: int) -> None:
    rng = np.random.default_rng(seed)
    correlation = random_correlation(rng, 5)
    climb = Climb(correlation, singles(5), 300.0)
    climb.set_candidates(every_pair(5))
    climb.climb()
    before, score = climb.matrix(), climb.total
    pairs = np.argwhere(np.triu(before != 0, 1))
    pairs = pairs[rng.integers(0, len(pairs), 40)]
    steps = climb.walk(pairs, rng.integers(1, 4, len(pairs)), 6, 0.02)
    marks = climb.matrix()
    assert steps > 0
    assert is_ancestral(marks) and is_maximal(marks)
    assert climb.total == pytest.approx(score, abs=0.02 * (steps + 1))
    assert score_of(correlation, marks) == pytest.approx(climb.total, abs=CLOSE)
