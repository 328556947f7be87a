"""Tables with overlapping columns: what was measured together, faults that name the table, and disagreements."""

from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ancestral as an
from ancestral.data.disagreements import exact_p_value, rank_sum_p_value
from tests.checks.disagreements import accused


def rows(count: int, seed: int, *names: str) -> pl.DataFrame:
    """Columns x, y and z of one population, x and y dependent, and a label that depends on z."""
    rng = np.random.default_rng(seed)
    x, y, z = rng.standard_normal((3, count))
    labels = np.where(z + rng.standard_normal(count) > 0, "up", "down")
    return pl.DataFrame({"x": x, "y": x + y, "z": z, "label": labels}).select(names)


def test_frames_of_any_library_and_files_are_stacked(tmp_path: Path) -> None:
    rows(30, 1, "x", "y").write_csv(tmp_path / "survey.csv")
    frames: dict[str, Any] = {
        "pandas": pd.DataFrame(rows(40, 2, "y", "z").to_dict(as_series=False)),
        "arrow": pa.table(rows(50, 3, "label", "z").to_dict(as_series=False)),
        "file": str(tmp_path / "survey.csv"),
        "table": an.Table.of(rows(60, 4, "x", "label")),
    }
    both = an.combine(frames)
    assert both.tables == ("pandas", "arrow", "file", "table")
    assert both.columns == (("y", "z"), ("label", "z"), ("x", "y"), ("x", "label"))
    assert both.rows == (40, 50, 30, 60) and both.table.rows == 180
    assert both.names == ("y", "z", "label", "x")
    assert both.never == (("label", "y"), ("x", "z"))
    together = {("y", "z"): 40, ("z", "label"): 50, ("x", "y"): 30, ("label", "x"): 60, ("x", "z"): 0}
    assert {pair: both.rows_together(*pair) for pair in together} == together
    frame = both.to_frame()
    assert frame["rows"].sum() == 180 and frame.filter(a="x", b="y")["tables"].to_list() == ["file"]
    values = both.table.column("z").values
    assert np.isnan(values[90:]).all() and (values[40:90] == rows(50, 3, "z")["z"].to_numpy()).all()
    codes = both.table.column("label")
    assert codes.levels == ("down", "up") and (codes.values[:40] == -1).all() and (codes.values[120:] >= 0).all()
    assert repr(both) == "<Combined: 4 tables, 4 columns>"


def test_a_list_is_named_by_files_or_by_numbers(tmp_path: Path) -> None:
    rows(30, 1, "x", "y").write_csv(tmp_path / "survey.csv")
    assert an.combine([rows(30, 2, "y", "z"), tmp_path / "survey.csv"]).tables == ("table 1", "survey.csv")
    with pytest.raises(
        an.OptionError, match=r"tables must have different names, and two are called 'survey.csv'; pass"
    ):
        an.combine([tmp_path / "survey.csv", tmp_path / "survey.csv"])


def test_missing_values_within_a_table_count_as_missing() -> None:
    frame = rows(30, 1, "x", "y").with_columns(y=pl.when(pl.arange(30) < 7).then(None).otherwise(pl.col("y")))
    both = an.combine({"one": frame, "two": rows(30, 2, "y", "z")})
    assert both.rows_together("x", "y") == 23


