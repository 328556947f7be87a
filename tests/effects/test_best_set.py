"""The best adjustment set against the exact asymptotic variances of all adjustment sets in random linear systems."""

from collections import Counter
from itertools import chain, combinations

import numpy as np
import pytest

import ancestral as an
from tests.effects.linear_systems import Floats, LinearSystem

#: Variances that differ by less than this share are the same, but for rounding.
ROUNDING = 1e-9


def variance(covariance: Floats, x: list[int], y: int, given: list[int]) -> Floats:
    """The asymptotic variance of each coefficient of x, in the regression of y on x and Z, times the rows.

    It is the variance of what x and Z leave of y, over that of what the other x and Z leave of x.
    """

    def rest(of: int, by: list[int]) -> float:
        if not by:
            return float(covariance[of, of])
        across = covariance[by, of]
        return float(covariance[of, of] - across @ np.linalg.solve(covariance[np.ix_(by, by)], across))

    return np.array([rest(y, [*x, *given]) / rest(one, [*(z for z in x if z != one), *given]) for one in x])


def graph_of(dag: an.DAG, kind: str) -> an.DAG | an.MAG | an.PAG:
    if kind == "DAG":
        return dag
    return an.mag_of(dag) if kind == "MAG" else an.pag_of(dag)


@pytest.mark.parametrize(
    ("kind", "hidden", "effects"),
    [("DAG", 0, 1), ("DAG", 0, 2), ("DAG", 2, 1), ("DAG", 2, 2), ("MAG", 2, 1), ("MAG", 2, 2), ("PAG", 2, 1)],
)
def test_no_set_beats_the_best_one_where_this_is_claimed(kind: str, hidden: int, effects: int) -> None:
    """Every adjustment set is tried, with one cause or two, and one or two outcomes."""
    rng = np.random.default_rng(17)
    counts = Counter[str]()
    while counts["all"] < (80 if kind == "PAG" else 350):
        hides = int(rng.integers(0, hidden + 1))
        system = LinearSystem(rng, int(rng.integers(5, 8)) + hides, hides, density=(0.3, 0.5))
        dag, covariance = system.dag, system.covariance()
        graph = graph_of(dag, kind)
        causes = 1 + int(rng.random() < 0.3)
        chosen = rng.permutation(dag.observed).tolist()
        chosen.sort(key=lambda v, x=chosen[0]: (v != x, v not in dag.descendants(x)))  # effects are rare otherwise
        y, others = chosen[1 : 1 + effects], chosen[effects + causes :]
        x = [chosen[0], *chosen[1 + effects : effects + causes]]
        sets = an.adjustment_set(graph, x, y)
        if sets.best is None:
            assert sets.no_effect or not sets.exists
            continue
        assert sets.best_of is not None
        assert sets.allows(sets.best)
        counts[sets.best_of] += 1
        counts["several minimal"] += len(sets.minimal) > 1
        if not hidden and all(set(x) & dag.ancestors(one) for one in y):
            assert sets.best_of == "all"
        at = [dag.index(name) for name in x]

        def variances(given: frozenset[str], at: list[int] = at, y: list[str] = y, dag: an.DAG = dag,
                      covariance: Floats = covariance) -> Floats:  # fmt: skip
            z = [dag.index(name) for name in given]
            return np.array([variance(covariance, at, dag.index(one), z) for one in y])

        best = variances(sets.best)
        for given in map(frozenset, chain.from_iterable(combinations(others, k) for k in range(len(others) + 1))):
            if not sets.allows(given):
                continue
            found = variances(given)
            counts["worse"] += bool((found > best * (1 + ROUNDING)).any())
            beaten = bool((found < best * (1 - ROUNDING)).any())
            if sets.best_of == "all":
                assert not beaten, (dag, x, y, given, sets.best)
            else:
                counts["beaten where not claimed"] += beaten
        assert sets.nearest is not None
        for given in sets.minimal:
            assert (variances(given) >= best * (1 - ROUNDING)).all()  # also where nothing is claimed of others
            assert (variances(given) >= variances(sets.nearest) * (1 - ROUNDING)).all()
    assert counts["worse"] > 500
    assert counts["several minimal"] > 10
    if hidden and kind != "PAG":
        assert counts["beaten where not claimed"] > 5  # the claim is withheld where it would be wrong


