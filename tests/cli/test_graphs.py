"""Every command that reads a graph reads it in every format, and takes no table of data for one."""

from pathlib import Path

import polars as pl
import pytest

import ancestral as an
from ancestral.io.interop.texts import FORMATS
from tests.support.command_line import ran

DAG = an.DAG.parse("a -> c, b -> c, c -> d")
#: A file of each format.
FILES = {name: f"g{form.endings[0]}" for name, form in FORMATS.items()}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    an.discover(an.Oracle(DAG)).save("run.json")
    for form, name in FILES.items():
        assert ran("convert", "run.json", "--to", form, "--out", name).code == 0
    return tmp_path


@pytest.mark.parametrize("form", FILES)
def test_all_commands_read_all_formats(form: str, folder: Path) -> None:
    name = FILES[form]
    assert ran("causes", name, "c", "d").out.startswith("Does c cause d? Yes")
    assert ran("adjust", name, "c", "d").out == ran("adjust", "g.txt", "c", "d").out
    assert ran("convert", name, "--to", "text").out == Path("g.txt").read_text()
    done = ran("compare", name, "run.json", "--format", "json")
    assert done.code == 0 and '"shd": 0' in done.out


@pytest.mark.parametrize("name", ["data.csv", "data.txt", "data.tsv"])
@pytest.mark.parametrize("command", ["causes {} a d", "adjust {} a d", "compare {} run.json", "convert {} --to dot"])
def test_data_are_not_taken_for_a_graph(command: str, name: str, folder: Path) -> None:
    rows = an.simulate.linear_gaussian(DAG, rows=30, seed=1)
    rows.write_csv(name, separator="\t" if name.endswith("tsv") else ",")
    done = ran(*command.format(name).split())
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert f"it is a table of data, learn a graph from it first: ancestral discover {name}" in done.err


WORDS = "smoke,cancer\nyes,yes\nno,no\n"


@pytest.mark.parametrize("name", ["words.txt", "words.csv", "words.tsv", "words.parquet", "latin.txt"])
def test_a_table_of_words_is_not_taken_for_a_graph(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if name.endswith("parquet"):
        pl.read_csv(WORDS.encode()).write_parquet(name)
    else:
        text = WORDS.replace(",", "\t" if name.endswith("tsv") else ",").replace("no", "café")
        Path(name).write_text(text, encoding="latin-1" if name.startswith("latin") else "utf-8")
    done = ran("causes", name, "smoke", "cancer")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert f"it is a table of data, learn a graph from it first: ancestral discover {name} --save run.json" in done.err
    assert "?;" not in done.err


def test_a_file_with_an_explicit_format_or_another_name_is_no_table(tmp_path: Path) -> None:
    for path, options in ((tmp_path / "g.txt", ["--from", "dot"]), (tmp_path / "g.dagitty", [])):
        path.write_text("dag { a - > b")
        done = ran("convert", str(path), "--to", "text", *options)
        assert done.code == 2 and "table of data" not in done.err
    assert "table of data" not in ran("causes", str(tmp_path / "absent.txt"), "a", "b").err


@pytest.mark.parametrize("form", [name for name, form in FORMATS.items() if form.head is not None and form.needs_head])
def test_a_damaged_file_is_refused_with_the_format_of_its_ending(form: str, tmp_path: Path) -> None:
    path = tmp_path / FILES[form]
    path.write_text("%% torn ; 1 { a -> b\n")
    done = ran("convert", str(path), "--to", "text")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert (
        f"its ending stands for {form}, and its text does not begin as {form} does; read as text: line 1: " in done.err
    )
    named = ran("convert", str(path), "--to", "text", "--from", form)
    assert named.code == 2 and f"read as {form}: " in named.err and "its ending" not in named.err
    path.write_text("a o-> b\n")  # in our own notation, whatever the file is called
    assert ran("convert", str(path), "--to", "text").out == "a o-> b\n"


def test_a_bootstrap_file_is_not_a_graph(folder: Path) -> None:
    rows = an.simulate.linear_gaussian(DAG, rows=100, seed=1)
    an.bootstrap(rows, repeats=2, progress=False).save("boot.json")
    for command in ("causes boot.json a d", "convert boot.json --to dot", "report boot.json"):
        done = ran(*command.split())
        assert done.code == 2 and "got an ancestral bootstrap file" in done.err