XY, YZ = rows(40, 1, "x", "y"), rows(40, 2, "y", "z")


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        (XY, "tables must be in a dictionary by name or in a list, got a DataFrame; one table alone"),
        ("survey.csv", "tables must be in a dictionary"),
        ({"one": XY}, "tables must be at least two, got 1; one table alone goes to discover()"),
        ([], "tables must be at least two, got 0"),
        ({"one": XY, "two": YZ.select("y")}, "table 'two': it has a single column, 'y', and answers no question"),
        ({"one": XY, "two": YZ.clear()}, "table 'two': the table has no rows"),
        ({"one": XY, "two": YZ.head(3)}, "table 'two': there are 3 rows; a search needs at least 5"),
        ({"one": XY, "two": "nowhere.csv"}, "table 'two': "),
        ({"one": XY, "two": YZ.with_columns(w=pl.col("z") * 2)}, "table 'two': some columns are copies of others: z ="),
        (
            {"one": XY, "two": YZ.with_columns(y=pl.Series(["a", "b"] * 20))},
            "column 'y' is numbers in table 'one' and labels in table 'two'; say what it is with kinds={'y': "
            "'continuous'}, rename it in one of them, or leave it out: drop=['y']",
        ),
        ({"one": XY, "two": pd.DataFrame(np.ones((9, 2)), columns=["y", "y"])}, "table 'two': "),
    ],
)  # fmt: skip
def test_faults_name_the_table(tables: Any, words: str) -> None:
    with pytest.raises(an.AncestralError) as raised:
        an.combine(tables)
    assert words in str(raised.value)


def test_kinds_and_drop_name_columns_of_any_table() -> None:
    stage = pl.Series("stage", [1, 2, 3, 4] * 10)
    tables = {"one": XY.with_columns(stage), "two": YZ.with_columns(extra=pl.lit("same"))}
    both = an.combine(tables, kinds={"stage": "continuous"}, drop=["extra"])
    assert both.names == ("x", "y", "stage", "z") and both.table.column("stage").kind == "continuous"
    with pytest.raises(an.UnknownName, match="unknown column 'stag'"):
        an.combine(tables, kinds={"stag": "continuous"})
    with pytest.raises(an.UnknownName, match="unknown column 'extr'"):
        an.combine(tables, drop=["extr"])
    with pytest.raises(an.OptionError, match="kinds must be a dictionary"):
        an.combine(tables, kinds="continuous")  # type: ignore[arg-type]
    with pytest.raises(an.DataError, match="table 'two': it has a single column, 'z'"):
        an.combine(tables, drop=["extra", "y"])
    with pytest.raises(an.DataError, match="table 'one': all its columns are left out"):
        an.combine({"one": XY, "two": YZ}, drop=["x", "y"])


def test_ordered_levels_must_agree() -> None:
    def graded(order: list[str], seed: int) -> pl.DataFrame:
        drawn = np.random.default_rng(seed).choice(order, 40).tolist()
        return YZ.with_columns(grade=pl.Series(drawn, dtype=pl.Enum(order)))

    up, fewer, other = graded(["low", "mid", "high"], 1), graded(["low", "high"], 2), graded(["high", "low"], 3)
    kinds = {"grade": ["low", "mid", "high"]}
    with pytest.warns(an.DataWarning, match="disagree about 'grade'"):
        both = an.combine([up, fewer])
    assert both.table.column("grade").levels == ("low", "mid", "high")
    with pytest.raises(an.DataError, match=r"'grade' has the ordered levels .* in table 'table 2'; give their order"):
        an.combine([up, other])
    with pytest.warns(an.DataWarning, match="disagree about 'grade'"):
        both = an.combine([up, other], kinds=kinds)
    assert both.table.column("grade").ordered


def test_tables_without_a_shared_column_are_told() -> None:
    tables = {"a": rows(40, 1, "x", "y"), "b": rows(40, 2, "z", "label"), "c": rows(40, 3, "y", "x")}
    with pytest.warns(an.DataWarning, match=r"fall into 2 groups that share no column \('a' and 'c'; 'b'\)"):
        both = an.combine(tables)
    assert both.blocks == (("a", "c"), ("b",)) and len(both.never) == 4
    assert "without a shared column: a and c; b" in str(both)
    linked = an.combine({**tables, "d": rows(40, 4, "y", "z")})
    assert linked.blocks == (("a", "b", "c", "d"),)


# -- disagreements -----------------------------------------------------------------------------------------------------


