"""Every command that the help texts and the documentation show is run."""

import re
import shlex
from pathlib import Path

import polars as pl
import pytest

import ancestral as an
from ancestral.cli.demo import DAG_TEXT
from tests.cli.series_files import levels
from tests.support import tutorial
from tests.support.command_line import ran

ROOT = Path(__file__).parents[2]
COMMANDS = (
    "discover",
    "series",
    "describe",
    "bootstrap",
    "sweep",
    "why",
    "causes",
    "adjust",
    "possible",
    "sensitivity",
    "report",
    "plot",
    "compare",
    "convert",
    "simulate",
    "demo",
)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "users-of").glob("*.md"))]
LINE = re.compile(rf"^[\s│$]*(ancestral (?:{'|'.join(COMMANDS)}|--version)\b[^\n│#;|>]*)", re.MULTILINE)


def examples_in(text: str) -> list[str]:
    return [line.strip() for line in LINE.findall(text)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the examples speak of."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setenv("TERMINAL_WIDTH", "300")
    assert ran("simulate", "--nodes", 8, "--rows", 2000).code == 0
    an.simulate.linear_gaussian(an.DAG.parse(DAG_TEXT), rows=5000, seed=7).write_csv("study.csv")
    levels(tmp_path / "levels.csv")
    pl.read_csv("study.csv")[:2000].write_csv("control.csv")
    pl.read_csv("study.csv")[2000:].with_columns(pl.col("diet") + 1).write_csv("a.csv")
    pl.read_csv("study.csv")[:2500].drop("weight").write_csv("clinic.csv")
    pl.read_csv("study.csv")[2500:].drop("age").write_csv("survey.csv")
    (tmp_path / "known.txt").write_text("age, region < diet, sport < weight\n")
    (tmp_path / "targets.toml").write_text('"drug A" = ["diet"]\n')
    (tmp_path / "visits").mkdir()
    for month in ("january", "february"):
        pl.read_csv("study.csv").write_parquet(f"visits/{month}.parquet")
    return tmp_path


def run_all(lines: list[str]) -> None:
    for line in lines:
        _, *arguments = shlex.split(line)
        done = ran(*arguments)
        assert done.code == 0, f"{line}\n{done.err}"


@pytest.mark.parametrize("command", COMMANDS)
def test_of_the_help(command: str, folder: Path) -> None:
    helped = ran(command, "--help")
    assert helped.code == 0
    lines = examples_in(helped.out.split("Examples:")[1])
    assert any(line.startswith(f"ancestral {command}") for line in lines)
    if command in ("why", "causes", "adjust", "possible", "sensitivity", "report", "plot", "compare", "convert"):
        run_all(["ancestral discover data.csv --save run.json"])
    if command in ("report", "plot"):
        run_all(["ancestral bootstrap data.csv --repeats 5 --save boot.json"])
    run_all(lines)


def test_of_the_help_of_all(folder: Path) -> None:
    lines = examples_in(ran("--help").out)
    assert len(lines) == 2
    run_all(lines)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_of_the_documentation(page: Path, folder: Path) -> None:
    (folder / "data.csv").unlink()
    (folder / "truth.txt").unlink()
    if page == ROOT / "README.md":
        (folder / "study.csv").unlink()  # a new user has nothing
        (folder / "levels.csv").unlink()
    if page == tutorial.PAGE:
        tutorial.ran_through(folder)
    for block in re.findall(r"^```\w*\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        run_all([line for line in examples_in(block) if f"$ {line}" not in block])
        for command in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, shown = command.partition("\n")
            _, *arguments = shlex.split(line)
            done = ran(*arguments)
            assert done.code == (2 if "ancestral: error: " in shown else 0), f"{line}\n{done.err}"
            assert not shown or rounded(shown) == rounded(done.out + done.err)


def rounded(text: str) -> str:
    """The text with fewer digits: the last ones are another machine's matter."""
    return re.sub(r"\d+\.\d{4,}(e-?\d+)?", lambda number: f"{float(number[0]):.4g}", text)


def test_the_guide_shows_every_command() -> None:
    guide = examples_in((ROOT / "docs" / "command-line.md").read_text(encoding="utf-8"))
    assert {line.split()[1] for line in guide} >= set(COMMANDS)
