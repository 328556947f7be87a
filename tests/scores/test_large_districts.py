"""Districts of more nodes than are fitted as a whole after a change: the score stays that of the graph."""

import numpy as np
import pytest

from ancestral.scores._climb_cy import Climb
from ancestral.scores._score_cy import ScoredGraph
from ancestral.scores.edge_types import BOTH, NO_EDGE
from tests.support.ancestral_graphs import deviance, districts_of, every_pair, model_correlation, set_type, singles

ROWS = 2000.0


def chain(n: int) -> np.ndarray:
    """A chain of bidirected edges."""
    marks = np.zeros((n, n), dtype=np.uint8)
    for v in range(n - 1):
        set_type(marks, v, v + 1, 3)
    return marks


def nearby(n: int) -> np.ndarray:
    """The pairs of nodes that are at most two apart in a chain."""
    pairs = every_pair(n)
    return pairs[pairs[:, 1] - pairs[:, 0] <= 2]


def check_parameters(scored: ScoredGraph, correlation: np.ndarray) -> None:
    """The score is that of the parameters that are kept."""
    edges = int(np.triu(scored.matrix() != 0).sum())
    expected = ROWS * deviance(*scored.parameters(), correlation) + edges * (np.log(ROWS) + 2 * np.log(scored.n))
    assert scored.total == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("n", [28, 50])
def test_after_many_changes_the_score_is_that_of_the_graph(n: int) -> None:
    rng = np.random.default_rng(n)
    correlation = model_correlation(rng, chain(n), singles(n), int(ROWS))
    scored = ScoredGraph(correlation, singles(n), ROWS)
    scored.load(chain(n))
    sizes = []
    while scored.made < 90:
        a, b = rng.choice(nearby(n)).tolist()
        before, kind = scored.graph.kind(a, b), int(rng.integers(4))
        if kind == before or not scored.change_types([(a, b)], [kind], 200.0):
            continue
        check_parameters(scored, correlation)
        sizes.append(max(map(len, districts_of(scored.matrix()))))
        if b == a + 1:  # the chain is repaired, so that districts stay large
            assert scored.change_types([(a, b)], [before])
            check_parameters(scored, correlation)
    assert sum(size > 24 for size in sizes) > 30 and min(sizes) < n - 1
    anew = ScoredGraph(correlation, singles(n), ROWS)
    anew.load(scored.matrix())
    assert scored.total == pytest.approx(anew.total, abs=0.1)


def test_a_climb_ends_at_the_score_of_its_graph() -> None:
    rng = np.random.default_rng(1)
    marks = chain(40)
    correlation = model_correlation(rng, marks, singles(40), int(ROWS))
    for a in range(4, 39, 5):
        set_type(marks, a, a + 1, 0)
    climb = Climb(correlation, singles(40), ROWS, types_allowed=np.full((40, 40), 1 << NO_EDGE | 1 << BOTH, np.uint8))
    climb.set_candidates(nearby(40))
    climb.load(marks)
    assert climb.climb() >= 7
    marks = climb.matrix()
    assert max(map(len, districts_of(marks))) > 24
    check_parameters(climb, correlation)
    score = climb.total
    climb.load(marks)
    assert score == pytest.approx(climb.total, abs=0.1)


def test_a_climb_goes_on_as_if_there_had_been_no_excursion() -> None:
    # bit for bit, although rounding errors are removed only now and then
    rng = np.random.default_rng(2)
    correlation = model_correlation(rng, chain(30), singles(30), int(ROWS))
    twins = [Climb(correlation, singles(30), ROWS) for _ in range(2)]
    for climb in twins:
        climb.set_candidates(nearby(30))
        climb.load(chain(30))
    for a, b in nearby(30)[:20].tolist():
        twins[0].begin_excursion(a, b, 1, 1)
        twins[0].change_types([(a, b)], [0])
        twins[0].climb()
        twins[0].end_excursion()
    for climb in twins:
        for a in range(0, 28, 3):
            assert climb.change_types([(a, a + 2)], [3])
    assert twins[0].total == twins[1].total
    for one, other in zip(*(climb.parameters() for climb in twins), strict=True):
        assert np.array_equal(one, other)


def test_a_climb_does_not_depend_on_what_was_before_it() -> None:
    rng = np.random.default_rng(3)
    correlation = model_correlation(rng, chain(30), singles(30), int(ROWS))
    scores = []
    climb = Climb(correlation, singles(30), ROWS)
    climb.set_candidates(nearby(30))
    for _ in range(4):
        climb.load(chain(30))
        for a in range(0, 28, 2):
            climb.change_types([(a, a + 2)], [3])
        scores.append(climb.total)
    assert len(set(scores)) == 1