def test_without_latent_variables_it_is_the_o_set() -> None:
    """Parents of the nodes on causal paths, without x and the forbidden ones, by the definition."""
    rng = np.random.default_rng(18)
    seen = 0
    while seen < 200:
        system = LinearSystem(rng, 7, hidden=0)
        dag = system.dag
        x, y = rng.permutation(dag.nodes)[:2].tolist()
        sets = an.adjustment_set(dag, x, y)
        if sets.best is None:
            continue
        seen += 1
        causal = (dag.descendants(x) & dag.ancestors(y)) - {x}
        parents = {u for v in causal for u in dag.nodes if dag.edge(u, v) == "-->"}
        forbidden = set().union(*(dag.descendants(v) for v in causal)) | {x}
        assert sets.best == frozenset(parents - forbidden)


@pytest.mark.parametrize("kind", [an.CPDAG, an.DAG])
def test_the_best_set_of_a_class_is_that_of_its_graphs(kind: type) -> None:
    """Henckel et al. 2022, example 3.7 in its idea: x's parent a is left for b, which is nearer to y."""
    dag = an.DAG.parse("a -> x, b -> a, b -> y, x -> m, m -> y, c -> m, d -> y, e -> a")
    graph = dag if kind is an.DAG else an.discover(an.Oracle(dag), algorithm="pc").pag
    assert isinstance(graph, kind)
    sets = an.adjustment_set(graph, "x", "y")
    assert sets.best == frozenset({"b", "c", "d"})
    assert sets.best_of == "all"
    assert sets.nearest == frozenset({"b"})
    assert "  best set: {b, c, d} (smallest variance of all)" in str(sets)
    assert sets.best_reason == "given these and x, y depends on nothing else that is allowed"


def test_a_variable_that_tells_about_the_outcome_and_does_not_act_on_it_withholds_the_claim() -> None:
    """w shares an unmeasured cause with y; adjusting for it may pay, or cost where it is also caused by x's causes."""
    sets = an.adjustment_set(an.MAG.parse("a --> x, x --> y, w <-> y, a --> w"), "x", "y")
    assert (sets.best, sets.best_of) == (frozenset(), "ancestors")
    assert sets.best_reason == "y also depends on w, and whether adjusting for that pays depends on the numbers"
    assert "  best set: nothing (smallest variance of all sets of ancestors)" in str(sets)
    pag = an.pag_of(an.DAG.parse("a -> x, c -> x, x -> y, l -> w, l -> y, b -> w\nlatent: l"))
    assert pag.edge("w", "y") == "<->"
    assert an.adjustment_set(pag, "x", "y").best_of == "ancestors"


def test_there_is_none_without_an_adjustment_set_without_an_effect_and_no_claim_without_a_class() -> None:
    none = an.adjustment_set(an.PAG.parse("x o-> y, c o-> y"), "x", "y")
    assert (none.best, none.best_of, none.best_reason) == (None, None, "there is no adjustment set")
    zero = an.adjustment_set(an.DAG.parse("a -> x, a -> y"), "x", "y")
    assert (zero.best, zero.best_of, zero.best_reason) == (None, None, "there is no effect to estimate")
    known = an.PAG.parse("a o-> x, b o-> x, x --> y, c --> y")  # a tail at c, which no independence shows
    assert not an.legal(known)
    sets = an.adjustment_set(known, "x", "y")
    assert sets.best_of is None and sets.best is not None and sets.allows(sets.best)
    assert "not that of a class" in sets.best_reason
