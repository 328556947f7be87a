"""A description as text: a line for each column, then the choices, the faults, the warnings and the advice."""

import textwrap
import unicodedata
from collections.abc import Callable, Sequence

from ancestral.data.survey.column_survey import ColumnSurvey
from ancestral.describing.content import Content
from ancestral.describing.shapes import histogram_of, shape_in_words
from ancestral.errors import Message, Option
from ancestral.printing import counted, visible

__all__ = ["text_of"]

#: Columns that are printed: the first ones, and of the others those that a fault or a warning is about.
FIRST_COLUMNS, FURTHER_COLUMNS = 40, 20
#: Faults and warnings that are printed.
MOST_MESSAGES = 30
#: Characters of a name, of a reason, and of a line.
LONGEST_NAME, LONGEST_REASON, WIDTH = 28, 46, 120
#: Stands for a space at which a line does not break; a character that no text has.
UNBROKEN = "\ue000"


def text_of(content: Content, spell: Callable[[Option], str] = str) -> str:
    """The text, with options and calls spelled by the function."""
    lines = [*_wrapped(content.headline, ""), *([""] if content.columns else []), *_table(content)]
    for choice, what in ((content.test, "Test"), (content.algorithm, "Algorithm")):
        if choice is not None:
            lines += ["", *_wrapped(f"{what}: {choice}", "")] if what == "Test" else _wrapped(f"{what}: {choice}", "")
    for messages, what in ((content.faults, "fault"), (content.warnings, "warning")):
        if messages:
            more = ", for which a search is refused:" if what == "fault" else ":"
            lines += ["", f"{counted(len(messages), what).capitalize()}{more}", *_numbered(messages, spell)]
    if content.not_known is not None:
        lines += ["", *_wrapped(_worded(content.not_known, spell), "")]
    if content.advice:
        lines += ["", "What to do:", *(line for one in content.advice for line in _wrapped(_worded(one, spell), "- "))]
    return "\n".join(lines)


def _numbered(messages: Sequence[Message], spell: Callable[[Option], str]) -> list[str]:
    out = []
    for i, message in enumerate(messages[:MOST_MESSAGES], start=1):
        out += _wrapped(_worded(message, spell), f"{i}. ")
    if len(messages) > MOST_MESSAGES:
        out.append(f"and {len(messages) - MOST_MESSAGES:,} more")
    return out


def _wrapped(text: str, mark: str) -> list[str]:
    """The text in lines, with a mark before the first one; words are never broken."""
    lines = textwrap.wrap(
        visible(text),
        WIDTH,
        initial_indent=mark,
        subsequent_indent=" " * len(mark),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(UNBROKEN, " ") for line in lines]


def _worded(message: Message, spell: Callable[[Option], str]) -> str:
    """The message; lines do not break within an option or a call, so that it can be copied."""
    return message.worded(lambda option: spell(option).replace(" ", UNBROKEN))


def _table(content: Content) -> list[str]:
    columns = content.columns
    if not columns:
        return []
    shown = [
        column
        for i, column in enumerate(columns)
        if i < FIRST_COLUMNS or (column.name in content.about and len(columns) > FIRST_COLUMNS)
    ][: FIRST_COLUMNS + FURTHER_COLUMNS]
    head = ["column", "read as", "because", "missing", "values", ""]
    rows = [_row(column, content.references(column.name)) for column in shown]
    marks = [len(row[-1]) for row in rows]
    if any(marks):
        head[-1] = "see"
    widths = [max(map(_width, cells)) for cells in zip(head, *rows, strict=True)]
    lines = ["  ".join(_padded(cell, width) for cell, width in zip(row, widths, strict=True)) for row in [head, *rows]]
    out = [line.rstrip() for line in lines]
    if len(shown) < len(columns):
        out.append(f"and {counted(len(columns) - len(shown), 'column')} more, which .to_frame() and CSV have")
    return out


def _row(column: ColumnSurvey, references: str) -> list[str]:
    why = "cannot be read" if column.values is None else column.why
    missing = "" if not column.missing else f"{column.missing:,} ({_percent(column.missing_share)})"
    values = "  ".join(filter(None, (histogram_of(column).ljust(8), shape_in_words(column)))).rstrip()
    name = " ".join(visible(column.name).split(" "))
    return [_cut(name, LONGEST_NAME), column.kind or "-", _cut(why, LONGEST_REASON), missing, values, references]


def _percent(share: float | None) -> str:
    if share is None:
        return "?"
    return "< 0.1 %" if 0 < share < 0.0005 else f"{100 * share:.1f} %"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _width(text: str) -> int:
    """The number of places that a text takes on a terminal: Chinese characters, for example, take two each."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(bool(unicodedata.combining(character)) for character in text)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))
