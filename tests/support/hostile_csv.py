"""Malformed and unusual text files, and what must hold when they are read.

Both ways to read a file, as one table (`Table.of(path)`) and some rows at a time (`Table.of([path])`, and the sums that
a search needs), accept it with the same content, or both refuse it with an error of ours. What is accepted is what
Python's csv reads: as many rows, and in each the same fields.

`run(examples, seed)` tries that many files.
"""

import csv
import io
import math
import re
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from ancestral.data import Table
from ancestral.data.errors import DataWarning
from ancestral.data.read import records
from ancestral.data.read.missing_values import WORDS
from ancestral.data.read.streams import stream_of
from ancestral.data.stats.summarize import summarized
from ancestral.errors import AncestralError
from ancestral.options import TableOptions

#: White space as defined by Unicode; Python's `strip` also removes U+001C to U+001F.
SPACE = "\t\n\x0b\x0c\r \x85\xa0\u2028\u2029\u3000"

PLAIN = ["a", "b", "x y", "1", "2", "3", "1.5", "-2.25", "+7", "1e3", "", " ", "NA", "?", "0", "10", " 4 ", "\N{MINUS SIGN}3", "é", "x^2", "inf", "x\x1fy", "x\\", "C:\\d\\", "'", "\N{NO-BREAK SPACE}5", "#1", "nan", "1_000", "0x1", "1,5", "2,25", "1,234", "1.234,5", ";", "|", "\t", "a,b", "1'000"]  # fmt: skip # noqa: E501
BROKEN = ['5"', 'say "yes"', '"a"b', '"say \\"yes"', '"a" ', ' "a"', '"', '"a""', '""a"', '"a"\t', 'x""y', '\\"', '"\\"', "x\0y", '"a\rb']  # fmt: skip # noqa: E501
INNER = ['say "yes"', "two\nlines", "two\r\nlines", "two\rlines", ",", ";", "", " ", "1.5", "x", '"', '""', "NA", "7"]
ENDS = ["\n", "\n", "\n", "\r\n", "\r"]


@dataclass(frozen=True)
class Case:
    """A file, and how it is to be read."""

    content: bytes
    options: dict[str, Any]
    block: int


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Files that are mostly tables, with something odd in them."""
    separator = draw(st.sampled_from([",", ",", ";", "\t", "|", " ", "\x1f"]))
    width = draw(st.integers(1, 4))
    oddity = draw(st.sampled_from(["nothing", "quotes", "broken", "lines", "anything"]))
    inside = draw(st.lists(st.sampled_from(PLAIN), min_size=1, max_size=4))

    def field() -> str:
        if oddity in ("broken", "anything") and draw(st.integers(0, 9)) == 0:
            return draw(st.sampled_from(BROKEN))
        if oddity in ("quotes", "anything") and draw(st.integers(0, 2)) == 0:
            text = draw(st.sampled_from(INNER))
            return '"' + text.replace('"', '""') + '"'
        text = draw(st.sampled_from(inside))
        return text if separator not in text else "7"

    def line() -> str:
        if oddity in ("lines", "anything") and draw(st.integers(0, 5)) == 0:
            return draw(st.sampled_from(["", " ", "  \t", separator * (width - 1), separator, "x", separator * width]))
        return separator.join(field() for _ in range(width))

    end = draw(st.sampled_from(ENDS))

    def ended() -> str:
        return draw(st.sampled_from(ENDS)) if oddity == "anything" else end

    text = separator.join(f"v{i}" for i in range(width)) + ended()
    if draw(st.integers(0, 5)) == 0:
        text = draw(st.sampled_from(["\n", " \n", "\ufeff", "\r\n"])) + text
    rows = draw(st.integers(0, 6))
    for _ in range(rows):
        text += line() + ended()
    if draw(st.integers(0, 3)) == 0:  # a surprise after the lines that types are guessed by
        plain = separator.join(draw(st.sampled_from(["1", "2", "1.5"])) for _ in range(width))
        text += (plain + end) * draw(st.sampled_from([199, 400, 1100]))
        text += line() + ended()
    if draw(st.booleans()):
        text = text.rstrip("\r\n")
    content = text.encode()
    if draw(st.integers(0, 30)) == 0:
        at = draw(st.integers(0, len(content)))
        content = content[:at] + draw(st.sampled_from([b"\xff", b"\xe9", b"\0"])) + content[at:]
    options: dict[str, Any] = {}
    if separator in (" ", "\x1f") or draw(st.integers(0, 4)) == 0:
        options["separator"] = separator
    if draw(st.integers(0, 9)) == 0:
        options["decimal"] = draw(st.sampled_from([".", ","]))
    if draw(st.integers(0, 9)) == 0:
        options["names"] = [f"n{i}" for i in range(width)]
    return Case(content, options, 1 + len(content) // draw(st.sampled_from([1, 1, 2, 3, 9])))


def check(case: Case) -> bool:
    """Whether a file is accepted; raises `AssertionError` unless all readers agree, also with Python's csv module."""
    before = records.BLOCK
    records.BLOCK = case.block
    try:
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)  # about how numbers are written
            path = Path(folder) / "data.csv"
            path.write_bytes(case.content)
            table = _read(path, case.options)
            parts = _read([path], case.options)
            assert (table is None) == (parts is None), (_reason(path, case.options), _reason([path], case.options))
            if table is not None and parts is not None:
                assert _content(table) == _content(parts)
                _compare_with_csv(table, case)
            _compare_sums(path, case.options)
            return table is not None
    finally:
        records.BLOCK = before


