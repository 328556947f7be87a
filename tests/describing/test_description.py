"""What a description tells of a source: its columns, its faults, what would be chosen, and what to do."""

import json
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats

import ancestral as an
from ancestral.describing.advice import Run
from ancestral.describing.shapes import bars

RNG = np.random.default_rng(1)
ROWS = 80


def good(**more: Any) -> pl.DataFrame:
    columns = {name: RNG.normal(size=ROWS) for name in "abc"}
    return pl.DataFrame({**columns, **more})


MIXED = good(
    age=RNG.integers(20, 80, size=ROWS),
    site=RNG.choice(["Bonn", "Rome", "York"], size=ROWS),
    ill=RNG.uniform(size=ROWS) < 0.3,
    quality=RNG.integers(1, 6, size=ROWS),
    income=np.exp(RNG.normal(10, 1, size=ROWS)),
).with_columns(a=pl.when(pl.int_range(pl.len()) % 10 == 3).then(None).otherwise(pl.col("a")))

FAULTY = good(
    same=np.full(ROWS, 7.5),
    day=pl.Series([None] * ROWS).cast(pl.Date),
    endless=np.where(np.arange(ROWS) == 30, np.inf, RNG.normal(size=ROWS)),
    gap=pl.Series([None, *RNG.normal(size=ROWS - 1)]),
    wide=RNG.normal(size=ROWS) * 1e200,
    code=[f"p{i}" for i in range(ROWS)],
).with_columns(copy=2 * pl.col("a"), sum=pl.col("b") + pl.col("c"))


def column(description: an.Description, name: str) -> Any:
    (found,) = [one for one in description.columns if one.name == name]
    return found


def refused(source: Any, **options: Any) -> list[str]:
    """The faults that a search raises, each by itself."""
    with pytest.raises(an.DataError) as told:
        an.discover(source, resamples=0, progress=False, **options)
    return [str(fault) for fault in getattr(told.value, "faults", [told.value])]


# -- columns ----------------------------------------------------------------------------------------------------------


def test_numbers_have_the_shape_that_other_packages_compute() -> None:
    description = an.describe(MIXED, missing="drop")
    for name in ("a", "b", "age", "income"):
        values = MIXED[name].drop_nulls().cast(pl.Float64).to_numpy()
        found = column(description, name)
        assert (found.kind, found.values, found.missing) == ("continuous", values.size, ROWS - values.size)
        assert found.missing_share == pytest.approx(1 - values.size / ROWS)
        assert found.different == len(set(values.tolist()))
        expected = [
            values.min(),
            np.median(values),
            values.max(),
            values.mean(),
            values.std(ddof=1),
            stats.skew(values),
        ]
        shape = [found.low, found.median, found.high, found.mean, found.sd, found.skewness]
        assert shape == pytest.approx(expected)
        assert list(found.histogram) == np.histogram(values, bins=8)[0].tolist()


def test_labels_have_their_levels_in_order_with_the_number_of_rows() -> None:
    description = an.describe(MIXED)
    for name in ("site", "ill", "quality"):
        counts = MIXED[name].cast(pl.String).replace({"true": "True", "false": "False"}).to_list()
        found = column(description, name)
        assert dict(found.levels) == {level: counts.count(level) for level in sorted(set(counts))}
        assert list(found.levels) == sorted(set(counts))


@pytest.mark.parametrize(
    ("name", "kind", "why"),
    [
        ("a", "continuous", "numbers with fractions"),
        ("age", "continuous", f"{MIXED['age'].n_unique()} different whole numbers, more than 10"),
        ("site", "discrete", "labels, not numbers"),
        ("ill", "discrete", "truth values"),
        ("quality", "discrete", "5 different whole numbers, at most 10"),
    ],
)
def test_each_column_says_why_it_was_read_so(name: str, kind: str, why: str) -> None:
    found = column(an.describe(MIXED), name)
    assert (found.kind, found.why) == (kind, why)


