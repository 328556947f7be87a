"""A description agrees with the search about kinds, gaps, weights and clusters: the same test, the same algorithm."""

import ast
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ancestral as an
from ancestral.data.survey.column_survey import ColumnSurvey
from ancestral.describing.advice import Run

RNG = np.random.default_rng(3)
ROWS = 60
HIDDEN = RNG.normal(size=ROWS)
GRADES = ["low", "mid", "high", "top"]


def numbers() -> Any:
    return HIDDEN + RNG.normal(size=ROWS)


def levels(count: int) -> Any:
    return np.argsort(np.argsort(numbers())) * count // ROWS


def labels() -> list[str]:
    return [("rome", "york", "bonn")[code] for code in levels(3)]


ORDERED = pd.DataFrame({"g": pd.Categorical.from_codes(levels(4), GRADES, ordered=True), "h": labels(), "x": numbers()})
ORDINAL = {"q": "ordinal", "r": "ordinal"}
FRAME = pl.DataFrame(
    {
        "x": numbers(),
        "y": numbers(),
        "z": numbers(),
        "h": labels(),
        "i": labels(),
        "b": levels(2),
        "c": levels(2),
        "q": levels(4),
        "r": levels(5),
        "w": RNG.uniform(0.5, 2, size=ROWS).round(2),
        "k": np.arange(ROWS) // 4,
    }
)


def with_gaps(frame: pl.DataFrame, every: int) -> pl.DataFrame:
    """The frame with every so-manyth value of its first and third column missing, in different rows."""
    row = pl.int_range(pl.len())
    first, _, third = frame.columns[:3]
    return frame.with_columns(
        pl.when(row % every != 1).then(pl.col(first)).alias(first),
        pl.when(row % every != 0).then(pl.col(third)).alias(third),
    )


def column(description: an.Description, name: str) -> ColumnSurvey:
    (found,) = [one for one in description.columns if one.name == name]
    return found


def runs(description: an.Description) -> list[dict[str, Any]]:
    """The options of the searches that are advised."""
    return [part.value[1] for one in description.advice for part in one.args if type(part) is Run]


SETS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "numbers": (["x", "y", "z"], {}),
    "labels": (["h", "i", "q"], {}),
    "two levels": (["b", "c", "h"], {}),
    "ordinal and two levels": (["q", "b", "r"], {"kinds": ORDINAL}),
    "ordinal and three labels": (["q", "h", "r"], {"kinds": ORDINAL}),
    "levels in a list": (["h", "b", "i"], {"kinds": {"h": ["york", "bonn", "rome"], "i": ["rome", "york", "bonn"]}}),
    "numbers and labels": (["x", "h", "y"], {}),
    "numbers and two levels": (["x", "b", "y"], {}),
    "numbers and ordinal": (["x", "q", "r"], {"kinds": ORDINAL}),
    "all kinds": (["x", "q", "h", "b"], {"kinds": {"q": "ordinal"}}),
}
HOW: dict[str, tuple[int, dict[str, Any]]] = {
    "complete": (0, {}),
    "drop": (12, {"missing": "drop"}),
    "testwise": (12, {"missing": "testwise"}),
    "impute": (12, {"missing": "impute"}),
    "weights": (0, {"weights": "w"}),
    "clusters": (12, {"clusters": "k", "missing": "drop"}),
    "very few rows": (0, {}),
    "stream": (0, {}),
    "stream with weights": (12, {"weights": "w", "missing": "drop"}),
}


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("columns", SETS)
@pytest.mark.filterwarnings(
    "ignore::ancestral.DataWarning", "ignore:these data could answer none of 6:ancestral.RunWarning"
)
def test_the_test_and_the_algorithm_are_those_of_the_search(columns: str, how: str) -> None:
    (names, reading), (every, more) = SETS[columns], HOW[how]
    frame = FRAME.select(*names, *(more[role] for role in ("weights", "clusters") if role in more))
    if every:
        frame = with_gaps(frame, every)
    if how == "very few rows":
        frame = frame[::4]
    source: Any = [frame[:25], frame[25:]] if "stream" in how else frame
    description = an.describe(source, **reading, **more)
    found = an.discover(source, **reading, **more, progress=False, resamples=0)
    assert description.faults == ()
    assert description.test is not None
    assert description.algorithm is not None
    assert description.test.name == found.settings.test
    assert description.algorithm.name == found.settings.algorithm
    assert description.algorithm.why in str(found)
    assert {one.name: one.kind for one in description.columns if one.is_variable} == found.test.kinds
    assert [one.name for one in description.columns if one.is_variable] == names


