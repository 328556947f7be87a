"""Mixed rows: floats and strings, bound together where the DAG joins them and nowhere else."""

from math import sqrt
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from ancestral import DAG, OptionError, UnknownName
from ancestral.simulate import mixed, random_dag
from ancestral.simulate.mechanisms import Choice, Linear
from ancestral.simulate.mixed import PILOT_ROWS, mixed_model
from ancestral.simulate.sampling import sample

Floats = NDArray[np.float64]

ROWS = 20_000


def strength(values: Floats, group: NDArray[Any]) -> float:
    """How many standard errors the means of the groups lie apart: the largest over all pairs of groups."""
    inside = [values[group == level] for level in np.unique(group)]
    means = np.array([v.mean() for v in inside])
    squared = np.array([v.var() / len(v) for v in inside])
    return float((np.abs(means[:, None] - means) / np.sqrt(squared[:, None] + squared)).max())


def residual(y: Floats, x: Floats) -> Floats:
    slope, constant = np.polyfit(x, y, 1)
    out: Floats = y - slope * x - constant
    return out


@pytest.mark.parametrize(("share", "count"), [(0.0, 0), (0.5, 4), (0.3, 2), (1.0, 8)])
def test_a_share_of_the_columns_is_discrete(share: float, count: int) -> None:
    dag = DAG.parse("a, b, c, d, e, f, g, h, L -> a, M -> b", latent=["L", "M"])
    for seed in range(5):
        rows = mixed(dag, rows=200, discrete=share, seed=seed)
        assert rows.dtypes.count(pl.String()) == count
        assert rows.dtypes.count(pl.Float64()) == 8 - count


def test_the_seed_decides_which_columns_are_discrete() -> None:
    dag = DAG.parse("a, b, c, d")
    kinds = {tuple(map(str, mixed(dag, rows=1, seed=seed).dtypes)) for seed in range(40)}
    assert len(kinds) == 6


def test_levels_are_letters() -> None:
    dag = DAG.parse("a -> b, c, d")
    rows = mixed(dag, rows=5000, discrete=["b", "c"], levels={"b": 2}, seed=1)
    assert rows.dtypes == [pl.Float64(), pl.String(), pl.String(), pl.Float64()]
    assert sorted(rows["b"].unique()) == ["a", "b"]
    assert sorted(rows["c"].unique()) == ["a", "b", "c"]


def test_beyond_z_there_are_two_letters() -> None:
    levels = mixed(DAG.parse("a"), rows=20_000, discrete=1, levels=30, seed=1)["a"].unique()
    assert sorted(levels, key=lambda s: (len(s), s)) == [*"abcdefghijklmnopqrstuvwxyz", "aa", "ab", "ac", "ad"]


def test_all_continuous_is_a_linear_model() -> None:
    dag = DAG.parse("a -> b, a -> c, b -> c")
    model = mixed_model(dag, {}, np.random.default_rng(1))["c"]
    assert isinstance(model, Linear) and model.parents == ("a", "b")
    rows = mixed(dag, rows=ROWS, discrete=[], seed=1).to_numpy()
    fit = np.linalg.lstsq(rows[:, :2], rows[:, 2], rcond=None)[0]
    assert ((np.abs(fit) > 0.45) & (np.abs(fit) < 2.05)).all()
    assert (rows[:, 2] - rows[:, :2] @ fit).std() == pytest.approx(1, abs=4.5 / sqrt(2 * ROWS))


def test_levels_shift_a_sum_by_their_effect() -> None:
    model = mixed_model(DAG.parse("d -> y, x -> y"), {"d": 3}, np.random.default_rng(1))["y"]
    assert isinstance(model, Linear)
    shifts, slope = model.effects
    assert isinstance(shifts, np.ndarray) and isinstance(slope, float)
    assert shifts.sum() == pytest.approx(0) and 0.5 <= sqrt(np.mean(shifts**2)) <= 2
    for level in range(3):
        drawn = model.draw([np.full(ROWS, level), np.full(ROWS, 1.5)], ROWS, np.random.default_rng(2))
        assert abs(drawn.mean() - shifts[level] - 1.5 * slope) < 4.5 / sqrt(ROWS)


@pytest.mark.parametrize("seed", range(5))
def test_slopes_count_in_standard_deviations(seed: int) -> None:
    """Whatever the scale of the cause, one standard deviation moves the logits by 0.5 to 1."""
    mechanisms = mixed_model(DAG.parse("a -> b, a -> c, b -> c, c -> y"), {"y": 3}, np.random.default_rng(seed))
    choice, spread = mechanisms["y"], total_spread(mechanisms, "c")
    assert isinstance(choice, Choice) and spread > 1.1
    [term] = choice.terms
    # the spread in the pilot sample is not exactly that of the model
    error = 4.5 / sqrt(2 * PILOT_ROWS)
    assert 0.5 * (1 - error) < spread * np.sqrt(np.mean(term.effect**2)) < 1 + error


def test_an_average_cause_leaves_the_logits_near_zero() -> None:
    dag = DAG.parse("d -> x, e -> x, f -> x, g -> x, x -> y")
    for seed in range(100):
        mechanisms = mixed_model(dag, dict.fromkeys("defgy", 2), np.random.default_rng(seed))
        x, choice = mechanisms["x"], mechanisms["y"]
        assert isinstance(x, Linear) and isinstance(choice, Choice)
        mean = 0.0
        for parent, shifts in zip(x.parents, x.effects, strict=True):
            level = mechanisms[parent]
            assert isinstance(level, Choice) and isinstance(shifts, np.ndarray)
            odds = np.exp(level.constant)
            mean += shifts @ odds / odds.sum()
        logits = choice.constant + choice.terms[0].effect * mean
        # the mean of the pilot sample is not exactly that of the model
        assert np.sqrt(np.mean(logits**2)) < 0.5 + 4.5 / sqrt(PILOT_ROWS)


