"""Notebooks: each answer shows what printing shows, as HTML in which names are text."""

from collections.abc import Callable
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

import ancestral as an

#: Names that would be markup, an entity or a formula if they were not text.
HOSTILE = ["<script>alert(1)</script>", "b & c <i>", 'd" onload="x', "$e_1$"]
VOID = {"meta", "br", "img", "link"}


class _Page(HTMLParser):
    """Collects the tags, and the text of the first <pre>; raises if a tag is closed that is not open."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.filled: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag not in VOID
        assert not any(name.startswith("on") for name, _ in attributes)
        self.tags.append(tag)
        self.open.append(tag)
        self.filled |= {str(value) for name, value in attributes if name == "fill"}

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.filled |= {str(value) for name, value in attributes if name == "fill"}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "pre" in self.open:
            self.texts.append(data)


def read(answer: Any) -> _Page:
    """The HTML of an answer, read by a parser."""
    page = _Page()
    page.feed(answer._repr_html_())
    page.close()
    assert page.open == []
    ElementTree.fromstring(answer._repr_html_())  # also as XML
    return page


@pytest.fixture(scope="module")
def found() -> an.Discovery:
    a, b, c, d = HOSTILE
    dag = an.DAG.from_edges([(a, "-->", c), (b, "-->", c), (c, "-->", d), (b, "-->", d)])
    return an.discover(an.simulate.linear_gaussian(dag, rows=2000, seed=2), algorithm="fci", alpha=0.01)


ANSWERS: dict[str, Callable[[an.Discovery], Any]] = {
    "why": lambda found: found.why(HOSTILE[0], HOSTILE[2]),
    "adjustment set": lambda found: found.adjustment_set(HOSTILE[2], HOSTILE[3]),
    "identify": lambda found: found.identify(HOSTILE[2], HOSTILE[3]),
    "effect": lambda found: found.effect(HOSTILE[2], HOSTILE[3]),
    "no effect": lambda found: found.effect(HOSTILE[3], HOSTILE[2]),
    "check": lambda found: found.check,
    "possible effects": lambda found: found.possible_effects(HOSTILE[2], HOSTILE[3]),
    "bootstrap": lambda found: an.bootstrap(
        an.simulate.linear_gaussian(an.DAG.from_edges([(HOSTILE[0], "-->", HOSTILE[1])]), rows=300, seed=1),
        repeats=3,
        progress=False,
    ),
}
#: Tags of text, of tables and of pictures.
ALLOWED = {"div", "pre", "p", "table", "tr", "td", "th", "svg", "g", "rect", "path", "circle", "title", "text"}


@pytest.mark.parametrize("which", ANSWERS)
def test_names_are_text_in_well_formed_html(which: str, found: an.Discovery) -> None:
    page = read(ANSWERS[which](found))
    assert set(page.tags) <= ALLOWED


@pytest.mark.parametrize("which", [which for which in ANSWERS if which != "possible effects"])
def test_it_says_what_printing_shows(which: str, found: an.Discovery) -> None:
    answer = ANSWERS[which](found)
    assert "".join(read(answer).texts) == str(answer)


def test_an_answer_shows_its_reason(found: an.Discovery) -> None:
    answer = found.causes(HOSTILE[0], HOSTILE[3])
    assert "".join(read(answer).texts) == f"{answer}: {answer.reason}"


def test_the_picture_colours_cause_outcome_and_what_is_adjusted_for() -> None:
    pag = an.PAG.parse("a o-> x, b o-> x, x --> m, m --> y, c o-> y")
    sets = an.adjustment_set(pag, "x", "y")
    text = sets._repr_html_()
    svg = ElementTree.fromstring(text[text.index("<svg ") : text.index("</svg>") + 6])
    words = [str(node.text) for node in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert words[-3:] == ["cause", "outcome", "adjusted for"]  # c, which acts on y, makes it more precise
    fills = {
        str(group.findtext("{http://www.w3.org/2000/svg}title")): rect.attrib["fill"]
        for group in svg.iter("{http://www.w3.org/2000/svg}g")
        if (rect := group.find("{http://www.w3.org/2000/svg}rect")) is not None
    }
    assert len({fills[name] for name in "xyc"}) == 3 and {fills[name] for name in "abm"} == {"#ffffff"}
    assert "thick" in text  # x --> m is visible
    said = an.identify(pag, "x", "y")._repr_html_()
    assert "$\\displaystyle" in said and "<svg " in said


def test_a_reason_shows_the_part_of_the_graph_that_it_rests_on() -> None:
    """Y-structure: c is a collider of a and b, so that c --> d; e, which is adjacent to none of them, is left out."""
    dag = an.DAG.parse("a -> c, b -> c, c -> d, e")
    answer = an.discover(an.Oracle(dag), progress=False).why("c", "d")
    text = answer._repr_html_()
    svg = ElementTree.fromstring(text[text.index("<svg ") : text.index("</svg>") + 6])
    titles = {str(node.text) for node in svg.iter("{http://www.w3.org/2000/svg}title")}
    drawn = {name for name in "abcde" if name in titles}
    named = {name for name in "abcde" if f"{name} " in str(answer) or f"{name}}}" in str(answer)}
    assert {"c", "d"} <= drawn and len(drawn) > 2 and "e" not in drawn
    assert drawn <= named | {"c", "d"}
    assert "c --> d" in titles and "thick" in text  # visible in the whole graph


def test_a_large_graph_is_not_drawn_below_an_answer() -> None:
    nodes = [f"v{i}" for i in range(60)]
    pag = an.PAG.from_edges([(a, "-->", b) for a, b in pairwise(nodes)])
    assert "<svg" not in an.adjustment_set(pag, "v0", "v3")._repr_html_()


def test_the_bootstrap_shows_its_faded_picture(found: an.Discovery) -> None:
    text = ANSWERS["bootstrap"](found)._repr_html_()
    assert "<svg " in text and "white-space: pre;" not in text.split("</pre>")[-1]


def test_long_sentences_of_the_bootstrap_are_wrapped_and_its_tables_are_not(found: an.Discovery) -> None:
    *paragraphs, _ = ANSWERS["bootstrap"](found)._repr_html_().split("</pre>")
    wrapped = {"resamples of" in one or "A frequency says" in one: "white-space: pre-wrap" in one for one in paragraphs}
    assert wrapped == {True: True, False: False}


def test_text_takes_the_colours_of_the_page(found: an.Discovery) -> None:
    text = found.why(HOSTILE[0], HOSTILE[2])._repr_html_()
    assert "color: inherit" in text and "background: none" in text


def test_a_notebook_shows_these_without_importing_anything_more() -> None:
    import subprocess
    import sys

    code = "import sys, ancestral.effects; print('matplotlib' in sys.modules, 'igraph' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
