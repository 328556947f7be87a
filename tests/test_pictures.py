"""The pictures of the glossary and of README.md show what the pages say beside them."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import ancestral as an
from tools import marks, overview

DOCS = Path(__file__).parents[1] / "docs"
SVG = "{http://www.w3.org/2000/svg}"


def titles(path: Path) -> list[str]:
    """The edges that a picture shows, as its paths are titled."""
    found = [line.findtext(f"{SVG}title") for line in ElementTree.parse(path).iter(f"{SVG}path")]
    return sorted(title for title in found if title)


@pytest.mark.parametrize("name", marks.PICTURES)
def test_a_picture_of_the_glossary_shows_its_graph(name: str) -> None:
    graph = marks.PICTURES[name].graph
    edges = [graph.edge_text(a, b) for a, _, b in graph.edges()]
    assert titles(DOCS / "pictures" / f"glossary-{name}.svg") == sorted(edges)


def test_the_glossary_shows_every_picture_and_every_edge() -> None:
    page = (DOCS / "glossary.md").read_text(encoding="utf-8")
    assert set(re.findall(r"pictures/glossary-([a-z-]+)\.svg", page)) == set(marks.PICTURES)
    rows = re.findall(r"^\| `(x \S+ y)` \| !\[.*?\]\(pictures/glossary-(.*?)\.svg\)", page, re.MULTILINE)
    assert len(rows) == 6
    for edge, name in rows:
        assert marks.PICTURES[name].graph == an.PAG.parse(edge)


def test_the_structures_are_what_the_glossary_calls_them() -> None:
    pag = marks.PICTURES["visible"].graph
    assert isinstance(pag, an.PAG)
    assert pag.confounded("x", "y") == "no"
    path = marks.PICTURES["discriminating"].graph
    assert path.edge("x", "y") is None
    assert path.has("q", "-->", "y") and path.has("x", "*->", "q") and path.has("q", "<-*", "b")
    assert path.edge("b", "y")


def test_the_picture_of_the_readme_shows_what_is_found(tmp_path: Path) -> None:
    overview.draw(tmp_path)
    drawn = (tmp_path / "overview.svg").read_text(encoding="utf-8")
    assert drawn == (DOCS / "pictures" / "overview.svg").read_text(encoding="utf-8")
    assert titles(tmp_path / "overview.svg") == [
        "age o-> diet",
        "diet --> weight",
        "diet <-> sport",
        "region o-> sport",
    ]
