"""Misfits: the columns that a test is not for, all of them by name, and the ways out that are open to all of them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

import numpy as np

from ancestral.data import Table
from ancestral.data.column_kinds import MOST_LEVELS, is_like_an_identifier, is_number
from ancestral.data.errors import DropOption, KindsOption
from ancestral.data.stats.summary import Summary
from ancestral.errors import Option
from ancestral.printing import listed

__all__ = ["levels_of", "misfits_in_words", "ways_out_of"]

#: Columns that must be left for a search to compare anything.
FEWEST_COLUMNS = 2


def levels_of(data: Table | Summary, name: str) -> tuple[str, ...]:
    """The levels of a discrete or ordinal column; none of a continuous one."""
    return data.levels(name) if isinstance(data, Summary) else data.column(name).levels or ()


def misfits_in_words(misfits: Sequence[str], kinds: Collection[str]) -> str:
    """Which columns a test for these kinds is not for, as the reason of an error.

    >>> misfits_in_words(["age", "dose"], {"discrete"})
    "is for discrete columns, and 'age' and 'dose' are not"
    """
    are = "is" if len(misfits) == 1 else "are"
    return f"is for {listed(sorted(kinds), last='or', spell=str)} columns, and {listed(misfits)} {are} not"


def ways_out_of(
    data: Table | Summary, misfits: Sequence[str], kinds: Collection[str], instead: str
) -> list[str | Option]:
    """What to do about columns that a test for these kinds is not for; each way is one for all of them.

    Another test can be taken, named `instead`. The columns can be left out, if enough others remain. Or they are read
    otherwise, as far as they can be, and the rest of them is left out.
    """
    one = len(misfits) == 1
    ways: list[list[str | Option]] = [["pass ", Option("test", instead)]]
    if _remain(data, misfits):
        ways.append([f"leave the {'column' if one else 'columns'} out with ", DropOption(misfits)])
    otherwise = {name: kind for name in misfits if (kind := _other_kind(data, name, kinds)) is not None}
    rest = [name for name in misfits if name not in otherwise]
    if otherwise and not rest:
        ways.append(_read_otherwise(otherwise, kinds, "it" if one else "they"))
    elif otherwise and _remain(data, rest):
        others = _read_otherwise(otherwise, kinds, "the others")
        ways.append([f"leave out only {listed(rest)} with ", DropOption(rest), ", and ", *others])
    out = ways[0]
    for number, way in enumerate(ways[1:], start=2):
        out += [", or " if number == len(ways) else ", ", *way]
    return out


def _remain(data: Table | Summary, without: Sequence[str]) -> bool:
    return len(data.names) - len(without) >= FEWEST_COLUMNS


def _read_otherwise(
    chosen: Mapping[str, str | list[str]], kinds: Collection[str], who: Literal["it", "they", "the others"]
) -> list[str | Option]:
    """The advice to choose these kinds of columns."""
    if "ordinal" in kinds:
        levels = {"it": "its levels", "they": "their levels", "the others": "the levels of the others"}[who]
        return [f"if {levels} have an order, pass them in this order, as in ", KindsOption(chosen)]
    return [f"override how {who} {'is' if who == 'it' else 'are'} read with ", KindsOption(chosen)]


def _other_kind(data: Table | Summary, name: str, kinds: Collection[str]) -> str | list[str] | None:
    """How a column can be read as one of these kinds; None if it cannot, or would be refused then."""
    levels = levels_of(data, name)
    numeric = all(map(is_number, levels))
    if "ordinal" in kinds:
        return "ordinal" if numeric else list(levels) if len(levels) <= MOST_LEVELS else None
    if "discrete" in kinds:
        return "discrete" if _has_ties(data, name) else None
    return "continuous" if numeric else None


def _has_ties(data: Table | Summary, name: str) -> bool:
    """Whether the numbers of a column are few enough to be levels; of sums that is not known."""
    if isinstance(data, Summary):
        return False
    return not is_like_an_identifier(np.unique(data.column(name).present).size, data.rows)
