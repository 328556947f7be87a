"""Where climbs begin: any graph becomes a legal one within the limits, and each candidate pair has a reason."""

from itertools import combinations

import numpy as np
import pytest

from ancestral._pulse_cy import Pulse
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.search.scored.limits import Limits
from ancestral.search.scored.starts import candidate_pairs, legal_graph, order_search, ordered_dag
from tests.support.ancestral_graphs import (
    confounded_mag,
    every_pair,
    is_ancestral,
    is_legal,
    is_maximal,
    model_correlation,
    random_mag,
    set_type,
    singles,
)
from tests.support.knowledge_laws import believed, keeps_to

NAMES = ("a", "b", "c", "d", "e", "f")


def random_types(rng: np.random.Generator, n: int) -> np.ndarray:
    """A graph with random edges, ancestral or not."""
    marks = np.zeros((n, n), dtype=np.uint8)
    for a, b in every_pair(n).tolist():
        set_type(marks, a, b, int(rng.choice([0, 0, 0, 1, 2, 3])))
    return marks


@pytest.mark.parametrize("seed", range(30))
def test_any_graph_becomes_a_legal_one_with_all_its_edges(seed: int) -> None:
    rng = np.random.default_rng(seed)
    marks = random_types(rng, 6)
    found = legal_graph(marks, Limits.of(None, 6))
    assert is_ancestral(found) and is_maximal(found)
    assert (found != 0)[marks != 0].all()


@pytest.mark.parametrize("seed", range(10))
def test_a_legal_graph_stays_as_it_is(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for marks in (random_mag(rng, 6), confounded_mag(rng, 6)):
        assert np.array_equal(legal_graph(marks, Limits.of(None, 6)), marks)


def test_directed_edges_stay_where_a_bidirected_one_contradicts_them() -> None:
    marks = np.zeros((3, 3), dtype=np.uint8)  # a --> b --> c, but a <-> c says that a does not cause c
    for a, b, kind in ((0, 1, 1), (1, 2, 1), (0, 2, 3)):
        set_type(marks, a, b, kind)
    expected = marks.copy()
    set_type(expected, 0, 2, 1)
    assert np.array_equal(legal_graph(marks, Limits.of(None, 3)), expected)


def test_edges_are_added_where_an_inducing_path_is() -> None:
    marks = np.zeros((4, 4), dtype=np.uint8)  # a <-> b <-> c <-> d, b --> d, c --> a
    for a, b, kind in ((0, 1, 3), (1, 2, 3), (2, 3, 3), (1, 3, 1), (2, 0, 1)):
        set_type(marks, a, b, kind)
    assert is_ancestral(marks) and not is_maximal(marks)
    expected = marks.copy()
    set_type(expected, 0, 3, 3)
    assert np.array_equal(legal_graph(marks, Limits.of(None, 4)), expected)


@pytest.mark.parametrize("seed", range(60))
def test_it_keeps_to_what_is_known(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = believed(NAMES, rng)
    found = legal_graph(random_types(rng, 6), Limits.of(known.constraints(NAMES, False), 6))
    assert is_legal(found)
    assert keeps_to(found, NAMES, known)


@pytest.mark.parametrize("seed", range(10))
def test_candidates_are_adjacent_in_a_start_or_have_a_common_neighbour(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = believed(NAMES, rng)
    starts = [random_mag(rng, 6, 0.15) for _ in range(2)]
    joined = (starts[0] != 0) | (starts[1] != 0)
    expected = {
        (a, b): bool(joined[a, b])
        for a, b in combinations(range(6), 2)
        if (joined[a, b] or (joined[a] & joined[b]).any())
        and not {(NAMES[a], NAMES[b]), (NAMES[b], NAMES[a])} & set(known.no_edge)
    }
    pairs, inner = candidate_pairs(starts, Limits.of(known.constraints(NAMES, False), 6))
    assert dict(zip(map(tuple, pairs.tolist()), inner.tolist(), strict=True)) == expected


def test_an_order_search_gives_a_dag_without_banned_parents() -> None:
    for seed in range(6):
        rng = np.random.default_rng(seed)
        known = believed(NAMES, rng)
        correlation = model_correlation(rng, confounded_mag(rng, 6), singles(6))
        limits = Limits.of(known.constraints(NAMES, False), 6)
        _, marks = ordered_dag(
            order_search(ColumnBlocks.single(correlation, 300), limits, 0.5, Pulse()), rng.permutation(6)
        )
        assert is_ancestral(marks) and not ((marks == 2) & (marks.T == 2)).any()
        parents = (marks == 2) & (marks.T == 3)
        assert parents.any() and not (parents & limits.banned.astype(bool)).any()
