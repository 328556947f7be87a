"""The sampler of connected graphs has the law of G(n, p) given that it is connected."""

from collections import Counter
from collections.abc import Mapping
from itertools import product

import networkx as nx
import numpy as np
import pytest
from numpy.typing import NDArray

from ancestral.simulate.connected import connected_graph

Graph = frozenset[tuple[int, int]]


def pairs_of(joined: NDArray[np.bool_]) -> Graph:
    return frozenset((int(i), int(j)) for i, j in np.argwhere(joined))


def is_connected(graph: Graph, n: int) -> bool:
    network = nx.Graph(graph)
    network.add_nodes_from(range(n))
    return bool(nx.is_connected(network))


def connected_law(n: int, p: float) -> dict[Graph, float]:
    """Every connected graph on n labelled vertices with its probability, by listing all graphs."""
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    weights = {}
    for chosen in product([False, True], repeat=len(pairs)):
        graph = frozenset(pair for pair, is_in in zip(pairs, chosen, strict=True) if is_in)
        if is_connected(graph, n):
            weights[graph] = p ** len(graph) * (1 - p) ** (len(pairs) - len(graph))
    total = sum(weights.values())
    return {graph: weight / total for graph, weight in weights.items()}


def excess(seen: Mapping[Graph, int], law: Mapping[Graph, float]) -> float:
    """How far the chi-square statistic lies above its mean, in its standard deviations; outside the law: infinite."""
    if set(seen) - set(law):
        return float("inf")
    draws = sum(seen.values())
    statistic = sum((seen.get(k, 0) - draws * q) ** 2 / (draws * q) for k, q in law.items())
    freedom = len(law) - 1
    return float((statistic - freedom) / np.sqrt(2 * freedom))


@pytest.mark.parametrize(("n", "p", "graphs"), [(3, 0.4, 4), (4, 0.1, 38), (4, 0.5, 38), (5, 0.5, 728)])
def test_every_connected_graph_has_its_probability(n: int, p: float, graphs: int) -> None:
    law = connected_law(n, p)
    assert len(law) == graphs
    rng = np.random.default_rng(1)
    assert excess(Counter(pairs_of(connected_graph(n, p, rng)) for _ in range(8000)), law) < 3


@pytest.mark.parametrize(("n", "p"), [(6, 0.3), (8, 0.3)])
def test_agrees_with_drawing_until_connected(n: int, p: float) -> None:
    rng = np.random.default_rng(2)
    expected: Counter[tuple[int, int]] = Counter()
    while expected.total() < 2000:
        joined = np.triu(rng.random((n, n)) < p, 1)
        if np.linalg.matrix_power(np.eye(n) + joined + joined.T, n).all():
            expected[shape(joined)] += 1
    seen = Counter(shape(connected_graph(n, p, rng)) for _ in range(2000))
    # two samples of one law: in each class the difference of the counts has the variance of their sum
    classes = [k for k in expected | seen if expected[k] + seen[k] >= 10]
    statistic = sum((expected[k] - seen[k]) ** 2 / (expected[k] + seen[k]) for k in classes)
    assert len(classes) >= 15
    assert statistic < len(classes) + 3 * np.sqrt(2 * len(classes))


def shape(joined: NDArray[np.bool_]) -> tuple[int, int]:
    """The number of edges, and the degree of the last vertex: the first is special to the sampler, the last is not."""
    return int(joined.sum()), int(joined[:, -1].sum())


def test_all_vertices_are_alike() -> None:
    rng = np.random.default_rng(3)
    joined = np.array([connected_graph(40, 0.03, rng) for _ in range(1500)])
    degrees = (joined | joined.transpose(0, 2, 1)).sum(axis=1)
    error = degrees.std() / np.sqrt(len(degrees))
    assert np.abs(degrees.mean(axis=0) - degrees.mean()).max() < 4 * error


@pytest.mark.parametrize(
    ("n", "p"), [(2, 1e-9), (2, 1.0), (9, 1.0), (50, 1e-12), (400, 1e-9), (300, 0.002), (200, 0.9)]
)
def test_is_connected_at_all_extremes(n: int, p: float) -> None:
    graph = pairs_of(connected_graph(n, p, np.random.default_rng(4)))
    assert is_connected(graph, n)
    assert all(i < j for i, j in graph)


def test_is_a_tree_when_edges_are_rare_and_complete_when_they_are_certain() -> None:
    rng = np.random.default_rng(5)
    assert connected_graph(100, 1e-12, rng).sum() == 99
    assert connected_graph(10, 1.0, rng).sum() == 45
