"""Samples and tables with names on the command line."""

from pathlib import Path

import pytest

import ancestral as an
from ancestral import PAG
from tests.support.command_line import ran

DAG = an.DAG.parse("L -> x, L -> y, x -> y, y -> z, w -> x", latent=["L"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("samples")
    study = an.simulate.experiment(DAG, {"drug A": {"shift": {"x": 2.0}}, "b": {"shift": {"z": 2.0}}}, rows=600, seed=1)
    for name, frame in study.samples.items():
        frame.write_csv(path / f"{name}.csv")
    (path / "targets.toml").write_text('"drug A" = ["x"]')
    rows = an.simulate.linear_gaussian(DAG, rows=1200, seed=3)
    rows[:600].drop("z").write_csv(path / "clinic.csv")
    rows[600:].drop("w").write_csv(path / "survey.csv")
    return path


def test_samples_are_those_of_python(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    words = ["discover", "control.csv", "drug A=drug A.csv", "b.csv", "--targets", "targets.toml", "--save", "run.json"]
    done = ran(*words)
    assert done.code == 0
    samples = {"control": "control.csv", "drug A": "drug A.csv", "b": "b.csv"}
    found = an.discover(samples, targets={"drug A": ["x"]})
    assert PAG.parse(done.out) == found.pag
    assert an.load("run.json").settings.knowledge == an.Knowledge(contexts=["drug A", "b"], targets={"drug A": ["x"]})
    told = ran(
        "effect", "run.json", "drug A", "z", "--data", "control.csv", "--data", "drug A=drug A.csv", "--data", "b.csv"
    )
    assert told.code == 0, told.err
    assert "drug A" in told.out


def test_files_without_names_are_one_table(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert PAG.parse(ran("discover", "control.csv", "b.csv").out).nodes == ("w", "x", "y", "z")


@pytest.mark.parametrize("command", ["bootstrap", "sweep", "describe"])
def test_other_commands_take_samples(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    more = ["--repeats", "3"] if command == "bootstrap" else []
    done = ran(command, "control.csv", "drug A=drug A.csv", *more)
    assert done.code == 0, done.err
    assert "drug A" in done.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["control.csv", "control=b.csv"], "two files are called 'control'"),
        (["control.csv", "drug=none.csv"], "there is no file 'none.csv'"),
        (["control.csv", "drug A=drug A.csv", "--targets", "none.toml"], "there is no knowledge file 'none.toml'"),
        (["control.csv", "x=drug A.csv"], "column 'x' has the name of a sample"),
        (["control.csv", "drug A=drug A.csv", "--output", "drug A.csv"], "drug A.csv"),
        (["control.csv", "s=clinic.csv"], "sample 's' lacks 'z'"),
        (["clinic.csv", "--combine"], "tables must be at least two"),
    ],
)
def test_what_is_wrong_is_told(words: list[str], says: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    before = (folder / "drug A.csv").read_bytes()
    done = ran("discover", *words)
    assert done.code == 2
    assert says in done.err
    assert (folder / "drug A.csv").read_bytes() == before


def test_tables_are_combined_as_in_python(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    done = ran("discover", "clinic.csv", "survey.csv", "--combine")
    both = an.combine({"clinic": "clinic.csv", "survey": "survey.csv"})
    assert done.code == 0, done.err
    assert PAG.parse(done.out) == an.discover(both).pag
    assert "never measured together: w–z" in done.err
    assert ran("discover", "clinic.csv", "survey.csv", "--combine", "--drop", "w", "--quiet").code == 0
