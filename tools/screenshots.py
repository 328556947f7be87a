"""Take the pictures of README.md and docs: `make pictures`.

The report of `ancestral demo` in a browser, and well-known graphs. Pictures that pages draw: `tools.site.pictures`.

    python -m tools.screenshots --out docs/pictures
"""

import argparse
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

import ancestral as an
from tests.support.command_line import ran

#: Width of the pictures of the report, in pixels.
WIDTH = 1360


def take(out: Path) -> None:
    """Take a picture of an edge and its reasons, and one in the dark theme of a pair without an edge, at radius 2."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        report = Path(folder) / "demo.html"
        assert ran("demo", "--report", report).code == 0
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": 1400})
        page.goto(report.as_uri())
        page.locator('.hit[aria-label="diet <-> sport"]').dispatch_event("click")
        _shoot(page, out / "report-edge.png")
        page.click("#theme")
        page.keyboard.press("Escape")
        _choose(page, "age", "weight")
        page.locator("#stage").fill("2")
        page.locator("#stage").blur()
        page.mouse.move(0, 0)
        _shoot(page, out / "report-no-edge.png")
        browser.close()


#: Well-known graphs with hidden causes, whose PAGs are drawn, by the names of their pictures.
KNOWN = {
    "front-door": "u -> x, u -> y, x -> m, m -> y, z -> x\nlatent: u",
    "hyttinen": "x -> z, z -> y, h -> y, a -> w, a -> x, b -> x, b -> h\nlatent: a, b",
    "only-by-formula": "c -> x, g -> x, g -> a, h -> a, h -> m, x -> v, v -> m, m -> y, a -> y\nlatent: g, h",
}


def draw(out: Path) -> None:
    """Draw the PAGs of well-known graphs."""
    for name, text in KNOWN.items():
        an.pag_of(an.DAG.parse(text)).plot(out / f"{name}.svg")


def _shoot(page: Page, path: Path) -> None:
    """Take a picture of the page down to the end of the card about the selection."""
    card = page.locator("#details").bounding_box()
    assert card
    page.screenshot(path=path, clip={"x": 0, "y": 0, "width": WIDTH, "height": card["y"] + card["height"] + 12})


def _choose(page: Page, a: str, b: str) -> None:
    page.select_option("#second", "")
    page.select_option("#first", label=a)
    page.select_option("#second", label=b)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"))
    folder = parser.parse_args().out
    take(folder)
    draw(folder)
