"""The rows of a text file are counted in its bytes: none is lost, or the file is refused with the line."""

import csv
import gzip
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import ancestral as an
from ancestral.data import DataError, Table
from ancestral.data.read import heads, records
from tests.support.hostile_csv import Case, check, run

WAYS = pytest.mark.parametrize("wrapped", [False, True], ids=["table", "stream"])


def written(folder: Path, content: str | bytes, name: str = "data.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(path: Path, wrapped: bool, **options: Any) -> Table:
    return Table.of([path] if wrapped else path, missing="testwise", **options)


# -- backslashes before quotation marks, as some databases write them --------------------------------------------------


def lines_of(count: int) -> list[str]:
    return [f"{a:.3f},w{i % 3},{b:.3f}" for i, (a, b) in enumerate(np.random.default_rng(0).normal(size=(count, 2)))]


@WAYS
@pytest.mark.parametrize("late", [0, 5000], ids=["at once", "late"])
def test_a_backslash_does_not_hide_rows(tmp_path: Path, wrapped: bool, late: int) -> None:
    """Two such lines, and all rows between them became one label."""
    lines = lines_of(100 + late)
    lines[late + 9] = lines[late + 89] = r'0.1,"say \"yes",0.2'
    path = written(tmp_path, "a,b,c\n" + "\n".join(lines) + "\n")
    with pytest.raises(DataError, match=rf"line {late + 11} of data.csv has text after a quotation mark .* twice"):
        read(path, wrapped)


@WAYS
def test_marks_in_the_middle_of_a_field_are_text(tmp_path: Path, wrapped: bool) -> None:
    """Python's csv takes them so, too; one in every fifth line, so that pairs of them enclose lines."""
    lines = [f'{i / 7},5" pipe,{i}' if i % 5 == 0 else f"{i / 7},plain,{i}" for i in range(100)]
    table = read(written(tmp_path, "a,b,c\n" + "\n".join(lines)), wrapped)
    assert table.rows == 100
    assert set(table.column("b").levels or ()) == {"plain", '5" pipe'}


@WAYS
def test_a_parser_that_finds_another_number_of_rows_is_not_believed(
    tmp_path: Path, wrapped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = pl.read_csv
    monkeypatch.setattr(pl, "read_csv", lambda *args, **options: whole(*args, **options)[:-1])
    path = written(tmp_path, "a,b\n" + "1.5,2.5\n" * 10)
    with pytest.raises(DataError, match=r"data.csv has 10 rows from line 2 on, but 9 were read"):
        read(path, wrapped)


# -- as many rows as Python's csv, however the file is packed, ended and cut -------------------------------------------

CONTENTS = {
    "line feeds": "a,b\n1.5,x\n2.5,y\n3.5,z\n",
    "no last line end": "a,b\n1.5,x\n2.5,y\n3.5,z",
    "carriage returns": "a,b\r1.5,x\r2.5,y\r3.5,z\r",
    "carriage returns, no last": "a,b\r1.5,x\r2.5,y\r3.5,z",
    "both": "a,b\r\n1.5,x\r\n2.5,y\r\n3.5,z\r\n",
    "mixed": "a,b\r1.5,x\n2.5,y\r\n3.5,z\r",
    "byte order mark": "\ufeffa,b\n1.5,x\n2.5,y\n3.5,z\n",
    "blank lines": "\n\na,b\n\n1.5,x\n\n\n2.5,y\n3.5,z\n\n\n",
    "lines of spaces": "  \na,b\n \t \n1.5,x\n  \n2.5,y\n3.5,z\n   ",
    "quoted": '"a","b"\n"1.5","x"\n"2.5","y"\n"3.5","z"\n',
    "spaces after marks": 'a,b\n"1.5" ,"x"\t\n2.5,y\n3.5,"z" \n',
    "lines within": 'a,b\n1.5,"x\n\n1"\n2.5,"y\r\n2"\r\n3.5,"z\r3"\n',
    "doubled marks": 'a,b\n1.5,"x""\n"""\n2.5,""""\n3.5,"""y"",1"\n',
}


@WAYS
@pytest.mark.parametrize("packed", ["csv", "csv.gz", "csv.zst"])
@pytest.mark.parametrize("what", CONTENTS)
def test_rows_are_those_of_csv(tmp_path: Path, what: str, packed: str, wrapped: bool) -> None:
    text = CONTENTS[what]
    content = text.encode()
    if packed == "csv.gz":
        content = gzip.compress(content)
    if packed == "csv.zst":
        content = pa.compress(content, "zstd", asbytes=True)
    expected = [row for row in csv.reader(io.StringIO(text.lstrip("\ufeff"), newline="")) if "".join(row).strip()][1:]
    assert len(expected) == 3
    path = written(tmp_path, content, f"data.{packed}")
    for block in (1, 5, 1 << 20):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(records, "BLOCK", block)
            table = read(path, wrapped)
        assert table.rows == 3
        assert table.column("a").values.tolist() == [1.5, 2.5, 3.5]
        labels = table.column("b")
        assert labels.levels is not None
        assert [labels.levels[code] for code in labels.values] == [row[1].strip() for row in expected]


@WAYS
def test_files_without_a_header_have_their_first_row(tmp_path: Path, wrapped: bool) -> None:
    table = read(written(tmp_path, "\n1.5,x\n2.5,y\n"), wrapped, names=["n", "w"])
    assert (table.names, table.rows) == (("n", "w"), 2)


@WAYS
def test_a_single_column_has_a_row_for_each_line(tmp_path: Path, wrapped: bool) -> None:
    table = read(written(tmp_path, 'a\n1.5\n\n""\n 2.5\n'), wrapped)
    assert table.missing_counts() == {"a": 2} and table.rows == 4


@WAYS
def test_a_first_row_of_separators_is_a_row_of_missing_values(tmp_path: Path, wrapped: bool) -> None:
    table = read(written(tmp_path, "a,b\n,\n" + "1.5,2\n2.5,1\n" * 5), wrapped)
    assert table.rows == 11 and table.missing_counts() == {"a": 1, "b": 1}


@WAYS
def test_what_looks_like_packed_bytes_is_text(tmp_path: Path, wrapped: bool) -> None:
    """polars takes text that begins with x^ for zlib."""
    table = read(written(tmp_path, "a,b\nx^2,1.5\nx^3,2.5\n"), wrapped)
    assert table.column("a").levels == ("x^2", "x^3")


@WAYS
def test_any_character_may_separate_and_any_may_be_text(tmp_path: Path, wrapped: bool) -> None:
    assert read(written(tmp_path, "a\x1fb\n1.5\x1fx\n2.5\x1fy\n"), wrapped, separator="\x1f").rows == 2
    assert read(written(tmp_path, "a,b\n1.5,x\x1fy\n2.5,z\n"), wrapped).column("b").levels == ("x\x1fy", "z")
    for separator in ("§", "", ",,", '"', "\n", "\r", "\0", 7):
        with pytest.raises(an.OptionError, match=r"separator must be (one ASCII character|a string)"):
            read(written(tmp_path, "a§b\n1§2\n"), wrapped, separator=separator)


@WAYS
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('a,b\n1.5,"x\n2.5,y\n', "line 2 of data.csv has a quotation mark that is not closed; close it, or write it"),
        ('a,b\n1.5,"x\ny"z\n', "line 3 of data.csv has text after a quotation mark that closes a field"),
        ('"a"b,c\n1,2\n', "line 1 of data.csv has text after a quotation mark that closes a field"),
        ('a,"b\n1,2\n', "line 1 of data.csv has a quotation mark that is not closed"),
        ("a,b\n" + "1,2\n" * 3000 + "1\0,2\n", "line 3002 of data.csv holds a zero byte"),
        ("a,b\n" + "1,2\n" * 3000 + "1,2,3\n", "line 3002 of data.csv has 3 fields separated by comma"),
        ("a,b\n" + "1,2\n" * 3000 + "1\n1,2,3\n", "line 3002 of data.csv has 1 field separated by comma"),
        ("a,b\n" + "1,2\n" * 300 + ",,\n", "line 302 of data.csv has 3 fields separated by comma"),
        (b"a,b\n" + b"1,x\n" * 3000 + b"2,\xe9\n", "line 3002 of data.csv is not written in UTF-8"),
        (b"a,b\n1,x\n\n\n2,\xe9\n", "line 5 of data.csv is not written in UTF-8"),
    ],
)
def test_faults_are_told_with_their_line(tmp_path: Path, wrapped: bool, content: str | bytes, message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        read(written(tmp_path, content), wrapped)


def test_lines_are_counted_past_blank_and_broken_ones(tmp_path: Path) -> None:
    body = "1.5,x\n\n" * 30 + '2.5,"x\ny"\n' + "oops,z\n"
    with pytest.raises(DataError, match=r"'oops' \(line 64 of data\.csv\) is not a number"):
        Table.of(written(tmp_path, "a,b\n" + body))


def test_a_record_without_end_is_not_read_forever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "BLOCK", 64)
    monkeypatch.setattr(records, "LONGEST_RECORD", 1000)
    with pytest.raises(DataError, match=r"line 3 of data.csv begins a record of more than"):
        Table.of(written(tmp_path, 'a,b\n1.5,x\n2.5,"' + "y,z\n" * 2000))


