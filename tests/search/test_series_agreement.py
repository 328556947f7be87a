"""Colliders in windows by agreement: what a decision needs, on correlations made for the purpose."""

from collections.abc import Sequence
from itertools import combinations
from math import atanh, erfc, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.data import Moments
from ancestral.graphs.window import Window
from ancestral.independence.fisher_z import FisherZ
from ancestral.knowledge import Knowledge
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search.series.known_ancestors import KnownAncestors
from ancestral.search.series.window_agreement import Witnessed, decisions
from ancestral.search.series.window_graph import WindowGraph

Floats = NDArray[np.float64]
Pairs = Sequence[tuple[int, int]]
ALPHA = 0.01

#: a and c at both ends of b; d, e and f are further nodes, all at one step.
A, B, C, D, E, F = range(6)
WINDOW = Window(tuple("abcdef"), 0)


def correlation(weights: dict[tuple[int, int], float]) -> Floats:
    """The correlations of a linear model with noise of variance 1; causes have smaller numbers in `order`."""
    order = [A, C, D, E, B, F]
    effects = np.zeros((6, 6))
    for (cause, effect), weight in weights.items():
        assert order.index(cause) < order.index(effect)
        effects[cause, effect] = weight
    total = np.linalg.inv(np.eye(6) - effects)
    covariance = total.T @ total
    scale = np.sqrt(np.diag(covariance))
    return np.asarray(covariance / np.outer(scale, scale))


def p_value(matrix: Floats, rows: int, *given: int) -> float:
    """The p-value of a and c given these nodes."""
    nodes = [A, C, *given]
    inverse = np.linalg.inv(matrix[np.ix_(nodes, nodes)])
    partial = -inverse[0, 1] / sqrt(inverse[0, 0] * inverse[1, 1])
    return erfc(sqrt((rows - len(given) - 3) / 2) * abs(atanh(partial)))


def decided(matrix: Floats, rows: int, edges: Pairs, sepset: list[int], causes: Pairs = ()) -> Witnessed:
    """The decisions on a graph with these edges, a and c being separated by this set, and these known causes."""
    test = FisherZ(Moments.from_correlation(matrix, rows=rows), ALPHA)
    constraints = Knowledge().constraints(WINDOW.names, False)
    graph = WindowGraph(WINDOW.places(WINDOW.names), constraints)
    graph.sepsets = Sepsets(6)
    for x, y in combinations(range(6), 2):
        if (x, y) not in edges:
            graph.marks[x, y] = graph.marks[y, x] = 0
    graph.sepsets.record(A, C, sepset)
    known = np.zeros((6, 6), dtype=bool)
    for cause, effect in causes:
        known[cause, effect] = True
    nothing = np.zeros((6, 6), dtype=bool)
    return decisions(graph, test.questions(test.names), test, KnownAncestors(known), nothing, Pulse())


@pytest.mark.parametrize(("rows", "is_decided"), [(200, False), (300, True)])
def test_a_collider_must_make_its_ends_dependent_whatever_else_is_given(rows: int, is_decided: bool) -> None:
    """Beside d, a cause of b, given which b shows more, the sets without b win by votes and by p-values."""
    matrix = correlation({(A, B): 0.5, (C, B): 0.5, (D, B): 0.5})
    without = [p_value(matrix, rows), p_value(matrix, rows, D)]
    with_b = [p_value(matrix, rows, B), p_value(matrix, rows, B, D)]
    assert min(without) > 0.99 and with_b[1] < ALPHA
    assert np.log(max(without) / max(with_b)) > 3  # strong enough
    assert (max(with_b) < ALPHA) is is_decided
    found = decided(matrix, rows, [(A, B), (B, C), (A, D), (B, D)], [])
    rows_of_b = [k for k, triple in enumerate(found.triples.tolist()) if triple == [A, B, C]]
    assert len(rows_of_b) == is_decided
    assert found.all_decided is is_decided
    for k in rows_of_b:
        assert found.colliders[k] == 1
        assert found.p_values[k] == pytest.approx([max(with_b), max(without)])


def test_a_non_collider_must_be_needed() -> None:
    matrix = correlation({(A, B): 0.5, (C, B): 0.0})
    assert min(p_value(matrix, 500), p_value(matrix, 500, B)) > 0.9  # a and c are independent either way
    assert not decided(matrix, 500, [(A, B), (B, C)], []).all_decided
    chain = np.eye(6)
    chain[A, B] = chain[B, A] = chain[B, C] = chain[C, B] = 0.5
    chain[A, C] = chain[C, A] = 0.25
    assert p_value(chain, 500) < ALPHA and p_value(chain, 500, B) > 0.9
    found = decided(chain, 500, [(A, B), (B, C)], [B])
    assert found.triples.tolist() == [[A, B, C]]
    assert found.colliders.tolist() == [0]


def test_a_known_ancestor_of_an_end_is_no_collider_whatever_the_answers_say() -> None:
    """The set that was recorded has b and a common effect f, which alone makes a and c dependent."""
    matrix = correlation({(A, F): 0.7, (C, F): 0.7})
    recorded = [B, D, E, F]
    assert p_value(matrix, 500, B) > 0.9 and p_value(matrix, 500, *recorded) < ALPHA
    found = decided(matrix, 500, [(A, B), (B, C)], recorded, causes=[(B, A)])
    assert found.triples.tolist() == [[A, B, C]]
    assert found.colliders.tolist() == [0]
    assert np.isnan(found.p_values).all()
    assert found.all_decided
