"""missing="impute": when it is the same as no imputation, what it makes up for, and what is refused."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.data import DataWarning
from ancestral.data.imputation import IMPUTATIONS
from ancestral.errors import OptionError
from ancestral.independence import choose_test
from ancestral.independence.imputed import ImputedTest
from ancestral.show.rerun import command, python_call

DAG = an.DAG.parse("a -> c, b -> c, c -> d, L -> d, L -> e", latent=["L"])
DRAWS: dict[str, Any] = {
    "fisher-z": an.simulate.linear_gaussian,
    "labels": an.simulate.discrete,
    "mixed": an.simulate.mixed,
}


def holed(frame: pl.DataFrame, share: float = 0.1, seed: int = 5) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return frame.with_columns(
        pl.when(pl.Series(rng.random(len(frame)) < share)).then(None).otherwise(pl.col(name)).alias(name)
        for name in frame.columns
    )


def numbers(rows: int = 300, seed: int = 3) -> pl.DataFrame:
    frame: pl.DataFrame = an.simulate.linear_gaussian(DAG, rows=rows, seed=seed)
    return frame


@pytest.mark.parametrize("name", DRAWS)
def test_without_gaps_it_is_the_test_itself(name: str) -> None:
    frame = DRAWS[name](DAG, rows=300, seed=3)
    plain, imputed = choose_test(frame), choose_test(frame, missing="impute")
    assert type(plain) is type(imputed) and (imputed.name, imputed.fingerprint) == (name, plain.fingerprint)


@pytest.mark.parametrize("name", ["fisher-z", "rank", "labels", "g", "chi2", "mixed", "regression"])
def test_every_named_test_answers(name: str) -> None:
    like = {"rank": "fisher-z", "g": "labels", "chi2": "labels", "regression": "mixed"}
    draw = DRAWS[like.get(name, name)]
    frame = holed(draw(DAG, rows=400, seed=3))
    test = choose_test(frame, test=name, missing="impute")
    assert test.name == f"{name}, {IMPUTATIONS} imputations"
    questions = test.questions(["a", "c", "b", "e"])
    assert test.evidence(questions, 0, 1, []).p_value < 0.01 < test.evidence(questions, 0, 3, [2]).p_value


def test_values_that_are_missing_at_random_do_not_make_independent_columns_dependent() -> None:
    """x is missing where y + w is large, so that the rows that are left are selected by a common effect of x and y."""
    rng = np.random.default_rng(1)
    rejected = {"testwise": 0, "drop": 0, "impute": 0}
    for _ in range(40):
        x, y = rng.standard_normal((2, 200))
        w = x + rng.standard_normal(200)
        gone = y + w > 0.8
        frame = pl.DataFrame({"x": np.where(gone, np.nan, x), "y": y, "w": w}).fill_nan(None)
        for missing in rejected:
            test = choose_test(frame, alpha=0.05, missing=missing)  # type: ignore[arg-type]
            rejected[missing] += not test.questions(["x", "y"]).ask(0, 1, [])
    assert rejected["impute"] <= 6  # 0.05 of 40 is 2; seven or more have a probability below 0.005
    assert rejected["drop"] >= 20 and rejected["testwise"] >= 20


def test_the_answer_depends_on_the_order_of_neither_rows_nor_columns() -> None:
    frame = holed(numbers())
    one, other = (choose_test(given, missing="impute") for given in (frame, frame[::-1].select(frame.columns[::-1])))
    assert one.fingerprint == other.fingerprint
    found = [test.evidence(test.questions(["a", "c", "d"]), 0, 1, [2]) for test in (one, other)]
    assert found[0].statistic == pytest.approx(found[1].statistic, rel=1e-9)


def test_a_run_is_resumed_and_told_apart_from_one_without_imputation(tmp_path: Path) -> None:
    source, run = tmp_path / "data.csv", tmp_path / "run.json"
    holed(numbers()).write_csv(source)
    first = an.discover(source, missing="impute", max_radius=0, save=run, progress=False)
    assert first.settings.test == "fisher-z, 10 imputations" and first.reading.missing == "impute"
    resumed = an.discover(source, missing="impute", resume=run, progress=False)
    whole = an.discover(source, missing="impute", progress=False)
    assert resumed.pag == whole.pag and resumed.to_frame("all").equals(whole.to_frame("all"))
    assert "missing values were imputed" in str(whole)
    assert command(whole.settings, whole.reading) == (
        f"ancestral discover {source} --algorithm icd --test fisher-z --alpha 0.01 --missing impute"
    )
    assert "test='fisher-z'" in python_call(whole.settings, whole.reading)
    others: tuple[Any, ...] = ("testwise", "drop")
    for other in others:
        with pytest.raises(an.errors.RunError, match="data"):
            an.discover(source, missing=other, resume=run, progress=False)


def test_graphs_are_scored_by_the_correlations_of_all_imputed_tables() -> None:
    frame = holed(numbers(1_000))
    test = choose_test(frame, missing="impute")
    assert isinstance(test, ImputedTest)
    blocks = test.column_blocks(("a", "b", "c"))
    assert blocks.rows == 1_000
    one = [inner.moments.select(("a", "b", "c")).correlation for inner in test.tests]  # type: ignore[attr-defined]
    np.testing.assert_allclose(blocks.correlation, np.mean(one, axis=0), atol=2e-3)
    found = an.discover(frame, missing="impute", algorithm="scored", progress=False)
    assert found.pag.has("a", "o->", "c")
    labels = choose_test(holed(an.simulate.discrete(DAG, rows=300, seed=1)), missing="impute")
    with pytest.raises(OptionError, match="no graph can be scored"):
        labels.column_blocks(labels.names)  # type: ignore[attr-defined]


def test_a_bootstrap_draws_rows_of_the_imputed_tables() -> None:
    frame = holed(numbers())
    boot = an.bootstrap(frame, missing="impute", algorithm="icd", repeats=3, progress=False)
    assert boot.edge("a", "c").edge == 1.0
    test = choose_test(frame, missing="impute")
    weights = np.bincount(np.random.default_rng(1).integers(0, 300, 300), minlength=300)
    drawn = test.resampler().test(weights)
    assert isinstance(drawn, ImputedTest) and isinstance(test, ImputedTest)
    singles = [inner.resampler().test(weights) for inner in test.tests]
    assert drawn.rows == 300 and [one.fingerprint for one in drawn.tests] == [
        one.fingerprint for one in singles if one is not None
    ]
    nothing = np.zeros(300, dtype=np.int64)
    nothing[0] = 300
    assert test.resampler().test(nothing) is None


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (lambda: [holed(numbers())], {}, 'missing="impute" goes back to the rows'),
        (lambda: holed(numbers()), {"test": lambda x, y, given: 0.5}, "does not apply to a function of your own"),
    ],
)
def test_what_cannot_be_imputed_is_refused(source: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message.replace("(", r"\(")):
        an.discover(source(), missing="impute", **options)


def test_tables_and_sums_hold_the_data_as_they_are() -> None:
    frame = holed(numbers())
    for make in (an.Table.of, an.Moments.of, an.Counts.of):
        with pytest.raises(OptionError, match='missing="impute"'):
            make(frame, missing="impute")
    table = an.Table.of(frame, missing="testwise")
    assert choose_test(table, missing="impute").fingerprint == choose_test(frame, missing="impute").fingerprint


def test_effects_and_certainty_are_refused_with_the_reason() -> None:
    found = an.discover(holed(numbers()), missing="impute", progress=False)
    with pytest.raises(OptionError, match="missing values were imputed"):
        found.effect("a", "c")
    with pytest.raises(OptionError, match="no certainty can be computed"):
        found.certainty(2)


@pytest.mark.parametrize("missing", ["impute", "testwise"])
def test_the_audit_tells_columns_that_are_mostly_missing_and_empty_rows(missing: Any) -> None:
    frame = numbers(60).with_columns(pl.when(pl.int_range(60) < 40).then(None).otherwise(pl.col("a")).alias("a"))
    empty = pl.DataFrame({name: [None, None] for name in frame.columns}, schema=frame.schema)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        test = choose_test(pl.concat([frame, empty]), missing=missing)
    words = [str(one.message) for one in told if issubclass(one.category, DataWarning)]
    assert any("more than half of the values are missing ('a': 68%)" in one for one in words)
    assert any("2 rows without any value" in one for one in words)
    assert test.rows == (60 if missing == "impute" else 62)
