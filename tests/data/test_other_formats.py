"""Spreadsheets and files of statistics programs: what they need, several of them, and the order of labels."""

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
