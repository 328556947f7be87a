"""Minimal separators and moral graphs against their definitions, on random graphs."""

from itertools import islice

import numpy as np

from ancestral.effects.separators import minimal_separators, moral
from tests.support.reference import ARROW, TAIL, ancestors, random_marks, separated_by_paths, subsets


def cut_off(edges: np.ndarray, near: set[int], far: set[int], barred: set[int]) -> bool:
    found = set(near)
    while more := {int(v) for u in found for v in np.flatnonzero(edges[u])} - found - barred:
        found |= more
    return not found & far


def test_all_minimal_separators_are_found_once() -> None:
    rng = np.random.default_rng(1)
    several = 0
    for _ in range(400):
        n = int(rng.integers(6, 10))
        half = np.triu(rng.random((n, n)) < rng.uniform(0.2, 0.35), 1)
        edges = half | half.T
        order = rng.permutation(n).tolist()  # few ends, so that there is room between them
        near, far = set(order[: 1 + (rng.random() < 0.2)]), set(order[2 : 3 + (rng.random() < 0.2)])
        allowed = frozenset(v for v in set(range(n)) - near - far if rng.random() < 0.9)
        valid = [frozenset(z) for z in subsets(allowed) if cut_off(edges, near, far, set(z))]
        minimal = [z for z in valid if not any(other < z for other in valid)]
        found = list(minimal_separators(edges, near, far, allowed))
        assert len(found) == len(minimal)
        assert set(found) == set(minimal)
        several += len(minimal) > 1
    assert several > 30


def test_the_first_separator_is_the_nearest() -> None:
    """On a line 0 – 1 – 2 – 3 – 4 each node between separates the ends."""
    edges = np.zeros((5, 5), dtype=bool)
    for u in range(4):
        edges[u, u + 1] = edges[u + 1, u] = True
    assert list(minimal_separators(edges, {0}, {4}, frozenset({1, 2, 3}))) == [{1}, {2}, {3}]
    assert list(islice(minimal_separators(edges, {4}, {0}, frozenset({1, 2})), 1)) == [{2}]


def test_in_a_moral_graph_separation_is_m_separation() -> None:
    """Also in ancestral graphs that are not maximal, as a proper back-door graph may be."""
    rng = np.random.default_rng(2)
    asked = 0
    for _ in range(150):
        marks = random_marks(
            rng, 5, rng.uniform(0.4, 0.8), [(ARROW, TAIL), (ARROW, ARROW)]
        )  # acyclic: from low to high
        if any(
            marks[u, v] == ARROW and marks[v, u] == ARROW and u in ancestors(marks, {v}) for u, v in np.argwhere(marks)
        ):
            continue
        for x, y in ((0, 4), (1, 3), (2, 0), (3, 4)):
            before = frozenset(ancestors(marks, {x, y}))
            joined = moral(marks == ARROW, marks != 0, before)
            for given in subsets(before - {x, y}):
                assert cut_off(joined, {x}, {y}, set(given)) is separated_by_paths(marks, x, y, given)
                asked += 1
    assert asked > 500
