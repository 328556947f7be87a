"""Spreadsheets: the first sheet of an Excel or OpenDocument file, as text that is read as that of a text file.

Each cell has a type of its own, and a column may hold numbers, a stray word and numbers that were typed as text. So all
cells are taken as text, and the rules of text files decide what a column is.
"""

import re
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from ancestral.data.column_kinds import is_number
from ancestral.data.errors import DataError, DataWarning, NoRows
from ancestral.data.read.index_columns import UNNAMED
from ancestral.data.read.notations import plain_numbers
from ancestral.data.read.path_checks import open_regular, shown_path
from ancestral.data.read.remarks import Remark
from ancestral.extras import require_package
from ancestral.printing import listed

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ENDINGS", "read", "remarks"]

ENDINGS = (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")

#: Rows in which the names of the columns are looked for once more, for remarks.
FIRST_ROWS = 10_000

_NOTHING = re.compile(r"\s*")


def read(path: Path) -> "pl.DataFrame":
    """The rows of the first sheet below the line of names, all of them text."""
    cells = _cells(_workbook(path))
    above, names = _header(cells, shown_path(path.name))
    body = cells.slice(above + 1)
    body.columns = names
    return body


def remarks(path: Path) -> list[Remark]:
    """Which sheet was read, if there are several, and which rows above the names were left out."""
    book = _workbook(path)
    out = []
    if len(book.sheet_names) > 1:
        count, (first, *others) = len(book.sheet_names), book.sheet_names
        out.append(
            DataWarning(
                f"{shown_path(path.name)} has {count} sheets, of which the first, {first!r}, "
                f"was read; to read {listed(others, last='or')}, save it as a file of its own"
            )
        )
    cells = _cells(book, FIRST_ROWS)
    above, _ = _header(cells, shown_path(path.name))
    if above:
        text = next((cell for row in cells.slice(0, above).iter_rows() for cell in row if _is_full(cell)), "")
        what, are = ("row", "is") if above == 1 else (f"{above} rows", "are")
        out.append(
            DataWarning(
                f"the first {what} of {shown_path(path.name)}, above the names of columns, {are} left out ({text!r})"
            )
        )
    return [Remark(None, message) for message in out]


def _workbook(path: Path) -> Any:
    require_package("fastexcel", "excel", f"to read {shown_path(path.name)}")
    import fastexcel

    with open_regular(path) as file:
        return fastexcel.read_excel(file.read())


def _cells(book: Any, rows: int | None = None) -> "pl.DataFrame":
    """The cells of the first sheet as text, or of its first rows, without empty columns and empty rows at the end."""
    import polars as pl

    as_text, as_numbers = (
        book.load_sheet(0, header_row=None, skip_rows=0, n_rows=rows, dtypes=dtype).to_polars()
        for dtype in ("string", "float")
    )
    frame = pl.DataFrame([_precise(as_text[name], as_numbers[name]) for name in as_text.columns])
    full = frame.with_columns(pl.all().str.strip_chars().replace("", None))
    kept = [name for name in frame.columns if full[name].null_count() < frame.height]
    frame, full = frame.select(kept), full.select(kept)
    if not kept:
        return frame
    filled = full.select(pl.any_horizontal(pl.all().is_not_null())).to_series().to_list()
    return frame.head(len(filled) - filled[::-1].index(True))


def _precise(text: "pl.Series", numbers: "pl.Series") -> "pl.Series":
    """The cells of a column as text, with all digits of its numbers; the reader writes nine decimals."""
    written = plain_numbers(text)
    rounded = (written != numbers).fill_null(False)
    return text.set(rounded, None).fill_null(numbers.set(~rounded, None).cast(text.dtype)).alias(text.name)


def _is_full(cell: str | None) -> bool:
    return cell is not None and _NOTHING.fullmatch(cell) is None


def _header(cells: "pl.DataFrame", label: str) -> tuple[int, list[str]]:
    """The number of rows above the names of the columns, and the names; raises DataError if they are not all there.

    The names are the first row with more than one cell, or with one if there is a single column.
    """
    if not cells.width:
        raise DataError(f"the first sheet of {label} is empty; a table has a row of column names and rows below it")
    needed = min(cells.width, 2)
    above = 0
    for row in cells.iter_rows():
        if sum(map(_is_full, row)) >= needed:
            break
        above += 1
    else:
        raise DataError(f"the first sheet of {label} has no row of column names; write one above the data")
    names = [cell.strip() if cell is not None else "" for cell in row]
    if above + 1 == cells.height:
        raise NoRows(f"{label} has a row of column names but no rows below it; add the data", filter(None, names))
    if len(names) > 1 and not names[0] and all(names[1:]):
        names[0] = UNNAMED
    if not all(names):
        letter = _letter(cells.columns[names.index("")])
        raise DataError(
            f"column {letter} of {label} has no name in row {above + 1}, where the names of the columns begin; write "
            "all names into one row, without merged cells, and nothing but a title above it"
        )
    if all(map(is_number, names)):
        raise DataError(
            f"row {above + 1} of {label} has numbers where the names of the columns should be; write names above them"
        )
    doubled = [name for name in names if names.count(name) > 1]
    if doubled:
        first, second = [i for i, name in enumerate(names) if name == doubled[0]][:2]
        raise DataError(
            f"columns {_letter(cells.columns[first])} and {_letter(cells.columns[second])} of {label} are both named "
            f"{doubled[0]!r} in row {above + 1}; rename one of them"
        )
    return above, names


def _letter(column: str) -> str:
    """The letters of a column in a spreadsheet, from the name that the reader gives it (`__UNNAMED__0` is A)."""
    number = int(column.rsplit("_", 1)[1]) + 1
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = ascii_uppercase[rest] + letters
    return letters
