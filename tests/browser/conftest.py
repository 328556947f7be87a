"""A real browser without a network. Whatever it complains about fails the test."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Dialog, Page, Request, sync_playwright


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of a module: while it is open, no other event loop can run in this process."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert chromium, "reports are tested in a browser: apt-get install chromium"
    with sync_playwright() as playwright:
        # without its sandbox, since tests may run as root; the pages are our own
        opened = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(offline=True, viewport={"width": 1400, "height": 1000}, accept_downloads=True)
    page = context.new_page()
    page.set_default_timeout(20_000)
    complaints: list[str] = []

    def refused(dialog: Dialog) -> None:
        complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def watched(request: Request) -> None:
        if not request.url.startswith(("file:", "blob:")):
            complaints.append(request.url)

    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", refused)
    page.on("request", watched)
    yield page
    context.close()
    assert complaints == []
