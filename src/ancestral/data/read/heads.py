"""The head of a text file: its first lines tell the separator, the names of the columns and what seem to be numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ancestral.data.column_kinds import is_number
from ancestral.data.column_names import wrong_count_of_names
from ancestral.data.errors import DataError, NoRows, combined
from ancestral.data.read._records_cy import Record
from ancestral.data.read.encodings import check_utf8, line_ends, text_bytes, zero_bytes
from ancestral.data.read.index_columns import UNNAMED
from ancestral.data.read.records import Records, check_record, fields_of, separator_name
from ancestral.data.read.text_options import TextOptions
from ancestral.errors import AncestralError, Option
from ancestral.printing import counted

__all__ = ["Head"]

#: Records from which the separator and the types of columns are guessed.
SAMPLE = 200
#: Bytes in which these records are looked for, unless the first rows are longer.
ENOUGH = 1 << 20
#: Bytes in which there must be a complete row: beyond, a quotation mark was surely not closed.
LONGEST_HEAD = 1 << 27
#: Lines that must be complete before anything is guessed from them, unless the file has fewer.
FEWEST = 4

#: The separators that are found without an option, the rarest in text first.
SEPARATORS = ("\t", ";", "|", ",")
#: The byte order mark of UTF-8.
MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Head:
    """What the beginning of a file tells; `rows` are its first rows as lists of fields."""

    records: Records
    names: tuple[str, ...]
    rows: list[list[str]]

    @property
    def separator(self) -> str:
        """The separator."""
        return self.records.separator

    @classmethod
    def of(cls, path: Path, label: str, options: TextOptions) -> "Head":
        """Read the beginning of a file; if the options have names, its first line is data and not a header.

        Raises DataError if the file is not a table of text.
        """
        with text_bytes(path, label, options.encoding) as stream:
            data, whole, size = b"", False, 1 << 16
            while True:
                while len(data) < size and not whole:
                    fresh = stream.read(size - len(data))
                    data += fresh
                    whole = not fresh
                if not whole and data.count(b"\n") + data.count(b"\r") < SAMPLE and size < ENOUGH:
                    size *= 4
                    continue
                head = cls._read(path, label, data, whole, options)
                if head is not None:
                    return head
                if size > LONGEST_HEAD:
                    raise DataError(
                        f"the first {LONGEST_HEAD >> 20} MB of {label} hold no complete row; look for a quotation mark "
                        "that is not closed"
                    )
                size *= 2

    @classmethod
    def _read(cls, path: Path, label: str, data: bytes, whole: bool, options: TextOptions) -> "Head | None":
        """What these bytes tell; None if more of the file is needed."""
        given, separator = options.names, options.separator
        if (fault := zero_bytes(data, label)) is not None:
            raise fault
        begin = len(MARK) if data.startswith(MARK) else 0
        if whole and not data.endswith((b"\n", b"\r")):
            data += b"\n"
        starts = _starts(data, begin, whole, separator or ",")
        if not whole and sum(not blank for _, _, blank in starts) < FEWEST:
            return None
        check_utf8(data[: 1 + max(data.rfind(b"\n"), data.rfind(b"\r"))], label, 1)
        if all(blank for _, _, blank in starts):
            raise DataError(f"{label} is empty; a table has a line of column names and a line for each row")
        separator = separator or _find_separator(data, begin, whole)
        line, at = 1, begin
        record, fields = fields_of(data, at, separator)
        while record.blank:
            line, at = line + 1, record.end
            record, fields = fields_of(data, at, separator)
        if not record.complete and not whole:
            return None
        check_record(record, data, at, line, label)
        width = len(fields)
        if width == 1 and options.separator is None and given is None:
            _refuse_title(fields[0], data, record.end, line, label)
        if given is None:
            below = line + line_ends(data, at, record.end)
            names = _names(fields, label, line, separator, _lines_after(data, record.end))
            head = cls(Records(path, label, separator, width, record.end, below, options.encoding), names, [])
        else:
            if len(given) != width:
                raise wrong_count_of_names(len(given), width, f" in line {line} of {label}")
            head = cls(Records(path, label, separator, width, at, line, options.encoding), given, [])
        rows = head._sample(data, whole)
        if not rows:
            if not whole:
                return None
            if head.records.begin < len(data.rstrip()):  # all rows are faulty: this raises for the first, with its line
                next(head.records.blocks(), None)
            raise NoRows(f"{label} has a line of column names but no rows below it; add the data", head.names)
        head.rows.extend(rows)
        if width == 1 and options.separator is None:
            head._refuse_words(label, options.missing.words)
        if given is not None:
            head._refuse_header(label, options.missing.words)
        return head

    def _sample(self, data: bytes, whole: bool) -> list[list[str]]:
        rows: list[list[str]] = []
        at = self.records.begin
        while at < len(data) and len(rows) < SAMPLE:
            record, fields = fields_of(data, at, self.separator)
            if not record.complete or (record.end == len(data) and not whole):
                break
            if record.fields == self.records.width and not (record.blank and self.records.width > 1):
                rows.append(fields)
            at = record.end
        return rows

    def _refuse_words(self, label: str, missing: Sequence[str]) -> None:
        """Raise DataError if the only column has text in it."""
        words = (field for fields in self.rows for field in fields if field.strip() not in missing)
        if not all(map(is_number, words)):
            raise DataError(
                f"{label} has a single column, {self.names[0]!r}, with text in it; is it a table? Columns are "
                "separated by comma, tab, semicolon or bar; if it is another character, pass ",
                Option("separator"),
            )

    def _refuse_header(self, label: str, missing: Sequence[str]) -> None:
        """Raise DataError if the first row is a header, words above numbers, although names were given."""
        for column in zip(*self.rows, strict=True):
            first, *below = (field.strip() for field in column)
            present = [field for field in below if field not in missing]
            if below and first not in missing and not _like_number(first) and all(map(_like_number, present)):
                raise DataError(
                    f"line {self.records.line} of {label} seems to be a header ({first!r} above numbers); ",
                    Option("names"),
                    " is for files without one: leave it out",
                )


def _like_number(field: str) -> bool:
    return is_number(field.replace("\N{MINUS SIGN}", "-").replace(",", "."))


def _starts(data: bytes, begin: int, whole: bool, separator: str) -> list[tuple[int, int, bool]]:
    """The first lines that are complete: where each begins and ends, and whether it is blank."""
    out: list[tuple[int, int, bool]] = []
    at = begin
    while at < len(data) and sum(not blank for _, _, blank in out) < FEWEST:
        stop = min((end for end in (data.find(b"\n", at), data.find(b"\r", at)) if end >= 0), default=-1)
        if stop < 0 or (stop + 1 == len(data) and not whole):
            break
        end = stop + 2 if data[stop : stop + 2] == b"\r\n" else stop + 1
        line = data[at:stop]
        out.append((at, end, not line.strip(b" \t") and separator.encode() not in line))
        at = end
    return out


def _find_separator(data: bytes, begin: int, whole: bool) -> str:
    """The separator that divides the most lines into as many fields as the first line has.

    Of equally good ones it is the first in `SEPARATORS`.
    """
    best, separator = 0.0, ","
    for candidate in SEPARATORS:
        widths: list[int] = []
        at = begin
        while at < len(data) and len(widths) < SAMPLE:
            record = Record(data, at, ord(candidate))
            if not record.complete or (record.end == len(data) and not whole):
                break
            if not record.blank:
                widths.append(record.fields)
            at = record.end
        agree = sum(width == widths[0] for width in widths) / len(widths) if widths else 0.0
        if widths and widths[0] > 1 and agree > best:
            best, separator = agree, candidate
    return separator


def _refuse_title(title: str, data: bytes, at: int, line: int, label: str) -> None:
    """Raise DataError if the first line has a single field and nearly all lines below have the same larger number."""
    below = [text for text in data[at : at + ENOUGH].splitlines() if text.strip()][:SAMPLE]
    below = below[next((i for i, text in enumerate(below) if not text.startswith(b"#")), 0) :]
    for mark in SEPARATORS:
        widths = [text.count(mark.encode()) + 1 for text in below]
        if len(widths) > 2 and widths[0] > 1 and widths.count(widths[0]) >= 0.8 * len(widths):
            what = "begins with '#', like a remark" if title.startswith("#") else f"is {title!r}, like a title"
            raise DataError(
                f"line {line} of {label} {what}, and the lines below have {counted(widths[0], 'field')} separated by "
                f"{separator_name(mark)}; remove what is above the names of the columns"
            )


def _lines_after(data: bytes, at: int) -> list[str]:
    return data[at : at + 10_000].decode(errors="replace").splitlines()[:3]


def _names(fields: list[str], label: str, line: int, separator: str, below: list[str]) -> tuple[str, ...]:
    """The names in a header; raises DataError with all that cannot be used."""
    fields = [field.strip() for field in fields]
    if len(fields) > 1 and not fields[0] and any(fields[1:]) and UNNAMED not in fields:
        fields[0] = UNNAMED  # as pandas calls it
    if len(fields) == 1 and separator in SEPARATORS:
        words = fields[0].split()
        if len(words) > 1 and all(len(text.split()) == len(words) for text in below):
            raise DataError(
                f"{label} has one column, {fields[0]!r}, when separated by comma, tab, semicolon or bar; if its "
                "columns are separated by a space, pass ",
                Option("separator", " "),
            )
    if all(is_number(field) for field in fields):
        raise DataError(
            f"line {line} of {label} has numbers where the names of the columns should be; add a line of names on top, "
            "or, if the file has none, pass ",
            Option("names"),
        )
    seen: dict[str, int] = {}
    faults: list[AncestralError] = []
    for position, field in enumerate(fields, start=1):
        if field in seen:
            faults.append(
                DataError(
                    f"columns {seen[field]} and {position} are both named {field!r} in line {line} of {label}; "
                    "rename one of them"
                )
            )
        elif field:
            seen[field] = position
        elif position == len(fields):
            mark = separator_name(separator)
            faults.append(DataError(f"line {line} of {label} ends with a {mark}, so column {position} has no name; "
                                    f"remove the {mark} from the ends of all lines, or write a name"))  # fmt: skip
        else:
            faults.append(
                DataError(
                    f"column {position} of {label} has no name in line {line}; write one (a column of row numbers is "
                    "best left out of the file)"
                )
            )
    if faults:
        raise combined(faults)
    return tuple(fields)