def test_a_kind_that_was_chosen_says_so() -> None:
    description = an.describe(MIXED, kinds={"quality": "continuous", "age": "discrete"})
    assert [column(description, name).kind for name in ("quality", "age")] == ["continuous", "discrete"]
    assert {column(description, name).why for name in ("quality", "age")} == {"as the options say"}


def test_bars_grow_with_counts_and_an_empty_one_is_a_space() -> None:
    assert bars([0, 1, 800]) == " ▁█"
    assert bars([]) == ""
    heights = [ord(bars([count, 100])[0]) for count in range(1, 101)]
    assert heights == sorted(heights)


# -- choices ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "frame",
    [
        MIXED.drop_nulls(),
        MIXED.select("b", "c", "income"),
        MIXED.select("site", "ill", "quality"),
        MIXED.select("b", "c", "income")[:15],
    ],
)
@pytest.mark.filterwarnings("ignore:far from normal")
def test_the_choices_are_those_of_the_search(frame: pl.DataFrame) -> None:
    description, found = an.describe(frame), an.discover(frame, resamples=0, progress=False)
    assert description.test is not None
    assert description.algorithm is not None
    assert (description.test.name, description.algorithm.name) == (found.settings.test, found.settings.algorithm)
    assert description.algorithm.why in str(found)
    assert description.test.why.startswith("chosen because ")


def test_a_column_that_must_be_left_out_does_not_decide_about_the_test() -> None:
    description = an.describe(good(same=["x"] * ROWS))
    assert description.test is not None
    assert description.test.name == "fisher-z"


# -- faults -----------------------------------------------------------------------------------------------------------


def test_all_faults_are_those_for_which_a_search_is_refused() -> None:
    description = an.describe(FAULTY)
    assert sorted(map(str, description.faults)) == sorted(refused(FAULTY))
    assert {one.name for one in description.columns if one.kind is None} == {"day", "endless"}
    assert [one.name for one in description.columns] == FAULTY.columns


def test_a_stream_has_the_faults_of_a_table_but_for_the_words_about_gaps() -> None:
    parts = [FAULTY[:30], FAULTY[30:]]
    table, stream = an.describe(FAULTY), an.describe(parts)
    assert len(table.faults) == len(stream.faults)
    texts = {" ".join(str(fault).split()[:3]) for fault in table.faults}
    assert {" ".join(str(fault).split()[:3]) for fault in stream.faults} == texts
    assert "'gap': 1" in " ".join(map(str, stream.faults))


@pytest.mark.parametrize("streamed", [False, True])
def test_the_call_that_is_advised_removes_all_faults(streamed: bool) -> None:
    def source() -> Any:
        return [FAULTY[:30], FAULTY[30:]] if streamed else FAULTY

    (run,) = (part for one in an.describe(source()).advice for part in one.args if type(part) is Run)
    options = run.value[1]
    assert options["missing"] == "drop"
    assert an.describe(source(), **options).faults == ()
    found = an.discover(source(), **options, resamples=0, progress=False)
    assert set(found.pag.nodes) >= {"a", "b", "gap"}


def test_a_word_that_may_be_a_label_is_kept_before_its_rows_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "claims.csv"
    costs = np.random.default_rng(1).normal(size=90).round(3)
    words = ["None", "Mild", "Severe"]
    path.write_text("accident,cost\n" + "".join(f"{words[i % 3]},{cost}\n" for i, cost in enumerate(costs)))
    keep, drop, *_ = [part for one in an.describe(path).advice for part in one.args if type(part) is Run]
    assert (keep.name, drop.name) == ("describe", "discover")
    again = an.describe(path, **keep.value[1])
    assert not again.faults and again.columns[0].levels == {"Mild": 30, "None": 30, "Severe": 30}


def test_a_column_that_must_be_left_out_is_not_proposed_as_a_scale() -> None:
    frame = pl.DataFrame({"id": [1, 2, 3, 4, 5] * 8, "copy": [2, 3, 4, 5, 6] * 8, "x": np.arange(40) % 7 / 3})
    assert [one for one in an.describe(frame).advice if "rating scale" in str(one) and "'id'" in str(one)] == []


