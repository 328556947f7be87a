"""Shortest paths and directed cycles, compared with networkx."""

import itertools

import networkx as nx
import numpy as np
import pytest

from ancestral.graphs.paths import directed_cycle, predecessors, shortest, shortest_of_steps


@pytest.mark.parametrize("seed", range(20))
def test_paths_are_shortest_and_follow_the_steps(seed: int) -> None:
    rng = np.random.default_rng(seed)
    steps = rng.random((8, 8)) < 0.2
    np.fill_diagonal(steps, False)
    graph = nx.from_numpy_array(steps, create_using=nx.DiGraph)
    lengths = dict(nx.all_pairs_shortest_path_length(graph))
    for start in range(8):
        for end in range(8):
            path = shortest_of_steps(steps, start, end)
            if start == end:
                expected = min((1 + lengths[v][end] for v in graph[start] if end in lengths[v]), default=None)
            else:
                expected = lengths[start].get(end)
            assert (len(path) - 1 if path else None) == expected
            assert not path or (path[0], path[-1]) == (start, end)
            assert all(steps[u, v] for u, v in itertools.pairwise(path))


def test_of_equally_short_paths_the_first_is_taken_and_names_will_do() -> None:
    after = {"a": "cb", "b": "d", "c": "d", "d": "a", "e": ""}.__getitem__
    assert shortest(after, "a", "d") == ["a", "c", "d"]
    assert shortest(after, "a", "a") == ["a", "c", "d", "a"]
    assert shortest(after, "a", "e") == shortest(after, "e", "e") == []
    assert predecessors(after, "b") == {"d": "b", "a": "d", "c": "a", "b": "a"}


@pytest.mark.parametrize("seed", range(20))
def test_a_cycle_is_found_if_there_is_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    steps = rng.random((7, 7)) < 0.15
    np.fill_diagonal(steps, False)
    cycle = directed_cycle(steps)
    assert bool(cycle) is not nx.is_directed_acyclic_graph(nx.from_numpy_array(steps, create_using=nx.DiGraph))
    assert all(steps[u, v] for u, v in zip(cycle, cycle[1:] + cycle[:1], strict=True))
