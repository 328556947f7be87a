"""Effects between steps: against the algebra of linear processes, by brute force, and against statsmodels."""

import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import ancestral as an
from ancestral.data import DataError
from ancestral.data.series import windows_of
from ancestral.effects import regression_effect
from ancestral.effects.options import EffectOptions
from ancestral.errors import GraphError, OptionError, UnknownName
from ancestral.graphs.window import Window
from ancestral.series.level_effects import levels_effect
from ancestral.series.longer_windows import lags_with_a_set, processes_of
from ancestral.series.newey_west import fixed_b_quantile, newey_west, usual_bandwidth
from ancestral.series.window_regression import windows_effect
from ancestral.simulate.series import SeriesModel, series_model
from ancestral.simulate.series_graphs import random_series_dag

Floats = NDArray[np.float64]

RIVER = an.SeriesDAG.parse(
    "rain -1-> rain, rain -1-> river, river -1-> river, river -0-> ferry, wind -1-> wind, wind -0-> ferry"
)


def responses(model: SeriesModel, steps: int) -> dict[tuple[str, str, int], float]:
    """What a unit more of a process does to another some steps later, by following the equations step by step."""
    names, weights = list(model.dag.parents), model.weights
    out = {}
    for x, cause in enumerate(names):
        past: list[Floats] = []
        for step in range(steps + 1):
            now = np.zeros(len(names))
            past.append(now)
            for y in range(len(names)):  # causes come first within a step
                now[y] = float(step == 0 and y == x)
                now[y] += sum(past[step - lag] @ weights[lag][:, y] for lag in range(min(len(weights) - 1, step) + 1))
                out[cause, names[y], step] = float(now[y])
    return out


def ar(rng: np.random.Generator, memory: float, steps: int) -> Floats:
    """A process that remembers this share of its last value."""
    noise = rng.standard_normal(steps + 100)
    for i in range(1, len(noise)):
        noise[i] += memory * noise[i - 1]
    return noise[100:]


@pytest.fixture(scope="module")
def river() -> an.SeriesDiscovery:
    """A search of 1,000 steps."""
    return an.discover_series(an.simulate.linear_series(RIVER, rows=1000, seed=4), lags=2)


# -- what the window says ---------------------------------------------------------------------------------------------


def test_sets_of_the_window_give_the_total_effects_of_the_processes() -> None:
    counts = Counter[str]()
    for seed in range(18):
        rng = np.random.default_rng(seed)
        latent = int(rng.integers(0, 3))
        size = int(rng.integers(2, 4)) + latent
        dag = random_series_dag(size, seed=seed, links=size, lags=2, latent=latent, own_past=bool(seed % 3))
        model = series_model(dag, seed=seed, strength=(0.3, 0.6), autocorrelation=(0.3, 0.6))
        lags = 1 + seed % 3
        window, found = Window(dag.observed, lags), an.discover_series(dag, lags=lags)
        covariance, truth = model.covariance(lags), responses(model, lags)
        place = {name: i for i, name in enumerate(window.names)}
        for x in window.names:
            for y in set(window.names) - {x}:
                (cause, before), (effect, after) = window.place(x), window.place(y)
                expected = truth[cause, effect, before - after] if before >= after else 0.0
                sets = found.run.adjustment_set(x, y, limit=3)
                counts["no effect" if sets.no_effect else "set" if sets.exists else "none"] += 1
                if sets.no_effect:
                    assert expected == pytest.approx(0.0, abs=1e-12)
                    continue
                for given in {*sets.minimal, sets.canonical, sets.best} - {None}:
                    both = [place[x], *(place[name] for name in given or ())]
                    slopes = np.linalg.solve(covariance[np.ix_(both, both)], covariance[both, place[y]])
                    assert slopes[0] == pytest.approx(expected, abs=1e-9)
    assert min(counts[what] for what in ("set", "no effect", "none")) > 50, counts


def test_nothing_acts_on_what_came_before(river: an.SeriesDiscovery) -> None:
    effect = river.effect("river", "rain[t-1]")
    assert effect.how == "no effect" and effect.interval == (0.0, 0.0)


def test_estimates_are_near_the_effects_of_the_processes(river: an.SeriesDiscovery) -> None:
    truth = responses(series_model(RIVER, seed=4), 2)
    for x, y, steps in [("rain", "river", 1), ("river", "river", 1), ("rain", "ferry", 1), ("wind", "ferry", 0)]:
        found = river.effect(f"{x}[t-{steps}]" if steps else x, y)
        assert found.estimate == pytest.approx(truth[x, y, steps], abs=4 * found.error)


