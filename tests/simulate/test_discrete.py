"""Discrete rows have the probabilities of the model, its separations and its selection."""

from itertools import combinations, product
from math import sqrt
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from ancestral import DAG, OptionError, UnknownName, is_separated
from ancestral.simulate import discrete, random_dag
from ancestral.simulate.discrete import discrete_model
from ancestral.simulate.mechanisms import TABLE_SIZE, Choice
from ancestral.simulate.sampling import sample

Ints = NDArray[np.int64]

ROWS = 20_000


def g_statistic(values: Ints, x: int, y: int, given: tuple[int, ...] = ()) -> tuple[float, int]:
    """2 Σ observed log(observed / expected) over the strata of the others, and the degrees of freedom."""
    statistic, freedom = 0.0, 0
    for stratum in {tuple(row) for row in values[:, given].tolist()}:
        inside = values[(values[:, given] == stratum).all(axis=1)]
        table = np.array([[np.sum((inside[:, x] == i) & (inside[:, y] == j)) for j in range(5)] for i in range(5)])
        rows, columns = table.sum(axis=1), table.sum(axis=0)
        expected = np.outer(rows, columns) / table.sum()
        seen = table > 0
        statistic += 2 * float((table[seen] * np.log(table[seen] / expected[seen])).sum())
        freedom += int(((rows > 0).sum() - 1) * ((columns > 0).sum() - 1))
    return statistic, freedom


def looks_independent(values: Ints, x: int, y: int, given: tuple[int, ...] = ()) -> bool:
    statistic, freedom = g_statistic(values, x, y, given)
    # chi-squared, five standard deviations up on the scale of cube roots (Wilson & Hilferty), where it is nearly normal
    return statistic <= freedom * (1 - 2 / (9 * freedom) + 4.5 * sqrt(2 / (9 * freedom))) ** 3


def softmax_by_definition(choice: Choice, causes: tuple[int, ...]) -> NDArray[np.float64]:
    odds = np.exp(choice.constant)
    for term in choice.terms:
        of_parents = tuple(causes[parent] for parent in term.parents)
        odds *= np.exp([effect[of_parents] for effect in term.effect])
    out: NDArray[np.float64] = odds / odds.sum()
    return out


@pytest.mark.parametrize("levels", [2, 3, 5])
def test_values_are_whole_numbers_below_levels(levels: int) -> None:
    rows = discrete(random_dag(nodes=6, seed=1), rows=2000, levels=levels, seed=1)
    assert set(rows.dtypes) == {pl.Int64()}
    assert all(sorted(rows[name].unique()) == list(range(levels)) for name in rows.columns)


def test_levels_by_name() -> None:
    rows = discrete(DAG.parse("a -> b, b -> c"), rows=2000, levels={"b": 4, "c": 3}, seed=1)
    assert [rows[name].n_unique() for name in "abc"] == [2, 4, 3]