def disagreeing(change: Any, *names: str, count: int = 400) -> an.Combined:
    """Two tables, the second of which was changed."""
    with pytest.warns(an.DataWarning, match="they may not be samples of one population"):
        return an.combine({"one": rows(count, 1, *names), "two": rows(count, 2, *names).with_columns(change)})


def test_another_unit_is_a_disagreement() -> None:
    both = disagreeing(pl.col("x") * 2.54 + 1, "x", "y")
    assert [(found.tables, found.columns) for found in both.disagreements] == [(("one", "two"), ("x",))]
    assert str(both.disagreements[0]).startswith("tables 'one' and 'two' disagree about 'x': mean ")
    assert both.disagreements[0].p_value < 0.01
    assert str(both.disagreements[0]) in str(both)


def test_another_spread_is_a_disagreement() -> None:
    assert disagreeing(pl.col("z") * 3, "x", "z").disagreements[0].columns == ("z",)


def test_other_shares_of_labels_are_a_disagreement() -> None:
    both = disagreeing(pl.when(pl.arange(400) < 150).then(pl.lit("up")).otherwise("label").alias("label"), "x", "label")
    assert both.disagreements[0].columns == ("label",) and "of rows" in str(both.disagreements[0])


def test_another_dependence_is_a_disagreement() -> None:
    numbers = disagreeing(-pl.col("y"), "x", "y")  # the same distribution of each, and the opposite correlation
    assert [found.columns for found in numbers.disagreements] == [("x", "y")]
    swapped = pl.when(pl.col("label") == "up").then(pl.lit("down")).otherwise(pl.lit("up")).alias("label")
    mixed = disagreeing(swapped, "z", "label", count=800)
    assert [found.columns for found in mixed.disagreements] == [("z", "label")]


def test_another_dependence_of_labels_is_a_disagreement() -> None:
    rng = np.random.default_rng(1)
    one = pl.DataFrame({"a": (drawn := rng.choice(["p", "q"], 400)), "b": drawn}).with_columns(
        b=pl.when(pl.Series(rng.random(400) < 0.2)).then(pl.lit("p")).otherwise("b")
    )
    other = pl.DataFrame({"a": rng.choice(["p", "q"], 400), "b": rng.choice(["p", "q"], 400, p=[0.6, 0.4])})
    with pytest.warns(an.DataWarning, match="how 'a' and 'b' depend on each other"):
        both = an.combine({"one": one, "two": other})
    assert [found.columns for found in both.disagreements] == [("a", "b")]


def test_tables_of_one_population_are_rarely_accused() -> None:
    """At most 1 % of calls: of 300, more than 9 have a probability below 0.002 (docs/combine.md has 2,000)."""
    rng = np.random.default_rng(5)
    assert sum(accused(rng) for _ in range(100)) <= 5


def test_the_exact_test_is_fishers() -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        count = int(rng.integers(6, 30))
        marked, first = rng.random((2, count)) < rng.uniform(0.2, 0.8)
        ours, here, seen = int(marked.sum()), int(first.sum()), int((marked & first).sum())

        def tail(counts: range, count: int = count, ours: int = ours, here: int = here) -> float:
            return sum(comb(ours, k) * comb(count - ours, here - k) for k in counts if k <= here) / comb(count, here)

        expected = min(1.0, 2 * min(tail(range(seen + 1)), tail(range(seen, ours + 1))))
        assert exact_p_value(marked, first) == pytest.approx(expected)


def test_the_rank_test_is_wilcoxons() -> None:
    from scipy.stats import mannwhitneyu

    rng = np.random.default_rng(3)
    for _ in range(30):
        values = np.round(rng.standard_normal(60), 1)
        first = rng.random(60) < 0.4
        expected = mannwhitneyu(values[first], values[~first], use_continuity=False, method="asymptotic").pvalue
        assert rank_sum_p_value(values, first) == pytest.approx(expected)
    mostly_zero = np.where(np.arange(60) < 50, 0.0, values)
    assert rank_sum_p_value(mostly_zero, first) == exact_p_value(mostly_zero == 0, first)
