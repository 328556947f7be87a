"""Links from the documentation to files outside `docs/`: each such file becomes a page, and the links lead there.

Pages link as a code host needs it: `../CONTRIBUTING.md` from `docs/`, `docs/data.md` from the root.
"""

import posixpath
import re
from pathlib import Path

__all__ = ["PAGES", "ROOT", "page_of_source", "place_on_site", "with_links_on_site"]

ROOT = Path(__file__).resolve().parents[2]

#: Pages of the site that are made of Markdown files elsewhere, by the path of the file in the repository.
PAGES = {
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "docs/README.md": "all-pages.md",
    "tests/README.md": "tests.md",
}

LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
FENCE = re.compile(r"^ *```")

#: The languages of sources in code blocks, by suffix; other files are shown as plain text.
LANGUAGES = {".py": "python", ".toml": "toml", ".md": "markdown", ".yml": "yaml", ".cff": "yaml"}


def place_on_site(path: str) -> str:
    """The path below `docs/` of the page that shows a file of the repository."""
    if path in PAGES:
        return PAGES[path]
    if path == "README.md":
        return "index.md"
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return f"sources/{path}.md"


def page_of_source(path: str) -> str:
    """A page with the text of a source file."""
    source = ROOT / path
    text = source.read_text(encoding="utf-8")
    fence = "`" * (3 + max((len(run) for run in re.findall(r"^`{3,}", text, re.MULTILINE)), default=0))
    return f"# {path}\n\n{fence}{LANGUAGES.get(source.suffix, 'text')}\n{text.rstrip()}\n{fence}\n"


def with_links_on_site(text: str, file: str) -> tuple[str, set[str]]:
    """The Markdown of a file with links as the site needs them, and the source files to which they lead."""
    here = posixpath.dirname(place_on_site(file))
    sources: set[str] = set()

    def led(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(file), link[2]))
        if ":" in link[2] or not (ROOT / target).is_file():
            return link[0]
        place = place_on_site(target)
        if place.startswith("sources/"):
            sources.add(target)
        return f"{link[1]}{posixpath.relpath(place, here or '.')}{link[3]}"

    lines, fenced = [], False
    for line in text.split("\n"):
        fenced ^= FENCE.match(line) is not None
        lines.append(line if fenced else LINK.sub(led, line))
    return "\n".join(lines), sources
