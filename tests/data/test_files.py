"""Files as they come: separators, decimal commas, packing; and what is said where they are broken."""

import gzip
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from ancestral.data import DataError, Table
from ancestral.errors import AncestralError, OptionError


def file(folder: Path, content: str | bytes, name: str = "data.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("a,b,c\n1.5,2,x\n-3,4.25,y\n", {}),
        ("a\tb\tc\n1.5\t2\tx\n-3\t4.25\ty\n", {}),
        ("a;b;c\n1.5;2;x\n-3;4.25;y\n", {}),
        ("a|b|c\n1.5|2|x\n-3|4.25|y", {}),
        ("a;b;c\n1,5;2;x\n-3;4,25;y\n", {}),
        ("a\tb\tc\n1,5\t2\tx\n-3\t4,25\ty\n", {}),
        ('"a","b","c"\n"1,5","2","x"\n"-3","4,25","y"\n', {}),
        ("a;b;c\n1,500;2,000;x\n-3,000;4,250;y\n", {"decimal": ","}),
        ("a b c\n1.5 2 x\n-3 4.25 y\n", {"separator": " "}),
        ("a,b,c\r\n1.5,2,x\r\n-3,4.25,y\r\n", {}),
        ("a,b,c\r1.5,2,x\r-3,4.25,y\r", {}),
        ("\ufeffa,b,c\n1.5,2,x\n-3,4.25,y\n", {}),
        (" a , b , c \n 1.5 , 2 , x \n -3 , 4.25 , y \n", {}),
        ("\n\na,b,c\n\n1.5,2,x\n\n-3,4.25,y\n\n\n", {}),
        ("1.5,2,x\n-3,4.25,y\n", {"names": ["a", "b", "c"]}),
        ('a,b,c\n1.5,2,"x"\n-3e0,+4.25,"y"\n', {}),
        ("a,b,c\n1.5,2,x\n\N{MINUS SIGN}3,4.25,y\n", {}),
    ],
)
def test_the_same_table_written_in_many_ways(tmp_path: Path, content: str, options: dict[str, Any]) -> None:
    table = Table.of(file(tmp_path, content), **options)
    assert table.names == ("a", "b", "c") and table.kinds == ("continuous", "continuous", "discrete")
    assert table.column("a").values.tolist() == [1.5, -3.0]
    assert table.column("b").values.tolist() == [2.0, 4.25]
    assert table.column("c").levels == ("x", "y") and table.column("c").values.tolist() == [0, 1]


def test_kinds_of_files(tmp_path: Path) -> None:
    content = "a,b\n1.5,x\n2.5,y\n"
    frame = pl.DataFrame({"a": [1.5, 2.5], "b": ["x", "y"]})
    frame.write_parquet(tmp_path / "data.parquet")
    frame.write_csv(tmp_path / "data.csv.zst", compression="zstd")
    file(tmp_path, content, "data.CSV")
    file(tmp_path, content.replace(",", "\t"), "data.tsv")
    file(tmp_path, content.replace(",", "\t"), "data.max.3.txt")
    file(tmp_path, gzip.compress(content.encode()), "data.csv.gz")
    names = ["data.parquet", "data.csv.zst", "data.CSV", "data.tsv", "data.max.3.txt", "data.csv.gz"]
    for name in names:
        table = Table.of(str(tmp_path / name))
        assert table.column("a").values.tolist() == [1.5, 2.5], name
        assert table.column("b").levels == ("x", "y"), name


@pytest.mark.parametrize("marker", ["", "NA", "N/A", "NaN", "nan", "null", "None", "*", "?", " ", " * "])
def test_missing_markers(tmp_path: Path, marker: str) -> None:
    path = file(tmp_path, f"n,w,last\n1.5,x,1.5\n{marker},{marker},{marker}\n2.5,y,2.5\n")
    table = Table.of(path, missing="testwise")
    assert table.missing_counts() == {"n": 1, "w": 1, "last": 1}
    assert table.kinds == ("continuous", "discrete", "continuous")
    with pytest.raises(DataError, match='missing="drop" to use the 2 rows'):
        Table.of(path)


