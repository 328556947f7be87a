"""Codes of missing values, such as -999: where they are told, where nothing may be, and whether the advice works."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn import datasets

import ancestral as an
from ancestral.data import Table
from ancestral.data.doubts.doubt import Doubt
from ancestral.data.doubts.row_doubts import row_doubts
from ancestral.data.read.missing_values import NaOption
from ancestral.data.read.streams import stream_of
from ancestral.data.stats.summarize import summarized
from tests.support.command_line import ran

RNG = np.random.default_rng(31)
ROWS = 200
NOISE = {name: RNG.normal(size=ROWS) for name in "xy"}


def coded(values: Any, *codes: float, times: int = 6) -> Any:
    """The values, with each code in so many places."""
    out = np.array(values, dtype=float)
    for i, code in enumerate(codes):
        out[i * times : (i + 1) * times] = code
    return out.tolist()


def ratings(low: int, high: int) -> list[int]:
    """Ratings that all occur, the highest ten times more than a code."""
    return [*range(low, high + 1)] * (ROWS // (high - low + 1)) + [high] * (ROWS % (high - low + 1))


def codes_in(**columns: Any) -> list[Doubt]:
    doubts = row_doubts(Table.of(pl.DataFrame({**columns, **NOISE})))
    return [doubt for doubt in doubts if doubt.about == "missing codes"]


def declared(doubt: Doubt) -> list[str]:
    return [word for part in doubt.args if isinstance(part, NaOption) for word in part.value]


AGES = [18 + i * 7 % 60 for i in range(ROWS)]
INCOMES = [float(i * 37 % 199) * 100 for i in range(ROWS)]


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        (coded(INCOMES, -999), ["-999"]),
        (coded(INCOMES, -9), ["-9"]),
        (coded(INCOMES, -99999, times=2), ["-99999"]),
        (coded(AGES, 999), ["999"]),
        (coded(NOISE["x"], -99), ["-99"]),
        (coded(NOISE["x"] - 5, -9999), ["-9999"]),
        (coded(ratings(1, 5), 9), ["9"]),
        (coded(ratings(1, 5), -9), ["-9"]),
        (coded(ratings(1, 5), -9, -8, -7), ["-9", "-8", "-7"]),
        (coded(ratings(1, 5), 99), ["99"]),
        (coded(ratings(1, 5), 97, 98, 99), ["99", "98", "97"]),
        (coded(ratings(1, 5), 77, 88), ["88", "77"]),
        (coded(ratings(0, 1), 9), ["9"]),
        (coded(ratings(1, 7), 9, times=60), ["9"]),
        (coded(ratings(1, 5), -9, 99), ["-9", "99"]),
    ],
)
def test_a_repeated_code_far_outside_is_told_with_its_number(values: list[float], codes: list[str]) -> None:
    (doubt,) = codes_in(v=values)
    assert doubt.columns == ("v",)
    assert declared(doubt) == codes
    for code in codes:
        assert f"{code} ({values.count(float(code))} times)" in str(doubt)


@pytest.mark.parametrize(
    "values",
    [
        coded(INCOMES, -999, times=1),  # not repeated
        coded(INCOMES, -998),  # no code, beside which -999 would be
        coded([i - 1000 for i in INCOMES], -999),  # not the smallest
        coded([i - 900 for i in INCOMES], -999),  # one of several negative numbers
        coded(AGES, 99),  # nearer to the others than these are to each other
        coded(ratings(1, 5), 9, times=4),  # as often as in the tail of a count
        coded(ratings(1, 5), 8),  # one more level
        coded(ratings(1, 3), 7, 8, 9),  # ratings that nobody gave are between them
        coded(ratings(1, 7), 9),  # the tail of a count, rarer than 7
        coded(ratings(2, 7), 9, times=60),  # no scale
        [*coded([i % 8 for i in range(ROWS)], 9, times=20)[:-1], 8],  # 8 is there, too
        coded([1] * ROWS, 9),  # a single other value
        coded(ratings(1, 5), 98),  # 98 without 99
        coded(ratings(1, 5), 123),
    ],
)
def test_what_may_be_a_measurement_is_not_told(values: list[float]) -> None:
    assert codes_in(v=values) == []


def test_many_columns_are_told_together_with_one_list() -> None:
    questions = {f"q{i}": coded(ratings(1, 5), 9 if i % 2 else 99) for i in range(8)}
    (doubt,) = codes_in(**questions, income=coded(INCOMES, -999))
    assert doubt.columns == (*questions, "income")
    assert declared(doubt) == ["99", "9", "-999"]
    assert "9 (6 times) in 'q5' and 3 more lie far outside the other values there" in str(doubt)


def test_a_code_that_is_a_value_elsewhere_is_not_to_be_declared_for_all_columns() -> None:
    rated = coded(ratings(1, 5), 9)
    others = {"age": [*AGES[:-1], 9], "level": [7, 8, 9, 10] * 50, "half": [0.5, *[9.0, 12.5] * 99, 1.0]}
    for name, other in others.items():
        (doubt,) = codes_in(q=rated, **{name: other})
        assert "if it means missing, make it missing in the data themselves, as an empty field or a null: " in str(
            doubt
        )
        assert str(doubt).endswith(f"na=['9'] would also apply to '{name}', which may hold 9 as a value")
        assert doubt.columns == ("q",)
    first, second = codes_in(q=rated, age=others["age"], income=coded(INCOMES, -999))
    assert declared(first) == ["-999"] and "would also apply to 'age'" in str(second)


def test_of_a_stream_the_columns_with_levels_are_told() -> None:
    rows = pl.DataFrame({"q": coded(ratings(1, 5), 9), "r": coded(ratings(1, 5), -9), "age": AGES, **NOISE})
    for drop in ([], ["age"]):
        stream = stream_of([rows[:70].drop(drop), rows[70:].drop(drop)])
        assert stream is not None
        doubts = [doubt for doubt in row_doubts(summarized(stream)) if doubt.about == "missing codes"]
        assert [(doubt.columns, declared(doubt)) for doubt in doubts] == [(("q", "r"), ["9", "-9"])]
    near = rows.with_columns(age=pl.col("age") - 15)
    stream = stream_of([near[:70], near[70:]])
    assert stream is not None
    first, second = (doubt for doubt in row_doubts(summarized(stream)) if doubt.about == "missing codes")
    assert declared(first) == ["-9"] and "would also apply to 'age'" in str(second)


@pytest.mark.parametrize("name", ["iris", "wine", "diabetes", "breast_cancer", "digits"])
def test_real_tables_without_codes_raise_no_doubt(name: str) -> None:
    frame = getattr(datasets, f"load_{name}")(as_frame=True).frame
    assert not [doubt for doubt in row_doubts(Table.of(frame)) if doubt.about == "missing codes"]


def test_counts_and_heavy_tails_raise_no_doubt() -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        columns: dict[str, Any] = {
            "poisson": rng.poisson(rng.uniform(0.05, 6), ROWS),
            "geometric": rng.geometric(rng.uniform(0.05, 0.95), ROWS),
            "negative binomial": rng.negative_binomial(rng.uniform(0.05, 3), rng.uniform(0.02, 0.8), ROWS),
            "log-normal": np.round(np.exp(rng.normal(0, rng.uniform(0.3, 2.5), ROWS))),
            "cauchy": np.round(rng.standard_cauchy(ROWS) * rng.uniform(0.1, 20)),
            "pareto": np.round(rng.pareto(1, ROWS) * rng.uniform(0.1, 50)),
        }
        varying = {name: values for name, values in columns.items() if np.ptp(values)}
        assert codes_in(**varying) == []


def rows_with_codes() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "income": coded(INCOMES, -999),
            "q": [int(v) for v in coded(ratings(1, 5), 9)],
            "word": ["None", "some", "much", "NA"] * 50,
            **NOISE,
        }
    )


@pytest.mark.parametrize("library", ["polars", "pandas", "pyarrow", "numpy"])
def test_the_advice_can_be_followed_in_frames(library: str) -> None:
    rows = rows_with_codes().drop("word")
    made: dict[str, Any] = {"pandas": rows.to_pandas, "pyarrow": rows.to_arrow, "numpy": rows.to_numpy}
    source = made[library]() if library in made else rows
    named: dict[str, Any] = {"names": rows.columns} if library == "numpy" else {}
    with pytest.warns(an.DataWarning) as told:
        an.discover(source, resamples=0, progress=False, **named)
    (doubt,) = [one.message for one in told if isinstance(one.message, Doubt)]
    described = an.describe(source, **named)
    assert str(described.warnings[0]) == str(doubt)
    assert [column.missing for column in described.columns] == [0] * 4
    assert not any("'q' holds" in str(advice) for advice in described.advice)
    again = an.describe(source, na=declared(doubt), missing="testwise", **named)
    assert [column.missing for column in again.columns] == [6, 6, 0, 0]
    assert not any(isinstance(warning, Doubt) for warning in again.warnings)
    assert any("'q' holds 5 whole numbers from 1 to 5, like a rating scale" in str(advice) for advice in again.advice)


def test_the_advice_can_be_followed_in_the_shell(tmp_path: Path) -> None:
    path = tmp_path / "study.csv"
    rows_with_codes().write_csv(path)
    done = ran("describe", path)
    assert "-999 (6 times) in 'income' and 9 (6 times) in 'q' lie far outside" in " ".join(done.out.split())
    assert "--na -999,9" in done.out
    again = ran("describe", path, "--na", "-999,9", "--format", "csv")
    missing = dict(pl.read_csv(again.out.encode()).select("name", "missing").iter_rows())
    assert missing == {"income": 6, "q": 6, "word": 100, "x": 0, "y": 0}  # the usual words are still missing


def test_declared_numbers_leave_the_usual_words_missing_and_declared_words_replace_them(tmp_path: Path) -> None:
    path = tmp_path / "words.csv"
    rows_with_codes().write_csv(path)
    for na, levels, income in (
        (["-999"], ("much", "some"), 6),
        (["-999", "NA"], ("None", "much", "some"), 6),
        ([], ("NA", "None", "much", "some"), 0),
    ):
        table = Table.of(path, na=na, missing="testwise")
        assert table.column("word").levels == levels
        assert table.missing_counts()["income"] == income
    table = Table.of(rows_with_codes(), na=["-999"], missing="testwise")  # words of frames are labels
    assert table.column("word").levels == ("NA", "None", "much", "some")
