"""Write docs/cheat-sheet-print.html, which prints on one page, from docs/cheat-sheet.md.

python -m tools.cheat_sheet
"""

import re
from html import escape
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"

#: A4, three columns; what a browser adds on the screen is left out in print.
STYLE = """
@page { size: A4 landscape; margin: 8mm; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 281mm; padding: 4mm; color: #1f2937; background: #ffffff;
  font: 10pt/1.3 system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
h1 { margin: 0 0 2mm; font-size: 15pt; column-span: all; }
main { columns: 3; column-gap: 6mm; }
section { break-inside: avoid; margin: 0 0 2.6mm; }
h2 { margin: 0 0 0.8mm; font-size: 11.5pt; color: #1d4ed8; border-bottom: 0.3mm solid #cbd5e1; }
table { width: 100%; border-collapse: collapse; }
td { padding: 0.35mm 2mm 0.35mm 0; vertical-align: top; border-bottom: 0.1mm solid #e2e8f0; }
code, pre { font: 8.2pt/1.35 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.short { white-space: nowrap; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
@media print { body { padding: 0; max-width: none; } }
@media screen and (max-width: 60em) { main { columns: 1; } }
"""


def inline(text: str) -> str:
    """A line of Markdown with code and links as HTML; links are left out, their words stay."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    parts = re.split(r"`([^`]*)`", words)
    return "".join(code(part) if i % 2 else escape(part) for i, part in enumerate(parts))


def code(text: str) -> str:
    """A piece of code; one as short as an edge is not broken."""
    return f"<code{' class=short' if len(text) <= 12 else ''}>{escape(text)}</code>"


def section(text: str) -> str:
    """A section of the page: its heading, and the tables and code below it."""
    title, _, body = text.partition("\n")
    out = [f"<section><h2>{inline(title)}</h2>"]
    for block in re.split(r"\n{2,}", body.strip()):
        if block.startswith("```"):
            out.append(f"<pre>{escape(block.strip('`').partition(chr(10))[2].rstrip())}</pre>")
        else:
            rows = [line.strip("| ").split(" | ") for line in block.splitlines()[2:]]
            cells = "".join("<tr>" + "".join(f"<td>{inline(cell)}</td>" for cell in row) + "</tr>" for row in rows)
            out.append(f"<table>{cells}</table>")
    return "".join(out) + "</section>"


def page(text: str) -> str:
    """The page as one HTML file that needs nothing else."""
    _, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>ancestral: cheat sheet</title>\n<style>{STYLE}</style>\n<main>\n<h1>ancestral: cheat sheet</h1>\n"
        + "\n".join(map(section, sections))
        + "\n</main>\n</html>\n"
    )


if __name__ == "__main__":
    written = (DOCS / "cheat-sheet.md").read_text(encoding="utf-8")
    (DOCS / "cheat-sheet-print.html").write_text(page(written), encoding="utf-8")
