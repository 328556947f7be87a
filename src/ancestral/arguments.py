"""Checks of arguments: each takes the name of an option and its value, and returns the value in one plain type.

A value that does not fit raises an `OptionError` that names the option, says what it must be, and shows what was given.
A sequence that comes as an iterator is used up by its check, so callers check their arguments before they do anything
else with them, and only once.
"""

import math
import os
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ancestral.errors import Option, OptionError
from ancestral.printing import shown

if TYPE_CHECKING:
    import numpy as np

__all__ = [
    "MOST_COUNT",
    "MOST_SEED",
    "MOST_WORKERS",
    "DefaultFloat",
    "column_kinds",
    "flag",
    "listed",
    "names_list",
    "number_between",
    "one_of",
    "optional",
    "path_of",
    "random_generator",
    "real",
    "seconds_above_zero",
    "significance_level",
    "significance_levels",
    "text_of",
    "whole_number",
    "worker_count",
]

T = TypeVar("T")

#: The largest number of threads: each holds questions of its own, so that more would use memory without being faster.
MOST_WORKERS = 1024

#: The largest count, unless an option has a smaller limit: JSON readers keep whole numbers exact up to here.
MOST_COUNT = 1 << 53

#: The largest seed that is passed to random generators: 64 bits.
MOST_SEED = (1 << 64) - 1

#: The smallest significance level: quantiles of smaller ones come too close to the smallest floats (5e-324) to compute.
SMALLEST_ALPHA = 1e-300

#: What a column of a table can be.
COLUMN_KINDS = ("continuous", "discrete", "ordinal")


class DefaultFloat(float):
    """A number that is the default of an option: its type tells it from the same number given by the user."""

    __slots__ = ()


def optional(check: Callable[..., T], option: str, value: object, *more: Any) -> T | None:
    """None for None, otherwise the result of the check."""
    return None if value is None else check(option, value, *more)


def whole_number(
    option: str, value: object, least: int, most: int = MOST_COUNT, *, way_out: "str | Iterable[str | Option]" = ()
) -> int:
    """A whole number (not a bool) from `least` to `most`; `way_out` is what to do instead of a larger one."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        raise OptionError(f"must be a whole number of at least {least:,}", option=option, value=value)
    if int(value) > most:
        raise OptionError(
            f"must be a whole number from {least:,} to {most:,}", option=option, value=value, way_out=way_out
        )
    return int(value)


def worker_count(option: str, value: object) -> int:
    """A number of threads."""
    return whole_number(option, value, 1, MOST_WORKERS)


def number_between(
    option: str,
    value: object,
    low: float,
    high: float,
    *,
    with_low: bool = False,
    with_high: bool = False,
    way_out: "str | Iterable[str | Option]" = (),
) -> float:
    """A number between `low` and `high`, of which either may be allowed itself.

    >>> number_between("threshold", 2, 0, 1, with_high=True)
    Traceback (most recent call last):
    ancestral.errors.OptionError: threshold must be above 0 and at most 1, got 2
    """
    number = real(value)
    if number is None or not (low < number < high or (with_low and number == low) or (with_high and number == high)):
        reason = {
            (False, False): f"must be between {low:g} and {high:g}",
            (True, False): f"must be at least {low:g} and below {high:g}",
            (False, True): f"must be above {low:g} and at most {high:g}",
            (True, True): f"must be from {low:g} to {high:g}",
        }[with_low, with_high]
        raise OptionError(reason, option=option, value=value, way_out=way_out)
    return number


def significance_level(option: str, value: object) -> float:
    """A probability at which a test decides: above 0, below 1, and not too small to compute with."""
    number = number_between(option, value, 0, 1, way_out="common choices are 0.05 and 0.01")
    if number < SMALLEST_ALPHA:
        raise OptionError(f"must be at least {SMALLEST_ALPHA:g}", option=option, value=value)
    return number


def significance_levels(option: str, value: object) -> tuple[float, ...]:
    """One significance level or more, each once, in increasing order.

    >>> significance_levels("alphas", [0.05, 0.01, 0.05])
    (0.01, 0.05)
    """
    levels = value.tolist() if hasattr(value, "tolist") else value  # of an array
    if isinstance(levels, (str, bytes)) or not isinstance(levels, Iterable):
        raise OptionError(
            "must be a list of significance levels", option=option, value=value, way_out="for example [0.001, 0.01]"
        )
    out = tuple(sorted({significance_level(option, level) for level in levels}))
    if not out:
        raise OptionError("must have at least one significance level", option=option, value=value)
    return out


def seconds_above_zero(option: str, value: object) -> float:
    """A duration in seconds, finite and above zero."""
    number = real(value)
    if number is None or not 0 < number < math.inf:
        raise OptionError("must be a number of seconds above 0", option=option, value=value)
    return number


def real(value: object) -> float | None:
    """The value as a float if it is a real number (not a bool) that a float can hold, otherwise None."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return float(value)
    except OverflowError:  # a whole number beyond 1e308
        return None


