"""Random DAGs follow the law of the paper's section 4."""

from collections import Counter
from itertools import combinations, product
from math import comb

import networkx as nx
import numpy as np
import pytest

from ancestral import DAG, GraphError, OptionError
from ancestral.simulate import random_dag

Arrows = frozenset[tuple[str, str]]


def arrows_of(dag: DAG) -> Arrows:
    return frozenset((a, b) for a, _, b in dag.edges())


def could_be_latent(nodes: tuple[str, ...], arrows: Arrows) -> list[str]:
    """The parentless nodes that have at least two children."""
    return [v for v in nodes if not any(b == v for _, b in arrows) and sum(a == v for a, _ in arrows) >= 2]


def paper_law(n: int, p: float) -> dict[tuple[Arrows, frozenset[str]], float]:
    """Each DAG that has something to hide with each of its latent sets, and their probability, by listing all."""
    names = tuple(f"x{i}" for i in range(1, n + 1))
    pairs = list(combinations(names, 2))
    law = {}
    for chosen in product([False, True], repeat=len(pairs)):
        arrows = frozenset(pair for pair, is_in in zip(pairs, chosen, strict=True) if is_in)
        network = nx.Graph(arrows)
        network.add_nodes_from(names)
        candidates = could_be_latent(names, arrows)
        if not candidates or not nx.is_connected(network):
            continue
        count = max(1, len(candidates) // 2)
        for latent in combinations(candidates, count):
            probability = p ** len(arrows) * (1 - p) ** (len(pairs) - len(arrows)) / comb(len(candidates), count)
            law[arrows, frozenset(latent)] = probability
    total = sum(law.values())
    return {outcome: probability / total for outcome, probability in law.items()}


@pytest.mark.parametrize("degree", [0.8, 2.0])
def test_each_dag_and_latent_set_has_the_probability_of_the_paper(degree: float) -> None:
    law = paper_law(4, degree / 3)
    draws = 3000
    rng = np.random.default_rng(1)
    dags = [random_dag(nodes=4, degree=degree, seed=rng) for _ in range(draws)]
    seen = Counter((arrows_of(dag), dag.latent) for dag in dags)
    assert set(seen) <= set(law)
    statistic = sum((seen[outcome] - draws * q) ** 2 / (draws * q) for outcome, q in law.items())
    freedom = len(law) - 1
    assert statistic < freedom + 3 * np.sqrt(2 * freedom)


@pytest.mark.parametrize("nodes", [3, 15, 35])
def test_half_of_the_parentless_nodes_with_two_children_are_latent(nodes: int) -> None:
    for seed in range(50):
        dag = random_dag(nodes=nodes, degree=2, seed=seed)
        candidates = could_be_latent(dag.nodes, arrows_of(dag))
        assert dag.latent <= set(candidates)
        assert len(dag.latent) == max(1, len(candidates) // 2)
        assert not dag.selection
        assert nx.is_connected(nx.Graph(arrows_of(dag)))
        assert len(dag.nodes) == nodes


def test_names_are_in_causal_order() -> None:
    dag = random_dag(nodes=20, degree=3, seed=1)
    assert dag.nodes == tuple(f"x{i}" for i in range(1, 21))
    assert all(dag.index(a) < dag.index(b) for a, b in arrows_of(dag))


def test_the_seed_decides() -> None:
    def drawn(seed: int | np.random.Generator) -> DAG:
        return random_dag(nodes=15, degree=2, seed=seed, selection=1)

    assert drawn(1) == drawn(1) == drawn(np.random.default_rng(1))
    assert len({drawn(seed) for seed in range(20)}) == 20
    rng = np.random.default_rng(1)
    assert drawn(rng) != drawn(rng)


@pytest.mark.parametrize("latent", [0, 1, 5])
def test_as_many_latent_nodes_as_asked_for(latent: int) -> None:
    beyond = 0
    for seed in range(30):
        dag = random_dag(nodes=15, degree=2, seed=seed, latent=latent)
        first = set(could_be_latent(dag.nodes, arrows_of(dag)))
        assert len(dag.latent) == latent
        # others are hidden only once the parentless ones are
        assert dag.latent <= first or first <= dag.latent
        assert all(len(dag.neighbours(name, "-->")) >= 2 for name in dag.latent)
        beyond += not dag.latent <= first
    assert (beyond > 0) == (latent == 5)


def test_without_latent_nodes_nothing_is_drawn_again() -> None:
    assert str(random_dag(nodes=2, degree=1, seed=1, latent=0)) == "x1 --> x2"


@pytest.mark.parametrize("selection", [1, 3])
def test_selection_nodes_are_childless_with_two_parents(selection: int) -> None:
    for seed in range(30):
        dag = random_dag(nodes=12, degree=2, seed=seed, selection=selection)
        assert len(dag.selection) == selection
        assert dag.latent
        for name in dag.selection:
            assert not dag.neighbours(name, "-->")
            assert len(dag.neighbours(name, "<--")) >= 2


@pytest.mark.parametrize("degree", [0.5, 2.0])
def test_a_thousand_nodes_that_rejection_would_never_connect(degree: float) -> None:
    dag = random_dag(nodes=1000, degree=degree, seed=1)
    assert nx.is_connected(nx.Graph(arrows_of(dag)))
    assert len(arrows_of(dag)) >= 999


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nodes": 1}, "nodes.*whole number.* 2"),
        ({"nodes": 5.0}, "nodes.*whole number"),
        ({"nodes": 5, "degree": 0}, "degree must be above 0 and at most 4, .* got 0"),
        ({"nodes": 5, "degree": float("nan")}, "degree must be .* got nan"),
        ({"nodes": 5, "degree": 4.5}, "degree must be above 0 and at most 4, .* got 4.5"),
        ({"nodes": 5, "latent": -1}, "latent.*whole number.* 0"),
        ({"nodes": 5, "selection": -1}, "selection.*whole number.* 0"),
        (
            {"nodes": 5, "latent": 3, "selection": 2},
            "at least one of 5 nodes must be observed, got latent=3 and selection=2; ask for fewer",
        ),
    ],
)
def test_invalid_options_are_refused(options: dict[str, int], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        random_dag(**options, seed=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nodes": 2, "degree": 1}, "none of 1,000 .* a parentless node .*; pass latent=0, or take more nodes"),
        ({"nodes": 5, "latent": 4}, "none of 1,000 .* has 4 nodes with two children to be latent; ask for fewer"),
        (
            {"nodes": 5, "latent": 0, "selection": 4},
            "has 4 childless nodes with two parents to select on; ask for fewer",
        ),
    ],
)
def test_roles_that_no_dag_has_nodes_for_are_refused(options: dict[str, int], message: str) -> None:
    with pytest.raises(GraphError, match=message):
        random_dag(**options, seed=1)
