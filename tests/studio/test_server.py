"""The studio does what Python does, and keeps it in files that Python reads."""

import json
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import ancestral as an
from ancestral.studio.guard import MOST_UPLOAD
from tests.support.studio import RunningStudio, write_study

SVG = "{http://www.w3.org/2000/svg}"
TIERS = {"tiers": [["a", "b"], ["c"], ["d"]], "forbidden": [], "required": [], "no_edge": [], "causes": []}


@pytest.fixture(autouse=True)
def _as_at_the_beginning(studio: RunningStudio) -> None:
    """The project as it was after its first search, whatever the test before has changed."""
    studio.post("choose", name="study.csv")
    studio.post("knowledge", knowledge={"targets": [], "exogenous": [], "context_assumptions": None})
    options = dict.fromkeys(studio.get("api/state")["options"])
    studio.post("options", options={**options, "algorithm": "icd"})
    studio.post("current", id="001")


def repeated(studio: RunningStudio, folder: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The run file that the lines in Python write, run in the project folder."""
    monkeypatch.chdir(folder)
    exec(studio.get("api/state")["repeat"]["python"].replace("print(found)", ""), {})
    content = (folder / "run.json").read_bytes()
    (folder / "run.json").unlink()
    return content


def test_a_search_writes_the_run_file_of_python_byte_for_byte(
    studio: RunningStudio, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio.post("options", options={"algorithm": None, "alpha": 0.05, "kinds": {"a": "continuous"}, "drop": ["b"]})
    for knowledge in ({}, {"tiers": [["a"], ["c"]], "forbidden": [["d", "a"]]}):
        studio.post("knowledge", knowledge=knowledge)
        studio.post("search")
        state = studio.finished()
        assert state["last_error"] is None
        saved = folder / "answers" / state["current"] / "run.json"
        assert saved.read_bytes() == repeated(studio, folder, monkeypatch)
        assert an.load(saved).reading.source == "study.csv"
    assert an.Knowledge.read(folder / "knowledge.toml") == an.Knowledge(tiers=[["a"], ["c"]], forbidden=[("d", "a")])
    assert state["answers"][-1]["changed"] == ["a < c", "d -/-> a"]
    studio.post("undo")
    state = studio.post("undo")
    assert state["options"]["alpha"] == 0.01 and state["options"]["algorithm"] == "icd"
    assert not (folder / "knowledge.toml").exists()


def test_questions_are_answered_in_the_words_of_the_package(studio: RunningStudio, folder: Path) -> None:
    found = an.load(folder / "answers" / "001" / "run.json")
    ask: dict[str, Any] = {"id": "001", "a": "c", "b": "d"}
    assert studio.post("ask", what="why", **ask) == {"text": str(found.why("c", "d")), "ok": True}
    assert studio.post("ask", what="adjust", **ask)["text"] == str(found.adjustment_set(["c"], ["d"]))
    assert studio.post("ask", what="causes", **ask)["text"].startswith("Does c cause d? Yes")
    assert "95% interval" in studio.post("ask", what="effect", **ask)["text"]
    for what in ("identify", "possible"):
        assert studio.post("ask", what=what, **ask)["ok"]
    wrong = studio.post("ask", what="why", id="001", a="c", b="nobody")
    assert not wrong["ok"] and "nobody" in wrong["text"]


def test_an_effect_in_a_mixed_table_is_computed_and_the_way_out_of_a_refusal_is_there(
    studio: RunningStudio, folder: Path
) -> None:
    rng = np.random.default_rng(5)
    a = rng.normal(size=400)
    b = np.where(rng.random(400) < 0.5, "yes", "no")
    y = 2 * a + rng.normal(size=400)
    content = "a,b,y\n" + "".join(f"{one:.5f},{two},{three:.5f}\n" for one, two, three in zip(a, b, y, strict=True))
    studio.upload("mixed.csv", content.encode())
    studio.post("knowledge", knowledge={"tiers": [["a", "b"], ["y"]], "unconfounded": [["a", "y"]]})
    studio.post("search")
    number = studio.finished()["current"]
    slope, intercept = np.polyfit(a, y, 1)  # by the graph, nothing is to be adjusted for
    for what in ("effect", "robust"):
        said = studio.post("ask", id=number, what=what, a="a", b="y")
        assert said["ok"], said
        told = float(said["text"].split("standard error")[0].split()[-1])
        error = float(np.std(y - slope * a - intercept) / np.std(a) / 20)
        assert abs(told - slope) < (1e-3 if what == "effect" else error), said
    said = studio.post("ask", id=number, what="possible", a="a", b="y")
    assert not said["ok"] and "'b' has levels" in said["text"] and "step Variables" in said["text"], said
    studio.post("forget", id=number)
    for _ in range(2):
        studio.post("undo")
    (folder / "mixed.csv").unlink()


def test_two_answers_are_drawn_in_the_same_places_with_what_differs_in_colour(
    studio: RunningStudio, folder: Path
) -> None:
    studio.post("knowledge", knowledge={"tiers": [["c", "d"], ["a", "b"]]})
    studio.post("search")
    other = studio.finished()["current"]
    one_graph, other_graph = (an.load(folder / "answers" / id / "run.json").pag for id in ("001", other))
    drawn = []
    for path, graph, rest in (
        (f"answers/001/beside/{other}?first=own", one_graph, other_graph),
        (f"answers/{other}/beside/001?first=other", other_graph, one_graph),
    ):
        document = ElementTree.fromstring(studio.get(path))
        lines = [line for line in document.iter(f"{SVG}path") if line.find(f"{SVG}title") is not None]
        coloured = {str(line.findtext(f"{SVG}title")) for line in lines if line.get("stroke") != "#1f2937"}
        assert coloured == {" ".join(edge) for edge in graph.edges()} - {" ".join(edge) for edge in rest.edges()}
        boxes = (group for group in document.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None)
        drawn.append({box.findtext(f"{SVG}title"): box.find(f"{SVG}rect").attrib["x"] for box in boxes})  # type: ignore[union-attr]
    assert one_graph != other_graph and drawn[0] == drawn[1]
    assert studio.raw("GET", f"/{studio.secret}/answers/001/beside/900")[0] == 404
    studio.post("forget", id=other)
    studio.post("undo")


def test_what_can_be_saved_is_what_python_makes(studio: RunningStudio, folder: Path, tmp_path: Path) -> None:
    run = folder / "answers" / "001" / "run.json"
    found = an.load(run)
    assert studio.raw("GET", f"/{studio.secret}/answers/001/files/run.json")[2] == run.read_bytes()
    found.report(tmp_path / "report.html")
    assert studio.get("answers/001/files/report.html") == (tmp_path / "report.html").read_bytes()
    found.plot(tmp_path / "graph.svg")
    assert studio.get("answers/001/files/graph.svg") == (tmp_path / "graph.svg").read_bytes()
    assert studio.get("answers/001/files/pairs.csv").startswith(b"a,edge,b,p_value")
    found.graphs[0].plot(tmp_path / "first.svg")
    assert studio.get("answers/001/stage/0") == (tmp_path / "first.svg").read_bytes()


def test_a_page_with_an_old_version_changes_nothing(studio: RunningStudio) -> None:
    old = studio.get("api/state")["version"]
    state = studio.post("options", version=old, options={"alpha": 0.2})
    refused = studio.post("options", 409, version=old, options={"alpha": 0.3})
    assert refused["state"]["options"]["alpha"] == 0.2 and "another tab" in refused["error"]
    assert refused["state"]["version"] == state["version"]
    assert studio.post("undo")["options"]["alpha"] == 0.01


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"alpha": 2}, "Alpha must be between 0 and 1, got 2"),
        ({"algorithm": "magic"}, "Algorithm must be one of"),
        ({"kinds": {"a": "purple"}}, "purple"),
        ({"missing": "ignore"}, "Missing values must be"),
        ({"save": "/etc/passwd"}, "unknown option 'save'"),
        ([], "options must be an object"),
        ({"max_radius": -1}, "Largest radius must be"),
        ({"fdr": "x"}, "fdr"),
        ({"test": ["g"]}, "Test of independence must be one of"),
    ],
)
def test_options_that_cannot_be_used_are_refused_in_a_sentence(studio: RunningStudio, options: Any, words: str) -> None:
    before = studio.get("api/state")["options"]
    assert words.replace("_", "-") in studio.post("options", 400, options=options)["error"].replace("_", "-")
    assert studio.get("api/state")["options"] == before


def test_contradictions_are_kept_and_told_and_not_searched(studio: RunningStudio) -> None:
    state = studio.post("knowledge", knowledge={**TIERS, "required": [["d", "a"]]})
    assert "contradicts itself" in state["knowledge_faults"][0]
    assert state["knowledge"]["required"] == [["d", "a"]]
    assert "contradicts itself" in studio.post("search", 400)["error"]
    studio.get("api/describe")
    state = studio.post("knowledge_text", text="a < c\nsmoking -/-> a")
    assert state["knowledge"]["tiers"] == [["a"], ["c"]] and "smoking" in state["knowledge_faults"][0]
    assert "line 2" in studio.post("knowledge_text", 400, text="a < c\nwhat?")["error"]
    studio.post("undo")
    assert studio.post("undo")["knowledge_faults"] == []
    wrong: list[Any] = [
        [], {"tiers": "a"}, {"required": [["a"]]}, {"randomised": [1]}, {"magic": []}, {"contexts": ["\ud800"]}
    ]  # fmt: skip
    for one in wrong:
        assert "error" in studio.post("knowledge", 400, knowledge=one)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("binary.csv", bytes(range(256)) * 20, "binary.csv"),
        ("empty.csv", b"", "empty"),
        ("ragged.csv", b"a,b\n1,2\n1,2,3\n4,5\n", "ragged.csv"),
        ("other.parquet", b"not parquet at all", "other.parquet"),
    ],
)
def test_a_wrong_file_is_told_in_the_sentence_of_the_error(
    studio: RunningStudio, folder: Path, name: str, content: bytes, words: str
) -> None:
    assert studio.upload(name, content)["data"]["name"] == name
    described = studio.get("api/describe")
    with pytest.raises(an.AncestralError) as raised:
        an.discover(folder / name, progress=False)
    assert described["refused"] is not None and described["refused"].split(";")[0].split()[-1] in str(raised.value)
    if name == "ragged.csv":
        studio.post("search")
        state = studio.finished()
        assert described["refused"] == state["last_error"] and state["answers"][0]["id"] == "001"
    studio.post("undo")
    (folder / name).unlink()


def test_hostile_names_and_levels_come_back_as_they_are(studio: RunningStudio, folder: Path) -> None:
    names = ["<script>alert(1)</script>", "a\"b'c", "x;y", "=1+1", "naïve ☃", "</title>", "__proto__"]
    rows = [",".join(f'"{name.replace(chr(34), chr(34) * 2)}"' for name in names)]
    levels = np.random.default_rng(1).integers(3, size=(80, len(names)))
    rows += [",".join(f'"<b>{level}</b>"' for level in row) for row in levels]
    studio.upload("<img src=x>.csv", "\n".join(rows).encode())
    described = studio.get("api/describe")
    assert [column["name"] for column in described["columns"]] == names
    assert described["columns"][0]["values"][0].startswith("<b>")
    studio.post("knowledge", knowledge={"tiers": [names[:3], names[3:]], "randomised": [names[0]]})
    assert an.Knowledge.read(folder / "knowledge.toml").randomised == (names[0],)
    studio.post("options", options={"algorithm": None, "max_radius": 1, "kinds": {names[4]: "discrete"}})
    studio.post("search")
    state = studio.finished()
    assert state["last_error"] is None
    number = state["current"]
    page = studio.get(f"answers/{number}/report")
    assert b"<script>alert" not in page and b"</title>" not in page.split(b"</title>", 1)[1]
    assert studio.post("ask", what="why", id=number, a=names[0], b=names[6])["ok"]
    assert b"<script>alert" not in studio.get(f"answers/{number}/stage/last")
    studio.post("forget", id=number)
    for _ in range(3):
        studio.post("undo")
    (folder / "<img src=x>.csv").unlink()
    assert studio.post("current", id="001")["data"]["name"] == "study.csv"


def test_a_bootstrap_is_kept_with_its_answer_and_shown_in_its_report(studio: RunningStudio, folder: Path) -> None:
    studio.post("current", id="001")
    assert "repeats" in studio.post("bootstrap", 400, repeats=0)["error"]
    studio.post("bootstrap", repeats=10)
    state = studio.finished()
    assert state["answers"][0]["bootstrap"] and state["last_error"] is None
    boot = an.load_bootstrap(folder / "answers" / "001" / "bootstrap.json")
    assert boot.repeats == 10
    assert b"resamples" in studio.get("answers/001/report")


def test_a_page_that_waits_gets_the_news(studio: RunningStudio) -> None:
    version = studio.get("api/state")["version"]
    began = time.monotonic()
    assert studio.get(f"api/state?after={version - 1}")["version"] == version
    studio.post("options", options={"alpha": 0.1})
    assert studio.get(f"api/state?after={version}")["options"]["alpha"] == 0.1
    assert time.monotonic() - began < 15  # it would wait for 20 seconds
    studio.post("undo")


def test_files_of_one_name_do_not_replace_each_other(studio: RunningStudio, folder: Path) -> None:
    content = (folder / "study.csv").read_bytes()
    assert studio.upload("study.csv", content)["data"]["name"] == "study.csv"
    assert studio.upload("study.csv", content + content.split(b"\n")[1] + b"\n")["data"]["name"] == "study-2.csv"
    assert (folder / "study.csv").read_bytes() == content
    assert "must end in" in studio.upload("study.exe", content, 400)["error"]
    studio.post("undo")
    (folder / "study-2.csv").unlink()
    length = {"Content-Length": str(MOST_UPLOAD + 1)}
    assert studio.raw("POST", f"/{studio.secret}/api/data?name=x.csv", headers=length)[0] == 413
    assert not list(folder.glob(".upload-*"))


def test_links_that_lead_out_of_the_folder_are_refused(studio: RunningStudio, folder: Path, tmp_path: Path) -> None:
    write_study(tmp_path / "secret.csv")
    (folder / "link.csv").symlink_to(tmp_path / "secret.csv")
    (folder / "answers" / "900").symlink_to(tmp_path)
    (tmp_path / "run.json").write_text("{}")
    try:
        assert "link.csv" not in studio.get("api/state")["files"]
        studio.post("choose", 400, name="link.csv")
        assert studio.raw("GET", f"/{studio.secret}/answers/900/files/run.json")[0] == 403
        assert studio.upload("link.csv", b"x,y\n1,2\n", 403)["error"].startswith("link.csv: is a link")
    finally:
        (folder / "link.csv").unlink()
        (folder / "answers" / "900").unlink()


def test_a_body_that_is_not_an_object_is_refused(studio: RunningStudio) -> None:
    for body in (b"{", b"[]", b"1", b"[" * 100_000, b"\xff"):
        status, _, answer = studio.raw("POST", f"/{studio.secret}/api/options", body)
        assert status == 400 and "must be" in json.loads(answer)["error"]
