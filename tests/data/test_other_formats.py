"""Spreadsheets and files of statistics programs: what they need, several of them, and the order of labels."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyreadstat
import pytest

import ancestral as an
from ancestral.data.read import excel_files, statistics_files
from tests.support.spreadsheets import workbook

RNG = np.random.default_rng(7)


def frame(rows: int) -> pl.DataFrame:
    return pl.DataFrame({"x": RNG.normal(size=rows), "y": RNG.normal(size=rows), "g": RNG.choice(["a", "b"], rows)})


def test_without_the_package_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.xlsx").write_bytes(workbook(frame(20)))
    (tmp_path / "a.sav").write_bytes(b"")
    monkeypatch.setattr("ancestral.extras.find_spec", lambda name: None)
    for name, package, extra in (("a.xlsx", "fastexcel", "excel"), ("a.sav", "pyreadstat", "statistics")):
        sources: list[Any] = [tmp_path / name, [tmp_path / name]]
        for source in sources:
            with pytest.raises(an.OptionError, match=rf"to read {name}, {package} is needed; .*'ancestral\[{extra}\]'"):
                an.Table.of(source)


def test_a_folder_of_many_formats_is_one_table(tmp_path: Path) -> None:
    parts = [frame(30) for _ in range(4)]
    (tmp_path / "a.xlsx").write_bytes(workbook(parts[0]))
    parts[1].write_csv(tmp_path / "b.csv")
    parts[2].write_ipc(tmp_path / "c.arrow")
    pyreadstat.write_dta(parts[3].to_pandas(), str(tmp_path / "d.dta"))
    whole = an.Table.of(pl.concat(parts))
    assert an.Table.of(tmp_path).fingerprint == whole.fingerprint
    assert an.discover(tmp_path, progress=False).test.fingerprint == whole.fingerprint


def test_labels_of_an_ordinal_variable_are_in_the_order_of_their_codes(tmp_path: Path) -> None:
    path = tmp_path / "a.sav"
    labels = {1.0: "never", 2.0: "often", 3.0: "always"}
    values = pd.DataFrame({"q": [1.0, 3.0, 2.0, 1.0], "r": [1.0, 3.0, 2.0, 1.0], "age": [30.0, 99.0, 41.0, 50.0]})
    pyreadstat.write_sav(
        values,
        str(path),
        variable_value_labels={"q": labels, "r": labels, "age": {99.0: "refused"}},
        variable_measure={"q": "ordinal", "r": "nominal", "age": "scale"},
    )
    read = statistics_files.read(path)
    assert read.schema["q"] == pl.Enum(["never", "often", "always"]) and read.schema["r"] == pl.Categorical
    assert read["q"].to_list() == read["r"].to_list() == ["never", "always", "often", "never"]
    assert read["age"].to_list() == [30.0, 99.0, 41.0, 50.0]  # one label does not make labels of numbers
    assert statistics_files.names(path) == ["q", "r", "age"]


def test_codes_with_the_same_label_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "a.dta"
    pyreadstat.write_dta(
        pd.DataFrame({"q": [1, 2, 3]}), str(path), variable_value_labels={"q": {1: "other", 2: "other", 3: "yes"}}
    )
    assert statistics_files.read(path)["q"].to_list() == ["other (1)", "other (2)", "yes"]


def test_the_letters_of_columns() -> None:
    letters = [excel_files._letter(f"__UNNAMED__{i}") for i in (0, 25, 26, 51, 52, 701, 702)]
    assert letters == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]


def test_advice_to_read_a_column_as_numbers_is_given_only_if_it_can_be_followed() -> None:
    rows = frame(40).with_columns(k=pl.Series([1, 2, 3, 4] * 10))
    for source in (rows, iter([rows])):
        with pytest.raises(an.OptionError, match="'g' is not; pass test=") as told:
            an.discover(source, test="fisher-z", drop=["k"])
        assert "kinds" not in str(told.value) and "or leave the column out with drop=['g']" in str(told.value)
        source = rows if source is rows else iter([rows])
        with pytest.raises(an.OptionError, match=r"override how it is read with kinds=\{'k': 'continuous'\}"):
            an.discover(source, test="fisher-z", drop=["g"])
    words = rows.with_columns(g=pl.Series([f"p{i}" for i in range(40)]))
    with pytest.raises(
        an.DataError, match=r"'g' has 40 levels in 40 rows, like an identifier; leave it out: drop=\['g'\]$"
    ):
        an.discover(words, drop=["k"])


def advice_on_a_sheet(path: Path, column: list[str]) -> str:
    """What reading a spreadsheet says about one column, as an error or as a warning."""
    path.write_bytes(workbook(pl.DataFrame({"x": np.arange(len(column)) * 0.5, "y": column})))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            an.Table.of(path)
        except an.DataError as error:
            return str(error)
    return " ".join(str(one.message) for one in told)


def test_no_decimal_mark_is_advised_for_a_spreadsheet_which_does_not_take_one(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    told = advice_on_a_sheet(path, [f"{i},234" for i in range(1, 31)])
    assert told == (
        "column 'y' has numbers with marks between thousands: '1,234' (row 1) is read as 1234; if that is wrong, make "
        "its cells numbers in the spreadsheet"
    )
    told = advice_on_a_sheet(path, [f"{i % 9},5" for i in range(30)])
    assert told == (
        "column 'y' holds numbers that are not written with the decimal mark '.', such as '0,5' (row 1); make its "
        "cells numbers in the spreadsheet, or if the values are labels, pass kinds={'y': 'discrete'}"
    )
    with pytest.raises(an.OptionError, match=r'^decimal="," does not apply to an excel file'):
        an.Table.of(path, decimal=",")


def days(count: int, different: int) -> list[str]:
    return [f"2024-{1 + i % different // 28:02d}-{1 + i % different % 28:02d}" for i in range(count)]


@pytest.mark.parametrize(
    ("values", "few"),
    [
        (days(60, 60), days(60, 12)),
        ([f"${i}.50" for i in range(60)], [f"${i % 5}.50" for i in range(60)]),
        ([*map(str, range(59)), "oops"], [*(str(i % 12) for i in range(59)), "oops"]),
        ([f"{i},5" for i in range(60)], [f"{i % 12},5" for i in range(60)]),
    ],
)
def test_labels_are_advised_only_if_they_would_not_be_refused_as_an_identifier(
    tmp_path: Path, values: list[str], few: list[str]
) -> None:
    path = tmp_path / "a.csv"
    other = pl.Series("z", np.arange(60) * 0.25 % 1.75)
    for column, differ in ((values, True), (few, False)):
        pl.DataFrame([pl.Series("y", column), other]).write_csv(path)
        options: dict[str, Any] = {"decimal": "."}
        for source in (path, [str(path)]):
            with pytest.raises(an.DataError) as told:
                an.discover(source, **options)
            assert ("drop=['y']" in str(told.value), "kinds=" in str(told.value)) in (
                [(True, False)] if differ else [(False, True), (True, True)]
            )
            if differ:
                with pytest.raises(an.DataError, match="'y' has 60 levels in 60 rows, like an identifier"):
                    an.discover(source, kinds={"y": "discrete"}, **options)
            else:
                an.discover(source, kinds={"y": "discrete"}, resamples=0, progress=False, **options)


def test_codes_with_leading_zeros_may_be_labels_or_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    pl.DataFrame({"zip": [f"0{1000 + 7 * i}" for i in range(40)], "y": np.arange(40) * 0.25 % 1.75}).write_csv(path)
    with pytest.warns(an.DataWarning, match="'zip' has numbers that begin with a zero") as told:
        an.Table.of(path)
    assert str(told[0].message).endswith(
        "if they are labels, pass kinds={'zip': 'discrete'}; if they differ in most rows, leave it out: drop=['zip']"
    )
