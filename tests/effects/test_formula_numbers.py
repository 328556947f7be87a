"""Numbers of formulas from data: intervals that cover the truth, equality with a regression, and what is told."""

import numpy as np
import polars as pl
import pytest

from ancestral import (
    DAG,
    PAG,
    Counts,
    DataError,
    GraphError,
    Knowledge,
    Moments,
    OptionError,
    bootstrap,
    discover,
    identify,
    pag_of,
)
from ancestral.effects.discrete_formula import Interventional, Query
from ancestral.effects.discrete_formula import interventional as by_query
from ancestral.effects.identification.identify import Identification
from ancestral.effects.linear import regression_effect
from ancestral.effects.linear_formula import linear_formula_effect
from tests.support.interventions import NAPKIN, SIX, BinarySystem, LinearSystem


def rows_of(system: LinearSystem, rows: int, rng: np.random.Generator) -> np.ndarray:
    names = list(system.dag.observed)
    root = np.linalg.cholesky(system.covariance(names))
    return np.asarray(rng.standard_normal((rows, len(names))) @ root.T)


@pytest.mark.parametrize("rows", [200, 1000])
def test_intervals_of_formulas_cover_the_slope(rows: int) -> None:
    """95 % intervals over 200 systems: with 200 draws, between 91 and 98 of 100."""
    rng = np.random.default_rng(rows)
    said, names, hits = identify(pag_of(SIX), "x", "y"), list(SIX.observed), 0
    for _ in range(200):
        system = LinearSystem(SIX, rng)
        effect = linear_formula_effect(Moments.of(rows_of(system, rows, rng), names=names), said)
        truth = system.covariance(["x", "y"], do=("x",))[0, 1]
        hits += effect.lows[0] <= truth <= effect.highs[0]
    assert 0.91 <= hits / 200 <= 0.98


def test_the_formula_of_a_regression_has_its_estimate_and_error() -> None:
    rng = np.random.default_rng(1)
    pag = PAG.parse("a o-> x, b o-> x, x --> y")
    said = identify(pag, "x", "y")
    assert said.text == "P(y | do(x)) = P(y | x)"
    rows = rng.standard_normal((80, 2)) @ np.array([[1.0, 2.0], [0.0, 1.5]])
    moments = Moments.of(rows, names=["x", "y"])
    ours, theirs = linear_formula_effect(moments, said), regression_effect(moments, ["x"], "y", frozenset())
    assert ours.estimate == pytest.approx(theirs.estimate, rel=1e-12)
    assert ours.error == pytest.approx(theirs.error * np.sqrt(78 / 77), rel=1e-9)  # a degree of freedom less
    assert ours.how == "formula" and ours.formula == said.text


def test_clusters_widen_the_interval() -> None:
    rng = np.random.default_rng(2)
    system = LinearSystem(SIX, rng)
    once = pl.DataFrame(rows_of(system, 300, rng), schema=list(SIX.observed), orient="row")
    twice = pl.concat([once.with_row_index("unit")] * 4).with_columns(pl.col("unit").cast(pl.Utf8))
    said = identify(pag_of(SIX), "x", "y")
    single = linear_formula_effect(Moments.of(once), said)
    repeated = linear_formula_effect(Moments.of(twice.drop("unit")), said)
    clustered = linear_formula_effect(Moments.of(twice, clusters="unit"), said)
    assert repeated.error < 0.55 * single.error
    assert clustered.error == pytest.approx(single.error, rel=0.15)
    assert clustered.estimate == pytest.approx(single.estimate, rel=1e-9)


def test_a_formula_that_depends_on_what_it_must_not_depend_on_is_doubted() -> None:
    rng = np.random.default_rng(3)
    said = identify(NAPKIN, "x", "y")
    names = list(NAPKIN.observed)
    sound = linear_formula_effect(Moments.of(rows_of(LinearSystem(NAPKIN, rng), 2000, rng), names=names), said)
    assert sound.doubt is None
    other = DAG.parse("w -> z, z -> x, x -> y, z -> y, a -> w, a -> x, b -> w, b -> y", latent=["a", "b"])
    wrong = linear_formula_effect(Moments.of(rows_of(LinearSystem(other, rng), 2000, rng), names=names), said)
    assert wrong.doubt is not None and "does not depend on z" in wrong.doubt


