"""Limits: the types of a pair that each kind of knowledge leaves."""

import numpy as np
import pytest

from ancestral.knowledge import Knowledge
from ancestral.scores.edge_types import ANY_TYPE, BACK, BOTH, FORTH, NO_EDGE, reversed_types
from ancestral.search.scored.limits import Limits
from tests.support.ancestral_graphs import every_pair, is_legal, set_type
from tests.support.knowledge_laws import believed, keeps_to

NAMES = ("a", "b", "c")


def limits_of(**statements: object) -> Limits:
    return Limits.of(Knowledge(**statements).constraints(NAMES, False), 3)  # type: ignore[arg-type]


def types(limits: Limits, a: str, b: str) -> list[int]:
    return [kind for kind in range(4) if limits.types[NAMES.index(a), NAMES.index(b)] >> kind & 1]


def test_without_knowledge_all_types_may_be() -> None:
    limits = Limits.of(None, 3)
    assert (limits.types == ANY_TYPE).all() and limits.no_cause is None
    assert not limits.banned.any() and not len(limits.required)


@pytest.mark.parametrize(
    ("statements", "left"),
    [
        ({"required": [("a", "b")]}, [FORTH]),
        ({"required": [("b", "a")]}, [BACK]),
        ({"no_edge": [("a", "b")]}, [NO_EDGE]),
        ({"forbidden": [("a", "b")]}, [NO_EDGE, BACK, BOTH]),
        ({"forbidden": [("b", "a")]}, [NO_EDGE, FORTH, BOTH]),
        ({"forbidden": [("a", "b"), ("b", "a")]}, [NO_EDGE, BOTH]),
        ({"tiers": [["a"], ["b"]]}, [NO_EDGE, FORTH, BOTH]),
        ({"exogenous": ["a"]}, [NO_EDGE, FORTH, BOTH]),
        ({"required": [("a", "c"), ("c", "b")]}, [NO_EDGE, FORTH]),  # a causes b, by c
    ],
)
def test_what_statements_leave(statements: dict[str, object], left: list[int]) -> None:
    limits = limits_of(**statements)
    assert types(limits, "a", "b") == left
    assert np.array_equal(reversed_types(limits.types), limits.types.T)


def test_required_pairs_and_banned_parents() -> None:
    limits = limits_of(required=[("b", "a")], forbidden=[("a", "c")])
    assert limits.required.tolist() == [[0, 1]]
    assert limits.banned[0].tolist() == [0, 1, 1] and not limits.banned[1, 0]


def test_the_wanted_type_comes_first_then_one_without_a_direction() -> None:
    limits = limits_of(forbidden=[("a", "b")])
    assert limits.open_types(0, 1, FORTH) == [BOTH, BACK]
    assert limits.open_types(1, 0, FORTH) == [FORTH, BOTH]
    assert limits.open_types(0, 2, BACK) == [BACK, BOTH, FORTH]


@pytest.mark.parametrize("seed", range(20))
def test_a_graph_keeps_to_knowledge_if_types_and_ancestors_do(seed: int) -> None:
    # by all graphs over three variables, and the definition of each statement
    rng = np.random.default_rng(seed)
    known = believed(NAMES, rng)
    limits = Limits.of(known.constraints(NAMES, False), 3)
    for number in range(64):
        marks = np.zeros((3, 3), dtype=np.uint8)
        kinds = [number >> 2 * i & 3 for i in range(3)]
        for (a, b), kind in zip(every_pair(3).tolist(), kinds, strict=True):
            set_type(marks, a, b, kind)
        if not is_legal(marks):
            continue
        steps = (marks == 2) & (marks.T == 3)
        causes = steps | (steps @ steps)
        fits = all(limits.types[a, b] >> kind & 1 for (a, b), kind in zip(every_pair(3).tolist(), kinds, strict=True))
        kept = fits and (limits.no_cause is None or not (causes & limits.no_cause.astype(bool)).any())
        assert kept == keeps_to(marks, NAMES, known)