def test_a_point_is_no_missing_value(tmp_path: Path) -> None:
    path = file(tmp_path, "n,m\n" + "1.5,2.5\n" * 20 + ".,2.5\n")
    with pytest.raises(DataError, match=r"column 'n' holds numbers, but '.' \(line 22 of data.csv\) is not a number"):
        Table.of(path)


def test_a_column_may_change_its_looks_late(tmp_path: Path) -> None:
    path = file(tmp_path, "a,b,c\n" + "1,1,NA\n" * 3000 + "1.5,x,word\n2,y,word\n")
    table = Table.of(path, kinds={"b": "discrete"}, missing="testwise")
    assert table.kinds == ("continuous", "discrete", "discrete")
    assert table.column("a").values[-2:].tolist() == [1.5, 2.0]
    assert table.column("b").levels == ("x", "y", "1")


def test_quoted_fields_may_hold_anything(tmp_path: Path) -> None:
    path = file(tmp_path, 'a,"b, or\nso"\n1.5,"x, ""y""\nz"\n2.5,\n')
    table = Table.of(path, missing="testwise")
    assert table.names == ("a", "b, or\nso")
    assert table.column("b, or\nso").levels == ('x, "y"\nz',)
    assert table.missing_counts() == {"a": 0, "b, or\nso": 1}


def test_numbers_are_read_to_the_last_bit(tmp_path: Path) -> None:
    values = np.random.default_rng(1).normal(size=500) * 10.0 ** np.arange(-250, 250)
    path = file(tmp_path, "a\n" + "\n".join(map(repr, values.tolist())))
    assert (Table.of(path).column("a").values == values).all()


