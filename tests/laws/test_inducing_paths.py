"""Inducing paths between non-adjacent nodes of ancestral graphs without undirected edges: all edges are bidirected."""

from collections.abc import Iterator
from itertools import combinations, pairwise, product

import numpy as np
import pytest

from tests.kernels.test_ancestral import loaded
from tests.support.ancestral_graphs import Marks, every_pair, is_ancestral, set_type
from tests.support.reference import ARROW, ancestors, simple_paths


def graph_of(n: int, kinds: tuple[int, ...]) -> Marks:
    """The graph whose pairs have these types, in the order of `every_pair`."""
    marks = np.zeros((n, n), dtype=np.uint8)
    for (a, b), kind in zip(every_pair(n).tolist(), kinds, strict=True):
        set_type(marks, a, b, kind)
    return marks


def every_ancestral_graph(n: int) -> Iterator[Marks]:
    """The ancestral graphs of n nodes without undirected edges."""
    for kinds in product(range(4), repeat=n * (n - 1) // 2):
        if is_ancestral(marks := graph_of(n, kinds)):
            yield marks


def random_ancestral_graph(rng: np.random.Generator, n: int) -> Marks:
    """A graph that need not be maximal: random types, most of them bidirected, each kept if it is still ancestral."""
    marks = np.zeros((n, n), dtype=np.uint8)
    for a, b in rng.permutation(every_pair(n)).tolist():
        set_type(marks, a, b, int(rng.choice(4, p=[0.3, 0.15, 0.15, 0.4])))
        if not is_ancestral(marks):
            set_type(marks, a, b, 0)
    return marks


def inducing_paths(marks: Marks) -> Iterator[list[int]]:
    """The inducing paths between nodes without an edge: inner nodes are colliders and ancestors of an end."""
    for x, y in combinations(range(len(marks)), 2):
        if marks[x, y]:
            continue
        above = ancestors(marks, [x, y])
        for path in simple_paths(marks, x, y):
            inner = zip(path, path[1:], path[2:], strict=False)
            if all(marks[u, v] == ARROW and marks[w, v] == ARROW and v in above for u, v, w in inner):
                yield path


def check(marks: Marks) -> int:
    """Every inducing path is bidirected, no end is an ancestor of the other, and the kernel finds its pair of ends."""
    paths = list(inducing_paths(marks))
    for path in paths:
        assert all(marks[u, v] == ARROW and marks[v, u] == ARROW for u, v in pairwise(path))
        assert path[0] not in ancestors(marks, [path[-1]]) and path[-1] not in ancestors(marks, [path[0]])
    pair = loaded(marks).inducing_pair()
    ends = {(path[0], path[-1]) for path in paths}
    if pair is None:
        assert not ends
    else:
        assert (min(pair), max(pair)) in ends
    return len(paths)


def test_in_every_graph_of_four_nodes() -> None:
    # only a <-> b <-> c <-> d, where b causes d and c causes a: for each of the 12 paths, one graph
    assert sum(check(marks) for marks in every_ancestral_graph(4)) == 12


@pytest.mark.parametrize(("seed", "n"), [(1, 5), (2, 6)])
def test_in_random_graphs(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    assert sum(check(random_ancestral_graph(rng, n)) for _ in range(600)) > 10