def _read(source: Any, options: dict[str, Any]) -> Table | None:
    try:
        return Table.of(source, missing="testwise", **options)
    except AncestralError:
        return None


def _reason(source: Any, options: dict[str, Any]) -> str:
    try:
        return str(_content(Table.of(source, missing="testwise", **options)))
    except AncestralError as error:
        return str(error)


def _content(table: Table) -> list[Any]:
    out: list[Any] = []
    for column in table.columns:
        values: list[Any] = [None if math.isnan(value) else value for value in column.values.tolist()]
        if column.levels is not None:
            values = [None if code < 0 else column.levels[code] for code in column.values.tolist()]
        out.append((column.name, column.kind, values))
    return out


def _compare_sums(path: Path, options: dict[str, Any]) -> None:
    """Check that the sums for a search come from the same rows and columns, or that both are refused."""
    whole: Any = None
    sums: Any = None
    why = ["", ""]
    try:
        whole = Table.of(path, missing="drop", **options)
    except AncestralError as error:
        why[0] = str(error)
    try:
        chosen = TableOptions(missing="drop", **options)
        stream = stream_of([path], chosen)
        sums = None if stream is None else summarized(stream, chosen).checked()
    except AncestralError as error:
        why[1] = str(error)
    assert (whole is None) == (sums is None), why
    if whole is not None:
        assert (sums.names, sums.kinds, sums.rows) == (whole.names, whole.kinds, whole.rows)


def _compare_with_csv(table: Table, case: Case) -> None:
    text = case.content.decode("utf-8-sig")
    width = len(table.names)
    separator = case.options.get("separator") or _separator_that_fits(text, width)
    csv.field_size_limit(1 << 30)
    rows = [row or [""] for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator)]
    while rows and not "".join(rows[0]).strip(" \t"):
        rows.pop(0)
    if "names" not in case.options:
        header = rows.pop(0)
        assert [name.strip(SPACE) for name in header] == list(table.names)
    if width > 1:
        rows = [row for row in rows if len(row) > 1 or row[0].strip(" \t")]
    assert table.rows == len(rows)
    for position, (_, _, values) in enumerate(_content(table)):
        for row, value in zip(rows, values, strict=True):
            assert len(row) == width
            assert _means(row[position].strip(SPACE), value), (row[position], value)


def _separator_that_fits(text: str, width: int) -> str:
    """The separator that gives the first line this number of fields; a comma for one field."""
    if width == 1:
        return ","
    for separator in ("\t", ";", "|", ","):
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            if len(row) == width and "".join(row).strip():
                return separator
            if "".join(row).strip():
                break
    raise AssertionError("no separator fits")


def _means(text: str, value: Any) -> bool:
    """Whether the text of a field denotes this value."""
    if text in WORDS or text.lower() == "nan":
        return value is None
    if value == text:
        return True
    grouped = [re.sub(f"(?<=\\d)[{mark}](?=\\d{{3}}(?!\\d))", "", text) for mark in (",", ".", "'", " ")]
    for written in (text, text.replace(",", "."), *grouped, *(one.replace(",", ".") for one in grouped)):
        try:
            if float(written.replace("\N{MINUS SIGN}", "-")) == float(value):
                return True
        except (TypeError, ValueError):
            pass
    return False


def run(examples: int, seed: int) -> int:
    """Try that many files, drawn from a seed; raises `AssertionError` with the smallest that fails.

    Returns how many of them were accepted.
    """
    accepted = []

    @seeded(seed)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases())
    def attempt(case: Case) -> None:
        accepted.append(check(case))

    attempt()
    return sum(accepted)