# -- ordinal columns --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("streamed", [False, True])
def test_ordered_categories_are_ordinal_in_their_order(streamed: bool) -> None:
    description = an.describe([ORDERED[:20], ORDERED[20:]] if streamed else ORDERED)
    found = column(description, "g")
    assert (found.kind, found.why) == ("ordinal", "ordered categories")
    counts = ORDERED["g"].value_counts()
    assert list((found.levels or {}).items()) == [(grade, counts[grade]) for grade in GRADES]
    assert "1 continuous, 1 discrete, 1 ordinal" in str(description)
    assert 'class="kind ordinal"' in description.to_html()


@pytest.mark.parametrize("streamed", [False, True])
def test_levels_that_the_options_order_are_ordinal_and_no_longer_proposed(streamed: bool) -> None:
    order = ["york", "bonn", "rome"]
    kinds = {"q": "ordinal", "h": order}
    source: Any = [FRAME[:20], FRAME[20:]] if streamed else FRAME
    description = an.describe(source, kinds=kinds)
    assert {(column(description, name).kind, column(description, name).why) for name in kinds} == {
        ("ordinal", "as the options say")
    }
    assert list(column(description, "h").levels or {}) == order
    (proposed,) = [str(one) for one in description.advice if "rating scale" in str(one)]
    assert "'r'" in proposed
    assert "'q'" not in proposed


def test_an_order_that_is_not_known_is_a_fault_of_that_column() -> None:
    for source in (FRAME, [FRAME]):
        description = an.describe(source, kinds={"h": "ordinal"})
        assert column(description, "h").kind is None
        assert "column 'h' cannot be ordinal" in str(description.faults[0])


# -- weights and clusters ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["frame", "stream", "table", "moments"])
def test_weights_and_clusters_are_no_variables(kind: str) -> None:
    chosen: dict[str, Any] = {"columns": ["x", "y"], "weights": "w", "clusters": "k"}
    if kind in ("frame", "stream"):
        description = an.describe(FRAME if kind == "frame" else [FRAME[:20], FRAME[20:]], **chosen)
    else:
        made = an.Table.of(FRAME, **chosen) if kind == "table" else an.Moments.of([FRAME], **chosen)
        description = an.describe(made)
    assert {one.name: one.kind for one in description.columns} == {
        "x": "continuous",
        "y": "continuous",
        "w": "weights",
        "k": "clusters",
    }
    assert (column(description, "k").values, column(description, "k").different) == (ROWS, 15)
    if kind in ("frame", "table"):
        weights = FRAME["w"].to_numpy()
        found = column(description, "w")
        assert (found.low, found.median, found.high) == (weights.min(), np.median(weights), weights.max())
    assert "(2 continuous, 1 of clusters, 1 of weights)" in str(description)
    assert "# w" not in description.template()
    assert "# x" in description.template()


@pytest.mark.parametrize("streamed", [False, True])
def test_rows_of_weight_0_do_not_count(streamed: bool) -> None:
    frame = FRAME.select("x", "h", w=pl.Series([0.0, 1.0, 2.0] * 20)).with_columns(
        x=pl.when(pl.int_range(pl.len()) % 3 != 0).then("x")
    )
    description = an.describe([frame[:31], frame[31:]] if streamed else frame, weights="w")
    assert (description.rows, description.complete_rows, description.faults) == (40, 40, ())
    assert (column(description, "x").values, column(description, "x").missing) == (40, 0)
    assert sum((column(description, "h").levels or {}).values()) == 40


@pytest.mark.parametrize("streamed", [False, True])
def test_weights_that_cannot_be_used_are_a_fault_that_no_option_removes(streamed: bool) -> None:
    frame = FRAME.select("x", "y", w=pl.Series([-1.0, *[1.0] * (ROWS - 1)]))
    description = an.describe([frame[:31], frame[31:]] if streamed else frame, weights="w")
    (fault,) = description.faults
    assert "the weights in column 'w' must be finite numbers, 0 or more, and one is -1 in" in str(fault)
    assert (column(description, "w").kind, column(description, "w").values) == ("weights", None)
    assert "cannot be read" in str(description)
    assert runs(description) == []


def test_weights_that_are_all_0_are_a_fault() -> None:
    frame = FRAME.select("x", "y", w=pl.lit(0.0))
    for source in (frame, [frame]):
        description = an.describe(source, weights="w")
        assert len(description.faults) == 1
        with pytest.raises(an.DataError) as told:
            an.discover(source, weights="w", progress=False)
        assert str(description.faults[0]) == str(told.value)


