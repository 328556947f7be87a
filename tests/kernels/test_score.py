"""Scores of graphs and of changes: against scores from scratch, regressions, and the likelihood of the parameters."""

from itertools import permutations

import numpy as np
import pytest

from ancestral.scores._score_cy import ScoredGraph
from tests.support.ancestral_graphs import (
    confounded_mag,
    deviance,
    districts_of,
    every_pair,
    is_legal,
    model_correlation,
    random_correlation,
    random_mag,
    set_type,
    singles,
)

ROWS = 300.0

#: Scores are fitted to within 0.001 for each district.
CLOSE = 0.02

#: Where the columns of six variables begin, if each has one column, and if some have two.
OFFSETS = [singles(6), np.array([0, 2, 3, 4, 6, 7, 8], dtype=np.intc)]


def score_of(correlation: np.ndarray, marks: np.ndarray, offset: np.ndarray | None = None) -> float:
    """The score of a graph, fitted from scratch."""
    scored = ScoredGraph(correlation, singles(len(marks)) if offset is None else offset, ROWS)
    scored.load(marks)
    return scored.total


def penalties(scored: ScoredGraph, correlation: np.ndarray) -> float:
    """What a score has beyond the likelihood of its parameters."""
    return scored.total - ROWS * deviance(*scored.parameters(), correlation)


@pytest.mark.parametrize("seed", range(4))
def test_the_score_is_that_of_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    marks, correlation = random_mag(rng, 5), random_correlation(rng, 5)
    scored = ScoredGraph(correlation, singles(5), ROWS, gamma=0.5)
    scored.load(marks)
    edges = int(np.triu(marks != 0).sum())
    together = scored.districts.value_of(scored.graph, range(5))
    assert scored.total == pytest.approx(ROWS * together + edges * (np.log(ROWS) + 2 * np.log(5)), abs=CLOSE)


@pytest.mark.parametrize("gamma", [0.0, 0.5, 1.0])
def test_a_dag_scores_as_its_regressions(gamma: float) -> None:
    rng = np.random.default_rng(2)
    correlation = random_correlation(rng, 5)
    parents: dict[int, list[int]] = {0: [], 1: [0], 2: [], 3: [0, 1, 2], 4: [1, 3]}
    marks = np.zeros((5, 5), dtype=np.uint8)
    expected = 0.0
    for v, before in parents.items():
        left = correlation[v, v]
        if before:
            given, cross = correlation[np.ix_(before, before)], correlation[before, v]
            left -= cross @ np.linalg.solve(given, cross)
        expected += ROWS * (np.log(left) + 1) + len(before) * (np.log(ROWS) + 4 * gamma * np.log(5))
        for u in before:
            set_type(marks, u, v, 1)
    scored = ScoredGraph(correlation, singles(5), ROWS, gamma=gamma)
    scored.load(marks)
    assert scored.total == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("exact_nodes", [1, 5])
@pytest.mark.parametrize("seed", range(4))
def test_what_a_change_adds_is_the_difference_of_scores(seed: int, exact_nodes: int) -> None:
    rng = np.random.default_rng(seed)
    marks, correlation = random_mag(rng, 6, 0.7), random_correlation(rng, 6)
    scored = ScoredGraph(correlation, singles(6), ROWS, exact_nodes=exact_nodes)
    scored.load(marks)
    before = scored.total
    for a, b in every_pair(6).tolist():
        for kind in range(4):
            after = marks.copy()
            set_type(after, a, b, kind)
            if not is_legal(after):
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


#: The inducing path a <-> b <-> c <-> d: b causes d by m, and c causes a. Only with an edge a <-> d is it maximal.
INDUCING = {(0, 1): 3, (1, 2): 3, (2, 3): 3, (1, 4): 1, (4, 3): 1, (2, 0): 1}


@pytest.mark.parametrize("missing", INDUCING)
def test_no_change_completes_an_inducing_path(missing: tuple[int, int]) -> None:
    marks = np.zeros((5, 5), dtype=np.uint8)
    for (a, b), kind in INDUCING.items():
        set_type(marks, a, b, 0 if (a, b) == missing else kind)
    assert is_legal(marks)
    scored = ScoredGraph(random_correlation(np.random.default_rng(1), 5), singles(5), ROWS)
    scored.load(marks)
    assert not scored.change_types([missing], [INDUCING[missing]])
    assert scored.change_types([missing, (0, 3)], [INDUCING[missing], 3])  # with the edge between its ends
    assert not scored.change_types([(0, 3)], [0])
    assert scored.change_types([(0, 3), missing], [0, 0])


