"""What contexts act on: words and data are true of every causal graph of the class, which is found by trying."""

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral import DAG, PAG, Knowledge, Oracle, discover, simulate
from ancestral.show.actions import Actions
from ancestral.show.interventions import Intervention, Interventions
from tests.support.experiment_laws import Study, causal_graphs, studied


def acts(pag: str, known: Knowledge | None = None, **options: Any) -> Interventions:
    """What contexts act on by a graph; by default C is one, and the sample was not selected."""
    return Interventions(Actions(PAG.parse(pag), known or Knowledge(contexts=["C"]), **{"selection": False, **options}))


def words(pag: str, known: Knowledge | None = None, **options: Any) -> str:
    return str(acts(pag, known, **options))


def sentence(pag: str, a: str, b: str, known: Knowledge | None = None, **options: Any) -> str:
    action = acts(pag, known, **options).about(a, b)
    assert action is not None
    return action.sentence


TARGETS = Knowledge(contexts=["C"], targets={"C": ["x"]})

# -- against brute force ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "contexts", "sample"), [(2, 1, 0), (2, 2, 0), (3, 1, 120)])
def test_what_is_said_is_what_all_causal_graphs_of_the_class_agree_on(system: int, contexts: int, sample: int) -> None:
    rng = np.random.default_rng(7)
    every = [study for study, _, _ in causal_graphs(system, contexts)]
    keys = [key for _, _, key in causal_graphs(system, contexts)]
    kinds = set()
    for known in range(contexts + 1):
        classes: dict[tuple[Any, ...], list[Study]] = {}
        for study, key in zip(every, keys, strict=True):
            classes.setdefault((key, *(study.targets[c] for c in study.contexts[:known])), []).append(study)
        chosen = list(classes.values())
        if sample and len(chosen) > sample:
            chosen = [chosen[i] for i in rng.choice(len(chosen), sample, replace=False)]
        for some in chosen:
            study = some[int(rng.integers(len(some)))]
            targets = {c: study.targets[c] for c in study.contexts[:known]}
            knowledge = Knowledge(contexts=study.contexts, targets=targets)
            found = discover(Oracle(study.dag), knowledge=knowledge, selection_bias=False)
            for item in found.interventions:
                check(item, some)
                kinds |= {
                    action.kind for x in found.pag.nodes if (action := found.interventions.about(item.context, x))
                }
    assert {"acts", "known", "may act", "through"} <= kinds


def causes(dag: DAG, c: str, x: str) -> bool:
    """Whether a directed path leads from c to x."""
    seen = [c]
    for u in seen:
        seen += [v for v in dag.nodes if dag.has(u, "-->", v) and v not in seen]
    return x in seen


def check(item: Intervention, some: list[Study]) -> None:
    """What is said about a context is what all of these studies agree on."""
    c = item.context
    targets = [set(study.targets[c]) for study in some]
    agreed, possible = set.intersection(*targets), set.union(*targets)
    assert set(item.acts_on) == agreed, item
    assert set(item.open) == possible - agreed, item
    assert all(chosen & set(group) for chosen in targets for group in item.one_of)
    for x in item.through:
        assert x not in possible
        assert all(causes(study.dag, c, x) for study in some)


