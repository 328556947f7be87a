"""Which columns are continuous and which are discrete: one rule, and what the levels of a discrete column are.

A column is *discrete* if its values are not numbers (text, booleans, categories) or if they are whole numbers with at
most ten different values; every other column is *continuous*. The rule looks at values, not at how they are stored:
1, 2, 3 and 1.0, 2.0, 3.0 are the same. `kinds={"stage": "continuous"}` overrules it.

The levels of a discrete column are sorted, numbers ascending and text by name, so that neither the order of the rows
nor the order in which a library met the categories changes a code.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ancestral.data._steps_cy import whole_steps
from ancestral.data.errors import DataError
from ancestral.errors import OptionError, UnknownName
from ancestral.graphs.names import by_name

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "MOST_LEVELS",
    "Floats",
    "Kind",
    "Labels",
    "in_level_order",
    "is_number",
    "kind_of",
    "label_of",
    "labels_of_numbers",
    "labels_of_text",
    "levels_if_discrete",
    "numbers_of_labels",
    "wanted_kinds",
]

Kind: TypeAlias = Literal["continuous", "discrete"]
Floats: TypeAlias = NDArray[np.float64]

#: Whole numbers with more different values than this are measured, not counted off as levels.
MOST_LEVELS = 10

_TRUTH = {"False": 0.0, "True": 1.0}


@dataclass(frozen=True, eq=False)
class Labels:
    """A column of labels: `codes[i]` is the position of row i's label in `levels`, -1 where it is missing."""

    codes: NDArray[np.signedinteger]
    levels: tuple[str, ...]


def kind_of(values: Floats) -> Kind:
    """The kind of a column of numbers; NaN is a missing value and does not count.

    >>> kind_of(np.array([1.0, 2.0, 2.0, np.nan])), kind_of(np.array([1.0, 2.5]))
    ('discrete', 'continuous')
    """
    return "continuous" if levels_if_discrete(values) is None else "discrete"


def levels_if_discrete(values: Floats) -> Labels | None:
    """Numbers that are discrete as levels, ascending; None if they are continuous."""
    if (labels := _close_labels(values)) is not None:
        return labels if len(labels.levels) <= MOST_LEVELS else None
    for part in (values[:64], values):  # most continuous columns show what they are in their first rows
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


def label_of(number: float) -> str:
    """How a number is written as a level: 3, not 3.0."""
    return str(int(number)) if float(number).is_integer() else repr(float(number))


def labels_of_numbers(values: Floats) -> Labels:
    """Numbers as levels, ascending."""
    if (labels := _close_labels(values)) is not None:
        return labels
    missing = np.isnan(values)
    levels = np.unique(values[~missing])
    codes = np.where(missing, -1, np.searchsorted(levels, values)).astype(np.int32)
    return Labels(codes, tuple(label_of(level) for level in levels))


def _close_labels(values: Floats) -> Labels | None:
    """Whole numbers close together as levels, without sorting; None if they are something else."""
    if (found := whole_steps(np.ascontiguousarray(values))) is None:
        return None
    low, steps, occurs = found
    taken = np.flatnonzero(occurs[:-1])
    code = np.full(occurs.size, -1, dtype=np.int32)
    code[taken] = np.arange(taken.size)
    return Labels(code[steps], tuple(label_of(low + step) for step in taken.tolist()))


def labels_of_text(text: "pl.Series", cleaned: "Callable[[pl.Series], pl.Series] | None" = None) -> Labels:
    """Text as levels; a null is a missing value. What is to be `cleaned` is cleaned once, however often it occurs."""
    import polars as pl

    numbered = text.cast(pl.Categorical(pl.Categories.random()))  # categories of our own count from 0
    different = numbered.unique().drop_nulls()
    words = different.cast(pl.String)
    meant = (words if cleaned is None else cleaned(words)).to_list()
    levels = in_level_order({word for word in meant if word is not None})
    position = {level: code for code, level in enumerate(levels)}
    code = np.full(len(meant) + 1, -1, dtype=np.int32)
    code[different.to_physical().to_numpy()] = [-1 if word is None else position[word] for word in meant]
    return Labels(code[numbered.to_physical().fill_null(len(meant)).to_numpy()], levels)


def in_level_order(levels: Iterable[str]) -> tuple[str, ...]:
    """Levels in their order: numbers ascending, if all are numbers, otherwise by name."""
    out = sorted(levels, key=by_name)
    return tuple(sorted(out, key=float) if all(map(is_number, out)) else out)


def numbers_of_labels(name: str, labels: Labels) -> Floats:
    """The numbers that the levels are: 0 and 1 for False and True, and what is written otherwise."""
    for level in labels.levels:
        if level not in _TRUTH and not is_number(level):
            raise DataError(
                f"column {name!r} cannot be continuous, since {level!r} is no number; leave it discrete, "
                f"or leave it out: drop=[{name!r}]"
            )
    numbers = [float(_TRUTH.get(level, level)) for level in labels.levels]
    return np.array([*numbers, np.nan], dtype=np.float64)[labels.codes]  # -1 takes the last


def wanted_kinds(kinds: Mapping[str, str] | str | None, names: Iterable[str]) -> dict[str, Kind]:
    """The kinds that the caller has said, by name; one word stands for all columns."""
    if kinds is None:
        return {}
    known = dict.fromkeys(names)
    if isinstance(kinds, str):
        return {name: _checked(kinds) for name in known}
    if not isinstance(kinds, Mapping):
        raise OptionError(f'kinds= is a mapping such as {{"origin": "discrete"}}, not {kinds!r}')
    for name in kinds:
        if name not in known:
            raise UnknownName(name, known, what="column")
    return {name: _checked(kind) for name, kind in kinds.items()}


def _checked(kind: Any) -> Kind:
    if kind == "continuous":
        return "continuous"
    if kind == "discrete":
        return "discrete"
    raise OptionError(f"{kind!r} is no kind of column; a column is 'continuous' or 'discrete'")
