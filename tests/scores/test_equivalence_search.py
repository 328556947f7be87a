"""Greedy equivalence search: with exact covariances it comes to the class of the true DAG (Chickering 2002)."""

from functools import cache
from itertools import combinations, permutations, product

import numpy as np
import pytest

import ancestral as an
from ancestral._pulse_cy import Pulse
from ancestral.classes.equivalence import cpdag_of
from ancestral.scores import equivalence_search
from ancestral.scores._local_scores_cy import LocalScores
from ancestral.scores.equivalence_search import greedy_equivalence_search
from ancestral.simulate.gaussian import gaussian_model
from tests.support.reference import ARROW


def scores_of(covariance: np.ndarray, rows: float) -> LocalScores:
    scale = np.sqrt(np.diag(covariance))
    return LocalScores(covariance / np.outer(scale, scale), np.arange(len(scale) + 1), rows)


def test_an_exact_covariance_gives_the_class_of_the_true_dag() -> None:
    for seed in range(12):
        dag = an.simulate.random_dag(8, 2.5, seed=seed, latent=0)
        scores = scores_of(gaussian_model(dag, seed=seed).covariance, 1e6)
        cpdag, member = greedy_equivalence_search(scores, Pulse())
        assert an.CPDAG(dag.nodes, cpdag) == cpdag_of(dag) == cpdag_of(an.DAG(dag.nodes, member))


# -- beside the definition: from a class to the best one of those whose DAGs have one edge more, or one less -----------

#: A DAG as the set of its edges u, v, and a class by what its DAGs share: pairs that are joined, and v-structures.
Edges = frozenset[tuple[int, int]]
Class = tuple[frozenset[frozenset[int]], frozenset[tuple[frozenset[int], int]]]

NODES = range(5)


def is_acyclic(edges: Edges) -> bool:
    left = set(NODES)
    while sinks := {v for v in left if not any(u == v and w in left for u, w in edges)}:
        left -= sinks
    return not left


def class_of(edges: Edges) -> Class:
    joined = frozenset(frozenset(edge) for edge in edges)
    colliders = frozenset(
        (frozenset((u, w)), v)
        for u, v in edges
        for w, t in edges
        if t == v and u < w and frozenset((u, w)) not in joined
    )
    return joined, colliders


@cache
def classes() -> dict[Class, list[Edges]]:
    """All DAGs of five nodes, by their classes."""
    out: dict[Class, list[Edges]] = {}
    pairs = list(combinations(NODES, 2))
    for choice in product((None, False, True), repeat=len(pairs)):
        edges = frozenset(
            (v, u) if turn else (u, v) for (u, v), turn in zip(pairs, choice, strict=True) if turn is not None
        )
        if is_acyclic(edges):
            out.setdefault(class_of(edges), []).append(edges)
    return out


def neighbours(current: Class, more: bool) -> set[Class]:
    """The classes of DAGs that have one edge more than some DAG of this class, or one less."""
    out = set()
    for edges in classes()[current]:
        if more:
            missing = [pair for pair in permutations(NODES, 2) if frozenset(pair) not in current[0]]
            out |= {class_of(edges | {pair}) for pair in missing if is_acyclic(edges | {pair})}
        else:
            out |= {class_of(edges - {pair}) for pair in edges}
    return out


def greedy(scores: LocalScores) -> Class:
    local = {
        (v, given): scores.score_of(v, list(given))
        for v in NODES
        for size in range(5)
        for given in combinations([u for u in NODES if u != v], size)
    }

    def score(one: Class) -> float:
        edges = classes()[one][0]
        return float(sum(local[v, tuple(sorted(u for u, w in edges if w == v))] for v in NODES))

    current = class_of(frozenset())
    for more in (True, False):
        while near := neighbours(current, more):
            best = min(near, key=score)
            if score(best) > score(current) - 1e-6:
                break
            current = best
    return current


def test_each_step_is_the_best_one_there_is() -> None:
    assert sum(map(len, classes().values())) == 29281 and len(classes()) == 8782  # as is known of five nodes
    for seed in range(40):
        rng = np.random.default_rng(seed)
        mixed = rng.standard_normal((5, 5)) * (rng.random((5, 5)) < 0.6) + 0.5 * np.eye(5)
        values = rng.standard_normal((60, 5)) @ mixed
        scores = scores_of(np.cov(values, rowvar=False) + 1e-3 * np.eye(5), 60.0)
        cpdag, dag = greedy_equivalence_search(scores, Pulse())
        found = frozenset((u, v) for u, v in np.argwhere(dag == ARROW).tolist())
        assert class_of(found) == greedy(scores)
        shared = frozenset((u, v) for u, v in np.argwhere(cpdag == ARROW).tolist())
        assert shared == frozenset.intersection(*classes()[class_of(found)])


@pytest.mark.parametrize("seed", [*range(20), 430, 469, 1088])
def test_operators_that_are_kept_are_those_that_would_be_made_anew(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the last three, the search would end elsewhere if only the nodes of an edge that changed were looked at."""
    rng = np.random.default_rng(seed)
    n, rows = int(rng.integers(6, 13)), int(rng.choice([30, 60, 200, 1000]))
    weights = np.triu(rng.standard_normal((n, n)) * (rng.random((n, n)) < rng.choice([0.2, 0.35, 0.5])), 1)
    values = rng.standard_normal((rows, n))
    for v in range(n):
        values[:, v] += values @ weights[:, v]
    gamma = float(rng.choice([0, 0.5]))
    scores = LocalScores(np.corrcoef(values, rowvar=False), np.arange(n + 1), float(rows), gamma=gamma)
    kept, _ = greedy_equivalence_search(scores, Pulse())
    apply = equivalence_search._State.apply
    monkeypatch.setattr(equivalence_search._State, "apply", lambda *of: apply(*of) and list(range(n)))
    anew, _ = greedy_equivalence_search(scores, Pulse())
    assert np.array_equal(kept, anew)


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
