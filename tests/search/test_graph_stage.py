"""Algorithms that ask no questions: their stages, what follows from a member, stopping, resuming, and their checks."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import ancestral as an
from ancestral.classes import legal, mag_in, pag_of
from ancestral.errors import GraphError
from ancestral.graphs.marks import ARROW, CIRCLE, NONE
from ancestral.orientation import Oriented, orient
from ancestral.orientation._judge_cy import TrueGraph
from ancestral.orientation.orient import orient_cpdag
from ancestral.parallel.clock import Stopped, Watch
from ancestral.parallel.transports import ExecutorGone
from ancestral.search.algorithms import ALGORITHMS, OF_QUESTIONS, Algorithm
from ancestral.search.base import Problem, nothing_found
from ancestral.search.evidence import ImpliedDecisions
from ancestral.search.icd import icd
from ancestral.search.stage import FoundBy, GraphStage, Phase, Stage
from ancestral.search_run import executor_lost
from ancestral.testing import Check, check_algorithm, checks_of_algorithm
from ancestral.trace import Note
from tests.support.chow_liu import CHOW_LIU, POLYTREE, registered

MAG = an.MAG.parse("age --> weight, diet --> weight, weight --> pressure, stress <-> pressure, sport")
ROWS = an.simulate.linear_gaussian(
    an.DAG.parse("age -> weight, diet -> weight, weight -> pressure, sport"), rows=400, seed=4
)


def stage_of(mag: an.MAG = MAG, **more: Any) -> GraphStage:
    """A stage with the PAG of a MAG, whose nodes are in the order of names."""
    names = tuple(sorted(mag.nodes))
    member = mag.arranged(names)
    oriented = orient(np.minimum(member, CIRCLE), TrueGraph(member))
    given = {"phase": Phase.CLIMB, "complete": True, "names": names, "columns": mag.nodes, "oriented": oriented}
    return GraphStage(**{**given, "member": member, **more})


@pytest.fixture
def polytree() -> Iterator[str]:
    with registered("polytree", POLYTREE):
        yield "polytree"


# -- stages -----------------------------------------------------------------------------------------------------------


def test_a_stage_without_questions() -> None:
    stage = stage_of(score=-12.5)
    assert isinstance(stage, Stage) and stage.begun
    assert stage.pag == pag_of(MAG) and stage.mag == MAG and stage.pag.nodes == MAG.nodes
    assert (stage.radius, stage.tests.total(), stage.score) == (None, 0, -12.5)
    assert repr(stage) == "<Stage: climb, 6 variables, score -12.5, complete>"
    assert [stage.names[i] for i in stage.positions] == list(MAG.nodes)


def test_separations_follow_from_the_member() -> None:
    stage = stage_of()
    for a, b in combinations(MAG.nodes, 2):
        separation = stage.separation(a, b)
        assert (separation is None) == (MAG.edge(a, b) is not None)
        if separation is not None:
            assert an.is_separated(MAG, a, b, given=separation.given)
            assert (separation.radius, separation.found_by) == (len(separation.given), str(FoundBy.IMPLIED))
    known = stage.separation("pressure", "age")
    assert known is not None and (known.x, known.y, known.given) == ("pressure", "age", frozenset({"weight"}))
    with pytest.raises(an.UnknownName):
        stage.separation("age", "wheight")


def test_separations_are_computed_once() -> None:
    stage = stage_of()
    with patch.object(stage._minimal, "set_of", wraps=stage._minimal.set_of) as search:  # type: ignore[union-attr]
        for _ in range(3):
            stage.separation("age", "pressure")
            stage.separation("pressure", "age")
    assert search.call_count == 1


def test_a_stage_without_a_member_has_no_separations() -> None:
    stage = stage_of(member=None)
    assert stage.mag is None and stage.separation("age", "pressure") is None
    assert stage.set_without_edge(0, 1) is None


def test_what_would_separate_the_ends_of_an_edge() -> None:
    stage = stage_of()
    position = {name: i for i, name in enumerate(stage.names)}
    assert stage.set_without_edge(position["age"], position["weight"]) == ()
    triangle = stage_of(an.MAG.parse("a --> b, b --> c, a --> c"))
    assert triangle.set_without_edge(0, 2) == (1,)


@pytest.mark.parametrize(
    ("at", "mark"),
    [((0, 5), ARROW), ((0, 5), CIRCLE), ((0, 5), NONE), ((0, 1), ARROW)],
    ids=["mark", "o", "gone", "new"],
)
def test_a_member_of_another_class_is_refused(at: tuple[int, int], mark: int) -> None:
    good = stage_of()
    assert good.member is not None
    member = good.member.copy()
    member[at[1], at[0]] = mark
    if (member == good.member).all():
        member[at] = mark
    with pytest.raises(GraphError, match="the member must have the edges of the graph"):
        stage_of(oriented=replace(good.oriented, marks=np.where(good.member == 0, 0, good.member)), member=member)


def test_a_member_of_another_size_is_refused() -> None:
    with pytest.raises(GraphError, match="over 6 variables"):
        stage_of(member=np.zeros((2, 2), dtype=np.uint8))


def test_notes_belong_to_claims() -> None:
    notes = (
        Note("age", "weight", "edge", 31.2, "without it the score is 31.2 worse"),
        Note("age", "weight", "mark", 14.0, "denying it costs 14.0"),
        Note("age", "diet", "no edge", 6.9, "adding it costs 6.9"),
    )
    trace = stage_of(notes=notes).trace
    assert trace.notes == notes
    assert trace.note("edge", "weight", "age") is trace.note("edge", "age", "weight") is notes[0]
    assert trace.note("mark", "age", "weight") is notes[1] and trace.note("mark", "weight", "age") is None
    assert trace.note("no edge", "diet", "age") is notes[2] and trace.note("no edge", "age", "weight") is None


# -- decisions --------------------------------------------------------------------------------------------------------


def test_only_what_is_looked_at_is_asked(polytree: str) -> None:
    found = an.discover(ROWS, algorithm=polytree)
    decisions = found.decisions
    assert isinstance(decisions, ImpliedDecisions) and decisions.asked == {}
    found.why("age", "pressure")
    assert len(decisions.asked) == 1
    found.to_frame(involving="pressure")
    assert len(decisions.asked) == 2  # age and diet, given weight
    found.to_frame()
    pairs = [pair for pair in combinations(found.pag.nodes, 2) if found.sepset(*pair)]
    assert len(decisions.asked) == len(pairs) > 0


def test_the_table_has_the_p_value_of_each_implied_question(polytree: str) -> None:
    found = an.discover(ROWS, algorithm=polytree)
    for row in found.to_frame(library="polars").iter_rows(named=True):
        a, b, sepset = row["a"], row["b"], found.sepset(row["a"], row["b"])
        if row["edge"] is not None:
            assert (row["p_value"], row["closest"], row["sepset"], row["found_by"]) == (None,) * 4
            continue
        assert sepset is not None and set(row["sepset"]) == sepset
        assert (row["radius"], row["found_by"]) == (None, "implied")
        assert row["p_value"] == pytest.approx(found.evidence(a, b).p_value)
        assert row["statistic"] == pytest.approx(found.evidence(a, b).statistic)


def test_without_a_member_missing_edges_have_no_evidence() -> None:
    def run(problem: Problem) -> Iterator[Stage]:
        return (replace(stage, member=None) for stage in POLYTREE.run(problem))  # type: ignore[call-arg]

    with registered("bare", replace(POLYTREE, run=run)):
        found = an.discover(ROWS, algorithm="bare")
        for row in found.to_frame(library="polars").iter_rows(named=True):
            assert row["p_value"] is row["sepset"] is row["found_by"] is None
        assert str(found.why("age", "pressure")) == "age and pressure are not adjacent in the graph that was found."
        assert an.load(saved(found)).sepset("age", "pressure") is None


def saved(found: an.Discovery) -> Path:
    """A file of a run, in the folder of the test."""
    path = Path("run.json")
    found.save(path)
    return path


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# -- runs -------------------------------------------------------------------------------------------------------------


def test_the_history_has_scores(polytree: str) -> None:
    found = an.discover(ROWS, algorithm=polytree)
    assert [(record.phase, record.radius, record.questions) for record in found.history] == [
        ("forest", None, 0),
        ("colliders", None, 0),
    ]
    assert [record.score for record in found.history] == [found.score] * 2
    assert found.radius is None and found.complete and found.stopped is None
    assert len(found.graphs) == 2 and found.graphs[-1] == found.pag
    assert [stage.pag for stage in an.stages(ROWS, algorithm=polytree)] == list(found.graphs)


def test_options_of_questions_are_refused(polytree: str) -> None:
    for option, value in {"max_radius": 2, "possible_ancestors": "off", "stable": False, "verify": False}.items():
        with pytest.raises(an.OptionError, match="it asks no questions"):
            an.discover(ROWS, algorithm=polytree, **{option: value})  # type: ignore[arg-type]
    with pytest.raises(an.OptionError, match="a forest has no room for it"):
        an.discover(ROWS, algorithm=polytree, knowledge=an.Knowledge(tiers=[["age"], ["weight"]]))


def test_an_executor_is_refused(polytree: str) -> None:
    """It would have nothing to do in a search; a bootstrap divides its repeats."""
    with ThreadPoolExecutor(2) as pool:
        with pytest.raises(an.OptionError, match="executor cannot be combined with algorithm"):
            an.discover(ROWS, algorithm=polytree, executor=pool)
        boot = an.bootstrap(ROWS, algorithm=polytree, repeats=2, seed=1, executor=pool, progress=False)
        assert boot.repeats == 2


def icd_as_graph(problem: Problem) -> Iterator[Stage]:
    """The graph that ICD finds, as if it had been found in another way."""
    *_, last = icd(replace(problem, start=None))
    graph = an.PAG(last.names, last.oriented.marks)
    member = mag_in(graph).arranged(last.names) if legal(graph) else None
    yield GraphStage(
        phase="graph",
        complete=True,
        names=last.names,
        columns=last.columns,
        oriented=last.oriented,
        member=member,
    )


#: An algorithm that takes any source, and knowledge.
ICD_AS_GRAPH = replace(CHOW_LIU, run=icd_as_graph, phases=("graph",), score=None, fixed_options=OF_QUESTIONS)


@pytest.mark.parametrize("seed", range(4))
def test_implied_separations_answer_as_asked_ones_do(seed: int) -> None:
    oracle = an.Oracle(an.simulate.random_dag(nodes=9, degree=3, seed=seed))
    with registered("graph", ICD_AS_GRAPH):
        one, other = an.discover(oracle, algorithm="graph"), an.discover(oracle)
        assert one.pag == other.pag
        for a, b in permutations(one.pag.nodes, 2):
            assert (one.sepset(a, b) is None) == (other.sepset(a, b) is None)
            assert one.causes(a, b) == other.causes(a, b)
        # an oracle says 1 to what is implied by the true class
        missing = one.to_frame("separated", library="polars")
        assert set(missing["p_value"]) <= {1.0} and set(missing["found_by"]) <= {"implied"}


@pytest.mark.filterwarnings("ignore::ancestral.KnowledgeWarning")
@pytest.mark.parametrize(
    "known",
    [
        an.Knowledge(tiers=[["age", "diet"], ["weight", "pressure", "sport"]]),
        an.Knowledge(required=[("sport", "age")], no_edge=[("age", "weight")]),
    ],
    ids=["tiers", "required"],
)
def test_a_graph_with_knowledge(known: an.Knowledge) -> None:
    with registered("graph", ICD_AS_GRAPH):
        found = an.discover(ROWS, algorithm="graph", knowledge=known)
        assert an.load(saved(found)).to_json() == found.to_json()
        for a, b in permutations(found.pag.nodes, 2):
            assert "radius" not in str(found.why(a, b))
        if known.no_edge:
            assert str(found.why("age", "weight")).endswith("known not to be adjacent (no_edge).")
            assert "known to be adjacent" in str(found.why("sport", "age"))


def test_a_graph_may_be_a_cpdag() -> None:
    """The same trees, if nothing is latent: directed edges lead away from colliders."""

    def run(problem: Problem) -> Iterator[Stage]:
        for stage in POLYTREE.run(problem):
            assert isinstance(stage, GraphStage) and stage.member is not None
            skeleton = np.minimum(stage.member, CIRCLE)
            oriented = orient_cpdag(skeleton, TrueGraph(stage.member), problem.watch.pulse())
            yield replace(stage, oriented=oriented, sufficient=True, notes=())

    entry = replace(POLYTREE, run=run, sufficient=True)
    check_algorithm(entry)
    with registered("trees", entry):
        found = an.discover(ROWS, algorithm="trees")
        assert isinstance(found.pag, an.CPDAG) and an.load(saved(found)).pag == found.pag


def stopping_after(count: int, error: type[BaseException] = Stopped) -> Algorithm:
    """An algorithm that is stopped after this many stages."""

    def run(problem: Problem) -> Iterator[Stage]:
        for number, stage in enumerate(POLYTREE.run(problem)):
            if number == count:
                raise error
            yield stage

    return replace(POLYTREE, run=run)


@pytest.mark.parametrize("count", [0, 1])
def test_a_stopped_run_has_the_best_graph_so_far(polytree: str, count: int) -> None:
    whole = an.discover(ROWS, algorithm=polytree)
    ALGORITHMS[polytree] = stopping_after(count)
    found = an.discover(ROWS, algorithm=polytree, save="part.json")
    assert (found.stopped, found.complete, len(found.history)) == ("time limit", False, count)
    if count:
        assert found.pag == whole.graphs[0]
        assert "stopped by the time limit: the best graph found so far; a longer run may find a better one" in str(
            found
        )
    else:
        assert (found.pag.marks + CIRCLE * np.eye(5) == CIRCLE).all() and not found.stage.begun
        assert "stopped by the time limit: no graph was found yet" in str(found)
        assert "nothing is known" in str(found.why("age", "diet"))
    assert an.load("part.json").to_json() == found.to_json()
    starts: list[Stage | None] = []

    def resumed(problem: Problem) -> Iterator[Stage]:
        starts.append(problem.start)
        return POLYTREE.run(problem)

    ALGORITHMS[polytree] = replace(POLYTREE, run=resumed)
    again = an.discover(ROWS, algorithm=polytree, resume="part.json")
    assert again.pag == whole.pag and again.history == whole.history and again.complete
    assert Path("part.json").read_text() == whole.to_json()
    if count:
        assert isinstance(starts[0], GraphStage) and starts[0].pag == found.pag
    else:
        assert starts == [None]


@pytest.mark.parametrize(
    ("count", "words"), [(0, "no graph was found yet"), (1, "this is the best graph found so far")]
)
def test_an_interrupted_run_says_what_is_left(polytree: str, count: int, words: str) -> None:
    ALGORITHMS[polytree] = stopping_after(count, KeyboardInterrupt)
    with pytest.warns(an.RunWarning, match=f"interrupted: {words}"):
        assert an.discover(ROWS, algorithm=polytree).stopped == "interrupt"


def test_a_lost_executor_leaves_the_best_graph() -> None:
    assert str(executor_lost(ExecutorGone("it went"), stage_of())).endswith("this is the best graph found so far")


def test_a_complete_run_is_returned_as_it_is(polytree: str) -> None:
    found = an.discover(ROWS, algorithm=polytree, save="run.json")
    ALGORITHMS[polytree] = stopping_after(0, ZeroDivisionError)
    again = an.discover(ROWS, algorithm=polytree, resume="run.json")
    assert again.to_json() == found.to_json()
    # the data are there again, so what was not asked before can be asked
    assert again.why("age", "pressure").steps == found.why("age", "pressure").steps
    with pytest.raises(an.RunError, match="was made from"):
        an.discover(ROWS[:300], algorithm=polytree, resume="run.json")


def test_an_algorithm_that_never_ends_is_a_defect(polytree: str) -> None:
    ALGORITHMS[polytree] = replace(POLYTREE, run=lambda problem: iter([next(iter(POLYTREE.run(problem)))]))
    with pytest.raises(AssertionError, match="must end with a complete stage"):
        an.discover(ROWS, algorithm=polytree)


def test_the_problem_has_the_test_and_the_number_of_workers(polytree: str) -> None:
    seen: list[Problem] = []

    def run(problem: Problem) -> Iterator[Stage]:
        seen.append(problem)
        return POLYTREE.run(problem)

    ALGORITHMS[polytree] = replace(POLYTREE, run=run)
    an.discover(ROWS, algorithm=polytree, workers=3)
    (problem,) = seen
    assert problem.test is not None and problem.test.name == "fisher-z" and problem.workers == 3
    assert not problem.helpers  # nobody asks them
    an.bootstrap(ROWS, algorithm=polytree, repeats=2, seed=1, progress=False)
    assert all(problem.test is not None for problem in seen) and len(seen) == 4


def test_an_estimator_confirms_edges_and_implied_separations(polytree: str) -> None:
    learned = an.Discoverer(algorithm=polytree).fit(ROWS)
    decisions = learned._decisions()
    assert len(decisions) == 10 and sum(edge for _, _, edge, _ in decisions) == len(learned.pag_.edges())
    assert 0.5 < learned.score(ROWS) <= 1


def test_a_phase_of_ones_own_may_belong_to_a_search_that_asks() -> None:
    """ICD under another name, with a phase that is a plain text."""
    icd = ALGORITHMS["icd"]

    def run(problem: Problem) -> Iterator[Stage]:
        return (replace(stage, phase="rings") for stage in icd.run(problem))

    with registered("rings", replace(icd, run=run, phases=("rings",))):
        found = an.discover(ROWS, algorithm="rings", max_radius=1, save="run.json")
        assert an.load("run.json").to_json() == found.to_json()
        assert "rings" in str(found)


# -- the checks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("check", [*checks_of_algorithm(POLYTREE)], ids=str)
def test_the_example_keeps_its_promises(check: Check) -> None:
    check()


def test_an_algorithm_of_one_stage_passes() -> None:
    check_algorithm(CHOW_LIU, [an.DAG.parse("a -> c, b -> c, c -> d")])


def test_other_data_can_be_made_of_a_graph() -> None:
    made: list[an.DAG] = []

    def data(dag: an.DAG) -> Any:
        made.append(dag)
        return an.simulate.linear_gaussian(dag, rows=50, seed=1)

    check_algorithm(CHOW_LIU, [an.DAG.parse("a -> b, c")], data)
    assert made


def changed(change: Callable[[Problem, Stage], Stage]) -> Algorithm:
    """An algorithm whose stages are changed."""

    def run(problem: Problem) -> Iterator[Stage]:
        return (change(problem, stage) for stage in POLYTREE.run(problem))

    return replace(POLYTREE, run=run)


def cyclic(problem: Problem, stage: Stage) -> Stage:
    """A graph that is the PAG of nothing: every edge points away from the first name."""
    marks = stage.oriented.marks.copy()
    marks[np.triu(marks) > 0], marks[np.tril(marks) > 0] = ARROW, ARROW
    return replace(stage, oriented=Oriented.nothing(marks), member=None)  # type: ignore[call-arg]


def by_column(problem: Problem, stage: Stage) -> Stage:
    """All edges are gone if the columns are not in the order of names."""
    if list(problem.columns) == list(problem.names):
        return stage
    return replace(stage, oriented=Oriented.nothing(np.zeros_like(stage.oriented.marks)), member=None)  # type: ignore[call-arg]


def by_workers(problem: Problem, stage: Stage) -> Stage:
    """The score depends on the number of workers."""
    return replace(stage, score=float(problem.workers))


def only_three_or_more(problem: Problem) -> Iterator[Stage]:
    """Cannot do with two variables."""
    if len(problem.names) < 3:
        raise IndexError("no third variable")
    yield from POLYTREE.run(problem)


def deaf(problem: Problem) -> Iterator[Stage]:
    """Does not look at the watch."""
    yield from POLYTREE.run(replace(problem, watch=Watch()))


def never_resumes(problem: Problem) -> Iterator[Stage]:
    """Forgets to be complete when it is resumed."""
    for stage in POLYTREE.run(problem):
        yield replace(stage, complete=stage.complete and problem.start is None)


#: For each check, an algorithm that breaks its promise, and a part of what is said about it.
BROKEN: dict[str, tuple[Algorithm, str]] = {
    "entry": (replace(POLYTREE, fixed_options={}), "options of questions"),
    "graph_stages": (changed(lambda _, stage: replace(stage, complete=False)), "complete was"),
    "legal_graphs": (changed(cyclic), "not legal"),
    "few_variables": (replace(POLYTREE, run=only_three_or_more), "no third variable"),
    "order_of_columns": (changed(by_column), "when columns changed places"),
    "workers": (changed(by_workers), "With two workers"),
    "knowledge": (replace(POLYTREE, fixed_options=OF_QUESTIONS), "The graph denies"),
    "stops": (replace(POLYTREE, run=deaf), "although its time was over"),
    "resumes": (replace(POLYTREE, run=never_resumes), "it is not complete"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_each_check_can_fail(name: str) -> None:
    algorithm, message = BROKEN[name]
    (check,) = [check for check in checks_of_algorithm(algorithm) if check.name == name]
    with pytest.raises((AssertionError, IndexError), match=message):
        check()


def test_the_entry_must_say_what_complete_means() -> None:
    silent = replace(POLYTREE, complete_means=ALGORITHMS["icd"].complete_means)
    (check,) = [c for c in checks_of_algorithm(silent) if c.name == "entry"]
    with pytest.raises(AssertionError, match="complete_means must say"):
        check()


def test_a_search_that_asks_must_not_yield_graphs() -> None:
    nothing = replace(POLYTREE, asks=True, run=lambda p: iter([nothing_found(p.names, p.columns, "forest")]))
    with pytest.raises(AssertionError, match="say asks=False"):
        check_algorithm(nothing, [an.DAG.parse("a -> b")])