def test_too_few_rows_and_collinear_columns() -> None:
    said, names = identify(pag_of(SIX), "x", "y"), list(SIX.observed)
    rows = rows_of(LinearSystem(SIX, np.random.default_rng(4)), 50, np.random.default_rng(4))
    with pytest.raises(DataError, match="6 rows are too few for a formula of 6 variables"):
        linear_formula_effect(Moments.of(rows[:6], names=names), said)
    rows[:, names.index("v")] = rows[:, names.index("x")]
    with pytest.raises(DataError, match="collinear"):
        linear_formula_effect(Moments.of(rows, names=names), said)


def interventional(counts: Counts, said: Identification) -> Interventional:
    assert said.formula is not None
    return by_query(counts, Query(said.x, said.y, said.conditions, said.formula))


# ---- levels --------------------------------------------------------------------------------------------------------


def drawn(system: BinarySystem, rows: int, rng: np.random.Generator) -> Counts:
    names = list(system.dag.observed)
    table = system.under()
    cells = np.repeat(np.arange(table.size), rng.multinomial(rows, table.ravel() / table.sum()))
    codes = [np.asarray(axis) for axis in np.unravel_index(cells, table.shape)]
    return Counts.of_codes(names, [("no", "yes")] * len(names), codes)


@pytest.mark.parametrize(("dag", "rows"), [(SIX, 500), (NAPKIN, 2000)])
def test_intervals_of_levels_cover_the_difference(dag: DAG, rows: int) -> None:
    """95 % intervals over 60 systems: within three standard errors, 2.8 of 100 each."""
    rng = np.random.default_rng(rows)
    said, hits = _said(dag), 0
    for _ in range(60):
        system = BinarySystem(dag, rng)
        found = interventional(drawn(system, rows, rng), said)
        truth = system.of(["y"], ["x"], [], ["x", "y"])
        spread = (found.draws[:, 1, 1] - found.draws[:, 0, 1]).std(ddof=1)
        estimate = found.values[1, 1] - found.values[0, 1]
        hits += abs(estimate - (truth[1, 1] - truth[0, 1])) <= 1.96 * spread
    assert hits / 60 >= 0.865


def _said(dag: DAG) -> Identification:
    return identify(pag_of(dag) if dag is SIX else dag, "x", "y")


def test_many_rows_give_the_intervention() -> None:
    rng = np.random.default_rng(6)
    system = BinarySystem(SIX, rng)
    found = interventional(drawn(system, 3_000_000, rng), _said(SIX))
    assert found.names == ("x", "y") and found.levels == (("no", "yes"), ("no", "yes"))
    assert np.abs(found.values - system.of(["y"], ["x"], [], ["x", "y"])).max() < 5 * found.errors.max() + 1e-12
    assert found.values.sum(axis=1) == pytest.approx([1, 1])
    assert len(found.records()) == 4 and found.records()[1]["y"] == "yes"
    frame = found.to_frame()
    assert frame.columns == ["x", "y", "probability", "error", "low", "high"] and frame.height == 4
    assert frame["probability"].to_list() == found.values.ravel().tolist()
    assert "x = no, y = yes:" in str(found)


def test_one_row_is_spread_over_all_cells() -> None:
    codes = [np.repeat([0, 0, 1], [3, 1, 4]), np.repeat([0, 1, 1], [3, 1, 4])]
    counts = Counts.of_codes(["x", "y"], [("no", "yes")] * 2, codes)
    found = interventional(counts, identify(PAG.parse("a o-> x, b o-> x, x --> y"), "x", "y"))
    assert found.values == pytest.approx(np.array([[3.25, 1.25], [0.25, 4.25]]) / 4.5)


