"""Check a built site: each link leads to a page and an anchor that are there, and nothing is loaded from elsewhere.

python -m tools.site.links build/site
"""

import argparse
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["broken_links"]

#: Attributes whose files a browser loads by itself; links of these relations are loaded, too.
LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src"), ("audio", "src")}
LOADED_RELATIONS = {"stylesheet", "icon", "preload", "preconnect", "modulepreload"}


class _Page(HTMLParser):
    """The anchors of a page, and the places that it leads to or loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = {""}
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of identifiers and addresses."""
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        relations = set(values.get("rel", "").split())
        for name in ("href", "src"):
            if name in values:
                loaded = (tag, name) in LOADED or (tag == "link" and relations & LOADED_RELATIONS)
                (self.loads if loaded else self.links).add(values[name])


def broken_links(site: Path) -> list[str]:
    """A line for each link that leads nowhere, and for each file that would be loaded from elsewhere."""
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        if path.name == "404.html":  # its links begin at the root of a server
            continue
        for address in sorted(page.links | page.loads):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                if address in page.loads and parts.scheme != "data":
                    found.append(f"{path.relative_to(site)}: loads {address}")
                continue
            target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            if target.is_dir():
                found.append(f"{path.relative_to(site)}: {address} is a folder, which no file browser opens as a page")
            elif not target.exists():
                found.append(f"{path.relative_to(site)}: {address} is not there")
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{path.relative_to(site)}: {address} has no such anchor")
    return found


def main() -> None:
    """Print what is broken; the exit code is 1 if anything is."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("site", type=Path)
    found = broken_links(parser.parse_args().site.resolve())
    print("\n".join(found) or "all links lead somewhere")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
