"""Columns of text that may be numbers or dates: which are labels, and which are refused or remarked upon.

A single stray word makes a library read a whole column of numbers as text. A search would then take each number for a
level of its own, so such a column is refused, and the first stray value is named. So is a column of dates.
"""

from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import Floats, Kind, Labels, is_like_an_identifier, kind_of_values, labels_of_text
from ancestral.data.errors import DataError, DataWarning, leave_out
from ancestral.data.read.missing_values import MissingValues, NaOption
from ancestral.data.read.notations import amounts_in, dates_in, numbers_in
from ancestral.data.read.remarks import Remark
from ancestral.errors import Option

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "MOSTLY_NUMBERS",
    "NOTHING",
    "TextCounts",
    "doubt_of_text",
    "empty_text",
    "fault_of_text",
    "holds_dates",
    "read_text_values",
]

#: If at least this share of a column of text are numbers, all of it was meant to be. So it is with dates and amounts.
MOSTLY_NUMBERS = 0.9


@dataclass(frozen=True)
class TextCounts:
    """How many values of a column of text are what, as sums over its rows."""

    present: int = 0  #: values that are not missing
    numbers: int = 0  #: those that are numbers
    others: int = 0  #: those that are numbers with the other decimal mark
    dates: int = 0  #: those that are dates or times
    amounts: int = 0  #: those that are numbers with a sign of currency

    @classmethod
    def of(cls, text: "pl.Series", decimal: str, rows: NDArray[np.signedinteger] | None = None) -> "TextCounts":
        """The counts of cleaned text; `rows` has the number of rows of each piece of text, if it is not one."""
        if rows is None:  # each different text is looked at once
            text, rows = _tallied(text)
        there = text.is_not_null().to_numpy()
        weights = rows
        numbers = numbers_in(text, decimal).is_not_null().to_numpy()
        if numbers[there].all():  # nothing else is to be asked
            return cls(int(weights[there].sum()), int(weights[numbers].sum()))
        others = numbers_in(text, "." if decimal == "," else ",").is_not_null().to_numpy()
        found = (there, numbers, others, dates_in(text).to_numpy(), amounts_in(text).to_numpy())
        return cls(*(int(weights[which].sum()) for which in found))

    def __add__(self, other: "TextCounts") -> "TextCounts":
        return TextCounts(*(one + two for one, two in zip(astuple(self), astuple(other), strict=True)))

    @property
    def is_labels(self) -> bool:
        """Whether nothing suggests that the text was meant to be something else than labels."""
        return not any(map(self.mostly, (self.numbers, self.others, self.dates, self.amounts)))

    def mostly(self, count: int) -> bool:
        """Whether so many values are nearly all of them."""
        return bool(self.present) and count >= MOSTLY_NUMBERS * self.present


def _tallied(text: "pl.Series") -> tuple["pl.Series", NDArray[np.signedinteger]]:
    """The different pieces of text, and how often each of them occurs."""
    tally = text.alias("text").value_counts(name="rows")
    return tally["text"], tally["rows"].to_numpy().astype(np.int64)


#: The counts of no rows.
NOTHING = TextCounts()


def read_text_values(
    text: "pl.Series",
    name: str,
    kind: Kind | None,
    where: Callable[[int], str],
    missing: MissingValues,
    *,
    decimal: str = ".",
    takes_decimal: bool = True,
    from_file: bool,
    remark: Callable[[Remark], None],
) -> Floats | Labels:
    """The column that a column of text is: numbers, or labels.

    In a text file everything is text, and what can be read as numbers is numbers. In a frame, text is taken as labels;
    if it consists of measurements, a remark says so.

    `where` tells how errors name a row, and `takes_decimal` whether the user may choose the decimal mark. Raises
    DataError if the column was meant to be numbers and some are not, and if it holds dates.
    """
    if kind == "discrete" and not from_file:
        return labels_of_text(text, missing.cleaned)
    text = missing.cleaned(text)
    if not from_file and (text == "").any():
        remark(empty_text(name))
    counts = TextCounts.of(text, decimal)
    if counts.numbers == counts.present:
        numbers: Floats = np.array(numbers_in(text, decimal).to_numpy(), dtype=np.float64)
        if from_file or kind == "continuous" or not counts.present:
            return numbers
        if (doubt := doubt_of_text(name, counts, text, decimal)) is not None:
            remark(doubt)
        return labels_of_text(text)
    if kind == "continuous" or (kind is None and not counts.is_labels):
        row = (text.is_not_null() & numbers_in(text, decimal).is_null()).arg_max()
        assert row is not None
        word = text[row]
        fault = fault_of_text(
            name,
            kind,
            counts,
            word,
            lambda: f"{word!r} ({where(row)})",
            decimal,
            from_file,
            different=text.drop_nulls().n_unique(),
            takes_decimal=takes_decimal,
        )
        if fault is not None:
            raise fault
        if not from_file and (doubt := doubt_of_text(name, counts, text, decimal)) is not None:
            remark(doubt)
    return labels_of_text(text)


