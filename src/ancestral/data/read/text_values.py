"""Columns of text that may be numbers: which words stand for missing values, and which columns are refused.

A single stray word makes a library read a whole column of numbers as text. A search would then take each number for a
level of its own, so such a column is refused, and the first stray value is named.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ancestral.data.column_kinds import Floats, Kind, Labels, kind_of_values, labels_of_text
from ancestral.data.errors import DataError
from ancestral.errors import Option

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "MISSING",
    "MOSTLY_NUMBERS",
    "cleaned",
    "fault_of_text",
    "numbers_as_text",
    "numbers_in",
    "read_text_values",
    "thousands_in",
]

#: Text that stands for a missing value, without the spaces around it.
MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "None", "*", "?")

#: If at least this share of a column of text are numbers, all of it was meant to be.
MOSTLY_NUMBERS = 0.9

_THOUSANDS = r"^[+-]?\d{1,3}([,.' ]\d{3})+([.,]\d+)?$"


def cleaned(text: "pl.Series") -> "pl.Series":
    """The text without spaces around it, and null where it stands for a missing value."""
    bare = text.str.strip_chars()
    return bare.set(bare.is_in(list(MISSING)), None)


def numbers_in(text: "pl.Series", decimal: str = ".") -> "pl.Series":
    """The numbers that are written as text; null where the text is not a number."""
    import polars as pl

    text = text.str.replace("\N{MINUS SIGN}", "-", literal=True)
    if decimal == ",":
        text = text.set(text.str.contains(".", literal=True), None).str.replace(",", ".", literal=True)
    return text.cast(pl.Float64, strict=False)


def read_text_values(
    text: "pl.Series",
    name: str,
    kind: Kind | None,
    where: Callable[[int], str],
    *,
    decimal: str = ".",
    from_file: bool,
) -> Floats | Labels:
    """The column that a column of text is: numbers, or labels.

    In a file everything is text, and what can be read as numbers is numbers. In a frame, text is taken as labels,
    except that a column of measurements, which were meant to be converted to numbers, is refused.

    `where` tells how errors name a row. Raises DataError if the column was meant to be numbers and some are not.
    """
    if kind == "discrete" and not from_file:
        return labels_of_text(text, cleaned)
    text = cleaned(text)
    count = len(text) - text.null_count()
    numbers = numbers_in(text, decimal)
    hits = len(numbers) - numbers.null_count()
    if hits == count:
        values: Floats = np.array(numbers.to_numpy(), dtype=np.float64)
        if from_file or kind == "continuous" or not count:
            return values
        if kind is None and kind_of_values(values) == "continuous":
            raise numbers_as_text(name, text.drop_nulls()[0])
        return labels_of_text(text)
    if kind != "discrete":
        _refuse_strays(text, numbers, name, kind, where, decimal)
    return labels_of_text(text)


def _refuse_strays(
    text: "pl.Series", numbers: "pl.Series", name: str, kind: Kind | None, where: Callable[[int], str], decimal: str
) -> None:
    """Raise DataError if the text was meant to be numbers, naming the first value that is not a number."""
    count = len(text) - text.null_count()
    hits = len(numbers) - numbers.null_count()
    row = (text.is_not_null() & numbers.is_null()).arg_max()
    assert row is not None
    other = numbers_in(text, "." if decimal == "," else ",")
    others = len(other) - other.null_count()
    marked = int(thousands_in(text).sum())
    fault = fault_of_text(name, kind, count, hits, others, marked, lambda: f"{text[row]!r} ({where(row)})", decimal)
    if fault is not None:
        raise fault


def thousands_in(text: "pl.Series") -> "pl.Series":
    """Which pieces of text are numbers with marks between thousands."""
    return text.str.contains(_THOUSANDS)


def numbers_as_text(name: str, example: str) -> DataError:
    """The error for a column of a frame that is text although all its values are measurements."""
    return DataError(
        f"column {name!r} is text, but its values are numbers, such as {example!r}; make it a column of numbers, or "
        "pass ",
        Option("kinds", {name: "continuous"}),
        ' (or "discrete")',
    )


def fault_of_text(
    name: str,
    kind: Kind | None,
    present: int,
    numbers: int,
    others: int,
    marked: int,
    stray: Callable[[], str],
    decimal: str,
) -> DataError | None:
    """The error for a column of text that was meant to be numbers; None if it is labels.

    Of `present` pieces of text, `numbers` are numbers, `others` are numbers with the other decimal mark, and `marked`
    are numbers with marks between thousands. `stray` tells the first that is not a number, and where it is.
    """
    as_labels = Option("kinds", {name: "discrete"})
    if max(others, numbers + marked) >= MOSTLY_NUMBERS * present and numbers < MOSTLY_NUMBERS * present:
        return DataError(
            f"column {name!r} holds numbers that are not written with the decimal mark {decimal!r}, such as {stray()}; "
            "pass the right one, ",
            Option("decimal", "."),
            " or ",
            Option("decimal", ","),
            ", remove marks between thousands, or, if the values are labels, pass ",
            as_labels,
        )
    if kind == "continuous":
        return DataError(
            f"column {name!r} cannot be continuous, since {stray()} is not a number; correct it, or pass ", as_labels
        )
    if numbers >= MOSTLY_NUMBERS * present:
        more = present - numbers - 1
        also = f", and neither are {more} more" if more > 1 else ", and neither is 1 more" if more else ""
        return DataError(
            f"column {name!r} holds numbers, but {stray()} is not a number{also}; correct it (leave it empty if it is "
            "missing), or pass ",
            as_labels,
        )
    return None
