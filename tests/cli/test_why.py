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
