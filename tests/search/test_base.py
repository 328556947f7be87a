"""A search goes on from any of its stages, also from one that is not the last, and more than once."""

import gc
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral.graphs.names import in_order
from ancestral.independence.choice import choose_test
from ancestral.search.base import Problem, Search
from ancestral.search.fci import fci
from ancestral.search.icd import icd
from ancestral.search.stage import AskedStage


@pytest.mark.parametrize("search", [icd, fci])
@pytest.mark.parametrize("seed", range(3))
def test_going_on_from_an_earlier_stage(search: Callable[[Problem], Iterator[AskedStage]], seed: int) -> None:
    dag = an.simulate.random_dag(nodes=11, degree=3, seed=seed)
    test = choose_test(an.simulate.linear_gaussian(dag, rows=300, seed=seed), alpha=0.05)
    names = in_order(test.names)
    problem = Problem(questions=test.questions(names), names=names, columns=names)
    stages = list(search(problem))
    assert len(stages) > 2 and stages[-1].sepset_count > stages[0].sepset_count
    expected = [stage.sepsets.sets(stage.sepset_count) for stage in stages]
    for number, stage in [*enumerate(stages[:-1])] * 2:
        again = list(search(replace(problem, questions=test.questions(names), start=stage)))
        for one, other, sets in zip(again, stages[number + 1 :], expected[number + 1 :], strict=True):
            assert np.array_equal(one.oriented.marks, other.oriented.marks) and one.tests == other.tests
            assert one.sepsets.sets(one.sepset_count) == sets
            assert one.trace.orientations == other.trace.orientations
    assert [stage.sepsets.sets(stage.sepset_count) for stage in stages] == expected


@pytest.mark.parametrize("algorithm", ["icd", "fci", "rfci", "fci+", "pc"])
def test_a_search_that_has_ended_frees_its_memory_at_once(algorithm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[weakref.ref[Search]] = []
    begin = Search.__init__

    def listening(self: Search, *arguments: Any) -> None:
        searches.append(weakref.ref(self))
        begin(self, *arguments)

    monkeypatch.setattr(Search, "__init__", listening)
    dag = an.simulate.random_dag(nodes=11, degree=3, seed=1)
    rows = an.simulate.linear_gaussian(dag, rows=300, seed=1)
    gc.disable()
    try:
        found = an.discover(rows, algorithm=algorithm)
        assert found.complete and [search() for search in searches] == [None]
    finally:
        gc.enable()
