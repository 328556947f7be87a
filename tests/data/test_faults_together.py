"""Faults that one reading shows are told together, in tables and streams; and each message has its way out."""

import pickle
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.data.read import file_lists
from ancestral.data.read.streams import stream_of
from ancestral.errors import Option
from tests.support.command_line import ran

RNG = np.random.default_rng(1)
ROWS = 60


def good(**more: Any) -> pl.DataFrame:
    columns = {name: RNG.normal(size=ROWS) for name in "abc"}
    return pl.DataFrame({**columns, **more})


def lines(source: Any, **options: Any) -> list[str]:
    """The faults that a search tells, without the heading."""
    with pytest.raises(an.DataError) as told:
        an.discover(source, progress=False, **options)
    heading, *faults = str(told.value).split("\n- ")
    assert heading == "the data cannot be used as they are:" or not faults
    return faults or [heading]


def beginnings(faults: list[str]) -> list[str]:
    return [" ".join(fault.split()[:4]) for fault in faults]


FAULTY = good(
    same=np.full(ROWS, 7.5),
    day=pl.Series([None] * ROWS).cast(pl.Date),
    endless=np.where(np.arange(ROWS) == 30, np.inf, np.arange(ROWS) * 1.5),
    gap=pl.Series([None, *np.arange(ROWS - 1) * 0.7]),
    wide=RNG.normal(size=ROWS) * 1e200,
    id=[f"p{i}" for i in range(ROWS)],
).with_columns(copy=2 * pl.col("a"), sum=pl.col("b") + pl.col("c"))


def test_a_table_tells_all_faults_of_reading_and_of_the_audit() -> None:
    assert beginnings(lines(FAULTY)) == [
        "column 'day' holds dates", "column 'endless' holds infinite", "values are missing in", "column 'same' has a",
        "column 'id' has 60", "column 'wide' holds numbers", "some columns are copies", "some columns are determined",
    ]  # fmt: skip
    assert lines(FAULTY.drop("day", "endless", "gap"))[0].startswith("column 'same' has a single value; leave it out: ")


def test_following_all_advice_at_once_is_enough() -> None:
    with pytest.raises(an.DataError) as told:
        an.discover(FAULTY, progress=False)
    options = [part for part in told.value.args if isinstance(part, Option) and part.name == "drop"]
    dropped = [name for option in options for name in option.value]
    assert an.discover(FAULTY, drop=[*dropped, "wide"], missing="drop", progress=False).test.rows == ROWS - 1


def test_a_batch_tells_all_faults_that_it_shows() -> None:
    faults = lines(iter([FAULTY]))
    assert beginnings(faults) == ["column 'day' holds dates", "column 'endless' holds infinite", "a value is missing"]
    gaps = good().with_columns(pl.when(pl.int_range(pl.len()) != 9).then(pl.col("b")).alias("b"))
    gaps = gaps.with_columns(pl.when(pl.int_range(pl.len()) != 4).then(pl.col("c")).alias("c"))
    assert lines(iter([gaps]))[0].startswith("values are missing in columns 'b' and 'c', the first in 'c', row 5; pass")


def test_a_stream_tells_the_faults_of_the_whole_with_those_of_the_audit() -> None:
    frame = good(k=[f"{i / 7}" if i else "none" for i in range(ROWS)], same=np.full(ROWS, 7.5)).with_columns(
        copy=2 * pl.col("a")
    )
    assert beginnings(lines(iter([frame[:30], frame[30:]]))) == [
        "column 'k' holds numbers,", "column 'same' has a", "some columns are copies"
    ]  # fmt: skip
    tiny = good().with_columns(pl.col("a") * 1e-200, pl.col("b") * 1e-200, same=pl.lit(1.5))
    for source in (tiny, iter([tiny])):
        assert sorted(beginnings(lines(source))) == ["column 'same' has a", "the values of columns"]
    parts = [pl.DataFrame({"a": [1.5], "b": [1.5], "c": [1.0]}), pl.DataFrame({"a": ["x"], "b": ["y"], "c": [2.0]})]
    assert beginnings(lines(iter(parts))) == ["column 'a' holds numbers", "column 'b' holds numbers"]


def test_moments_and_counts_tell_all_too() -> None:
    frame = good(u=["x"] * ROWS, v=["y"] * ROWS)
    for source in (frame, iter([frame])):
        with pytest.raises(an.DataError, match=r"column 'u' cannot be continuous(?s:.*)\n- column 'v' cannot be"):
            an.Moments.of(source)


def test_a_header_tells_all_names_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,,b,a,\n1,2,3,4,5\n")
    told = lines(tmp_path / "x.csv")
    assert [fault.split(";")[0] for fault in told] == [
        "column 2 of x.csv has no name in line 1",
        "columns 1 and 4 are both named 'a' in line 1 of x.csv",
        "line 1 of x.csv ends with a comma, so column 5 has no name",
    ]


def test_very_many_faults_are_counted() -> None:
    frame = pl.DataFrame({f"x{i}": pl.Series([None] * 9, dtype=pl.Float64) for i in range(25)})
    told = lines(frame)
    assert len(told) == 21 and told[-1] == "and 5 more such faults"


