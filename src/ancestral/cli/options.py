"""The options of commands that search: made from the declared options of Python's functions (`ancestral.options`).

An option has the type, default and help that it has in Python, unless the command line writes its values in another way
(`_SHELL`).
"""

import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import Field, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import typer

from ancestral.cli.parsing import choices_metavar, kinds_of, lags_in, levels_in, names_in, seconds_in, words_in
from ancestral.option_groups import Combined, default_of, help_of, panel_of
from ancestral.options import Matrix
from ancestral.shell import flag_of

__all__ = ["given_options", "search_options"]


@dataclass(frozen=True)
class _Spelling:
    """How the command line writes an option: its type there, a name for its values, and what the help adds.

    `passed_if_given`: it is passed on only if it is given, since a given default has another meaning than none.
    """

    type: Any = None
    metavar: str | None = None
    more: str = ""
    parse: Callable[[Any], Any] = lambda value: value
    passed_if_given: bool = False


_NAMES = _Spelling(list[str] | None, "COLS", "Write a,b,c, or repeat the option.", names_in)
_FILE = _Spelling(Path | None, "FILE")

#: Options that the command line writes in its own way.
_SHELL = {
    "names": _NAMES,
    "columns": _NAMES,
    "drop": _NAMES,
    "na": _Spelling(list[str] | None, "VALUES", "Write NA,-999, or repeat the option.", words_in),
    "test": _Spelling(str | None),
    "alpha": _Spelling(float | None, passed_if_given=True),
    "alphas": _Spelling(str | None, "LEVELS", "Write 0.001,0.01,0.05.", levels_in, passed_if_given=True),
    "max_radius": _Spelling(more="Exit code 0."),
    "lags": _Spelling(str, "N", "Write 3, or 1..3.", lags_in),
    "step": _Spelling(str | None, "STEP"),
    "own_past": replace(_NAMES, more="Write a,b,c, or all."),
    "matrix": _Spelling(str | None, choices_metavar(get_args(Matrix))),
    "knowledge": _FILE,
    "context": _NAMES,
    "context_assumptions": _Spelling(list[str] | None, "WORDS", "Write a,b, or repeat the option.", words_in),
    "targets": _FILE,
    "time_limit": _Spelling(str | None, "TIME", "So does SIGTERM. Write 90, 30s, 5m or 2h. Exit code 3.", seconds_in),
    "progress": _Spelling(bool | None),
    "save": _FILE,
    "resume": _FILE,
}

#: Options whose values are objects of Python.
_ONLY_IN_PYTHON = ("executor",)

#: The options that stand for `kinds`.
_KINDS = {kind: f"Read these columns as {kind}; '*' means all." for kind in ("discrete", "continuous", "ordinal")}
_KINDS["ordinal"] += " Text needs its levels in order: 'agree=low<mid<high'."


def search_options(
    options: type[Combined], leave_out: Collection[str] = (), texts: Mapping[str, str] | None = None
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command these options, which reach it as `**words`; `given_options` reads them.

    `leave_out` names options that the command does not have, and `texts` has the help of those that need another one.
    typer reads the options of a command from its signature and its annotations, so both are completed.
    """

    def completed(command: Callable[..., int]) -> Callable[..., int]:
        signature = inspect.signature(command)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        shown = [option for option in options.options() if option.name not in leave_out]
        added = [parameter for option in shown for parameter in _parameters(option, texts or {})]
        arguments = [p for p in own if p.default is p.empty]
        parameters = [*arguments, *added, *(p for p in own if p.default is not p.empty)]
        command.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[p.replace(kind=p.KEYWORD_ONLY) for p in parameters]
        )
        command.__annotations__ |= {p.name: p.annotation for p in added}
        return command

    return completed


def _parameters(option: Field[Any], texts: Mapping[str, str]) -> list[inspect.Parameter]:
    """The parameters of a command for an option of Python: none, one, or several."""
    if option.name in _ONLY_IN_PYTHON:
        return []
    if option.name == "kinds":
        return [
            _parameter(
                kind, None, list[str] | None, typer.Option(help=text, metavar="COLS", rich_help_panel=panel_of(option))
            )
            for kind, text in _KINDS.items()
        ]
    spelling = _SHELL.get(option.name, _Spelling())
    own = texts.get(option.name) or help_of(option, flag_of)
    text = " ".join(part for part in (own, spelling.more) if part)
    panel, default = panel_of(option), default_of(option)
    if get_origin(option.type) is Literal:  # a string for typer, which would word errors in its own way
        words = list(get_args(option.type))
        info = typer.Option(
            help=text, metavar=choices_metavar(words), autocompletion=lambda: words, rich_help_panel=panel
        )
        return [_parameter(option.name, default, str, info)]
    shown, default = (_shown(default), None) if spelling.passed_if_given else (True, default)
    info = typer.Option(help=text, metavar=spelling.metavar, rich_help_panel=panel, show_default=shown)
    return [_parameter(option.name, default, spelling.type or option.type, info)]


def _shown(default: Any) -> str:
    return ",".join(f"{value:g}" for value in default) if isinstance(default, tuple) else str(default)


def _parameter(name: str, default: Any, kind: Any, info: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info])


def given_options(words: dict[str, Any]) -> dict[str, Any]:
    """The options of Python's functions that these of the command line stand for.

    >>> given_options({"drop": ["a,b"], "discrete": ["c"], "continuous": None, "time_limit": "2m", "alpha": 0.05})
    {'drop': ['a', 'b'], 'time_limit': 120.0, 'alpha': 0.05, 'kinds': {'c': 'discrete'}}
    """
    out = {
        name: _SHELL[name].parse(value) if name in _SHELL else value
        for name, value in words.items()
        if name not in _KINDS and not (value is None and name in _SHELL and _SHELL[name].passed_if_given)
    }
    return {**out, "kinds": kinds_of(**{kind: words.get(kind) for kind in _KINDS})}
