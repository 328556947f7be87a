from pathlib import Path

import polars as pl
from polars.testing import assert_frame_equal

import ancestral as an
from ancestral.cli.demo import DAG_TEXT
from tests.support.command_line import ran


def test_the_demo_tells_its_story(tmp_path: Path) -> None:
    report = tmp_path / "story.html"
    done = ran("demo", "--report", report)
    assert (done.code, done.err) == (0, "")
    assert "diet <-> sport" in done.out
    assert "age o-o region" in done.out
    assert "The graphs are the same." in done.out
    assert "diet causes pressure: yes" in done.out
    assert "ancestral discover study.csv --save run.json" in done.out
    assert f"    {report}\n" in done.out
    assert report.read_text().startswith("<!doctype html>")
    assert "\x1b" not in done.out
    assert all(line == line.rstrip() for line in done.out.splitlines())


def test_other_data_tell_it_too(tmp_path: Path) -> None:
    for seed in range(1, 6):
        assert ran("demo", "--rows", 300, "--seed", seed, "--report", tmp_path / "story.html").code == 0


def test_a_place_where_nothing_can_be_written_is_told_first(tmp_path: Path) -> None:
    done = ran("demo", "--report", tmp_path / "nowhere" / "story.html")
    assert (done.code, done.out) == (2, "")
    assert "there is no directory" in done.err


def test_the_data_of_the_story_can_be_kept_and_overwrite_nothing(tmp_path: Path) -> None:
    report, data = tmp_path / "story.html", tmp_path / "study.csv"
    assert ran("demo", "--report", report, "--data", data).code == 0
    rows = pl.read_csv(data)
    assert_frame_equal(rows, an.simulate.linear_gaussian(an.DAG.parse(DAG_TEXT), rows=5000, seed=7))
    again = ran("demo", "--report", report, "--data", data)
    assert (again.code, again.out) == (2, "")
    assert "study.csv: --data would overwrite it, and it may hold data of yours; choose another name" in again.err
    both = ran("demo", "--report", tmp_path / "new.csv", "--data", tmp_path / "new.csv")
    assert both.code == 2 and "is named twice" in both.err
    wrong = ran("demo", "--report", report, "--data", tmp_path / "study.docx")
    assert wrong.code == 2 and "must end in one of .csv" in wrong.err
