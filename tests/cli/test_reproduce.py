import signal
import sys
import time
from pathlib import Path

import pytest

from ancestral.reproduce import EXPERIMENTS
from tests.support.command_line import ran, started

pytest.importorskip("matplotlib")


def test_one_experiment(tmp_path: Path) -> None:
    done = ran("reproduce", "--out", tmp_path / "paper", "--quick", "--only", "example", "--workers", 1)
    assert done.code == 0
    assert done.out.split() == [str(tmp_path / "paper" / name) for name in ("README.md", "index.html")]
    assert {file.name for file in (tmp_path / "paper").glob("*.csv")} == {"example.csv"}


def test_the_help_names_every_experiment() -> None:
    words = ran("reproduce", "--help").out.replace("│", " ").split()  # as wide as the terminal is
    assert ", ".join(EXPERIMENTS) in " ".join(words)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--only", "fcii"], "unknown experiment 'fcii'; did you mean 'fci' or 'rfci'?"),
        (["--workers", "0"], "--workers must be a whole number of at least 1, got 0"),
        (["--seed", "-1"], "--seed must be a whole number of at least 0, got -1"),
    ],
)
def test_bad_options(options: list[str], message: str, tmp_path: Path) -> None:
    done = ran("reproduce", "--out", tmp_path / "paper", *options)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_asked_for(tmp_path: Path) -> None:
    assert "--out" in ran("reproduce").err
    (tmp_path / "file").write_text("")
    done = ran("reproduce", "--out", tmp_path / "file", "--only", "example")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "the folder cannot be created" in done.err


def test_without_matplotlib_the_way_out_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = ran("reproduce", "--out", tmp_path / "paper")
    assert done.code == 2
    assert "pip install 'ancestral[figures]'" in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_a_run_that_is_ended_says_that_it_goes_on(tmp_path: Path) -> None:
    process = started("reproduce", "--out", tmp_path, "--quick", "--only", "accuracy")
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("tasks/accuracy/rho*.json")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    _, message = process.communicate(timeout=30)
    assert process.returncode == 143
    assert message.splitlines() == [
        f"what is finished is kept in {tmp_path}; the same command goes on from there",
        "ancestral: interrupted",
    ]