def test_empty_cells_and_averages_are_told() -> None:
    rng = np.random.default_rng(7)
    few = interventional(drawn(BinarySystem(SIX, rng), 40, rng), _said(SIX))
    assert any("had no row" in note for note in few.notes)
    napkin = interventional(drawn(BinarySystem(NAPKIN, rng), 400, rng), _said(NAPKIN))
    assert any("at any value of z" in note for note in napkin.notes)


def test_levels_that_are_too_many_for_the_rows_are_refused() -> None:
    rng = np.random.default_rng(8)
    with pytest.raises(DataError, match="32 cells, from 20 rows"):
        interventional(drawn(BinarySystem(SIX, rng), 20, rng), _said(SIX))
    weighted = Counts.of(pl.DataFrame({"x": ["a", "b"] * 20, "y": ["c", "d"] * 20, "w": [1.0, 2.0] * 20}), weights="w")
    with pytest.raises(OptionError, match=r'without weights and clusters; .* estimator="regression"'):
        interventional(weighted, identify(PAG.parse("a o-> x, b o-> x, x --> y"), "x", "y"))


# ---- effects in what a search found --------------------------------------------------------------------------------


def test_found_effects_of_levels_are_differences_of_shares() -> None:
    """With nothing to adjust for, an effect is the difference of two shares in the table."""
    rng = np.random.default_rng(9)
    a, b = rng.random(4000) < 0.5, rng.random(4000) < 0.4
    x = rng.random(4000) < 0.15 + 0.35 * a + 0.35 * b
    y = rng.random(4000) < 0.2 + 0.5 * x
    columns = {"a": a, "b": b, "x": x, "y": y}
    frame = pl.DataFrame({name: pl.Series(v).cast(pl.Int8).cast(pl.String) for name, v in columns.items()})
    found = discover(frame)
    assert found.pag == PAG.parse("a o-> x, b o-> x, x --> y")
    effect = found.effect("x", "y", seed=1)
    assert (effect.how, effect.estimator, effect.contrast, effect.levels) == (
        "adjustment", "levels", "difference", (("1", "0"),)
    )  # fmt: skip
    shares = [float(y[x == level].mean()) for level in (True, False)]
    assert effect.estimate == pytest.approx(shares[0] - shares[1], abs=1e-3)
    spread = np.sqrt(sum(p * (1 - p) / n for p, n in zip(shares, (x.sum(), (~x).sum()), strict=True)))
    assert effect.error == pytest.approx(float(spread), rel=0.15)
    ratio = found.effect("x", "y", contrast="ratio", event="1")
    assert ratio.estimate == pytest.approx(shares[0] / shares[1], rel=5e-3)
    assert ratio.lows[0] < ratio.estimate < ratio.highs[0]
    turned = found.effect("x", "y", event="0", levels=("0", "1"))
    assert turned.estimate == pytest.approx(effect.estimate, abs=1e-9)
    table = found.interventional("x", "y")
    assert table.values[1, 1] == pytest.approx(shares[0], abs=1e-3)
    joint = found.interventional("x", ["y", "a"])
    assert joint.values.shape == (2, 2, 2) and joint.values.sum(axis=(1, 2)) == pytest.approx([1, 1])
    with pytest.raises(OptionError, match=r"in Python, found\.interventional"):
        found.effect("x", "y", within="a")
    with pytest.raises(GraphError, match=r"interventional\(x, y, within=\['x'\]\).*found\.effect_bounds"):
        found.effect("a", "y")
    for question in found.possible_effects, found.sensitivity:
        with pytest.raises(OptionError, match=r"has no moments .* found\.effect_bounds\(x, y\) has") as refused:
            question("x", "y")
        assert "estimator" not in str(refused.value)  # these questions have no such option
    with pytest.raises(OptionError, match="has no moments") as refused:
        bootstrap(frame, repeats=2, effects=[("x", "y")], progress=False)
    assert "estimator" not in str(refused.value)


