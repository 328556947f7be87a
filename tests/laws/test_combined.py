"""Tables with overlapping columns: with right answers nothing is false, at any stage, whatever was seen together."""

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from ancestral import DAG, Oracle, discover, pag_of, simulate, stages
from tests.checks.overlapping import compared
from tests.support.example_graphs import HARD_GRAPHS
from tests.support.overlapping import EveryMag, families_up_to_isomorphism, random_family
from tests.support.stage_laws import false_marks, missing_edges, relabeled

WAYS: list[dict[str, Any]] = [
    {"algorithm": "icd"},
    {"algorithm": "icd", "stable": False},
    {"algorithm": "icd", "possible_ancestors": "all"},
    {"algorithm": "fci"},
    {"algorithm": "rfci"},
    {"algorithm": "fci+"},
    {"algorithm": "icd", "selection_bias": False},
]


def assert_nothing_false(dag: DAG, together: list[list[str]], ways: list[dict[str, Any]]) -> None:
    """Every mark and every missing edge of every stage is true; a pair that no table has keeps its circles."""
    never = [pair for pair in combinations(dag.observed, 2) if not any(set(pair) <= set(table) for table in together)]
    for way in ways:
        for stage in stages(Oracle(dag, together=together), **way):
            assert not false_marks(dag, stage), (dag, together, way)
            assert not missing_edges(dag, stage), (dag, together, way)
            assert all(stage.pag.edge(a, b) == "o-o" for a, b in never), (dag, together, way)


@pytest.mark.parametrize("make", simulate.trouble.TROUBLE, ids=lambda make: make.__name__)
def test_nothing_is_false_in_troubled_dags(make: simulate.trouble.Trouble) -> None:
    checked = 0
    for seed in range(60):
        dag = make(seed=seed)
        if 4 <= len(dag.observed) <= 8:
            ways = [way for way in WAYS if "selection_bias" not in way or not dag.selection]
            together = random_family(np.random.default_rng(seed), dag.observed)
            assert_nothing_false(dag, together, [ways[seed % len(ways)], ways[(seed + 3) % len(ways)]])
            checked += 1
    assert checked > 5


@pytest.mark.parametrize("name", HARD_GRAPHS)
def test_nothing_is_false_in_hard_graphs(name: str) -> None:
    for seed in range(6):
        dag = relabeled(HARD_GRAPHS[name], seed)
        together = random_family(np.random.default_rng(seed), dag.observed, share=0.85)
        assert_nothing_false(dag, together, WAYS[:1])


@pytest.mark.parametrize("nodes", [3, 4])
def test_what_is_said_holds_in_every_graph_that_agrees_with_the_tables(nodes: int) -> None:
    """Brute force over all MAGs; of what they agree on, next to all is found."""
    every = EveryMag(nodes)
    assert len(every.classes) == {3: 11, 4: 251}[nodes]
    total: Counter[str] = Counter()
    for family in families_up_to_isomorphism(nodes):
        for truth in every.classes.tolist():
            total += compared(every, truth, family)
    assert not total["false marks"] and not total["false missing edges"]
    assert total["missing edges found"] >= 0.99 * total["missing edges agreed on"]
    assert total["marks found"] >= 0.95 * total["marks agreed on"]


def test_with_all_columns_together_the_answer_is_the_ordinary_one() -> None:
    for seed in range(40):
        dag = simulate.random_dag(nodes=8, degree=2.5, seed=seed)
        names = list(dag.observed)
        for together in ([names], [names, names[:3]]):
            for algorithm in ("icd", "fci"):
                plain = discover(Oracle(dag), algorithm=algorithm)
                found = discover(Oracle(dag, together=together), algorithm=algorithm)
                assert found.pag == plain.pag == pag_of(dag)
                assert (found.tests, found.verify_tests) == (plain.tests, plain.verify_tests)
                assert not found.unsupported


def test_a_collider_needs_no_table_with_all_three() -> None:
    dag = DAG.parse("a -> b, c -> b")
    found = discover(Oracle(dag, together=[["a", "b"], ["b", "c"], ["a", "c"]]))
    assert str(found.pag) == "a o-> b\nc o-> b"


def test_an_edge_that_nobody_could_ask_about_makes_no_collider() -> None:
    """a and c are separated by nothing, and whether a and b depend on each other is not known: b may cause c."""
    dag = DAG.parse("a, b -> c")
    found = discover(Oracle(dag, together=[["a", "c"], ["b", "c"]]))
    assert found.pag.edges() == [("a", "o-o", "b"), ("b", "o-o", "c")]


def test_a_discriminating_path_needs_every_answer() -> None:
    """v0 o-> v3 o-o v7, and v0, v3 and v1 make a path that R4 would use, if v1 and v7 were known to depend."""
    dag = DAG.parse("v0 -> v3, v3 -> v1, v7 -> v3, v8 -> v0, v8 -> v3, v8 -> v7")
    for stage in stages(Oracle(dag, together=[["v0", "v1", "v3"], ["v0", "v3", "v7", "v8"]])):
        assert not false_marks(dag, stage)
        assert not missing_edges(dag, stage)