def test_where_no_row_is_complete_the_advice_keeps_missing_values() -> None:
    holes = np.where(np.arange(ROWS)[:, None] % 3 == np.arange(3), np.nan, RNG.normal(size=(ROWS, 3)))
    description = an.describe(pl.DataFrame(holes, schema=list("xyz")).fill_nan(None))
    assert description.complete_rows == 0
    assert 'an.discover(data, missing="testwise")' in str(description.advice[0])


def test_faults_that_no_option_removes_get_no_call() -> None:
    description = an.describe(good()[:3])
    assert len(description.faults) == 1
    assert "an.discover" not in " ".join(map(str, description.advice))


def test_a_table_without_rows_is_described_by_its_names() -> None:
    empty = pl.DataFrame({"a": [], "b": []})
    for source in (empty, [empty, empty]):
        description = an.describe(source)
        assert [one.name for one in description.columns] == ["a", "b"]
        assert (description.rows, description.test, description.algorithm) == (0, None, None)
        assert list(map(str, description.faults)) == ["the table has no rows; a search needs data"]


def test_a_table_of_which_no_column_can_be_read_is_described() -> None:
    days = pl.DataFrame({"x": pl.Series([None] * 9).cast(pl.Date), "y": [math.inf] * 9})
    description = an.describe(days)
    assert [one.kind for one in description.columns] == [None, None]
    assert len(description.faults) == 2
    assert "cannot be read" in str(description)


