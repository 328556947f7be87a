"""Identification in every class of three and four nodes, against the algorithm ID in every graph of the class.

An effect is identified from a PAG exactly if it is in each causal graph that has this PAG: graphs with arrows and any
hidden causes of two nodes.
"""

from collections.abc import Callable, Iterator
from itertools import permutations, product

import numpy as np
import pytest

from ancestral import CPDAG, DAG, identify, mag_of, pag_of
from ancestral.classes.equivalence import cpdag_of
from ancestral.graphs import MixedGraph
from tests.support.mixed_causes import MixedCauses, identifies, identifies_within, mixed_causes

Query = tuple[list[str], list[str], list[str]]


def causal_graphs(n: int, of: Callable[[DAG], MixedGraph]) -> dict[MixedGraph, list[MixedCauses]]:
    """The causal graphs behind each PAG or MAG of n nodes, one of all those that differ in names only."""
    out: dict[bytes, tuple[MixedGraph, set[MixedCauses]]] = {}
    for graph in mixed_causes(n):
        seen = of(graph.dag())
        named = {}
        for order in permutations(range(n)):  # node i is called order[i]
            back = np.argsort(order)
            named[order] = seen.marks[np.ix_(back, back)]
        smallest = min(marks.tobytes() for marks in named.values())
        for order, marks in named.items():
            if marks.tobytes() == smallest:
                out.setdefault(smallest, (type(seen)(seen.nodes, marks), set()))[1].add(graph.renamed(order))
    # graphs with the most hidden causes first: where an effect is not identified, one of them shows it at once
    return {seen: sorted(graphs, key=lambda g: -sum(map(len, g.spouses))) for seen, graphs in out.values()}


def queries(nodes: tuple[str, ...], conditions: bool) -> Iterator[Query]:
    """All disjoint x, y, and z where there are conditions."""
    for sides in product(range(4), repeat=len(nodes)):
        x, y, z = ([name for name, side in zip(nodes, sides, strict=True) if side == k] for k in (1, 2, 3))
        if x and y and bool(z) == conditions:
            yield x, y, z


def by_number(names: list[str]) -> set[int]:
    return {int(name[1:]) for name in names}


@pytest.mark.parametrize(("n", "classes"), [(3, 5), (4, 25)])
def test_effects_are_identified_if_they_are_in_every_graph_of_the_class(n: int, classes: int) -> None:
    found = causal_graphs(n, pag_of)
    assert len(found) == classes
    answered = refused = 0
    for pag, graphs in found.items():
        for x, y, z in [*queries(pag.nodes, False), *queries(pag.nodes, True)]:
            sets = by_number(x), by_number(y), by_number(z)
            truth = all(identifies_within(graph, *sets) for graph in graphs)
            assert identify(pag, x, y, within=z or None).identified == truth, f"{pag}: {x}, {y}, {z}"
            answered, refused = answered + truth, refused + (not truth)
    assert answered and refused


def test_effects_in_a_dag_are_those_that_the_algorithm_id_identifies() -> None:
    rng = np.random.default_rng(1)
    graphs = list(mixed_causes(4))
    answered = 0
    for i in rng.choice(len(graphs), 30, replace=False):
        dag = graphs[i].dag()
        for x, y, z in [*queries(dag.observed, False), *queries(dag.observed, True)]:
            sets = by_number(x), by_number(y), by_number(z)
            truth = identifies_within(graphs[i], *sets)
            assert identify(dag, x, y, within=z or None).identified == truth, f"{dag}: {x}, {y}, {z}"
            answered += truth
    assert answered


def test_effects_in_a_mag_are_identified_if_they_are_in_every_graph_with_that_mag() -> None:
    answered = refused = 0
    for mag, graphs in causal_graphs(4, mag_of).items():
        for x, y, _ in queries(mag.nodes, False):
            truth = all(identifies(graph, by_number(x), by_number(y)) for graph in graphs)
            assert identify(mag, x, y).identified == truth, f"{mag}: {x}, {y}"
            answered, refused = answered + truth, refused + (not truth)
    assert answered and refused


def test_effects_in_a_cpdag_are_identified_if_they_have_one_value_in_all_dags() -> None:
    """Without hidden causes every DAG identifies every effect; the class does if all DAGs give the same formula."""
    rng = np.random.default_rng(3)
    answered = refused = 0
    for _ in range(60):
        share = rng.uniform(0.3, 0.8)
        marks = np.zeros((5, 5), dtype=np.uint8)
        for i in range(5):
            for j in range(i):
                if rng.random() < share:
                    marks[j, i], marks[i, j] = 2, 3
        dag = DAG([f"v{i}" for i in range(5)], marks)
        cpdag = cpdag_of(dag)
        assert isinstance(cpdag, CPDAG)
        table = _gaussian(dag, rng)
        members = _dags_of(cpdag)
        for x, y in permutations(dag.nodes, 2):
            values = [_total_effect(member, table, dag.index(x), dag.index(y)) for member in members]
            one = max(values) - min(values) < 1e-9
            said = identify(cpdag, x, y)
            assert said.identified == one, f"{cpdag}: {x}, {y}, {values}"
            answered, refused = answered + one, refused + (not one)
    assert answered > 100 and refused > 100


def _gaussian(dag: DAG, rng: np.random.Generator) -> np.ndarray:
    n = len(dag.nodes)
    weights = np.zeros((n, n))
    for a, _, b in dag.edges():
        u, v = (dag.index(a), dag.index(b)) if dag.has(a, "-->", b) else (dag.index(b), dag.index(a))
        weights[v, u] = rng.uniform(0.5, 1.5) * rng.choice([-1, 1])
    out = np.linalg.inv(np.eye(n) - weights)
    return np.asarray(out @ out.T)


def _dags_of(cpdag: CPDAG) -> list[DAG]:
    """All DAGs of the class, by trying all directions of its undirected edges."""
    marks = cpdag.marks
    loose = [(u, v) for u, v in np.argwhere(np.triu(marks > 0)).tolist() if not (marks[u, v] == 2 or marks[v, u] == 2)]
    out = []
    for turned in product((False, True), repeat=len(loose)):
        chosen = marks.copy()
        for (u, v), flip in zip(loose, turned, strict=True):
            a, b = (v, u) if flip else (u, v)
            chosen[a, b], chosen[b, a] = 2, 3
        try:
            dag = DAG(cpdag.nodes, chosen)
        except Exception:  # a directed cycle
            continue
        if cpdag_of(dag) == cpdag:
            out.append(dag)
    return out


def _total_effect(dag: DAG, table: np.ndarray, x: int, y: int) -> float:
    """The effect in a linear system: y regressed on x and the parents of x; none if y is one of them."""
    parents = [u for u in range(len(table)) if dag.marks[u, x] == 2]
    if y in parents:
        return 0.0
    causes = [x, *parents]
    return float(np.linalg.solve(table[np.ix_(causes, causes)], table[causes, y])[0])