def test_few_clusters_are_warned_of_as_by_the_search() -> None:
    frame = FRAME.select("x", "y", k=pl.int_range(pl.len()) // 12)
    with pytest.warns(an.DataWarning, match="there are only 5 clusters in column 'k'") as told:
        an.discover(frame, clusters="k", progress=False, resamples=0)
    assert list(map(str, an.describe(frame, clusters="k").warnings)) == [str(one.message) for one in told]


# -- missing values ---------------------------------------------------------------------------------------------------


def test_missing_values_of_weighted_rows_can_only_be_dropped() -> None:
    frame = with_gaps(FRAME.select("x", "y", "h", "w"), 3)
    for missing in ("refuse", "testwise", "impute"):
        description = an.describe(frame, weights="w", missing=missing)
        assert len(description.faults) == 1
        assert "testwise" not in str(description.faults[0]).partition('pass missing="drop"')[2]
        (run,) = runs(description)
        assert run["missing"] == "drop"
        assert an.describe(frame, **run).faults == ()
        with pytest.raises((an.DataError, an.OptionError)) as told:
            an.discover(frame, weights="w", missing=missing, progress=False)
        assert str(told.value) == str(description.faults[0])


def test_calls_in_advice_are_whole_however_many_columns_they_name() -> None:
    """A call is to be copied: it is Python, and has each kind and each label that was given."""
    chosen: dict[str, str | list[str]] = {f"answer to question {i}": "discrete" for i in range(30)}
    chosen['it\'s "rated"'] = [f"level {level}" for level in range(12)]
    draws = np.random.default_rng(1).integers(0, 3, (60, len(chosen)))
    frame = pl.DataFrame({name: [f"level {value}" for value in draws[:, i]] for i, name in enumerate(chosen)})
    description = an.describe(frame, kinds=chosen)
    calls = [re.search(r"an\.\w+\(.*\)", str(advice)) for advice in description.advice]
    found = [ast.parse(call[0], mode="eval").body for call in calls if call is not None]
    kinds = [
        ast.literal_eval(word.value)
        for call in found
        for part in ast.walk(call)
        if isinstance(part, ast.Call)
        for word in part.keywords
        if word.arg == "kinds"
    ]
    assert kinds == [chosen] * 2  # to search the data, and to write the template of a file of knowledge


@pytest.mark.parametrize(("every", "advised"), [(30, ["drop"]), (8, ["drop", "impute"]), (3, ["testwise", "impute"])])
def test_advice_about_missing_values_depends_on_how_many_rows_have_them(every: int, advised: list[str]) -> None:
    frame = with_gaps(FRAME.select("x", "y", "h"), every)
    description = an.describe(frame)
    assert [run["missing"] for run in runs(description)] == advised
    assert ('missing="impute"' in str(description.faults[0])) == ("impute" in advised)
    for run in runs(description):
        assert an.describe(frame, **run).faults == ()
    with pytest.raises(an.DataError) as told:
        an.discover(frame, progress=False)
    assert str(told.value) == str(description.faults[0])
    with pytest.raises(an.DataError) as told:
        an.Table.of(frame)
    assert "impute" not in str(told.value)
    assert "impute" not in " ".join(str(part["missing"]) for part in runs(an.describe([frame])))


# -- files ------------------------------------------------------------------------------------------------------------


def test_the_file_of_a_matrix_is_described_as_moments(tmp_path: Path) -> None:
    path = tmp_path / "m.cov"
    path.write_text("50\na\tb\tc\n1.0\n0.5\t4.0\n0.2\t0.1\t2.25\n")
    description = an.describe(path)
    assert (description.rows, description.faults) == (50, ())
    assert [(one.name, one.kind) for one in description.columns] == [(name, "continuous") for name in "abc"]
    assert [one.sd for one in description.columns] == pytest.approx([1.0, 2.0, 1.5])
    found = an.discover(path, progress=False)
    assert description.test is not None
    assert description.algorithm is not None
    assert (description.test.name, description.algorithm.name) == (found.settings.test, found.settings.algorithm)
    assert [one.name for one in an.describe(path, drop=["b"]).columns] == ["a", "c"]
    with pytest.raises(an.OptionError, match="missing"):
        an.describe(path, missing="drop")


def test_a_table_keeps_the_notes_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    FRAME.select("x", p=pl.format("{}%", pl.col("w"))).write_csv(path)
    with pytest.warns(an.DataWarning, match="percentages"):
        table = an.Table.of(path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        told = [str(one) for one in an.describe(path).warnings]
        assert [str(one) for one in an.describe(table).warnings] == told
    assert sum("percentages" in one for one in told) == 1


@pytest.mark.parametrize("streamed", [False, True])
def test_a_column_that_can_be_read_in_two_ways_is_left_out_by_the_advised_call(streamed: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    FRAME.select("h", "b", "i", n=pl.format("{},{}", pl.col("q") + 1, pl.col("k") + 120)).write_csv(path, separator=";")
    source: Any = [path] if streamed else path
    description = an.describe(source)
    assert "decimal" in str(description.faults[0])
    assert description.test is not None
    assert description.test.name == "labels"
    (run,) = runs(description)
    assert run == {"drop": ["n"]}
    assert an.describe(source, **run).faults == ()
