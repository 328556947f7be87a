"""How values are written on the command line: lists of names, kinds of columns, durations, choices."""

import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import typer

from ancestral.arguments import one_of
from ancestral.errors import Option, OptionError

__all__ = [
    "choice",
    "choices_metavar",
    "effect_pair",
    "kinds_of",
    "lags_in",
    "levels_in",
    "names_in",
    "seconds_in",
    "values_in",
    "words_in",
]

_DURATION = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*(s|sec|m|min|h|d)?\s*", re.IGNORECASE)
_LAGS = re.compile(r"\s*-?\d{1,9}(?:\.\.\d{1,9})?\s*")
_SECONDS = {"s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}

#: The name that stands for all columns.
EVERY = "*"

_NAME = re.compile(r"""\s*(?:"((?:[^"]|"")*)"\s*|([^",][^,]*|))(?=,|\Z)""")


def names_in(values: Sequence[str] | None) -> list[str] | None:
    """Names from an option that may be repeated, each time with names separated by commas.

    A name with a comma stands in double quotes, as in a CSV file.

    >>> names_in(["age, weight", '"height, cm"'])
    ['age', 'weight', 'height, cm']
    """
    if not values:
        return None
    out = [name for value in values for name in _split(value)]
    if not all(out):
        raise OptionError(f"{','.join(values)!r} has an empty name; separate names by single commas")
    return out


def words_in(values: Sequence[str] | None) -> list[str] | None:
    """Values from an option that may be repeated, each time with values separated by commas; they may be empty.

    >>> words_in(["NA,.,-999"]), words_in([""])
    (['NA', '.', '-999'], [''])
    """
    return [word for value in values for word in _split(value)] if values else None


def _split(value: str) -> list[str]:
    """The names in one value; those in double quotes may hold any character."""
    out, at = [], 0
    while at <= len(value):
        name = _NAME.match(value, at)
        if name is None:
            raise OptionError(
                f"{value!r} has a double quote that is not closed, or text after a closing one; quote whole names"
            )
        quoted, plain = name.groups()
        out.append(plain.strip() if quoted is None else quoted.replace('""', '"'))
        at = name.end() + 1
    return out


def values_in(option: str, texts: Sequence[str] | None) -> dict[str, int | float | str] | None:
    """Values by name from an option that may be repeated, each time as name=value; numbers are read as such.

    >>> values_in("do", ["x=0.5", "dose = high", "n=2"])
    {'x': 0.5, 'dose': 'high', 'n': 2}
    """
    out: dict[str, int | float | str] = {}
    for text in texts or ():
        name, equals, value = (part.strip() for part in text.rpartition("="))
        if not equals or not name or not value:
            raise OptionError(
                "must be a name and a value",
                option=option,
                value=text,
                way_out=["for example ", Option(option, {"x": 1})],
            )
        if name in out:
            raise OptionError(f"names {name!r} twice", option=option, way_out="name it once")
        out[name] = _number_in(value)
    return out or None


def _number_in(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def kinds_of(
    discrete: Sequence[str] | None = None, continuous: Sequence[str] | None = None, ordinal: Sequence[str] | None = None
) -> dict[str, str | tuple[str, ...]] | str | None:
    """The option `kinds` of Python's functions, from the columns given as discrete, as continuous and as ordinal.

    The levels of an ordinal column may follow its name.

    >>> kinds_of(discrete=["a,b"], continuous=["c"], ordinal=["d, agree=low<mid<high"])
    {'a': 'discrete', 'b': 'discrete', 'c': 'continuous', 'd': 'ordinal', 'agree': ('low', 'mid', 'high')}
    """
    columns: dict[str, dict[str, tuple[str, ...] | None]] = {
        "discrete": dict.fromkeys(names_in(discrete) or []),
        "continuous": dict.fromkeys(names_in(continuous) or []),
        "ordinal": dict(map(_with_levels, names_in(ordinal) or [])),
    }
    for kind, names in columns.items():
        if EVERY in names:
            if sum(map(len, columns.values())) > 1:
                raise OptionError(
                    "means all columns", option=kind, value=EVERY, assigned=True, way_out="name no further ones"
                )
            return kind
    for one, two in combinations(columns, 2):
        if both := sorted(set(columns[one]) & set(columns[two])):
            raise OptionError(
                [f"names {both[0]!r}, and so does ", Option(two)], option=one, way_out="leave it out of one of them"
            )
    return {name: levels or kind for kind, names in columns.items() for name, levels in names.items()} or None


def _with_levels(word: str) -> tuple[str, tuple[str, ...] | None]:
    """The name of an ordinal column, and its levels if they are told.

    >>> _with_levels("agree=low<mid<high"), _with_levels("a=b")
    (('agree', ('low', 'mid', 'high')), ('a=b', None))
    """
    name, _, levels = word.partition("=")
    return (name.strip(), tuple(level.strip() for level in levels.split("<"))) if "<" in levels else (word, None)


def levels_in(text: str) -> list[float]:
    """Significance levels, separated by commas.

    >>> levels_in("0.001, 0.05")
    [0.001, 0.05]
    """
    try:
        return [float(level) for level in text.split(",")]
    except ValueError:
        raise OptionError(
            "must be numbers, separated by commas", option="alphas", value=text, way_out="for example 0.001,0.01,0.05"
        ) from None


def lags_in(text: str) -> int | str:
    """How far windows reach back: a whole number, or a range such as 1..3, which stays a text.

    >>> lags_in("3"), lags_in("1..3")
    (3, '1..3')
    """
    if not _LAGS.fullmatch(text):
        raise OptionError(
            "must be a whole number of steps, or a range such as 1..3 if nothing acts within a step",
            option="lags",
            value=text,
            way_out="3 is a common choice",
        )
    return text.strip() if ".." in text else int(text)


def seconds_in(duration: str | None) -> float | None:
    """The seconds of a duration: 90, 30s, 5m, 2h, 1d.

    >>> seconds_in("1.5h"), seconds_in("20")
    (5400.0, 20.0)
    """
    if duration is None:
        return None
    parsed = _DURATION.fullmatch(duration)
    if not parsed:
        raise OptionError(
            "must be a duration", option="time_limit", value=duration, way_out="write 90 (seconds), 30s, 5m or 2h"
        )
    return float(parsed[1]) * _SECONDS[(parsed[2] or "s").lower()]


def choice(flag: str, choices: Iterable[str], **settings: Any) -> Any:
    """The declaration of an option that takes one of some words; the error for another word suggests the nearest one.

    The option is declared as a string, since typer would word the error in its own way.
    """
    words = list(choices)

    def checked(value: str | None) -> str | None:
        return None if value is None else one_of(flag, value, words)

    return typer.Option(
        flag, metavar=choices_metavar(words), callback=checked, autocompletion=lambda: words, **settings
    )


def choices_metavar(choices: Iterable[str]) -> str:
    """How the help shows the values of an option that takes one of some words.

    >>> choices_metavar(["text", "json"])
    '<text|json>'
    """
    return f"<{'|'.join(choices)}>"


def effect_pair(text: str) -> tuple[str, str]:
    """A cause and an outcome, separated by a comma."""
    names = names_in([text]) or []
    if len(names) != 2:
        raise OptionError(
            "must be a cause and an outcome",
            option="effect",
            value=text,
            way_out=["for example ", Option("effect", ("x", "y"))],
        )
    return names[0], names[1]
