"""What MkDocs calls while it builds the site: pages from elsewhere, links, pictures, and the reference of commands."""

import logging
import os
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from tools.site.command_line import commands
from tools.site.nav import expanded
from tools.site.outside import PAGES, ROOT, page_of_source, with_links_on_site
from tools.site.pictures import Drawing, pages_with_pictures, words

log = logging.getLogger("mkdocs.hooks.ancestral")

#: Set to "tree" to show the pictures of `docs/pictures` instead of drawing them anew, which takes most of the time.
PICTURES = "ANCESTRAL_DOCS_PICTURES"

_drawings: list[Drawing] = []


def on_pre_build(config: MkDocsConfig) -> None:
    """Begin to draw the pictures, in other processes."""
    _drawings.clear()
    if os.environ.get(PICTURES) != "tree":
        _drawings.append(Drawing(pages_with_pictures(Path(config.docs_dir))))


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made of other files, and the patterns of the navigation."""
    sources: set[str] = set()
    for page in files.documentation_pages():
        sources |= with_links_on_site(page.content_string, f"docs/{page.src_uri}")[1]
    for path, place in PAGES.items():
        text, more = with_links_on_site((ROOT / path).read_text(encoding="utf-8"), path)
        sources |= more
        files.append(File.generated(config, place, content=text))
    for path in sorted(sources):
        page = File.generated(config, f"sources/{path}.md", content=page_of_source(path))
        files.append(page)
    pages = [page.src_uri for page in files.documentation_pages()]
    assert config.nav is not None
    config.nav = expanded(config.nav, pages)
    config.not_in_nav = None
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links to the pages of the site, and show examples as sessions."""
    if page.file.src_uri == "reference/command-line.md":
        markdown += commands()
    if page.file.generated_by is None:
        markdown, _ = with_links_on_site(markdown, f"docs/{page.file.src_uri}")
    return with_sessions(markdown)


def with_sessions(markdown: str) -> str:
    """Code blocks of examples, coloured as sessions, without the marks that are for doctest alone.

    >>> with_sessions("```python\\n>>> print('a\\\\n')  # doctest: +ELLIPSIS\\na\\n<BLANKLINE>\\n```")
    "```pycon\\n>>> print('a\\\\n')\\na\\n\\n```"
    """
    markdown = re.sub(r"^```python\n(?=>>> )", "```pycon\n", markdown, flags=re.MULTILINE)
    return re.sub(r" *# doctest: \+\w+$|^<BLANKLINE>$", "", markdown, flags=re.MULTILINE)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Give the search a name for screen readers, which the theme leaves out."""
    search = 'data-md-component="search" role="dialog"'
    return output.replace(search, f'{search} aria-label="Search"')


def on_post_build(config: MkDocsConfig) -> None:
    """Put the pictures that were drawn into the site; warn if the copies in `docs/pictures` show something else."""
    for drawing in _drawings:
        for page, pictures in drawing.results():
            if isinstance(pictures, RuntimeError):
                log.warning("%s", pictures)
                continue
            for name, svg in pictures.items():
                shown = Path(config.site_dir) / "pictures" / name
                if words(shown.read_text(encoding="utf-8")) != words(svg):
                    log.warning("%s: docs/pictures/%s shows something else; run `make pictures`", page, name)
                shown.write_text(svg, encoding="utf-8")
