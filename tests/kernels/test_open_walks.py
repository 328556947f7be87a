"""Walks that are open given nothing, against their plain definition and against d-separation by networkx."""

import networkx as nx
import numpy as np
import pytest
from numpy.typing import NDArray

from ancestral import DAG, PAG, pag_of
from ancestral.graphs._open_walks_cy import open_walk_bits
from ancestral.graphs.bits import has_bit
from ancestral.graphs.canonical import canonical_dag
from ancestral.graphs.marks import ARROW, CIRCLE, NONE, TAIL
from ancestral.simulate.trouble import TROUBLE
from tests.support.reference import random_dag_marks, random_marks, some_mags

Marks = NDArray[np.uint8]
EVERY_KIND = [(one, other) for one in (CIRCLE, ARROW, TAIL) for other in (CIRCLE, ARROW, TAIL)]


def connected(marks: Marks) -> NDArray[np.bool_]:
    bits = open_walk_bits(marks)
    return np.array([[has_bit(row, v) for v in range(len(marks))] for row in bits])


def by_definition(marks: Marks) -> NDArray[np.bool_]:
    """Walks one step at a time; a walk is remembered by its last step alone."""
    n = len(marks)
    out = np.eye(n, dtype=bool)
    for root in range(n):
        steps = [(root, int(v)) for v in np.flatnonzero(marks[root])]
        for u, v in steps:
            out[root, v] = True
            for w in np.flatnonzero(marks[v]).tolist():
                at_v = {int(marks[u, v]), int(marks[w, v])}
                passable = TAIL in at_v or at_v == {CIRCLE} or (at_v == {ARROW, CIRCLE} and marks[u, w] == NONE)
                if w != u and passable and (v, w) not in steps:
                    steps.append((v, w))
    return out


@pytest.mark.parametrize("seed", range(40))
def test_any_graph_has_the_walks_of_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 2, 5, 9, 66]))
    marks = random_marks(rng, n, min(0.9, rng.uniform(0.5, 3) / n), EVERY_KIND)
    found = connected(marks)
    assert np.array_equal(found, by_definition(marks))
    assert np.array_equal(found, found.T)


@pytest.mark.parametrize("seed", range(6))
def test_parts_without_arrowheads_are_joined_as_a_whole(seed: int) -> None:
    rng = np.random.default_rng([seed, 1])
    circles = random_marks(rng, 40, 0.05, [(CIRCLE, CIRCLE), (CIRCLE, TAIL), (TAIL, TAIL)])
    others = random_marks(rng, 30, 0.1, EVERY_KIND)
    marks = np.zeros((70, 70), dtype=np.uint8)
    marks[:40, :40], marks[40:, 40:] = circles, others
    order = rng.permutation(70)
    marks = np.ascontiguousarray(marks[np.ix_(order, order)])
    assert np.array_equal(connected(marks), by_definition(marks))


def d_connected(dag: DAG, names: tuple[str, ...]) -> NDArray[np.bool_]:
    """At x, y: whether two nodes of a DAG are dependent given its selection, by networkx."""
    graph = nx.DiGraph([(a, b) for a, _, b in dag.edges()])
    graph.add_nodes_from(dag.nodes)
    out = np.eye(len(names), dtype=bool)
    for i, a in enumerate(names):
        for j, b in enumerate(names[:i]):
            out[i, j] = out[j, i] = not nx.is_d_separator(graph, {a}, {b}, set(dag.selection))
    return out


def test_in_a_pag_open_walks_are_dependences_given_nothing() -> None:
    """Of DAGs with latent variables and selection, of plain DAGs, and of MAGs with all kinds of edges."""
    rng = np.random.default_rng(1)
    dags = [trouble(seed=seed) for trouble in TROUBLE for seed in range(12)]
    for n in rng.integers(4, 12, size=30).tolist():
        dags.append(DAG([f"v{i}" for i in range(n)], random_dag_marks(rng, n, 3 / n)))
    graphs = [(pag_of(dag), dag) for dag in dags]
    graphs += [(pag_of(mag), canonical_dag(mag)) for mag in some_mags(5, 40, 6)]
    apart = pairs = 0
    for pag, dag in graphs:
        expected = d_connected(dag, pag.nodes)
        assert np.array_equal(connected(pag.marks), expected), str(pag)
        apart += int((~expected).sum()) // 2
        pairs += len(pag.nodes) * (len(pag.nodes) - 1) // 2
    assert 0.1 < apart / pairs < 0.9


def test_a_path_without_a_definite_collider_need_not_be_open() -> None:
    """Whichever way v o-o w points, one of the two is a collider: u and z are independent in every member."""
    pag = PAG.parse("u o-> v, u o-> w, z o-> v, z o-> w, v o-o w")
    u, z = pag.index("u"), pag.index("z")
    assert not connected(pag.marks)[u, z]


def test_a_triple_that_is_left_open_may_be_passed() -> None:
    """R1 would give b a tail; a graph in which it could not does not say that a and c are independent."""
    pag = PAG.parse("a o-> b, b o-o c")
    assert connected(pag.marks).all()


def test_a_walk_does_not_turn_back() -> None:
    """From a to b, on to c and back to b would end in a tail at b, from which any edge may be left."""
    pag = PAG.parse("a o-> b, b --o c, d o-> b")
    a, b, c, d = (pag.index(name) for name in "abcd")
    found = connected(pag.marks)
    assert found[a, b] and found[a, c] and found[d, c] and not found[a, d]