# -- decimal marks and types that turn up late -------------------------------------------------------------------------


@WAYS
@pytest.mark.parametrize("block", [100, 1 << 20])
def test_a_decimal_comma_may_turn_up_late(
    tmp_path: Path, wrapped: bool, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "BLOCK", block)
    body = "".join(f"{i % 50};{i % 7};w{i % 3}\n" for i in range(1500))
    table = read(written(tmp_path, "a;b;c\n" + body + "1,5;2;w0\n"), wrapped)
    assert table.kinds == ("continuous", "discrete", "discrete")
    assert table.column("a").values[-1] == 1.5


def test_sums_tell_of_a_mark_that_is_unclear_as_tables_do(tmp_path: Path) -> None:
    path = written(tmp_path, "a;b\n1,234;x\n5,678;y\n" + "1,234;x\n2,345;z\n" * 30)
    with pytest.raises(DataError, match=r"such as '1,234' \(line 2 of data.csv\), whose mark may be") as told:
        Table.of(path)
    with pytest.raises(DataError, match=r"such as '1,234' \(line 2 of data.csv\), whose mark may be") as found:
        an.discover([path], progress=False)
    assert str(found.value) == str(told.value)


@WAYS
def test_two_decimal_marks_are_refused_wherever_they_stand(tmp_path: Path, wrapped: bool) -> None:
    body = "1;2.5\n" * 1500 + "1,5;2.5\n"
    with pytest.raises(DataError, match=r"with a comma in column 'a' \('1,5', line 1502\) and with a point in column"):
        read(written(tmp_path, "a;b\n" + body), wrapped)


