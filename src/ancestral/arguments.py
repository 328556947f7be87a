"""Checks of arguments: each takes the name of an option and its value, and returns the value in one plain type.

What does not fit raises an `OptionError` that names the option, shows the value, and says what to pass. A sequence that
comes as an iterator is used up here, once, so callers check their arguments before they do anything else with them.
"""

import math
import os
from collections.abc import Callable, Iterable
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ancestral.errors import OptionError
from ancestral.printing import shown

if TYPE_CHECKING:
    import numpy as np

__all__ = [
    "MOST_COUNT",
    "MOST_SEED",
    "MOST_WORKERS",
    "DefaultFloat",
    "flag",
    "instance_of",
    "listed",
    "name_or_names",
    "names_list",
    "number_between",
    "one_of",
    "optional",
    "path_of",
    "random_generator",
    "real",
    "seconds_above_zero",
    "text_of",
    "whole_number",
    "worker_count",
]

T = TypeVar("T")

#: The largest number of threads that may be asked for: each has questions of its own, so more would only use memory.
MOST_WORKERS = 1024

#: The largest count that is taken, unless an option says otherwise: files keep whole numbers up to here.
MOST_COUNT = 1 << 53

#: The largest seed that random generators are given.
MOST_SEED = (1 << 64) - 1


class DefaultFloat(float):
    """A number that is the default of an option: it looks like any other, and its type tells that it was left alone."""

    __slots__ = ()


def optional(check: Callable[..., T], option: str, value: object, *more: Any) -> T | None:
    """None for None, otherwise what the check makes of the value."""
    return None if value is None else check(option, value, *more)


def whole_number(option: str, value: object, least: int, most: int = MOST_COUNT) -> int:
    """The value of an option that counts something: a whole number (not a bool) from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        raise OptionError(f"{option}={shown(value)} is no count; pass a whole number, {least} or more")
    if int(value) > most:
        raise OptionError(f"{option}={shown(value)} is too large; pass a whole number from {least} to {most:,}")
    return int(value)


def worker_count(value: object) -> int:
    """The number of threads in `workers=`."""
    return whole_number("workers", value, 1, MOST_WORKERS)


def number_between(option: str, value: object, low: float, high: float, what: str, example: str) -> float:
    """A number above `low` and below `high`; `what` says what the option is, as in "a share of the rows"."""
    number = real(value)
    if number is None or not low < number < high:
        raise OptionError(
            f"{option}={shown(value)} is not {what}; pass a number between {low:g} and {high:g}, such as {example}"
        )
    return number


def seconds_above_zero(option: str, value: object) -> float:
    """A duration in seconds, finite and above zero."""
    number = real(value)
    if number is None or not 0 < number < math.inf:
        raise OptionError(f"{option}={shown(value)} is no time; pass a number of seconds above 0")
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
    """True or False, and nothing that merely counts as one."""
    if not isinstance(value, bool):
        raise OptionError(f"{option}={shown(value)} is neither True nor False")
    return value


def one_of(option: str, value: object, choices: Iterable[str]) -> str:
    """One of some words."""
    known = list(choices)
    if not isinstance(value, str) or value not in known:
        raise OptionError(f"{option}={shown(value)} is not known; choose one of {', '.join(map(repr, known))}")
    return value


def text_of(option: str, value: object) -> str:
    """A string."""
    if not isinstance(value, str):
        raise OptionError(f"{option}={shown(value)} is not a string; pass text")
    return value


def listed(option: str, value: object, of: str) -> tuple[Any, ...]:
    """The items of a list, set, dictionary or iterator as a tuple; `of` says what they are. A string is not a list."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise OptionError(f"{option}={shown(value)} is not a list; pass a list of {of}")
    try:
        return tuple(value)
    except TypeError:  # numpy arrays without dimensions, for example, only claim to be iterable
        raise OptionError(f"{option}={shown(value)} is not a list; pass a list of {of}") from None


def names_list(option: str, value: object) -> tuple[str, ...]:
    """The names of variables in a list, tuple or iterator, as strings; a single string is a list of one.

    Whole numbers are written out, since pandas and numpy count columns by them.

    >>> names_list("columns", iter(["a", "b"])), names_list("drop", "id"), names_list("drop", [0, 1])
    (('a', 'b'), ('id',), ('0', '1'))
    """
    items = (value,) if isinstance(value, str) else listed(option, value, f"names, as in {option}=['a', 'b']")
    return tuple(_name(option, item) for item in items)


def _name(option: str, item: object) -> str:
    if isinstance(item, Integral) and not isinstance(item, bool):
        return str(int(item))
    if not isinstance(item, str):
        raise OptionError(f"{option}= holds {shown(item)}, which is not a name; pass names as strings")
    return str(item)


def name_or_names(option: str, value: object) -> tuple[str, ...]:
    """One name, or a list of names, as a tuple; there must be at least one."""
    names = names_list(option, value)
    if not names:
        raise OptionError(f"{option}= is empty; pass a name, or a list of names")
    return names


def path_of(option: str, value: object) -> Path:
    """The path of a file, from a string or a path."""
    if not isinstance(value, str | os.PathLike):
        raise OptionError(f"{option}={shown(value)} is not a path; pass one as a string or a pathlib.Path")
    return Path(os.fsdecode(value))


def instance_of(option: str, value: object, kinds: type[T] | tuple[type[T], ...], way_out: str) -> T:
    """A value of one of some classes."""
    if not isinstance(value, kinds):
        raise OptionError(f"{option} must not be a {type(value).__name__}; {way_out}")
    return value


def random_generator(seed: object) -> "np.random.Generator":
    """The random numbers of a seed: a whole number, 0 or more, or a generator of numpy that is used as it is."""
    import numpy as np

    if isinstance(seed, np.random.Generator):
        return seed
    if isinstance(seed, bool) or not isinstance(seed, Integral) or int(seed) < 0:
        raise OptionError(f"seed={shown(seed)} is no seed; pass a whole number, 0 or more, or a numpy Generator")
    return np.random.default_rng(int(seed))
