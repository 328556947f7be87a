from pathlib import Path

import pytest

import ancestral as an
from tests.support.command_line import Ran, ran


@pytest.fixture
def run(tmp_path: Path) -> Path:
    dag = an.DAG.parse("age -> diet, motivation -> diet, motivation -> sport, region -> sport", latent=["motivation"])
    an.discover(an.Oracle(dag)).save(tmp_path / "run.json")
    return tmp_path / "run.json"


def test_why(run: Path) -> None:
    message = "No edge between age and sport.\n  age and sport are independent given nothing (found at radius 0).\n"
    assert ran("why", run, "age", "sport") == Ran(0, message, "")


def test_why_tells_the_evidence_of_a_search_by_score(tmp_path: Path) -> None:
    rows = an.simulate.linear_gaussian(an.DAG.parse("a -> c, b -> c, c -> d"), rows=300, seed=3)
    found = an.discover(rows, algorithm="scored")
    found.save(tmp_path / "run.json")
    done = ran("why", tmp_path / "run.json", "c", "d")
    evidence = found.claims("c", "d").adjacency.evidence
    assert f"c --> d: kept: without the edge the best graph found is {evidence:.1f} worse; of such edges " in done.out
    assert done.out.endswith("Not proved: other graphs may score better.\n")


def test_unknown_names_are_corrected(run: Path) -> None:
    done = ran("why", run, "age", "sprot")
    assert done == Ran(2, "", "ancestral: error: unknown node 'sprot'; did you mean 'sport'?\n")


def test_what_is_no_run_file(tmp_path: Path) -> None:
    path = tmp_path / "graph.txt"
    path.write_text("a --> b", encoding="utf-8")
    for place in (path, tmp_path / "none.json"):
        done = ran("why", place, "a", "b")
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert str(place) in done.err


@pytest.mark.parametrize("command", ["why {} a b", "report {}"])
@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("g.txt", b"a o-> b", "got a PAG; reasons are only in runs, and run files are written by ancestral discover"),
        ("g.dot", b"a o-> b", "got a PAG; reasons"),
        ("data.csv", b"a,b\n1,2\n3,4\n5,6\n", "if it is a table of data, learn a graph from it first: ancestral"),
        ("data.parquet", b"PAR1\x00\xff[[[", "if it is a table of data, learn a graph from it first: ancestral"),
        ("noise.json", b"\xff\xfe{", "got neither a run nor a graph; run files are written by"),
        ("cut.json", b'{"format": "ancestral run", ', "cannot be read as JSON (nested too deeply, or cut off)"),
        ("odd.json", b'{"format": "ancestral run", : }', "cannot be read as JSON; a run file is written by"),
    ],
)
def test_a_file_that_is_not_a_run_is_named(
    command: str, name: str, content: bytes, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(content)
    done = ran(*command.format(name).split())
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert name in done.err and message in done.err
    assert "Expecting" not in done.err


def test_a_report_is_a_page(run: Path) -> None:
    done = ran("report", run, "--output", run.with_suffix(".csv"))
    assert done.code == 2 and "error: --output must end in .html, got" in done.err
