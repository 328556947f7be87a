"""Which columns are continuous, discrete or ordinal: one rule, and what the levels of a column are.

A column is *discrete* if its values are not numbers (text, booleans, categories) or if they are whole numbers with at
most ten different values; every other column is *continuous*. The rule looks at values, not at how they are stored:
1, 2, 3 and 1.0, 2.0, 3.0 are the same. `kinds={"stage": "continuous"}` overrules it.

The levels of a discrete column are sorted, numbers ascending and text by name, so that neither the order of the rows
nor the order in which a library met the categories changes a code.

A column is *ordinal* if its levels have an order that means something: that of ordered categories, of numbers
(`kinds={"stage": "ordinal"}`), or one that is told (`kinds={"stage": ["low", "mid", "high"]}`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ancestral.data._steps_cy import numbered, whole_steps
from ancestral.data.errors import DataError, leave_out
from ancestral.errors import Option, refuse_unknown
from ancestral.graphs.names import by_name
from ancestral.printing import listed

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "MOST_LEVELS",
    "Chosen",
    "Floats",
    "Kind",
    "Labels",
    "chosen_kinds",
    "in_level_order",
    "is_like_an_identifier",
    "is_number",
    "kind_of_values",
    "label_of",
    "labels_of_numbers",
    "labels_of_text",
    "levels_if_discrete",
    "merged_levels",
    "numbers_of_labels",
    "ordered_labels",
    "read_as",
    "relabelled",
]

Kind: TypeAlias = Literal["continuous", "discrete", "ordinal"]
#: The kind that a user chooses for a column; levels from the lowest to the highest make it ordinal.
Chosen: TypeAlias = Kind | tuple[str, ...]
Floats: TypeAlias = NDArray[np.float64]

#: A column of whole numbers with more different values than this is taken as a measurement and not as levels.
MOST_LEVELS = 10

#: Levels up to which a column is never taken for an identifier.
IDENTIFIER_LEVELS = 20

#: The numbers that truth values stand for.
_TRUTH = {"False": 0.0, "True": 1.0}


@dataclass(frozen=True, eq=False)
class Labels:
    """A column of labels: `codes[i]` is the position of row i's label in `levels`, -1 where it is missing.

    `ordered`: the order of the levels means something.
    """

    codes: NDArray[np.signedinteger]
    levels: tuple[str, ...]
    ordered: bool = False


def kind_of_values(values: Floats) -> Kind:
    """The kind of a column of numbers; NaN is a missing value and does not count.

    >>> kind_of_values(np.array([1.0, 2.0, 2.0, np.nan])), kind_of_values(np.array([1.0, 2.5]))
    ('discrete', 'continuous')
    """
    return "continuous" if levels_if_discrete(values) is None else "discrete"


def levels_if_discrete(values: Floats) -> Labels | None:
    """The levels of numbers that are discrete, in ascending order; None if the numbers are continuous."""
    if (labels := _close_labels(values)) is not None:
        return labels if len(labels.levels) <= MOST_LEVELS else None
    for part in (values[:64], values):  # the first rows of most continuous columns show that they are
        present = part[~np.isnan(part)]
        if (present != np.floor(present)).any() or np.unique(present).size > MOST_LEVELS:
            return None
    return labels_of_numbers(values)


def is_number(text: str) -> bool:
    """Whether the text writes a finite number, with a decimal point if any."""
    try:
        return bool(np.isfinite(float(text))) and "_" not in text
    except ValueError:
        return False


def is_like_an_identifier(levels: int, rows: int) -> bool:
    """Whether a discrete column with so many levels in so many rows is taken for an identifier, and refused."""
    return levels > IDENTIFIER_LEVELS and levels > rows / 2


def label_of(number: float) -> str:
    """How a number is written as a level: 3, not 3.0."""
    return str(int(number)) if float(number).is_integer() else repr(float(number))


def labels_of_numbers(values: Floats) -> Labels:
    """Numbers as levels in ascending order."""
    if (labels := _close_labels(values)) is not None:
        return labels
    missing = np.isnan(values)
    levels = np.unique(values[~missing])
    codes = np.where(missing, -1, np.searchsorted(levels, values)).astype(np.int32)
    return Labels(codes, tuple(label_of(level) for level in levels))


def _close_labels(values: Floats) -> Labels | None:
    """Whole numbers in a narrow range as levels, without sorting; None if they are not such numbers."""
    if (counted := whole_steps(np.ascontiguousarray(values))) is None:
        return None
    low, steps, occurs = counted
    taken = np.flatnonzero(occurs[:-1])
    code = np.full(occurs.size, -1, dtype=np.int32)
    code[taken] = np.arange(taken.size)
    return Labels(numbered(steps, code), tuple(label_of(low + step) for step in taken.tolist()))


def labels_of_text(text: "pl.Series", cleaned: "Callable[[pl.Series], pl.Series] | None" = None) -> Labels:
    """Text as levels; a null is a missing value. The function `cleaned` is applied to each different text once."""
    import polars as pl

    numbered = text.cast(pl.Categorical(pl.Categories.random()))  # new categories are numbered from 0
    different = numbered.unique().drop_nulls()
    words = different.cast(pl.String)
    labels = (words if cleaned is None else cleaned(words)).to_list()
    levels = in_level_order({label for label in labels if label is not None})
    position = {level: code for code, level in enumerate(levels)}
    code = np.full(len(labels) + 1, -1, dtype=np.int32)
    code[different.to_physical().to_numpy()] = [-1 if label is None else position[label] for label in labels]
    return Labels(code[numbered.to_physical().fill_null(len(labels)).to_numpy()], levels)


def in_level_order(levels: Iterable[str]) -> tuple[str, ...]:
    """Levels in their order: ascending if all are numbers, otherwise by name."""
    out = sorted(levels, key=by_name)
    return tuple(sorted(out, key=float) if all(map(is_number, out)) else out)


def numbers_of_labels(name: str, labels: Labels) -> Floats:
    """The numbers that the levels of a column write, False being 0 and True 1; raises DataError if one does not."""
    for level in labels.levels:
        if level not in _TRUTH and not is_number(level):
            raise DataError(
                f"column {name!r} cannot be continuous, since {level!r} is not a number; leave it discrete, or ",
                *leave_out(name),
            )
    numbers = [float(_TRUTH.get(level, level)) for level in labels.levels]
    return np.array([*numbers, np.nan], dtype=np.float64)[labels.codes]  # -1 takes the last


def relabelled(labels: Labels, levels: tuple[str, ...], *, ordered: bool) -> Labels:
    """The same labels with these levels, which must include all that occur."""
    position = {level: code for code, level in enumerate(levels)}
    code = np.array([*(position.get(level, -1) for level in labels.levels), -1], dtype=np.int32)
    return Labels(code[labels.codes], levels, ordered)


def ordered_labels(name: str, labels: Labels, chosen: Chosen) -> Labels:
    """The labels of a column that is to be ordinal, in the order that was told or that the levels have by themselves.

    Raises DataError if levels are not among those that were told, or have no order of their own.
    """
    if isinstance(chosen, tuple):
        if unknown := [level for level in labels.levels if level not in set(chosen)]:
            raise DataError(
                f"column {name!r} must have no other levels than {listed(chosen)}, got {listed(unknown)} as well; pass "
                "all of them from the lowest to the highest, as in ",
                Option("kinds", {name: [*chosen, *unknown[:1]]}),
            )
        return relabelled(labels, tuple(level for level in chosen if level in set(labels.levels)), ordered=True)
    if labels.ordered:
        return labels
    if len(labels.levels) > 2 and not all(level in _TRUTH or is_number(level) for level in labels.levels):
        raise DataError(
            f"column {name!r} cannot be ordinal, since the order of its levels {listed(labels.levels)} is not known; "
            "make it an ordered categorical or numbers, or pass its levels from the lowest to the highest, as in ",
            Option("kinds", {name: list(labels.levels[:MOST_LEVELS])}),
        )
    return Labels(labels.codes, labels.levels, ordered=True)


def merged_levels(name: str, one: tuple[str, ...], two: tuple[str, ...]) -> tuple[str, ...]:
    """The levels of both parts of an ordinal column, in an order in which both agree.

    Raises DataError if one does not have all levels of the other in the same order, and they are not numbers.

    >>> merged_levels("x", ("low", "mid", "high"), ("low", "high"))
    ('low', 'mid', 'high')
    """
    more, fewer = (one, two) if len(one) >= len(two) else (two, one)
    if tuple(level for level in more if level in set(fewer)) == fewer:
        return more
    both = in_level_order({*one, *two})
    if all(map(is_number, both)) and all(in_level_order(part) == part for part in (one, two)):
        return both
    raise DataError(
        f"the ordinal column {name!r} has levels in the order {' < '.join(one)} in one part and "
        f"{' < '.join(two)} in another; give all parts the same ordered categories, or pass all levels from the lowest "
        "to the highest, as in ",
        Option("kinds", {name: list(dict.fromkeys([*one, *two]))}),
    )


def read_as(chosen: Chosen | None) -> Kind | None:
    """The kind by which the values of a column are read: those of an ordinal column are read as labels."""
    return "discrete" if chosen == "ordinal" or isinstance(chosen, tuple) else chosen


def chosen_kinds(kinds: Mapping[str, Any] | str | None, names: Iterable[str]) -> dict[str, Chosen]:
    """The kinds that the user chose, by the name of the column; one word stands for all columns.

    `kinds` is checked already (`TableOptions`), except for names; raises UnknownName for what is not a column.
    """
    known = dict.fromkeys(names)
    chosen: Mapping[str, Any] = dict.fromkeys(known, kinds) if isinstance(kinds, str) else kinds or {}
    refuse_unknown(chosen, tuple(known), what="column")
    return dict(chosen)