def flag(option: str, value: object) -> bool:
    """True or False; values that merely count as true or false are refused."""
    if not isinstance(value, bool):
        raise OptionError("must be True or False", option=option, value=value)
    return value


def one_of(option: str, value: object, choices: Iterable[str]) -> str:
    """One of some words; the error suggests the nearest one.

    >>> one_of("algorithm", "fcii", ["icd", "fci"])
    Traceback (most recent call last):
    ancestral.errors.OptionError: algorithm must be one of 'icd', 'fci', got 'fcii'; did you mean 'fci'?
    """
    known = list(choices)
    if not isinstance(value, str) or value not in known:
        close = get_close_matches(value.lower(), known, n=1) if isinstance(value, str) else []
        raise OptionError(
            f"must be one of {', '.join(map(repr, known))}",
            option=option,
            value=value,
            way_out=f"did you mean {close[0]!r}?" if close else (),
        )
    return value


def text_of(option: str, value: object) -> str:
    """A string."""
    if not isinstance(value, str):
        raise OptionError("must be a string", option=option, value=value)
    return value


def listed(option: str, value: object, of: str, way_out: "str | Iterable[str | Option]" = ()) -> tuple[Any, ...]:
    """The items of a list, set, dictionary or iterator as a tuple; `of` says what they are. A string is not a list."""
    try:
        if not isinstance(value, str | bytes) and isinstance(value, Iterable):
            return tuple(value)
    except TypeError:  # numpy arrays without dimensions, for example, only claim to be iterable
        pass
    raise OptionError(f"must be a list of {of}", option=option, value=value, way_out=way_out)


def names_list(option: str, value: object) -> tuple[str, ...]:
    """The names of variables in a list, tuple or iterator, as strings; a single string is a list of one.

    Whole numbers are written out, since pandas and numpy number columns.

    >>> names_list("columns", iter(["a", "b"])), names_list("drop", "id"), names_list("drop", [0, 1])
    (('a', 'b'), ('id',), ('0', '1'))
    """
    if isinstance(value, str):
        return (str(value),)
    if type(value) is tuple and all(type(item) is str for item in value):  # names that were checked before
        return value
    items = listed(option, value, "names", ["for example ", Option(option, ["a", "b"])])
    return tuple(_name(option, item) for item in items)


def _name(option: str, item: object) -> str:
    if isinstance(item, Integral) and not isinstance(item, bool):
        return str(int(item))
    if not isinstance(item, str):
        raise OptionError("must be a list of names, which are strings", option=option, value=item)
    return str(item)


def column_kinds(option: str, value: object) -> Mapping[str, str | tuple[str, ...]] | str:
    """The kind of every column, or a mapping from names of columns to kinds, or to levels in ascending order."""
    example: list[str | Option] = ["for example ", Option(option, {"origin": "discrete"})]
    if isinstance(value, str) and value in COLUMN_KINDS:
        return value
    if not isinstance(value, Mapping):
        raise OptionError(
            "must be 'continuous', 'discrete', 'ordinal' or a mapping of columns to these",
            option=option,
            value=value,
            way_out=example,
        )
    out: dict[str, str | tuple[str, ...]] = {}
    for name, kind in value.items():
        if isinstance(kind, list | tuple):
            out[name] = _levels(option, name, kind)
            continue
        if not isinstance(kind, str) or kind not in COLUMN_KINDS:
            reason = (
                "must be 'continuous', 'discrete', 'ordinal' or a list of levels for each column, "
                f"got {shown(kind)} for {shown(name)}"
            )
            raise OptionError(reason, option=option, way_out=example)
        out[name] = kind
    return out


def _levels(option: str, name: object, levels: Iterable[object]) -> tuple[str, ...]:
    """The levels of an ordinal column from the lowest to the highest; numbers are written as labels are."""
    out = []
    for level in levels:
        number = None if isinstance(level, bool) else real(level)
        out.append(str(level) if number is None else str(int(number)) if number.is_integer() else repr(number))
    if len(out) < 2 or len(set(out)) < len(out):
        reason = f"must have at least two levels, each once, for an ordinal column, got {shown(out)} for {shown(name)}"
        raise OptionError(
            reason, option=option, way_out=["for example ", Option(option, {"agree": ["low", "mid", "high"]})]
        )
    return tuple(out)


def path_of(option: str, value: object) -> Path:
    """The path of a file, from a string or a path."""
    if not isinstance(value, str | os.PathLike):
        raise OptionError("must be a path", option=option, value=value, way_out="pass a string or a pathlib.Path")
    return Path(os.fsdecode(value))


def random_generator(seed: object) -> "np.random.Generator":
    """The random numbers of a seed: a whole number of at least 0, or a generator of numpy, which is used as it is."""
    import numpy as np

    if isinstance(seed, np.random.Generator):
        return seed
    if isinstance(seed, bool) or not isinstance(seed, Integral) or int(seed) < 0:
        raise OptionError("must be a whole number of at least 0, or a numpy Generator", option="seed", value=seed)
    return np.random.default_rng(int(seed))
