"""What all models of data share: the order of nodes, the streams of noise, the selection, the table."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from ancestral import DAG, PAG, OptionError
from ancestral.simulate import discrete, linear_gaussian, mixed, random_dag, sampling
from ancestral.simulate.sampling import parents_of

Simulate = Callable[..., pl.DataFrame]

each_model = pytest.mark.parametrize("simulate", [linear_gaussian, discrete, mixed], ids=lambda f: f.__name__)

HIDDEN = DAG.parse("L -> a, L -> b, a -> c, b -> s, c -> s", latent=["L"], selection=["s"])


def same(first: pl.DataFrame, second: pl.DataFrame) -> bool:
    return first.equals(second) and first.dtypes == second.dtypes


@each_model
def test_the_columns_are_the_observed_nodes_in_their_order(simulate: Simulate) -> None:
    dag = DAG.parse("z -> L, L -> y, L -> a, y -> s, a -> s", latent=["L"], selection=["s"])
    rows = simulate(dag, rows=57, seed=1)
    assert tuple(rows.columns) == dag.observed == ("z", "y", "a")
    assert rows.height == 57
    assert rows.null_count().sum_horizontal()[0] == 0


@each_model
def test_the_seed_decides(simulate: Simulate) -> None:
    assert same(simulate(HIDDEN, rows=50, seed=1), simulate(HIDDEN, rows=50, seed=1))
    assert same(simulate(HIDDEN, rows=50, seed=1), simulate(HIDDEN, rows=50, seed=np.random.default_rng(1)))
    assert not same(simulate(HIDDEN, rows=50, seed=1), simulate(HIDDEN, rows=50, seed=2))
    rng = np.random.default_rng(1)
    assert not same(simulate(HIDDEN, rows=50, seed=rng), simulate(HIDDEN, rows=50, seed=rng))


@each_model
def test_more_rows_begin_with_the_same_rows(simulate: Simulate) -> None:
    assert same(simulate(HIDDEN, rows=3000, seed=1).head(40), simulate(HIDDEN, rows=40, seed=1))


@each_model
def test_blocks_do_not_show(simulate: Simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = simulate(HIDDEN, rows=500, seed=1)
    monkeypatch.setattr(sampling, "BLOCK_VALUES", 6 * 17)
    assert same(simulate(HIDDEN, rows=500, seed=1), whole)


@each_model
def test_two_ways_to_write_a_dag_give_the_same_rows(simulate: Simulate) -> None:
    other = DAG.parse("s, c, a -> c, c -> s, b -> s, L -> b, L -> a", latent=["L"], selection=["s"])
    assert other == HIDDEN and other.nodes != HIDDEN.nodes
    rows = simulate(HIDDEN, rows=50, seed=1)
    assert same(simulate(other, rows=50, seed=1).select(rows.columns), rows)


@pytest.mark.parametrize("simulate", [linear_gaussian, discrete], ids=lambda f: f.__name__)
def test_hiding_a_node_only_drops_its_column(simulate: Simulate) -> None:
    seen = simulate(DAG.parse("L -> a, L -> b"), rows=50, seed=1)
    hidden = simulate(DAG.parse("L -> a, L -> b", latent=["L"]), rows=50, seed=1)
    assert same(seen.drop("L"), hidden)


@each_model
def test_a_node_without_edges_has_a_column_too(simulate: Simulate) -> None:
    assert simulate(DAG.parse("a"), rows=20, seed=1).shape == (20, 1)


@each_model
def test_a_single_row_can_be_selected(simulate: Simulate) -> None:
    assert simulate(HIDDEN, rows=1, seed=1).height == 1


@each_model
@pytest.mark.parametrize(
    ("dag", "rows", "message"),
    [
        (HIDDEN, 0, "rows must be a whole number of at least 1, got 0"),
        (HIDDEN, 10.0, "rows must be a whole number of at least 1, got 10.0"),
        (PAG.parse("a o-> b"), 10, "dag must be a DAG, got"),
        (DAG.parse("a -> b", latent=["a", "b"]), 10, "the DAG must have an observed node"),
    ],
)
def test_invalid_sources_and_rows_are_refused(simulate: Simulate, dag: Any, rows: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        simulate(dag, rows=rows, seed=1)


@each_model
def test_a_selection_that_hardly_any_row_passes_is_given_up(
    simulate: Simulate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "PATIENCE", 2000)
    monkeypatch.setattr(sampling, "RAREST", 100)
    names = [f"s{i}" for i in range(1, 31)]
    with pytest.raises(OptionError, match=r"only \d+ of [\d,]+ rows pass the selection by 's1', 's2', .*another seed"):
        simulate(DAG.parse("a, " + ", ".join(names), selection=names), rows=1000, seed=1)


def test_parents_come_first_then_names_decide() -> None:
    dag = DAG.parse("x10 -> x1, x2 -> x1, x9, x1 -> x3, x2 -> x3")
    assert list(parents_of(dag)) == ["x2", "x9", "x10", "x1", "x3"]
    assert parents_of(dag)["x1"] == ("x2", "x10")
    assert parents_of(dag)["x3"] == ("x2", "x1")


def test_causes_come_first_in_large_graphs() -> None:
    dag = random_dag(nodes=200, degree=4, seed=1)
    place = {name: i for i, name in enumerate(parents_of(dag))}
    assert set(place) == set(dag.nodes)
    for name, parents in parents_of(dag).items():
        assert set(parents) == dag.neighbours(name, "<--")
        assert all(place[parent] < place[name] for parent in parents)


def test_selection_nodes_hand_nothing_on() -> None:
    assert parents_of(DAG.parse("a -> s, s -> b, a -> b", selection=["s"]))["b"] == ("a",)
