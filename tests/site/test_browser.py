"""The site in a browser without a network, opened from its folder."""

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

#: Pages of each kind, also with wide tables and long code.
PAGES = ["index", "tutorial", "glossary", "data", "reference/searching", "reference/command-line", "changelog"]
PHONE, DESK = 375, 1400
#: Style sheets are not read again: a page that is opened from a file may not.
FILES = {"preload": False}


def shown(page: Page, site: Path, name: str) -> None:
    page.goto((site / f"{name}.html").as_uri())
    page.wait_for_function("document.documentElement.classList.contains('js')")


@pytest.mark.parametrize(
    "name",
    [
        *PAGES,
        "knowledge",
        "questions",
        "cheat-sheet",
        "studies/votes",
        "users-of/causal-learn",
        "faults",
        "accuracy",
        "architecture",
        "reference/graphs",
        "series-examples",
    ],
)
def test_no_page_is_wider_than_a_phone(name: str, site: Path, page: Page) -> None:
    page.set_viewport_size({"width": PHONE, "height": 900})
    shown(page, site, name)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_nothing_keeps_anyone_out(width: int, scheme: Any, site: Path, page: Page) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    axe: Any = Axe
    for name in PAGES:
        shown(page, site, name)
        results = axe().run(page, options={"resultTypes": ["violations"], **FILES})
        assert results.violations_count == 0, f"{name}\n{results.generate_report()}"


def test_colours_follow_the_system_until_one_chooses(site: Path, page: Page) -> None:
    def turned(colour: str) -> None:
        page.wait_for_function(f"getComputedStyle(document.body).backgroundColor === '{colour}'")

    light, dark = "rgb(255, 255, 255)", "rgb(18, 22, 28)"
    page.emulate_media(color_scheme="dark")
    shown(page, site, "index")
    turned(dark)
    page.emulate_media(color_scheme="light")
    turned(light)
    page.get_by_title("Switch to light colours").click()
    page.get_by_title("Switch to dark colours").click()
    turned(dark)


def test_code_of_a_session_is_copied_without_prompts_and_answers(site: Path, page: Page) -> None:
    def copied(selected: str) -> str:
        script = """selected => {
            const node = document.querySelector(selected), clipboardData = new DataTransfer();
            getSelection().selectAllChildren(node);
            node.dispatchEvent(new ClipboardEvent("copy", {clipboardData, bubbles: true}));
            return clipboardData.getData("text/plain");
        }"""
        text: str = page.evaluate(script, selected)
        return text

    shown(page, site, "tutorial")
    text = copied(".highlight code")
    assert text.startswith("import numpy as np, polars as pl\nimport ancestral as an\n")
    assert text.endswith('}).write_csv("study.csv")\n')
    compile(text, "tutorial", "exec")
    assert copied("article p") == ""  # left to the browser
    shown(page, site, "guide")
    assert ">>>" not in copied(".highlight code")


@pytest.mark.parametrize(
    ("words", "found"), [("resample", "decisions/"), ("check_algorithm", "reference/testing.html")]
)
def test_search_finds_words_without_a_server(words: str, found: str, site: Path, page: Page) -> None:
    shown(page, site, "studio")
    page.locator("input.md-search__input").click()
    page.keyboard.type(words)
    link = page.locator(f".md-search-result__link[href*='{found}']").first
    link.wait_for()
    link.click()
    page.wait_for_url(f"**/{found}*")
    assert words in page.locator("article").inner_text()


def test_the_page_is_the_same_from_a_server_of_ones_own(site: Path, browser: Browser) -> None:
    """No request leaves the origin of the site, whatever is opened."""
    context = browser.new_context()
    asked: list[str] = []

    def served(route: Any) -> None:
        asked.append(route.request.url)
        path = site / route.request.url.removeprefix("http://site.test/").partition("?")[0].partition("#")[0]
        route.fulfill(path=path) if path.is_file() else route.fulfill(status=404)

    context.route("**/*", served)
    page = context.new_page()
    for name in PAGES:
        page.goto(f"http://site.test/{name}.html", wait_until="networkidle")
    assert len(asked) > len(PAGES)
    assert [url for url in asked if not url.startswith("http://site.test/")] == []
    context.close()
