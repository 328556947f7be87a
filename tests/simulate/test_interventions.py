"""Rows of experiments have the law of the system in which the mechanisms of some nodes are replaced or changed."""

from itertools import product
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2

import ancestral as an
from ancestral import DAG, OptionError
from ancestral.simulate import discrete, gaussian_model, intervene, linear_gaussian, mixed, nonlinear, sampling
from ancestral.simulate.discrete import discrete_model
from ancestral.simulate.mixed import mixed_model
from ancestral.simulate.nonlinear import SHAPES, nonlinear_model
from ancestral.simulate.sampling import streams

Floats = NDArray[np.float64]

ROWS = 20_000
SYSTEMS = {"gaussian": linear_gaussian, "nonlinear": nonlinear, "discrete": discrete, "mixed": mixed}
each_system = pytest.mark.parametrize("system", SYSTEMS)

HIDDEN = DAG.parse("L -> a, L -> b, a -> c, b -> s, c -> s", latent=["L"], selection=["s"])
WEB = DAG.parse("L -> a, L -> b, a -> b, b -> c, a -> d, c -> d, d -> e", latent=["L"])


def same(first: pl.DataFrame, second: pl.DataFrame) -> bool:
    return first.equals(second) and first.dtypes == second.dtypes


# -- what stays as it is ------------------------------------------------------------------------------------------


@each_system
@pytest.mark.parametrize("nothing", [{}, {"do": {}, "shift": {}}, {"do": None}, {"shift": {"a": 0}}])
def test_with_nothing_done_the_rows_are_those_without_intervention(system: str, nothing: dict[str, Any]) -> None:
    for seed in (1, 2):
        assert same(intervene(HIDDEN, 60, system=system, seed=seed, **nothing), SYSTEMS[system](HIDDEN, 60, seed=seed))


def test_the_options_of_a_system_are_passed_on() -> None:
    levels = {"a": 4, "c": 3}
    assert same(
        intervene(HIDDEN, 60, system="discrete", levels=levels, seed=1), discrete(HIDDEN, 60, levels=levels, seed=1)
    )
    assert same(intervene(HIDDEN, 60, keep=0.2, seed=1), linear_gaussian(HIDDEN, 60, keep=0.2, seed=1))
    rows = intervene(HIDDEN, 60, system="mixed", discrete=["c"], levels={"c": 5}, seed=1)
    assert same(rows, mixed(HIDDEN, 60, discrete=["c"], levels={"c": 5}, seed=1))


@each_system
def test_more_rows_begin_with_the_same_rows(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"do": {"a": "random"}, "shift": {"b": 0.5}, "system": system, "seed": 1, "sample": 2}
    few, many = intervene(HIDDEN, 40, **options), intervene(HIDDEN, 3000, **options)
    assert same(many.head(40), few)
    monkeypatch.setattr(sampling, "BLOCK_VALUES", 6 * 17)
    assert same(intervene(HIDDEN, 3000, **options), many)


@each_system
def test_nodes_that_the_intervention_does_not_reach_keep_their_rows(system: str) -> None:
    before, after = (intervene(WEB, 200, do=do, system=system, seed=1) for do in ({}, {"c": "random"}))
    assert same(before.select("a", "b"), after.select("a", "b"))
    assert not any(before[name].equals(after[name]) for name in "cde")


@each_system
def test_samples_have_rows_of_their_own_and_one_system(system: str) -> None:
    """Columns of different samples are uncorrelated, and equal in distribution."""
    first, second, third = (
        intervene(WEB, ROWS, system=system, seed=1, sample=k).select(pl.all().rank("dense").cast(float)).to_numpy()
        for k in range(3)
    )
    columns = len(WEB.observed)
    for one, other in ((first, second), (first, third), (second, third)):
        assert np.abs(np.corrcoef(one.T, other.T)[:columns, columns:]).max() < 4.5 / sqrt(ROWS)
        inside = np.corrcoef(one.T) - np.corrcoef(other.T)
        assert np.abs(inside).max() < 4.5 * sqrt(2 / ROWS)