def doubt_of_text(name: str, counts: TextCounts, text: "pl.Series", decimal: str) -> Remark | None:
    """The remark about a column of a frame that is text although its values are measurements; None if they are not."""
    present = text.drop_nulls()
    if counts.numbers == counts.present:
        numbers, way_out = numbers_in(present, decimal), [", or pass ", Option("kinds", {name: "continuous"})]
    elif counts.mostly(counts.others):
        numbers, way_out = numbers_in(present, "." if decimal == "," else ","), []
    else:
        return None
    if kind_of_values(numbers.drop_nulls().to_numpy().astype(np.float64)) == "discrete":
        return None
    warning = DataWarning(
        f"column {name!r} is text, and is taken as labels, though its values are numbers, such as {present[0]!r}; if "
        "they are measurements, make it a column of numbers",
        *way_out,
    )
    return Remark(name, warning)


def empty_text(name: str) -> Remark:
    """The remark about a column of a frame in which some text is empty, and neither a null nor declared missing."""
    return Remark(
        name,
        DataWarning(
            f"column {name!r} has empty text, which is taken as a label; if it stands for a missing value, pass ",
            NaOption([""]),
        ),
    )


def holds_dates(name: str, what: str) -> DataError:
    """The error for a column of dates or times; `what` says more of them."""
    return DataError(
        f"column {name!r} holds dates or times ({what}); turn it into a number, such as days since the first, or ",
        *leave_out(name),
    )


def fault_of_text(
    name: str,
    kind: Kind | None,
    counts: TextCounts,
    word: str,
    stray: Callable[[], str],
    decimal: str,
    from_file: bool,
    *,
    different: int,
    takes_decimal: bool = True,
) -> DataError | None:
    """The error for a column of text that was meant to be numbers or dates; None if it is labels.

    `word` is the first value that is not a number, and `stray` tells it and where it is. To take the column as labels
    is a way out if it does not have so many `different` values that it would be refused as an identifier.
    """
    refused, labels = is_like_an_identifier(different, counts.present), Option("kinds", {name: "discrete"})
    as_labels = leave_out(name) if refused else ("pass ", labels)
    if_labels = leave_out(name) if refused else ("if the values are labels, pass ", labels)
    if counts.mostly(counts.dates):
        dates = holds_dates(name, f"such as {stray()}")
        return dates if refused else DataError(*dates.args, ", or ", *if_labels)
    if counts.mostly(counts.amounts):
        return DataError(
            f"column {name!r} holds amounts with a sign of currency, such as {stray()}; remove the signs, or ",
            *if_labels,
        )
    if from_file and counts.mostly(counts.others) and not counts.mostly(counts.numbers):
        marks = (
            "pass the right one, ",
            Option("decimal", "."),
            " or ",
            Option("decimal", ","),
            ", remove marks between ",
        )
        ways_out = (*marks, "thousands, or ") if takes_decimal else ("make its cells numbers in the spreadsheet, or ",)
        return DataError(
            f"column {name!r} holds numbers that are not written with the decimal mark {decimal!r}, such as "
            f"{stray()}; ",
            *ways_out,
            *if_labels,
        )
    more = counts.present - counts.numbers - 1
    also = f", and neither are {more} more" if more > 1 else ", and neither is 1 more" if more else ""
    if kind == "continuous":
        return DataError(
            f"column {name!r} cannot be continuous, since {stray()} is not a number{also}; correct it, or ",
            *(
                ("pass ", NaOption([word]), " if it stands for a missing value, or ")
                if counts.mostly(counts.numbers)
                else ()
            ),
            *as_labels,
        )
    if counts.mostly(counts.numbers):
        return DataError(
            f"column {name!r} holds numbers, but {stray()} is not a number{also}; correct it (leave it empty if it is "
            "missing, or pass ",
            NaOption([word]),
            "), or ",
            *as_labels,
        )
    return None
