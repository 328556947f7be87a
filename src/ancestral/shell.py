"""How options are spelled on the command line: `--missing drop`, `--no-verify`, `--discrete age`, `--drop a,b`.

`cli.parsing` reads such words.
"""

import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from ancestral.errors import UNSET, Function, Method, Option

__all__ = ["flag_of", "option_words", "spelled"]


def flag_of(name: str) -> str:
    """The option of the command line for an option of Python's functions.

    >>> flag_of("max_radius")
    '--max-radius'
    """
    return f"--{name.replace('_', '-')}"


def option_words(name: str, value: Any) -> list[str]:
    """The words of the command line that give an option this value.

    >>> option_words("drop", ["id", "a, b"]), option_words("verify", False)
    (['--drop', 'id,"a, b"'], ['--no-verify'])
    >>> option_words("kinds", {"age": "continuous", "sex": "discrete"}), option_words("kinds", "discrete")
    (['--discrete', 'sex', '--continuous', 'age'], ['--discrete', '*'])
    >>> option_words("kinds", {"agree": ["low", "mid", "high"], "stage": "ordinal"})
    ['--ordinal', 'agree=low<mid<high,stage']
    >>> option_words("do", {"x": 0.5, "y": "b"})
    ['--do', 'x=0.5', '--do', 'y=b']
    """
    if isinstance(value, bool):
        return [flag_of(name if value else f"no_{name}")]
    if name == "kinds" and isinstance(value, str):
        return [flag_of(value), "*"]
    if name == "kinds" and isinstance(value, Mapping):
        kinds = ("discrete", "continuous", "ordinal")
        chosen: dict[str, list[str]] = {kind: [column for column in value if value[column] == kind] for kind in kinds}
        levels = {name: own for name, own in value.items() if not isinstance(own, str)}
        chosen["ordinal"] = [f"{name}={'<'.join(own)}" for name, own in levels.items()] + chosen["ordinal"]
        return [word for kind, columns in chosen.items() if columns for word in (flag_of(kind), _joined(columns))]
    if isinstance(value, Mapping):
        return [word for key, own in value.items() for word in (flag_of(name), f"{key}={own}")]
    if isinstance(value, Iterable) and not isinstance(value, str):
        value = _joined(value)
    return [flag_of(name), str(value)]


def spelled(option: Option) -> str:
    """An option, or a function, in a message, as it is written in the shell.

    >>> spelled(Option("drop", ["a", "b c"])), spelled(Option("missing")), spelled(Option("max_radius", None))
    ("--drop 'a,b c'", '--missing', 'no --max-radius')
    >>> spelled(Function("bootstrap")), spelled(Function("discover_series", "series"))
    ('ancestral bootstrap', 'ancestral series')
    >>> spelled(Method("sensitivity(x, y)", "sensitivity")), spelled(Method("members()"))
    ('ancestral sensitivity', 'found.members() in Python')
    """
    if isinstance(option, Function):
        return f"ancestral {option.name if option.value is UNSET else option.value}"
    if isinstance(option, Method):
        return f"{option} in Python" if option.value is UNSET else f"ancestral {option.value}"
    if option.value is UNSET:
        return "--discrete, --continuous and --ordinal" if option.name == "kinds" else flag_of(option.name)
    if option.value is None:
        return f"no {flag_of(option.name)}"
    return shlex.join(option_words(option.name, option.value))


def _joined(names: Iterable[Any]) -> str:
    """A list of names as the command line reads it: names with commas or quotes stand in double quotes."""
    return ",".join(
        f'"{name.replace(chr(34), chr(34) * 2)}"' if set(name) & set(',"') else name for name in map(str, names)
    )
