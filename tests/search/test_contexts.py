"""Searches with contexts: nothing is asked about two of them, and what each acts on is checked given the others."""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import ancestral as an
from ancestral import DAG, Knowledge, Oracle
from ancestral.errors import KnowledgeWarning, OptionError

STUDY = DAG.parse("D -> C, D -> B, C -> x, x -> y, B -> y, L -> x, L -> z, z -> y", latent=["D", "L"])
BOTH = Knowledge(contexts=["B", "C"])


class Recording:
    """An oracle that remembers what it was asked."""

    names = STUDY.observed

    def __init__(self) -> None:
        self.asked: list[tuple[frozenset[str], frozenset[str]]] = []

    def independent(self, x: str, y: str, given: frozenset[str]) -> bool:
        self.asked.append((frozenset((x, y)), frozenset(given)))
        return an.is_separated(STUDY, x, y, given)


@pytest.mark.parametrize("algorithm", ["icd", "fci", "fci+", "rfci"])
def test_nothing_is_asked_about_two_contexts(algorithm: str) -> None:
    recording = Recording()
    found = an.discover(recording, algorithm=algorithm, knowledge=BOTH, selection_bias=False)
    assert frozenset("BC") not in {pair for pair, _ in recording.asked}
    assert len(set(recording.asked)) <= found.tests.total() + found.verify_tests.total()
    assert found.pag.has("B", "<->", "C")
    weak = Recording()
    an.discover(weak, algorithm=algorithm, context=["B", "C"], context_assumptions=["exogenous", "unconfounded"])
    assert frozenset("BC") in {pair for pair, _ in weak.asked}


def test_pairs_that_are_not_asked_about_do_not_count() -> None:
    found = an.discover(Oracle(STUDY), knowledge=BOTH)
    assert found.tests[0] == 5 * 4 // 2 - 1
    with ThreadPoolExecutor(2) as executor:
        remote = an.discover(Oracle(STUDY), knowledge=BOTH, executor=executor, workers=1)
    assert remote.pag == found.pag
    assert remote.tests == found.tests


def test_what_a_context_acts_on_is_checked_before_the_first_stage() -> None:
    first = next(iter(an.stages(Oracle(STUDY), knowledge=BOTH, selection_bias=False)))
    assert first.pag.edge("x", "B") is None  # B depends on x by way of C alone
    found = first.separation("x", "B")
    assert found is not None
    assert (found.given, found.found_by) == (frozenset("C"), "context check")
    unchecked = next(iter(an.stages(Oracle(STUDY), knowledge=BOTH, selection_bias=False, verify=False)))
    assert unchecked.pag.edge("x", "B") is not None


def test_contexts_that_do_not_depend_on_each_other_bring_no_contradiction(recwarn: pytest.WarningsRecorder) -> None:
    dag = DAG.parse("B -> x, C -> y, x -> y")
    for knowledge in (BOTH, Knowledge(contexts=["B", "C"], context_assumptions=["exogenous", "unconfounded"])):
        found = an.discover(Oracle(dag), knowledge=knowledge, selection_bias=False)
        assert found.pag.has("B", "-->", "x")
        assert found.pag.has("C", "-->", "y")
        assert found.pag.has("x", "-->", "y")
    rows = an.simulate.linear_gaussian(dag, rows=2000, seed=1)
    ways: list[dict[str, Any]] = [
        {"alpha": 0.01, "selection_bias": False},
        {"algorithm": "gfci"},
        {"algorithm": "scored"},
    ]
    for how in ways:
        assert an.discover(rows, knowledge=BOTH, **how).pag.has("B", "<->", "C")
    assert not [warning for warning in recwarn if issubclass(warning.category, KnowledgeWarning)]


