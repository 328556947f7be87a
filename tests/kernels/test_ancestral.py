"""Changes of an ancestral graph against the definitions of ancestral and maximal."""

from itertools import combinations

import numpy as np
import pytest

from ancestral.scores._ancestral_cy import AncestralGraph
from tests.support.ancestral_graphs import is_ancestral, is_induced, is_maximal, random_mag, set_type


def loaded(marks: np.ndarray) -> AncestralGraph:
    graph = AncestralGraph(len(marks))
    for a, b in np.argwhere(np.triu(marks != 0)).tolist():
        graph.change(a, b, 3 if marks[a, b] == marks[b, a] else 1 if marks[a, b] == 2 else 2)
    assert np.array_equal(graph.matrix(), marks)
    return graph


@pytest.mark.parametrize("seed", range(12))
def test_a_type_may_be_set_where_the_graph_stays_ancestral(seed: int) -> None:
    rng = np.random.default_rng(seed)
    marks = random_mag(rng, 6)
    graph = loaded(marks)
    for a, b in combinations(range(6), 2):
        for x, y in ((a, b), (b, a)):
            kind = graph.kind(x, y)
            graph.change(x, y, 0)
            for other in range(4):
                after = marks.copy()
                set_type(after, x, y, other)
                assert graph.may_change(x, y, other) is is_ancestral(after)
            graph.change(x, y, kind)
    assert np.array_equal(graph.matrix(), marks)


@pytest.mark.parametrize("seed", range(12))
def test_a_graph_without_inducing_paths_is_maximal(seed: int) -> None:
    rng = np.random.default_rng(seed)
    marks = random_mag(rng, 6, 0.8)
    for a, b in combinations(range(6), 2):  # without an edge, the graph may no longer be maximal
        fewer = marks.copy()
        set_type(fewer, a, b, 0)
        graph = loaded(fewer)
        pair = graph.inducing_pair()
        assert (pair is None) is is_maximal(fewer)
        assert pair is None or is_induced(fewer, *pair)


def test_knowledge_forbids_types_and_ancestors() -> None:
    types = np.full((3, 3), 15, dtype=np.uint8)
    types[0, 1], types[1, 0] = 1 | 1 << 1, 1 | 1 << 2
    no_cause = np.zeros((3, 3), dtype=np.uint8)
    no_cause[0, 2] = 1
    graph = AncestralGraph(3, types, no_cause)
    assert [graph.may_change(0, 1, kind) for kind in range(4)] == [True, True, False, False]
    assert [graph.may_change(1, 0, kind) for kind in range(4)] == [True, False, True, False]
    graph.change(0, 1, 1)
    assert not graph.may_change(1, 2, 1)  # 0 would cause 2
    assert graph.may_change(1, 2, 3)
    assert not graph.may_change(0, 2, 1)