@pytest.mark.parametrize(
    ("source", "options", "error"),
    [
        ("no such file.csv", {}, an.DataError),
        (MIXED, {"drop": ["nobody"]}, an.UnknownName),
        (MIXED, {"separator": ";"}, an.OptionError),
        ([MIXED], {"missing": "testwise"}, an.OptionError),
        (an.Oracle(an.DAG.parse("a -> b")), {}, an.OptionError),
        (lambda x, y, given: 0.5, {}, an.OptionError),
    ],
)
def test_what_cannot_be_opened_and_wrong_options_are_errors(
    source: Any, options: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        an.describe(source, **options)


# -- warnings and advice ----------------------------------------------------------------------------------------------


def test_the_warnings_are_those_of_the_search() -> None:
    frame = good(id=np.arange(ROWS), income=np.exp(RNG.normal(10, 2, size=ROWS)))
    with pytest.warns(an.DataWarning) as told:
        an.discover(frame, resamples=0, progress=False)
    description = an.describe(frame)
    assert sorted(map(str, description.warnings)) == sorted(str(one.message) for one in told)
    assert description.to_frame().filter(pl.col("warning").is_not_null())["name"].to_list() == ["id", "income"]


def test_ratings_on_one_scale_are_proposed_together_as_ordinal() -> None:
    frame = good(q1=RNG.integers(1, 6, size=ROWS), q2=RNG.integers(1, 6, size=ROWS), nps=RNG.integers(0, 11, size=ROWS))
    proposed = [str(one) for one in an.describe(frame).advice if "rating scale" in str(one)]
    assert [re.search(r"kinds=.*", one)[0] for one in proposed] == [  # type: ignore[index]
        "kinds={'q1': 'ordinal', 'q2': 'ordinal'}",
        "kinds={'nps': 'ordinal'}",
    ]


# -- sources ----------------------------------------------------------------------------------------------------------


def frames() -> Iterator[pl.DataFrame]:
    yield MIXED[:33]
    yield MIXED[33:]


def test_a_stream_tells_what_a_table_tells_but_for_what_needs_all_rows() -> None:
    table, stream = an.describe(MIXED), an.describe(frames())
    assert (table.rows, table.complete_rows) == (stream.rows, stream.complete_rows) == (ROWS, ROWS - 8)
    for one, two in zip(table.columns, stream.columns, strict=True):
        assert (one.name, one.kind, one.values, one.missing) == (two.name, two.kind, two.values, two.missing)
        assert one.levels == two.levels
        assert (two.median, two.histogram) == (None, None)
        shapes = ([each.low, each.high, each.mean, each.sd, each.skewness] for each in (one, two))
        numbers, others = ([np.nan if value is None else value for value in shape] for shape in shapes)
        assert numbers == pytest.approx(others, nan_ok=True)
    assert "medians and histograms of numbers are not known" in str(stream)
    assert "not known" not in str(table)


def test_moments_and_counts_are_described() -> None:
    numbers = good()
    moments = an.describe(an.Moments.of(numbers), drop=["c"])
    assert [one.name for one in moments.columns] == ["a", "b"]
    assert [one.sd for one in moments.columns] == pytest.approx([numbers["a"].std(), numbers["b"].std()])
    counts = an.describe(an.Counts.of(MIXED.select("site", "quality")))
    assert sum(column(counts, "site").levels.values()) == ROWS
    assert "ordinal" not in str(counts)  # the kinds of counts cannot be chosen
    copies = an.describe(an.Moments.from_covariance(np.ones((2, 2)), rows=50, names=["x", "y"]))
    assert "copies" in str(copies.faults[0])


@pytest.mark.parametrize(
    ("make", "kind"),
    [(lambda: MIXED.to_pandas(), pd.DataFrame), (lambda: MIXED, pl.DataFrame), (MIXED.to_arrow, pa.Table)],
)
def test_frames_are_of_the_library_of_the_source(make: Callable[[], Any], kind: type) -> None:
    frame = an.describe(make()).to_frame()
    assert isinstance(frame, kind)
    assert frame.shape[0] == len(MIXED.columns)  # type: ignore[attr-defined]
    assert isinstance(an.describe(make()).to_frame("polars"), pl.DataFrame)


# -- how it is shown --------------------------------------------------------------------------------------------------

HOSTILE = good(**{
    "<script>alert(1)</script>": RNG.normal(size=ROWS),
    "bell\x07 and \x1b[31mred": np.full(ROWS, 3),
    'quo"te, tab\t#x': RNG.choice(["</td>", "&amp;"], size=ROWS),
    "->": RNG.normal(size=ROWS),
    "<": RNG.normal(size=ROWS),
    "tiers = [": RNG.normal(size=ROWS),
    "名前\u202e": RNG.normal(size=ROWS),
})  # fmt: skip


def test_names_are_safe_in_terminals_and_pages() -> None:
    description = an.describe(HOSTILE)
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", str(description))
    for page in (description.to_html(), description._repr_html_()):
        assert "<script" not in page
        assert "</td></td>" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
        assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", page)
    assert "default-src 'none'" in description.to_html()


def test_json_and_dict_are_the_same_and_plain() -> None:
    description = an.describe(FAULTY)
    assert json.loads(description.to_json()) == description.to_dict()
    assert description.to_dict()["faults"] == list(map(str, description.faults))


def test_a_template_is_knowledge_that_says_nothing_and_has_all_names() -> None:
    text = an.describe(HOSTILE).template()
    assert an.Knowledge.parse(text) == an.Knowledge()
    lines = [
        line.removeprefix("# ").removesuffix(",") for line in text.split("variables, to be sorted:\n")[1].splitlines()
    ]
    assert an.Knowledge.parse(" < ".join(lines)).tiers == tuple((name,) for name in HOSTILE.columns)


def test_a_template_never_overwrites_a_file(tmp_path: Path) -> None:
    place = tmp_path / "knowledge.txt"
    description = an.describe(MIXED)
    assert description.template(place) == place.read_text()
    place.write_text("age < ill")
    with pytest.raises(an.RunError, match="may hold knowledge"):
        description.template(place)
    assert place.read_text() == "age < ill"


def test_many_columns_are_printed_in_part_with_those_that_are_wrong() -> None:
    wide = pl.DataFrame(RNG.normal(size=(60, 200)), schema=[f"x{i}" for i in range(200)])
    description = an.describe(wide.with_columns(x150=pl.lit(1.0)))
    text = str(description)
    assert len(text.splitlines()) < 70
    assert "x39 " in text
    assert "x40 " not in text
    assert "x150" in text
    assert "and 159 columns more" in text
    assert description.to_frame().height == 200
    assert description.to_html().count("<tr>") == 201
