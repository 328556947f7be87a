from pathlib import Path

import pytest

import ancestral as an
from tests.support.command_line import Ran, ran

STUDY = an.DAG.parse("age -> diet, motivation -> diet, motivation -> sport, region -> sport, diet -> weight",
                     latent=["motivation"])  # fmt: skip


@pytest.fixture
def run(tmp_path: Path) -> Path:
    an.discover(an.Oracle(STUDY)).save(tmp_path / "run.json")
    return tmp_path / "run.json"


@pytest.fixture
def text(tmp_path: Path) -> Path:
    (tmp_path / "graph.txt").write_text("a o-> x, b o-> x, x --> y\n", encoding="utf-8")
    return tmp_path / "graph.txt"


def test_causes(run: Path) -> None:
    message = """Does diet cause weight? Yes: diet --> weight, and an arrowhead at diet (from age) rules selection out.
Does weight cause diet? No: every path from weight to diet has an arrowhead that points back towards weight.
Does something unmeasured drive both? No: age o-> diet, and age is not adjacent to weight: diet --> weight is visible.
"""
    assert ran("causes", run, "diet", "weight") == Ran(0, message, "")
    assert "drive both? Yes: diet <-> sport" in ran("causes", run, "diet", "sport").out


def test_adjust(run: Path) -> None:
    message = """Effect of diet on weight: by adjustment.
  minimal set: nothing
  canonical set: {age}
  best set: nothing (smallest variance of all)
  Assumed: the sample was not selected on anything that these variables cause.
"""
    assert ran("adjust", run, "diet", "weight") == Ran(0, message, "")
    joint = ran("adjust", run, "diet,sport", "weight")
    assert joint.out.startswith("Effect of diet, sport on weight: by adjustment.")


def test_graphs_as_text(text: Path, tmp_path: Path) -> None:
    assert "minimal set: nothing" in ran("adjust", text, "x", "y").out
    assert "not by adjustment" in ran("adjust", text, "a", "y").out
    assert "Does x cause y? Yes: x --> y, and an arrowhead" in ran("causes", text, "x", "y").out
    dag = tmp_path / "dag.txt"
    dag.write_text("z -> x, z -> y, x -> y", encoding="utf-8")
    assert "minimal set: {z}" in ran("adjust", dag, "x", "y").out
    assert "Does x cause y? Possibly" in ran("causes", dag, "x", "y").out  # all that can be learned of a DAG
    dag.write_text("z -> x, z -> y, x -> m, m -> y, z2 -> m, z2 -> x", encoding="utf-8")
    assert "there are more" not in ran("adjust", dag, "x", "y", "--limit", 1).out


def test_selection_bias(run: Path, tmp_path: Path) -> None:
    graph = tmp_path / "graph.txt"
    graph.write_text("a --> b, c o-> b", encoding="utf-8")
    assert "Possibly: a --> b" in ran("causes", graph, "a", "b").out
    assert "Yes: a --> b" in ran("causes", graph, "a", "b", "--no-selection-bias").out
    assert ran("causes", run, "diet", "weight", "--no-selection-bias").code == 2


def test_bad_questions(run: Path, tmp_path: Path) -> None:
    for arguments, message in [
        (("causes", run, "diet", "wieght"), "did you mean 'weight'"),
        (("causes", run, "diet", "diet"), "ask about two different ones"),
        (("adjust", run, "diet", "diet"), "both cause and effect"),
        (("adjust", run, "diet,", "weight"), "empty name"),
        (("adjust", run, "diet", "weight", "--limit", 0), "--limit must be a whole number of at least 1, got 0"),
        (("adjust", tmp_path / "none.json", "a", "b"), "none.json"),
    ]:
        done = ran(*arguments)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), done
        assert message in done.err
