"""BOSS: the CPDAG of the best DAG that an order search finds, within what is known."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral import CPDAG, DAG
from ancestral.classes.equivalence import cpdag_of
from ancestral.graphs.ancestry import directed_steps, reachable
from ancestral.knowledge import Knowledge
from ancestral.search.stage import GraphStage
from tests.support.exact_moments import exact_moments
from tests.support.reference import ARROW


def test_an_exact_covariance_gives_the_class_of_the_true_dag() -> None:
    for seed in range(12):
        dag = an.simulate.random_dag(10, 2.5, seed=seed, latent=0)
        found = an.discover(exact_moments(dag, seed), algorithm="boss")
        assert isinstance(found.pag, CPDAG) and found.complete
        assert found.pag == cpdag_of(dag)


def data(seed: int, rows: int = 200) -> Any:
    return an.simulate.linear_gaussian(an.simulate.random_dag(10, 3.0, seed=seed), rows=rows, seed=seed)


def test_the_score_is_the_extended_bic_of_its_member() -> None:
    for seed in range(4):
        frame = data(seed)
        found = an.discover(frame, algorithm="boss")
        assert found.mag is not None
        values = frame.to_numpy()
        rows, n = values.shape
        correlation = np.corrcoef(values, rowvar=False)
        marks = found.mag.arranged(frame.columns)
        total = 0.0
        for v in range(n):
            parents = np.flatnonzero(marks[:, v] == ARROW)
            explained = correlation[v, parents] @ np.linalg.solve(
                correlation[np.ix_(parents, parents)], correlation[parents, v]
            )
            total += rows * (np.log(1 - explained) + 1) + len(parents) * (np.log(rows) + 2 * np.log(n))
        assert found.score == pytest.approx(total, abs=1e-6)
        assert cpdag_of(found.mag) == found.pag


def test_stages_are_ever_better_and_the_last_one_is_complete() -> None:
    counts = []
    for seed in range(8):
        stages = list(an.stages(data(seed), algorithm="boss"))
        assert all(isinstance(stage, GraphStage) and stage.sufficient for stage in stages)
        scores = [stage.score or 0.0 for stage in stages]
        assert all(a > b for a, b in pairwise(scores[:-1])) and scores[-1] == min(scores)
        assert [stage.complete for stage in stages] == [False] * (len(stages) - 1) + [True]
        counts.append(len(stages))
    assert max(counts) > 2  # some orders lead to better DAGs than earlier ones


@pytest.mark.parametrize("seed", range(6))
def test_knowledge_is_kept_by_the_dag_itself(seed: int) -> None:
    frame = data(seed)
    names = list(frame.columns)
    free = an.discover(frame, algorithm="boss")
    assert free.mag is not None
    steps = reachable(directed_steps(free.mag.marks))
    np.fill_diagonal(steps, False)
    far = steps & (free.mag.marks == 0)  # ancestors that are not parents: no edge that could be banned
    pairs = [(free.mag.nodes[x], free.mag.nodes[y]) for x, y in np.argwhere(far).tolist()]
    required = (names[0], names[5])
    forbidden = [pair for pair in pairs if pair != required][:2]
    assert forbidden
    known = Knowledge(forbidden=forbidden, required=[required], no_edge=[(names[1], names[2])])
    found = an.discover(frame, algorithm="boss", knowledge=known)
    constraints = known.constraints(found.stage.names, False)
    assert isinstance(found.stage, GraphStage) and found.stage.member is not None
    assert constraints.is_kept_by(found.stage.member) and constraints.is_kept_by(found.stage.oriented.marks)
    assert found.pag.edge(names[0], names[5]) == "-->"


def test_tiers_direct_edges() -> None:
    dag = DAG.parse("a -> b, b -> c")
    rows = an.simulate.linear_gaussian(dag, rows=500, seed=1)
    assert str(an.discover(rows, algorithm="boss").pag) == "a --- b\nb --- c"
    found = an.discover(rows, algorithm="boss", knowledge=Knowledge(tiers=[["a"], ["b", "c"]]))
    assert str(found.pag) == "a --> b\nb --> c"


def test_labels_are_blocks_of_columns() -> None:
    dag = DAG.parse("a -> c, b -> c, c -> d")
    found = an.discover(an.simulate.discrete(dag, rows=3000, seed=2), algorithm="boss")
    assert found.settings.test == "mixed" and found.pag == cpdag_of(dag)


def test_the_graph_answers_as_one_without_latent_variables() -> None:
    dag = DAG.parse("a -> c, b -> c, c -> d")
    found = an.discover(an.simulate.linear_gaussian(dag, rows=1000, seed=1), algorithm="boss")
    assert (found.causes("a", "d").verdict, found.causes("d", "a").verdict) == ("yes", "no")
    assert found.sepset("a", "d") == frozenset({"c"}) and "by the graph (implied; p = " in str(found.why("a", "d"))
    assert found.effect("c", "d").given == frozenset()  # nothing drives both
    assert str(found).splitlines()[0] == "BOSS on 4 variables and 1,000 rows, score EBIC"
