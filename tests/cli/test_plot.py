"""`ancestral plot`: what it draws, from which files, and what it refuses."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import ancestral as an
from tests.support.command_line import Ran, ran

SVG = "{http://www.w3.org/2000/svg}"
DAG = an.DAG.parse("a -> c, b -> c, c -> d")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a run, a bootstrap of the same rows, and a graph."""
    monkeypatch.chdir(tmp_path)
    rows = an.simulate.linear_gaussian(DAG, rows=300, seed=1)
    an.discover(rows, algorithm="icd", knowledge=an.Knowledge(tiers=[["a", "b"], ["c", "d"]])).save("run.json")
    an.bootstrap(rows, repeats=4, algorithm="icd", progress=False).save("boot.json")
    Path("graph.txt").write_text("a o-> c, b o-> c, c --> d")
    return tmp_path


def drawn(*arguments: object) -> ElementTree.Element:
    """The picture that a command draws as graph.svg."""
    done = ran("plot", *arguments, "--output", "graph.svg")
    assert (done.code, done.out, done.err) == (0, "", "picture written to graph.svg\n")
    return ElementTree.parse("graph.svg").getroot()


def edges(picture: ElementTree.Element) -> set[str]:
    return {str(path.findtext(f"{SVG}title")) for path in picture.iterfind(f".//{SVG}path[{SVG}title]")}


def places(picture: ElementTree.Element) -> dict[str, tuple[str, str]]:
    groups = [group for group in picture.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    boxes = {str(group.findtext(f"{SVG}title")): group.find(f"{SVG}rect") for group in groups}
    return {name: (box.attrib["x"], box.attrib["y"]) for name, box in boxes.items() if box is not None}


def refused(*arguments: object) -> str:
    done: Ran = ran("plot", *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    return done.err


def test_a_run_and_a_graph_in_any_format_are_drawn(folder: Path) -> None:
    assert edges(drawn("graph.txt")) == {"a o-> c", "b o-> c", "c --> d"}
    assert ran("convert", "graph.txt", "--out", "graph.graphml").code == 0
    assert edges(drawn("graph.graphml")) == {"a o-> c", "b o-> c", "c --> d"}
    assert edges(drawn("run.json")) == {f"{a} {edge} {b}" for a, edge, b in an.load("run.json").pag.edges()}


@pytest.mark.parametrize(("name", "head"), [("g.svg", b"<svg "), ("g.png", b"\x89PNG"), ("g.pdf", b"%PDF")])
def test_the_ending_decides_about_the_format(name: str, head: bytes, folder: Path) -> None:
    assert ran("plot", "run.json", "--output", name).code == 0
    assert Path(name).read_bytes().startswith(head)


def test_without_output_the_picture_stands_beside_the_run(folder: Path) -> None:
    done = ran("plot", "run.json")
    assert (done.code, done.err) == (0, "picture written to run.svg\n")
    assert Path("run.svg").read_text().startswith("<svg ")


def test_what_is_asked_for_is_in_the_picture(folder: Path) -> None:
    text = ElementTree.tostring(drawn("run.json", "--colour", "tier"), encoding="unicode")
    assert "known order:" in text and "tier 1" in text and "tier 2" in text
    plain = ElementTree.tostring(drawn("graph.txt"), encoding="unicode")
    marked = ElementTree.tostring(drawn("graph.txt", "--highlight", "a", "--highlight", "c,d"), encoding="unicode")
    assert "#c2410c" in marked and "#c2410c" not in plain
    assert places(drawn("graph.txt", "--layout", "stress")) != places(drawn("graph.txt", "--layout", "layered"))


def test_a_bootstrap_file_fades_runs_and_graphs(folder: Path) -> None:
    boot = an.load_bootstrap("boot.json")
    for file, graph in (
        ("run.json", an.load("run.json").pag),
        ("graph.txt", an.PAG.parse("a o-> c, b o-> c, c --> d")),
    ):
        picture = drawn(file, "--bootstrap", "boot.json")
        lines = {str(path.findtext(f"{SVG}title")): path for path in picture.iterfind(f".//{SVG}path[{SVG}title]")}
        for a, edge, b in graph.edges():
            share = float(lines[f"{a} {edge} {b}"].get("opacity", 1))
            assert share == pytest.approx(0.18 + 0.82 * boot.edge(a, b).edge, abs=0.006)
    an.bootstrap(an.simulate.linear_gaussian(DAG, rows=300, seed=2), repeats=2, progress=False).save("other.json")
    assert "must be a bootstrap of the data of this run" in refused("run.json", "--bootstrap", "other.json")
    Path("small.txt").write_text("a o-> c")
    assert "must be a bootstrap of the same variables" in refused("small.txt", "--bootstrap", "boot.json")


def test_a_stage_stands_in_the_places_of_the_last_graph(folder: Path) -> None:
    found = an.load("run.json")
    first, last = drawn("run.json", "--stage", 1), drawn("run.json")
    assert edges(first) == {f"{a} {edge} {b}" for a, edge, b in found.graphs[0].edges()} != edges(last)
    assert places(first) == places(last)
    assert edges(drawn("run.json", "--stage", len(found.graphs))) == edges(last)
    assert f"--stage must be at most {len(found.graphs)}" in refused("run.json", "--stage", 99)
    assert "leave out --stage" in refused("run.json", "--stage", 1, "--fade")


def test_what_does_not_fit_is_refused(folder: Path) -> None:
    for arguments, words in (
        (["graph.txt", "--fade"], "only a run takes --fade; leave it out"),
        (["graph.txt", "--stage", 1], "only a run takes --stage; leave it out"),
        (["run.json", "--output", "graph.jpg"], "--output must end in .svg, .png or .pdf"),
        (["run.json", "--output", "no/graph.svg"], "there is no directory"),
        (["run.json", "--colour", "kinds"], "--colour"),
        (["run.json", "--highlight", "a,b,c"], "must be a variable, or two with a comma between them"),
        (["run.json", "--highlight", "z"], "'z'"),
        (["boot.json"], "boot.json"),
    ):
        assert words in refused(*arguments)
    Path("graph.svg").write_text("a o-> c, b o-> c, c --> d")
    assert "would overwrite the graph" in refused("graph.svg", "--output", "graph.svg")
    assert Path("graph.svg").read_text() == "a o-> c, b o-> c, c --> d"


def test_the_window_of_a_series_is_drawn(folder: Path) -> None:
    series = an.SeriesDAG.parse("x -1-> x, x -1-> y")
    an.discover_series(an.simulate.linear_series(series, rows=200, seed=1), lags=1).save("series.json")
    assert "x[t-1]" in ElementTree.tostring(drawn("series.json"), encoding="unicode")
    assert "whose picture does not take --layout; leave it out" in refused("series.json", "--layout", "stress")
