"""The search for members against brute force over all ancestral graphs on a skeleton."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from ancestral.classes._equivalence_cy import enumerate_mags
from ancestral.graphs._members_cy import MemberSearch
from ancestral.graphs.ancestry import directed_steps, reachable
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL

Marks = NDArray[np.uint8]
Triple = tuple[int, int, int]

#: Steps back that suffice for every graph here.
ENOUGH = 10_000


def random_marks(rng: np.random.Generator, known: float, edges: int = 5) -> Marks:
    """A graph on up to five nodes whose marks are circles but for this share."""
    n = int(rng.integers(2, 6))
    marks = np.zeros((n, n), dtype=np.uint8)
    pairs = list(combinations(range(n), 2))
    for i in rng.permutation(len(pairs))[:edges].tolist():
        x, y = pairs[i]
        for u, v in ((x, y), (y, x)):
            marks[u, v] = rng.choice([ARROW, TAIL]) if rng.random() < known else CIRCLE
    return marks


def unshielded(marks: Marks) -> list[Triple]:
    """Each a–b–c whose ends are not adjacent."""
    n = len(marks)
    return [
        (a, b, c) for b in range(n) for a, c in combinations(np.flatnonzero(marks[b]).tolist(), 2) if not marks[a, c]
    ]


def keeps(graph: Marks, no_cause: NDArray[np.bool_]) -> bool:
    """Whether no node causes what it is known not to cause, nor the selection if anything is known of it."""
    paths = reachable(directed_steps(graph))
    undirected = ((graph == TAIL) & (graph.T == TAIL)).any(axis=1)
    return not (paths & no_cause).any() and not (undirected & no_cause.any(axis=1)).any()


def members(marks: Marks, selection: bool, no_cause: NDArray[np.bool_]) -> list[Marks]:
    """All ancestral graphs on the skeleton that agree with the marks and with what is known."""
    return [
        graph
        for graph in enumerate_mags((marks != 0).astype(np.uint8), like_colliders=False)
        if ((marks == CIRCLE) | (marks == graph)).all()
        and (selection or not ((graph == TAIL) & (graph.T == TAIL)).any())
        and keeps(graph, no_cause)
    ]


def is_collider(graph: Marks, triple: Triple) -> bool:
    a, b, c = triple
    return bool(graph[a, b] == ARROW and graph[c, b] == ARROW)


@pytest.mark.parametrize("seed", range(6))
def test_decisions_are_accepted_one_after_the_other_while_a_member_has_them_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    refused = 0
    for _ in range(25):
        marks = random_marks(rng, known=0.25)
        selection = bool(rng.integers(2))
        no_cause = rng.random(marks.shape) < rng.choice([0.0, 0.15])
        np.fill_diagonal(no_cause, False)
        triples = unshielded(marks)
        rng.shuffle(triples)
        colliders = rng.integers(2, size=len(triples)).tolist()
        left = members(marks, selection, no_cause)
        expected = []
        for triple, collider in zip(triples, colliders, strict=True):
            agreeing = [graph for graph in left if is_collider(graph, triple) == bool(collider)]
            expected.append(bool(agreeing))
            left = agreeing or left
        search = MemberSearch(
            marks,
            selection=selection,
            no_cause=no_cause.astype(np.uint8) if no_cause.any() else None,
            triples=np.array(triples, dtype=np.intc).reshape(-1, 3),
            colliders=colliders,
        )
        accepted = search.accept(ENOUGH).astype(bool).tolist()
        assert accepted == expected
        refused += expected.count(False)
        if left:
            assert any(np.array_equal(search.marks, graph) for graph in left)
        else:
            assert search.marks is None
    assert refused


@pytest.mark.parametrize("seed", range(4))
def test_a_member_is_found_if_and_only_if_there_is_one(seed: int) -> None:
    rng = np.random.default_rng([seed, 1])
    answers = set()
    for _ in range(25):
        marks = random_marks(rng, known=0.7, edges=6)
        selection = bool(rng.integers(2))
        there = members(marks, selection, np.zeros(marks.shape, dtype=bool))
        search = MemberSearch(marks, selection=selection)
        found = search.find(ENOUGH)
        assert found == (1 if there else 0)
        assert not there or any(np.array_equal(search.marks, graph) for graph in there)
        answers.add(found)
    assert answers == {0, 1}


@pytest.mark.parametrize("seed", range(3))
def test_further_marks_are_allowed_while_a_member_has_them(seed: int) -> None:
    rng = np.random.default_rng([seed, 2])
    for _ in range(10):
        marks = random_marks(rng, known=0.1)
        search = MemberSearch(marks)
        left = members(marks, True, np.zeros(marks.shape, dtype=bool))
        if not left:
            continue
        search.accept(ENOUGH)
        for x, y in np.argwhere(marks == CIRCLE).tolist():
            mark = int(rng.choice([ARROW, TAIL]))
            agreeing = [graph for graph in left if graph[x, y] == mark]
            assert search.allow([(x, y, mark)], ENOUGH) == bool(agreeing)
            left = agreeing or left


def test_a_ring_without_colliders_needs_undirected_edges() -> None:
    # a ring of four without undirected edges, none of whose nodes may be a collider, would be a directed cycle
    ring = np.zeros((4, 4), dtype=np.uint8)
    triples = [(3, 0, 1), (0, 1, 2), (1, 2, 3), (2, 3, 0)]
    for _, b, c in triples:
        ring[b, c] = ring[c, b] = CIRCLE
    search = MemberSearch(ring, selection=False, triples=np.array(triples, dtype=np.intc), colliders=[0, 0, 0, 0])
    assert search.accept(ENOUGH).tolist() == [1, 1, 1, 0]
    with_selection = MemberSearch(ring, triples=np.array(triples, dtype=np.intc), colliders=[0, 0, 0, 0])
    assert with_selection.accept(ENOUGH).tolist() == [1, 1, 1, 1]
