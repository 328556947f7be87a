"""Print the tree of the sources, with the first line of each module; `--write` puts it into ARCHITECTURE.md."""

import ast
import re
import sys
from pathlib import Path

__all__ = ["PAGE", "in_page", "tree"]

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src" / "ancestral"
PAGE = ROOT / "ARCHITECTURE.md"
BEGIN, END = "<!-- tree -->\n", "<!-- end of tree -->\n"


def tree() -> str:
    """The modules by room, as a block of Markdown."""
    lines = ["```", "src/ancestral/"]
    folders = [SOURCES, *sorted(path.parent for path in SOURCES.rglob("__init__.py") if path.parent != SOURCES)]
    for folder in folders:
        indent = "  " * (len(folder.relative_to(SOURCES).parts) + 1)
        if folder != SOURCES:
            lines.append(f"{indent[2:]}{folder.name}/")
        for path in sorted(folder.glob("*.py"), key=lambda path: (path.name.startswith("_"), path.name)):
            if line := _first_line(path):
                lines.append(f"{indent}{path.stem}: {line}")
    return "\n".join([*lines, "```", ""])


def in_page() -> str:
    """The tree that stands in ARCHITECTURE.md."""
    return PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]


def _first_line(path: Path) -> str:
    """The first sentence of a module's docstring."""
    line = " ".join((ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n\n")[0].split())
    return re.split(r"(?<!\bet al)\. ", line, maxsplit=1)[0].rstrip(".")


def main() -> None:
    """Print the tree, or write it into ARCHITECTURE.md."""
    if "--write" not in sys.argv:
        print(tree(), end="")
        return
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(before + BEGIN + tree() + END + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
