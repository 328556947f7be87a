"""Each generator shows the difficulty that it is made for, and much variety besides."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from ancestral import DAG, MAG, OptionError, is_separated, mag_of, pag_of
from ancestral.orientation import orient
from ancestral.orientation._judge_cy import TrueGraph
from ancestral.simulate import (
    TROUBLE,
    collider_paths,
    confounded_pairs,
    directed_paths,
    distant_d_sep,
    mixed_trouble,
    selected_pairs,
)
from ancestral.simulate.trouble import Trouble

SEEDS = 100

each_generator = pytest.mark.parametrize("make", TROUBLE, ids=lambda make: make.__name__)


def drawn(make: Trouble) -> Iterator[DAG]:
    return (make(seed=seed) for seed in range(SEEDS))


def share_with(make: Trouble, edge: str) -> float:
    """In how many of the PAGs the edge occurs."""
    return sum(any(kind == edge for _, kind, _ in pag_of(dag).edges()) for dag in drawn(make)) / SEEDS


def rules_used(make: Trouble) -> set[str]:
    """The rules that write a mark in one of the PAGs."""
    used = set()
    for dag in drawn(make):
        mag = mag_of(dag)
        used |= {step.rule for step in orient(mag.skeleton(), TrueGraph(mag.marks)).orientations(mag.nodes)}
    return used


@each_generator
def test_the_seed_decides(make: Trouble) -> None:
    assert make(seed=7) == make(seed=7) == make(seed=np.random.default_rng(7))


@each_generator
def test_seeds_give_many_different_graphs(make: Trouble) -> None:
    dags = list(drawn(make))
    assert len({len(dag.observed) for dag in dags}) >= 3
    assert len({mag_of(dag) for dag in dags}) > 0.7 * SEEDS
    assert len({pag_of(dag) for dag in dags}) > 0.6 * SEEDS


@each_generator
def test_names_do_not_tell_the_causal_order(make: Trouble) -> None:
    arrows = [(dag, a, b) for dag in drawn(make) for a, _, b in dag.edges() if {a, b} <= set(dag.observed)]
    forwards = [dag.index(a) < dag.index(b) for dag, a, b in arrows]
    assert 0.4 < np.mean(forwards) < 0.6


@each_generator
def test_hidden_nodes_join_two(make: Trouble) -> None:
    for dag in drawn(make):
        assert all(len(dag.neighbours(name, "-->")) == 2 for name in dag.latent)
        assert all(len(dag.neighbours(name, "<--")) == 2 for name in dag.selection)


@pytest.mark.parametrize("make", [confounded_pairs, selected_pairs, mixed_trouble])
def test_sizes_can_be_bounded(make: Trouble) -> None:
    assert {len(make(seed=seed, most=5).observed) for seed in range(20)} == {4, 5}


def test_too_small_a_size_is_refused() -> None:
    with pytest.raises(OptionError, match=r"most.*whole number.* 4"):
        mixed_trouble(seed=1, most=3)


def test_confounded_pairs_give_bidirected_edges() -> None:
    assert share_with(confounded_pairs, "<->") > 0.1
    both = [dag for dag in drawn(confounded_pairs) if any(confounded_and_joined(dag, name) for name in dag.latent)]
    assert len(both) > 0.5 * SEEDS


def confounded_and_joined(dag: DAG, latent: str) -> bool:
    a, b = dag.neighbours(latent, "-->")
    return dag.edge(a, b) is not None


def test_selected_pairs_give_undirected_edges() -> None:
    assert share_with(selected_pairs, "---") > 0.15
    assert {"R5", "R6", "R7"} <= rules_used(selected_pairs)


def test_collider_paths_discriminate() -> None:
    assert share_with(collider_paths, "<->") > 0.5
    assert "R4" in rules_used(collider_paths)


def test_collider_paths_induce_edges() -> None:
    assert sum(any(induced(dag, mag_of(dag))) for dag in drawn(collider_paths)) > 0.1 * SEEDS


def induced(dag: DAG, mag: MAG) -> Iterator[bool]:
    """For each edge of the MAG: whether its nodes are neither joined in the DAG nor confounded."""
    for a, _, b in mag.edges():
        yield dag.edge(a, b) is None and not dag.neighbours(a, "<--") & dag.neighbours(b, "<--") & dag.latent


def test_directed_paths_give_tails() -> None:
    assert {"R8", "R9", "R10"} <= rules_used(directed_paths)


def test_all_rules_are_used() -> None:
    used = set().union(*map(rules_used, TROUBLE))
    assert used == {f"R{i}" for i in range(11)}


def test_a_distant_node_separates_with_less() -> None:
    """In nearly all draws, some pair has a separating set smaller than all that lie in a neighbourhood of the two."""
    seeds = range(15)
    assert sum(any(needs_distant_nodes(mag_of(distant_d_sep(seed=seed)))) for seed in seeds) >= 0.8 * len(seeds)


def needs_distant_nodes(mag: MAG) -> Iterator[bool]:
    """For each pair: whether none of its smallest separating sets lies in the neighbourhood of one of the two."""
    for a, b in combinations(mag.nodes, 2):
        if mag.edge(a, b) is None:
            smallest = smallest_separators(mag, a, b)
            yield not any(given <= mag.neighbours(a) or given <= mag.neighbours(b) for given in smallest)


def smallest_separators(mag: MAG, a: str, b: str) -> list[frozenset[str]]:
    others = [name for name in mag.nodes if name not in (a, b)]
    for size in range(len(others) + 1):
        if found := [frozenset(z) for z in combinations(others, size) if is_separated(mag, a, b, given=z)]:
            return found
    raise AssertionError(f"{a} and {b} are not adjacent, yet nothing separates them in {mag!r}")
