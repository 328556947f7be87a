"""Links and anchors of the built site, and what the check of them finds."""

from pathlib import Path

import pytest

from tools.site.links import broken_links


def test_every_link_of_the_site_leads_somewhere_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    assert broken_links(site) == []


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('<a href="other.html#there">', None),
        ('<a href="https://example.org/page">', None),
        ('<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">', None),
        ('<a href="gone.html">', "gone.html is not there"),
        ('<a href="other.html#gone">', "other.html#gone has no such anchor"),
        ('<a href="#gone">', "#gone has no such anchor"),
        ('<a href="folder">', "folder is a folder, which no file browser opens as a page"),
        ('<img src="gone.svg">', "gone.svg is not there"),
        ('<script src="https://example.org/a.js">', "loads https://example.org/a.js"),
        ('<link rel="stylesheet" href="//example.org/a.css">', "loads //example.org/a.css"),
    ],
)
def test_what_the_check_finds(body: str, said: str | None, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "page.html").write_text(body)
    (tmp_path / "other.html").write_text('<h1 id="there">')
    assert broken_links(tmp_path) == ([] if said is None else [f"page.html: {said}"])
