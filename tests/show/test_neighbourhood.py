"""The small report of a neighbourhood."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import ancestral as an
from ancestral.errors import OptionError, UnknownName
from ancestral.show.report.neighbourhood import names_around
from tests.support.command_line import ran

CHAIN = an.PAG.parse("a o-o b, b o-> c, c <-> d, d --> e, f o-o g")


@pytest.mark.parametrize(
    ("around", "within", "names"),
    [("c", 0, "c"), ("c", 1, "bcd"), ("c", 2, "abcde"), (["a", "e"], 1, "abde"), ("f", 9, "fg")],
)
def test_variables_within_some_edges(around: str | list[str], within: int, names: str) -> None:
    assert names_around(CHAIN, around, within) == tuple(names)


def test_every_edge_has_its_reason(tmp_path: Path) -> None:
    dag = an.DAG.parse("a -> c, b -> c, c -> d, d -> e, e -> f")
    found = an.discover(an.Oracle(dag), progress=False)
    path = tmp_path / "near.html"
    found.report(path, around="d")
    page = unescape(path.read_text(encoding="utf-8"))
    assert "<title>d: 3 variables of 6</title>" in page and "<script" not in page
    assert "default-src 'none'" in page and page.count("<svg") == 1
    summaries = re.findall("<summary>(.*?)</summary>", page)
    assert summaries == ["c --> d", "d --> e"]
    for a, b in (("c", "d"), ("d", "e")):
        assert str(found.why(a, b)) in page
    assert "All variables at most 1 edge away are shown, with the edges between them; 3 edges lead to others." in page
    found.report(path, around=["d"], within=9)
    page = unescape(path.read_text(encoding="utf-8"))
    assert "no edge leads further" in page and str(found.why("a", "d")) in page
    assert str(found.why("a", "b")) not in page  # neither is at the centre


def test_names_are_text(tmp_path: Path) -> None:
    found = an.discover(an.Oracle(an.DAG.parse('"<b>x" -> "y & z"')), progress=False)
    found.report(tmp_path / "near.html", around="<b>x")
    page = (tmp_path / "near.html").read_text(encoding="utf-8")
    assert "<b>" not in page and "&lt;b&gt;x" in page and "y &amp; z" in page


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"around": "a", "within": -1}, "within must be"),
        ({"around": []}, "around must name a variable"),
        ({"around": "a", "effects": [("a", "b")]}, "around is a small page, which shows neither resamples nor effects"),
    ],
)
def test_what_does_not_fit(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    found = an.discover(an.Oracle(an.DAG.parse("a -> b")), progress=False)
    with pytest.raises(OptionError, match=message):
        found.report(tmp_path / "near.html", **options)
    assert not list(tmp_path.iterdir())


def test_who_is_not_there(tmp_path: Path) -> None:
    found = an.discover(an.Oracle(an.DAG.parse("a -> b")), progress=False)
    with pytest.raises(UnknownName):
        found.report(tmp_path / "near.html", around="c")


def test_too_many_for_a_picture() -> None:
    star = an.PAG.parse(", ".join(f"hub o-o leaf{i}" for i in range(150)))
    with pytest.raises(OptionError, match="within=1 reaches more than 150 variables"):
        names_around(star, "hub", 1)
    assert len(names_around(star, "leaf3", 1)) == 2


def test_in_the_shell(tmp_path: Path) -> None:
    run, page = tmp_path / "run.json", tmp_path / "near.html"
    an.discover(an.Oracle(an.DAG.parse("a -> b, b -> c, d -> e")), save=run, progress=False)
    ran("report", run, "--around", "a", "--within", "2", "--output", page)
    assert "<title>a: 3 variables of 5</title>" in page.read_text(encoding="utf-8")
