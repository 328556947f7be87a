import pytest

import ancestral as an
from ancestral.reproduce.budget import search_within
from ancestral.reproduce.stages import false_marks

DAG = an.simulate.random_dag(25, 2, seed=5)
FCI = {"algorithm": "fci", "stable": False, "verify": False}


def test_a_search_within_its_limit_is_whole() -> None:
    whole = search_within(an.Oracle(DAG), FCI, 10_000_000)
    assert not whole.censored
    assert whole.stages[-1].complete
    assert whole.by_size == an.discover(an.Oracle(DAG), **FCI).tests  # type: ignore[arg-type]


@pytest.mark.parametrize("most", [300, 1000, 50_000])
def test_a_search_that_is_given_up_counts_as_the_limit(most: int) -> None:
    whole = search_within(an.Oracle(DAG), FCI, 10_000_000)
    part = search_within(an.Oracle(DAG), FCI, most)
    assert part.censored
    assert part.total == most
    assert part.stages
    for stage, same in zip(part.stages, whole.stages, strict=False):
        assert stage.pag == same.pag
    # the stages that fit, and no other
    assert len(part.stages) == sum(stage.tests.total() <= most for stage in whole.stages)


def test_what_is_counted_does_not_depend_on_when_the_end_was_noticed() -> None:
    # so long that the questions are used up inside a radius, where the clock decides who notices
    dag, most = an.simulate.random_dag(35, 2, seed=5), 2_000_000
    stages = list(an.stages(an.Oracle(dag), **FCI))  # type: ignore[arg-type]
    fitting = [stage for stage in stages if stage.tests.total() <= most]
    expected = fitting[-1].tests.copy()
    expected[stages[len(fitting)].radius or 0] += most - expected.total()
    assert search_within(an.Oracle(dag), FCI, most).by_size == expected


def test_false_marks_also_know_selection() -> None:
    dag = an.DAG.parse("a -> s, b -> s, c -> b", selection=["s"])
    assert false_marks(dag, an.PAG.parse("a --- b, b --- c")) == 0
    assert false_marks(dag, an.PAG.parse("a --> b, c o-> b")) == 2
