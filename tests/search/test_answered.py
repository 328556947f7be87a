"""Decisions that rest on answers alone, with answers given by hand."""

from typing import Any

import numpy as np
import pytest

from ancestral.orientation._judge_cy import Sepsets
from ancestral.search.answered import Answered

NAMES = ["a", "b", "c", "d"]
A, B, C, D = range(4)


class Told:
    """Stands for the questions: `silent` have no answer, all others say "dependent"."""

    def __init__(self, *silent: tuple[int, int, tuple[int, ...]]) -> None:
        self.silent = {(min(x, y), max(x, y), given) for x, y, given in silent}

    def shown_dependent(self, x: int, y: int, given: tuple[int, ...]) -> bool:
        return (min(x, y), max(x, y), given) not in self.silent


class Graph:
    """Stands for the graph: the separating sets are all that is read of it."""

    def __init__(self, pair: tuple[int, int], given: tuple[int, ...]) -> None:
        self.sepsets = Sepsets(len(NAMES))
        self.sepsets.record(*pair, given)


def answered(told: Told, pair: tuple[int, int], given: tuple[int, ...]) -> Answered:
    graph: Any = Graph(pair, given)
    questions: Any = told
    return Answered(graph, questions, NAMES, [NAMES])


@pytest.mark.parametrize(
    ("silent", "verdict"),
    [((), 1), (((A, B, (D,)),), -1), (((B, C, (D,)),), -1), (((A, B, ()),), 1), (((A, C, ()),), 1)],
)
def test_a_collider_needs_both_dependences_given_the_separating_set(silent: Any, verdict: int) -> None:
    judged = answered(Told(*silent), (A, C), (D,))
    assert judged.verdicts(np.array([[A, C, B]], dtype=np.intc)).tolist() == [verdict]


@pytest.mark.parametrize(
    ("silent", "verdict"),
    [((), 0), (((A, C, (D,)),), -1), (((A, C, (B,)),), -1), (((A, B, (D,)),), 0), (((A, C, ()),), 0)],
)
def test_a_non_collider_needs_a_set_of_which_no_node_can_be_dropped(silent: Any, verdict: int) -> None:
    judged = answered(Told(*silent), (A, C), (B, D))
    assert judged.verdicts(np.array([[A, C, B]], dtype=np.intc)).tolist() == [verdict]


@pytest.mark.parametrize(
    ("silent", "shown"),
    [
        ((), True),
        (((A, B, ()),), False),  # given nothing
        (((B, C, (A,)),), False),
        (((A, D, ()),), False),
        (((C, D, ()),), False),  # the set can be made smaller, as far as answers tell
        (((A, B, (D,)),), True),  # no subset of what separates the ends
    ],
)
def test_a_path_needs_dependences_given_every_subset(silent: Any, shown: bool) -> None:
    judged = answered(Told(*silent), (C, D), (A,))
    assert judged.shows((C, B, A, D)) is shown


def test_pairs_that_no_table_has() -> None:
    graph: Any = Graph((A, C), ())
    told: Any = Told()
    never = Answered(graph, told, NAMES, [["a", "b", "c"], ["d", "c"]]).never
    assert np.argwhere(np.triu(never)).tolist() == [[A, D], [B, D]]