def test_found_formulas_take_moments_and_say_what_is_in_the_way() -> None:
    rng = np.random.default_rng(11)
    system = LinearSystem(SIX, rng)
    frame = pl.DataFrame(rows_of(system, 60_000, rng), schema=list(SIX.observed), orient="row")
    found = discover(frame, resamples=0)
    assert found.pag == pag_of(SIX)
    effect = found.effect("x", "y")
    assert effect.how == "formula" and effect.formula == found.identify("x", "y").text
    assert effect.lows[0] < system.covariance(["x", "y"], do=("x",))[0, 1] < effect.highs[0]
    said = found.identify("c", "y")
    assert not said and said.final
    with pytest.raises(GraphError, match="within levels it is: pass within="):
        found.effect("c", "y")
    with pytest.raises(GraphError, match=r"is not identified by any formula.* ask for one cause and one outcome"):
        found.effect(["c", "a"], "y")
    for option in {"contrast": "ratio"}, {"levels": (1, 0)}, {"event": "1"}:
        with pytest.raises(OptionError, match=r"does not apply to a slope, and .* leave it out"):
            found.effect("x", "y", **option)
    with pytest.raises(OptionError, match=r'cannot compute: .*; pass estimator="linear"$'):
        found.effect("x", "y", estimator="regression")
    known = discover(frame, resamples=0, knowledge=Knowledge.parse("c --> x"))
    assert "has other marks than a PAG has, such as known ones" in str(known.identify("x", "y").doubt)


def test_a_formula_of_mixed_columns_is_refused_with_a_way_out() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 2000))
    x = np.where(a + b + rng.normal(size=2000) > 0, "high", "low")
    frame = pl.DataFrame({"a": a, "b": b, "x": x, "y": (x == "high") + rng.normal(size=2000)})
    found = discover(frame, test="mixed", resamples=0)
    assert found.pag == PAG.parse("a o-> x, b o-> x, x --> y")
    with pytest.raises(OptionError, match='adjustment set, pass how="adjustment"; otherwise search with all columns'):
        found.effect("x", "y", how="formula")
    assert found.effect("x", "y", how="adjustment").estimator == "regression"
    with pytest.raises(GraphError, match="an experiment, or more knowledge about the edges, can settle it"):
        found.effect("a", "x")
    with pytest.raises(OptionError, match=r"levels; search with all columns of the formula discrete"):
        found.effect("x", "y", within="a")


def test_levels_of_weighted_rows_are_compared_by_regression() -> None:
    """With nothing to adjust for, an effect is the difference of two weighted shares; tables are for rows alike."""
    rng = np.random.default_rng(9)
    a, b = rng.random(4000) < 0.5, rng.random(4000) < 0.4
    x = rng.random(4000) < 0.15 + 0.35 * a + 0.35 * b
    y, w = rng.random(4000) < 0.2 + 0.5 * x, rng.uniform(0.5, 2, 4000)
    frame = pl.DataFrame({name: pl.Series(v).cast(pl.String) for name, v in {"a": a, "b": b, "x": x, "y": y}.items()})
    found = discover(frame.with_columns(w=w), weights="w", resamples=0)
    assert found.pag == PAG.parse("a o-> x, b o-> x, x --> y")
    effect = found.effect("x", "y")
    assert effect.estimator == "regression"
    shares = [np.average(y[x == level], weights=w[x == level]) for level in (True, False)]
    assert effect.estimate == pytest.approx(shares[0] - shares[1], abs=1e-6)
    with pytest.raises(OptionError, match=r'without weights and clusters; .* pass estimator="regression"$'):
        found.effect("x", "y", estimator="levels")


def test_rows_with_missing_values_have_no_slopes_and_the_way_out_is_named() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, 800))
    x = a + b + rng.normal(size=800)
    frame = pl.DataFrame({"a": a, "b": b, "x": x, "y": x + rng.normal(size=800)})
    holed = frame.with_columns(a=pl.when(pl.int_range(pl.len()) % 9 == 0).then(None).otherwise(pl.col("a")))
    kept = discover(holed, missing="testwise", resamples=0)
    with pytest.raises(OptionError, match=r'values were kept, .* missing="drop"; .* estimator="robust"'):
        kept.effect("x", "y")
    assert discover(holed, missing="drop", resamples=0).effect("x", "y").estimator == "linear"