def total_spread(mechanisms: dict[str, Linear | Choice], name: str) -> float:
    """The standard deviation of a node of a linear model, by summing over paths."""

    def paths(node: str) -> dict[str, float]:
        linear = mechanisms[node]
        assert isinstance(linear, Linear)
        out = {node: 1.0}
        for parent, weight in zip(linear.parents, linear.effects, strict=True):
            assert isinstance(weight, float)
            for source, effect in paths(parent).items():
                out[source] = out.get(source, 0.0) + weight * effect
        return out

    return sqrt(sum(effect**2 for effect in paths(name).values()))


@pytest.mark.parametrize("seed", range(5))
def test_each_kind_moves_each_kind(seed: int) -> None:
    rows = mixed(DAG.parse("x -> y, x -> e, d -> z, d -> f"), rows=ROWS, discrete=["d", "e", "f"], seed=seed)
    x, y, z = (rows[name].to_numpy() for name in "xyz")
    d, e, f = (rows[name].to_numpy() for name in "def")
    assert abs(np.corrcoef(x, y)[0, 1]) > 0.3
    assert strength(x, e) > 10
    assert strength(z, d) > 10
    assert strength((d == "a").astype(float), f) > 10 or strength((d == "b").astype(float), f) > 10
    # and without an edge, nothing
    assert strength(x, d) < 4.5
    assert strength(x, f) < 4.5


@pytest.mark.parametrize("seed", range(3))
def test_a_continuous_node_in_the_middle_separates(seed: int) -> None:
    """In d -> z -> y and x -> z -> e, what z does not explain of y tells nothing of d, and so on."""
    rows = mixed(DAG.parse("d -> z, x -> z, z -> y, z -> e"), rows=ROWS, discrete=["d", "e"], seed=seed)
    d, e = rows["d"].to_numpy(), rows["e"].to_numpy()
    x, y, z = (rows[name].to_numpy() for name in "xyz")
    assert strength(y, d) > 4.5 and strength(y, e) > 4.5
    assert strength(residual(y, z), d) < 4.5
    assert strength(residual(y, z), e) < 4.5
    assert abs(np.corrcoef(residual(y, z), residual(x, z))[0, 1]) < 4.5 / sqrt(ROWS)


@pytest.mark.parametrize("seed", range(3))
def test_a_discrete_node_in_the_middle_separates(seed: int) -> None:
    rows = mixed(DAG.parse("x -> d, d -> y, d -> e"), rows=ROWS, discrete=["d", "e"], seed=seed)
    x, y = rows["x"].to_numpy(), rows["y"].to_numpy()
    d, e = rows["d"].to_numpy(), rows["e"].to_numpy()
    assert abs(np.corrcoef(x, y)[0, 1]) > 4.5 / sqrt(ROWS)
    for level in np.unique(d):
        at = d == level
        assert abs(np.corrcoef(x[at], y[at])[0, 1]) < 4.5 / sqrt(at.sum())
        assert strength(x[at], e[at]) < 4.5
        assert strength(y[at], e[at]) < 4.5


@pytest.mark.parametrize("levels", [{"d": 3}, {"d": 3, "s": 3}], ids=["above the median", "upper half"])
def test_selection_keeps_the_rows_that_pass(levels: dict[str, int]) -> None:
    """The rows that are left are those in which s, if it could be seen, would pass."""
    hidden, seen = DAG.parse("x -> s, d -> s", selection=["s"]), DAG.parse("x -> s, d -> s")
    model = mixed_model(hidden, levels, np.random.default_rng(1))
    x, s, d = sample(seen, model, ROWS, np.random.SeedSequence(1))
    if "s" in levels:
        passes = s == 2
    else:
        threshold = np.sort(s)[np.flatnonzero(np.diff(model["s"].keeps(np.sort(s)).astype(int)))]
        passes = s > threshold
        # the median of the pilot sample is not exactly that of these rows
        assert abs(passes.mean() - 0.5) < 4.5 * 0.5 / sqrt(PILOT_ROWS)
    selected = sample(hidden, model, int(passes.sum()), np.random.SeedSequence(1))
    assert np.array_equal(selected, [x[passes], d[passes]])
    assert strength(x, d) < 4.5
    assert strength(*selected) > 4.5


def test_a_larger_graph() -> None:
    dag = random_dag(nodes=100, degree=4, seed=1, selection=2)
    rows = mixed(dag, rows=2000, seed=1)
    assert rows.shape == (2000, len(dag.observed))
    assert all(np.isfinite(rows[name].to_numpy()).all() for name in rows.columns if rows[name].dtype == pl.Float64)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"discrete": 1.5}, "discrete must be a share from 0 to 1, or a list of names, got 1.5"),
        ({"discrete": "a"}, r"discrete must be a list .*, got the single string 'a'; pass discrete=\['a'\]"),
        ({"levels": 1}, "levels must be a whole number from 2 to 100, got 1"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        mixed(DAG.parse("a -> b"), rows=10, seed=1, **options)


def test_an_unknown_node_is_refused() -> None:
    with pytest.raises(UnknownName, match="unknown node 'c'"):
        mixed(DAG.parse("a -> b"), rows=10, discrete=["c"], seed=1)
