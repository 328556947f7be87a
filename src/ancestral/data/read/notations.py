"""How numbers and dates are written in text: decimal marks, marks between thousands, percent signs, currencies.

A number may have a typographic minus sign, marks between its thousands (`1,234,567`, `1.234,5`, `1 234`, `1'234`) and
a percent sign (`9.4%`, which is 9.4). Amounts with a sign of currency and dates are recognised, and are not numbers.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Notation", "amounts_in", "dates_in", "numbers_in", "plain_numbers"]

#: Spaces that stand between thousands: the plain one, the one that does not break, and narrow ones.
_SPACES = " \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}"
_CURRENCIES = r"(?:[$€£¥₹₽₩₺]|USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|PLN|Rs\.?|kr\.?)"

_DAY, _MONTH, _YEAR = r"(?:0?[1-9]|[12]\d|3[01])", r"(?:0?[1-9]|1[0-2])", r"(?:1[5-9]|20|21)\d\d"
_NAME = r"(?i:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|sept|oct|okt|nov|dec|dez)[a-zä]{0,6}\.?"
_CLOCK = r"(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?: ?[AaPp]\.?[Mm]\.?)?(?:Z| ?[+-]\d\d:?\d\d| UTC)?"
#: Dates, with or without a time: 2024-01-31, 31.01.2024, 01/31/2024, 31/1/24, 31-Jan-2024, Jan 31, 2024, 2024-Q1.
_DATES = "|".join(
    [
        rf"{_YEAR}([-/.]){_MONTH}[-/.]{_DAY}",
        rf"{_DAY}[-/.]{_MONTH}[-/.](?:{_YEAR}|\d\d)",
        rf"{_MONTH}[-/]{_DAY}[-/](?:{_YEAR}|\d\d)",
        rf"{_DAY}(?:st|nd|rd|th|\.)?[- ]?{_NAME}[- ,]{{0,2}}(?:{_YEAR}|\d\d)",
        rf"{_NAME}[- ]?{_DAY}(?:st|nd|rd|th)?,? {_YEAR}",
        rf"{_YEAR}-{_MONTH}",
        rf"{_YEAR}[- ]?Q[1-4]",
        rf"{_YEAR}-?W[0-5]\d",
    ]
)
_DATE = rf"^(?:(?:{_DATES})(?:[T ,]+{_CLOCK})?|{_CLOCK})$"


def plain_numbers(text: "pl.Series", decimal: str = ".") -> "pl.Series":
    """The numbers that are written without marks between thousands and without percent signs; null elsewhere."""
    import polars as pl

    text = text.str.replace("\N{MINUS SIGN}", "-", literal=True)
    if decimal == ",":
        text = text.set(text.str.contains(".", literal=True), None).str.replace(",", ".", literal=True)
    return text.cast(pl.Float64, strict=False)


def numbers_in(text: "pl.Series", decimal: str = ".") -> "pl.Series":
    """The numbers that are written as text, in any notation that is known; null where the text is not a number."""
    numbers = plain_numbers(text, decimal)
    if numbers.null_count() == text.null_count():
        return numbers
    return numbers.fill_null(plain_numbers(_without_signs(text, decimal), decimal))


def _without_signs(text: "pl.Series", decimal: str) -> "pl.Series":
    """The text without percent signs and marks between thousands; null where there are none."""
    import polars as pl

    bare = text.str.replace(r"\s?%$", "")
    grouped = bare.str.contains(_grouped(decimal))
    return pl.select(
        pl.when(grouped)
        .then(bare.str.replace_all(rf"[{_mark(decimal)}'’{_SPACES}]", ""))
        .when(bare != text)
        .then(bare)
        .otherwise(None)
    ).to_series()


def _mark(decimal: str) -> str:
    """The mark between thousands that goes with a decimal mark."""
    return "," if decimal == "." else "."


def _grouped(decimal: str) -> str:
    """The pattern of numbers with marks between thousands, all of them the same."""
    groups = "|".join(rf"(?:[{mark}]\d{{3}})+" for mark in (_mark(decimal), "'", "’", *_SPACES))
    return rf"^[+\-\N{{MINUS SIGN}}]?[1-9]\d{{0,2}}(?:{groups})(?:[{decimal}]\d*)?$".replace(
        r"\N{MINUS SIGN}", "\N{MINUS SIGN}"
    )


def dates_in(text: "pl.Series") -> "pl.Series":
    """Which pieces of text are dates or times."""
    return text.str.contains(_DATE).fill_null(False)


def amounts_in(text: "pl.Series") -> "pl.Series":
    """Which pieces of text are numbers with a sign of currency."""
    number = rf"[\d.,'’{_SPACES}]*\d[\d.,]*-?"
    pattern = rf"^[+\-(]?\s?(?:{_CURRENCIES}\s?[+-]?{number}|{number}\s?{_CURRENCIES})\)?$"
    return text.str.contains(pattern).fill_null(False)


@dataclass(frozen=True)
class Notation:
    """How the numbers of a column are written, as sums over its rows."""

    percent: int = 0  #: numbers with a percent sign
    unsure: int = 0  #: numbers with one mark, which may be a decimal mark or stand between thousands
    percentage: tuple[str, int] | None = None  #: the first number with a percent sign, and its row
    grouped: tuple[str, int] | None = None  #: the first number with marks between thousands, and its row
    plain: tuple[str, int] | None = None  #: the first number without a percent sign, and its row

    @classmethod
    def of(cls, text: "pl.Series", decimal: str, first: int) -> "Notation":
        """How cleaned text is written that consists of numbers, of the rows from number `first` on."""
        percent = text.str.ends_with("%").fill_null(False)
        grouped = text.str.contains(_grouped(decimal).replace("$", r"(?:\s?%)?$")).fill_null(False)
        unsure = text.str.contains(rf"^[+-]?[1-9]\d{{0,2}}[{_mark(decimal)}]\d{{3}}$").fill_null(False)

        def first_of(which: "pl.Series") -> tuple[str, int] | None:
            row = which.arg_max() if which.any() else None
            return None if row is None else (text[row], first + row)

        plain = first_of(~percent & text.is_not_null())
        return cls(int(percent.sum()), int(unsure.sum()), first_of(percent), first_of(grouped), plain)

    def __add__(self, other: "Notation") -> "Notation":
        return Notation(
            self.percent + other.percent,
            self.unsure + other.unsure,
            self.percentage or other.percentage,
            self.grouped or other.grouped,
            self.plain or other.plain,
        )
