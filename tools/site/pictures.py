"""Pictures that examples on a page draw: `>>> found.plot("tutorial-graph.svg")`, and below it the picture of that name.

The site shows what the build has drawn. The copies in `docs/pictures` are for reading on a code host; the build warns
if they show other graphs, and `python -m tools.site.pictures` draws them anew.
"""

import argparse
import contextlib
import doctest
import os
import re
import tempfile
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from xml.etree import ElementTree

from tools.site.outside import ROOT

__all__ = ["FOLDER", "Drawing", "drawn_on", "pages_with_pictures", "run", "words"]

FOLDER = ROOT / "docs" / "pictures"

DRAWN = re.compile(r"^(?:>>>|\.\.\.) .*?\.plot\([^\n]*?[\"']([\w-]+\.svg)[\"']", re.MULTILINE)
SHOWN = re.compile(r"\]\((?:\.\./)*pictures/([\w-]+\.svg)\)")


def drawn_on(page: Path) -> set[str]:
    """The names of the pictures that examples on a page draw and that the page shows."""
    text = page.read_text(encoding="utf-8")
    return set(DRAWN.findall(text)) & set(SHOWN.findall(text))


def pages_with_pictures(docs: Path) -> list[Path]:
    """The pages whose examples draw pictures."""
    return [page for page in sorted(docs.rglob("*.md")) if drawn_on(page)]


def run(page: Path) -> dict[str, str]:
    """Run the examples of a page in an empty folder; the pictures that they draw, by name.

    Raises:
        RuntimeError: An example does not print what the page says, or a picture was not drawn.
    """
    test = doctest.DocTestParser().get_doctest(page.read_text(encoding="utf-8"), {}, page.name, str(page), 0)
    said: list[str] = []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
        if said:
            raise RuntimeError(f"{page}: an example does not print what the page says\n{''.join(said)}")
        missing = [name for name in drawn_on(page) if not Path(name).exists()]
        if missing:
            raise RuntimeError(f"{page}: not drawn: {', '.join(missing)}")
        return {name: Path(name).read_text(encoding="utf-8") for name in drawn_on(page)}


def words(svg: str) -> list[str]:
    """What a picture says, in titles and labels, whatever the places are."""
    return sorted(text.strip() for text in ElementTree.fromstring(svg).itertext() if text.strip())


class Drawing:
    """The examples of several pages, run in two other processes."""

    def __init__(self, pages: list[Path]) -> None:
        self._pool = ProcessPoolExecutor(min(2, os.cpu_count() or 1), mp_context=get_context("spawn"))
        self._jobs: dict[Path, Future[dict[str, str]]] = {page: self._pool.submit(run, page) for page in pages}

    def results(self) -> Iterator[tuple[Path, dict[str, str] | RuntimeError]]:
        """The pictures of each page, or what went wrong."""
        with self._pool:
            for page, job in self._jobs.items():
                try:
                    yield page, job.result()
                except RuntimeError as error:
                    yield page, error


def main() -> None:
    """Draw the pictures of all pages into a folder."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--out", type=Path, default=FOLDER)
    out = parser.parse_args().out
    for _, pictures in Drawing(pages_with_pictures(ROOT / "docs")).results():
        if isinstance(pictures, RuntimeError):
            raise SystemExit(str(pictures))
        for name, svg in pictures.items():
            (out / name).write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
