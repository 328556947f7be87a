"""Excursions of a climb: however far one goes, and however it ends, everything is then what it was, bit for bit."""

import numpy as np
import pytest

from ancestral._pulse_cy import Pulse
from ancestral.scores._climb_cy import Climb
from ancestral.scores.edge_types import ANY_TYPE
from tests.kernels.test_climb import climb_over
from tests.kernels.test_score import CLOSE, ROWS, score_of
from tests.support.ancestral_graphs import (
    confounded_mag,
    districts_of,
    every_pair,
    is_legal,
    model_correlation,
    random_mag,
    set_type,
    singles,
)

#: The types of a pair as sets, and the same for the pair in the other order.
ONE_TYPE = {0: (1, 1), 1: (2, 4), 2: (4, 2), 3: (8, 8)}


def state(climb: Climb) -> tuple[object, ...]:
    """All that can be seen of a climb: its graph, score and parameters, and what changes would add, where legal."""
    changes = [(a, b, kind) for a, b in every_pair(climb.n).tolist() for kind in range(4)]
    return (
        climb.matrix().tolist(),
        climb.total,
        [values.tolist() for values in climb.parameters()],
        [climb.weigh_change(*change) for change in changes],
        [climb.may_change_to(*change) for change in changes],
    )


def optimum(seed: int, exact_nodes: int, n: int = 6) -> Climb:
    """A climb that has come to its end."""
    rng = np.random.default_rng(seed)
    marks = confounded_mag(rng, n)
    climb = climb_over(model_correlation(rng, marks, singles(n)), exact_nodes)
    climb.load(marks)
    climb.climb()
    climb.weigh_all()
    return climb


@pytest.mark.parametrize("exact_nodes", [1, 3, 5])
def test_afterwards_everything_is_as_before(exact_nodes: int) -> None:
    climb = optimum(exact_nodes, exact_nodes)
    before = state(climb)
    apart = districts_of(climb.matrix())
    moved = 0
    for number, (a, b) in enumerate(every_pair(6).tolist()):
        kind = (climb.kind_of(a, b) + 1 + number % 3) % 4
        climb.begin_excursion(a, b, *ONE_TYPE[kind])
        if climb.change_types([(a, b)], [kind]):
            climb.climb()
            assert climb.kind_of(a, b) == kind
        moved += districts_of(climb.matrix()) != apart
        climb.end_excursion()
        assert climb.total == before[1]
    assert moved > 3  # districts were merged and split
    assert state(climb) == before


@pytest.mark.parametrize("exact_nodes", [1, 5])
def test_a_climb_goes_on_as_if_there_had_been_no_excursion(exact_nodes: int) -> None:
    rng = np.random.default_rng(7)
    correlation = model_correlation(rng, confounded_mag(rng, 6), singles(6))
    start = random_mag(rng, 6)
    twins = [climb_over(correlation, exact_nodes) for _ in range(2)]
    for climb in twins:
        climb.load(start)
        climb.weigh_all()
    ends = 0
    for a, b in every_pair(6).tolist():
        twins[0].begin_excursion(a, b, ANY_TYPE, ANY_TYPE)
        twins[0].climb()
        twins[0].end_excursion()
        weighed = [climb.weighed for climb in twins]
        steps = [climb.climb(1) for climb in twins]
        assert steps[0] == steps[1] and twins[0].total == twins[1].total
        # neither more nor fewer changes are weighed than without the excursion
        assert twins[0].weighed - weighed[0] == twins[1].weighed - weighed[1]
        ends += not steps[0]
    assert 0 < ends < 15
    assert state(twins[0]) == state(twins[1])


def test_a_graph_taken_over_on_an_excursion_is_left_again() -> None:
    climb = optimum(3, 3)
    rng = np.random.default_rng(3)
    before = state(climb)
    for _ in range(3):
        other = random_mag(rng, 6)
        climb.begin_excursion(0, 1, ANY_TYPE, ANY_TYPE)
        climb.take_over(other)
        assert np.array_equal(climb.matrix(), other)
        climb.climb()
        climb.end_excursion()
    assert state(climb) == before


