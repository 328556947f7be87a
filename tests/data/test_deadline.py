"""A time limit and Ctrl-C end reading, too, whoever reads."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import dask.dataframe
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import ancestral as an
from ancestral.data import Table
from ancestral.data.read import deadline, records

DASK: Any = dask.dataframe
OVER = (
    r"the time limit of 0\.3 s ended while the data were being read, so nothing was searched; pass a longer time_limit="
)


def frame(rows: int = 50) -> pd.DataFrame:
    return pd.DataFrame(np.random.default_rng(1).normal(size=(rows, 3)), columns=list("abc"))


def endless() -> Iterator[pd.DataFrame]:
    while True:
        yield frame()


def searched(source: Any, call: Any = an.discover) -> None:
    call(source, time_limit=0.3, progress=False)


@pytest.mark.parametrize("call", [an.discover, an.stages, an.bootstrap])
def test_an_endless_iterator_ends_in_time(call: Any) -> None:
    with pytest.raises(an.RunError, match=OVER):
        searched(endless(), call)


def test_endless_paths_end_in_time(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(frame().to_csv(index=False))

    def paths() -> Iterator[Path]:
        while True:
            yield tmp_path / "x.csv"

    with pytest.raises(an.RunError, match=OVER):
        searched(paths())


def slow(*_: Any, **__: Any) -> Any:
    """A call of a library that is not through before the time is over."""
    threading.Event().wait(5)
    raise AssertionError("it was waited for")


def test_a_library_that_takes_its_time_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pl.from_pandas(frame()).write_parquet(tmp_path / "x.parquet")
    lazy = DASK.from_pandas(frame(), npartitions=2)
    for library, name, source in ((pl, "read_parquet", tmp_path / "x.parquet"), (dask, "compute", lazy)):
        monkeypatch.setattr(library, name, slow)
        with pytest.raises(an.RunError, match=OVER):
            searched(source)
    rows = duckdb.connect().sql("select sum(a.range * b.range) as s from range(1000000) a, range(1000000) b")
    with pytest.raises(an.RunError, match=OVER):
        searched(rows)


@pytest.mark.parametrize("wrapped", [False, True], ids=["table", "stream"])
def test_a_large_text_file_ends_in_time(tmp_path: Path, wrapped: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "BLOCK", 1000)
    path = tmp_path / "x.csv"
    path.write_text("a,b,c\n" + "1.5,2.5,3.5\n" * 500_000)
    with pytest.raises(an.RunError, match=OVER):
        searched([path] if wrapped else path)


def test_a_file_that_is_read_in_time_is_searched(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(frame().to_csv(index=False))
    for source in (tmp_path / "x.csv", [tmp_path / "x.csv"], iter([frame()]), frame()):
        assert an.discover(source, time_limit=60, progress=False).stopped is None
    assert len(list(an.stages(tmp_path / "x.csv", time_limit=60))) > 0
    assert an.bootstrap([tmp_path / "x.csv"], time_limit=60, repeats=2, progress=False).repeats == 2


def test_reading_outside_of_a_search_has_no_limit() -> None:
    with pytest.raises(an.RunError, match=OVER), deadline.reading_within(0.3):
        Table.of(endless())
    assert not deadline.limited()
    deadline.check()
    with deadline.reading_within(5) as outer, deadline.reading_within(100):
        assert deadline.limited() and 0 < (outer() or 0) <= 5
        with deadline.reading_within(None) as left:
            assert deadline.limited() and left() is None


def test_an_inner_limit_does_not_prolong_an_outer_one() -> None:
    with pytest.raises(an.RunError, match=OVER), deadline.reading_within(0.3):
        an.discover(endless(), time_limit=60, progress=False)


def test_small_data_are_read_whatever_the_limit(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(frame().to_csv(index=False))
    found = an.discover(tmp_path / "x.csv", time_limit=1e-6, progress=False)
    assert found.stopped == "time limit" and found.test.rows == 50


def test_errors_of_a_call_in_another_thread_come_here() -> None:
    with pytest.raises(ZeroDivisionError):
        deadline.patiently(lambda: 1 / 0)
    assert deadline.patiently(lambda: 7) == 7


@pytest.mark.parametrize("what", ["parquet", "iterator", "duckdb"])
def test_ctrl_c_ends_reading(what: str, tmp_path: Path) -> None:
    code = """
import sys, time, ancestral as an, polars as pl, numpy as np, threading
def slow(*_, **__): threading.Event().wait(60)
def frames():
    while True: yield pl.DataFrame(np.random.default_rng(1).normal(size=(50, 3)))
source = {"parquet": lambda: "x.parquet", "iterator": frames, "duckdb": lambda: __import__("duckdb").connect().sql(
    "select sum(a.range * b.range) as s from range(1000000) a, range(1000000) b")}[sys.argv[1]]()
pl.read_parquet = slow
print("reading", flush=True)
try:
    an.discover(source, progress=False)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.stdout.flush()
    import os; os._exit(0)
"""
    pl.from_pandas(frame()).write_parquet(tmp_path / "x.parquet")
    child = subprocess.Popen([sys.executable, "-c", code, what], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    try:
        assert child.stdout.readline() == "reading\n"
        time.sleep(1.5)
        os.kill(child.pid, signal.SIGINT)
        said, _ = child.communicate(timeout=30)
    finally:
        child.kill()
    assert said.endswith("interrupted\n")  # DuckDB shows a bar
