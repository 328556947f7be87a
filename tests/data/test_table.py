"""Tables from frames and arrays: what is read, what is chosen, what is missing, what is refused."""

import datetime
import re
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from ancestral.data import DataError, Table
from ancestral.data.column_kinds import Labels
from ancestral.data.read.frame_sources import FrameSource
from ancestral.data.read.missing_values import MissingValues
from ancestral.errors import AncestralError, OptionError, UnknownName

COLUMNS: dict[str, list[Any]] = {
    "age": [31.5, 40.25, None, 28.0],
    "origin": [3, 1, 2, 1],
    "word": ["b", "a", None, "b"],
    "on": [True, None, False, True],
}

FRAMES = {
    "pandas": pd.DataFrame(COLUMNS),
    "pandas with its own types": pd.DataFrame(COLUMNS).convert_dtypes(),
    "pandas with categories": pd.DataFrame(COLUMNS).astype({"word": "category", "origin": "category"}),
    "polars": pl.DataFrame(COLUMNS),
    "polars, lazy": pl.LazyFrame(COLUMNS),
    "polars with categories": pl.DataFrame(COLUMNS).cast({"word": pl.Categorical, "age": pl.Decimal(10, 2)}),
    "pyarrow": pa.table(COLUMNS),
    "pyarrow with a dictionary": pa.table(COLUMNS).set_column(2, "word", pa.array(COLUMNS["word"]).dictionary_encode()),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES.keys())
def test_every_library_gives_the_same_table(frame: object) -> None:
    table = Table.of(frame, missing="testwise")
    assert table.names == ("age", "origin", "word", "on")
    assert table.kinds == ("continuous", "discrete", "discrete", "discrete")
    np.testing.assert_array_equal(table.column("age").values, [31.5, 40.25, np.nan, 28.0])
    assert table.column("age").values.dtype == np.float64
    for name, codes, levels in [
        ("origin", [2, 0, 1, 0], ("1", "2", "3")),
        ("word", [1, 0, -1, 1], ("a", "b")),
        ("on", [1, -1, 0, 1], ("False", "True")),
    ]:
        assert table.column(name).values.tolist() == codes
        assert table.column(name).values.dtype == np.int32
        assert table.column(name).levels == levels


def test_describe_says_how_each_column_was_read() -> None:
    table = Table.of(pl.DataFrame(COLUMNS), missing="testwise")
    assert table.describe().splitlines() == [
        "age: continuous, 3 values, 1 missing",
        "origin: discrete, 3 levels",
        "word: discrete, 2 levels, 1 missing",
        "on: discrete, 2 levels, 1 missing",
    ]
    assert repr(table) == "Table of 4 rows, 1 continuous and 3 discrete columns"


def test_arrays() -> None:
    table = Table.of(np.array([[0.5, 1], [1.5, 0], [2.5, 1]]))
    assert table.names == ("x1", "x2") and table.rows == 3
    assert table.kinds == ("continuous", "discrete")
    assert Table.of(np.array([[True], [False]]), names=["on"]).column("on").levels == ("False", "True")
    mixed = np.array([[1.5, "a"], [None, "b"]], dtype=object)
    assert Table.of(mixed, missing="testwise").kinds == ("continuous", "discrete")
    masked = np.ma.masked_array(np.array([[1, 2], [3, 4]]), mask=[[False, True], [False, False]])
    assert Table.of(masked, missing="testwise").missing_counts() == {"x1": 0, "x2": 1}


def test_a_table_does_not_change_with_its_source() -> None:
    array = np.array([[0.5], [1.5]])
    table = Table.of(array)
    array[0, 0] = 99.0
    assert table.column("x1").values.tolist() == [0.5, 1.5]
    with pytest.raises(ValueError, match="read-only"):
        table.column("x1").values[0] = 1


def test_columns_of_pandas_without_names_are_counted() -> None:
    assert Table.of(pd.DataFrame([[0.5, 1.5], [1.5, 2.0]])).names == ("0", "1")


def test_columns_and_drop_choose() -> None:
    frame = pl.DataFrame({"a": [1.5, 2.5], "when": [datetime.date(2020, 1, 1)] * 2, "b": [1, 2], "c": [0.5, 1.5]})
    assert Table.of(frame, columns=["c", "a"]).names == ("c", "a")
    assert Table.of(frame, drop=["when"]).names == ("a", "b", "c")
    assert Table.of(frame, drop="when", columns=["b", "when"]).names == ("b",)
    with pytest.raises(UnknownName, match="unknown column 'whem'; did you mean 'when'"):
        Table.of(frame, drop=["whem"])
    with pytest.raises(DataError, match="columns 1 and 2 are both named 'a'"):
        Table.of(frame, columns=["a", "a"])
    with pytest.raises(DataError, match="no columns"):
        Table.of(frame, columns=["a"], drop=["a"])