def test_the_command_line_tells_each_fault_on_a_line(tmp_path: Path) -> None:
    gaps = good(same=np.full(ROWS, 7.5)).with_columns(pl.when(pl.int_range(pl.len()) > 0).then(pl.col("a")).alias("a"))
    gaps.write_csv(tmp_path / "x.csv")
    done = ran("discover", tmp_path / "x.csv")
    first, second = done.err.splitlines()
    assert done.code == 2 and first.startswith("ancestral: error: values are missing in 1 column of 60 rows ('a': 1)")
    assert second == "ancestral: error: column 'same' has a single value; leave it out: --drop same"


def test_faults_stay_together_in_another_process() -> None:
    with pytest.raises(an.DataError) as told:
        an.discover(FAULTY, progress=False)
    again = pickle.loads(pickle.dumps(told.value))
    assert str(again) == str(told.value) and len(again.faults) == 8


def test_advice_can_be_copied_however_many_columns_it_names() -> None:
    frame = good(**{f"constant_number_{i}": np.full(ROWS, float(i)) for i in range(40)})
    (told,) = lines(frame)
    names = [f"constant_number_{i}" for i in range(40)]
    assert told.endswith(f"leave them out: drop={names!r}")


# -- hints -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a,b\n1,2\n3,4,\n", "line 3 of x.csv has 3 fields .* correct the line \\(it ends with a comma: remove it\\)"),
        ("a,b\n1,2\n3,4, \n", "it ends with a comma: remove it"),
        ('a,b\n1,"x"\n2, "y, z"\n', "a quotation mark opens a field only right after the comma: remove the space"),
        ("a\n1\n2,3\n", "has 2 fields separated by comma, but there is 1 column;"),
        ("a,b\n1,2\n3\n", "has 1 field separated by comma, but there are 2 columns;"),
    ],
)
def test_hints_about_lines(content: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(content)
    for source in (tmp_path / "x.csv", [tmp_path / "x.csv"]):
        (told,) = lines(source)
        assert re.search(words, told), told


def test_one_of_a_thing_is_told_in_the_singular() -> None:
    one = pl.DataFrame({"a": [1.5, None]})
    with pytest.raises(
        an.DataError, match=r"in 1 column of 2 rows \('a': 1\); pass missing=\"drop\" to use the 1 row "
    ):
        an.Table.of(one)
    assert repr(an.Table.of(one, missing="drop")) == "Table of 1 row (1 dropped), 1 continuous column"
    assert repr(an.Moments.of(one, missing="drop")) == "Moments of 1 column, 1 row"
    assert repr(an.Counts.of(one, missing="drop")) == "Counts of 1 column, 1 row, 1 configuration"
    assert lines(pl.DataFrame({"a": [1.5], "b": [2.5]}))[0].startswith("there is 1 row; a search needs at least 5")


def test_an_empty_list_is_told_as_one() -> None:
    empty: tuple[Any, ...] = ([], ())
    for source in empty:
        with pytest.raises(an.OptionError, match=r"the (list|tuple) is empty; pass paths of files, or frames"):
            an.discover(source)


def test_the_home_folder_may_be_written_as_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    good().write_csv(tmp_path / "x.csv")
    for source in ("~/x.csv", Path("~/x.csv"), ["~/x.csv"], "~/*.csv", "~", iter([Path("~/x.csv")])):
        assert an.discover(source, progress=False).test.rows == ROWS
    (tmp_path / "~y.csv").write_bytes((tmp_path / "x.csv").read_bytes())
    monkeypatch.chdir(tmp_path)
    assert an.discover("~y.csv", progress=False).test.rows == ROWS


def test_a_stray_is_named_by_its_line_in_tables_and_streams(tmp_path: Path) -> None:
    text = "a,b\n" + "1.5,2.5\n2.5,1.5\n" * 20
    for what, content in {"stray": text + "\noops,1\n", "infinite": text + "\n1,inf\n", "gap": text + "\n,1\n"}.items():
        (tmp_path / "x.csv").write_text(content)
        table, stream = lines(tmp_path / "x.csv")[0], lines([tmp_path / "x.csv"])[0]
        if what == "gap":
            assert stream.startswith("a value is missing in column 'a', line 43 of x.csv; pass")
        else:
            assert table == stream and "line 43 of x.csv" in table


def test_files_are_looked_up_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Path] = []
    entries = file_lists._entries

    def recorded(folder: Path) -> list[Path]:
        looked.append(folder)
        return entries(folder)

    monkeypatch.setattr(file_lists, "_entries", recorded)
    (tmp_path / "parts").mkdir()
    for i in range(3):
        good().write_csv(tmp_path / "parts" / f"{i}.csv")
    for source in (f"{tmp_path}/parts/*.csv", tmp_path / "parts"):
        for call in (an.discover, an.Table.of, an.Moments.of):
            looked.clear()
            assert call(source)
            assert looked.count(tmp_path / "parts") <= 2  # a folder is listed for its folders, and for its files


def test_text_is_read_some_rows_at_a_time_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = good()
    frame.write_csv(tmp_path / "x.csv")
    frame.write_csv(tmp_path / "y.csv.zst", compression="zstd")
    frame.write_parquet(tmp_path / "x.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setattr("ancestral.extras.find_spec", lambda name: None)
    for name in ("x.csv", "y.csv.zst"):
        for source in (tmp_path / name, [tmp_path / name]):
            assert an.discover(source, progress=False).test.fingerprint == an.Table.of(frame).fingerprint
    with pytest.raises(an.OptionError, match="to read parquet files some rows at a time, pyarrow is needed; install"):
        stream_of([tmp_path / "x.parquet"])
