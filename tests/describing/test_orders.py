"""Labels whose order is known: by the file, by codes, or by well-known words; how each is kept or proposed."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pyreadstat
import pytest

import ancestral as an
from ancestral.data.doubts.word_scales import word_scales
from ancestral.data.errors import KindsOption
from ancestral.data.read import ordered_categories
from tests.support.command_line import ran

RNG = np.random.default_rng(5)
ROWS = 80
PAIN = ["absent", "dull", "sharp", "burning"]  # an order that neither the alphabet nor a known scale tells
CODES = RNG.integers(0, 4, ROWS)
X = RNG.normal(size=ROWS)


def pandas_frame(*, ordered: bool = True) -> pd.DataFrame:
    return pd.DataFrame({"pain": pd.Categorical.from_codes(CODES, PAIN, ordered=ordered), "x": X})


def arrow_table(*, ordered: bool = True) -> pa.Table:
    pain = pa.DictionaryArray.from_arrays(pa.array(CODES, pa.int32()), pa.array(PAIN), ordered=ordered)
    return pa.table({"pain": pain, "x": X})


def written(folder: Path, name: str, *, ordered: bool = True) -> Path:
    path = folder / name
    match name:
        case "pandas.parquet":
            pandas_frame(ordered=ordered).to_parquet(path)
        case "pandas.feather":
            pandas_frame(ordered=ordered).to_feather(path)
        case "pyarrow.parquet":
            pq.write_table(arrow_table(ordered=ordered), path, row_group_size=17)
        case "pyarrow.arrow":
            feather.write_feather(arrow_table(ordered=ordered), str(path))
        case "polars.parquet":
            dtype: Any = pl.Enum(PAIN) if ordered else pl.Categorical
            pl.DataFrame({"pain": pl.Series([PAIN[i] for i in CODES], dtype=dtype), "x": X}).write_parquet(path)
    return path


FILES = ["pandas.parquet", "pandas.feather", "pyarrow.parquet", "pyarrow.arrow", "polars.parquet"]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("streamed", [False, True])
def test_ordered_categories_keep_their_order_in_files(tmp_path: Path, name: str, streamed: bool) -> None:
    for ordered in (True, False):
        path: Any = written(tmp_path, name, ordered=ordered)
        column = an.describe([str(path)] if streamed else path).columns[0]
        assert column.kind == ("ordinal" if ordered else "discrete")
        assert list(column.levels or ()) == (PAIN if ordered else sorted(PAIN))
        counts = dict(zip(PAIN, np.bincount(CODES).tolist(), strict=True))
        assert column.levels == counts


def test_without_pyarrow_the_categories_are_read_without_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, "pyarrow.parquet")
    monkeypatch.setattr(ordered_categories, "find_spec", lambda name: None)
    assert an.Table.of(path).column("pain").levels == tuple(sorted(PAIN))


def test_categories_that_are_numbers_are_ordered_by_themselves(tmp_path: Path) -> None:
    path = tmp_path / "grades.parquet"
    grades = pa.DictionaryArray.from_arrays(pa.array(CODES, pa.int32()), pa.array([1, 2, 3, 4]), ordered=True)
    pq.write_table(pa.table({"grade": grades, "x": X}), path)
    assert an.Table.of(path).column("grade").levels == ("1", "2", "3", "4")


def coded_file(folder: Path, ending: str, labels: dict[str, list[str]], **options: Any) -> Path:
    """A file of a statistics program whose variables have codes from 1 on, with these labels."""
    path = folder / f"a.{ending}"
    columns = {name: 1 + RNG.integers(0, len(own), ROWS) for name, own in labels.items()}
    frame = pd.DataFrame({**columns, "x": X})
    write: Any = {"dta": pyreadstat.write_dta, "sav": pyreadstat.write_sav}[ending]
    values = {name: dict(enumerate(own, start=1)) for name, own in labels.items()}
    write(frame, str(path), variable_value_labels=values, **options)
    return path


def proposed(description: Any) -> list[tuple[str, dict[str, Any]]]:
    """The advice about kinds: its words, and the option."""
    return [
        (str(advice), part.value)
        for advice in description.advice
        for part in advice.args
        if isinstance(part, KindsOption)
    ]


@pytest.mark.parametrize("ending", ["dta", "sav"])
@pytest.mark.parametrize("streamed", [False, True])
def test_labels_with_codes_are_proposed_in_the_order_of_the_codes(tmp_path: Path, ending: str, streamed: bool) -> None:
    path = coded_file(tmp_path, ending, {"pain": PAIN, "ache": PAIN, "sex": ["m", "f"]})
    source: Any = [str(path)] if streamed else path
    description = an.describe(source)
    assert [column.kind for column in description.columns] == ["discrete"] * 3 + ["continuous"]
    ((words, kinds),) = proposed(description)
    assert kinds == {"pain": PAIN, "ache": PAIN}
    assert words.startswith(
        "the labels of 'pain' and 'ache' have codes in an order, absent < dull < sharp < burning; if the order has a "
        "meaning, pass kinds="
    )
    followed = an.describe(source, kinds=kinds)
    assert [column.kind for column in followed.columns[:2]] == ["ordinal"] * 2
    assert list(followed.columns[0].levels or ()) == PAIN
    assert proposed(followed) == []


def test_what_a_file_says_about_its_variables_is_not_asked_again(tmp_path: Path) -> None:
    measures = {"pain": "ordinal", "ache": "nominal"}
    path = coded_file(tmp_path, "sav", {"pain": PAIN, "ache": PAIN}, variable_measure=measures)
    description = an.describe(path)
    assert [column.kind for column in description.columns[:2]] == ["ordinal", "discrete"]
    assert proposed(description) == []


def test_only_labels_that_occur_are_proposed_and_numbers_beside_labels_are_not(tmp_path: Path) -> None:
    path = tmp_path / "a.dta"
    frame = pd.DataFrame({"pain": 1 + CODES, "age": 1 + np.arange(ROWS)})
    labels: Any = {"pain": {0: "unused", **dict(enumerate(PAIN, start=1))}, "age": {1: "one", 2: "two", 3: "three"}}
    pyreadstat.write_dta(frame, str(path), variable_value_labels=labels)
    ((_, kinds),) = proposed(an.describe(path))
    assert kinds == {"pain": PAIN}


def test_a_scale_of_words_is_proposed_once_though_it_has_codes(tmp_path: Path) -> None:
    falling = ["always", "often", "never"]
    ((words, kinds),) = proposed(an.describe(coded_file(tmp_path, "dta", {"q": falling})))
    assert kinds == {"q": falling[::-1]} and "well-known scale, never < often < always" in words


def test_orders_that_the_shell_cannot_spell_are_not_proposed(tmp_path: Path) -> None:
    path = coded_file(tmp_path, "dta", {"age": ["<18", "18-65", ">65"], "pain": PAIN})
    ((_, kinds),) = proposed(an.describe(path))
    assert kinds == {"pain": PAIN}
    levels = ["low", "medium", "high", "low"] * 20
    assert proposed(an.describe(pl.DataFrame({"q=r": levels, "x": X}))) == []
    assert proposed(an.describe(pl.DataFrame({"q": levels, "x": X}))) != []


@pytest.mark.parametrize(
    "scale",
    [
        ["Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"],
        ["strongly_disagree", "disagree", "slightly disagree", "slightly agree", "agree", "strongly_agree"],
        ["never", "rarely", "sometimes", "often", "always"],
        ["Low", "Medium", "High"],
        ["very low", "low", "moderate", "high", "very high"],
        ["none", "mild", "moderate", "severe"],
        ["very poor", "poor", "fair", "good", "very good", "excellent"],
        ["very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"],
        ["not at all", "a little", "moderately", "quite a bit", "extremely"],
        ["very unlikely", "unlikely", "likely", "very likely"],
        ["small", "medium", "large"],
        ["primary", "secondary", "tertiary"],
    ],
)
def test_well_known_scales_of_words_are_found_whatever_the_order(scale: list[str]) -> None:
    for order in (sorted(scale), scale[::-1]):
        assert word_scales({"q": order}) == [(("q",), tuple(scale))]


@pytest.mark.parametrize(
    "labels",
    [
        ["low", "high"],  # the order of two does not matter
        ["low", "medium", "high", "blue"],
        ["low", "medium", "moderate"],  # two words of one place
        ["never", "low", "severe"],  # of three scales
        ["good", "often", "agree"],
        ["a", "b", "c"],
        ["1", "2", "3"],
        [],
    ],
)
def test_other_words_are_no_scale(labels: list[str]) -> None:
    assert word_scales({"q": labels}) == []


def test_scales_of_words_are_proposed_with_their_levels_in_order(tmp_path: Path) -> None:
    agree = ["strongly disagree", "disagree", "neutral", "agree", "strongly agree"]
    severity = ["none", "mild", "moderate", "severe"]
    rows = pl.DataFrame(
        {
            "q1": [agree[i * 3 % 5] for i in range(ROWS)],
            "q2": [agree[i * 7 // 3 % 5] for i in range(ROWS)],
            "pain": [severity[i] for i in CODES],
            "x": X,
        }
    )
    first, second = proposed(an.describe(rows))
    assert first[1] == {"q1": agree, "q2": agree} and second[1] == {"pain": severity}
    assert second[0] == (
        "the labels of 'pain' are like a well-known scale, none < mild < moderate < severe; if the order has a "
        "meaning, pass kinds={'pain': ['none', 'mild', 'moderate', 'severe']}"
    )
    followed = an.describe(rows, kinds={**first[1], **second[1]})
    assert [column.kind for column in followed.columns] == ["ordinal"] * 3 + ["continuous"]
    assert proposed(followed) == []
    path = tmp_path / "a.csv"
    rows.drop("q1", "q2").with_columns(y=pl.col("x") ** 2).write_csv(path)
    assert "--ordinal 'pain=none<mild<moderate<severe'" in ran("describe", path).out
    done = ran("discover", path, "--ordinal", "pain=none<mild<moderate<severe", "--resamples", "0")
    assert done.code == 0 and "ordinal" in done.err
