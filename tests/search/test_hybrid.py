"""GFCI and BOSS-FCI: FCI within a graph by score, whose separations count as found and are told apart."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral import DAG, PAG
from ancestral._pulse_cy import Pulse
from ancestral.graphs.names import in_order
from ancestral.independence.choice import choose_test
from ancestral.knowledge import Constraints, Knowledge
from ancestral.parallel.clock import Stopped, Watch
from ancestral.scores.fit import GAMMA
from ancestral.search import evidence
from ancestral.search.adjacency import AdjacencySearch
from ancestral.search.algorithms import ALGORITHMS
from ancestral.search.base import Problem, SearchOptions
from ancestral.search.dag_search import best_ordered_dag, ordered_dags
from ancestral.search.scored.limits import Limits
from ancestral.search.scored.starts import order_search
from ancestral.search.stage import Phase, Stage
from tests.support.exact_moments import exact_moments

HYBRIDS = ("gfci", "boss-fci")

#: A latent cause of diet and sport, both of which are colliders.
STUDY = DAG.parse("age -> diet, l -> diet, l -> sport, region -> sport, diet -> weight", latent=["l"])


# -- what is found ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "dag",
    [
        STUDY,
        DAG.parse("a -> b, b -> c"),
        DAG.parse("a -> c, b -> c, c -> d"),
        DAG.parse("l -> a, l -> b, c", latent=["l"]),
        DAG.parse("a -> b, l -> b, l -> c, m -> c, m -> d, e -> d", latent=["l", "m"]),
        DAG.parse("a -> b, b -> c, c -> d, l -> b, l -> d", latent=["l"]),  # R4: a, b, c, d discriminates c
        DAG.parse("a -> b, b -> d, l -> b, l -> c, m -> c, m -> d", latent=["l", "m"]),  # R4: a, b, c, d: a collider
    ],
    ids=lambda dag: ", ".join(f"{a}{edge}{b}" for a, edge, b in dag.edges()),
)
@pytest.mark.parametrize("algorithm", HYBRIDS)
def test_an_exact_covariance_gives_the_true_graph(algorithm: str, dag: DAG) -> None:
    for seed in range(4):
        found = an.discover(exact_moments(dag, seed), algorithm=algorithm, alpha=1e-4)
        assert found.complete and found.pag == an.pag_of(dag)


@pytest.mark.parametrize("algorithm", HYBRIDS)
def test_random_graphs_with_latent_variables(algorithm: str) -> None:
    """Where a model is nearly unfaithful, an edge is missed; otherwise the graph is the true one."""
    right = 0
    for seed in range(20):
        dag = an.simulate.random_dag(9, 2.0, seed=seed)
        found = an.discover(exact_moments(dag, seed), algorithm=algorithm, alpha=1e-4)
        compared = an.compare(found.pag, an.pag_of(dag))
        assert compared.same or compared.false_negatives
        right += compared.same
    assert right >= 15


# -- a search that begins with a DAG ----------------------------------------------------------------------------------


def search(truth: DAG, dag: str, constraints: Constraints | None = None) -> AdjacencySearch:
    """A search for adjacencies, answered by an oracle, that begins with a DAG."""
    names = truth.observed
    problem = Problem(
        questions=an.Oracle(truth).questions(names),
        names=names,
        columns=names,
        options=SearchOptions(verify=False),
        constraints=constraints,
    )
    return AdjacencySearch(problem, DAG.parse(f"{', '.join(names)}, {dag}").marks)


def found_by(begun: AdjacencySearch) -> dict[str, tuple[list[str], str]]:
    """For each missing edge, its set and what found it."""
    *_, radius = begun.sizes()
    stage = begun.stage(Phase.ADJACENCY, radius, True, begun.orient(radius, True))
    out = {}
    for a, b in combinations(stage.names, 2):
        separation = stage.separation(a, b)
        if separation is not None:
            out[" ".join(sorted((a, b)))] = sorted(separation.given), separation.found_by
    return out


TRUTH = DAG.parse("a -> b, b -> d, l -> b, l -> c, e -> c", latent=["l"])


def test_only_pairs_that_the_dag_joins_are_asked_about() -> None:
    """e–b is there because b depends on e given c; a test removes it, and makes b and c colliders."""
    begun = search(TRUTH, "a -> b, c -> b, e -> c, e -> b, b -> d")
    assert found_by(begun) == {
        "a c": ([], "score graph"),
        "a d": (["b"], "score graph"),
        "a e": ([], "score graph"),
        "b e": ([], "search"),
        "c d": (["b"], "score graph"),
        "d e": (["b"], "score graph"),
    }
    assert begun.tests[0] == 5
    assert PAG(TRUTH.observed, begun.graph.marks) == an.pag_of(TRUTH)


def test_what_the_dag_says_stands_against_the_answers() -> None:
    """In truth a and b are adjacent; nobody asks."""
    begun = search(DAG.parse("a -> b, b -> c, a -> c"), "a -> c, b -> c")
    assert found_by(begun) == {"a b": ([], "score graph")}
    assert begun.tests == {0: 2, 1: 2}
    assert PAG("abc", begun.graph.marks) == PAG.parse("a, b, c, a o-> c, b o-> c")  # the collider of the DAG


def test_a_shielded_collider_of_the_dag_is_not_copied() -> None:
    """b is a collider in the DAG, but between nodes that it joins: the set that separates them decides."""
    begun = search(DAG.parse("a -> b, b -> c"), "a -> b, c -> b, a -> c")
    assert found_by(begun) == {"a c": (["b"], "search")}
    assert PAG("abc", begun.graph.marks) == PAG.parse("a o-o b, b o-o c")


def test_knowledge_comes_before_the_dag() -> None:
    """Required edges are there although the DAG has none; pairs of `no_edge` have no set, as without a DAG."""
    names = TRUTH.observed
    known = Knowledge(required=[("a", "d")], no_edge=[("a", "e"), ("b", "c")]).constraints(names, False)
    begun = search(TRUTH, "a -> b, c -> b, e -> c, e -> b, b -> d", known)
    separated = found_by(begun)
    assert not {"a d", "a e", "b c"} & set(separated) and "a c" in separated
    assert known.is_kept_by(begun.graph.marks)


# -- what is told -----------------------------------------------------------------------------------------------------


def study(rows: int = 3000, seed: int = 1) -> Any:
    return an.simulate.linear_gaussian(STUDY, rows=rows, seed=seed)


@pytest.mark.parametrize("algorithm", HYBRIDS)
def test_why_tells_a_collider_of_the_score_from_one_of_a_test(algorithm: str) -> None:
    found = an.discover(study(), algorithm=algorithm)
    assert found.pag == an.pag_of(STUDY)
    texts = {a: str(found.why(*pair)) for a, pair in (("diet", ("age", "diet")), ("sport", ("region", "sport")))}
    # by score one of the two is a collider, and has an edge to the other's parent, which a test removes
    of_score = [
        a for a, text in texts.items() if "a collider between them in the graph of the search by score (R0)" in text
    ]
    of_test = [a for a, text in texts.items() if "and a collider between them; agreed: p = " in text]
    assert sorted(of_score + of_test) == ["diet", "sport"] and len(of_score) == 1


def test_a_missing_edge_that_was_never_asked_about_says_so() -> None:
    found = an.discover(study(), algorithm="gfci")
    p = found.evidence("age", "weight", given=["diet"]).p_value
    assert str(found.why("age", "weight")) == (
        "No edge between age and weight.\n"
        "  age and weight are independent given {diet} by the graph of the search by score, which does not join them "
        f"(implied; p = {p:.2g}, partial correlation 0.00 in the data)."
    )
    row = found.to_frame(involving="weight").filter(a="age").row(0, named=True)
    assert (row["found_by"], row["sepset"], row["radius"]) == ("score graph", ["diet"], None)
    assert row["p_value"] == pytest.approx(p)
    assert found.sepset("age", "weight") == frozenset({"diet"})
    (asked,) = [step for step in found.why("diet", "sport").steps if step.kind == "separation" and step.radius == 0]
    assert "(found at radius 0; p = " in asked.text


def test_of_very_many_pairs_the_data_are_not_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(evidence, "MOST_IMPLIED", 2)
    found = an.discover(study(), algorithm="gfci")
    assert str(found.why("age", "weight")).endswith("which does not join them (implied).")
    p = found.evidence("age", "region", given=[]).p_value  # of pairs given nothing it is known
    assert str(found.why("age", "region")).endswith(f"(implied; p = {p:.2g}, correlation 0.00 in the data).")
    found.save(tmp_path / "run.json")
    assert str(an.load(tmp_path / "run.json").why("age", "weight")) == str(found.why("age", "weight"))


@pytest.mark.parametrize("algorithm", HYBRIDS)
def test_a_run_file_holds_the_run(algorithm: str, tmp_path: Path) -> None:
    for seed in range(3):
        data = an.simulate.mixed(an.simulate.random_dag(8, 3.0, seed=seed), rows=500, seed=seed)
        found = an.discover(data[:, ::-1], algorithm=algorithm)
        found.save(tmp_path / "run.json")
        again = an.load(tmp_path / "run.json")
        assert again.to_json() == found.to_json() and str(again) == str(found)
        assert again.to_frame("all").equals(found.to_frame("all"))
        for a, b in combinations(found.pag.nodes, 2):
            assert str(again.why(a, b)) == str(found.why(a, b))


def test_stopped_early_it_promises_nothing() -> None:
    found = an.discover(study(), algorithm="gfci", max_radius=0)
    assert found.stopped == "max_radius" and found.radius == 0
    assert found.to_frame().filter(found_by="score graph")["p_value"].is_null().all()  # asked when it is complete
    assert "edges may be too many, and marks false" in str(found)
    assert found.pag.edge("age", "diet") == "o->"  # the last stage is oriented, whatever ended the search
    nothing = an.discover(study(), algorithm="boss-fci", time_limit=1e-9)
    assert nothing.stopped == "time limit" and nothing.radius == -1


# -- sources, knowledge and options -----------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", HYBRIDS)
def test_all_tests_with_a_likelihood_and_all_sources(algorithm: str, tmp_path: Path) -> None:
    data, truth = study(5000), an.pag_of(STUDY)
    data.write_csv(tmp_path / "study.csv")
    batches = [data[:2000], data[2000:]]
    sources: list[tuple[Any, str]] = [
        (data, "rank"),
        (data, "mixed"),
        (an.Moments.of(data), "fisher-z"),
        (an.simulate.discrete(STUDY, rows=5000, seed=2), "mixed"),
        (tmp_path / "study.csv", "fisher-z"),
        (iter(batches), "fisher-z"),
    ]
    for source, test in sources:
        found = an.discover(source, algorithm=algorithm, test=None if isinstance(source, an.Moments) else test)
        assert (found.settings.test, found.pag) == (test, truth)


@pytest.mark.parametrize("algorithm", HYBRIDS)
def test_nothing_is_verified(algorithm: str) -> None:
    for seed in range(5):
        data = an.simulate.linear_gaussian(an.simulate.random_dag(10, 3.0, seed=seed), rows=200, seed=seed)
        assert not an.discover(data, algorithm=algorithm, colliders="first").verify_tests


def test_the_best_order_is_taken() -> None:
    """With few rows, orders lead to different DAGs."""
    different = 0
    for seed in range(5):
        test = choose_test(an.simulate.linear_gaussian(an.simulate.random_dag(12, 3.0, seed=seed), rows=60, seed=seed))
        names = in_order(test.names)
        problem = Problem(questions=test.questions(names), names=names, columns=names, test=test)
        search = order_search(problem.column_blocks(), Limits.of(None, len(names)), GAMMA, Pulse())
        found = list(ordered_dags(problem, search))
        lowest = min(score for score, _ in found)
        best = best_ordered_dag(problem)
        assert next(score for score, dag in found if np.array_equal(dag, best)) == lowest
        different += len({score for score, _ in found}) > 1
    assert different


@pytest.mark.parametrize("algorithm", HYBRIDS)
def test_mixed_columns_are_asked_in_the_same_order_after_resuming(
    algorithm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which nodes are tried first depends on how strongly variables are associated, also those of pairs not asked."""
    entry = ALGORITHMS[algorithm]

    def first_stage(problem: Problem) -> Iterator[Stage]:
        yield next(entry.run(problem))
        raise Stopped

    for seed in range(4):
        data = an.simulate.mixed(an.simulate.random_dag(10, 4.0, seed=seed), rows=300, seed=seed)
        whole = an.discover(data, algorithm=algorithm)
        with monkeypatch.context() as patched:
            patched.setitem(ALGORITHMS, algorithm, replace(entry, run=first_stage))
            an.discover(data, algorithm=algorithm, save=tmp_path / f"{seed}.json")
        assert an.discover(data, algorithm=algorithm, resume=tmp_path / f"{seed}.json").to_json() == whole.to_json()


