"""Denied dependences, against m-separation by networkx and p-values by scipy."""

import networkx as nx
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import ancestral as an
from ancestral.checking.denials import denials
from ancestral.graphs.canonical import canonical_dag
from ancestral.graphs.names import in_order
from ancestral.independence.fisher_z import FisherZ
from ancestral.search.marginals import Marginals


def named(a: str, b: str) -> tuple[str, str]:
    first, second = in_order((a, b))
    return first, second


def p_values(rows: NDArray[np.float64], names: tuple[str, ...]) -> dict[tuple[str, str], float]:
    """The p-value of every pair by Fisher's z."""
    out = {}
    for i, a in enumerate(names):
        for j, b in enumerate(names[:i]):
            z = np.sqrt(len(rows) - 3) * np.arctanh(np.corrcoef(rows[:, i], rows[:, j])[0, 1])
            out[named(a, b)] = float(2 * stats.norm.sf(abs(z)))
    return out


def separated(mag: an.MAG) -> set[tuple[str, str]]:
    """The pairs that a MAG separates by nothing, by d-separation in its canonical DAG."""
    dag = canonical_dag(mag)
    graph = nx.DiGraph([(a, b) for a, _, b in dag.edges()])
    graph.add_nodes_from(dag.nodes)
    return {
        named(a, b)
        for i, a in enumerate(mag.nodes)
        for b in mag.nodes[:i]
        if nx.is_d_separator(graph, {a}, {b}, set(dag.selection))
    }


@pytest.mark.parametrize("seed", range(12))
def test_all_counts_are_those_of_brute_force(seed: int) -> None:
    """The PAG of one graph, held against rows of another one."""
    rng = np.random.default_rng(seed)
    mag = an.mag_of(an.simulate.random_dag(12, 2, seed=seed))
    weights = np.triu(rng.normal(size=(len(mag.nodes),) * 2) * (rng.random((len(mag.nodes),) * 2) < 0.4), 1)
    rows = rng.normal(size=(200, len(mag.nodes))) @ np.linalg.inv(np.eye(len(mag.nodes)) - weights)
    test = FisherZ(an.Moments.of(rows, names=list(mag.nodes)))
    names = in_order(test.names)
    found = denials(an.pag_of(mag).arranged(names), Marginals.asked(test, test.questions(names)), 0.03)
    seen, apart = p_values(rows, mag.nodes), separated(mag)
    dependent = {pair for pair, p in seen.items() if p < 0.03}
    denied = sorted(dependent & apart, key=lambda pair: seen[pair])
    assert found.implied == len(apart) > 0 and denied
    assert (found.dependences, found.independences) == (len(dependent), len(seen) - len(dependent))
    assert found.denied == len(denied)
    assert found.beyond_chance == sum(seen[pair] < 0.01 / len(apart) for pair in denied)
    assert found.claimed == len(seen.keys() - dependent - apart)
    assert [(names[x], names[y]) for x, y in found.pairs.tolist()] == denied
    assert found.p_values.tolist() == pytest.approx([seen[pair] for pair in denied], rel=1e-6)


@pytest.mark.parametrize("seed", range(8))
def test_the_graph_of_questions_is_checked_at_the_level_of_the_search(seed: int) -> None:
    frame = an.simulate.linear_gaussian(an.simulate.random_dag(10, 2.5, seed=seed), rows=200, seed=seed)
    found, rows = an.discover(frame, alpha=0.05), frame.to_numpy()
    check = found.check
    assert check is not None and check.alpha == 0.05
    seen = p_values(rows, found.pag.nodes)
    assert check.dependences == sum(p < 0.05 for p in seen.values())
    if an.legal(found.pag):
        apart = separated(an.mag_in(found.pag))
        assert check.implied == len(apart)
        assert check.denied == sum(seen[pair] < 0.05 for pair in apart)


def test_the_worst_pair_comes_first_also_if_p_values_are_too_small_for_doubles() -> None:
    """All p-values are 0; the correlations tell which is the worst."""
    rng = np.random.default_rng(1)
    common = rng.normal(size=(5000, 1))
    moments = an.Moments.of(
        np.hstack([common + rng.normal(size=(5000, 1)) * s for s in (0.5, 0.1, 0.05)]), names=list("abc")
    )
    test = FisherZ(moments)
    apart = denials(np.zeros((3, 3), np.uint8), Marginals.asked(test, test.questions("abc")), 0.01)
    assert apart.p_values.tolist() == [0, 0, 0]
    assert apart.pairs.tolist() == [[1, 2], [0, 2], [0, 1]]


def test_true_graphs_are_rarely_accused() -> None:
    """Beyond chance in 1 of 100 at most: then of 400 runs, 9 or more have probability 0.02."""
    accused = 0
    for seed in range(400):
        dag = an.simulate.random_dag(12, 2, seed=seed)
        test = FisherZ(an.Moments.of(an.simulate.linear_gaussian(dag, rows=100, seed=seed)))
        names = in_order(test.names)
        found = denials(an.pag_of(dag).arranged(names), Marginals.asked(test, test.questions(names)), 0.01)
        accused += bool(found.beyond_chance)
    assert accused <= 8


def test_a_graph_that_lost_an_edge_is_accused() -> None:
    rows = an.simulate.linear_gaussian(an.DAG.parse("a -> b, b -> c"), rows=500, seed=1)
    test = FisherZ(an.Moments.of(rows))
    graph = an.PAG.parse("a o-o b, c")
    found = denials(graph.arranged("abc"), Marginals.asked(test, test.questions("abc")), 0.01)
    assert (found.dependences, found.implied, found.denied, found.beyond_chance) == (3, 2, 2, 2)


def test_only_the_worst_pairs_are_listed() -> None:
    """Sixty copies with noise: 1,770 dependences, and a graph without edges denies them all."""
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(300, 1)) + rng.normal(size=(300, 60))
    test = FisherZ(an.Moments.of(rows, names=[f"x{i}" for i in range(60)]))
    found = denials(np.zeros((60, 60), np.uint8), Marginals.asked(test, test.questions(test.names)), 0.01)
    assert (found.denied, len(found.pairs)) == (1770, 1000)
    strength = np.abs(np.asarray(np.corrcoef(rows.T)))
    cut = np.sort(strength[np.triu_indices(60, 1)])[-1000]
    listed = strength[found.pairs[:, 0], found.pairs[:, 1]]
    assert listed.min() == pytest.approx(cut)
    assert (np.diff(listed) <= 1e-12).all()
