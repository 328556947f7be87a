"""What a DAG says of the pairs that it does not join: sets of parents that separate them, and none too large."""

from itertools import combinations

import numpy as np

from ancestral import DAG, is_separated
from ancestral.graphs.local_separation import local_separations
from ancestral.simulate import random_dag
from tests.support.reference import ARROW

DAGS = [random_dag(nodes=7, degree=3, latent=0, seed=seed) for seed in range(12)]


def sets_of(dag: DAG) -> dict[tuple[int, int], list[int]]:
    pairs, sizes, members = local_separations(dag.marks)
    stops = np.cumsum(sizes)
    return {
        (x, y): members[stop - size : stop].tolist()
        for (x, y), size, stop in zip(pairs.tolist(), sizes, stops, strict=True)
    }


def test_each_pair_without_an_edge_has_a_set() -> None:
    for dag in DAGS:
        n = len(dag.nodes)
        assert set(sets_of(dag)) == {(x, y) for x, y in combinations(range(n), 2) if not dag.marks[x, y]}


def test_the_sets_separate_and_are_minimal_and_parents() -> None:
    for dag in DAGS:
        name = dag.nodes
        for (x, y), given in sets_of(dag).items():
            assert is_separated(dag, name[x], name[y], given=[name[z] for z in given])
            for size in range(len(given)):
                for fewer in combinations(given, size):
                    assert not is_separated(dag, name[x], name[y], given=[name[z] for z in fewer])
            assert any(all(dag.marks[z, end] == ARROW for z in given) for end in (x, y))


def test_a_node_between_two_is_in_their_set_unless_it_is_a_collider() -> None:
    for dag in DAGS:
        for (x, y), given in sets_of(dag).items():
            for z in np.flatnonzero((dag.marks[x] > 0) & (dag.marks[y] > 0)).tolist():
                assert (z in given) == (not (dag.marks[x, z] == dag.marks[y, z] == ARROW))
