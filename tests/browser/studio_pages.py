"""The studio as a person meets it: started from the shell, opened in a browser that may talk to nobody else."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Dialog, Page, expect

#: Milliseconds to wait for what a page should show: on a busy machine, a new process needs seconds for its imports.
PATIENCE = 15_000
expect.set_options(timeout=PATIENCE)

STEPS = ("data", "variables", "knowledge", "search", "answer", "compare")


@dataclass
class Studio:
    """A running studio: its address, its project folder and its process."""

    address: str
    folder: Path
    process: subprocess.Popen[str]

    def end(self) -> None:
        """Stop it as Ctrl+C does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


@contextmanager
def running(folder: Path, *arguments: str) -> Iterator[Studio]:
    """Start `ancestral studio` on a project folder."""
    command = [sys.executable, "-m", "ancestral", "studio", *arguments, "--project", str(folder), "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    said = ""
    while not (found := re.search(r"http://\S+/", said)):
        line = process.stdout.readline()
        assert line, f"the studio did not start: {said}"
        said += line
    studio = Studio(found[0], folder, process)
    try:
        yield studio
    finally:
        studio.end()


@dataclass
class Person:
    """Somebody with a browser, who opens pages of one studio. Whatever the browser complains about is kept."""

    studio: Studio
    context: BrowserContext
    complaints: list[str] = field(default_factory=list)
    #: Beginnings of complaints that the story expects.
    expected: list[str] = field(default_factory=list)

    def opens(self, step: str = "data") -> Page:
        """A new tab with a step of the studio."""
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)

        def refused(dialog: Dialog) -> None:
            self.complaints.append(f"dialog: {dialog.message}")
            dialog.dismiss()

        def watched(request: Any) -> None:
            if not request.url.startswith((self.studio.address, "data:", "blob:", "about:")):
                self.complaints.append(f"request: {request.url}")

        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", refused)
        page.on("request", watched)
        page.on("filechooser", lambda _: None)  # so that a dialog never opens, however early it is asked for
        page.goto(f"{self.studio.address}#step-{step}")
        expect(page.locator("#where")).not_to_be_empty()
        return page

    def complained(self) -> list[str]:
        """The complaints that the story did not expect."""
        return [text for text in self.complaints if not text.startswith(tuple(self.expected))]


@contextmanager
def visiting(browser: Browser, studio: Studio, **options: Any) -> Iterator[Person]:
    """Open a browser for one person; whatever was complained about fails the test."""
    options = {"viewport": {"width": 1400, "height": 1000}, "accept_downloads": True, **options}
    person = Person(studio, browser.new_context(**options))
    try:
        yield person
    finally:
        person.context.close()
    complained = person.complained()
    assert complained == [], complained


def go(page: Page, step: str) -> None:
    """Choose a step in the navigation."""
    page.click(f'#steps a[data-step="{step}"]')
    page.wait_for_selector(f"#step-{step}:not([hidden])")


def tab_to(page: Page, selector: str, most: int = 120, key: str = "Tab") -> None:
    """Press Tab until an element that fits the selector has the focus, as somebody without a mouse does."""
    for _ in range(most):
        page.keyboard.press(key)
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"{selector} cannot be reached by {key}")


def drag(page: Page, name: str, tier: int) -> None:
    """Drag a variable into a tier with the mouse; tier -1 has those that are not sorted."""
    chip = page.locator("#board .chip", has=page.get_by_text(name, exact=True)).first
    target = page.locator(f'#board .tier[data-tier="{tier}"]')
    chip.scroll_into_view_if_needed()
    start, end = chip.bounding_box(), target.bounding_box()
    assert start and end
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(start["x"] + start["width"] / 2 + 12, start["y"] + 10)
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + min(end["height"] - 8, 60), steps=4)
    page.mouse.up()
    page.wait_for_selector(f'#board .tier[data-tier="{tier}"] .chip:has-text({name!r})')
