"""A description as HTML: a page of its own, or the part of it that a notebook shows. Nothing of it is a script."""

from collections.abc import Callable, Iterable, Sequence
from html import escape

from ancestral.data.survey.column_survey import ColumnSurvey
from ancestral.describing.content import Content
from ancestral.describing.shapes import MOST_BARS, shape_in_words
from ancestral.errors import Message, Option
from ancestral.printing import counted, visible
from ancestral.show.labels import plain

__all__ = ["fragment_of", "page_of"]

Spell = Callable[[Option], str]

#: Columns that a notebook shows; a page has all.
MOST_IN_NOTEBOOK = 60
#: The class of cells that hold numbers.
NUMBER = ' class="number"'
#: The size of a histogram in pixels.
HEIGHT, BAR = 26, 10

_STYLE = """
.ancestral-description { color: #1b2430; font: 15px/1.5 system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
.ancestral-description h1 { font-size: 1.35rem; margin: 0 0 .2em; overflow-wrap: anywhere; }
.ancestral-description h2 { font-size: 1.05rem; margin: 1.3em 0 .4em; }
.ancestral-description p { margin: .3em 0; }
.ancestral-description .scroll { overflow-x: auto; }
.ancestral-description table { border-collapse: collapse; font-size: .92rem; width: 100%; background: #fff; }
.ancestral-description th, .ancestral-description td { text-align: left; padding: .3rem .7rem; vertical-align: top;
  border-bottom: 1px solid #d5dae1; overflow-wrap: anywhere; max-width: 24rem; }
.ancestral-description thead th { white-space: nowrap; border-bottom: 2px solid #8b95a3; }
.ancestral-description tbody th { font-weight: 600; min-width: 7rem; }
.ancestral-description .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.ancestral-description .soft { color: #566070; }
.ancestral-description .kind { display: inline-block; padding: 0 .5rem; border: 1px solid #2b3644;
  white-space: nowrap; }
.ancestral-description .continuous { border-radius: 8px; }
.ancestral-description .discrete { border-radius: 2px; }
.ancestral-description .ordinal { border-radius: 2px; border-left-width: 4px; }
.ancestral-description .weights, .ancestral-description .clusters { border-style: dashed; }
.ancestral-description a { white-space: nowrap; }
.ancestral-description code { font: .92em ui-monospace, Consolas, monospace; background: #e6ebf1; padding: .05em .3em;
  border-radius: 4px; }
.ancestral-description .fault { color: #a3200a; font-weight: 600; }
.ancestral-description .warning { color: #8a4b00; font-weight: 600; }
.ancestral-description li { margin: .25em 0; overflow-wrap: anywhere; }
.ancestral-description svg { display: block; fill: #00567f; }
@media (prefers-color-scheme: dark) {
  .ancestral-page .ancestral-description { color: #e8ecf1; }
  .ancestral-page .ancestral-description table { background: #1b2129; }
  .ancestral-page .ancestral-description th, .ancestral-page .ancestral-description td { border-color: #39424e; }
  .ancestral-page .ancestral-description .kind { border-color: #aeb8c4; }
  .ancestral-page .ancestral-description .soft { color: #a9b3c0; }
  .ancestral-page .ancestral-description .fault { color: #ff9d86; }
  .ancestral-page .ancestral-description .warning { color: #ffc56b; }
  .ancestral-page .ancestral-description code { background: #2b3542; }
  .ancestral-page .ancestral-description svg { fill: #7cc4f2; }
}
"""

_PAGE_STYLE = """
body { margin: 0; background: #f4f5f7; }
main { max-width: 1400px; margin: auto; padding: 1.2rem; }
@media (prefers-color-scheme: dark) { body { background: #12161c; } }
"""


