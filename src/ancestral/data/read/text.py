"""Columns of text that may be numbers: what counts as missing, and when text is a number that went wrong.

A single stray word makes a library read a whole column of numbers as text. A search would then take each number for a
level of its own, so such a column is refused, and the first stray value is named.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ancestral.data.errors import DataError
from ancestral.data.kinds import Floats, Kind, Labels, kind_of, labels_of_text

if TYPE_CHECKING:
    import polars as pl

__all__ = ["MISSING", "NUMBERS", "cleaned", "fault_of_text", "numbers_in", "read_text", "thousands_in"]

#: What stands for a missing value in text, spaces around it aside.
MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "None", "*", "?")

#: Text of which at least this share are numbers was meant to be numbers.
NUMBERS = 0.9

_THOUSANDS = r"^[+-]?\d{1,3}([,.' ]\d{3})+([.,]\d+)?$"


def cleaned(text: "pl.Series") -> "pl.Series":
    """The text without spaces around it, and null where it stands for a missing value."""
    bare = text.str.strip_chars()
    return bare.set(bare.is_in(list(MISSING)), None)


def numbers_in(text: "pl.Series", decimal: str = ".") -> "pl.Series":
    """The numbers that the text writes, null where it writes none."""
    import polars as pl

    text = text.str.replace("\N{MINUS SIGN}", "-", literal=True)
    if decimal == ",":
        text = text.set(text.str.contains(".", literal=True), None).str.replace(",", ".", literal=True)
    return text.cast(pl.Float64, strict=False)


def read_text(
    text: "pl.Series",
    name: str,
    kind: Kind | None,
    where: Callable[[int], str],
    *,
    decimal: str = ".",
    from_file: bool,
) -> Floats | Labels:
    """The column that a column of text is: numbers, or labels.

    In a file everything is text, and what can be read as numbers is numbers. In a frame, text was somebody's choice:
    it stays text, unless it is plainly a measurement that somebody forgot to convert.
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
        if kind is None and kind_of(values) == "continuous":
            raise DataError(
                f"column {name!r} is text, but its values are numbers, such as {text.drop_nulls()[0]!r}; "
                f'make it a column of numbers, or say kinds={{{name!r}: "continuous"}} (or "discrete")'
            )
        return labels_of_text(text)
    if kind != "discrete":
        _refuse_strays(text, numbers, name, kind, where, decimal)
    return labels_of_text(text)


def _refuse_strays(
    text: "pl.Series", numbers: "pl.Series", name: str, kind: Kind | None, where: Callable[[int], str], decimal: str
) -> None:
    """Raise if the text was meant to be numbers, naming the first value that is none."""
    count = len(text) - text.null_count()
    hits = len(numbers) - numbers.null_count()
    row = (text.is_not_null() & numbers.is_null()).arg_max()
    assert row is not None
    other = numbers_in(text, "." if decimal == "," else ",")
    others = len(other) - other.null_count()
    marked = int(thousands_in(text).sum())
    fault = fault_of_text(name, kind, count, hits, others, marked, lambda: f"{text[row]!r} ({where(row)})", decimal)
    if fault is not None:
        raise DataError(fault)


def thousands_in(text: "pl.Series") -> "pl.Series":
    """Which pieces of text are numbers with marks between thousands."""
    return text.str.contains(_THOUSANDS)


def fault_of_text(
    name: str,
    kind: Kind | None,
    present: int,
    numbers: int,
    others: int,
    marked: int,
    stray: Callable[[], str],
    decimal: str,
) -> str | None:
    """What is wrong with a column of text that was meant to be numbers; None if it is labels.

    Of `present` pieces of text, `numbers` are numbers, `others` with the other decimal mark, `marked` have marks
    between thousands; `stray` tells the first that is no number, and where it stands.
    """
    as_labels = f'say kinds={{{name!r}: "discrete"}}'
    if max(others, numbers + marked) >= NUMBERS * present and numbers < NUMBERS * present:
        return (
            f"column {name!r} holds numbers that are not written with the decimal mark {decimal!r}, such as {stray()}; "
            f"pass decimal=',' or decimal='.' as it is meant, take out marks between thousands, or, if the values are "
            f"labels, {as_labels}"
        )
    if kind == "continuous":
        return f"column {name!r} cannot be continuous, since {stray()} is no number; correct it, or {as_labels}"
    if numbers >= NUMBERS * present:
        more = present - numbers - 1
        return (
            f"column {name!r} holds numbers, but {stray()} is none{f' (nor {more} more)' if more else ''}; "
            f"correct it (leave it empty if it is missing), or {as_labels}"
        )
    return None