# -- lines of any length -----------------------------------------------------------------------------------------------


@WAYS
def test_many_columns(tmp_path: Path, wrapped: bool) -> None:
    """A line beyond 131,072 characters, the limit of Python's csv."""
    names = [f"gene_{i:06d}" for i in range(12_000)]
    rows = [",".join(str(i * j % 97 / 7) for i in range(12_000)) for j in range(1, 9)]
    path = written(tmp_path, ",".join(names) + "\n" + "\n".join(rows) + "\n")
    table = read(path, wrapped, columns=names[5:8])
    assert table.rows == 8 and table.column("gene_000005").values[1] == 10 / 7


@WAYS
def test_a_hundred_thousand_columns(tmp_path: Path, wrapped: bool) -> None:
    names = [f"v{i}" for i in range(100_000)]
    row = ",".join(map(str, range(100_000)))
    path = written(tmp_path, ",".join(names) + "\n" + (row + "\n") * 6)
    table = read(path, wrapped, columns=["v7", "v99999"])
    assert table.column("v99999").levels == ("99999",) and table.rows == 6
    with pytest.raises(DataError, match="columns 8 and 100001 are both named 'v7'"):
        read(written(tmp_path, ",".join([*names, "v7"]) + "\n" + (row + ",1\n") * 6), wrapped)


@WAYS
def test_a_field_of_a_megabyte(tmp_path: Path, wrapped: bool) -> None:
    long = "x" * (1 << 20)
    table = read(written(tmp_path, f'a,b\n1.5,{long}\n2.5,"{long}\n"\n'), wrapped)
    assert table.column("b").levels == (long,)


def test_the_first_rows_may_be_longer_than_what_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "ENOUGH", 100)
    line = '"' + "x\n" * 100_000 + '"'
    assert Table.of(written(tmp_path, f"a,{line}\n1.5,{line}\n2.5,y\n")).rows == 2


# -- everything at once ------------------------------------------------------------------------------------------------


def test_hostile_files_are_read_alike_or_refused_alike() -> None:
    assert run(examples=120, seed=2) > 20


def test_the_decimal_mark_does_not_depend_on_the_columns_that_are_chosen(tmp_path: Path) -> None:
    path = tmp_path / "marks.csv"
    path.write_text("a;b;c\n" + "".join(f"{i},5;1,{100 + i};{i % 3}\n" for i in range(50)))
    whole = Table.of(path)
    assert whole.column("b").values[3] == 1.103
    for source in (path, [path]):
        for options in ({"columns": ["b"]}, {"drop": ["a"]}):
            chosen = Table.of(source, **options)  # type: ignore[arg-type]
            assert np.array_equal(chosen.column("b").values, whole.column("b").values)


def test_a_mark_that_is_not_closed_in_the_first_row_takes_no_more_than_a_part_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ancestral.data.read.heads.LONGEST_HEAD", 1 << 18)
    path = tmp_path / "open.csv"
    path.write_text('a,b\n1,"open\n' + "2,3\n" * 500_000)
    for source in (path, [path]):
        with pytest.raises(DataError, match="hold no complete row; look for a quotation mark that is not closed"):
            Table.of(source)


def test_whole_numbers_of_an_early_part_count_for_both_decimal_marks() -> None:
    """1 and 1 are numbers with either mark, so with 1.5 the column is one of numbers with the other mark."""
    assert not check(Case(b"v0\n1\n1\n1.5\n", {"separator": ",", "decimal": ","}, block=6))
