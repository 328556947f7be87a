"""Climbs from several starts, and how merging and walking put their results together."""

import numpy as np
import pytest

from ancestral._pulse_cy import Pulse
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.scores._climb_cy import Climb
from ancestral.search.scored.climbs import Climbs, differences, merge, walk
from ancestral.search.scored.limits import Limits
from ancestral.search.scored.starts import legal_graph
from tests.support.ancestral_graphs import (
    confounded_mag,
    every_pair,
    is_legal,
    model_correlation,
    random_mag,
    set_type,
    singles,
)
from tests.support.knowledge_laws import believed, keeps_to

NAMES = tuple("abcdefgh")
ROWS = 500


def climbs_over(correlation: np.ndarray, limits: Limits | None = None, inner: np.ndarray | None = None) -> Climbs:
    """Climbs over all pairs."""
    n = len(correlation)
    pairs = every_pair(n)
    return Climbs(
        ColumnBlocks.single(correlation, ROWS),
        Limits.of(None, n) if limits is None else limits,
        0.5,
        pairs,
        np.ones(len(pairs), dtype=bool) if inner is None else inner,
    )


def two_halves(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A graph of two parts without an edge between them, and correlations of data from it."""
    rng = np.random.default_rng(seed)
    marks = np.zeros((8, 8), dtype=np.uint8)
    marks[:4, :4], marks[4:, 4:] = confounded_mag(rng, 4), confounded_mag(rng, 4)
    return marks, model_correlation(rng, marks, singles(8), ROWS)


def at(climbs: Climbs, marks: np.ndarray) -> Climb:
    climb = climbs.begin(Pulse())
    climb.load(marks)
    return climb


@pytest.mark.parametrize("seed", range(5))
def test_differences_fall_into_groups_that_share_no_node(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = random_mag(rng, 8, 0.2), random_mag(rng, 8, 0.2)
    other[:4, 4:], other[4:, :4] = one[:4, 4:], one[4:, :4]
    groups = differences(one, other)
    pairs = [(a, b) for a, b in every_pair(8).tolist() if one[a, b] != other[a, b] or one[b, a] != other[b, a]]
    assert sorted(pair for group in groups for pair in group) == pairs
    nodes = [{v for pair in group for v in pair} for group in groups]
    assert sum(map(len, nodes)) == len(set().union(*nodes))
    for group, inside in zip(groups, nodes, strict=True):  # and are connected
        reached = set(group[0])
        while more := {v for pair in group if reached & set(pair) for v in pair} - reached:
            reached |= more
        assert reached == inside


def test_a_path_of_differences_is_one_group() -> None:
    other = np.zeros((6, 6), dtype=np.uint8)
    for a, b in ((0, 1), (0, 2), (1, 3), (4, 5)):  # c - a - b - d and e - f
        set_type(other, a, b, 3)
    groups = differences(np.zeros_like(other), other)
    assert sorted(map(sorted, groups)) == [[(0, 1), (0, 2), (1, 3)], [(4, 5)]]


@pytest.mark.parametrize("seed", range(4))
def test_merging_takes_over_the_better_part_of_each_graph(seed: int) -> None:
    marks, correlation = two_halves(seed)
    climbs = climbs_over(correlation, inner=np.zeros(28, dtype=bool))
    left, right = np.zeros_like(marks), np.zeros_like(marks)
    left[:4, :4], right[4:, 4:] = marks[:4, :4], marks[4:, 4:]
    climb = at(climbs, left)
    climb.set_active(np.zeros(28))  # only merging can change the graph
    merge(climb, [right])
    assert np.array_equal(climb.matrix(), marks)


@pytest.mark.parametrize("seed", range(4))
def test_merging_takes_over_nothing_that_is_worse(seed: int) -> None:
    marks, correlation = two_halves(seed)
    climb = at(climbs_over(correlation), marks)
    climb.set_active(np.zeros(28))
    score = climb.total
    merge(climb, [np.zeros_like(marks), random_mag(np.random.default_rng(seed), 8, 0.1)])
    assert climb.total <= score
    assert is_legal(climb.matrix())
    if climb.total == score:
        assert np.array_equal(climb.matrix(), marks)


@pytest.mark.parametrize("seed", range(6))
def test_a_walk_ends_no_higher_and_keeps_to_what_is_known(seed: int) -> None:
    rng = np.random.default_rng(seed)
    _, correlation = two_halves(seed)
    known = believed(NAMES, rng)
    limits = Limits.of(known.constraints(NAMES, False), 8)
    climb = at(climbs_over(correlation, limits), legal_graph(np.zeros((8, 8), dtype=np.uint8), limits))
    climb.climb()
    walked = set()
    for _ in range(6):
        score = climb.total
        walk(climb, rng)
        assert climb.total < score + 0.5
        assert is_legal(climb.matrix()) and keeps_to(climb.matrix(), NAMES, known)
        walked.add(climb.matrix().tobytes())
    assert len(walked) > 1


@pytest.mark.parametrize("seed", range(4))
def test_a_climb_from_a_start_begins_with_the_inner_pairs(seed: int) -> None:
    marks, correlation = two_halves(seed)
    climbs = climbs_over(correlation, inner=every_pair(8)[:, 1] < 4)
    found = climbs.climb_from(climbs.begin(Pulse()), np.zeros_like(marks))
    assert is_legal(found.marks)
    again = at(climbs, found.marks)
    assert found.score == pytest.approx(again.total, abs=0.1)
    assert again.climb() == 0  # over all pairs in the end


@pytest.mark.parametrize("seed", range(12))
def test_where_a_climb_has_ended_another_one_finds_nothing(seed: int) -> None:
    # a climb weighs only those changes again that may have become better, another one all of them
    rng = np.random.default_rng(seed)
    marks = np.zeros((16, 16), dtype=np.uint8)
    for first in range(0, 16, 4):
        marks[first : first + 4, first : first + 4] = random_mag(rng, 4)
    for v in (3, 7, 11):
        marks[v, v + 1], marks[v + 1, v] = 2, 3
    climbs = climbs_over(model_correlation(rng, marks, singles(16), ROWS))
    found = climbs.climb_from(climbs.begin(Pulse()), np.zeros_like(marks))
    again = at(climbs, found.marks)
    again.climb()
    assert again.total > found.score - 0.1
