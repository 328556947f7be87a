"""Every algorithm of the registry keeps its promises, and each check of the suite can fail."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, replace

import numpy as np
import pytest

from ancestral import CPDAG, DAG, PAG, Oracle, discover
from ancestral.options import AlgorithmOptions
from ancestral.orientation import Oriented
from ancestral.parallel.clock import Stopped
from ancestral.search.algorithms import ALGORITHMS, Algorithm, algorithms_in_words
from ancestral.search.base import Problem, SearchOptions
from ancestral.search.stage import Phase, Stage
from ancestral.testing import Check, check_algorithm, checks_of_algorithm

ICD, RFCI, PC, GFCI = (ALGORITHMS[name] for name in ("icd", "rfci", "pc", "gfci"))
Run = Callable[[Problem], Iterator[Stage]]


@pytest.mark.parametrize(
    ("name", "check"),
    [(name, check) for name in ALGORITHMS for check in checks_of_algorithm(name)],
    ids=lambda value: str(value),
)
def test_an_algorithm_keeps_its_promises(name: str, check: Check) -> None:
    check()


# -- broken algorithms, one for each check ----------------------------------------------------------------------------


def changed(change: Callable[[Problem, Stage], Stage], entry: Algorithm = ICD) -> Algorithm:
    """An algorithm whose stages are changed."""

    def run(problem: Problem) -> Iterator[Stage]:
        return (change(problem, stage) for stage in entry.run(problem))

    return replace(entry, run=run)


def given(change: Callable[[Problem], Problem], entry: Algorithm = ICD) -> Algorithm:
    """An algorithm whose problem is changed."""
    return replace(entry, run=lambda problem: entry.run(change(problem)))


def stubborn(problem: Problem) -> Iterator[Stage]:
    """Goes on when it is told to stop."""
    last = None
    try:
        for last in ICD.run(problem):
            yield last
    except Stopped:
        if last is not None:
            yield replace(last, radius=(last.radius or 0) + 1)


def growing(problem: Problem) -> Iterator[Stage]:
    """Its last stage has all edges again."""
    *early, last = ICD.run(problem)
    yield from early
    marks = np.where(np.eye(len(problem.names)), 0, 1).astype(np.uint8)
    yield replace(last, oriented=Oriented.nothing(marks))


def only_three_or_more(problem: Problem) -> Iterator[Stage]:
    """Cannot do with two variables."""
    if len(problem.names) < 3:
        raise IndexError("no third variable")
    yield from ICD.run(problem)


def without_marks(problem: Problem, stage: Stage) -> Stage:
    """The marks are gone if the columns are not in the order of names."""
    if list(problem.columns) == list(problem.names):
        return stage
    return replace(stage, oriented=Oriented.nothing(np.minimum(stage.oriented.marks, 1)))


def alone(problem: Problem) -> Problem:
    """With helpers, it asks about smaller sets only."""
    return replace(problem, options=replace(problem.options, max_radius=1)) if problem.helpers else problem


#: For each check, an algorithm that breaks its promise, and a part of what is said about it.
BROKEN: dict[str, tuple[Algorithm, str]] = {
    "entry": (replace(ICD, fixed_options={"colour": "it has none"}), "fixed_options must be options of SearchOptions"),
    "steps": (changed(lambda _, stage: replace(stage, complete=False)), "complete was"),
    "tiny_graphs": (replace(ICD, run=only_three_or_more), "no third variable"),
    "true_claims": (replace(PC, sufficient=False), "the mark at"),
    "early_stages": (replace(ICD, anytime=False), "oriented an edge"),
    "exact": (replace(RFCI, exact=True), "and not"),
    "only_removals": (replace(ICD, run=growing), "An edge came back"),
    "counts": (changed(lambda _, stage: replace(stage, tests=stage.tests + stage.tests)), "It counted"),
    "max_radius": (
        given(lambda problem: replace(problem, options=replace(problem.options, max_radius=None))),
        "with max_radius=0",
    ),
    "order_of_columns": (changed(without_marks), "when columns changed places"),
    "threads": (given(alone), "with threads"),
    "knowledge": (given(lambda problem: replace(problem, constraints=None)), "The graph denies"),
    "stops": (replace(ICD, run=stubborn), "stopped is 'max_radius'"),
    "resumes_from_stages": (given(lambda problem: replace(problem, start=None)), "when resumed from stage 0"),
    "run_files": (given(lambda problem: replace(problem, start=None)), "Resumed after radius 0"),
}


@pytest.mark.parametrize("name", [check.name for check in checks_of_algorithm("icd")])
def test_each_check_can_fail(name: str) -> None:
    algorithm, message = BROKEN[name]
    (check,) = [check for check in checks_of_algorithm(algorithm) if check.name == name]
    with pytest.raises((AssertionError, IndexError), match=message):
        check()


def all_arrowheads(problem: Problem, stage: Stage) -> Stage:
    """Every mark is an arrowhead."""
    return replace(stage, oriented=Oriented.nothing(2 * np.minimum(stage.oriented.marks, 1)))


def asks_more(problem: Problem, stage: Stage) -> Stage:
    """Counts a question more than it has asked."""
    return replace(stage, tests=stage.tests + Counter({0: 1}))


def only_three_or_more_by_score(problem: Problem) -> Iterator[Stage]:
    """Cannot do with two variables."""
    if len(problem.names) < 3:
        raise IndexError("no third variable")
    yield from GFCI.run(problem)


def growing_by_score(problem: Problem) -> Iterator[Stage]:
    """Its last stage has all edges again."""
    *early, last = GFCI.run(problem)
    yield from early
    marks = np.where(np.eye(len(problem.names)), 0, 1).astype(np.uint8)
    yield replace(last, oriented=Oriented.nothing(marks))


#: The same for an algorithm that asks within a graph by score; `test_graph_stage` has those of checks that are shared.
BROKEN_WITHIN: dict[str, tuple[Algorithm, str]] = {
    "steps": (changed(lambda _, stage: replace(stage, complete=False), GFCI), "complete was"),
    "few_variables": (replace(GFCI, run=only_three_or_more_by_score), "no third variable"),
    "early_stages": (changed(all_arrowheads, GFCI), "oriented an edge"),
    "only_removals": (replace(GFCI, run=growing_by_score), "An edge came back"),
    "implied_pairs": (changed(asks_more, GFCI), "It asked about"),
    "max_radius": (
        given(lambda problem: replace(problem, options=replace(problem.options, max_radius=None)), GFCI),
        "with max_radius=0",
    ),
    "threads": (given(alone, GFCI), "with threads"),
    "resumes_from_stages": (given(lambda problem: replace(problem, start=None), GFCI), "when resumed from stage 0"),
    "resumed_files": (given(lambda problem: replace(problem, start=None), GFCI), "Resumed after 1 stages"),
}


@pytest.mark.parametrize("name", BROKEN_WITHIN)
def test_each_check_of_a_search_within_a_graph_by_score_can_fail(name: str) -> None:
    algorithm, message = BROKEN_WITHIN[name]
    (check,) = [check for check in checks_of_algorithm(algorithm) if check.name == name]
    with pytest.raises((AssertionError, IndexError), match=message):
        check()


def test_every_check_of_such_a_search_is_broken_somewhere() -> None:
    names = {check.name for check in checks_of_algorithm(GFCI)}
    shared = {check.name for check in checks_of_algorithm("boss")}  # these are broken in test_graph_stage
    assert names - shared <= set(BROKEN_WITHIN)


def test_all_failures_are_told_together() -> None:
    before = list(ALGORITHMS)
    broken = replace(PC, sufficient=False, title="")
    with pytest.raises(AssertionError, match="checks failed") as told:
        check_algorithm(broken, [DAG.parse("x -> a, l -> a, l -> b", latent=["l"])])
    assert "- entry: " in str(told.value) and "- true_claims: " in str(told.value)
    assert list(ALGORITHMS) == before  # nothing is left behind


# -- the registry -----------------------------------------------------------------------------------------------------


def test_what_an_entry_says_of_its_graph() -> None:
    dag = DAG.parse("a -> c, b -> c, c -> d")
    for name, algorithm in ALGORITHMS.items():
        assert algorithm.graph is (CPDAG if name in ("pc", "boss") else PAG)
        assert set(algorithm.phases) <= set(Phase)
        if algorithm.tests is not None:  # these need data
            continue
        assert type(discover(Oracle(dag), algorithm=name).pag) is algorithm.graph
        assert {stage.phase for stage in algorithm.run(_problem(dag))} <= set(algorithm.phases)
        algorithm.check_options(name, SearchOptions())


def test_an_entry_that_is_not_exact_does_not_claim_to_have_learned_all() -> None:
    entry = Algorithm(run=RFCI.run, title="Mine", phases=RFCI.phases, summary="is quick", exact=False)
    assert entry.complete_means == RFCI.complete_means
    assert "an edge may be there" in entry.complete_means
    assert replace(entry, complete_means="complete").complete_means == "complete"
    exact = Algorithm(run=ICD.run, title="Mine", phases=ICD.phases, summary="is exact")
    assert exact.complete_means == ICD.complete_means == "complete: nothing more can be learned from independences"


def _problem(dag: DAG) -> Problem:
    return Problem(questions=Oracle(dag).questions(dag.nodes), names=dag.nodes, columns=dag.nodes)


def test_the_help_of_the_option_is_that_of_the_registry() -> None:
    """It is not computed from it, since the command line must be there before numpy is."""
    (option,) = [field for field in fields(AlgorithmOptions) if field.name == "algorithm"]
    assert option.metadata["help"].partition(" By default ")[0] == algorithms_in_words()
    assert all(f'"{name}"' in (discover.__doc__ or "") for name in ALGORITHMS)