def test_matrices() -> None:
    table = Table.of(pl.DataFrame({"u": [1.5, 2.5], "g": ["x", "y"], "v": [0.1, 0.2], "h": [5, 4]}))
    matrix, names = table.continuous_matrix()
    assert names == ("u", "v") and matrix.flags.f_contiguous
    np.testing.assert_array_equal(matrix, [[1.5, 0.1], [2.5, 0.2]])
    codes, levels, names = table.discrete_codes()
    assert names == ("g", "h") and levels == (("x", "y"), ("4", "5"))
    assert codes.tolist() == [[0, 1], [1, 0]] and codes.dtype == np.int32
    assert table.select(["v", "g"]).names == ("v", "g")
    with pytest.raises(UnknownName, match="unknown column 'w'"):
        table.select(["w"])


def test_missing_values_are_refused_with_both_ways_out() -> None:
    message = (
        "values are missing in 3 columns of 4 rows ('age': 1, 'word': 1, 'on': 1); pass missing=\"drop\" to use the 2 "
        'rows without missing values, or missing="testwise" to let each question use the rows that are complete for it'
    )
    with pytest.raises(DataError, match=f"^{re.escape(message)}$"):
        Table.of(pl.DataFrame(COLUMNS))


def test_dropping_rows_is_recorded_and_takes_unused_levels_along() -> None:
    table = Table.of(pl.DataFrame(COLUMNS), missing="drop")
    assert (table.rows, table.dropped_rows) == (2, 2)
    assert table.column("age").values.tolist() == [31.5, 28.0]
    assert table.column("origin").levels == ("1", "3") and table.column("origin").values.tolist() == [1, 0]
    assert table.column("word").levels == ("b",)
    assert table.missing_counts() == {"age": 0, "origin": 0, "word": 0, "on": 0}
    assert repr(table) == "Table of 2 rows (2 dropped), 1 continuous and 3 discrete columns"


def test_a_table_that_keeps_missing_values_can_be_passed_on() -> None:
    kept = Table.of(pl.DataFrame(COLUMNS), missing="testwise")
    assert Table.of(kept).missing_counts() == {"age": 1, "origin": 0, "word": 1, "on": 1}
    assert Table.of(kept, missing="drop").rows == 2
    assert Table.of(kept, columns=["origin", "age"], kinds={"origin": "continuous"}).kinds == ("continuous",) * 2
    assert kept.complete_rows().dropped_rows == 2


def test_no_complete_row() -> None:
    with pytest.raises(DataError, match="no row is complete"):
        Table.of(pl.DataFrame({"a": [1.5, None], "b": [None, 2.5]}), missing="drop")


class Odd:
    pass


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (pl.DataFrame({"day": [datetime.date(2020, 1, 1)]}), "column 'day' holds dates or times (Date); turn it into"),
        (pd.DataFrame({"day": pd.to_datetime(["2020-01-01"])}), "column 'day' holds dates or times"),
        (pl.DataFrame({"l": [[1, 2]]}), "column 'l' holds values of type List(Int64), which are neither numbers nor"),
        (pl.DataFrame({"s": [{"a": 1}]}), "column 's' holds values of type Struct"),
        (pd.DataFrame({"z": [1 + 2j, 3]}), "column 'z' holds values of type complex; make it numbers or text"),
        (pd.DataFrame({"m": [1, "a"]}), "column 'm' holds values of type int and str; make it numbers or text"),
        (pl.DataFrame({"x": [1.0, float("inf")]}), "column 'x' holds infinite values, the first in row 2"),
        (np.array([[1.0], [-np.inf]]), "column 'x1' holds infinite values, the first in row 1 of the array"),
        (pl.DataFrame({"x": [1.5, 2.5], "e": [None, None]}), "column 'e' has no values; leave it out: drop=['e"),
        (pl.DataFrame({"x": [1.5]}).clear(), "the table has no rows"),
        (pl.DataFrame(), "the table has no columns"),
        (pl.DataFrame({" ": [1.5]}), "column 1 has no name"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "columns 1 and 2 are both named 'a'; rename one"),
        (pa.table([[1], [2]], names=["a", "a"]), "columns 1 and 2 are both named 'a'"),
        (pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])), "column ('a', 'b') has a name of"),
        (np.zeros(3), "an array of shape (3,) is not a table"),
        (np.zeros((2, 2), dtype=complex), "an array of type complex128 does not hold numbers"),
        (np.zeros(2, dtype=[("a", float)]), "an array with named fields is not a table"),
        ([1, 2], "source must be a table, got [1, 2]; pass a frame of pandas, polars or pyarrow"),
        (Odd(), "source must be a table, got <"),
        (pl.DataFrame({"hp": ["1.5"] * 19 + ["x"]}), "column 'hp' holds numbers, but 'x' (row 20) is not a number"),
        (pl.DataFrame({"d": ["2024-01-31", "2024-02-28"]}), "column 'd' holds dates or times (such as '2024-01-31'"),
    ],
)  # fmt: skip
def test_refusals(source: object, message: str) -> None:
    with pytest.raises(AncestralError, match=re.escape(message)):
        Table.of(source)


