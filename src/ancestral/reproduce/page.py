"""A page of headings, paragraphs, tables, verbatim text and figures, as Markdown and as HTML."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

__all__ = ["Block", "Drawing", "Heading", "PageTable", "Text", "Verbatim", "as_html", "as_markdown"]


@dataclass(frozen=True)
class Heading:
    """A title; level 1 is that of the page."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Verbatim:
    """Text whose lines are kept, such as a graph."""

    text: str


@dataclass(frozen=True)
class PageTable:
    """A table; the first column is aligned to the left, the others to the right."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Drawing:
    """A figure, by the name of its files; `draw` returns it as a figure of matplotlib."""

    name: str
    caption: str
    draw: Callable[[], Any]


Block = Heading | Text | Verbatim | PageTable | Drawing

STYLE = """
body { font: 16px/1.5 sans-serif; color: #111; background: #fff; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; font-size: .9rem }
th, td { padding: .15rem .6rem; text-align: right; border-bottom: 1px solid #ccc }
th:first-child, td:first-child { text-align: left }
figure { margin: 1.5rem 0 } figure img { max-width: 100% } figcaption { color: #444; font-size: .9rem }
pre { background: #f4f4f4; padding: .6rem; overflow-x: auto }
"""


def as_markdown(blocks: Iterable[Block]) -> str:
    """The page as Markdown.

    >>> print(as_markdown([Heading("Questions", 1), PageTable(["nodes", "ICD"], [["15", "572"]])]))
    # Questions
    <BLANKLINE>
    | nodes | ICD |
    | --- | ---: |
    | 15 | 572 |
    <BLANKLINE>
    """
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def _markdown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {text}"
        case Text(text):
            return text
        case Verbatim(text):
            return f"```\n{text}\n```"
        case PageTable(header, rows):
            rules = ["---", *("---:" for _ in header[1:])]
            return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, rules, *rows))
        case Drawing(name, caption, _):
            return f"![{caption}]({name}.svg)\n\n*{caption}*"


def as_html(title: str, blocks: Iterable[Block]) -> str:
    """The page as HTML; it refers to no other files than the figures."""
    body = "\n".join(_html(block) for block in blocks)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _html(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{_inline(text)}</h{level}>"
        case Text(text):
            return f"<p>{_inline(text)}</p>"
        case Verbatim(text):
            return f"<pre>{escape(text)}</pre>"
        case PageTable(header, rows):
            head = "".join(f"<th>{_inline(cell)}</th>" for cell in header)
            lines = ("".join(f"<td>{_inline(cell)}</td>" for cell in row) for row in rows)
            return f"<table>\n<tr>{head}</tr>\n{''.join(f'<tr>{line}</tr>{chr(10)}' for line in lines)}</table>"
        case Drawing(name, caption, _):
            image = f'<img src="{name}.svg" alt="{escape(caption)}">'
            return f"<figure>{image}<figcaption>{_inline(caption)}</figcaption></figure>"


def _inline(text: str) -> str:
    """Text as HTML, with `code` and **bold** as in Markdown."""
    out = escape(text, quote=False)
    for mark, tag in (("**", "b"), ("`", "code")):
        parts = out.split(mark)
        out = "".join(part if i % 2 == 0 else f"<{tag}>{part}</{tag}>" for i, part in enumerate(parts))
    return out