def test_an_effect_is_the_same_as_that_of_the_same_lag_at_t(river: an.SeriesDiscovery) -> None:
    earlier = river.effect("rain[t-2]", "rain[t-1]")
    assert earlier.estimate == pytest.approx(river.effect("rain[t-1]", "rain").estimate, abs=0.01)


def test_a_joint_effect_has_a_slope_for_each_cause(river: an.SeriesDiscovery) -> None:
    found = river.effect(["rain[t-1]", "river[t-1]"], "river")
    assert found.estimates == pytest.approx(
        (river.effect("rain[t-1]", "river").estimate, river.effect("river[t-1]", "river").estimate), abs=1e-9
    )


# -- where a longer window is needed -----------------------------------------------------------------------------------


def test_a_cause_at_the_beginning_of_the_window_asks_for_a_longer_one() -> None:
    dag = an.SeriesDAG.parse("A -1-> A, A -1-> B, B -1-> B")
    short, longer = (an.discover_series(dag, lags=lags) for lags in (1, 2))
    assert short.adjustment_set("A[t-1]", "B").reason.endswith("search a window of 2 lags")
    assert longer.adjustment_set("A[t-1]", "B").exists


def test_a_latent_process_asks_for_no_longer_window() -> None:
    dag = an.SeriesDAG.parse("L -0-> A, L -0-> B, L -1-> L, A -1-> A, A -1-> B", latent=["L"])
    found = an.discover_series(dag, lags=2)
    sets = found.adjustment_set("A[t-1]", "B")
    assert not sets.exists and "lags=" not in sets.reason
    assert not any(an.adjustment_set(dag.mag(lags), "A[t-1]", "B[t]").exists for lags in range(2, 6))


def test_an_early_copy_names_the_one_that_ends_at_t(river: an.SeriesDiscovery) -> None:
    reason = river.adjustment_set("rain[t-2]", "river[t-1]").reason
    assert reason.endswith("rain[t-1] on river[t], the same effect at t, has a set")
    assert river.adjustment_set("rain[t-1]", "river[t]").exists


def test_processes_of_a_window_have_this_window() -> None:
    for seed in range(20):
        dag = random_series_dag(4, seed=seed, lags=2, latent=1)
        mag = dag.mag(2)
        assert processes_of(an.PAG(mag.nodes, mag.marks)).mag(2) == mag


def test_marks_that_contradict_each_other_name_no_longer_window() -> None:
    ring = an.PAG.parse("A[t] --> B[t], B[t] --> C[t], C[t] --> A[t], A[t-1], B[t-1], C[t-1]")
    assert lags_with_a_set(ring, ("A[t-1]",), "B[t]") is None


def test_windows_that_would_be_large_are_not_looked_at() -> None:
    names = [f"p{i}[t{'' if not lag else f'-{lag}'}]" for i in range(30) for lag in (0, 1)]
    marks = np.zeros((60, 60), dtype=np.uint8)
    assert lags_with_a_set(an.PAG(names, marks), ("p1[t-1]",), "p2[t]") is None


# -- errors ------------------------------------------------------------------------------------------------------------


def by_hand(values: Floats, unit: list[int], step: list[int], bandwidth: int) -> float:
    """Newey and West's sum over all pairs of rows of a unit."""
    total = 0.0
    for i in range(len(values)):
        for j in range(len(values)):
            apart = abs(step[i] - step[j])
            if unit[i] == unit[j] and apart <= bandwidth:
                total += (1 - apart / (bandwidth + 1)) * values[i] * values[j]
    return total


@pytest.mark.parametrize("bandwidth", [0, 1, 5, 40])
def test_variances_are_sums_over_pairs_of_rows_by_the_steps_between_them(bandwidth: int) -> None:
    rng = np.random.default_rng(bandwidth)
    unit = np.repeat([0, 1, 2], [9, 1, 15])
    step = np.concatenate([np.sort(rng.choice(30, count, replace=False)) for count in (9, 1, 15)])
    values = rng.standard_normal((25, 2))
    expected = [by_hand(column, unit.tolist(), step.tolist(), bandwidth) for column in values.T]
    assert newey_west(values, unit, step, bandwidth) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("share", [0.01, 0.05, 0.1, 0.2])
