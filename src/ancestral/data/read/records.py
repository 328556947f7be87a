"""Records: the rows of a text file, counted in its bytes, in a form that every parser reads alike.

Parsers disagree about quotation marks in odd places, blank lines and the line ends of old Macs: some lose rows. So what
a record is gets decided here (`_records_cy`), as Python's csv decides it. The parser gets regular records only, and
must find as many of them as were counted. Other records are

- left out: a blank line, unless there is a single column, where it is a missing value;
- rewritten: a record with quotation marks within fields that do not begin with one, with spaces after a field in
  quotation marks, or with a carriage return as its line end;
- refused, with their line: those with another number of fields, with text after a closing quotation mark, with a
  quotation mark that is never closed, or with a zero byte.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ancestral.data.errors import DataError
from ancestral.data.read import deadline
from ancestral.data.read._records_cy import Record, Survey
from ancestral.data.read.encodings import line_ends, text_bytes
from ancestral.errors import Option
from ancestral.printing import counted

__all__ = ["Block", "Records", "check_record", "fields_of", "separator_name"]

#: Bytes that are read at a time: few enough that several blocks fit into memory, enough for some 10,000 rows.
BLOCK = 8 << 20
#: Bytes of the longest record that is read: beyond, a quotation mark was surely not closed.
LONGEST_RECORD = 1 << 30

_SEPARATOR_NAMES = {"\t": "tab", ";": "semicolon", "|": "bar", ",": "comma", " ": "space"}


def separator_name(separator: str) -> str:
    """What messages call a separator."""
    return _SEPARATOR_NAMES.get(separator, repr(separator))


def fields_of(data: bytes, first: int, separator: str) -> tuple[Record, list[str]]:
    """The record that begins at a byte, and its fields as text."""
    record = Record(data, first, ord(separator))
    bounds = np.zeros((record.fields, 2), dtype=np.int64)
    Record(data, first, ord(separator), bounds)
    return record, [_plain(data[a:b].decode(errors="replace")) for a, b in bounds.tolist()]


def _plain(field: str) -> str:
    """The text of a field without its quotation marks; spaces that follow them belong to it, as in Python's csv."""
    if not field.startswith('"'):
        return field
    closed = field.rstrip(" \t")
    inner = closed[1:-1] if len(closed) > 1 and closed.endswith('"') else closed[1:]
    return inner.replace('""', '"') + field[len(closed) :]


@dataclass(frozen=True)
class Block:
    """Regular records, each ended by a line feed; the first of these `rows` is on line `line` of the file."""

    content: bytes
    rows: int
    line: int


@dataclass(frozen=True)
class _Stretch:
    """Some bytes of the file, of which those before `end` hold complete records.

    `pieces` are the regular records: ranges of bytes, or records that were rewritten.
    """

    data: bytes
    end: int
    pieces: list[bytes | tuple[int, int]]
    rows: int
    line: int

    def block(self) -> Block:
        if self.pieces == [(0, len(self.data))]:
            return Block(self.data, self.rows, self.line)
        parts = [self.data[piece[0] : piece[1]] if isinstance(piece, tuple) else piece for piece in self.pieces]
        return Block(b"".join(parts), self.rows, self.line)


