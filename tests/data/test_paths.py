"""Paths: what a folder and a pattern mean, what is no file of data, and names that are not UTF-8."""

import gzip
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.data import DataError, Table
from ancestral.data.read.file_lists import files_in
from ancestral.data.read.formats import FORMATS

ROWS = pl.DataFrame(np.random.default_rng(1).normal(size=(40, 3)), schema=["a", "b", "c"])
CSV = ROWS.write_csv().encode()
BAD = os.fsdecode(b"bad\xff")


def rows(source: Any) -> int:
    return an.discover(source, progress=False).test.rows


# -- neither a file nor a folder ---------------------------------------------------------------------------------------


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    folder = tmp_path / "pipes"
    folder.mkdir()
    (folder / "good.csv").write_bytes(CSV)
    os.mkfifo(folder / "x.csv")
    return folder / "x.csv"


@pytest.mark.parametrize(
    "source",
    [lambda path: path, lambda path: [path], lambda path: path.parent, lambda path: f"{path.parent}/*.csv",
     lambda path: f"{path.parent.parent}/**/*.csv", lambda path: iter([path])],
    ids=["itself", "a list", "a folder", "a pattern", "a deep pattern", "an iterator"],
)  # fmt: skip
def test_a_pipe_is_refused_before_it_is_opened(pipe: Path, source: Any) -> None:
    with pytest.raises(DataError, match=r"x\.csv' is a named pipe; only regular files are read"):
        rows(source(pipe))


def test_devices_and_sockets_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("zero.csv", "null.parquet"):
        (tmp_path / name).symlink_to(f"/dev/{name.split('.')[0]}")
        with pytest.raises(DataError, match=f"{name}' is a device"):
            rows(tmp_path / name)
        with pytest.raises(DataError, match=f"{name}' is a device"):
            rows([tmp_path / name])
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as end:
        end.bind("s.csv")
        with pytest.raises(DataError, match=r"s\.csv' is a socket"):
            rows("s.csv")


def test_a_pipe_that_takes_the_place_of_a_file_is_not_waited_for(pipe: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ancestral.data.table.checked_format", lambda path: FORMATS["csv"])
    with pytest.raises(DataError, match="is a named pipe"):
        Table.of(pipe)


# -- folders, links and loops ------------------------------------------------------------------------------------------


def test_links_that_lead_back_end(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).symlink_to(".")
    (tmp_path / "up").symlink_to("..")
    (tmp_path / "data.csv").write_bytes(CSV)
    for source in (tmp_path, f"{tmp_path}/**/*.csv", f"{tmp_path}/**/**/*.csv", f"{tmp_path}/one/**/*.csv"):
        assert rows(source) == 40


def test_links_to_other_folders_are_followed_once(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "more.csv").write_bytes(CSV)
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "own.csv").write_bytes(CSV)
    for name in ("first", "second"):
        (folder / name).symlink_to(elsewhere)
    (folder / "latest.csv").symlink_to("own.csv")
    for source in (folder, f"{folder}/**/*.csv"):
        assert rows(source) == 80
    assert [path.name for path in files_in(folder) or ()] == ["more.csv", "own.csv"]


def test_links_to_nothing_and_to_themselves_are_named(tmp_path: Path) -> None:
    (tmp_path / "gone.csv").symlink_to("nowhere.csv")
    with pytest.raises(DataError, match=r"gone\.csv is a link to a file that does not exist"):
        rows(tmp_path)
    (tmp_path / "gone.csv").unlink()
    (tmp_path / "self.csv").symlink_to("self.csv")
    with pytest.raises(DataError, match=r"self\.csv' is a link that leads back to itself"):
        rows(tmp_path / "self.csv")


def test_a_folder_may_be_called_like_a_file(tmp_path: Path) -> None:
    (tmp_path / "x.csv").mkdir()
    (tmp_path / "x.csv" / "inner.csv").write_bytes(CSV)
    (tmp_path / "y.csv").write_bytes(CSV)
    assert rows(tmp_path) == 80
    assert rows(f"{tmp_path}/*.csv") == 40  # a pattern means files
    assert rows([tmp_path / "x.csv"]) == 40


