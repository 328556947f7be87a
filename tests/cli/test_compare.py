import json
from pathlib import Path

import polars as pl
import pytest

import ancestral as an
from ancestral.cli.graphs import read_graph
from tests.support.command_line import ran

DAG = an.DAG.parse("a -> b, L -> b, L -> c, d -> c", latent=["L"])


def written(path: Path, text: object) -> Path:
    path.write_text(f"{text}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["run.json", "run.json.gz", "run.txt"])
def test_a_run_is_known_by_its_content(name: str, tmp_path: Path) -> None:
    found = an.discover(an.Oracle(DAG))
    found.save(tmp_path / name)
    done = ran("compare", tmp_path / name, written(tmp_path / "truth.txt", DAG))
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{an.compare(found, DAG)}\n"
    assert done.out.endswith("The graphs are the same.\n")


@pytest.mark.parametrize(
    ("text", "graph"),
    [
        ("a --> b, c <-- b", an.DAG.parse("a --> b, b --> c")),
        ("a --> b\nlatent: a", an.DAG.parse("a --> b", latent=["a"])),
        ("a, b", an.DAG.parse("a, b")),
        ("a --> b, b <-> c", an.PAG.parse("a --> b, b <-> c")),
        ("a --> b, b o-> c", an.PAG.parse("a --> b, b o-> c")),
        ("a --- b", an.PAG.parse("a --- b")),
        ("\ufeffa --> b\r\nb o-o c\r\n", an.PAG.parse("a --> b, b o-o c")),
    ],
)
def test_what_a_text_is(text: str, graph: object, tmp_path: Path) -> None:
    path = tmp_path / "graph.txt"
    path.write_bytes(text.encode())
    read = read_graph(path)
    assert type(read) is type(graph)
    assert read == graph


def test_formats(tmp_path: Path) -> None:
    a, b = written(tmp_path / "a", "a o-> b, b --> c, d"), written(tmp_path / "b", "a o-> b, b o-> c, c o-o d")
    numbers = json.loads(ran("compare", a, b, "--format", "json").out)
    assert (numbers["shd"], numbers["true_positives"], numbers["same"]) == (2, 2, False)
    assert numbers["differences"] == [
        {"a": "b", "estimate": "-->", "truth": "o->", "b": "c"},
        {"a": "c", "estimate": None, "truth": "o-o", "b": "d"},
    ]
    assert {"truth": "circle", "estimate": "none", "ends": 2} in numbers["confusion"]
    frame = pl.read_csv(ran("compare", a, b, "--format", "csv").out.encode())
    assert dict(frame.rows())["shd"] == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a --> b, b --> a", "two edges between"),
        (b"a --> b, b --> c, c --> a", "directed cycle"),
        (b"a b c", "line 1: "),
        (b"a o-> b\nlatent: a", "a DAG has no edge a o-> b; its edges are -->"),
        (b"\xff\xfe\x00", "line 1 is not written in UTF-8; save the file as UTF-8 text"),
        (b"", "the text must hold at least one node, got none"),
        (b"{}", "must be a run file, got another file"),
        (b"x --> y", "the graphs have different nodes"),
    ],
)
def test_bad_files(content: bytes, message: str, tmp_path: Path) -> None:
    bad, good = tmp_path / "bad", written(tmp_path / "good", "a o-> b")
    bad.write_bytes(content)
    done = ran("compare", bad, good)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err
    assert str(bad) in done.err or "different nodes" in message
