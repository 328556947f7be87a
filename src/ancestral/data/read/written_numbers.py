"""Remarks on how the numbers of a column are written: percent signs, marks between thousands, and what is unclear."""

import re
from collections.abc import Callable, Iterable, Iterator

from ancestral.data.column_kinds import label_of
from ancestral.data.errors import DataError, DataWarning, leave_out
from ancestral.data.read.notations import Notation, numbers_in
from ancestral.data.read.remarks import Remark
from ancestral.errors import Option

__all__ = ["like_codes", "remark_on_codes", "remarks_on"]

_CODE = re.compile(r"0\d{2,}")


def remarks_on(
    name: str,
    notation: Notation,
    present: int,
    decimal: str,
    place: Callable[[int], object],
    *,
    clear: bool = True,
    takes_decimal: bool = True,
) -> Iterator[Remark]:
    """What is to be said about a column of `present` numbers; `place` tells where a row is.

    `clear`: whether the decimal mark is known, so that a single mark in a number cannot be one. `takes_decimal`:
    whether the user may choose it; the cells of a spreadsheet have numbers of their own, and text beside them.
    """
    as_labels = Option("kinds", {name: "discrete"})
    if notation.grouped is not None and notation.unsure == present and not clear:
        text, row = notation.grouped
        yield Remark(
            name,
            DataError(
                f"column {name!r} holds numbers such as {text!r} ({place(row)}), whose mark may be a decimal mark or "
                "stand between thousands; pass ",
                Option("decimal", ","),
                f" to read {_number(text, ',')}, or ",
                Option("decimal", "."),
                f" to read {_number(text, '.')}, or, if the values are labels, ",
                as_labels,
            ),
        )
        return
    if notation.grouped is not None:
        text, row = notation.grouped
        right = "pass ", Option("decimal", "," if decimal == "." else ".")
        yield Remark(
            name,
            DataWarning(
                f"column {name!r} has numbers with marks between thousands: {text!r} ({place(row)}) is read as "
                f"{_number(text, decimal)}; if that is wrong, ",
                *(right if takes_decimal else ("make its cells numbers in the spreadsheet",)),
            ),
        )
    if notation.percentage is None:
        return
    text, row = notation.percentage
    if notation.percent < present:
        plain = notation.plain
        other = "" if plain is None else f", such as {plain[0]!r} ({place(plain[1])})"
        yield Remark(
            name,
            DataError(
                f"column {name!r} holds percentages, such as {text!r} ({place(row)}), and numbers without a percent "
                f"sign{other}; write all of them in one way, or pass ",
                as_labels,
            ),
        )
        return
    yield Remark(
        name,
        DataWarning(
            f"column {name!r} holds percentages, which are read as numbers of percent: {text!r} ({place(row)}) is "
            f"{_number(text, decimal)}"
        ),
    )


def like_codes(texts: Iterable[str | None]) -> int | None:
    """The position of the first number with a leading zero, like a postal code, in pieces of text; None if none is.

    >>> like_codes(["10115", "01067", "0.5"])
    1
    """
    return next((i for i, text in enumerate(texts) if text is not None and _CODE.fullmatch(text.strip())), None)


def remark_on_codes(name: str, text: str, place: object) -> Remark:
    """The remark on a column of numbers with leading zeros, of which one is given with its place."""
    return Remark(
        name,
        DataWarning(
            f"column {name!r} has numbers that begin with a zero, such as {text.strip()!r} ({place}), like codes; they "
            "are read as numbers: if they are labels, pass ",
            Option("kinds", {name: "discrete"}),
            "; if they differ in most rows, ",
            *leave_out(name),
        ),
    )


def _number(text: str, decimal: str) -> str:
    import polars as pl

    return label_of(numbers_in(pl.Series([text]), decimal)[0])