def page_of(content: Content, spell: Spell = str) -> str:
    """The whole page, with options and calls spelled by the function."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{_text(content.title)}: description</title>\n<style>{_PAGE_STYLE}</style>\n</head>\n"
        f'<body class="ancestral-page">\n<main>\n{_body(content, None, spell)}\n</main>\n</body>\n</html>\n'
    )


def fragment_of(content: Content) -> str:
    """The part that a notebook shows, with the first columns."""
    return _body(content, MOST_IN_NOTEBOOK, str)


def _body(content: Content, most: int | None, spell: Spell) -> str:
    title, _, rest = content.headline.partition(": ")
    parts = [
        f'<style>{_STYLE}</style>\n<div class="ancestral-description">',
        f"<h1>{_text(title)}</h1>\n<p>{_text(rest)}</p>",
        _messages("Faults, for which a search is refused", content.faults, "fault", spell),
        _messages("Warnings", content.warnings, "warning", spell),
        _messages("What to do", content.advice, "", spell),
        _choices(content),
        _table(content, content.columns[:most]),
        _more(len(content.columns) - len(content.columns[:most])),
        f'<p class="soft">{_parts(content.not_known, spell)}</p>' if content.not_known is not None else "",
        "</div>",
    ]
    return "\n".join(filter(None, parts))


def _more(count: int) -> str:
    return (
        f'<p class="soft">and {counted(count, "column")} more, which to_frame() and to_html() have</p>' if count else ""
    )


def _messages(heading: str, messages: Sequence[Message], what: str, spell: Spell) -> str:
    if not messages:
        return ""
    kind = "ol" if what else "ul"
    items = "\n".join(f"<li{_id(what, i)}>{_parts(message, spell)}</li>" for i, message in enumerate(messages, start=1))
    return f"<h2>{heading}</h2>\n<{kind}>\n{items}\n</{kind}>"


def _parts(message: Message, spell: Spell) -> str:
    """A message, with its options and calls set apart, so that they can be copied."""
    return "".join(
        f"<code>{_text(spell(part))}</code>" if isinstance(part, Option) else _text(str(part)) for part in message.args
    )


def _id(what: str, number: int) -> str:
    return f' id="{what}-{number}"' if what else ""


def _choices(content: Content) -> str:
    lines = [
        f"<p>{what}: <strong>{_text(choice.name)}</strong> ({_text(choice.about)}), {_text(choice.why)}</p>"
        for what, choice in (("Test", content.test), ("Algorithm", content.algorithm))
        if choice is not None
    ]
    return "<h2>How it would be searched</h2>\n" + "\n".join(lines) if lines else ""


def _table(content: Content, columns: Sequence[ColumnSurvey]) -> str:
    if not columns:
        return ""
    heads = "".join(
        f'<th scope="col"{NUMBER if head in ("Values", "Missing", "Different") else ""}>{head}</th>'
        for head in ("Column", "Read as", "Because", "Values", "Missing", "Different", "Histogram", "Shape", "See")
    )
    rows = "\n".join(_row(content, column) for column in columns)
    return (
        f'<h2>Columns</h2>\n<div class="scroll"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n'
        "</table></div>"
    )


def _row(content: Content, column: ColumnSurvey) -> str:
    kind = "" if column.kind is None else f'<span class="kind {column.kind}">{column.kind}</span>'
    why = "cannot be read" if column.values is None else column.why
    share = column.missing_share
    missing = "" if not column.missing or share is None else f"{column.missing:,} ({100 * share:.1f} %)"
    cells = [
        f'<th scope="row">{_text(column.name)}</th>',
        f"<td>{kind}</td>",
        f"<td>{_text(why)}</td>",
        _number_cell(column.values),
        f'<td class="number">{missing}</td>',
        _number_cell(column.different),
        f"<td>{_histogram(column)}</td>",
        f"<td>{_text(shape_in_words(column))}</td>",
        f"<td>{_links(content.references(column.name))}</td>",
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _links(references: str) -> str:
    """References such as "fault 1, warning 2" as links to the lists."""
    words = [reference.split(" ") for reference in references.split(", ")] if references else []
    return ", ".join(f'<a class="{what}" href="#{what}-{i}">{what} {i}</a>' for what, i in words)


def _number_cell(value: int | None) -> str:
    return f'<td class="number">{"" if value is None else f"{value:,}"}</td>'


def _histogram(column: ColumnSurvey) -> str:
    """The histogram as a picture; its values stand beside it in words."""
    counts: Iterable[int] = (
        column.histogram or (column.levels if column.kind != "continuous" and column.levels else {}).values()
    )
    counts = list(counts)
    if not counts or len(counts) > MOST_BARS:
        return ""
    most = max(counts) or 1
    heights = [round(HEIGHT * count / most, 1) if count else 0 for count in counts]
    rects = "".join(
        f'<rect x="{i * BAR}" y="{HEIGHT - height}" width="{BAR - 1}" height="{height}"/>'
        for i, height in enumerate(max(height, 1) if height else 0 for height in heights)
    )
    width = BAR * len(counts)
    return f'<svg width="{width}" height="{HEIGHT}" viewBox="0 0 {width} {HEIGHT}" aria-hidden="true">{rects}</svg>'


def _text(text: str) -> str:
    return escape(visible(plain(text)))
