"""Effects that were asked for, as a report shows them: the answer, and the edges in the way."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

import ancestral as an

DAG = an.DAG.parse("a -> x, b -> x, x -> y, c -> y, y -> z")


@pytest.fixture(scope="module")
def found() -> an.Discovery:
    return an.discover(an.simulate.linear_gaussian(DAG, rows=1000, seed=3), resamples=0, progress=False)


def test_a_panel_says_what_python_says_and_shows_what_is_in_the_way(
    page: Page, found: an.Discovery, tmp_path: Path
) -> None:
    found.report(tmp_path / "run.html", effects=[("x", "z"), ("a", "z")])
    page.goto((tmp_path / "run.html").as_uri())
    page.wait_for_selector(".node")
    panels = page.locator(".asked")
    assert panels.count() == 2
    said, effect = found.identify("x", "z"), found.effect("x", "z")
    lines = panels.nth(0).locator("p").all_inner_texts()
    assert lines[0] == said.text
    shown = [" ".join(line.split()) for line in str(effect).splitlines()]
    assert set(shown) <= {" ".join(line.split()) for line in lines}
    assert panels.nth(0).locator("button").count() == 0
    refused = found.identify("a", "z")
    assert any(refused.reason in line for line in panels.nth(1).locator("p").all_inner_texts())
    assert page.locator(".line.witness").count() == 0
    panels.nth(1).locator("button").click()
    assert refused.because == (("a", "x"),)
    assert page.locator(".line.witness").count() == 1
    assert page.locator(".node.witness").count() == 2
    assert Axe().run(page).violations_count == 0


def test_without_questions_there_is_no_such_part(page: Page, found: an.Discovery, tmp_path: Path) -> None:
    found.report(tmp_path / "run.html")
    page.goto((tmp_path / "run.html").as_uri())
    page.wait_for_selector(".node")
    assert not page.locator("#effects").is_visible()


def test_wrong_questions_are_refused_before_anything_is_written(found: an.Discovery, tmp_path: Path) -> None:
    for effects, words in ((["xz"], "list of pairs"), ([("x", "x")], "list of pairs"), ([("x", "w")], "'w'")):
        with pytest.raises(an.AncestralError, match=words):
            found.report(tmp_path / "run.html", effects=effects)  # type: ignore[arg-type]
    assert not (tmp_path / "run.html").exists()