@pytest.mark.parametrize("algorithm", HYBRIDS)
def test_workers_and_executors_make_no_difference(algorithm: str) -> None:
    data = an.simulate.mixed(an.simulate.random_dag(10, 3.0, seed=2), rows=600, seed=2)
    one = an.discover(data, algorithm=algorithm).to_json()
    with ThreadPoolExecutor(2) as pool:
        assert an.discover(data, algorithm=algorithm, executor=pool).to_json() == one
    assert an.discover(data, algorithm=algorithm, workers=2).to_json() == one


@pytest.mark.parametrize("algorithm", HYBRIDS)
def test_what_has_a_latent_cause_stays_adjacent_if_neither_causes_the_other(algorithm: str) -> None:
    """No DAG without latent variables could say so: the search by score must be free to join them."""
    known = Knowledge(forbidden=[("diet", "sport"), ("sport", "diet")])
    found = an.discover(study(), algorithm=algorithm, knowledge=known)
    assert found.pag.edge("diet", "sport") == "<->"


@pytest.mark.parametrize("algorithm", HYBRIDS)
def test_the_score_search_keeps_to_tiers(algorithm: str) -> None:
    """With few rows the order that is known lets it find edges that it would not find otherwise."""
    gained = 0.0
    for seed in range(12):
        dag = an.simulate.random_dag(8, 2.5, seed=seed, latent=0)
        order = sorted(dag.nodes, key=lambda name: len(dag.ancestors(name)))
        data = an.simulate.linear_gaussian(dag, rows=100, seed=seed)
        truth = an.pag_of(dag)
        knowing = an.discover(data, algorithm=algorithm, knowledge=Knowledge(tiers=[[name] for name in order]))
        gained += an.compare(knowing.pag, truth).f1 - an.compare(an.discover(data, algorithm=algorithm).pag, truth).f1
    assert gained > 0


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (an.Oracle(STUDY), {}, "no graph can be scored: the test 'oracle' has no Gaussian likelihood"),
        (lambda x, y, given: 0.5, {"names": ["a", "b"]}, "has no Gaussian likelihood"),
        (study(50), {"selection_bias": True}, "it assumes that the sample was not selected"),
        (study(50), {"verify": False}, "colliders come from the graph by score first, and are not verified"),
    ],
)
def test_what_it_cannot_do_is_refused(source: object, options: dict[str, Any], message: str) -> None:
    with pytest.raises(an.OptionError, match=message):
        an.discover(source, algorithm="gfci", **options)


@pytest.mark.parametrize(("algorithm", "label"), [("gfci", "greedy equivalence search"), ("boss-fci", "order search")])
def test_progress_names_the_score_search(algorithm: str, label: str) -> None:
    labels: list[str] = []
    test = choose_test(study(200))
    names = in_order(test.names)
    watch = Watch(tell=lambda progress: labels.append(progress.label), report_every=0.0)
    problem = Problem(questions=test.questions(names), names=names, columns=names, test=test, watch=watch)
    assert list(ALGORITHMS[algorithm].run(problem))
    assert labels[0] == label