@pytest.mark.parametrize("seed", range(12))
def test_with_selection_it_is_the_variable_or_the_selection(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for make in (simulate.trouble.selected_pairs, simulate.trouble.mixed_trouble):
        dag = make(seed=seed, most=5)
        study = studied(dag, rng, int(rng.integers(1, 4)), ("common", "independent")[seed % 2])
        found = discover(Oracle(study.dag), context=list(study.contexts))
        for item in found.interventions:
            if item.or_selection and on_selection(study, item.context):
                continue
            assert set(item.acts_on) <= set(study.targets[item.context]), (study, found.pag)
            assert all({*group} & {*study.targets[item.context]} for group in item.one_of)
            assert set(study.targets[item.context]) <= {*item.acts_on, *item.open}
            for x in (*dag.observed, *item.through):
                action = found.interventions.about(item.context, x)
                assert action is not None and (action.kind != "no" or not causes(study.dag, item.context, x))
                assert action.kind != "through" or causes(study.dag, item.context, x)


def on_selection(study: Study, c: str) -> bool:
    """Whether c causes what the sample was selected on."""
    return any(causes(study.dag, c, s) for s in study.dag.selection)


# -- the sentences ----------------------------------------------------------------------------------------------------


def test_one_variable_is_acted_on_directly_or_through_something_unmeasured() -> None:
    assert sentence("C --> x, x --> y", "x", "C") == "C acts on x, directly or through something unmeasured."
    assert sentence("C --> x, x --> y", "C", "y") == "C does not act on y directly; it acts on y through x."
    assert (
        sentence("C --> x, x o-> y", "C", "y")
        == "C does not act on y directly; whether it does through others is open."
    )
    assert sentence("C --> x, y o-> x", "C", "y") == "C does not act on y, neither directly nor through others."
    assert words("C --> x, x --> y, y --> z, w") == (
        "C acts on x, directly or through something unmeasured; through others on y and z."
    )


def test_linked_variables_may_share_what_is_acted_on() -> None:
    pag = "C --> x, C --> y, x <-> y, C --> z"
    assert sentence(pag, "C", "x") == "C acts on x and y, or on something unmeasured that drives both."
    assert words(pag) == (
        "C acts on z, directly or through something unmeasured; on x and y, or on something unmeasured that drives "
        "both."
    )
    assert words("C --> x, C --> y, C --> z, x <-> y, y <-> z") == (
        "C acts on x, y and z, or on something unmeasured that drives some of them."
    )


def test_an_edge_behind_another_may_come_from_an_unmeasured_cause() -> None:
    found = acts("C --> x, C --> y, x --> y")
    assert str(found) == (
        "C acts on x, directly or through something unmeasured; y is acted on, too, unless x and y share an unmeasured "
        "cause."
    )
    assert (found[0].acts_on, found[0].open, found[0].through) == (("x",), ("y",), ())
    assert sentence("C --> x, C --> y, x --> y", "C", "y") == (
        "C may act on y; it does, unless x and y share an unmeasured cause."
    )


def test_an_edge_behind_a_visible_one_is_an_action() -> None:
    known = Knowledge(contexts=["C", "D"])
    assert words("C <-> D, C --> x, C --> y, x --> y, D --> x", known).splitlines()[0] == (
        "C acts on x and y, on each directly or through something unmeasured."
    )
    stated = Knowledge(contexts=["C"], unconfounded=[("x", "y")])
    assert acts("C --> x, C --> y, x --> y", stated)[0].acts_on == ("x", "y")


def test_of_an_open_edge_one_end_is_acted_on() -> None:
    found = acts("C --> x, C --> y, x o-o y")
    assert str(found) == "C acts on at least one of x and y."
    assert (found[0].acts_on, found[0].open, found[0].one_of) == ((), ("x", "y"), (("x", "y"),))
    assert sentence("C --> x, C --> y, x o-o y", "C", "y") == (
        "C may act on y; it does, unless x causes y and shares an unmeasured cause with it."
    )
    found = acts("C --> x, C --> y, C --> z, x o-o y, x o-> z, y o-> z")
    assert str(found) == (
        "C acts on at least one of x and y; z is acted on, too, unless one of x and y causes z and shares an "
        "unmeasured cause with it."
    )


def test_known_targets() -> None:
    pag = "C --> x, C --> z, x --> z"
    assert sentence(pag, "C", "x", TARGETS) == "C acts on x: known (targets)."
    assert sentence(pag, "C", "z", TARGETS) == (
        "C acts on z only through x (targets), and something unmeasured stands behind x and z."
    )
    found = acts(pag, TARGETS)
    assert str(found) == "C acts on x (known: targets); on z only through x, with something unmeasured behind."
    assert (found[0].acts_on, found[0].through, found[0].known) == (("x",), ("z",), True)
    assert sentence(f"{pag}, C --> w, x --> w, w --> z", "C", "z", TARGETS).startswith(
        "C acts on z only through x (targets)"
    )
    two = Knowledge(contexts=["C"], targets={"C": ["x", "y"]})
    assert sentence("C --> x, C --> y, C --> z, x o-> z, y o-> z", "C", "z", two) == (
        "C acts on z only through x or y (targets), and something unmeasured stands behind z and one of these."
    )


def test_targets_that_cannot_explain_an_edge_are_contradicted() -> None:
    pag = "C --> x, C --> z, x <-> z"
    assert sentence(pag, "C", "z", TARGETS) == (
        "C is said to act on x alone (targets), and the edge to z contradicts that."
    )
    assert acts(pag, TARGETS)[0].open == ("z",)


def test_selection_is_told_unless_it_is_ruled_out() -> None:
    assert sentence("C --> x, x --> y", "C", "x", selection=True) == (
        "C acts on x, directly or through something unmeasured, or on what the sample was selected on."
    )
    assert words("C --o x", selection=True) == (
        "C acts on x, directly or through something unmeasured, or only on what the sample was selected on."
    )
    assert acts("C --> x", selection=True)[0].or_selection
    assert not acts("C --> x, C <-> D", Knowledge(contexts=["C", "D"]), selection=True)[0].or_selection
    assert not acts("C --> x", Knowledge(randomised=["C"]), selection=True)[0].or_selection


def test_without_assumptions_less_is_said() -> None:
    known = Knowledge(contexts=["C"], context_assumptions=["exogenous"])
    assert sentence("C o-> x", "C", "x", known) == "Whether C acts on x is open."
    assert sentence("C <-> x", "C", "x", known) == "C does not act on x: their edge has an arrowhead at C."
    assert sentence("C --> x, C --> y, x --> y", "C", "x", known) == (
        "C causes x; whether it acts on it directly, or something unmeasured links them, is open."
    )
    assert words("C o-> x", known) == "C may act on x."
    # a variable that C does not act on explains no other edge
    stated = Knowledge(contexts=["C"], context_assumptions=["exogenous"], unconfounded=[("C", "y")])
    assert acts("C <-> x, C --> y, x --> y", stated)[0].acts_on == ("y",)


def test_a_search_that_is_not_complete_leaves_edges_open() -> None:
    assert sentence("C --> x, y", "C", "x", complete=False) == (
        "Whether C acts on x is open: the search is not complete."
    )
    assert sentence("C --> x, y", "C", "y", complete=False) == "C does not act on y directly."
    assert acts("C --> x, x --> y", complete=False)[0].acts_on == ()


def test_without_latent_variables_an_edge_is_an_action() -> None:
    pag = an.CPDAG.parse("C --> x, C --> y, x --> y, y --> z")
    found = Interventions(Actions(pag, Knowledge(contexts=["C"])))
    assert str(found) == "C acts on x and y directly; through others on z."


def test_a_context_without_effects() -> None:
    assert words("C, x --- y") == "C acts on none of the variables."
    assert len(Interventions(Actions(PAG.parse("x o-o y"), None))) == 0


def test_no_context_acts_by_way_of_another_one_of_the_design() -> None:
    pag, both = "C o-o D, D --> x", Knowledge(contexts=["C", "D"])
    assert sentence(pag, "C", "x", both, selection=True) == "C does not act on x, neither directly nor through others."
    asked = Knowledge(contexts=["C", "D"], context_assumptions=["exogenous", "unconfounded"])
    assert sentence(pag, "C", "x", asked, selection=True).endswith("whether it does through others is open.")


# -- in a run ---------------------------------------------------------------------------------------------------------

SYSTEM = DAG.parse("L -> x, L -> y, x -> z, z -> w, u -> w", latent=["L"])


@pytest.fixture(scope="module")
def experiment() -> Any:
    acted = {"drug A": {"shift": {"x": 2.0}}, "drug B": {"shift": {"z": -1.5}}}
    return simulate.experiment(SYSTEM, acted, rows=2000, seed=1)


@pytest.mark.parametrize("algorithm", ["icd", "scored"])
def test_nothing_is_told_about_two_contexts_of_a_design(experiment: Any, algorithm: str) -> None:
    found = discover(experiment.samples, algorithm=algorithm)
    for a, b in (("drug A", "drug B"), ("drug B", "drug A")):
        why = found.why(a, b)
        assert str(why).startswith(f"{a} and {b} were set by the design of the study: ")
        assert [step.kind for step in why.steps] == ["design"]
        assert math.isnan(found.question(a, b).p_value)
    row = found.to_frame(involving="drug A").filter(b="drug B").row(0, named=True)
    assert (row["found_by"], row["p_value"], row["statistic"], row["df"]) == ("design", None, None, None)
    assert row["closest"] is None
    others = found.to_frame().filter(found_by="design")
    assert len(others) == 1
    assert "contradictory" not in str(found)
    assert '"drug A" <-> "drug B"' not in str(found)
    assert ", and 1 between contexts by design, not listed:" in str(found)
    assert "contexts drug A, drug B: exogenous, unconfounded, designed (by default)" in str(found)


def test_contexts_that_are_not_designed_are_asked_about(experiment: Any) -> None:
    found = discover(experiment.samples, context_assumptions=["exogenous", "unconfounded"], algorithm="icd")
    assert "dependent given every set" in str(found.why("drug A", "drug B"))
    assert found.to_frame(involving="drug A").filter(b="drug B")["p_value"][0] is not None
    assert "by design" not in str(found)
    assert "contexts drug A, drug B: exogenous, unconfounded\n" in str(found)
    assert "with knowledge: 2 statements" in str(found)


def test_why_begins_with_the_action(experiment: Any) -> None:
    found = discover(experiment.samples, algorithm="icd", targets={"drug A": ["x"]})
    for c, x in (("drug A", "x"), ("x", "drug A"), ("drug B", "w"), ("drug B", "z")):
        action = found.interventions.about(c, x)
        assert action is not None
        steps = found.why(c, x).steps
        assert (steps[0].kind, steps[0].text) == ("action", action.sentence)
        assert steps[1].kind in ("edge", "no edge")
    assert found.why("drug A", "x").steps[1].text == (
        "drug A --> x: known to be adjacent, whatever the data say (targets)."
    )
    assert found.why("x", "z").steps[0].kind == "edge"


def test_the_summary_lists_what_contexts_act_on(experiment: Any) -> None:
    found = discover(experiment.samples)
    section = str(found).split("What contexts act on:\n")[1].split("\n\n")[0]
    assert section == "\n".join(f"  {item}" for item in found.interventions)
    assert [item.context for item in found.interventions] == ["drug A", "drug B"]
    assert "What contexts" not in str(discover(experiment.samples["control"]))
    trial = discover(Oracle(DAG.parse("dose -> x")), knowledge=Knowledge(randomised=["dose"]))
    assert "What randomised variables act on:\n  dose acts on x" in str(trial)


def test_what_a_graph_of_data_says_is_told_as_its_claim() -> None:
    known = Knowledge(contexts=["C"], targets={"C": ["x"]})
    told = acts("C --> x, y, z", known, on_data=True)
    assert str(told) == "By the graph, C acts on x (known: targets)."
    sentences = {x: action.sentence for x in "xy" if (action := told.about("C", x)) is not None}
    assert sentences == {
        "x": "C acts on x: known (targets).",
        "y": "By the graph, C does not act on y, neither directly nor through others.",
    }
    assert sentence("C o-> x", "C", "x", Knowledge(contexts=["C"], context_assumptions=[]), on_data=True) == (
        "Whether C acts on x is open."
    )


def test_only_runs_on_data_speak_of_claims(experiment: Any) -> None:
    found = discover(experiment.samples)
    assert all(str(item).startswith(f"By the graph, {item.context} acts on") for item in found.interventions)
    assert str(found.why("drug A", "x")).startswith("By the graph, drug A acts on x")


def test_a_loaded_run_says_the_same(experiment: Any, tmp_path: Any) -> None:
    found = discover(experiment.samples, algorithm="icd", targets={"drug A": ["x"]})
    found.save(tmp_path / "run.json")
    again = an.load(tmp_path / "run.json")
    assert str(again) == str(found)
    for a, b in combinations(found.pag.nodes, 2):
        assert str(again.why(a, b)) == str(found.why(a, b))
