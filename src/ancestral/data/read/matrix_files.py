"""Files of a covariance or correlation matrix: Tetrad's lower triangle below the number of rows, or a square table.

Tetrad's file has the number of rows on its first line, the names on the second, then the lower triangle:

    500
    x1 x2 x3
    1.52
    0.31 0.97
    0.20 0.44 1.21

It may begin with a line `/covariance`, and lines that begin with `//` or `#` are left out. A square table has a line of
names and a line for each of them, which may begin with the name; the part above the diagonal may be empty. A file is
taken for a matrix if its name ends in `.cov` or `.cov.txt`, if its name ends in `.txt` and its first lines are as in
Tetrad's file, or if an option says so.
"""

import csv
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ancestral.data.column_kinds import Floats, is_number
from ancestral.data.column_names import column_names
from ancestral.data.errors import DataError
from ancestral.data.read.encodings import check_utf8, text_bytes, zero_bytes
from ancestral.data.read.file_lists import existing_file, is_path
from ancestral.data.read.formats import format_of
from ancestral.data.read.path_checks import shown_path
from ancestral.errors import Option, OptionError
from ancestral.options import Matrix, TableOptions
from ancestral.printing import counted

__all__ = ["MatrixFile", "is_matrix", "read_matrix", "refuse_matrix"]

#: Endings of the names of files that hold a matrix.
ENDINGS = (".cov", ".cov.txt")
#: Bytes of the longest file of a matrix: one of 5,000 variables has about that many.
MOST_BYTES = 1 << 29
#: Bytes in which the first lines are looked for.
FIRST_BYTES = 1 << 16

_MARKS = re.compile(r"[\s,;|]+")
_REMARK = ("//", "#")
_MARKER = re.compile(r"/\s*(covariance|correlation)s?\s*", re.IGNORECASE)


@dataclass(frozen=True)
class MatrixFile:
    """The content of a file: names, a symmetric matrix, what it holds, and the number of rows, None if not told."""

    names: tuple[str, ...]
    values: Floats
    matrix: Matrix
    rows: int | None


def is_matrix(source: Any, options: TableOptions) -> bool:
    """Whether a source is the file of a matrix: an option says so, its name does, or its first lines do."""
    if not is_path(source):
        return False
    path = Path(os.fsdecode(source))
    if path.name.lower().endswith(ENDINGS):
        return True
    data_format = format_of(path)
    if data_format is not None and "separator" not in data_format.options:
        return False
    if options.matrix is not None or options.rows is not None:
        return True
    return path.name.lower().endswith(".txt") and path.is_file() and _begins_like_tetrad(path, options.encoding)


def refuse_matrix(source: Any, options: TableOptions) -> None:
    """Raise DataError if a source is the file of a matrix, where rows are needed."""
    if is_matrix(source, options):
        raise DataError(
            f"{shown_path(Path(os.fsdecode(source)).name)} is read as a matrix, which has no rows of its own; search "
            "it with discover(), or read it with Moments.read()"
        )


def read_matrix(path: Path, matrix: Matrix | None, rows: int | None, encoding: str | None = None) -> MatrixFile:
    """The matrix in a file; `matrix` and `rows` are what the user says of it.

    Raises DataError if the file is not a matrix, and OptionError if the number of rows is not known.
    """
    existing_file(path)
    label = shown_path(path.name)
    lines = _lines(_text(path, label, encoding, MOST_BYTES), label)
    stated: Matrix | None = None
    if lines and (marker := _MARKER.fullmatch(lines[0][1].strip())):
        stated, lines = "correlation" if marker[1].lower() == "correlation" else "covariance", lines[1:]
    told, lines = _row_count(lines)
    if len(lines) < 2:
        raise DataError(f"{label} is empty; a file of a matrix has a line of names and a line for each of them")
    if matrix is not None and stated is not None and matrix != stated:
        raise OptionError(
            f"is not what {label} says that it holds, a {stated} matrix",
            option="matrix",
            value=matrix,
            assigned=True,
            way_out=["leave ", Option("matrix"), " out"],
        )
    names, values = _Table(lines, label).matrix()
    if told is not None and rows is not None and told != rows:
        raise OptionError(
            f"is not the number of rows in {label}, which is {told}",
            option="rows",
            value=rows,
            assigned=True,
            way_out=["leave ", Option("rows"), " out, or correct the file"],
        )
    return MatrixFile(names, values, matrix or stated or "covariance", told if rows is None else rows)


def _text(path: Path, label: str, encoding: str | None, size: int) -> str:
    with text_bytes(path, label, encoding) as stream:
        data: bytes = stream.read(size)
    if (fault := zero_bytes(data, label)) is not None:
        raise fault
    check_utf8(data, label, 1)
    return data.decode("utf-8-sig")


