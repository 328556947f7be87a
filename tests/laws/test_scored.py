"""Laws of the scored search: it finds the truth in exact covariances; every stage is legal and keeps to what is known.

Nothing that should not matter does: the order of columns and rows, the number of workers, which member of a class is
scored. Stopped at any moment, it has a legal graph or none.
"""

import warnings
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral.graphs.names import in_order
from ancestral.independence.base import BaseTest
from ancestral.independence.choice import choose_test
from ancestral.independence.fisher_z import FisherZ
from ancestral.parallel.clock import Stopped, Watch
from ancestral.scores._score_cy import ScoredGraph
from ancestral.search.stage import GraphStage
from ancestral.simulate.gaussian import gaussian_model
from tests.support.ancestral_graphs import confounded_dag, is_legal
from tests.support.knowledge_laws import KINDS, believed, draw, keeps_to

#: Rows with which an exact covariance is searched: differences of one unit of the score are then real.
NOMINAL = 10**6


def exact_moments(dag: an.DAG, seed: int) -> an.Moments:
    where = [dag.index(name) for name in dag.observed]
    covariance = gaussian_model(dag, seed=seed).covariance[np.ix_(where, where)]
    return an.Moments(dag.observed, NOMINAL, None, covariance * NOMINAL)


def data(seed: int, rows: int = 400) -> Any:
    return an.simulate.linear_gaussian(confounded_dag(seed, 0.4), rows=rows, seed=seed)


def search(source: Any, **options: Any) -> list[GraphStage]:
    """All stages."""
    stages = []
    for stage in an.stages(source, algorithm="scored", **options):
        assert isinstance(stage, GraphStage)
        stages.append(stage)
    return stages


@pytest.mark.parametrize(
    "draw_dag", [lambda seed: an.simulate.random_dag(10, 2.0, seed=seed), confounded_dag], ids=["paper", "confounded"]
)
def test_an_exact_covariance_gives_the_true_graph(draw_dag: Callable[[int], an.DAG]) -> None:
    for seed in range(12):
        dag = draw_dag(seed)
        found = an.discover(exact_moments(dag, seed), algorithm="scored")
        assert found.pag == an.pag_of(dag)


@pytest.mark.parametrize("simulate", [an.simulate.linear_gaussian, an.simulate.mixed])
@pytest.mark.parametrize("seed", range(6))
def test_all_graphs_of_a_class_have_the_same_score(seed: int, simulate: Callable[..., Any]) -> None:
    dag = confounded_dag(seed, 0.5) if seed % 2 else an.simulate.random_dag(8, 2.0, seed=seed)
    rows = simulate(dag, rows=500, seed=seed)
    names = in_order(tuple(rows.columns))
    test = choose_test(rows)
    assert isinstance(test, BaseTest)
    blocks = test.column_blocks(names)
    scored = ScoredGraph(blocks.correlation, blocks.starts, float(blocks.rows))
    for pag in (an.pag_of(dag), an.discover(rows, algorithm="scored").pag):
        scores = []
        for mag in an.sample_mags(pag, 12, seed=seed, selection_bias=False):
            scored.load(mag.arranged(names))
            scores.append(scored.total)
        assert max(scores) - min(scores) < 1e-3 * len(names)


def test_every_stage_is_legal_and_no_score_rises() -> None:
    for seed in range(4):
        stages = search(data(seed))
        for stage in stages:
            assert stage.member is not None
            assert is_legal(stage.member)
            assert an.legal(stage.pag) and an.pag_of(an.MAG(stage.names, stage.member)) == stage.pag
        assert stages[-1].complete
        scores = [stage.score or 0.0 for stage in stages]
        assert all(later <= earlier + 0.1 for earlier, later in pairwise(scores))