@pytest.mark.parametrize("offset", [*OFFSETS, singles(12)], ids=["single", "blocks", "many"])
@pytest.mark.parametrize("exact_nodes", [0, 1, 2, 5])
def test_after_every_change_the_score_is_that_of_the_parameters(exact_nodes: int, offset: np.ndarray) -> None:
    # K, H and V are changed by terms at each step, so an error in one of them would show sooner or later
    rng = np.random.default_rng(exact_nodes)
    n = len(offset) - 1
    marks = confounded_mag(rng, n)
    correlation = model_correlation(rng, marks, offset)
    scored = ScoredGraph(correlation, offset, ROWS, exact_nodes=exact_nodes)
    if n == 6:
        scored.load(marks)
    anew = ScoredGraph(correlation, offset, ROWS)
    sizes = set()
    while scored.made < 24:
        a, b = rng.choice(n, 2, replace=False).tolist()
        kind = int(rng.choice([0, 1, 2, 3, 3]))
        if kind == scored.graph.kind(a, b) or not scored.change_types([(a, b)], [kind]):
            continue
        anew.load(scored.matrix())
        assert penalties(scored, correlation) == pytest.approx(penalties(anew, correlation), abs=1e-3)
        sizes |= {len(district) for district in districts_of(scored.matrix())}
    assert len(sizes) > 1 and max(sizes) > 3


@pytest.mark.parametrize("seed", range(4))
def test_nodes_that_were_alone_are_joined_with_their_parameters(seed: int) -> None:
    # a --> b, c --> d, and then b <-> d, whose regressions on a and c are kept
    rng = np.random.default_rng(seed)
    offset = OFFSETS[seed % 2][:5]
    marks = np.zeros((4, 4), dtype=np.uint8)
    for a, b, kind in ((0, 1, 1), (2, 3, 1), (1, 3, 3)):
        set_type(marks, a, b, kind)
    correlation = model_correlation(rng, marks, offset)
    scored = ScoredGraph(correlation, offset, ROWS, exact_nodes=1)
    assert scored.change_types([(0, 1)], [1]) and scored.change_types([(2, 3)], [1])
    weighed = scored.weigh_change(1, 3, 3)
    before = scored.total
    assert scored.change_types([(1, 3)], [3])
    assert scored.total == pytest.approx(score_of(correlation, marks, offset), abs=CLOSE)
    assert weighed == pytest.approx(scored.total - before, abs=1.0)


def test_changes_are_legal_together_in_any_order() -> None:
    marks = np.zeros((3, 3), dtype=np.uint8)
    edges = [(0, 1), (1, 2), (0, 2)]
    for a, b in edges:
        set_type(marks, a, b, 1)
    scored = ScoredGraph(random_correlation(np.random.default_rng(1), 3), singles(3), ROWS)
    for order in permutations(edges):
        scored.load(marks)
        assert scored.change_types(order, [2, 2, 2])  # one after the other, some would close a cycle
        assert np.array_equal(scored.matrix(), marks.T)


@pytest.mark.parametrize("offset", OFFSETS, ids=["single", "blocks"])
@pytest.mark.parametrize("seed", range(3))
def test_a_screened_change_comes_to_at_most_what_it_was_weighed(seed: int, offset: np.ndarray) -> None:
    rng = np.random.default_rng(seed)
    marks = confounded_mag(rng, 6)
    correlation = model_correlation(rng, marks, offset)
    scored = ScoredGraph(correlation, offset, ROWS, exact_nodes=2)
    scored.load(marks)
    before = scored.total
    screened = scored.screened
    for a, b in rng.permutation(every_pair(6)).tolist()[:6]:
        for kind in range(4):
            weighed = scored.weigh_change(a, b, kind)
            if scored.change_types([(a, b)], [kind]):
                anew = score_of(correlation, scored.matrix(), offset) - before
                assert weighed > min(scored.total - before, anew) - 0.001
                scored.load(marks)
    assert scored.screened > screened


@pytest.mark.parametrize("exact_nodes", [2, 5])
def test_a_change_that_adds_too_much_is_not_made(exact_nodes: int) -> None:
    rng = np.random.default_rng(3)
    marks = confounded_mag(rng, 6)
    correlation = model_correlation(rng, marks, singles(6))
    scored = ScoredGraph(correlation, singles(6), ROWS, exact_nodes=exact_nodes)
    scored.load(marks)
    before = scored.total
    parameters = [values.tolist() for values in scored.parameters()]
    for a, b in every_pair(6).tolist():
        for kind in range(4):
            assert not scored.change_types([(a, b)], [kind], -ROWS)
    assert np.array_equal(scored.matrix(), marks) and scored.total == before
    assert [values.tolist() for values in scored.parameters()] == parameters


@pytest.mark.parametrize("seed", range(4))
def test_a_graph_that_is_taken_over_scores_as_one_that_is_loaded(seed: int) -> None:
    rng = np.random.default_rng(seed)
    marks = confounded_mag(rng, 6)
    correlation = model_correlation(rng, marks, singles(6))
    scored = ScoredGraph(correlation, singles(6), ROWS, exact_nodes=seed)
    scored.load(marks)
    for other in (random_mag(rng, 6), confounded_mag(rng, 6), marks):
        scored.take_over(other)
        assert np.array_equal(scored.matrix(), other)
        assert scored.total == pytest.approx(score_of(correlation, other), abs=CLOSE)
    before = scored.total
    scored.take_over(other)
    assert scored.total == before
