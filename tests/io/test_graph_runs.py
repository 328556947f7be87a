"""Run files of graphs that were found without asking questions: what they hold, and what is refused."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import ancestral as an
from ancestral.parallel.clock import Stopped
from ancestral.search.algorithms import ALGORITHMS
from ancestral.search.base import Problem
from ancestral.search.stage import GraphStage, Stage
from tests.support.chow_liu import POLYTREE, registered
from tests.support.hostile_runs import Original, attack

ROWS = an.simulate.linear_gaussian(
    an.DAG.parse("size -> age, diet -> age, age -> load, load -> rate, rest"), rows=300, seed=4
)


@pytest.fixture(autouse=True)
def _polytree() -> Iterator[None]:
    with registered("polytree", POLYTREE):
        yield


def forest_only(problem: Problem) -> Iterator[Stage]:
    """Is stopped after its first stage."""
    yield next(iter(POLYTREE.run(problem)))
    raise Stopped


def at_once(problem: Problem) -> Iterator[Stage]:
    """Is stopped before its first stage."""
    raise Stopped
    yield


def found(run: Any = POLYTREE.run) -> an.Discovery:
    """What the algorithm finds if it runs so."""
    ALGORITHMS["polytree"] = replace(POLYTREE, run=run)
    try:
        return an.discover(ROWS, algorithm="polytree")
    finally:
        ALGORITHMS["polytree"] = POLYTREE


WAYS = {"complete": POLYTREE.run, "stopped": forest_only, "not begun": at_once}


@pytest.mark.parametrize("listed", [1_000, 3])
@pytest.mark.parametrize("way", WAYS)
def test_a_file_holds_the_whole_run(way: str, listed: int, tmp_path: Path) -> None:
    run, path = found(WAYS[way]), tmp_path / "run.json.gz"
    with patch("ancestral.io.columns.LISTED", listed), patch("ancestral.io.columns.BLOCK_BYTES", 48):
        run.save(path)
        again = an.load(path)
        assert again.to_json() == run.to_json()
    assert isinstance(again.stage, GraphStage) and isinstance(run.stage, GraphStage)
    assert (again.pag, again.stage.mag) == (run.pag, run.stage.mag)
    assert (again.history, again.graphs) == (run.history, run.graphs)
    assert (again.stopped, again.complete, again.score) == (run.stopped, run.complete, run.score)
    assert again.trace.orientations == run.trace.orientations and again.trace.notes == run.trace.notes
    assert str(again) == str(run) and repr(again) == repr(run)
    frames = again.to_frame("all"), run.to_frame("all")
    if way == "complete":
        assert frames[0].equals(frames[1])
        assert [str(again.why(a, b)) for a in ROWS.columns for b in ROWS.columns if a != b] == [
            str(run.why(a, b)) for a in ROWS.columns for b in ROWS.columns if a != b
        ]
    else:  # the sets follow from the graph, the p-values need the data
        assert frames[0]["sepset"].equals(frames[1]["sepset"])
    assert again.to_json() == an.load(path).to_json()  # what was looked at makes no difference


def test_the_keys_are_those_that_make_sense() -> None:
    document = json.loads(found().to_json())
    assert list(document) == [
        "format", "version", "made_by", "settings", "seeds", "data", "variables", "reasons", "phase", "complete",
        "stopped", "score", "scale", "marginal", "edges", "stages", "member", "separations", "orientations",
        "conflicts", "notes", "check", "packed",
    ]  # fmt: skip
    assert (document["version"], document["reasons"]) == (4, "graph")
    text = (Path(__file__).parents[2] / "docs" / "run-file.md").read_text().partition("## A graph without questions")[2]
    described = set(re.findall(r"`([a-z_]+)`", " ".join(re.findall(r"^\| (`.*?) \|", text, re.MULTILINE))))
    assert set(document) - set(json.loads(an.discover(ROWS, algorithm="icd").to_json())) <= described <= set(document)


def test_many_pairs_are_not_asked_about_to_save_them() -> None:
    run = found()
    with patch("ancestral.result.MOST_PAIRS", 5), patch("ancestral.io.run_graph.MOST_PAIRS", 5):
        run.why("size", "load")
        assert json.loads(run.to_json())["separations"]["a"] == []


#: Changes of a document, each with a part of what is said about it.
CHANGES: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "reasons": (lambda d: d.update(reasons="scores"), 'reasons must be one of "graph"'),
    "no reasons": (lambda d: d.pop("reasons"), "score is not known here|member is not known here"),
    "algorithm that asks": (lambda d: d["settings"].update(algorithm="icd"), "an algorithm that asks no questions"),
    "radius": (lambda d: d.update(radius=1), "radius is not known here"),
    "phase": (lambda d: d.update(phase="climb"), "phase must be one of"),
    "phase of a stage": (lambda d: d["stages"][0].update(phase="climb"), r"stages\[0\].phase must be one of"),
    "last phase": (lambda d: d.update(phase="forest"), "a list that ends with `phase` and `score`"),
    "score": (lambda d: d.update(score="low"), "score must be a finite number"),
    "infinite score": (lambda d: d.update(score=10**400), "score must be a finite number"),
    "another score": (lambda d: d.update(score=1.5), "a list that ends with `phase` and `score`"),
    "stopped": (lambda d: d.update(stopped="time limit"), "null in a complete run"),
    "stages": (lambda d: d.update(stages=[], phase="forest", score=None), "a list with a stage in a complete run"),
    "many stages": (lambda d: d.update(stages=d["stages"] * 10_000), "at most 10,000 stages"),
    "last graph": (lambda d: d["stages"][-1].update(graph=d["edges"]), "null, since the last graph"),
    "member of another class": (
        lambda d: d["member"].update(edge=["---"] * len(d["member"]["edge"])), "with the edges of `edges`"
    ),
    "member with a circle": (lambda d: d["member"]["edge"].__setitem__(2, "o-o"), "with the edges of `edges`"),
    "member without an edge": (
        lambda d: d["member"].update({k: v[1:] for k, v in d["member"].items()}), "with the edges of `edges`"
    ),
    "set that does not separate": (
        lambda d: d["separations"]["given"].__setitem__(0, d["variables"].index("rest")), "sets that separate"
    ),
    "set of an edge": (
        lambda d: d["separations"].update(a=[d["edges"]["a"][0], *d["separations"]["a"][1:]],
                                          b=[d["edges"]["b"][0], *d["separations"]["b"][1:]]),
        "about pairs without an edge|sets without the pair",
    ),
    "reason of a circle": (lambda d: d["orientations"]["x"].append(0), "must be a list of|at most one reason"),
    "note about nothing": (lambda d: d["notes"]["about"].__setitem__(0, "no edge"), "about edges and marks that are"),
    "note of another kind": (lambda d: d["notes"]["about"].__setitem__(0, "colour"), "must be one of"),
    "note without a number": (lambda d: d["notes"]["number"].__setitem__(0, "1"), "a number or null"),
    "note that is long": (lambda d: d["notes"]["text"].__setitem__(0, "x" * 1_001), "at most 1,000 characters"),
    "note that is no text": (lambda d: d["notes"]["text"].__setitem__(0, 1), "a string"),
    "knowledge": (
        lambda d: d["settings"].update(knowledge={"no_edge": [[d["variables"][d["edges"][end][0]] for end in "ab"]]}),
        "keeps to the knowledge|cannot be combined",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_file_is_refused(what: str, tmp_path: Path) -> None:
    change, message = CHANGES[what]
    document = json.loads(found().to_json())
    change(document)
    path = tmp_path / "run.json"
    path.write_text(json.dumps(document))
    with pytest.raises(an.RunError, match=message):
        an.load(path)


def test_a_member_must_be_ancestral(tmp_path: Path) -> None:
    """An undirected edge at a node with an arrowhead is not, though the circles of the graph would allow for it."""
    document = json.loads(found(forest_only).to_json())
    assert set(document["edges"]["edge"]) == {"o-o"}
    document["member"]["edge"] = ["<->"] + ["---"] * (len(document["edges"]["a"]) - 1)
    path = tmp_path / "run.json"
    path.write_text(json.dumps(document))
    with pytest.raises(an.RunError, match="a maximal ancestral graph with the edges of `edges`"):
        an.load(path)


def test_a_run_that_asked_is_not_read_as_one_that_did_not(tmp_path: Path) -> None:
    document = json.loads(an.discover(ROWS, algorithm="icd").to_json())
    document["settings"]["algorithm"] = "polytree"
    del document["settings"]["colliders"]
    path = tmp_path / "run.json"
    path.write_text(json.dumps(document))
    with pytest.raises(an.RunError, match="an algorithm that asks questions"):
        an.load(path)


def test_a_mark_need_not_come_from_a_rule(tmp_path: Path) -> None:
    document = json.loads(found().to_json())
    assert document["orientations"]["x"]
    document["orientations"] = {key: [] for key in document["orientations"]}
    path = tmp_path / "run.json"
    path.write_text(json.dumps(document))
    run = an.load(path)
    a, _, b = next(edge for edge in run.pag.edges() if ">" in edge[1])
    assert "the graph that was found says so." in str(run.why(a, b))


def test_what_could_not_be_read_again_is_not_written() -> None:
    def run(problem: Problem) -> Iterator[Stage]:
        return (replace(stage, score=float("nan")) for stage in POLYTREE.run(problem))

    with pytest.raises(an.RunError, match="score must be a finite number"):
        found(run).to_json()


def test_changed_files_are_refused_or_fully_usable(tmp_path: Path) -> None:
    files = []
    for name, way in WAYS.items():
        for listed in (1_000, 3):
            with patch("ancestral.io.columns.LISTED", listed), patch("ancestral.io.columns.BLOCK_BYTES", 48):
                text = found(way).to_json()
            files.append(Original(f"{name} {listed}", json.loads(text), "run", ROWS, {"algorithm": "polytree"}))
    outcome = attack(400, seed=1, folder=tmp_path, files=files)
    assert min(outcome.outcomes[what] for what in ("refused", "loaded", "resumed")) > 10
