"""How the questions of a radius are asked: the answer is the same in one thread and in several, and long radii warn."""

from math import comb
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral import DAG, simulate
from ancestral.graphs.names import in_order
from ancestral.independence.choice import choose_test
from ancestral.parallel.tuning import Tuning
from ancestral.search._subsets_cy import Subsets
from ancestral.search.ask import CandidateSets, RadiusAsker
from ancestral.search.base import Problem, SearchOptions
from ancestral.search.icd import icd
from ancestral.search.stage import AskedStage
from ancestral.search.working_graph import WorkingGraph


def problem_of(source: Any, threads: int = 1, **more: Any) -> Problem:
    test = choose_test(source)
    names = in_order(test.names)
    first, *helpers = (test.questions(names) for _ in range(threads))
    return Problem(questions=first, names=names, columns=test.names, helpers=helpers, **more)


def everything(stage: AskedStage) -> tuple[Any, ...]:
    asked = [(a.pairs.tolist(), a.sets.tolist(), a.evidence.tobytes()) for a in stage.memory.asked]
    known = stage.sepsets.sets(stage.sepset_count)
    return stage.pag, stage.tests, stage.verify_tests, stage.unsupported, repr(known), asked


@pytest.mark.parametrize("largest", [1, 256])
def test_threads_that_share_the_pairs_find_the_same(largest: int) -> None:
    rows = simulate.linear_gaussian(simulate.random_dag(nodes=40, degree=3, seed=2), rows=400, seed=1)
    alone = [everything(stage) for stage in icd(problem_of(rows))]
    tuning = Tuning(min_sets_for_threads=0, max_edges_per_range=largest)
    assert [everything(stage) for stage in icd(problem_of(rows, threads=3, tuning=tuning))] == alone


@pytest.mark.parametrize(
    ("kind", "fewest", "expected"), [("quick", 10**9, [0]), ("quick", 1, [0, 1, 2]), ("slow", 10**9, [0, 1, 2])]
)
def test_threads_are_used_where_there_is_enough_to_ask(kind: str, fewest: int, expected: list[int]) -> None:
    """Of a quick test, by the estimated number of sets; of a test that answers one question per call, always."""
    dag = simulate.random_dag(nodes=14, degree=3, seed=2)
    draw = simulate.linear_gaussian if kind == "quick" else simulate.discrete
    problem = problem_of(draw(dag, rows=300, seed=1), threads=3)
    tuning = Tuning(min_sets_for_threads=fewest)
    asker = RadiusAsker(problem.questions, watch=problem.watch, helpers=problem.helpers, tuning=tuning)
    n, begun = len(problem.names), []
    asker.ask_given_nothing(n)
    graph = WorkingGraph.complete(n)

    def begin(thread: int) -> Subsets:
        begun.append(thread)
        sets = Subsets(n, asker.questions[thread])
        sets.begin(graph.marks, 1)
        return sets

    answers = asker.ask_given_sets(graph, CandidateSets(1, begin, lambda edges: pytest.fail("nothing is sent")), 0)
    assert begun == expected
    assert answers.any_sets and 0 < answers.separated.sum() < len(answers.pairs) == comb(n, 2) < answers.asked


def test_a_radius_with_very_many_sets_is_announced_once() -> None:
    everything = an.Moments.from_correlation(0.5 + 0.5 * np.eye(12), rows=1_000_000)
    problem = problem_of(everything, options=SearchOptions(max_radius=4), tuning=Tuning(many_sets=1000.0))
    with pytest.warns(an.RunWarning) as warned:
        *_, last = icd(problem)
    assert last.radius == 4
    (message,) = [str(warning.message) for warning in warned]
    # 66 edges, 10 other neighbours at each end: 66 * 2 * 10 sets at radius 1, one more for each edge
    assert message.startswith("radius 1 has up to 1e+03 candidate sets, since some variables have very many neighbours")
    assert "time_limit= or max_radius=" in message


def questions_asked(dag: DAG, **options: Any) -> set[tuple[str, str, tuple[str, ...]]]:
    seen = set()

    def answer(x: str, y: str, given: tuple[str, ...]) -> float:
        seen.add((x, y, given))
        return float(an.is_separated(dag, x, y, given=given))

    an.discover(answer, names=sorted(dag.nodes), **options)
    return seen


@pytest.mark.filterwarnings("ignore::ancestral.KnowledgeWarning")
def test_an_edge_removed_at_once_is_not_seen_by_the_next_pair_unless_it_is_required() -> None:
    """a – b and a – d fall given c; a is then not in any set of b – d, which is asked about later."""
    fork = DAG.parse("c -> a, c -> b, c -> d")
    question = ("b", "d", ("a",))
    assert question in questions_asked(fork)
    assert question not in questions_asked(fork, stable=False)
    assert question in questions_asked(fork, stable=False, knowledge=an.Knowledge(required=[("a", "b")]))