def test_intervals_reach_as_far_as_tables_of_fixed_b_say(share: float) -> None:
    # Kiefer & Vogelsang 2005, table 1, Bartlett's kernel: the quantile .975
    table = 1.96 + 2.9694 * share + 0.4160 * share**2 - 0.5324 * share**3
    found = fixed_b_quantile(0.95, 10_000, 1, round(10_000 * share) - 1, 9_998)
    assert found == pytest.approx(table, rel=0.015)


def test_the_bandwidth_covers_the_lags_and_stays_within_a_unit() -> None:
    assert usual_bandwidth(400, 1, 2) == 40
    assert usual_bandwidth(400, 1, 50) == 50
    assert usual_bandwidth(40, 10, 5) == 3


def panel(units: int, steps: int, seed: int) -> list[Floats]:
    """Series in which x1 acts on x2 a step later, and what else acts on x2 lasts."""
    rng = np.random.default_rng(seed)
    out = []
    for _ in range(units):
        x, y = ar(rng, 0.7, steps), ar(rng, 0.6, steps)
        y[1:] += 0.5 * x[:-1]
        out.append(np.column_stack([x, y]))
    return out


def same_rows(units: int, steps: int, seed: int) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """The outcome, the regressors and the unit of each window of two lags, made by slicing."""
    parts = panel(units, steps, seed)
    y = np.concatenate([part[2:, 1] for part in parts])
    x = np.concatenate([np.column_stack([part[1:-1, 0], part[:-2, 0]]) for part in parts])
    return y, x, np.repeat(np.arange(units), steps - 2)


