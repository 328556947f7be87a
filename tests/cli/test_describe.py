import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import ancestral as an
from tests.support.command_line import ran

RNG = np.random.default_rng(1)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.csv"
    columns = {name: RNG.normal(size=50) for name in "abc"}
    pl.DataFrame({**columns, "lung cancer": RNG.integers(1, 6, size=50), "same": [1] * 50}).write_csv(path)
    return path


def test_faults_are_listed_in_the_words_of_the_shell(data: Path) -> None:
    done = ran("describe", data)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("data.csv: 50 rows, 5 columns (3 continuous, 2 discrete)\n")
    assert "leave it out: --drop same" in done.out
    assert f"ancestral discover {data} --drop same" in done.out
    assert "--ordinal 'lung cancer'" in done.out


def test_the_command_that_is_advised_runs(data: Path) -> None:
    assert ran("discover", data, "--quiet").code == 2
    assert ran("discover", data, "--drop", "same", "--quiet").code == 0


def test_strict_ends_with_exit_code_4_if_there_are_faults(data: Path) -> None:
    done = ran("describe", data, "--strict")
    assert (done.code, done.err) == (4, "--strict: the data have 1 fault\n")
    assert ran("describe", data, "--strict", "--drop", "same").code == 0


def test_each_format_is_that_of_python(data: Path, tmp_path: Path) -> None:
    description = an.describe(data)
    assert json.loads(ran("describe", data, "--format", "json").out) == description.to_dict()
    table = tmp_path / "columns.csv.txt"
    done = ran("describe", data, "--format", "csv", "--output", table)
    assert (done.out, done.err) == ("", f"description written to {table}\n")
    assert pl.read_csv(table)["name"].to_list() == ["a", "b", "c", "lung cancer", "same"]
    page = ran("describe", data, "--format", "html").out
    assert page.startswith("<!doctype html>")
    assert "<code>--drop same</code>" in page


def test_reading_options_are_passed_on(data: Path) -> None:
    done = ran("describe", data, "--continuous", "lung cancer", "--columns", "a,b,lung cancer", "--format", "json")
    columns = json.loads(done.out)["columns"]
    assert [column["name"] for column in columns] == ["a", "b", "lung cancer"]
    assert {column["kind"] for column in columns} == {"continuous"}


def test_a_template_is_written_once_and_read_by_a_search(data: Path, tmp_path: Path) -> None:
    place = tmp_path / "knowledge.txt"
    assert f"template written to {place}" in ran("describe", data, "--drop", "same", "--template", place).err
    assert an.Knowledge.read(place) == an.Knowledge()
    assert ran("discover", data, "--drop", "same", "--knowledge", place, "--quiet").code == 0
    again = ran("describe", data, "--template", place)
    assert (again.code, again.out) == (2, "")
    assert "--template would overwrite it" in again.err


def test_the_data_are_never_overwritten(data: Path) -> None:
    before = data.read_bytes()
    for option in ("--template", "--output"):
        assert ran("describe", data, option, data).code == 2
    assert data.read_bytes() == before


def test_what_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    done = ran("describe", tmp_path / "nothing.csv")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("ancestral: error: ")


def test_ordinal_columns_weights_and_words_for_missing_values_are_those_of_the_options(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    grades = RNG.choice(["low", "mid", "high"], size=50)
    numbers = [*map(str, RNG.normal(size=49).round(3)), "-999"]
    pl.DataFrame({"x": numbers, "grade": grades, "w": RNG.uniform(1, 2, size=50)}).write_csv(path)
    options = ("--ordinal", "grade=low<mid<high", "--weights", "w", "--na", "-999", "--missing", "drop")
    done = ran("describe", path, *options, "--format", "json")
    assert (done.code, done.err) == (0, "")
    described = json.loads(done.out)
    assert {one["name"]: (one["kind"], one["missing"]) for one in described["columns"]} == {
        "x": ("continuous", 1),
        "grade": ("ordinal", 0),
        "w": ("weights", 0),
    }
    assert list(described["columns"][1]["levels"]) == ["low", "mid", "high"]
    told = ran("describe", path, *options).out
    assert f"ancestral discover {path}" in told
    assert "--ordinal 'grade=low<mid<high'" in told


def test_a_spreadsheet_and_a_matrix_are_described(tmp_path: Path) -> None:
    book, matrix = tmp_path / "a.xlsx", tmp_path / "m.cov.txt"
    pl.DataFrame({"x": RNG.normal(size=30), "g": ["a", "b", "c"] * 10}).write_excel(book)
    assert ran("describe", book).out.startswith("a.xlsx: 30 rows, 2 columns (1 continuous, 1 discrete)\n")
    matrix.write_text("a b\n1.0\n0.5 4.0\n")
    told = ran("describe", matrix, "--rows", "40").out
    assert told.startswith("m.cov.txt: 40 rows, 2 columns (2 continuous)\n")
    assert f"ancestral discover {matrix} --rows 40" in told


def test_the_ending_of_the_output_decides_its_format(data: Path, tmp_path: Path) -> None:
    for form in ("html", "json", "csv"):
        output = tmp_path / f"out.{form}"
        assert ran("describe", data, "--output", output).code == 0
        assert output.read_text() == ran("describe", data, "--format", form).out
    assert ran("describe", data, "--output", tmp_path / "out.txt").code == 0
    assert (tmp_path / "out.txt").read_text() == ran("describe", data).out