def test_patterns_find_what_glob_finds(tmp_path: Path) -> None:
    import glob

    for name in ("a.csv", "b.tsv", "d/a.csv", "d/e/b.csv", ".h/c.csv", "d/.c.csv", "d[1]/a.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_bytes(CSV)
    for pattern in (
        "*.csv",
        "*/*.csv",
        "**/*.csv",
        "d/**/b*.csv",
        "?.csv",
        "[ab].*",
        "d[[]1]/*.csv",
        ".h/*",
        "**/.h/*",
    ):
        expected = {path for path in glob.glob(f"{tmp_path}/{pattern}", recursive=True) if Path(path).is_file()}
        assert {str(path) for path in files_in(f"{tmp_path}/{pattern}") or ()} == expected, pattern


def test_nothing_is_read_for_an_empty_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_bytes(CSV)
    for source in ("", [""], ["data.csv", ""], iter([""])):
        with pytest.raises(an.OptionError, match="the path is empty; pass the path of a file or of a folder"):
            rows(source)
    assert rows(".") == 40


def test_paths_that_no_system_knows(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read: File name too long"):
        rows("x" * 5000 + ".csv")
    with pytest.raises(DataError, match="holds a zero byte"):
        rows("x\0.csv")


def test_an_open_file_is_no_list_of_paths(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_bytes(CSV)
    for mode in ("r", "rb"):
        with open(tmp_path / "data.csv", mode) as file, pytest.raises(an.OptionError, match="pass its path"):
            rows(file)


def test_a_packed_parquet_file_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "x.parquet.gz").write_bytes(gzip.compress(b"PAR1"))
    for source in (tmp_path / "x.parquet.gz", [tmp_path / "x.parquet.gz"]):
        with pytest.raises(
            DataError, match=r"'x\.parquet\.gz' has the unsupported ending \.parquet\.gz; supported are"
        ):
            rows(source)


# -- names that are not UTF-8 ------------------------------------------------------------------------------------------


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    folder = tmp_path / BAD
    folder.mkdir()
    (folder / f"{BAD}.csv").write_bytes(CSV)
    (folder / f"{BAD}2.csv.gz").write_bytes(gzip.compress(CSV))
    with open(folder / f"{BAD}3.parquet", "wb") as file:
        ROWS.write_parquet(file)
    return folder


def test_paths_that_are_not_utf8_are_read(bad: Path) -> None:
    for name in (f"{BAD}.csv", f"{BAD}2.csv.gz", f"{BAD}3.parquet"):
        for source in (bad / name, str(bad / name), [bad / name]):
            assert rows(source) == 40, name
    assert rows(bad) == 120
    assert rows(f"{bad}/*.csv*") == 80


def test_messages_about_them_can_be_printed(bad: Path) -> None:
    (bad / f"{BAD}.csv").write_text("a,b\n1,2\n3\n")
    for source in (bad / f"{BAD}.csv", [bad / f"{BAD}.csv"], bad / f"{BAD}4.csv", bad, bad / f"{BAD}.xlsx"):
        with pytest.raises(DataError, match=r"bad\\udcff") as told:
            rows(source)
        str(told.value).encode("utf-8")


def test_paths_beyond_ascii_in_a_plain_locale(tmp_path: Path) -> None:
    (tmp_path / "größe.csv").write_bytes(CSV)
    ROWS.write_parquet(tmp_path / "größe.parquet")
    code = (
        "import os, ancestral as an\n"
        "files = [os.fsdecode(name) for name in sorted(os.listdir(b'.'))]\n"
        "for source in (*files, files[:1], files[1:], '.'):\n"
        "    print(an.discover(source, progress=False).test.rows)\n"
    )
    plain = {**os.environ, "LC_ALL": "POSIX", "PYTHONUTF8": "0"}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=plain, capture_output=True, text=True)
    assert done.stdout.split() == ["40", "40", "40", "40", "80"], done.stderr


def test_two_stars_at_the_end_stand_for_files(tmp_path: Path) -> None:
    (tmp_path / "up" / "in").mkdir(parents=True)
    for name in ("up/one.csv", "up/in/two.csv"):
        (tmp_path / name).write_text("a,b\n" + "".join(f"{i}.5,{i * i % 7}.25\n" for i in range(20)))
    assert Table.of(f"{tmp_path}/up/**").rows == 40
