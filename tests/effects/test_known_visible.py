"""What is known to be unconfounded makes edges visible: every effect that is then identified is the true one."""

import numpy as np
import pytest

from ancestral import DAG, PAG, Knowledge, Oracle, discover, identify, simulate
from ancestral.effects.pairs import open_edge
from ancestral.errors import UnknownName
from tests.support.experiment_laws import studied
from tests.support.interventions import BinarySystem, error_of, random_causes
from tests.support.knowledge_laws import draw


def identified(dag: DAG, knowledge: Knowledge, rng: np.random.Generator) -> tuple[int, int]:
    """How many effects are identified with and without knowledge, each of them exact in a random system."""
    system = BinarySystem(dag, rng)
    counts = []
    for known in (knowledge, None):
        found = discover(Oracle(dag), knowledge=known, selection_bias=False)
        said = [found.identify(x, y) for x in dag.observed for y in dag.observed if x != y]
        errors = [error_of(one, system) for one in said if one.identified]
        assert max(errors, default=0.0) < 1e-9, (dag, known)
        counts.append(len(errors))
    return counts[0], counts[1]


@pytest.mark.parametrize(("kind", "least"), [("randomised", 10), ("unconfounded", 5)])
def test_more_effects_are_identified_and_all_are_true(kind: str, least: int) -> None:
    rng = np.random.default_rng(11)
    known = alone = 0
    for _ in range(25):
        dag = random_causes(rng, most=6)
        more, less = identified(dag, draw(dag, rng, kind, selection_bias=False), rng)
        known, alone = known + more, alone + less
    assert known > alone + least


def test_effects_of_contexts_are_true() -> None:
    rng = np.random.default_rng(12)
    known = alone = 0
    for seed in range(12):
        study = studied(simulate.trouble.confounded_pairs(seed=seed, most=4), rng, 2)
        more, less = identified(study.dag, Knowledge(contexts=study.contexts, targets=study.targets), rng)
        known, alone = known + more, alone + less
    assert known > alone + 10


def test_a_randomised_treatment() -> None:
    dag = DAG.parse("t -> m, m -> y, L -> m, L -> y", latent=["L"])
    found = discover(Oracle(dag), knowledge=Knowledge(randomised=["t"]))
    assert found.pag == PAG.parse("t --> m, t --> y, m o-o y")
    assert found.pag.is_visible("t", "y")
    assert not found.pag.is_visible("m", "y")
    assert found.confounded("t", "y") == "no"
    assert found.confounded("t", "y").reason == "known: t was randomised (randomised)"
    assert found.identify("t", "y").how == "adjustment"
    without = discover(Oracle(dag))
    assert not without.identify("t", "y").identified
    assert without.confounded("t", "y") == "possibly"


def test_an_open_edge_that_hides_nothing() -> None:
    pag = PAG(["a", "b"], PAG.parse("a o-o b").marks, unconfounded=[("b", "a")])
    assert pag == PAG.parse("a o-o b")
    assert not pag.is_visible("a", "b")
    assert pag.confounded("a", "b") == "no"
    directed = PAG(["a", "b"], PAG.parse("a --> b").marks, unconfounded=[("b", "a")])
    assert directed.is_visible("a", "b")
    assert not directed.is_visible("b", "a")
    with pytest.raises(UnknownName, match="'c'"):
        PAG(["a", "b"], pag.marks, unconfounded=[("a", "c")])


def test_the_effect_of_a_sample_is_that_of_what_was_done_in_it() -> None:
    dag = DAG.parse("L -> x, L -> y, x -> y, y -> z, w -> x", latent=["L"])
    done = simulate.experiment(dag, {"a": {"shift": {"x": 1.5}}, "b": {"shift": {"z": 2.0}}}, rows=3000, seed=1)
    found = discover(done.samples, targets=done.targets)
    effect = found.effect("a", "z")
    model = simulate.gaussian_model(dag, seed=1)
    expected = 1.5 * model.effects[dag.index("x"), dag.index("z")]
    assert abs(effect.estimates[0] - expected) < 4 * effect.errors[0]
    assert effect.errors[0] < 0.2
    assert "rows with b = '1' were left out, since a is the same in all of them" in str(effect)


def test_the_edge_that_leaves_an_effect_open() -> None:
    marks = PAG.parse("a --> b").marks
    assert open_edge(PAG(["a", "b"], marks), "a", "b") == ("a", "b")
    assert open_edge(PAG(["a", "b"], marks, unconfounded=[("a", "b")]), "a", "b") is None


def test_a_formula_needs_no_adjustment_to_use_it() -> None:
    marks = PAG.parse("a --> b").marks
    assert not identify(PAG(["a", "b"], marks), "a", "b", adjustment=False).identified
    assert identify(PAG(["a", "b"], marks, unconfounded=[("a", "b")]), "a", "b", adjustment=False).identified