@pytest.mark.parametrize("algorithm", ["pc", "boss"])
def test_designed_contexts_need_an_algorithm_with_latent_variables(algorithm: str) -> None:
    rows = an.simulate.linear_gaussian(STUDY, rows=500, seed=1)
    with pytest.raises(OptionError, match="context_assumptions="):
        an.discover(rows, algorithm=algorithm, knowledge=BOTH)
    weak = Knowledge(contexts=["B", "C"], context_assumptions=["exogenous", "unconfounded"])
    assert an.discover(rows, algorithm=algorithm, knowledge=weak).pag.has("C", "-->", "x")


def test_runs_with_contexts_are_kept_and_resumed(tmp_path: object) -> None:
    place = f"{tmp_path}/run.json"
    samples = an.simulate.experiment(STUDY, {"e": {"shift": {"x": 4.0}}}, rows=400, seed=2).samples
    known: dict[str, Any] = {"targets": {"e": ["x"]}, "alpha": 0.01, "selection_bias": False}
    an.discover(samples, **known, max_radius=0, save=place)
    resumed = an.discover(samples, **known, resume=place)
    assert resumed.pag == an.discover(samples, **known).pag
    loaded = an.load(place)
    assert loaded.settings.knowledge == Knowledge(contexts=["e"], targets={"e": ["x"]})
    assert loaded.pag == resumed.pag
    assert loaded.pag.unconfounded == resumed.pag.unconfounded


# -- false statements -----------------------------------------------------------------------------------------------


COLLIDER = an.simulate.linear_gaussian(DAG.parse("a -> x, b -> x, x -> y"), rows=2000, seed=1)


@pytest.mark.parametrize("how", [{}, {"alpha": 0.01}])
@pytest.mark.parametrize(
    ("knowledge", "says"),
    [
        (Knowledge(randomised=["x"]), "x was randomised"),
        (Knowledge(contexts=["x"]), "x is a context, exogenous and unconfounded"),
        (Knowledge(randomised=["a", "x"]), "a and x depend on each other .* although a was randomised"),
        (Knowledge(contexts=["a"], targets={"a": ["y"]}), "a acts on x, and not through y"),
    ],
)
def test_false_statements_are_told_by_name(knowledge: Knowledge, says: str, how: dict[str, Any]) -> None:
    with pytest.warns(KnowledgeWarning) as told:
        an.discover(COLLIDER, knowledge=knowledge, **how)
    assert any(re.search(says, str(warning.message)) for warning in told)


@pytest.mark.parametrize("how", [{}, {"alpha": 0.01}])
def test_true_statements_are_not_contradicted(how: dict[str, Any], recwarn: pytest.WarningsRecorder) -> None:
    for seed in range(10):
        rows = an.simulate.linear_gaussian(
            DAG.parse("a -> x, b -> x, x -> y, L -> x, L -> y", latent=["L"]), rows=800, seed=seed
        )
        an.discover(rows, knowledge=Knowledge(randomised=["a", "b"]), **how)
        an.discover(rows, context=["a", "b"], targets={"a": ["x"]}, **how)
    assert not [str(warning.message) for warning in recwarn if issubclass(warning.category, KnowledgeWarning)]


def test_an_unconfounded_pair_that_the_data_confound() -> None:
    dag = DAG.parse("L -> x, L -> y, a -> x, b -> y", latent=["L"])
    with pytest.warns(KnowledgeWarning, match="nothing unmeasured stands behind x and y"):
        an.discover(Oracle(dag), knowledge=Knowledge(unconfounded=[("x", "y")]))


@pytest.mark.parametrize(
    "knowledge",
    [
        Knowledge(randomised=["a"]),
        Knowledge(unconfounded=[("a", "b")]),
        Knowledge(contexts=["a"], targets={"a": ["b"]}),
    ],
)
def test_tables_that_are_combined_cannot_have_statements_about_edges(knowledge: Knowledge) -> None:
    dag = DAG.parse("a -> b, b -> c")
    with pytest.raises(OptionError, match="knowledge must not have"):
        an.discover(Oracle(dag, together=[["a", "b"], ["b", "c"]]), knowledge=knowledge)