def test_options_that_do_not_fit() -> None:
    frame = pl.DataFrame({"a": [1.5]})
    with pytest.raises(OptionError, match=r"names=.* does not apply to a frame: the source has names already; leave"):
        Table.of(frame, names=["b"])
    with pytest.raises(
        OptionError,
        match='separator=";" does not apply to a frame: it says how to read',
    ):
        Table.of(frame, separator=";")
    with pytest.raises(
        OptionError, match="missing must be one of 'refuse', 'drop', 'testwise', 'impute', got 'ignore'"
    ):
        Table.of(frame, missing="ignore")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="names must have one name for each of 2 columns of the array, got 3"):
        Table.of(np.zeros((2, 2)), names=["a", "b", "c"])


def test_spaces_around_a_label_belong_to_no_level() -> None:
    frame = pl.DataFrame({"a": [" yes", "yes", "no ", "NA", "no"], "b": [1.5, 2.5, 4.0, 3.5, 0.5]})
    for column in (frame["a"], frame["a"].cast(pl.Categorical)):
        assert Table.of(frame.with_columns(column)).column("a").levels == ("NA", "no", "yes")
        table = Table.of(frame.with_columns(column), na=["NA"], missing="testwise")
        assert table.column("a").levels == ("no", "yes")
        assert table.column("a").values.tolist() == [1, 1, 0, -1, 0]


def test_text_that_was_meant_as_labels() -> None:
    frame = pl.DataFrame({"code": ["1", "2", "1"], "size": ["1.5", "2.5", "1.5"]})
    table = Table.of(frame, kinds={"size": "discrete"})
    assert table.column("code").levels == ("1", "2") and table.column("size").levels == ("1.5", "2.5")
    assert Table.of(frame, kinds="continuous").column("size").values.tolist() == [1.5, 2.5, 1.5]


def test_decimals_of_python_are_numbers() -> None:
    frame = pd.DataFrame({"d": [Decimal("1.5"), None, Decimal("2.25")]})
    np.testing.assert_array_equal(Table.of(frame, missing="testwise").column("d").values, [1.5, np.nan, 2.25])


def test_one_bit_of_one_value_is_in_the_fingerprint() -> None:
    values = np.random.default_rng(1).normal(size=(20, 2))
    before = Table.of(values).fingerprint
    values[7, 1] = np.nextafter(values[7, 1], 9.0)
    assert Table.of(values).fingerprint != before


@pytest.mark.parametrize("values", [[True, None, True], [False, True, None], [None, False]])
def test_truth_values_of_a_frame_have_the_levels_that_occur(values: list[bool | None]) -> None:
    source = FrameSource(pl.DataFrame({"on": values}, schema={"on": pl.Boolean}))
    labels = source.column("on", None)
    assert isinstance(labels, Labels)
    assert labels.levels == tuple(sorted({str(value) for value in values if value is not None}))
    shown = [None if code < 0 else labels.levels[code] == "True" for code in labels.codes.tolist()]
    assert shown == values


def test_a_word_for_missing_values_may_be_a_truth_value() -> None:
    labels = FrameSource(pl.DataFrame({"on": [True, False]}), MissingValues.in_frames(["False"])).column("on", None)
    assert isinstance(labels, Labels) and labels.levels == ("True",) and labels.codes.tolist() == [0, -1]
