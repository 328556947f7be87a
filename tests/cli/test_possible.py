from pathlib import Path

import polars as pl
import pytest

import ancestral as an
from tests.support.command_line import ran

DAG = an.DAG.parse("a -> x, b -> x, x -> y, c -> y, y -> z")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    an.simulate.linear_gaussian(DAG, rows=1000, seed=3).write_csv(tmp_path / "data.csv")
    an.discover(tmp_path / "data.csv", resamples=0).save(tmp_path / "run.json")
    return tmp_path


def test_what_is_printed_is_what_python_says(folder: Path) -> None:
    found = an.discover(folder / "data.csv", resamples=0)
    run = folder / "run.json"
    before = run.read_bytes()
    done = ran("possible", run, "a", "z")
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{found.possible_effects('a', 'z')}\n"
    assert ran("sensitivity", run, "x", "y").out == f"{found.sensitivity('x', 'y')}\n"
    given = ran("sensitivity", run, "x", "y", "--given", "a,b", "--confidence", 0.9)
    assert given.out == f"{found.sensitivity('x', 'y', given=['a', 'b'], confidence=0.9)}\n"
    drawn = ran("possible", run, "a", "z", "--most", 3, "--seed", 5).out
    assert drawn == f"{found.possible_effects('a', 'z', most=3, seed=5)}\n"
    assert run.read_bytes() == before


def test_the_data_may_have_moved(folder: Path) -> None:
    run, moved = folder / "run.json", folder / "moved.csv"
    here = ran("possible", run, "a", "z")
    (folder / "data.csv").rename(moved)
    gone = ran("possible", run, "a", "z")
    assert gone.code == 2
    assert "data.csv is not there; name them: --data data.csv" in gone.err
    assert ran("possible", run, "a", "z", "--data", moved) == here
    frame = pl.read_csv(moved)
    frame[:500].write_csv(folder / "one.csv")
    frame[500:].write_csv(folder / "two.csv")
    parts = ran("possible", run, "a", "z", "--data", folder / "one.csv", "--data", folder / "two.csv")
    assert parts.code == 0 and parts.out.splitlines()[0] == here.out.splitlines()[0]
    other = ran("sensitivity", run, "x", "y", "--data", folder / "one.csv")
    assert other.code == 2
    assert "was made from different data; name the data of this run" in other.err


def test_data_are_read_as_they_were_for_the_run(folder: Path) -> None:
    frame = pl.read_csv(folder / "data.csv").with_columns(
        w=pl.Series([1.0, 2.0] * 500), id=pl.int_range(1000).cast(pl.String)
    )
    frame.write_csv(folder / "more.csv")
    found = an.discover(folder / "more.csv", weights="w", drop=["id"], alpha=0.02, resamples=0)
    found.save(folder / "weighted.json")
    assert ran("possible", folder / "weighted.json", "a", "z").out == f"{found.possible_effects('a', 'z')}\n"


def test_columns_with_levels_have_bounds(tmp_path: Path) -> None:
    an.simulate.discrete(DAG, rows=1000, seed=3).write_csv(tmp_path / "labels.csv")
    found = an.discover(tmp_path / "labels.csv", kinds="discrete")
    found.save(tmp_path / "run.json")
    done = ran("possible", tmp_path / "run.json", "x", "y")
    assert done.out == f"{found.effect_bounds('x', 'y')}\n"


def test_runs_that_have_no_data(tmp_path: Path) -> None:
    an.discover(an.Oracle(DAG)).save(tmp_path / "oracle.json")
    frame = an.simulate.linear_gaussian(DAG, rows=1000, seed=3)
    an.discover(frame, resamples=0).save(tmp_path / "frame.json")
    frame.write_csv(tmp_path / "data.csv")
    (tmp_path / "graph.txt").write_text("a o-> x, x --> y", encoding="utf-8")
    refused = {
        (
            "possible",
            tmp_path / "frame.json",
            "a",
            "z",
        ): "does not hold the data, and does not say where they are; name",
        (
            "possible",
            tmp_path / "oracle.json",
            "a",
            "z",
            "--data",
            tmp_path / "data.csv",
        ): "answered by 'oracle', which",
        ("possible", tmp_path / "graph.txt", "a", "y"): "must be a run file, got a PAG",
        ("possible", tmp_path / "none.json", "a", "y"): "none.json",
    }
    for arguments, words in refused.items():
        done = ran(*arguments)
        assert (done.code, done.out) == (2, "")
        assert words in done.err
    brought = ran("possible", tmp_path / "frame.json", "a", "z", "--data", tmp_path / "data.csv")
    assert brought.code == 0
    wrong = {
        ("a", "q"): "'q'",
        ("a", "a"): "must differ, got 'a' twice",
        ("a", "z", "--most", "0"): "--most must be a whole number of at least 1, got 0",
        ("a", "z", "--seed", "-1"): "--seed must be a whole number of at least 0, got -1",
    }
    for more, words in wrong.items():
        done = ran("possible", tmp_path / "frame.json", *more, "--data", tmp_path / "data.csv")
        assert done.code == 2 and words in done.err
