"""Bad input is refused with a message that names the thing, the reason and the way out; nothing is written."""

import re
from pathlib import Path
from typing import Any

import pytest

import ancestral as an
from ancestral.cli.app import spelling
from ancestral.options import DiscoverOptions
from tests.support.bad_inputs import CASES, FOREIGN, GOOD, GRAPHS, BadInput


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def write(case: BadInput) -> None:
    if case.content is not None:
        Path(case.name).write_bytes(case.content)
    for name, content in case.beside.items():
        Path(name).write_bytes(content)


def test_the_table_is_long_enough() -> None:
    assert len(CASES) + len(GRAPHS) >= 60


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_python_refuses(case: BadInput, folder: Path) -> None:
    write(case)
    before = contents(folder)
    with pytest.raises(an.AncestralError) as caught:
        an.discover(case.name, **case.options)
    assert case.words in str(caught.value)
    assert has_way_out(str(caught.value))
    assert contents(folder) == before


def has_way_out(message: str) -> bool:
    """The message says what must hold, or after the reason what to do about it."""
    return "must be" in message or ";" in message or "?" in message or ":" in message.rsplit(". ", 1)[-1]


@pytest.mark.parametrize(("text", "words"), GRAPHS, ids=[words for _, words in GRAPHS])
def test_python_refuses_a_text_that_is_no_graph(text: str, words: str) -> None:
    kind = an.DAG if ": " in text else an.PAG
    with pytest.raises(an.AncestralError) as caught:
        kind.parse(text)
    assert words in str(caught.value)


# -- the command line ---------------------------------------------------------------------------------------------


def arguments(options: dict[str, Any]) -> list[str]:
    """Options of `discover()` as they are written on the command line."""
    out: list[str] = []
    for option, value in options.items():
        if option == "kinds":
            for column, kind in value.items():
                out += [f"--{kind}", column]
        else:
            shown = ",".join(value) if isinstance(value, list) else str(value)
            out.append(f"--{option.replace('_', '-')}={shown}")
    return out


def command(*words: str) -> int:
    from ancestral.cli.app import run

    return run(words)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_the_command_line_refuses(case: BadInput, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(case)
    before = contents(folder)
    assert command("discover", case.name, *arguments(case.options)) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "Traceback" not in told.err
    assert told.err.startswith("ancestral: error: ")
    if case.told is not None:
        assert case.told in " ".join(told.err.split())
    else:
        assert told.err == f"ancestral: error: {in_shell(case)}\n"
    assert not OF_PYTHON.search(told.err)
    assert contents(folder) == before


#: An option as Python spells it.
OF_PYTHON = re.compile(rf"\b({'|'.join(option.name for option in DiscoverOptions.options())})=")


def in_shell(case: BadInput) -> str:
    """The message of Python with options as the command line spells them: `--alpha 0.0`, not `alpha=0.0`."""
    with pytest.raises(an.AncestralError) as caught:
        an.discover(case.name, **case.options)
    return caught.value.worded(spelling("discover"))


@pytest.mark.parametrize(("text", "words"), GRAPHS, ids=[words for _, words in GRAPHS])
def test_compare_refuses_a_text_that_is_no_graph(
    text: str, words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bad.txt").write_text(text)
    Path("good.txt").write_text("a o-> b")
    assert command("compare", "good.txt", "bad.txt") == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "bad.txt" in told.err
    assert words in " ".join(told.err.split())


@pytest.mark.parametrize(("name", "content", "words"), FOREIGN, ids=[name for name, _, _ in FOREIGN])
def test_convert_refuses_a_file_that_is_no_graph(
    name: str, content: bytes, words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(name).write_bytes(content)
    assert command("convert", name, "--to", "text", "--out", "new.txt") == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"ancestral: error: {words}")
    assert told.err.count("\n") == 1
    assert has_way_out(told.err)
    assert contents(folder) == {name: content}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["why", "run.json", "age", "diet"], "unknown node 'age'; there are: 'a', 'b', 'c'"),
        (["why", "run.json", "a", "a"], "the two variables must differ, got 'a' twice; ask about two different ones"),
        (["why", "nothing.json", "a", "b"], "nothing.json: cannot be read (No such file or directory)"),
        (
            ["why", "study.csv", "a", "b"],
            "study.csv: must be a run file, got neither a run nor a graph; if it is a table",
        ),
        (["why", "run.json", "a"], "Missing argument"),
        (["discover"], "Missing argument"),
        (["discover", "study.csv", "--alfa", "0.1"], "No such option: --alfa"),
        (["discover", "study.csv", "--alpha", "small"], "'--alpha': Input should be a valid number"),
        (
            ["discover", "study.csv", "--format", "png"],
            "--format must be one of 'text', 'json', 'csv', 'dot', got 'png'",
        ),
        (["discover", "study.csv", "--output", "study.csv"], "study.csv"),
        (["discover", "study.csv", "--output", "no/graph.txt"], "no/graph.txt"),
        (["discover", "study.csv", "--time-limit", "soon"], "soon"),
        (["compare", "run.json", "nothing.txt"], "nothing.txt"),
        (["compare", "run.json", "other.txt"], "the graphs have different nodes: the estimate lacks 'p' and 'q'"),
        (["convert", "run.json"], "no format is given; pass --to with one of text, dot,"),
        (["convert", "run.json", "--out", "graph.xyz"], "the ending of 'graph.xyz' is not that of a format; pass --to"),
        (["convert", "run.json", "--to", "png"], "--to must be one of 'text', 'dot', 'graphml',"),
        (["convert", "run.json", "--to", "dot", "--from", "dott"], "got 'dott'; did you mean 'dot'?"),
        (
            ["convert", "run.json", "--to", "dot", "--kind", "pg"],
            "--kind must be one of 'dag', 'mag', 'cpdag', 'pag', got",
        ),
        (["simulate", "--kind", "gauss"], "'discrete', 'mixed', 'ordinal', got 'gauss'; did"),
        (["convert", "run.json", "--to", "dot", "--out", "run.json"], "run.json: --out would overwrite the graph"),
        (["convert", "run.json", "--to", "dot", "--out", "no/graph.dot"], "no/graph.dot: there is no directory"),
        (["convert", "run.json", "--to", "dot", "--kind", "mag"], "run.json: is a run that found a PAG"),
        (["convert", "other.txt", "--to", "dot", "--kind", "mag"], "a MAG has no edge p o-> q"),
        (
            ["convert", "other.txt", "--to", "dot", "--from", "dagitty"],
            "other.txt, read as dagitty: line 1: expected 'dag' or",
        ),
        (["convert", "nothing.txt", "--to", "dot"], "nothing.txt: cannot be read"),
        (["simulate", "--nodes", "1", "--output", "new.csv"], "--nodes"),
        (["simulate", "--output", "study.csv"], "study.csv"),
        (["simulate", "--output", "new.xlsx"], "new.xlsx"),
        (["fly"], "No such command 'fly'"),
    ],
)
def test_other_commands_refuse(
    words: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(BadInput("", "", GOOD))
    an.discover("study.csv", save="run.json")
    Path("other.txt").write_text("p o-> q")
    before = contents(folder)
    capsys.readouterr()
    assert command(*words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "Traceback" not in told.err
    assert message in " ".join(told.err.split())
    assert contents(folder) == before