GOOD = "1.5,2.5\n" * 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "data.csv is empty; a table has a line of column names"),
        ("\n \n", "data.csv is empty"),
        ("a,b\n", "data.csv has a line of column names but no rows below it"),
        ("a,b\n" + GOOD + "1.5,2.5,3\n", "line 5 of data.csv has 3 fields separated by comma, but there are 2 columns"),
        ("a,b\n" + GOOD + "1.5\n" + GOOD, "line 5 of data.csv has 1 field separated by comma, but there are 2 columns"),
        ("a,b,c\n" + "1,2,3\n" * 5000 + "1,2\n", "line 5002 of data.csv has 2 fields"),
        ('a,b,c\n"1",2,3\n"1",2\n', "line 3 of data.csv has 2 fields"),
        ('a,b\n"x\ny",2.5\nz,2.5,7\n', "line 4 of data.csv has 3 fields"),
        ("a,b\n\n\n" + GOOD + "\n1.5,2.5,3\n", "line 8 of data.csv has 3 fields"),
        ("a,b\nr1,1.5,2.5\nr2,1.5,2.5\n", "if the lines begin with row names, give these a name in the header too"),
        ("1.5,2.5\n" + GOOD, "line 1 of data.csv has numbers where the names of the columns should be; add a line of"),
        ("a,b,a\n1,2,3\n", "columns 1 and 3 are both named 'a' in line 1 of data.csv"),
        (",a,b\n7,2,3\n", "the first column has no name (here it is called 'Unnamed: 0'), and does not number"),
        ("a,,b\n7,2,3\n", "column 2 of data.csv has no name in line 1; write one (a column of row numbers"),
        ("a,b\n" + GOOD + "1.5,inf\n", "column 'b' holds infinite values, the first in line 5"),
        ("a,b\n" + "1.5,2\n" * 30 + "x,3\n1,4\n", "but 'x' (line 32 of data.csv) is not a number; correct it"),
        ("a,b\n" + "1.5,2\n" * 30 + "\nx,\ny,4\n", "'x' (line 33 of data.csv) is not a number, and neither is 1 more"),
        ("a;b\n1,234;x\n5,678;y\n", "column 'a' holds numbers such as '1,234' (line 2 of data.csv), whose mark may be"),
        ("a;b\n1,5;2.5\n3,5;4.5\n", "data.csv writes numbers with a comma in column 'a' ('1,5', line 2) and with a "
                                    "point in column 'b'"),
        ("a b\n1 2\n3 4\n", "if its columns are separated by a space, pass separator=\" \""),
        ("/knowledge\naddtemporal\n\n1 a b\n", "data.csv has a single column, '/knowledge', with text in it; is it a"),
        ("a,b\n1,é\n2,è\n".encode("latin-1"), "line 2 of data.csv is not written in UTF-8 (byte 3 of the line is 0xE9"),
        (b"a,b\n" + b"1,x\n" * 5000 + b"2,\xe9\n", "line 5002 of data.csv is not written in UTF-8"),
        ("größe,b\n1,2\n".encode("latin-1"), "line 1 of data.csv is not written in UTF-8"),
        ("a,b\n1,2\n".encode("utf-16"), "data.csv is written in UTF-16 or is not text; pass encoding=\"utf-16\""),
        ('a,b\n"x,1.5\ny,2.5\n', "data.csv"),
    ],
)  # fmt: skip
def test_broken_files(tmp_path: Path, content: str | bytes, message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        Table.of(file(tmp_path, content))


def test_stray_values_can_be_labels_after_all(tmp_path: Path) -> None:
    path = file(tmp_path, "n,x\n" + "0,1.5\n1,2.5\n" * 30 + "3+,1.5\n")
    assert Table.of(path, kinds={"n": "discrete"}).column("n").levels == ("0", "1", "3+")
    assert Table.of(path, drop=["n"]).names == ("x",)
    with pytest.raises(DataError, match=r"cannot be continuous, since '3\+' \(line 62 of data.csv\) is not a number"):
        Table.of(path, kinds={"n": "continuous"})


def test_packed_files_are_explained_too(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"line 3 of data.csv.gz has 1 field"):
        Table.of(file(tmp_path, gzip.compress(b"a,b\n1,2\n3\n"), "data.csv.gz"))
    with pytest.raises(DataError, match=r"line 2 of data.csv.gz is not written in UTF-8"):
        Table.of(file(tmp_path, gzip.compress(b"a,b\n1,\xe9\n"), "data.csv.gz"))
    with pytest.raises(DataError, match=r"data.csv.gz cannot be read"):
        Table.of(file(tmp_path, gzip.compress(b"a,b\n1,2\n" * 1000)[:30], "data.csv.gz"))


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    file(tmp_path, "a,b\n1,2\n", "mileage.csv")
    with pytest.raises(DataError, match=r"there is no file 'milage.csv' in .*; did you mean 'mileage.csv'?"):
        Table.of(tmp_path / "milage.csv")
    with pytest.raises(DataError, match="there is no folder"):
        Table.of(tmp_path / "nowhere" / "x.csv")
    with pytest.raises(
        DataError, match=r"'book.docx' has the unsupported ending .docx; supported are .csv, .tsv, .txt"
    ):
        Table.of(file(tmp_path, "", "book.docx"))
    with pytest.raises(DataError, match="cannot be read as parquet"):
        Table.of(file(tmp_path, "a,b\n", "x.parquet"))


def test_options_of_files(tmp_path: Path) -> None:
    path = file(tmp_path, "a,b\n1.5,2\n2.5,3\n")
    with pytest.raises(OptionError, match=r"separator must be one ASCII character .* got ', '"):
        Table.of(path, separator=", ")
    with pytest.raises(OptionError, match=r"decimal must be one of '.', ',', got 'x'"):
        Table.of(path, decimal="x")
    with pytest.raises(DataError, match=r"line 1 of data.csv seems to be a header \('a' above numbers\)"):
        Table.of(path, names=["u", "v"])
    with pytest.raises(
        OptionError, match=r"names must have one name for each of 2 columns in line 1 of data.csv, got 3"
    ):
        Table.of(path, names=["u", "v", "w"])
    pl.DataFrame({"a": [1.5]}).write_parquet(tmp_path / "x.parquet")
    with pytest.raises(
        AncestralError, match=r"separator=.* does not apply to a parquet file: .*; leave separator= out"
    ):
        Table.of(tmp_path / "x.parquet", separator=",")
