"""DAGs within what is known: orders, and the DAG that keeps to it."""

import numpy as np
import pytest

import ancestral as an
from ancestral.knowledge import Constraints, Knowledge
from ancestral.scores._local_scores_cy import LocalScores
from ancestral.search.known_dags import arranged, keeping, precedence
from ancestral.simulate.gaussian import gaussian_model
from tests.support.reference import ARROW

NAMES = ["a", "b", "c", "d"]


def known(**statements: object) -> Constraints:
    return Knowledge(**statements).constraints(NAMES, False)  # type: ignore[arg-type]


def pairs(before: np.ndarray) -> set[str]:
    return {NAMES[x] + NAMES[y] for x, y in np.argwhere(before).tolist()}


def test_what_does_not_cause_another_comes_after_it() -> None:
    assert pairs(precedence(known(tiers=[["a", "b"], ["c", "d"]]), 4)) == {"ac", "ad", "bc", "bd"}
    assert pairs(precedence(known(forbidden=[("a", "b")]), 4)) == {"ba"}
    assert pairs(precedence(None, 4)) == set()


def test_statements_that_no_order_fulfils_are_left_out() -> None:
    assert pairs(precedence(known(forbidden=[("a", "b"), ("b", "a"), ("c", "d")]), 4)) == {"dc"}
    ring = known(forbidden=[("a", "b"), ("b", "c"), ("c", "a")])
    assert pairs(precedence(ring, 4)) == set()


def test_a_cause_comes_before_its_effect_even_so() -> None:
    """By the other two statements b comes before c, and c before a."""
    ring = known(required=[("a", "b")], forbidden=[("c", "b"), ("a", "c")])
    assert "ab" in pairs(precedence(ring, 4))


def test_an_order_changes_only_where_it_must() -> None:
    before = np.zeros((4, 4), dtype=bool)
    before[3, 1] = True  # d before b
    assert arranged(np.array([2, 1, 0, 3]), before).tolist() == [2, 0, 3, 1]
    assert arranged(np.array([3, 2, 1, 0]), before).tolist() == [3, 2, 1, 0]


CHAIN = an.DAG.parse("a -> b, b -> c, c -> d")


def scores(constraints: Constraints) -> LocalScores:
    covariance = gaussian_model(CHAIN, seed=3).covariance
    scale = np.sqrt(np.diag(covariance))
    banned = np.zeros((4, 4), dtype=np.uint8)
    for x, y in constraints.no_edge.tolist():
        banned[x, y] = banned[y, x] = 1
    return LocalScores(covariance / np.outer(scale, scale), np.arange(5), 1e6, banned=banned)


def test_a_dag_that_keeps_to_what_is_known_is_left_alone() -> None:
    for constraints in (None, known(tiers=[["a"], ["b", "c", "d"]], required=[("b", "c")])):
        assert keeping(CHAIN.marks, constraints, scores(known())) is CHAIN.marks


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ({"forbidden": [("a", "c")]}, "b -> c, b -> a, c -> d"),  # c comes before a
        ({"forbidden": [("a", "c"), ("c", "a")]}, "a -> b, c -> d"),  # by b, a would cause c
        ({"required": [("a", "d")]}, "a -> b, b -> c, a -> d, c -> d"),
        ({"required": [("d", "a")]}, "b -> c, c -> d, d -> a, b -> a"),  # a comes last
        ({"no_edge": [("b", "c")]}, "a -> b, a -> c, c -> d"),
    ],
    ids=str,
)
def test_otherwise_it_is_grown_again(statements: dict[str, object], expected: str) -> None:
    """Each variable has the parents that the exact covariance asks for, given the order, but for what is known."""
    constraints = known(**statements)
    found = an.DAG(NAMES, keeping(CHAIN.marks, constraints, scores(constraints)))
    assert found == an.DAG.parse(f"{', '.join(NAMES)}, {expected}")


def test_a_parent_that_others_replace_is_removed_unless_it_is_required() -> None:
    """c and d are the sum of a and b with noise: c is the best single parent of d, and useless beside a and b."""
    covariance = np.array([[1, 0, 1, 1], [0, 1, 1, 1], [1, 1, 2.5, 2], [1, 1, 2, 3]])
    scale = np.sqrt(np.diag(covariance))
    local = LocalScores(covariance / np.outer(scale, scale), np.arange(5), 1e6)
    denied = an.DAG.parse("a, b, c, d, a -> b, b -> d").marks
    for required, parents in (([], [0, 1]), ([("c", "d")], [0, 1, 2])):
        found = keeping(denied, known(required=required, no_edge=[("a", "b")]), local)
        assert np.flatnonzero(found[:, 3] == ARROW).tolist() == parents
