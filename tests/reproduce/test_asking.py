import pytest

import ancestral as an
from ancestral.reproduce.asking import asked
from ancestral.reproduce.stages import false_marks

DAG = an.simulate.random_dag(25, 2, seed=5)
FCI = {"algorithm": "fci", "stable": False, "verify": False}


def test_a_search_within_its_limit_is_whole() -> None:
    whole = asked(an.Oracle(DAG), FCI, 10_000_000)
    assert not whole.censored
    assert whole.stages[-1].complete
    assert whole.by_size == an.discover(an.Oracle(DAG), **FCI).tests  # type: ignore[arg-type]


@pytest.mark.parametrize("most", [300, 1000, 50_000])
def test_a_search_that_is_given_up_counts_as_the_limit(most: int) -> None:
    whole = asked(an.Oracle(DAG), FCI, 10_000_000)
    part = asked(an.Oracle(DAG), FCI, most)
    assert part.censored
    assert part.total == most
    assert part.stages
    for stage, same in zip(part.stages, whole.stages, strict=False):
        assert stage.pag == same.pag
    # the stages that fit, and no other
    assert len(part.stages) == sum(stage.tests.total() <= most for stage in whole.stages)


def test_false_marks_also_know_selection() -> None:
    dag = an.DAG.parse("a -> s, b -> s, c -> b", selection=["s"])
    assert false_marks(dag, an.PAG.parse("a --- b, b --- c")) == 0
    assert false_marks(dag, an.PAG.parse("a --> b, c o-> b")) == 2