def test_every_graph_is_legal_and_has_the_type_that_was_asked_for() -> None:
    climb = optimum(5, 3)
    for a, b in every_pair(6).tolist():
        for kind in range(4):
            climb.begin_excursion(a, b, *ONE_TYPE[kind])
            if climb.change_types([(a, b)], [kind]):
                while climb.climb(1):
                    assert is_legal(climb.matrix())
                assert climb.kind_of(a, b) == kind
            climb.end_excursion()


def test_it_stays_nearby() -> None:
    marks = np.zeros((8, 8), dtype=np.uint8)
    for v in range(7):
        set_type(marks, v, v + 1, 3)
    climb = climb_over(model_correlation(np.random.default_rng(1), marks, singles(8), 3000))
    for v in (0, 1, 6):
        set_type(marks, v, v + 1, 0)
    climb.load(marks)
    climb.begin_excursion(0, 1, *ONE_TYPE[0])
    climb.climb()
    assert [climb.kind_of(v, v + 1) > 0 for v in (0, 1, 6)] == [False, True, False]
    climb.end_excursion()
    climb.climb()
    assert [climb.kind_of(v, v + 1) > 0 for v in (0, 1, 6)] == [True, True, True]


def test_the_score_of_an_excursion_is_that_of_its_graph() -> None:
    rng = np.random.default_rng(2)
    marks = confounded_mag(rng, 6)
    correlation = model_correlation(rng, marks, singles(6))
    climb = climb_over(correlation, 3)
    climb.load(marks)
    climb.climb()
    for a, b in every_pair(6).tolist():
        climb.begin_excursion(a, b, 1, 1)
        if climb.change_types([(a, b)], [0]):
            climb.climb()
            assert climb.total == pytest.approx(score_of(correlation, climb.matrix()), abs=CLOSE)
        climb.end_excursion()


class Ended(Exception):
    """Raised by the pulse."""


def test_a_change_that_was_stopped_leaves_no_trace_in_later_fits() -> None:
    rng = np.random.default_rng(6)
    marks = np.zeros((8, 8), dtype=np.uint8)
    for v in range(7):
        set_type(marks, v, v + 1, 3)
    correlation = model_correlation(rng, marks, singles(8))
    ending = False

    def look() -> None:
        if ending:
            raise Ended

    climbs = [Climb(correlation, singles(8), ROWS, pulse=Pulse(look), exact_nodes=0) for _ in range(2)]
    for climb in climbs:
        climb.load(marks)
    ended = 0
    while ended < 20:
        a, b = rng.choice(every_pair(8)).tolist()
        climbs[0].begin_excursion(a, b, ANY_TYPE, ANY_TYPE)
        ending = True
        try:
            climbs[0].change_types([(a, b)], [int(rng.integers(4))])
        except Ended:
            ended += 1
        ending = False
        climbs[0].end_excursion()
    for pair in ((0, 2), (5, 7)):
        for climb in climbs:
            assert climb.change_types([pair], [3])
        assert climbs[0].total == climbs[1].total


def test_it_can_be_ended_at_any_moment() -> None:
    rng = np.random.default_rng(4)
    marks = confounded_mag(rng, 6)
    correlation = model_correlation(rng, marks, singles(6))
    ending = False

    def look() -> None:
        if ending:
            raise Ended

    ended = 0
    while ended < 25:
        climb = Climb(correlation, singles(6), ROWS, pulse=Pulse(look), exact_nodes=(6, 3)[ended % 2])
        climb.set_candidates(every_pair(6))
        climb.load(marks)
        parameters = [values.tolist() for values in climb.parameters()]
        score = climb.total
        try:
            for a, b in rng.permutation(every_pair(6)).tolist():
                climb.begin_excursion(a, b, ANY_TYPE, ANY_TYPE)
                ending = True
                try:
                    climb.take_over(random_mag(rng, 6))
                    climb.climb()
                finally:
                    ending = False
                    climb.end_excursion()
        except Ended:
            ended += 1
        assert np.array_equal(climb.matrix(), marks) and climb.total == score
        assert [values.tolist() for values in climb.parameters()] == parameters
