"""Options that one command has from another: declared once, with the same words, help and defaults."""

import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

from ancestral.cli.parsing import kinds_of, names_in, seconds_in

__all__ = ["also_taking", "as_in_python"]


def also_taking(
    other: Callable[..., Any], *, but: tuple[str, ...]
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """A command that takes the options of another one, too, `but` for some; they reach it as further keywords.

    typer reads a command's options from its signature and its annotations, so it is given both.
    """
    theirs = {
        name: parameter
        for name, parameter in inspect.signature(other).parameters.items()
        if name not in but and parameter.default is not parameter.empty
    }
    hints = get_type_hints(other, include_extras=True)

    def given(command: Callable[..., int]) -> Callable[..., int]:
        signature = inspect.signature(command)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        command.__signature__ = signature.replace(parameters=[*own, *theirs.values()])  # type: ignore[attr-defined]
        command.__annotations__ = {**command.__annotations__, **{name: hints[name] for name in theirs}}
        return command

    return given


def as_in_python(words: dict[str, Any]) -> dict[str, Any]:
    """The options of `discover()` that these of the command line stand for.

    >>> as_in_python({"drop": ["a,b"], "discrete": ["c"], "continuous": None, "time_limit": "2m", "alpha": 0.05})
    {'drop': ['a', 'b'], 'alpha': 0.05, 'kinds': {'c': 'discrete'}, 'time_limit': 120.0}
    """
    out = {name: value for name, value in words.items() if name not in ("discrete", "continuous", "time_limit")}
    for name in ("names", "columns", "drop"):
        if name in out:
            out[name] = names_in(out[name])
    out["kinds"] = kinds_of(words.get("discrete"), words.get("continuous"))
    out["time_limit"] = seconds_in(words.get("time_limit"))
    return out
