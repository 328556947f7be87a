"""The scored search: exact on exact covariances, legal at every stage, within knowledge, alike however it is run."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral.graphs.marks import ARROW, TAIL
from ancestral.independence.choice import choose_test
from ancestral.search.base import Problem
from ancestral.search.scored.run import scored
from ancestral.search.stage import GraphStage
from ancestral.simulate.gaussian import gaussian_model
from tests.support.ancestral_graphs import is_ancestral, is_maximal

#: Rows with which an exact covariance is searched: differences of one unit of the score are then real.
NOMINAL = 10**6


def confounded(seed: int, share: float = 0.7) -> an.DAG:
    """A random DAG in which most edges have become latent causes of their two ends."""
    rng = np.random.default_rng(seed)
    dag = an.simulate.random_dag(8, 2.0, seed=seed, latent=0)
    edges, latent = [], []
    for number, (u, v) in enumerate(np.argwhere((dag.marks == ARROW) & (dag.marks.T == TAIL)).tolist()):
        a, b = dag.nodes[u], dag.nodes[v]
        if rng.random() < share:
            latent.append(f"L{number}")
            edges += [f"L{number} -> {a}", f"L{number} -> {b}"]
        else:
            edges.append(f"{a} -> {b}")
    return an.DAG.parse(", ".join([*dag.nodes, *edges]), latent=latent)


def exact_moments(dag: an.DAG, seed: int) -> an.Moments:
    where = [dag.index(name) for name in dag.observed]
    covariance = gaussian_model(dag, seed=seed).covariance[np.ix_(where, where)]
    return an.Moments(dag.observed, NOMINAL, None, covariance * NOMINAL)


@pytest.mark.parametrize("draw", [lambda seed: an.simulate.random_dag(10, 2.0, seed=seed), confounded])
def test_an_exact_covariance_gives_the_true_graph(draw: Callable[[int], an.DAG]) -> None:
    for seed in range(6):
        dag = draw(seed)
        found = an.discover(exact_moments(dag, seed), algorithm="scored")
        assert found.pag == an.pag_of(dag)


def data(seed: int, rows: int = 400) -> Any:
    return an.simulate.linear_gaussian(confounded(seed, 0.4), rows=rows, seed=seed)


def test_every_stage_is_legal_and_no_score_rises() -> None:
    for seed in range(4):
        scores = []
        for stage in an.stages(data(seed), algorithm="scored"):
            assert isinstance(stage, GraphStage) and stage.member is not None and stage.score is not None
            assert is_ancestral(stage.member) and is_maximal(stage.member)
            assert an.legal(stage.pag)
            scores.append(stage.score)
        assert stage.complete
        assert all(later <= earlier + 0.1 for earlier, later in pairwise(scores))


def test_neither_the_order_of_columns_nor_threads_matter() -> None:
    rows = data(3)
    found = an.discover(rows, algorithm="scored")
    turned = an.discover(rows.select(rows.columns[::-1]), algorithm="scored", workers=2)
    assert turned.pag.arranged(rows.columns).tolist() == found.pag.marks.tolist()
    assert turned.stage.score == pytest.approx(found.stage.score, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_knowledge_is_kept_by_the_graph_itself(seed: int) -> None:
    rows = data(seed)
    names = rows.columns
    known = an.Knowledge(tiers=[names[:4], names[4:]], required=[(names[0], names[5])], no_edge=[(names[1], names[2])])
    found = an.discover(rows, algorithm="scored", knowledge=known)
    mag = found.mag
    assert mag is not None
    assert mag.edge(names[0], names[5]) == "-->" and mag.edge(names[1], names[2]) is None
    for later in names[4:]:
        assert not mag.ancestors(later).isdisjoint({later}) and mag.descendants(later).isdisjoint(names[:4])


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
