"""The cheat sheet is the page of the same name, fits on one sheet of paper, and has no accessibility violation."""

from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tools.cheat_sheet import page as made

DOCS = Path(__file__).parents[2] / "docs"


def test_it_is_made_from_the_page() -> None:
    written = (DOCS / "cheat-sheet.md").read_text(encoding="utf-8")
    assert made(written) == (DOCS / "cheat-sheet-print.html").read_text(encoding="utf-8")


def test_it_prints_on_one_page(browser: Browser) -> None:
    page = browser.new_page()
    page.goto((DOCS / "cheat-sheet-print.html").as_uri())
    printed = page.pdf(prefer_css_page_size=True)
    assert printed.count(b"/Type /Page\n") == 1
    assert Axe().run(page).violations_count == 0
    page.close()
