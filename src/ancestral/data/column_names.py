"""Names of columns: distinct strings, the ones that were chosen, and where they are."""

from collections.abc import Iterable, Sequence

import numpy as np

from ancestral.arguments import names_list
from ancestral.data.errors import DataError, combined
from ancestral.errors import AncestralError, Option, OptionError, refuse_unknown
from ancestral.printing import counted, listed

__all__ = ["check_same_columns", "chosen_names", "column_names", "no_columns", "positions_of", "wrong_count_of_names"]


def column_names(names: Iterable[object]) -> tuple[str, ...]:
    """The names of columns as distinct strings that are not blank.

    Whole numbers, by which pandas counts columns, are written out. Raises DataError with all names that cannot be used.
    """
    out: dict[str, int] = {}
    faults: list[AncestralError] = []
    for position, name in enumerate(names, start=1):
        if isinstance(name, int | np.integer) and not isinstance(name, bool):
            name = str(name)
        if isinstance(name, tuple):
            faults.append(
                DataError(f"column {name!r} has a name of several levels; join the levels into one name per column")
            )
        elif not isinstance(name, str) or not name.strip():
            faults.append(
                DataError(f"column {position} has no name (it is {name!r}); give it one, or leave the column out")
            )
        elif name in out:
            faults.append(DataError(f"columns {out[name]} and {position} are both named {name!r}; rename one of them"))
        else:
            out[name] = position
    if faults:
        raise combined(faults)
    return tuple(out)


def chosen_names(
    known: tuple[str, ...], columns: Iterable[str] | str | None, drop: Iterable[str] | str | None
) -> tuple[str, ...]:
    """The names that `columns` and `drop` leave of the known ones, in the order of `columns`."""
    chosen = known if columns is None else column_names(names_list("columns", columns))
    dropped = () if drop is None else names_list("drop", drop)
    refuse_unknown((*chosen, *dropped), known, what="column")
    gone = set(dropped)
    return tuple(name for name in chosen if name not in gone)


def no_columns() -> DataError:
    """The error for a table that has no columns, or of which none was chosen."""
    return DataError(
        "the table has no columns; choose some with ", Option("columns"), ", or ", Option("drop"), " fewer"
    )


def wrong_count_of_names(given: int, count: int, where: str = "") -> OptionError:
    """The error for `names=` that are not as many as the columns; `where` tells what has the columns."""
    reason = f"must have one name for each of {counted(count, 'column')}{where}, got {given}"
    return OptionError(reason, option="names", way_out="add the missing names, or remove the others")


def positions_of(names: Sequence[str], known: Sequence[str]) -> list[int]:
    """The positions of some names, which must differ, among the known ones."""
    position = {name: i for i, name in enumerate(known)}
    refuse_unknown(names, known, what="column")
    return [position[name] for name in column_names(names)]


def check_same_columns(names: Sequence[str], others: Sequence[str]) -> None:
    """Raise unless the two sides have the same columns, in whatever order."""
    ours, theirs = set(names), set(others)
    here = [name for name in names if name not in theirs]
    there = [name for name in others if name not in ours]
    if here or there or len(names) != len(others):
        parts = [f"only one side has {listed(side)}" for side in (here, there) if side]
        raise DataError(
            f"the columns differ ({', '.join(parts) or 'a name occurs twice'}); choose the same columns on both sides"
        )
