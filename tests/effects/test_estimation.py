"""Effects from rows: against closed forms, against predictions of other code, and by how often intervals cover."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import PredefinedSplit, cross_val_predict

import ancestral as an
from ancestral.effects import Effect
from ancestral.effects.estimation.cross_fitting import CrossFitting
from ancestral.effects.estimation.estimate import estimated_effect
from ancestral.effects.estimation.rows import effect_rows
from ancestral.effects.options import EffectOptions
from benchmarks.effect_coverage import CELLS, GIVEN, Cell, clusters, estimates, event, slope, two_levels, weights

LOGIT = LogisticRegression(C=1e10, max_iter=5000, tol=1e-10)


def effect(frame: pl.DataFrame, x: str = "x", y: str = "y", given: Any = GIVEN, **options: Any) -> Effect:
    reading = {name: options.pop(name) for name in ("weights", "clusters", "kinds", "missing") if name in options}
    return estimated_effect(an.Table.of(frame, **reading), [x], y, frozenset(given), EffectOptions(**options))


def drawn(system: Any, rows: int = 600, seed: int = 1) -> pl.DataFrame:
    return pl.DataFrame(system(np.random.default_rng(seed), rows))


def cell(name: str, estimator: str, rows: int) -> Cell:
    (found,) = (one for one in CELLS if (one.name, one.estimator, one.rows) == (name, estimator, rows))
    return found


def test_robust_estimates_are_those_of_the_formula() -> None:
    """Predictions by scikit-learn's own cross-validation on the same folds; the rest is written out here."""
    frame = drawn(two_levels)
    rows = effect_rows(an.Table.of(frame), "x", "y", sorted(GIVEN), None)
    folds = PredefinedSplit(CrossFitting.of(rows, 4, 7).fold)
    x, y, z = frame["x"].to_numpy(), frame["y"].to_numpy(), rows.features
    chance = cross_val_predict(LOGIT, z, x, cv=folds, method="predict_proba")[:, 1]

    def expected(level: int) -> Any:
        out = np.empty(len(y))
        for train, test in folds.split():
            inside = train[x[train] == level]
            out[test] = LinearRegression().fit(z[inside], y[inside]).predict(z[test])
        return out

    one = expected(1) + (x == 1) / chance * (y - expected(1))
    none = expected(0) + (x == 0) / (1 - chance) * (y - expected(0))
    found = effect(frame, estimator="robust", outcome=LinearRegression(), treatment=LOGIT, folds=4, seed=7)
    assert found.estimate == pytest.approx((one - none).mean(), rel=1e-9)
    assert found.error == pytest.approx((one - none).std(ddof=1) / np.sqrt(len(y)), rel=1e-9)
    both = effect(
        frame, estimator="robust", outcome=LinearRegression(), treatment=LOGIT, folds=4, seed=7, levels=(0, 1)
    )
    assert both.estimate == pytest.approx(-found.estimate)


def test_a_slope_is_that_of_residuals_on_residuals() -> None:
    frame = drawn(slope)
    rows = effect_rows(an.Table.of(frame), "x", "y", sorted(GIVEN), None)
    folds = PredefinedSplit(CrossFitting.of(rows, 5, 0).fold)
    x, y = (frame[name].to_numpy() - cross_val_predict(Ridge(), rows.features, frame[name], cv=folds) for name in "xy")
    found = effect(frame, estimator="robust", outcome=Ridge(), treatment=Ridge())
    value = (x @ y) / (x @ x)
    assert found.estimate == pytest.approx(value, rel=1e-9)
    assert found.error == pytest.approx(np.sqrt(((x * (y - value * x)) ** 2).sum()) / (x @ x), rel=2e-3)
    assert (found.estimator, found.contrast) == ("partially linear", "slope")
    assert "a unit of x has the same effect everywhere" in found.assumed[0]