def test_one_noise_shows_what_would_have_happened() -> None:
    dag = DAG.parse("a -> b, b -> c, a -> c")
    model = gaussian_model(dag, seed=4)
    before, after = intervene(dag, 50, seed=4), intervene(dag, 50, shift={"a": 2.0}, seed=4)
    assert np.allclose(after.to_numpy() - before.to_numpy(), 2 * np.linalg.inv(np.eye(3) - model.weights)[0])


def test_a_generator_draws_another_system_with_every_call() -> None:
    rng = np.random.default_rng(1)
    first, second = (intervene(WEB, 50, do={"a": 0.0}, seed=rng) for _ in range(2))
    assert same(first, intervene(WEB, 50, do={"a": 0.0}, seed=1))
    assert not same(first, second)


# -- Gaussian systems against the solution of their equations -----------------------------------------------------


def solved(dag: DAG, seed: int, do: dict[str, Any], shift: dict[str, float]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Mean and covariance of all nodes: v = B'v + c + noise, without the equations of nodes that are set."""
    weights = gaussian_model(dag, seed=seed).weights.copy()
    constant, variance = np.zeros(len(dag.nodes)), np.ones(len(dag.nodes))
    for name, value in do.items():
        weights[:, dag.index(name)] = 0
        if value != "random":
            constant[dag.index(name)], variance[dag.index(name)] = value, 0
    for name, by in shift.items():
        constant[dag.index(name)] += by
    inverse = np.linalg.inv(np.eye(len(dag.nodes)) - weights.T)
    return np.linalg.solve(np.eye(len(dag.nodes)) - weights.T, constant), inverse @ np.diag(variance) @ inverse.T


@pytest.mark.parametrize(
    ("do", "shift"),
    [
        ({"b": 1.5}, {}),
        ({"b": "random"}, {}),
        ({}, {"b": -1.5}),
        ({"L": -2.0}, {}),
        ({}, {"L": 2}),
        ({"a": 1, "c": "random"}, {"d": np.float64(0.7)}),
        ({"c": 0.0}, {"a": 1.0, "b": -1.0, "L": 0.5}),
    ],
)
@pytest.mark.parametrize("sample", [0, 3])
def test_means_and_covariances_solve_the_equations(do: dict[str, Any], shift: dict[str, float], sample: int) -> None:
    seed = 7 + sample
    values = intervene(WEB, ROWS, do=do, shift=shift, seed=seed, sample=sample).to_numpy()
    mean, covariance = solved(WEB, seed, do, shift)
    where = [WEB.index(name) for name in WEB.observed]
    mean, covariance = mean[where], covariance[np.ix_(where, where)]
    spread = covariance.diagonal()
    assert (np.abs(values.mean(axis=0) - mean) <= 4.5 * np.sqrt(spread / ROWS) + 1e-9).all()
    error = np.sqrt((np.outer(spread, spread) + covariance**2) / ROWS)
    assert (np.abs(np.cov(values.T) - covariance) <= 4.5 * error + 1e-9).all()


def test_setting_a_node_cuts_its_causes_and_keeps_its_effects() -> None:
    dag = DAG.parse("a -> x, L -> x, L -> y, x -> y", latent=["L"])
    weight = gaussian_model(dag, seed=2).weights[dag.index("x"), dag.index("y")]
    a, x, y = intervene(dag, ROWS, do={"x": "random"}, seed=2).select("a", "x", "y").to_numpy().T
    assert abs(np.corrcoef(a, x)[0, 1]) < 4.5 / sqrt(ROWS)
    slope = np.cov(x, y)[0, 1] / x.var()  # L is no longer a cause of x
    assert abs(slope - weight) < 4.5 * sqrt((y.var() - weight**2) / ROWS)
    a, x, y = linear_gaussian(dag, ROWS, seed=2).select("a", "x", "y").to_numpy().T
    assert abs(np.corrcoef(a, x)[0, 1]) > 0.2
    assert abs(np.cov(x, y)[0, 1] / x.var() - weight) > 0.1
    assert intervene(dag, 100, do={"x": 2}, seed=2)["x"].to_list() == [2.0] * 100


def test_the_threshold_of_selection_stays() -> None:
    """The rows that are left are those in which s, if it could be seen, is above its threshold without intervention."""
    text = "a -> b, a -> s, b -> s, b -> c"
    acts: dict[str, Any] = {"do": {"b": 1.0}, "shift": {"a": -0.5}}
    hidden, seen = DAG.parse(text, selection=["s"]), DAG.parse(text)
    spread = sqrt(solved(seen, 3, {}, {})[1][seen.index("s"), seen.index("s")])
    free = intervene(seen, ROWS, seed=3, **acts)
    passing = free.filter(pl.col("s") > NormalDist().inv_cdf(0.7) * spread)
    assert 100 < passing.height < ROWS
    assert same(intervene(hidden, passing.height, seed=3, keep=0.3, **acts), passing.drop("s"))


# -- nonlinear and mixed systems: one mechanism at a time ---------------------------------------------------------


def test_nonlinear_a_value_goes_through_the_curve() -> None:
    dag = DAG.parse("x -> y")
    for seed in range(4):
        model = nonlinear_model(dag, streams(seed)[0])["y"]
        (curve,) = model.curves
        for value in (-1.0, 0.7):
            raw = SHAPES[curve.shape](np.array(curve.stretch * value + curve.shift))
            mean = curve.weight * (float(raw) - curve.mean) / curve.spread / model.spread
            y = intervene(dag, ROWS, do={"x": value}, shift={"y": 3.0}, system="nonlinear", seed=seed)["y"].to_numpy()
            assert abs(y.mean() - 3 - mean) < 4.5 / model.spread / sqrt(ROWS)
            assert y.std() * model.spread == pytest.approx(1, abs=4.5 / sqrt(2 * ROWS))


def test_mixed_a_level_moves_a_sum_by_its_effect() -> None:
    dag = DAG.parse("d -> y")
    rng = streams(1)[0]
    (effect,) = mixed_model(dag, {"d": 3}, rng)["y"].effects  # type: ignore[union-attr]
    assert isinstance(effect, np.ndarray)
    for level, expected in zip("abc", effect, strict=True):
        rows = intervene(dag, ROWS, do={"d": level}, system="mixed", discrete=["d"], seed=1)
        assert rows["d"].unique().to_list() == [level]
        assert abs(rows["y"].mean() - expected) < 4.5 / sqrt(ROWS)


def test_mixed_a_value_moves_the_log_odds_by_its_slopes() -> None:
    dag = DAG.parse("x -> d")
    choice = mixed_model(dag, {"d": 3}, streams(1)[0])["d"]
    for value, by in ((-1.0, 0.0), (0.5, 0.8)):
        logits = choice.constant + choice.terms[0].effect * value + by * np.arange(3)  # type: ignore[union-attr]
        expected = np.exp(logits) / np.exp(logits).sum()
        acts: dict[str, Any] = {"do": {"x": value}, "shift": {"d": by}}
        rows = intervene(dag, ROWS, system="mixed", discrete=["d"], seed=1, **acts)
        seen = np.array([(rows["d"] == level).sum() for level in "abc"])
        assert fits(seen, expected)


# -- discrete systems against the sum over all values -------------------------------------------------------------


def fits(seen: NDArray[Any], expected: Floats) -> bool:
    """Whether counts agree with probabilities, by Pearson's chi-square at a level of one in a million."""
    cells = expected * seen.sum() >= 5
    rest = np.array([seen[~cells].sum()]), np.array([expected[~cells].sum()])
    counts, shares = np.append(seen[cells], rest[0]), np.append(expected[cells], rest[1]) * seen.sum()
    statistic = float(((counts - shares)[shares > 0] ** 2 / shares[shares > 0]).sum())
    return not counts[shares == 0].any() and statistic < chi2.isf(1e-6, (shares > 0).sum() - 1)


def enumerated(dag: DAG, levels: dict[str, int], seed: int, do: dict[str, Any], shift: dict[str, float]) -> Floats:
    """The probabilities of all combinations of observed values, in the order of `product`."""
    model = discrete_model(dag, levels, streams(seed)[0])
    out = np.zeros([levels[name] for name in dag.observed])
    for values in product(*(range(levels[name]) for name in model)):
        row = dict(zip(model, values, strict=True))
        probability = 1.0
        for name, choice in model.items():
            if name in do:
                probability *= 1 / levels[name] if do[name] == "random" else float(row[name] == do[name])
                continue
            causes = [row[parent] for parent in choice.parents]
            odds = [
                np.exp(
                    choice.constant[level]
                    + sum(term.effect[(level, *(causes[p] for p in term.parents))] for term in choice.terms)
                    + shift.get(name, 0.0) * level
                )
                for level in range(levels[name])
            ]
            probability *= odds[row[name]] / sum(odds)
        if all(2 * row[name] >= levels[name] for name in dag.selection):
            out[tuple(row[name] for name in dag.observed)] += probability
    out /= out.sum()
    return out


@pytest.mark.parametrize(
    ("do", "shift"),
    [
        ({}, {}),
        ({"b": 2}, {}),
        ({"b": "random"}, {}),
        ({}, {"b": 1.0}),
        ({}, {"L": -1.5}),
        ({"L": 1}, {"c": 0.8}),
        ({"a": 0, "c": "random"}, {"b": -0.7}),
    ],
)
@pytest.mark.parametrize("selection", [[], ["s"]])
def test_frequencies_are_those_of_the_changed_network(
    do: dict[str, Any], shift: dict[str, float], selection: list[str]
) -> None:
    text = "L -> a, L -> b, a -> b, b -> c, a -> s, c -> s"
    dag = DAG.parse(text, latent=["L", "s"][: 2 - len(selection)], selection=selection)
    levels = {"L": 2, "a": 2, "b": 3, "c": 3, "s": 2}
    rows = intervene(dag, ROWS, do=do, shift=shift, system="discrete", levels=levels, seed=5, sample=1)
    assert rows.dtypes == [pl.Int64()] * 3
    expected = enumerated(dag, levels, 5, do, shift)
    seen = np.zeros(expected.shape)
    np.add.at(seen, tuple(rows.to_numpy().T), 1)
    assert fits(seen.ravel(), expected.ravel())
    if do or shift:
        assert not fits(seen.ravel(), enumerated(dag, levels, 5, {}, {}).ravel())


def test_a_shift_multiplies_the_odds_of_neighbouring_levels() -> None:
    dag = DAG.parse("a")
    before, after = (
        np.bincount(intervene(dag, 4 * ROWS, shift={"a": by}, system="discrete", levels=3, seed=1)["a"].to_numpy())
        for by in (0.0, 0.5)
    )
    ratio = np.log(after[1:] / after[:-1]) - np.log(before[1:] / before[:-1])
    assert np.allclose(ratio, 0.5, atol=0.06)


# -- errors -------------------------------------------------------------------------------------------------------

BAD: list[tuple[dict[str, Any], str]] = [
    ({"do": 3}, r"do must be a mapping from nodes to values, got 3; for example do=\{'a': 1.0\}"),
    ({"shift": [("a", 1)]}, "shift must be a mapping from nodes to values, got"),
    (
        {"do": {"aa": 0}},
        r"do must name nodes of the DAG, which has no 'aa' \(did you mean 'a'\?\); there are: 'L', 'a'",
    ),
    ({"shift": {"q": 0, 3: 1}}, "shift must name nodes of the DAG, which has no 'q' and 3; there are"),
    ({"do": {"s": 0}}, "do must not name selection nodes, as 's' is one.*; act on a cause of it"),
    ({"shift": {"s": 1}}, "shift must not name selection nodes"),
    ({"do": {"a": 0}, "shift": {"b": 1, "a": 1}}, "do names 'a', and so does shift=; .* leave it out of one of them"),
    ({"do": {"a": "b"}}, "do must be a finite number or 'random' for the continuous node 'a', got 'b'; for example"),
    ({"do": {"a": float("nan")}}, "do must be a finite number or 'random' .*, got nan"),
    ({"do": {"a": True}}, "do must be a finite number or 'random' .*, got True"),
    ({"shift": {"a": "random"}}, "shift must be a finite number for 'a', got 'random'; for example shift="),
    ({"shift": {"a": float("inf")}}, "shift must be a finite number for 'a', got inf"),
    ({"do": {"a": 2}, "system": "discrete"}, "do must be a level of 'a', one of 0 or 1, or 'random', got 2"),
    ({"do": {"a": True}, "system": "discrete"}, "do must be a level of 'a', .* got True"),
    ({"do": {"a": 0.0}, "system": "discrete"}, "do must be a level of 'a', .* got 0.0; for example do={'a': 1}"),
    ({"do": {"a": "d"}, "system": "mixed", "discrete": ["a"]}, "one of 'a', 'b' or 'c', or 'random', got 'd'"),
    ({"do": {"a": 0}, "system": "mixed", "discrete": ["a"]}, "one of 'a', 'b' or 'c', or 'random', got 0"),
    ({"do": {"b": "a"}, "system": "mixed", "discrete": ["a"]}, "for the continuous node 'b', got 'a'"),
    ({"system": "gausian"}, "system must be one of 'gaussian', .*, got 'gausian'; did you mean 'gaussian'"),
    ({"levels": 3}, 'levels cannot be combined with system="gaussian"; leave it out'),
    ({"keep": 0.3, "system": "mixed"}, 'keep cannot be combined with system="mixed"; leave it out'),
    ({"discrete": 0.5, "system": "discrete"}, 'discrete cannot be combined with system="discrete"'),
    ({"levels": 3, "system": "nonlinear"}, 'levels cannot be combined with system="nonlinear"'),
    ({"sample": -1}, "sample must be a whole number of at least 0, got -1"),
    ({"sample": 1 << 31}, "sample must be a whole number from 0 to 2,147,483,647"),
    ({"rows": 0}, "rows must be a whole number of at least 1, got 0"),
    ({"dag": "a -> b"}, "dag must be a DAG"),
    ({"seed": -1}, "seed must be a whole number"),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_bad_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        intervene(**{"dag": HIDDEN, "rows": 10, "seed": 1, **options})


def test_an_intervention_that_selection_does_not_survive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "PATIENCE", 2000)
    dag = DAG.parse("a -> s", selection=["s"])
    sign = np.sign(gaussian_model(dag, seed=1).weights[0, 1])
    message = (
        "only 0 of .* pass the selection by 's'; change less by do= and shift=, pass a share larger than keep=0.5, "
    )
    with pytest.raises(OptionError, match=message):
        intervene(dag, 10, do={"a": -50 * sign}, seed=1)


@pytest.mark.parametrize(
    "options", [{"do": {"a": 1.7e308}}, {"system": "discrete", "levels": 50, "shift": {"a": 1e307}}]
)
def test_values_beyond_all_bounds_are_refused(options: dict[str, Any]) -> None:
    dag = DAG.parse(", ".join(f"a -> x{i}" for i in range(20)))  # some weight is above 1.1
    with pytest.raises(an.GraphError, match="beyond the range of floats"):
        intervene(dag, 10, seed=1, **options)