def _lines(text: str, label: str) -> list[tuple[int, str]]:
    """The lines that are neither blank nor remarks, each with its number."""
    numbered = enumerate(text.splitlines(), start=1)
    return [(at, line) for at, line in numbered if line.strip() and not line.lstrip().startswith(_REMARK)]


def _row_count(lines: list[tuple[int, str]]) -> tuple[int | None, list[tuple[int, str]]]:
    """The number of rows, if the first line is one, and the lines after it."""
    first = lines[0][1].strip() if lines else ""
    return (int(first), lines[1:]) if re.fullmatch(r"\d{1,15}", first) else (None, lines)


def _begins_like_tetrad(path: Path, encoding: str | None) -> bool:
    """Whether the first lines are a number of rows, names, and the first line of a lower triangle."""
    try:
        with text_bytes(path, path.name, encoding) as stream:
            data: bytes = stream.read(FIRST_BYTES)
    except DataError:
        return False  # said when it is read
    lines = list(islice(_lines(data.decode("utf-8-sig", errors="replace"), path.name), 4))
    if lines and _MARKER.fullmatch(lines[0][1].strip()):
        return True
    count, rest = _row_count(lines)
    if count is None or len(rest) < 2:
        return False
    names, first = (_MARKS.split(line.strip()) for _, line in rest[:2])
    return len(names) > 1 and not any(map(is_number, names)) and len(first) == 1 and is_number(first[0])


class _Table:
    """A line of names and lines of numbers; `label` is what messages call the file."""

    def __init__(self, lines: list[tuple[int, str]], label: str) -> None:
        self._label = label
        head = lines[0][1]
        self._separator = next((mark for mark in "\t;|," if mark in head), None)
        self._header = self._fields(head)
        self._lines = [(at, self._fields(line)) for at, line in lines[1:]]

    def _fields(self, line: str) -> list[str]:
        if self._separator is None:
            return [field.strip('"') for field in line.split()]
        return [field.strip() for field in next(csv.reader([line], delimiter=self._separator))]

    def matrix(self) -> tuple[tuple[str, ...], Floats]:
        """The names, and the matrix; raises DataError if the lines are neither a square nor a lower triangle."""
        header, count = self._header, len(self._lines)
        if len(header) > 1 and not header[0]:  # above the names of rows
            header = header[1:]
        names = column_names(header)
        if all(map(is_number, names)):
            raise DataError(f"{self._label} has numbers where the names of the variables should be; add a line of them")
        values = np.full((len(names), len(names)), np.nan)
        if count != len(names):
            raise DataError(
                f"{self._label} has {counted(len(names), 'name')} and {counted(count, 'line')} below them; a matrix "
                "has one line for each name: correct the file, or, if it is a table of rows, leave ",
                Option("rows"),
                " and ",
                Option("matrix"),
                " out",
            )
        for i, (at, fields) in enumerate(self._lines):
            self._fill(values, i, at, self._numbers_of(names, i, at, fields), names)
        upper = np.isnan(values)
        values[upper] = values.T[upper]
        return names, values

    def _numbers_of(self, names: Sequence[str], i: int, at: int, fields: list[str]) -> list[str]:
        """The fields of a line without the name of its row, and without empty ones at the end."""
        while fields and not fields[-1]:
            fields = fields[:-1]
        named = len(fields) in (i + 2, len(names) + 1)  # one more than a triangle or a square has
        if not named or is_number(fields[0].replace(",", ".").replace("\N{MINUS SIGN}", "-")):
            return fields
        if fields[0] not in ("", names[i]):
            raise DataError(
                f"line {at} of {self._label} is of {fields[0]!r}, but name {i + 1} in the first line is {names[i]!r}; "
                "give rows and columns the same names in the same order"
            )
        return fields[1:]

    def _fill(self, values: Floats, i: int, at: int, fields: list[str], names: Sequence[str]) -> None:
        if len(fields) not in (i + 1, len(names)):
            raise DataError(
                f"line {at} of {self._label} has {counted(len(fields), 'number')}; row {i + 1} of a matrix of "
                f"{counted(len(names), 'variable')} has {i + 1} (a lower triangle) or {len(names)}: correct the line"
            )
        for j, field in enumerate(fields):
            text = field.replace("\N{MINUS SIGN}", "-")
            text = text.replace(",", ".") if self._separator != "," else text
            if not is_number(text):
                what = f"{field!r} is not a number" if field else "a number is missing"
                raise DataError(
                    f"line {at} of {self._label}: {what}, where the entry of {names[i]!r} and {names[j]!r} should be; "
                    "correct it"
                )
            values[i, j] = float(text)
