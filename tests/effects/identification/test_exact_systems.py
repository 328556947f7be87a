"""Formulas on the exact distribution of random systems, against the distribution under the intervention itself."""

from itertools import permutations

import numpy as np
import pytest

from ancestral import DAG, identify, pag_of
from ancestral.effects.identification.building import simplest
from ancestral.effects.identification.plans import Plan, plan
from ancestral.effects.identification.structure import bits_in, nodes_of, structure_of
from ancestral.effects.identification.tables import value_on_tables
from tests.support.interventions import BinarySystem, error_of, overlaps, random_causes


def random_question(rng: np.random.Generator, names: tuple[str, ...], conditions: int) -> tuple[list[str], ...]:
    """One or two x, any number of y, and up to so many z."""
    order = [str(name) for name in rng.permutation(names)]
    k, z = int(rng.integers(1, 3)), int(rng.integers(0, conditions + 1))
    m = int(rng.integers(1, len(names)))
    return order[:k], order[k : k + m], order[k + m : k + m + z]


@pytest.mark.parametrize("conditions", [0, 2])
def test_formulas_have_the_value_of_the_intervention(conditions: int) -> None:
    rng = np.random.default_rng(conditions)
    by_formula = 0
    for _ in range(250):
        dag = random_causes(rng)
        pag, system = pag_of(dag), BinarySystem(dag, rng)
        for _ in range(8):
            x, y, z = random_question(rng, pag.nodes, conditions)
            if y:
                said = identify(pag, x, y, within=z)
                if said:
                    assert error_of(said, system) < 1e-9, f"{pag}\n{said}"
                    by_formula += said.how == "formula"
    assert by_formula >= 30


def test_formulas_of_dags_have_the_value_of_the_intervention() -> None:
    rng = np.random.default_rng(7)
    by_formula = 0
    for _ in range(120):
        dag = random_causes(rng, most=6)
        system = BinarySystem(dag, rng)
        for _ in range(8):
            x, y, z = random_question(rng, dag.observed, 1)
            if y and (said := identify(dag, x, y, within=z)):
                assert error_of(said, system) < 1e-9, f"{dag}\n{said}"
                by_formula += said.how == "formula"
    assert by_formula >= 30


#: Graphs, and what is set in them, whose PAGs answer by a split into regions that overlap; found among random ones.
OVERLAPPING = [
    (
        "l0 -> v0, l0 -> v3, l1 -> v3, l1 -> v4, l2 -> v0, l2 -> v3, l3 -> v2, l3 -> v4, v0 -> v1, v0 -> v2, v1 -> v2, "
        "v3 -> v1",
        ["v3"],
    ),
    (
        "l0 -> v1, l0 -> v3, l1 -> v1, l1 -> v5, l2 -> v4, l2 -> v5, v0 -> v3, v2 -> v0, v2 -> v3, v2 -> v5, v5 -> v0, "
        "v5 -> v4",
        ["v4", "v5"],
    ),
    (
        "l0 -> v1, l0 -> v5, l1 -> v0, l1 -> v2, l2 -> v0, l2 -> v1, l3 -> v2, l3 -> v3, v1 -> v4, v3 -> v1, v4 -> v2, "
        "v5 -> v2, v5 -> v4",
        ["v1"],
    ),
    (
        "l0 -> v1, l0 -> v5, l1 -> v4, l1 -> v5, l2 -> v0, l2 -> v4, l3 -> v1, l3 -> v2, v2 -> v1, v2 -> v3, v2 -> v4, "
        "v3 -> v1, v4 -> v0, v4 -> v3",
        ["v0", "v4"],
    ),
    (
        "l0 -> v2, l0 -> v3, l1 -> v0, l1 -> v2, l2 -> v1, l2 -> v2, v0 -> v5, v3 -> v2, v3 -> v5, v4 -> v0, v4 -> v1, "
        "v4 -> v5, v5 -> v1",
        ["v0"],
    ),
    (
        "l0 -> v2, l0 -> v3, l1 -> v1, l1 -> v4, l2 -> v0, l2 -> v4, l3 -> v1, l3 -> v2, v0 -> v2, v3 -> v0, v3 -> v1, "
        "v3 -> v5, v4 -> v5, v5 -> v2",
        ["v0", "v4"],
    ),
]


@pytest.mark.parametrize(("text", "x"), OVERLAPPING, ids=range(len(OVERLAPPING)))
def test_regions_that_overlap(text: str, x: list[str]) -> None:
    dag = DAG.parse(text, latent=[name for name in ("l0", "l1", "l2", "l3") if name in text])
    pag = pag_of(dag)
    steps = plan(structure_of(pag), bits_in([i for i, name in enumerate(pag.nodes) if name not in x]))
    assert isinstance(steps, Plan) and overlaps(steps)
    said = identify(pag, x, [name for name in pag.nodes if name not in x])
    assert said.how == "formula"
    for seed in range(3):
        assert error_of(said, BinarySystem(dag, np.random.default_rng(seed))) < 1e-9


def test_what_can_be_adjusted_for_is_planned_too_and_the_formula_has_the_same_value() -> None:
    """Where there is an adjustment set, the plan of IDP exists and gives the same distribution."""
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(60):
        dag = random_causes(rng)
        pag, system = pag_of(dag), BinarySystem(dag, rng)
        graph = structure_of(pag)
        for x, y in permutations(range(len(pag.nodes)), 2):
            said = identify(pag, pag.nodes[x], pag.nodes[y])
            if said.how == "adjustment":
                target = graph.ancestors(1 << y, graph.all & ~(1 << x))
                over = frozenset(pag.nodes[i] for i in nodes_of(target) if i != y)
                _, formula = simplest(graph, target, over)
                axes = sorted({*formula.free, *said.x, *said.y})
                value = value_on_tables(formula, system.marginal, axes).values
                assert np.abs(value - system.of(list(said.y), list(said.x), [], axes)).max() < 1e-9
                found += 1
    assert found >= 10


def test_over_an_edge_that_is_cut_nobody_is_an_ancestor() -> None:
    """Rule 2 of the do-calculus applies here only if a cut edge makes no collider an ancestor of what is given."""
    dag = DAG.parse("h -> y, h -> w, g -> x, g -> z, k -> w, k -> z, x -> y, x -> z, w -> x", latent=["g", "h", "k"])
    said = identify(dag, "x", "y", within="z")
    assert said.how == "formula"
    assert error_of(said, BinarySystem(dag, np.random.default_rng(1))) < 1e-9


def test_hidden_nodes_of_a_dag_are_not_asked_about() -> None:
    dag = DAG.parse("u -> x, u -> y, x -> y", latent=["u"])
    with pytest.raises(Exception, match="'u' is not observed"):
        identify(dag, "x", "y", within="u")
