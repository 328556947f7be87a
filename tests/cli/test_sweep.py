import inspect
import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ancestral as an
from ancestral.cli import sweep as command
from tests.cli.test_bootstrap import OPTIONS as SHARED
from tests.support.command_line import ran

DAG = an.DAG.parse("a --> c, b --> c, c --> d, L --> d, L --> e", latent=["L"])
OPTIONS: dict[str, tuple[list[str], Any]] = {
    **SHARED,
    "alphas": (["--alphas", "0.05, 0.001"], [0.05, 0.001]),
    "resamples": (["--resamples", "3"], 3),
}
ASKED = {p.name: p.default for p in inspect.signature(an.sweep).parameters.values() if p.kind is p.KEYWORD_ONLY}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "data.csv"
    an.simulate.linear_gaussian(DAG, rows=300, seed=1).write_csv(path)
    return path


class _Seen(Exception):
    pass


@pytest.mark.parametrize("option", [name for name in ASKED if name != "executor"])
def test_every_option_reaches_the_function(data: Path, monkeypatch: pytest.MonkeyPatch, option: str) -> None:
    words, expected = OPTIONS[option]
    seen: dict[str, Any] = {}

    def swept(source: Any, **options: Any) -> None:
        seen.update(options)
        raise _Seen

    monkeypatch.setattr(an, "sweep", swept)
    ran("sweep", str(data), *words)
    assert seen[option] == expected


def test_the_page_goes_to_standard_output(data: Path) -> None:
    done = ran("sweep", str(data), "--alphas", "0.001,0.05")
    assert done.code == 0
    assert done.out.strip() == str(an.sweep(data, alphas=[0.001, 0.05], progress=False)).strip()


def test_rows_for_levels_and_plain_values(data: Path, tmp_path: Path) -> None:
    swept = an.sweep(data, alphas=[0.001, 0.05], progress=False)
    done = ran(
        "sweep", str(data), "--alphas", "0.001,0.05", "--format", "csv", "--output", str(tmp_path / "levels.csv")
    )
    assert done.code == 0
    frame = pl.read_csv(tmp_path / "levels.csv")
    assert frame["edges"].to_list() == swept.to_frame(library="polars")["edges"].to_list()
    done = ran("sweep", str(data), "--alphas", "0.001,0.05", "--format", "json")
    assert json.load(StringIO(done.out)) == swept.to_dict()


def test_pictures_and_pages_are_written(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture, page = tmp_path / "sweep.svg", tmp_path / "sweep.html"
    done = ran("sweep", str(data), "--alphas", "0.001,0.05", "--plot", str(picture), "--report", str(page))
    assert done.code == 0
    assert "<svg" in picture.read_text()
    assert page.read_text().startswith("<!doctype html>")
    assert f"picture written to {picture}" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--alphas", "0.01,x"], "--alphas must be numbers, separated by commas, got '0.01,x'; for example"),
        (["--alphas", "0.01,2"], "--alphas must be between 0 and 1, got 2.0"),
        (["--plot", "sweep.gif"], "--plot must end in .svg, .png or .pdf"),
        (["--report", "sweep.txt"], "--report must end in .html"),
        (["--algorithm", "scored"], "--algorithm scored has no significance level to vary: it asks no questions"),
    ],
)
def test_what_is_wrong_is_said_before_the_search(data: Path, words: list[str], message: str) -> None:
    done = ran("sweep", str(data), *words)
    assert done.code == 2
    assert message in done.err


def test_the_time_may_be_over(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    swept = an.sweep(data, alphas=[0.01], progress=False)
    swept.wanted, swept.stopped = (0.01, 0.05), "time limit"
    monkeypatch.setattr(an, "sweep", lambda *_, **__: swept)
    done = ran("sweep", str(data), "--format", "csv")
    assert done.code == 3
    assert "ended early (time limit): 1 of 2 levels were done" in done.err


def test_the_help_names_the_levels() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "ancestral", "sweep", "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert "0.0001,0.0003,0.001" in shown.replace("\n", "")
    assert command.EXAMPLES.splitlines()[2] in shown
