"""The scored search: what it takes and refuses, and what its parts hand on. Its laws are in tests/laws."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import ancestral as an
from ancestral.graphs.names import in_order
from ancestral.independence.choice import choose_test
from ancestral.search.base import Problem
from ancestral.search.progress import Progress
from ancestral.search.scored.run import PHASES, ScoredOptions, scored
from tests.support.ancestral_graphs import confounded_dag


def data(seed: int, rows: int = 400) -> Any:
    return an.simulate.linear_gaussian(confounded_dag(seed, 0.4), rows=rows, seed=seed)


def test_labels_are_blocks_of_columns() -> None:
    dag = an.DAG.parse("a -> c, b -> c, c -> d")
    for rows in (
        an.simulate.discrete(dag, rows=3000, levels=3, seed=2),
        an.simulate.mixed(dag, rows=3000, seed=2),
    ):
        found = an.discover(rows, algorithm="scored")
        assert found.settings.test == "mixed"
        assert found.pag == an.pag_of(dag)


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (lambda: data(1), {"selection_bias": True}, "assumes that the sample was not selected"),
        (lambda: an.Oracle(an.DAG.parse("a -> b")), {}, "has no Gaussian likelihood"),
        (lambda: an.simulate.discrete(an.DAG.parse("a -> b"), rows=50, seed=1), {"test": "g"}, "the test 'g' has no"),
        (lambda: data(1), {"max_radius": 1}, "it asks no questions"),
    ],
)
def test_what_it_cannot_do_is_refused(source: Callable[[], object], options: dict[str, Any], message: str) -> None:
    with pytest.raises(an.OptionError, match=message):
        an.discover(source(), algorithm="scored", **options)


def test_its_time_limit_leaves_the_best_graph_so_far() -> None:
    rows = an.simulate.linear_gaussian(an.simulate.random_dag(60, 4.0, seed=1), rows=500, seed=1)
    found = an.discover(rows, algorithm="scored", time_limit=0.3)
    assert found.stopped == "time limit"
    assert not found.complete
    assert not found.history or an.legal(found.pag)


def test_what_is_known_is_told_by_the_graph() -> None:
    rows = an.simulate.linear_gaussian(an.DAG.parse("a -> b"), rows=500, seed=1)
    assert an.discover(rows, algorithm="scored").pag == an.PAG.parse("a o-o b")
    for known, pag in (
        (an.Knowledge(tiers=[["a"], ["b"]]), "a o-> b"),
        (an.Knowledge(required=[("a", "b")]), "a --> b"),
    ):
        assert an.discover(rows, algorithm="scored", knowledge=known).pag == an.PAG.parse(pag)


@pytest.mark.parametrize("done", range(4))
def test_a_resumed_search_yields_the_stages_that_are_missing(done: int) -> None:
    test = choose_test(data(2))
    names = tuple(sorted(test.names))
    problem = Problem(questions=test.questions(names), names=names, columns=names, test=test)
    whole = list(scored(problem))
    rest = list(scored(replace(problem, start=whole[done])))
    assert [stage.phase for stage in rest] == [stage.phase for stage in whole[done + 1 :]]
    assert [stage.score for stage in rest] == [stage.score for stage in whole[done + 1 :]]
    assert rest[-1].complete and rest[-1].notes == whole[-1].notes


def challenged(seed: int, threshold: float) -> float:
    """By how much the score falls when the claims of a graph that was found with little search are challenged."""
    test = choose_test(an.simulate.linear_gaussian(confounded_dag(seed), rows=200, seed=seed))
    names = in_order(test.names)
    problem = Problem(questions=test.questions(names), names=names, columns=test.names, test=test)
    *_, before, after = scored(problem, ScoredOptions(threshold=threshold, orders=1, alphas=(), walks=1))
    assert before.score is not None and after.score is not None
    return before.score - after.score


def test_a_denied_claim_leads_on_only_if_that_gains_more_than_the_threshold() -> None:
    seeds = (8, 32, 33, 42, 57)
    gains = {threshold: [challenged(seed, threshold) for seed in seeds] for threshold in (0.5, 6.0)}
    for threshold, found in gains.items():
        assert all(gain > threshold or abs(gain) < 0.01 for gain in found)
    assert max(gains[6.0]) > 6.0
    assert any(0.5 < gain < 6.0 for gain in gains[0.5])  # so the threshold made a difference


@pytest.mark.parametrize("workers", [1, 2])
def test_its_progress_names_the_phase_and_its_parts(workers: int) -> None:
    rows = an.simulate.linear_gaussian(an.simulate.random_dag(60, 4.0, seed=1), rows=500, seed=1)
    seen: list[Progress] = []
    an.discover(rows, algorithm="scored", workers=workers, progress=seen.append, time_limit=2)
    told = [progress for progress in seen if progress.label]
    assert told and {progress.label for progress in told} <= set(PHASES)
    assert all(0 <= progress.done <= progress.edges for progress in told)
