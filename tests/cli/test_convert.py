from itertools import product
from pathlib import Path

import pytest

import ancestral as an
from ancestral.graphs import MixedGraph
from ancestral.io.interop.texts import FORMATS
from tests.support.command_line import ran

PAG = an.PAG.parse("a o-> b, b --> c, c o-o d, e")
GRAPHS = {"pag": PAG, "mag": an.MAG.parse("a --> b, b <-> c"), "cpdag": an.CPDAG.parse("a --- b, b --> c")}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("form", "other"), list(product(FORMATS, FORMATS)))
def test_every_format_into_every_other(form: str, other: str, folder: Path) -> None:
    Path("graph.txt").write_text(str(PAG))
    first, second = (f"{name}{FORMATS[f].endings[0]}" for name, f in (("first", form), ("second", other)))
    assert ran("convert", "graph.txt", "--out", first).code == 0
    done = ran("convert", first, "--out", second)
    assert (done.code, done.out, done.err) == (0, "", f"graph written to {second} as {other}\n")
    assert FORMATS[other].read(Path(second).read_text(encoding="utf-8"), None) == PAG


@pytest.mark.parametrize("form", FORMATS)
def test_the_content_tells_the_format_whatever_the_name(form: str, folder: Path) -> None:
    Path("graph.txt").write_text(str(PAG))
    assert ran("convert", "graph.txt", "--to", form, "--out", "graph").code == 0
    assert an.PAG.parse(ran("convert", "graph", "--to", "text").out) == PAG


@pytest.mark.parametrize("kind", GRAPHS)
def test_a_kind_that_is_not_written_is_asked_for(kind: str, folder: Path) -> None:
    Path("graph.txt").write_text(str(GRAPHS[kind]))
    done = ran("convert", "graph.txt", "--kind", kind, "--to", "dagitty")
    assert an.from_dagitty(done.out) == GRAPHS[kind]


def test_a_run(folder: Path) -> None:
    found = an.discover(an.Oracle(an.DAG.parse("a -> c, b -> c, c -> d")))
    for name in ("run.json", "run.json.gz"):
        found.save(name)
        assert an.from_dot(ran("convert", name, "--to", "dot").out) == found.pag


def test_windows_files_and_names_that_no_terminal_likes(folder: Path) -> None:
    graph: MixedGraph = an.PAG.from_edges([('"]};//', "o->", "\u202e👩‍🔬\n"), ("\u202e👩‍🔬\n", "---", "</data>")])
    Path("graph.txt").write_bytes(b"\xef\xbb\xbf" + str(graph).replace("\n", "\r\n").encode())
    for form in ("dot", "graphml", "pcalg", "tetrad-json"):
        assert FORMATS[form].read(ran("convert", "graph.txt", "--to", form).out, None) == graph
    refused = ran("convert", "graph.txt", "--to", "tetrad")
    assert refused.code == 2
    assert "Tetrad's text cannot write the name" in refused.err
    assert refused.err.count("\n") == 1


def test_half_a_character_is_no_name_for_a_file(folder: Path) -> None:
    Path("graph.txt").write_text('"\\ud800" --> b', encoding="utf-8")
    done = ran("convert", "graph.txt", "--to", "dot", "--out", "graph.dot")
    assert done.code == 2
    assert "graph.txt: a name holds '\\ud800', half a character, which no file can hold" in done.err
    assert not Path("graph.dot").exists()
