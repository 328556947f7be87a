"""Numeric identifiers: whole numbers of which no two rows have the same, where measurements would have ties.

Of n independent measurements in whole units, on a range of R numbers, the probability that no two are equal is at most
exp(-n (n - 1) / 2R): it is largest if all numbers are equally probable (Munford, 1977). Where it is below one in a
million, or the numbers rise or fall from row to row without exception, or the name says so, the column is taken for an
identifier. So an income in dollars that differs in each of 500 rows is not: its range is too wide for ties.

Reference: Munford (1977), A note on the uniformity assumption in the birthday problem, The American Statistician 31.
"""

import re

import numpy as np
from numpy.typing import NDArray

from ancestral.data.doubts.doubt import Doubt
from ancestral.data.doubts.seen_rows import SeenRows
from ancestral.data.errors import leave_out
from ancestral.data.stats.summary import Summary
from ancestral.data.stats.whole_run import WholeRun
from ancestral.printing import counted

__all__ = ["identifiers", "identifiers_in_summary", "is_name_of_identifier"]

#: Rows that are needed to tell; twelve numbers in a random order are sorted with a probability of 4e-9.
FEWEST_ROWS = 12
#: The probability of no tie between measurements below which a column without ties is none.
IMPROBABLE = 1e-6

#: The last word of names that identifiers have, and the names that libraries give to numbers of rows.
_LAST_WORDS = frozenset(("id", "ids", "uid", "uuid", "identifier", "index", "idx", "key", "rowid", "rownum", "row"))
_ROW_NUMBERS = re.compile(r"(?:unnamed: ?\d+|row[ _.]?(?:no|nr|number)|__index_level_\d+__)", re.IGNORECASE)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def identifiers(seen: SeenRows) -> list[Doubt]:
    """The doubts about the columns of a table that look like identifiers."""
    out = []
    if seen.rows >= FEWEST_ROWS:
        for name, numbers in seen.whole.items():
            if (how := _how_unlike_a_measurement(name, numbers)) is not None:
                out.append(_doubt(name, seen.rows, how))
    return out


def identifiers_in_summary(summary: Summary) -> list[Doubt]:
    """The same for rows that were summed up: those that rise or fall, or take each number of their range once."""
    out = []
    for column in summary.columns:
        run = column.whole_run
        if column.kind != "continuous" or run is None or run.count < FEWEST_ROWS:
            continue
        if (how := _how_a_run_is(run)) is not None:
            out.append(_doubt(column.name, run.count, how))
    return out


def is_name_of_identifier(name: str) -> bool:
    """Whether a name is one that identifiers have.

    >>> [is_name_of_identifier(name) for name in ("id", "patient_id", "PatientID", "Unnamed: 0", "acid", "age", "pid")]
    [True, True, True, True, False, False, False]
    """
    words = _WORDS.findall(name)
    return bool(words and words[-1].lower() in _LAST_WORDS) or _ROW_NUMBERS.fullmatch(name) is not None


def _how_unlike_a_measurement(name: str, numbers: NDArray[np.int64]) -> str | None:
    """What tells a column from measurements, as a clause; None if nothing does."""
    if (order := _order_of(numbers)) is not None:
        return order
    low, high = int(numbers.min()), int(numbers.max())
    span = high - low + 1
    if span < numbers.size:
        return None  # there is a tie
    no_tie = np.exp(-numbers.size * (numbers.size - 1) / (2 * span))
    if no_tie >= IMPROBABLE and not is_name_of_identifier(name):
        return None
    if not _all_differ(numbers, low, span):
        return None
    return _between(low, high) if no_tie < IMPROBABLE else "as its name says"


def _all_differ(numbers: NDArray[np.int64], low: int, span: int) -> bool:
    if np.unique(numbers[:1000]).size < min(1000, numbers.size):
        return False
    if span <= 16 * numbers.size:
        return bool(np.bincount(numbers - low, minlength=1).max() == 1)
    return np.unique(numbers).size == numbers.size


def _order_of(numbers: NDArray[np.int64]) -> str | None:
    for part in (numbers[:1000], numbers):
        steps = np.diff(part)
        if not ((steps > 0).all() or (steps < 0).all()):
            return None
    return "rising from row to row" if numbers[-1] > numbers[0] else "falling from row to row"


def _how_a_run_is(run: WholeRun) -> str | None:
    if run.rising or run.falling:
        return "rising from row to row" if run.rising else "falling from row to row"
    return _between(run.low, run.high) if run.takes_each_once else None


def _between(low: int, high: int) -> str:
    return f"all between {low:,} and {high:,}"


def _doubt(name: str, rows: int, how: str) -> Doubt:
    return Doubt(
        "identifier",
        [name],
        f"column {name!r} has another whole number in each of {counted(rows, 'row')}, {how}, like an identifier, a "
        "rank or a date; if it is not a measurement, ",
        *leave_out(name),
    )