def test_errors_are_those_of_statsmodels() -> None:
    """One series, few units with a dummy each, and many units, centred: HAC, hac-panel and cluster of statsmodels."""
    sm = pytest.importorskip("statsmodels.api")
    ask = (["x1[t-1]"], "x2[t]", frozenset({"x1[t-2]"}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # halves that differ by chance
        one, few, many = (windows_of(panel(*size), lags=2) for size in ((1, 120, 1), (5, 60, 2), (25, 30, 3)))
    y, x, _ = same_rows(1, 120, 1)
    kwds: dict[str, object] = {"maxlags": 4, "use_correction": True}
    expected = sm.OLS(y, sm.add_constant(x)).fit(cov_type="HAC", cov_kwds=kwds)
    found = windows_effect(one, *ask, bandwidth=4)
    assert (found.estimate, found.error) == pytest.approx((expected.params[1], expected.bse[1]), rel=1e-9)

    y, x, unit = same_rows(5, 60, 2)
    dummies = (unit[:, None] == np.arange(5)).astype(float)
    kwds = {"groups": unit, "maxlags": 3, "use_correction": "hac"}
    expected = sm.OLS(y, np.column_stack([x, dummies])).fit(cov_type="hac-panel", cov_kwds=kwds)
    found = windows_effect(few, *ask, bandwidth=3)
    assert (found.estimate, found.error) == pytest.approx((expected.params[0], expected.bse[0]), rel=1e-9)

    y, x, unit = same_rows(25, 30, 3)
    means = (unit[:, None] == np.arange(25)) / 28.0
    y, x = y - means @ (28.0 * (means.T @ y)), x - means @ (28.0 * (means.T @ x))
    expected = sm.OLS(y, sm.add_constant(x)).fit(cov_type="cluster", cov_kwds={"groups": unit, "use_correction": True})
    found = windows_effect(many, *ask)
    assert (found.estimate, found.error) == pytest.approx((expected.params[1], expected.bse[1]), rel=1e-9)
    assert found.notes[0] == "errors are estimated between 25 units"


def test_errors_of_one_series_are_those_that_statsmodels_once_gave() -> None:
    # statsmodels 0.15.0: OLS(y, add_constant(x)).fit(cov_type="HAC", cov_kwds={"maxlags": 4, "use_correction": True})
    step = np.arange(40.0)
    x, u = np.sin(step**2), np.cos(step / 3) + np.sin(3 * step)
    y = u.copy()
    y[1:] += 0.5 * x[:-1]
    windows = windows_of(np.column_stack([x, y]), lags=1)
    found = windows_effect(windows, ["x1[t-1]"], "x2[t]", frozenset(), bandwidth=4)
    assert (found.estimate, found.error) == pytest.approx((0.5704199965230596, 0.17442692802697693), abs=1e-8)


def test_intervals_hold_the_truth_where_errors_last() -> None:
    rng = np.random.default_rng(6)
    held, plain = 0, 0
    for _ in range(150):
        x, y = ar(rng, 0.8, 300), ar(rng, 0.8, 300)
        y[1:] += 0.5 * x[:-1]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            windows = windows_of(np.column_stack([x, y]), lags=1)
        low, high = windows_effect(windows, ["x1[t-1]"], "x2[t]", frozenset()).interval
        held += low <= 0.5 <= high
        assert windows.moments is not None
        low, high = regression_effect(windows.moments, ["x1[t-1]"], "x2[t]", frozenset()).interval
        plain += low <= 0.5 <= high
    assert held >= 130 and plain <= 115


def test_windows_with_a_missing_value_are_left_out_of_the_regression_that_needs_it() -> None:
    rows = panel(1, 200, 5)[0]
    rows[[20, 21, 70], 0] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        windows = windows_of(pl.DataFrame(rows, schema=["a", "b"]), lags=1, missing="testwise")
    found = windows_effect(windows, ["a[t-1]"], "b[t]", frozenset())
    x, y = rows[:-1, 0], rows[1:, 1]
    there = ~np.isnan(x)
    design = np.column_stack([np.ones(there.sum()), x[there]])
    slope = np.linalg.lstsq(design, y[there], rcond=None)[0]
    assert found.estimate == pytest.approx(slope[1], rel=1e-9)
    residual = y[there] - design @ slope
    influence = (np.linalg.inv(design.T @ design)[1] @ design.T) * residual
    kept, bandwidth = np.flatnonzero(there).tolist(), usual_bandwidth(int(there.sum()), 1, 1)
    variance = by_hand(influence, [0] * len(kept), kept, bandwidth) * len(kept) / (len(kept) - 2)
    assert found.error == pytest.approx(np.sqrt(variance), rel=1e-9)
    assert "3 windows without a value were left out" in found.notes


# -- columns with levels -----------------------------------------------------------------------------------------------


def treated(units: int) -> pl.DataFrame:
    """A treatment by chance that raises the outcome by 2 a step later."""
    rng = np.random.default_rng(1)
    parts = []
    for unit in range(units):
        dose = rng.integers(0, 2, 30)
        outcome = ar(rng, 0.5, 30)
        outcome[1:] += 2.0 * dose[:-1]
        parts.append(pl.DataFrame({"unit": [f"u{unit}"] * 30, "dose": np.where(dose, "yes", "no"), "outcome": outcome}))
    return pl.concat(parts)


def test_levels_are_compared_with_errors_between_many_units() -> None:
    rows = treated(30)
    windows = windows_of(rows, lags=1, unit="unit")
    found = levels_effect(windows, ("dose[t-1]",), "outcome[t]", frozenset(), EffectOptions())
    low, high = found.interval
    assert found.levels == (("yes", "no"),) and low <= 2 <= high
    assert any("between 30 units" in note for note in found.notes)
    # the difference of means, of outcomes without the means of units; its error by the sums of each unit
    doses, outcomes = (np.stack(rows[name].to_numpy().reshape(30, 30).tolist()) for name in ("dose", "outcome"))
    given, y = doses[:, :-1] == "yes", outcomes[:, 1:] - outcomes[:, 1:].mean(axis=1, keepdims=True)
    means = y[given].mean(), y[~given].mean()
    assert found.estimate == pytest.approx(means[0] - means[1], rel=1e-9)
    sums = np.where(given, (y - means[0]) / given.sum(), -(y - means[1]) / (~given).sum()).sum(axis=1)
    assert found.error == pytest.approx(np.sqrt((sums**2).sum()), rel=0.05)


def test_an_effect_of_a_search_with_levels_compares_them() -> None:
    rng = np.random.default_rng(1)
    parts = []
    for unit in range(25):
        need, outcome = ar(rng, 0.6, 40), ar(rng, 0.3, 40)
        dose = need + rng.standard_normal(40) > 0
        outcome[1:] += 2.0 * dose[:-1]
        columns = {"unit": [f"u{unit}"] * 40, "need": need, "dose": np.where(dose, "yes", "no"), "outcome": outcome}
        parts.append(pl.DataFrame(columns))
    found = an.discover_series(pl.concat(parts), lags=2, unit="unit")
    low, high = found.effect("dose[t-1]", "outcome").interval
    assert low <= 2 <= high
    turned = found.effect("dose[t-1]", "outcome", levels=("no", "yes"))
    assert turned.interval == pytest.approx((-high, -low))


def test_levels_of_few_units_are_refused_by_name() -> None:
    windows = windows_of(treated(5), lags=1, unit="unit")
    with pytest.raises(OptionError, match=r"such as 'dose\[t-1\]', has errors between units.*there are 5 units"):
        levels_effect(windows, ("dose[t-1]",), "outcome[t]", frozenset(), EffectOptions())


# -- refusals ----------------------------------------------------------------------------------------------------------


def test_effects_without_data_are_refused(river: an.SeriesDiscovery, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="an oracle has none"):
        an.discover_series(RIVER, lags=1).effect("rain[t-1]", "river")
    river.save(tmp_path / "run.json")
    loaded = an.load_series(tmp_path / "run.json")
    assert loaded.adjustment_set("rain[t-1]", "river").best == river.adjustment_set("rain[t-1]", "river").best
    with pytest.raises(OptionError, match=r"a run file does not hold; search .* as resume="):
        loaded.effect("rain[t-1]", "river")
    summed = an.discover_series(iter([pl.DataFrame(part, schema=["a", "b"]) for part in panel(3, 200, 1)]), lags=1)
    with pytest.raises(DataError, match="in_memory=True"):
        summed.effect("a[t-1]", "b", given=[])


@pytest.mark.parametrize(
    ("arguments", "options", "error", "words"),
    [
        (("rain[t-9]", "river"), {}, UnknownName, r"unknown node 'rain\[t-9\]'"),
        (("rain[t-1]", ["river"]), {}, OptionError, "y must be the name of one node"),
        (("river", "river[t]"), {}, GraphError, "both cause and effect"),
        (("rain[t-1]", "river"), {"given": ["river"]}, GraphError, "given= must be an adjustment set"),
        (("rain[t-1]", "river"), {"given": ["snow"]}, UnknownName, "snow"),
        (("rain[t-1]", "river"), {"confidence": 2}, OptionError, "confidence"),
        (("rain[t-1]", "river"), {"bandwidth": -1}, OptionError, "bandwidth"),
        (("rain[t-1]", "river"), {"contrast": "ratio"}, OptionError, "does not apply to a slope"),
        (("rain[t-2]", "river"), {}, GraphError, "within the window.*is not visible.*search a window of 3 lags"),
    ],
)
def test_questions_that_have_no_answer_are_refused(
    river: an.SeriesDiscovery, arguments: tuple[str, str], options: dict[str, object], error: type, words: str
) -> None:
    with pytest.raises(error, match=words):
        river.effect(*arguments, **options)  # type: ignore[arg-type]


def test_errors_between_units_need_more_units_than_nodes() -> None:
    windows = windows_of([np.random.default_rng(i).normal(size=(12, 6)) for i in range(20)], lags=3)
    given = frozenset(windows.names[:-6]) - {"x1[t-1]"} | {"x2[t]", "x3[t]"}
    with pytest.raises(DataError, match=r"more units than the 20 nodes of the regression and one, got 20; .*given="):
        windows_effect(windows, ["x1[t-1]"], "x6[t]", given)


def test_many_units_take_no_bandwidth() -> None:
    windows = windows_of(panel(20, 30, 8), lags=1)
    with pytest.raises(OptionError, match="bandwidth=3 does not apply to 20 units"):
        windows_effect(windows, ["x1[t-1]"], "x2[t]", frozenset(), bandwidth=3)


def test_a_bandwidth_as_long_as_the_series_is_refused() -> None:
    rows = np.random.default_rng(3).normal(size=(200, 2)).cumsum(axis=0) * 0.1 + np.random.default_rng(4).normal(
        size=(200, 2)
    )
    windows = windows_of(rows, lags=1)
    with pytest.raises(OptionError, match=r"bandwidth must be below the number of windows of the longest unit, 199"):
        windows_effect(windows, ("x1[t-1]",), "x2[t]", frozenset(), 0.95, 199)
    assert windows_effect(windows, ("x1[t-1]",), "x2[t]", frozenset(), 0.95, 198).errors[0] > 0
