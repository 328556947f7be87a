"""What MkDocs calls while it builds the site: pages from elsewhere, links, pictures, and the reference of commands."""

import html
import logging
import os
import posixpath
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

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
_titles: dict[str, str] = {}


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
    _titles.clear()
    _titles.update(titles(files.documentation_pages()) | titles_in(config.nav))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links to the pages of the site, and show examples as sessions."""
    if page.file.src_uri == "reference/command-line.md":
        markdown += commands()
    if page.file.generated_by is None:
        markdown, _ = with_links_on_site(markdown, f"docs/{page.file.src_uri}")
    if page.file.generated_by is None or page.file.src_uri == "all-pages.md":
        markdown = with_titles(markdown, posixpath.dirname(page.file.src_uri), _titles)
    return with_sessions(markdown)


def titles(pages: Iterable[File]) -> dict[str, str]:
    """The heading of each page that is written in Markdown."""
    headings = {page.src_uri: re.search(r"^# (.+)$", page.content_string, re.MULTILINE) for page in pages}
    return {page: heading[1] for page, heading in headings.items() if heading}


def titles_in(nav: Iterable[Any]) -> dict[str, str]:
    """The names that a navigation gives to pages.

    >>> titles_in(["index.md", {"Start": [{"Install": "install.md"}]}])
    {'install.md': 'Install'}
    """
    named: dict[str, str] = {}
    for item in nav:
        for title, content in item.items() if isinstance(item, dict) else ():
            named |= titles_in(content) if isinstance(content, list) else {content: title}
    return named


def with_titles(markdown: str, here: str, named: Mapping[str, str]) -> str:
    """Links that are called by a file, as a code host needs them, called by the name of the page.

    >>> with_titles("([data.md](../data.md#kinds), [it](../data.md))", "users-of", {"data.md": "Reading data"})
    '([Reading data](../data.md#kinds), [it](../data.md))'
    """

    def called(link: re.Match[str]) -> str:
        place = posixpath.normpath(posixpath.join(here, link[2]))
        same = posixpath.basename(link[1]) == posixpath.basename(place)
        return f"[{named[place]}]({link[2]}{link[3]})" if same and place in named else link[0]

    return re.sub(r"\[([\w./-]+\.md)\]\(([^)#\s]+\.md)(#[^)\s]*|)\)", called, markdown)


def with_sessions(markdown: str) -> str:
    """Code blocks of examples, coloured as sessions, without the marks that are for doctest alone.

    >>> with_sessions("```python\\n>>> print('a\\\\n')  # doctest: +ELLIPSIS\\na\\n<BLANKLINE>\\n```")
    "```pycon\\n>>> print('a\\\\n')\\na\\n\\n```"
    """
    markdown = re.sub(r"^```python\n(?=>>> )", "```pycon\n", markdown, flags=re.MULTILINE)
    return re.sub(r" *# doctest: \+\w+$|^<BLANKLINE>$", "", markdown, flags=re.MULTILINE)


def on_page_content(content: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make tables readable to all, keep short pieces of code on one line, and lead from the reference to guides."""
    if page.file.src_uri.startswith("reference/"):
        urls = {path: file.url_relative_to(page.file) for path, file in files.src_uris.items()}
        content = with_guides(content, urls, _titles)
    return with_short_code(with_headers(content))


def with_guides(page: str, urls: Mapping[str, str], named: Mapping[str, str]) -> str:
    """Links in the place of pages that docstrings name by their file, outside of code.

    >>> with_guides("<p>(docs/data.md)</p><pre>docs/data.md</pre>", {"data.md": "../data.html"}, {"data.md": "Data"})
    '<p>(<a href="../data.html">Data</a>)</p><pre>docs/data.md</pre>'
    """

    def led(name: re.Match[str]) -> str:
        known = name[1] in urls and name[1] in named
        return f'<a href="{urls[name[1]]}">{named[name[1]]}</a>' if known else name[0]

    parts = re.split(r"(<pre.*?</pre>|<code.*?</code>)", page, flags=re.DOTALL)
    return "".join(part if i % 2 else re.sub(r"docs/([\w/-]+\.md)", led, part) for i, part in enumerate(parts))


def with_headers(page: str) -> str:
    """Tables without empty cells of headers, which a screen reader would announce.

    >>> with_headers("<thead>\\n<tr>\\n<th></th>\\n<th></th>\\n</tr>\\n</thead>\\n<tbody>")
    '<tbody>'
    >>> with_headers('<tr><th></th><th>picture</th></tr>')
    '<tr><td></td><th>picture</th></tr>'
    """
    page = re.sub(r"<thead>\s*<tr>\s*(?:<th[^>]*></th>\s*)+</tr>\s*</thead>\s*", "", page)
    return re.sub(r"<th([^>]*)></th>", r"<td\1></td>", page)


def with_short_code(page: str) -> str:
    """Pieces of code of up to 20 characters, such as edges and options, marked as short: they are not broken.

    >>> with_short_code("<code>x --&gt; y</code>")
    '<code class="short">x --&gt; y</code>'
    """

    def marked(code: re.Match[str]) -> str:
        return f'<code class="short">{code[1]}</code>' if len(html.unescape(code[1])) <= 20 else code[0]

    return re.sub(r"<code>([^<\n]+)</code>", marked, page)


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