def test_clusters_are_kept_together_and_widen_the_interval() -> None:
    frame = drawn(clusters, 1000)
    alone = effect(frame.drop("group"), estimator="regression")
    together = effect(frame, estimator="regression", clusters="group")
    assert together.estimate == pytest.approx(alone.estimate, rel=1e-9)
    assert together.error > 1.5 * alone.error
    rows = effect_rows(an.Table.of(frame, clusters="group"), "x", "y", sorted(GIVEN), None)
    fold = CrossFitting.of(rows, 5, 0).fold
    assert all(len(set(fold[frame["group"].to_numpy() == group].tolist())) == 1 for group in range(100))
    with pytest.raises(an.DataError, match="3 clusters are too few for 5 folds"):
        effect(frame.with_columns(group=pl.col("group") // 34), estimator="robust", clusters="group")


@pytest.mark.parametrize("estimator", ["regression", "robust"])
def test_a_row_of_weight_two_is_two_rows(estimator: str) -> None:
    """In the estimate; the error counts it as one row."""
    frame = drawn(two_levels, 400)
    heavy = frame.with_columns(w=pl.when(pl.col("z1") > 0).then(2.0).otherwise(1.0))
    learners = {"outcome": LinearRegression(), "treatment": LOGIT} if estimator == "robust" else {}
    twice = pl.concat([frame, frame.filter(pl.col("z1") > 0)])
    if estimator == "robust":  # the copies must be in the folds of their originals
        row = np.r_[np.arange(400), np.flatnonzero(frame["z1"].to_numpy() > 0)]
        a = effect(heavy.with_columns(row=np.arange(400)), estimator="robust", weights="w", clusters="row", **learners)
        b = effect(twice.with_columns(row=row), estimator="robust", clusters="row", **learners)
    else:
        a, b = effect(heavy, estimator="regression", weights="w"), effect(twice, estimator="regression")
    assert a.estimate == pytest.approx(b.estimate, rel=1e-5)
    none = heavy.vstack(heavy.with_columns(y=pl.col("y") + 100, w=pl.lit(0.0)))
    assert effect(none, estimator="regression", weights="w").rows == 400


def test_levels_and_events_are_chosen_by_name() -> None:
    frame = drawn(event).with_columns(dose=pl.Series(np.tile(["low", "mid", "mid", "high"], 150)))
    found = effect(frame, "dose", estimator="regression")
    assert found.levels == (("high", "mid"), ("low", "mid"))  # with the most frequent level
    some = effect(frame, "dose", estimator="regression", levels=[("high", "low"), ("mid", "low")])
    assert some.levels == (("high", "low"), ("mid", "low"))
    ordered = effect(frame, "dose", estimator="regression", kinds={"dose": ["low", "mid", "high"]})
    assert ordered.levels == (("mid", "low"), ("high", "low"))
    assert ordered.estimates == pytest.approx(some.estimates[::-1])
    assert found.notes == ("the outcome is whether y is '1'",)
    other = effect(frame, estimator="regression", event=0)
    assert other.estimate == pytest.approx(-effect(frame, estimator="regression").estimate)
    with pytest.raises(an.OptionError, match="event must be a level of 'y'; its levels are '0' and '1', got '2'"):
        effect(frame, estimator="regression", event=2)
    with pytest.raises(an.UnknownName, match="unknown level of 'dose', 'hi'; did you mean 'high'"):
        effect(frame, "dose", estimator="regression", levels=("hi", "low"))
    several: list[Any] = ["high", ("high",), ("high", "high"), [], 3]
    for wrong in several:
        with pytest.raises(an.OptionError, match="levels must be two different levels, or a list of such pairs"):
            effect(frame, "dose", estimator="regression", levels=wrong)


def test_an_outcome_of_several_levels_needs_numbers_or_an_event() -> None:
    frame = drawn(two_levels, 300).with_columns(stage=pl.Series(np.tile(["i", "ii", "iii"], 100)))
    with pytest.raises(an.OptionError, match=r"the levels of .stage. have none; choose the level .* event=.iii"):
        effect(frame, y="stage", estimator="regression")
    assert effect(frame, y="stage", estimator="regression", event="ii").rows == 300
    counts = frame.with_columns(visits=pl.Series(np.tile([0, 1, 5], 100)))
    as_numbers = effect(counts, y="visits", estimator="regression", kinds={"visits": "continuous"})
    as_levels = effect(counts, y="visits", estimator="regression", kinds={"visits": "discrete"})
    assert as_levels.estimate == pytest.approx(as_numbers.estimate)
    assert as_levels.notes == ("the levels of visits count as the numbers they are",)


def test_poor_overlap_is_told() -> None:
    rng = np.random.default_rng(5)
    z = rng.normal(size=2000)
    x = (rng.random(2000) < 1 / (1 + np.exp(-4 * z))).astype(int)
    frame = pl.DataFrame({"z": z, "x": x, "y": z + x + rng.normal(size=2000)})
    found = effect(frame, given={"z"}, estimator="robust", outcome=LinearRegression(), treatment=LOGIT)
    (note,) = (note for note in found.notes if "x = '1'" in note)
    assert "rows had a probability of x = '1' below 0.01, the least" in note
    assert "count as if it were 0.01" in note
    assert not effect(drawn(two_levels), estimator="robust", outcome=LinearRegression(), treatment=LOGIT).notes
    told = pl.DataFrame({"z": z, "x": 2 * z, "y": z})
    with pytest.raises(an.DataError, match="the adjustment set determines 'x'"):
        effect(told, given={"z"}, estimator="robust", outcome=LinearRegression(), treatment=LinearRegression())


def test_rows_with_gaps_are_left_out_and_counted() -> None:
    frame = drawn(two_levels, 300)
    gaps = frame.with_columns(z1=pl.when(pl.int_range(300) < 50).then(None).otherwise(pl.col("z1")))
    found = effect(gaps, estimator="regression", missing="testwise")
    assert found.rows == 250
    assert found.notes == ("50 rows without a value were left out",)
    assert found.estimate == pytest.approx(effect(frame[50:], estimator="regression").estimate)


def test_without_an_adjustment_set_means_are_compared() -> None:
    frame = drawn(two_levels, 300)
    y, x = frame["y"].to_numpy(), frame["x"].to_numpy()
    for estimator in ("regression", "robust"):
        found = effect(frame, given=(), estimator=estimator)
        # robust: within folds, so that it is near and not the same
        assert found.estimate == pytest.approx(
            y[x == 1].mean() - y[x == 0].mean(), rel=1e-9 if estimator == "regression" else 0.02
        )
    welch = np.sqrt(y[x == 1].var() / (x == 1).sum() + y[x == 0].var() / (x == 0).sum())
    assert effect(frame, given=(), estimator="regression").error == pytest.approx(welch, rel=5e-3)


def test_the_same_seed_gives_the_same_numbers() -> None:
    frame = drawn(two_levels, 300)
    first, again, other = (effect(frame, estimator="robust", seed=seed) for seed in (4, 4, 5))
    assert first == again
    assert first.estimate != other.estimate


def test_learners_that_cannot_be_used_are_refused() -> None:
    frame = drawn(weights, 300)

    class NoWeights:
        def fit(self, X: Any, y: Any) -> "NoWeights":
            return self

        def predict(self, X: Any) -> Any:
            return np.zeros(len(X))

    class Fails(NoWeights):
        def fit(self, X: Any, y: Any) -> "NoWeights":
            raise ValueError("out of luck")

    for wrong in (3, "ridge", Ridge, LinearRegression()):
        with pytest.raises(an.OptionError, match=r"treatment must be an object with fit\(X, y\) and predict_proba"):
            effect(frame, estimator="robust", treatment=wrong)
    with pytest.raises(
        an.OptionError, match=r"outcome must have fit\(X, y, sample_weight\), since the rows have weights"
    ):
        effect(frame, estimator="robust", outcome=NoWeights(), weights="w")
    with pytest.raises(an.OptionError, match=r"cannot be fitted to .* rows: out of luck"):
        effect(frame, estimator="robust", outcome=Fails())
    assert effect(frame, estimator="robust", outcome=NoWeights()).rows == 300


def test_without_scikit_learn_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ancestral.extras.find_spec", lambda name: None)
    frame = drawn(two_levels, 300)
    with pytest.raises(an.OptionError, match=r"estimator='robust', sklearn is needed; .* 'ancestral\[sklearn\]'"):
        effect(frame, estimator="robust")
    assert effect(frame, estimator="regression").rows == 300


def test_what_is_out_of_reach_is_refused_by_name() -> None:
    frame = drawn(slope, 300)
    table = an.Table.of(frame)
    with pytest.raises(
        an.OptionError, match='estimator="robust" is for one cause, and there are 2; ask for one at a time'
    ):
        estimated_effect(table, ["x", "z1"], "y", frozenset(), EffectOptions(estimator="robust"))
    with pytest.raises(an.OptionError, match="contrast=\"ratio\" compares levels, and 'x' is a column of numbers"):
        effect(frame, estimator="robust", contrast="ratio")
    with pytest.raises(
        an.OptionError, match=r'outcome=.* does not apply to estimator="regression"; pass estimator="robust"'
    ):
        effect(frame, estimator="regression", outcome=Ridge())
    with pytest.raises(an.OptionError, match="contrast must be 'difference' unless all means are above 0"):
        effect(drawn(two_levels).with_columns(pl.col("y") - 9), estimator="regression", contrast="ratio")
    with pytest.raises(an.OptionError, match=r"estimator must be one of 'linear', .*, 'levels', got 'robst'"):
        EffectOptions(estimator="robst")  # type: ignore[arg-type]
    rare = drawn(two_levels, 300).with_columns(x=pl.int_range(300) < 7)
    with pytest.raises(an.DataError, match="x = 'True' has 7 rows, too few for 5 folds"):
        effect(rare, estimator="robust")
    with pytest.raises(an.DataError, match="'y' has a single value in the 300 rows"):
        effect(frame.with_columns(y=pl.lit(1.0)), estimator="regression")
    told = frame.with_columns(x=(pl.col("z1") > 0).cast(pl.String), y=(pl.col("z2") > 0).cast(pl.String))
    with pytest.raises(an.DataError, match="has no solution: its variables are collinear, or tell the outcome exactly"):
        effect(told, estimator="regression")
    with pytest.raises(an.DataError, match="rows are too few for the regression"):
        effect(drawn(two_levels, 300)[:6], estimator="regression", kinds={"y": "continuous", "z1": "continuous"})


# ---- in a graph that was learned -----------------------------------------------------------------------------------


def study(rows: int = 4000, seed: int = 2) -> pl.DataFrame:
    """a and b act on x, b and c on y, x on y, in levels and numbers; a - x - y and b are found by the test mixed."""
    rng = np.random.default_rng(seed)
    a, c = rng.normal(size=rows), rng.normal(size=rows)
    b = rng.choice(["no", "yes"], rows)
    x = np.where(rng.random(rows) < 1 / (1 + np.exp(-(1.5 * a + 1.5 * (b == "yes") - 0.7))), "drug", "none")
    y = 1.5 * (x == "drug") - 1.2 * (b == "yes") + c + rng.normal(size=rows)
    return pl.DataFrame({"a": a, "b": b, "c": c, "x": x, "y": y})


def test_effects_in_a_learned_graph_of_mixed_columns(tmp_path: Path) -> None:
    frame = study()
    found = an.discover(frame, test="mixed", algorithm="fci")
    assert found.adjustment_set("x", "y").exists
    with pytest.raises(an.OptionError, match=r'the test .mixed. has no moments .* estimator="robust"'):
        found.effect("x", "y", estimator="linear")
    assert found.effect("x", "y").estimator == "regression"  # columns of both kinds
    for estimator in ("regression", "robust"):
        effect = found.effect("x", "y", estimator=estimator, levels=("drug", "none"))
        assert effect.given == found.adjustment_set("x", "y").best
        assert effect.lows[0] < 1.5 < effect.highs[0]
        assert effect.same_rows
    given = found.effect("x", "y", given={"b"}, estimator="regression", levels=("drug", "none"))
    assert given.given == frozenset({"b"})
    assert given.error > effect.error  # c, which is near y, was left out
    found.save(tmp_path / "run.json")
    again = an.load(tmp_path / "run.json")
    with pytest.raises(an.OptionError, match=r"needs the rows, which are not at hand; pass the data, .* as data="):
        again.effect("x", "y", estimator="regression")
    same = again.effect("x", "y", estimator="robust", levels=("drug", "none"), data=frame)
    assert (same.estimates, same.same_rows) == (effect.estimates, True)
    frame.write_csv(tmp_path / "study.csv")
    assert again.effect("x", "y", estimator="regression", data=tmp_path / "study.csv").same_rows
    other = again.effect("x", "y", estimator="regression", data=study(seed=9), levels=("drug", "none"))
    assert not other.same_rows
    assert other.lows[0] < 1.5 < other.highs[0]
    with pytest.raises(an.OptionError, match="estimator=\"linear\" is for columns of numbers, and 'x' has levels"):
        again.effect("x", "y", data=frame, estimator="linear")
    none = found.effect("y", "a", estimator="robust", contrast="ratio")
    assert (none.how, none.estimate) == ("no effect", 1.0)


def test_linear_effects_from_data_that_are_passed_again(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    a, b, c = rng.normal(size=(3, 2000))
    x = a + b + rng.normal(size=2000)
    frame = pl.DataFrame({"a": a, "b": b, "c": c, "x": x, "y": 0.5 * x + b + c + rng.normal(size=2000)})
    found = an.discover(frame)
    found.save(tmp_path / "run.json")
    again = an.load(tmp_path / "run.json").effect("x", "y", data=frame)
    assert again.estimate == pytest.approx(found.effect("x", "y").estimate, rel=1e-9)
    assert again.error == pytest.approx(found.effect("x", "y").error, rel=1e-9)
    assert again.same_rows


# ---- how often intervals cover ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("linear, two levels", 100),
        ("linear, slope", 1000),
        ("linear, event", 1000),
        ("linear, event, ratio", 1000),
        ("linear, clusters", 1000),
        ("linear, weights", 1000),
    ],
)
def test_intervals_of_regressions_cover_where_their_model_is_right(name: str, rows: int) -> None:
    """Of 400 intervals of 95 %, at least 92 % and at most 98 %: three standard errors of a share."""
    chosen = cell(name, "regression", rows)
    found = estimates(chosen, 400, seed=3)
    covers = np.mean([one.lows[0] <= chosen.truth[0] <= one.highs[0] for one in found])
    assert 0.92 <= covers <= 0.98


@pytest.mark.parametrize(
    ("system", "options"),
    [(two_levels, {}), (event, {}), (event, {"contrast": "ratio"}), (slope, {}), (slope, {"event": "high"})],
)
def test_errors_of_regressions_are_those_of_the_jackknife(system: Any, options: dict[str, Any]) -> None:
    """Leaving out one row after the other, which knows nothing of the formulas (Efron 1982)."""
    frame = drawn(system, 1000)
    if "event" in options:  # a cause in numbers, and an outcome with levels
        high = pl.col("y") + 1.5 * pl.col("x") > 1
        frame = frame.with_columns(y=pl.when(high).then(pl.lit("high")).otherwise(pl.lit("low")))
    table, chosen = an.Table.of(frame), EffectOptions(estimator="regression", **options)
    found = estimated_effect(table, ["x"], "y", GIVEN, chosen)
    tables = (table.keep(np.arange(1000) != i) for i in range(1000))
    others = np.array([estimated_effect(some, ["x"], "y", GIVEN, chosen).estimate for some in tables])
    jackknife = np.sqrt(999 / 1000 * ((others - others.mean()) ** 2).sum())
    assert found.error == pytest.approx(jackknife, rel=0.05)


@pytest.mark.parametrize("name", ["two levels", "slope"])
def test_robust_intervals_cover_where_relations_are_curved(name: str) -> None:
    """A light version of benchmarks/effect_coverage.py: of 30 intervals, 24 or fewer cover once in 10,000 times."""
    chosen = cell(name, "robust", 1000)
    found = estimates(chosen, 30, seed=3)
    covers = sum(one.lows[0] <= chosen.truth[0] <= one.highs[0] for one in found)
    assert covers > 24
    wrong = estimates(cell(name, "regression", 1000), 30, seed=3)
    assert sum(one.lows[0] <= chosen.truth[0] <= one.highs[0] for one in wrong) < 5  # the curves matter