def told(stages: list[GraphStage]) -> list[tuple[object, ...]]:
    """All that is said at every stage, by the order of names."""
    assert all(stage.member is not None for stage in stages)
    return [(stage.phase, stage.score, stage.oriented.marks.tolist(), stage.member.tolist()) for stage in stages]  # type: ignore[union-attr]


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_columns_and_the_number_of_workers_make_no_difference(seed: int) -> None:
    rows = data(seed) if seed else an.simulate.mixed(confounded_dag(1, 0.4), rows=400, seed=1)
    expected = told(search(rows))
    assert told(search(rows, workers=2)) == expected
    assert told(search(rows, workers=3)) == expected
    columns = np.random.default_rng(seed).permutation(rows.columns).tolist()
    again = told(search(rows.select(columns)))
    assert [stage[2:] for stage in again] == [stage[2:] for stage in expected]
    assert [stage[1] for stage in again] == pytest.approx([stage[1] for stage in expected], abs=1e-6)


@pytest.mark.parametrize("seed", range(2))
def test_the_order_of_rows_makes_no_difference(seed: int) -> None:
    rows = data(seed)
    one, other = search(rows)[-1], search(rows.sample(fraction=1.0, shuffle=True, seed=seed))[-1]
    assert one.oriented.marks.tolist() == other.oriented.marks.tolist()
    assert one.score == pytest.approx(other.score, abs=1e-6)


def test_columns_of_numbers_are_blocks_of_one_column() -> None:
    for seed in range(3):
        one, other = search(data(seed))[-1], search(data(seed), test="mixed")[-1]
        assert one.pag == other.pag
        assert one.score == pytest.approx(other.score, abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_true_knowledge_is_kept_at_every_stage(kind: str) -> None:
    rng = np.random.default_rng(3)
    for seed in range(2):
        dag = confounded_dag(seed, 0.4)
        known = draw(dag, rng, kind, selection_bias=False)
        for stage in search(data(seed), knowledge=known):
            assert stage.member is not None
            assert is_legal(stage.member)
            assert keeps_to(stage.member, stage.names, known, led=False)
            unreached = known.unreached(stage.pag, selection_bias=False)
            assert len(known.violations(stage.pag, selection_bias=False)) == len(unreached)


@pytest.mark.parametrize("seed", range(8))
def test_false_knowledge_is_kept_at_every_stage(seed: int) -> None:
    rows = data(seed % 3)
    known = believed(in_order(tuple(rows.columns)), np.random.default_rng(seed))
    for stage in search(rows, knowledge=known, workers=1 + seed % 2):
        assert stage.member is not None
        assert is_legal(stage.member)
        assert keeps_to(stage.member, stage.names, known)
        assert not known.violations(stage.pag, selection_bias=False)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("error", [Stopped, KeyboardInterrupt])
def test_stopped_at_any_moment_it_has_a_legal_graph_or_none(
    error: type[BaseException], workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = an.simulate.linear_gaussian(an.simulate.random_dag(60, 4.0, seed=1), rows=500, seed=1)
    left = 0

    def check(self: Watch) -> None:
        nonlocal left
        left -= 1
        if left < 0 or self.stopped:
            self.stop()
            raise error

    monkeypatch.setattr(Watch, "check", check)
    seen = set()
    for checks in (0, 2, 5, 9, 14, 20, 27, 35):
        left = checks
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", an.RunWarning)
            found = an.discover(rows, algorithm="scored", workers=workers, resamples=0, progress=False)
        if found.complete:  # there is a check each 20 ms, and this machine is quick
            break
        assert found.stopped == ("interrupt" if error is KeyboardInterrupt else "time limit")
        seen.add(len(found.history))
        if found.history:
            assert an.legal(found.pag) and found.mag is not None
            assert an.pag_of(found.mag) == found.pag
        else:
            assert found.mag is None and not (found.pag.marks > 1).any()
    assert len(seen) > 1 and 0 in seen


@pytest.mark.parametrize("seed", range(4))
def test_singular_data_come_to_an_end(seed: int) -> None:
    """Fewer different rows than columns, as in resamples of few rows: many graphs fit perfectly."""
    rng = np.random.default_rng(seed)
    rows = rng.permutation(np.repeat(rng.normal(size=(12, 8))[:7], 3, axis=0))
    test = FisherZ(an.Moments.of(rows))
    found = an.discover(test, algorithm="scored", time_limit=60, progress=False)
    assert found.complete and an.legal(found.pag)
