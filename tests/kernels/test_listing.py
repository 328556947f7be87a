"""Changes of one mark, and what they lead to, against classes found by brute force."""

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from ancestral.classes._listing_cy import ClassWalk
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
from tests.support.classes import agreed_marks, classes, skeletons_up_to_isomorphism


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("lines", [True, False])
def test_a_change_is_allowed_exactly_if_the_class_has_both(n: int, lines: bool) -> None:
    """All MAGs, and all changes of one mark: between --> and <->, and if `lines`, between --> and ---."""
    told = Counter[bool]()
    for members in classes(skeletons_up_to_isomorphism(n)):
        kept = {marks.tobytes() for marks in members if lines or not _has_line(marks)}
        choices = np.argwhere(agreed_marks(members))
        for marks in members:
            if not lines and _has_line(marks):
                continue
            walk = ClassWalk(marks, choices, False, lines)
            for k, (u, v) in enumerate(choices):
                changed = marks.copy()
                changed[u, v] = ARROW + TAIL - marks[u, v]
                allowed = walk.allows(k)
                assert allowed is (changed.tobytes() in kept)
                told[allowed] += 1
    assert min(told.values()) > 1


@pytest.mark.parametrize("n", [2, 3, 4])
def test_changes_lead_to_all_graphs_without_undirected_edges(n: int) -> None:
    for members in classes(skeletons_up_to_isomorphism(n)):
        plain = [marks for marks in members if not _has_line(marks)]
        choices = np.argwhere(agreed_marks(members) == CIRCLE)
        u, v = choices.T
        expected = {marks[u, v].tobytes() for marks in plain}
        for start in plain[:3]:
            walk = ClassWalk(start, choices, False, False)
            codes, complete = walk.listed(1_000)
            assert complete
            assert codes[0] == start[u, v].tobytes()
            assert len(codes) == len(expected) and set(codes) == expected
            assert np.array_equal(walk.array, start)
            some, all_of_them = walk.listed(len(expected) - 1)
            assert some == codes[: max(len(expected) - 1, 1)] and all_of_them is (len(expected) == 1)


def test_a_walk_changes_what_it_may() -> None:
    """a o-o b: with the mark at b turned, then the one at a, a --> b becomes a --- b only if lines are allowed."""
    start = np.array([[0, ARROW], [TAIL, 0]], dtype=np.uint8)  # a --> b
    choices = np.array([[0, 1], [1, 0]])
    for lines, expected in ((False, bytes([ARROW, ARROW])), (True, bytes([TAIL, ARROW]))):
        walk = ClassWalk(start, choices, False, lines)
        assert walk.walk(np.array([0, 1])) == expected
        assert walk.array[0, 1] == expected[0] and walk.array[1, 0] == expected[1]


def test_edges_of_a_dag_are_turned_where_they_are_covered() -> None:
    """a --> b --> c without a–c: b --> c is not covered, since c lacks the parent a of b."""
    start = np.zeros((3, 3), dtype=np.uint8)
    for u, v in ((0, 1), (1, 2)):
        start[u, v], start[v, u] = ARROW, TAIL
    walk = ClassWalk(start, np.array([[0, 1], [1, 2]]), True, False)
    assert [walk.allows(0), walk.allows(1)] == [True, False]
    codes, complete = walk.listed(10)
    assert complete and set(codes) == {bytes([ARROW, ARROW]), bytes([TAIL, ARROW]), bytes([TAIL, TAIL])}


def _has_line(marks: NDArray[np.uint8]) -> bool:
    return bool(((marks == TAIL) & (marks.T == TAIL)).any())