@pytest.mark.parametrize("levels", [{"a": 2, "b": 3, "c": 2, "d": 3}, {"a": 12, "b": 13, "c": 14, "d": 3}])
def test_frequencies_are_the_softmax_of_the_summed_effects(levels: dict[str, int]) -> None:
    """For parents with few combinations of levels, and for those with many."""
    dag = DAG.parse("a -> d, b -> d, c -> d")
    choice = discrete_model(dag, levels, np.random.default_rng(1))["d"]
    sizes = [levels[name] for name in choice.parents]
    assert (np.prod(sizes) > TABLE_SIZE) == (levels["a"] == 12)
    rng = np.random.default_rng(2)
    for causes in list(product(*map(range, sizes)))[:: int(np.prod(sizes)) // 6]:
        drawn = choice.draw([np.full(ROWS, value) for value in causes], ROWS, rng)
        expected = softmax_by_definition(choice, causes)
        seen = np.bincount(drawn, minlength=3) / ROWS
        assert (np.abs(seen - expected) < 4.5 * np.sqrt(expected * (1 - expected) / ROWS)).all()


def test_effects_sum_to_zero_and_are_not_small() -> None:
    model = discrete_model(DAG.parse("a -> d, b -> d, c -> d"), dict.fromkeys("abcd", 3), np.random.default_rng(1))
    terms = model["d"].terms
    assert [term.parents for term in terms] == [(0,), (1,), (2,), (0, 1), (1, 2)]
    for term in terms:
        for axis in range(term.effect.ndim):
            assert np.allclose(term.effect.sum(axis=axis), 0)
        size = np.sqrt(np.mean(term.effect**2))
        assert 0.5 <= size <= 1 if len(term.parents) == 1 else size == pytest.approx(0.25)


@pytest.mark.parametrize("seed", range(3))
def test_separations_hold(seed: int) -> None:
    dag = random_dag(nodes=7, degree=1.5, seed=seed, latent=1)
    values = discrete(dag, rows=ROWS, levels={"x2": 3, "x4": 3}, seed=seed).to_numpy()
    separated = 0
    for x, y in combinations(range(len(dag.observed)), 2):
        others = [z for z in range(len(dag.observed)) if z not in (x, y)]
        for given in [(), *((z,) for z in others), *combinations(others, 2)]:
            if is_separated(dag, dag.observed[x], dag.observed[y], given=[dag.observed[z] for z in given]):
                separated += 1
                assert looks_independent(values, x, y, given)
    assert separated > 5


@pytest.mark.parametrize("levels", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_neighbours_are_dependent_given_anything(levels: int, seed: int) -> None:
    dag = DAG.parse("a -> c, b -> c, c -> d")
    values = discrete(dag, rows=ROWS, levels=levels, seed=seed).to_numpy()
    for a, _, b in dag.edges():
        x, y = dag.index(a), dag.index(b)
        others = [z for z in range(4) if z not in (x, y)]
        for size in range(3):
            assert not any(looks_independent(values, x, y, given) for given in combinations(others, size))


def test_logits_of_any_size() -> None:
    choice = Choice((), np.array([0.0, 2000.0, 2000.0, -2000.0]), ())
    assert set(choice.draw([], 100, np.random.default_rng(1)).tolist()) == {1, 2}


def test_hundreds_of_parents() -> None:
    dag = DAG.parse(", ".join(f"x{i} -> y" for i in range(300)))
    rows = discrete(dag, rows=3000, levels=3, seed=1)
    assert rows["y"].n_unique() == 3


@pytest.mark.parametrize(("levels", "kept"), [(2, [1]), (3, [2]), (4, [2, 3]), (5, [3, 4])])
def test_the_upper_half_is_kept(levels: int, kept: list[int]) -> None:
    dag = DAG.parse("s")
    passes = discrete_model(dag, {"s": levels}, np.random.default_rng(1))["s"].keeps(np.arange(levels))
    assert np.flatnonzero(passes).tolist() == kept


@pytest.mark.parametrize("levels", [2, 3, 4])
def test_selection_keeps_the_rows_that_pass(levels: int) -> None:
    """The rows that are left are those in which s, if it could be seen, would pass."""
    hidden, seen = DAG.parse("a -> s, b -> s", selection=["s"]), DAG.parse("a -> s, b -> s")
    model = discrete_model(hidden, dict.fromkeys("abs", levels), np.random.default_rng(1))
    a, s, b = sample(seen, model, ROWS, np.random.SeedSequence(1))
    passes = s >= levels / 2
    selected = sample(hidden, model, int(passes.sum()), np.random.SeedSequence(1))
    assert np.array_equal(selected, [a[passes], b[passes]])


@pytest.mark.parametrize("seed", range(10))
def test_selection_joins_the_parents(seed: int) -> None:
    free = discrete(DAG.parse("a -> s, b -> s", latent=["s"]), rows=ROWS, seed=seed).to_numpy()
    selected = discrete(DAG.parse("a -> s, b -> s", selection=["s"]), rows=ROWS, seed=seed).to_numpy()
    assert looks_independent(free, 0, 1)
    assert not looks_independent(selected, 0, 1)


def test_a_selection_node_in_the_middle_separates() -> None:
    dag = DAG.parse("a -> s, s -> b", selection=["s"])
    assert looks_independent(discrete(dag, rows=ROWS, levels=4, seed=1).to_numpy(), 0, 1)


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        (1, "levels must be a whole number from 2 to 100, got 1$"),
        (2.0, "levels must be a whole number from 2 to 100, got 2.0$"),
        ({"a": 0}, "levels must be a whole number from 2 to 100, got 0 for 'a'$"),
    ],
)
def test_invalid_numbers_of_levels_are_refused(levels: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        discrete(DAG.parse("a -> b"), rows=10, levels=levels, seed=1)


def test_levels_of_unknown_nodes_are_refused_all_at_once() -> None:
    with pytest.raises(UnknownName, match=r"unknown node 'age1'; did you mean 'age'\?"):
        discrete(DAG.parse("age -> b"), rows=10, levels={"age1": 3}, seed=1)
    with pytest.raises(
        UnknownName, match=r"unknown nodes 'age1' \(did you mean 'age'\?\) and 'x'; there are: 'age', 'b'"
    ):
        discrete(DAG.parse("age -> b"), rows=10, levels={"age1": 3, "x": 2}, seed=1)
