"""Run the studies of docs/studies: write their outputs into the pages, and make a notebook of each page.

    python -m tools.notebooks            # all studies
    python -m tools.notebooks penguins   # one of them

A page is the only source of its notebook. Its Python blocks are run, one after the other, in one Jupyter kernel. A
`text` block below a Python block is replaced by what the block prints, or added; a picture below it, whose file is in
`pictures`, is replaced by the picture that the block shows. All other text becomes cells of Markdown.
"""

import argparse
import os
import re
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbformat import v4

PAGES = Path(__file__).resolve().parents[1] / "docs" / "studies"

_CODE = re.compile(
    r"^```python\n(?P<code>.*?)^```\n"
    r"(?:\n```text\n(?P<text>.*?)^```\n)?"
    r"(?:\n!\[(?P<alt>[^\]\n]*)\]\((?P<picture>pictures/[^)\n]+\.svg)\)\n)?",
    re.MULTILINE | re.DOTALL,
)

#: Where a warning was given in a kernel, which is another place each time.
_PLACE = re.compile(r"^\S*ipykernel_\d+\S*:\d+: (\w+: [^\n]*)(?:\n  [^\n]*)?", re.MULTILINE)

#: Seconds that a single block may run. The studies take a few; this is for a kernel that hangs.
_TIME_LIMIT = 300


@dataclass(frozen=True)
class Part:
    """A part of a page: prose, or a block of code with its text and its picture, where it has any."""

    source: str
    is_code: bool = False
    text: str = ""
    alt: str = ""
    picture: str | None = None
    svg: str | None = None


def studies() -> list[Path]:
    """The pages of all studies: those that say where their notebook is."""
    return [page for page in sorted(PAGES.glob("*.md")) if page.stem != "README"]


def parts_of(page: str) -> list[Part]:
    """A page, taken apart in its order."""
    parts, end = [], 0
    for block in _CODE.finditer(page):
        parts.append(Part(page[end : block.start()].strip("\n")))
        parts.append(Part(block["code"], True, block["text"] or "", alt=block["alt"] or "", picture=block["picture"]))
        end = block.end()
    parts.append(Part(page[end:].strip("\n")))
    return [part for part in parts if part.source]


def page_of(parts: list[Part]) -> str:
    """The page again, with the texts of its blocks."""
    return "\n\n".join(_as_markdown(part) for part in parts) + "\n"


def _as_markdown(part: Part) -> str:
    if not part.is_code:
        return part.source
    blocks = [f"```python\n{part.source}```"]
    if part.text:
        blocks.append(f"```text\n{part.text}```")
    if part.picture is not None:
        blocks.append(f"![{part.alt}]({part.picture})")
    return "\n\n".join(blocks)


def notebook_of(parts: list[Part]) -> Any:
    """The notebook of a page, without outputs; the same page gives the same cells, with the same names."""
    cells = []
    for number, part in enumerate(parts, 1):
        make = v4.new_code_cell if part.is_code else v4.new_markdown_cell
        cells.append(make(part.source.rstrip("\n"), id=f"part-{number}"))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return v4.new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})


def run(notebook: Any) -> None:
    """Run a notebook in a kernel of its own, which leaves no files behind, and keep its outputs."""
    with tempfile.TemporaryDirectory() as folder:
        places = {"IPYTHONDIR": folder, "JUPYTER_RUNTIME_DIR": folder}
        before = {name: os.environ.get(name) for name in places}
        os.environ |= places
        try:
            client = NotebookClient(notebook, timeout=_TIME_LIMIT, record_timing=False, kernel_name="python3")
            client.execute(cwd=folder)
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
    notebook.metadata["language_info"] = {"name": "python"}  # without the version of the one that ran it
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if output.output_type == "stream":
                output.text = _PLACE.sub(r"\1", output.text)


def filled(parts: list[Part], notebook: Any) -> list[Part]:
    """The parts of a page with the texts and pictures of its notebook, which has been run."""
    pairs = zip(parts, notebook.cells, strict=True)
    return [
        replace(part, text=shown_text(part, cell), svg=shown_picture(part, cell)) if part.is_code else part
        for part, cell in pairs
    ]


def shown_text(part: Part, cell: Any) -> str:
    """What a block warns of, what it prints, and the value at its end unless that is the picture of the page.

    A kernel sends warnings on a way of their own, so their place among what is printed is a matter of chance; here they
    come first.
    """
    warned: list[str] = []
    printed: list[str] = []
    for output in cell.outputs:
        if output.output_type == "stream":
            (warned if output.name == "stderr" else printed).append(output.text)
        elif part.picture is None and "text/plain" in output.data:
            printed.append(output.data["text/plain"] + "\n")
    lines = "".join(warned + printed).splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def shown_picture(part: Part, cell: Any) -> str | None:
    """The picture that a block shows, if the page has a place for it. Raises ValueError if the block shows none."""
    if part.picture is None:
        return None
    for output in cell.outputs:
        if "image/svg+xml" in output.get("data", {}):
            svg = output.data["image/svg+xml"]
            return f"{svg.strip()}\n"
    raise ValueError(f"{part.picture}: the block above it shows no picture; end it with a graph or a run")


def write(page: Path) -> None:
    """Run a study, and write its page, its pictures and its notebook."""
    parts = parts_of(page.read_text(encoding="utf-8"))
    notebook = notebook_of(parts)
    run(notebook)
    parts = filled(parts, notebook)
    for part in parts:
        if part.picture is not None and part.svg is not None:
            (page.parent / part.picture).write_text(part.svg, encoding="utf-8")
    page.write_text(page_of(parts), encoding="utf-8")
    nbformat.write(notebook, page.with_suffix(".ipynb"))


def main() -> None:
    """Run the studies that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", nargs="*", help="the name of a page, without .md")
    names = parser.parse_args().study
    pages = {page.stem: page for page in studies()}
    if unknown := [name for name in names if name not in pages]:
        sys.exit(f"no such study: {', '.join(unknown)}; there are {', '.join(pages)}")
    for name in names or pages:
        write(pages[name])
        print(f"written: {name}")


if __name__ == "__main__":
    main()
