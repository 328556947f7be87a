"""Codes of missing values: numbers such as -999 or 99 that are repeated and lie far outside the other values.

Surveys and instruments write 9, 99, 999 or their negatives for "not known", and 8, 88, 98 and the like beside them for
"refused" or "does not apply". Taken as measurements they dominate means and correlations.

A code lies far outside if its distance to the nearest other value is at least the range of the others, or if codes are
the only negative numbers. A 9 above the levels of a rating scale, 1 to 6 or 1 to 7, is nearer: it is told if it occurs
more often than the highest level, which the tail of a count does not.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column import Column
from ancestral.data.column_kinds import Floats, is_number, label_of
from ancestral.data.doubts.doubt import Doubt
from ancestral.data.doubts.seen_rows import SeenRows
from ancestral.data.read.missing_values import NaOption
from ancestral.data.stats.summary import Summary
from ancestral.errors import Option
from ancestral.printing import counted, listed

__all__ = ["missing_codes", "missing_codes_in_summary"]

#: How often codes must occur; a 9, which counts and ratings have as well, must occur more often.
FEWEST_TIMES, FEWEST_NINES = 2, 5
#: The highest level of a rating scale above which 9 is not one more level.
HIGHEST_LEVEL = 7
#: The most digits of a code.
MOST_DIGITS = 5
#: Columns that a warning lists with their codes; of the others it gives the number.
MOST_LISTED = 6

#: The codes of each number of digits: 99, and those that stand beside it: 96, 97 and 98, 77 and 88.
_FAMILIES = tuple(
    frozenset(map(float, (nines, nines // 9 * 8, nines // 9 * 7, *(range(nines - 3, nines) if nines > 9 else ()))))
    for nines in (10**digits - 1 for digits in range(1, MOST_DIGITS + 1))
)
_CODES = frozenset[float]().union(*_FAMILIES)

#: The codes of a column with their numbers of rows.
_Codes = Mapping[str, int]


def missing_codes(seen: SeenRows) -> list[Doubt]:
    """The doubts about the columns of a table that hold codes."""
    columns = seen.table.columns
    coded = {column.name: codes for column in columns if (codes := _codes_of(column))}
    return _doubts(coded, lambda code: [column.name for column in columns if _holds(column, code)])


def missing_codes_in_summary(summary: Summary) -> list[Doubt]:
    """The same for rows that were summed up: of columns with levels, since the values of the others are gone."""
    ranges = {column.name: (column.low, column.high) for column in summary.columns if column.kind == "continuous"}
    levels = {name: summary.rows_by_level(name) for name in summary.names if name not in ranges}
    coded = {name: codes for name, rows in levels.items() if (codes := _codes_of_levels(rows))}

    def holding(code: str) -> list[str]:
        may = [name for name, (low, high) in ranges.items() if low <= float(code) <= high]
        return [name for name, rows in levels.items() if code in rows] + may

    return _doubts(coded, holding)


def _codes_of(column: Column) -> _Codes:
    """The codes in a column of a table; few columns have an extreme value that is one, and only these are counted."""
    if column.levels is not None:
        if not any(is_number(level) and abs(float(level)) in _CODES for level in column.levels):
            return {}
        rows = np.bincount(np.asarray(column.present), minlength=len(column.levels))
        return _codes_of_levels(dict(zip(column.levels, rows.tolist(), strict=True)))
    if not column.present.size or not any(abs(value) in _CODES for value in column.extremes):
        return {}
    return _codes_among(*np.unique(np.asarray(column.present, dtype=np.float64), return_counts=True))


def _codes_of_levels(rows: Mapping[str, int]) -> _Codes:
    if not all(map(is_number, rows)):
        return {}
    ascending = sorted((float(level), count) for level, count in rows.items())
    return _codes_among(np.array([value for value, _ in ascending]), np.array([count for _, count in ascending]))


def _codes_among(values: Floats, rows: NDArray[np.signedinteger]) -> _Codes:
    """The codes among different numbers in ascending order, given the number of rows of each."""
    out: dict[str, int] = {}
    for sign in (-1, 1):
        inwards = slice(None, None, -sign)
        count = _leading_codes(sign * values[inwards], rows[inwards], negative=sign < 0)
        out |= {label_of(values[inwards][i]): int(rows[inwards][i]) for i in range(count)}
        values, rows = values[inwards][count:][inwards], rows[inwards][count:][inwards]
    return out


def _leading_codes(values: Floats, rows: NDArray[np.signedinteger], *, negative: bool) -> int:
    """How many of different numbers in descending order are codes, from the first one on.

    `negative`: the numbers have changed their sign, so that the smallest comes first.
    """
    family = next((family for family in _FAMILIES if values[0] in family), frozenset[float]())
    nine = not negative and values[0] <= 9
    if nine:
        family &= {9.0}  # 7 and 8 are ratings and counts
    others = values[np.cumprod(np.isin(values, list(family))).sum() :]
    count = values.size - others.size
    if others.size < 2 or not count or (count == 1 and values[0] != max(family)):
        return 0
    if rows[:count].sum() < (FEWEST_NINES if nine else FEWEST_TIMES):
        return 0
    far = values[count - 1] - others[0] >= others[0] - others[-1] or (negative and others[0] <= 0)
    above_a_scale = nine and _is_scale(others) and rows[0] > rows[1]
    return count if far or above_a_scale else 0


def _is_scale(descending: Floats) -> bool:
    """Whether numbers are the levels of a rating scale: all whole numbers from 0 or 1 to the highest."""
    return bool(descending[0] <= HIGHEST_LEVEL and descending[-1] in (0, 1) and (np.diff(descending) == -1).all())


def _holds(column: Column, code: str) -> bool:
    return bool((column.values == float(code)).any()) if column.levels is None else code in column.levels


def _doubts(coded: Mapping[str, _Codes], holding: Callable[[str], Sequence[str]]) -> list[Doubt]:
    """A doubt for all codes that can be declared missing, and one for each that other columns hold as a value.

    `holding` tells which columns hold a value.
    """
    codes = dict.fromkeys(code for own in coded.values() for code in own)
    elsewhere = {code: [name for name in holding(code) if code not in coded.get(name, ())] for code in codes}
    out = []
    free = [code for code, others in elsewhere.items() if not others]
    if free:
        out.append(_doubt(coded, free, "read the data with ", NaOption(free)))
    for code, others in elsewhere.items():
        if others:
            there = "make it missing in the data themselves, as an empty field or a null: "
            why = f" would also apply to {listed(others)}, which may hold {code} as a value"
            out.append(_doubt(coded, [code], there, NaOption([code]), why))
    return out


def _doubt(coded: Mapping[str, _Codes], codes: Sequence[str], *way_out: str | Option) -> Doubt:
    found = {name: {code: own[code] for code in codes if code in own} for name, own in coded.items()}
    found = {name: own for name, own in found.items() if own}
    some = [f"{listed(map(_times, own.items()), spell=str)} in {name!r}" for name, own in found.items()]
    lie, it = ("lies", "it means") if sum(map(len, found.values())) == 1 else ("lie", "they mean")
    return Doubt(
        "missing codes",
        list(found),
        f"{listed(some, MOST_LISTED, spell=str)} {lie} far outside the other values there, like codes of missing ones; "
        f"if {it} missing, ",
        *way_out,
    )


def _times(code_and_rows: tuple[str, int]) -> str:
    code, rows = code_and_rows
    return f"{code} ({counted(rows, 'time')})"