@dataclass(frozen=True)
class Records:
    """The records of a file from the byte `begin` on, which is the first of line `line`.

    `label` is what messages call the file, and `width` the number of its columns.
    """

    path: Path
    label: str
    separator: str
    width: int
    begin: int
    line: int
    encoding: str | None = None  #: None for UTF-8; bytes are counted in UTF-8 whatever it is

    def blocks(self) -> Iterator[Block]:
        """The records, some at a time; raises DataError for the first that cannot be read."""
        for stretch in self._stretches():
            if stretch.rows:
                yield stretch.block()

    def line_of(self, row: int) -> int:
        """The line on which a row, counted from 0, begins."""
        return self._row(row)[0]

    def fields_at(self, row: int) -> list[str]:
        """The fields of a row, counted from 0."""
        return self._row(row)[1]

    def _row(self, row: int) -> tuple[int, list[str]]:
        """The line on which a row begins, and its fields."""
        for stretch in self._stretches():
            if row >= stretch.rows:
                row -= stretch.rows
                continue
            at, line = 0, stretch.line
            while True:
                record = Record(stretch.data, at, ord(self.separator))
                if not self._is_left_out(record):
                    if not row:
                        return line, fields_of(stretch.data, at, self.separator)[1]
                    row -= 1
                line += line_ends(stretch.data, at, record.end)
                at = record.end
        return self.line, [""] * self.width

    def _stretches(self) -> Iterator[_Stretch]:
        with text_bytes(self.path, self.label, self.encoding) as stream:
            _skip(stream, self.begin)
            rest, line = b"", self.line
            while True:
                deadline.check()
                if len(rest) > LONGEST_RECORD:
                    raise DataError(
                        f"line {line} of {self.label} begins a record of more than {LONGEST_RECORD >> 20} MB, which "
                        f"has a quotation mark that is not closed; {_CLOSE}"
                    )
                fresh = stream.read(max(BLOCK, len(rest)))
                data = rest + fresh if rest else fresh
                if not data:
                    return
                if not fresh and not data.endswith(b"\n"):
                    data += b"\n"
                stretch, line = self._stretch(data, line, final=not fresh)
                yield stretch
                rest = data[stretch.end :]
                if not fresh:
                    return

    def _stretch(self, data: bytes, line: int, final: bool) -> tuple[_Stretch, int]:
        """The records that end within the data, and the line after them."""
        pieces: list[bytes | tuple[int, int]] = []
        at = rows = 0
        first_line = line
        while at < len(data):
            survey = Survey(data, at, self.width, ord(self.separator))
            if survey.records:
                pieces.append((at, survey.end))
                at, rows, line = survey.end, rows + survey.records, line + survey.lines
            if at == len(data) or not (survey.irregular or final):
                break
            record = Record(data, at, ord(self.separator))
            # more of it may follow: its end, or the line feed after its carriage return
            if not final and (not record.complete or (record.end == len(data) and data.endswith(b"\r"))):
                break
            self._check(record, data, at, line)
            if not self._is_left_out(record):
                pieces.append(_regular(data, at, record, self.separator))
                rows += 1
            line += line_ends(data, at, record.end)
            at = record.end
        return _Stretch(data, at, pieces, rows, first_line), line

    def _is_left_out(self, record: Record) -> bool:
        return bool(record.blank) and self.width > 1

    def _check(self, record: Record, data: bytes, first: int, line: int) -> None:
        """Raise DataError if the record cannot be read."""
        check_record(record, data, first, line, self.label)
        if record.fields != self.width and not self._is_left_out(record):
            raise self._wrong_width(data[first : record.end].rstrip(b"\r\n"), record.fields, line)

    def _wrong_width(self, record: bytes, count: int, line: int) -> DataError:
        """The error for a record that has `count` fields and not as many as there are columns."""
        what = separator_name(self.separator)
        mark = self.separator.encode()
        hint = ""
        if count == self.width + 1 and record.rstrip(b" \t" if mark != b"\t" else b" ").endswith(mark):
            hint = f" (it ends with a {what}: remove it)"
        elif count > self.width and re.search(re.escape(mark) + rb" +\"", record):
            hint = f" (a quotation mark opens a field only right after the {what}: remove the space between them)"
        elif count == self.width + 1 and line == self.line:
            hint = " (if the lines begin with row names, give these a name in the header too)"
        return DataError(
            f"line {line} of {self.label} has {counted(count, 'field')} separated by {what}, but there "
            f"{'is' if self.width == 1 else 'are'} {counted(self.width, 'column')}; correct the line{hint}, put text "
            f"that holds a {what} in quotation marks, or pass another ",
            Option("separator"),
        )


_CLOSE = 'close it, or write it twice ("") if it belongs to the text of a quoted field'


def check_record(record: Record, data: bytes, first: int, line: int, label: str) -> None:
    """Raise DataError if a record, which begins on line `line` of a file, has a fault that makes its fields unclear."""
    suspect = line + line_ends(data, first, record.suspect) if record.suspect >= 0 else line
    if record.trailing:
        what = "has text after a quotation mark that closes a field"
        way_out = 'write a quotation mark within a field twice (""), without a backslash before it'
    elif record.open:
        what, way_out = "has a quotation mark that is not closed", _CLOSE
    elif record.null:
        what, way_out = "holds a zero byte, so the file is damaged or is not text", "save it again as UTF-8"
    else:
        return
    raise DataError(f"line {suspect} of {label} {what}; {way_out}")


def _skip(stream: object, count: int) -> None:
    """Leave out the first bytes of a stream."""
    while count > 0:
        some = stream.read(min(count, BLOCK))  # type: ignore[attr-defined]
        if not some:
            return
        count -= len(some)


def _regular(data: bytes, first: int, record: Record, separator: str) -> bytes:
    """A record in a form that every parser reads alike."""
    _, fields = fields_of(data, first, separator)
    if record.fields == 1 and not fields[0]:
        return b"\n"
    return separator.join(_quoted(field, separator) for field in fields).encode() + b"\n"


def _quoted(field: str, separator: str) -> str:
    if any(character in field for character in ('"', "\n", "\r", separator)):
        return '"' + field.replace('"', '""') + '"'
    return field
