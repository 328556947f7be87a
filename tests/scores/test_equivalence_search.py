"""Greedy equivalence search: with exact covariances it comes to the class of the true DAG (Chickering 2002)."""

from itertools import product

import numpy as np
import pytest

import ancestral as an
from ancestral._pulse_cy import Pulse
from ancestral.classes.equivalence import cpdag_of
from ancestral.errors import GraphError
from ancestral.scores import equivalence_search
from ancestral.scores._local_scores_cy import LocalScores
from ancestral.scores.equivalence_search import greedy_equivalence_search
from ancestral.simulate.gaussian import gaussian_model
from tests.support.reference import ARROW, TAIL


def scores_of(covariance: np.ndarray, rows: float) -> LocalScores:
    scale = np.sqrt(np.diag(covariance))
    return LocalScores(covariance / np.outer(scale, scale), np.arange(len(scale) + 1), rows)


def test_an_exact_covariance_gives_the_class_of_the_true_dag() -> None:
    for seed in range(12):
        dag = an.simulate.random_dag(8, 2.5, seed=seed, latent=0)
        scores = scores_of(gaussian_model(dag, seed=seed).covariance, 1e6)
        cpdag, member = greedy_equivalence_search(scores, Pulse())
        assert an.CPDAG(dag.nodes, cpdag) == cpdag_of(dag) == cpdag_of(an.DAG(dag.nodes, member))


def members_of(cpdag: an.CPDAG) -> list[np.ndarray]:
    """All DAGs of a class, by trying both directions of each edge."""
    out = []
    pairs = np.argwhere(np.triu(cpdag.marks, 1)).tolist()
    for turned in product((False, True), repeat=len(pairs)):
        marks = np.zeros_like(cpdag.marks)
        for (x, y), turn in zip(pairs, turned, strict=True):
            u, v = (y, x) if turn else (x, y)
            marks[u, v], marks[v, u] = ARROW, TAIL
        try:
            dag = an.DAG(cpdag.nodes, marks)
        except GraphError:
            continue
        if cpdag_of(dag) == cpdag:
            out.append(marks)
    return out


def total(scores: LocalScores, dag: np.ndarray) -> float:
    return float(sum(scores.score_of(v, np.flatnonzero(dag[:, v] == ARROW).tolist()) for v in range(len(dag))))


def test_no_edge_of_any_dag_of_the_class_can_be_left_out() -> None:
    """The search ends with deletions, and each DAG without one edge is reached by a valid one (theorem 17)."""
    for seed in range(6):
        rows = an.simulate.linear_gaussian(an.simulate.random_dag(5, 2.5, seed=seed), rows=80, seed=seed)
        scores = scores_of(np.cov(rows.to_numpy(), rowvar=False), 80.0)
        cpdag, found = greedy_equivalence_search(scores, Pulse())
        members = members_of(an.CPDAG([f"v{i}" for i in range(len(cpdag))], cpdag))
        assert any(np.array_equal(found, dag) for dag in members)
        for dag in members:
            assert total(scores, dag) == pytest.approx(total(scores, found))
            for x, y in np.argwhere(dag == ARROW).tolist():
                fewer = dag.copy()
                fewer[x, y] = fewer[y, x] = 0
                assert total(scores, fewer) > total(scores, found) - 1e-6


def test_a_banned_edge_is_not_inserted() -> None:
    covariance = gaussian_model(an.DAG.parse("a -> c, b -> c"), seed=1).covariance
    scale = np.sqrt(np.diag(covariance))
    banned = np.zeros((3, 3), dtype=np.uint8)
    banned[:, 2] = 1  # into c
    scores = LocalScores(covariance / np.outer(scale, scale), np.arange(4), 1e6, banned=banned)
    _, dag = greedy_equivalence_search(scores, Pulse())
    assert not (dag[:, 2] == ARROW).any() and dag[2].any()


def test_of_many_neighbours_only_small_subsets_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = equivalence_search._subsets
    assert sorted(listed(0b1101)) == [0, 1, 4, 5, 8, 9, 12, 13]
    monkeypatch.setattr(equivalence_search, "MOST_SUBSETS", 2)
    assert sorted(listed(0b1101)) == [0, 1, 4, 5, 8, 9, 12]
