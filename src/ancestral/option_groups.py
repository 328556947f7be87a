"""Groups of options as dataclasses: how an option is declared, checked, listed in help, and put into a signature.

A group is a frozen dataclass whose fields are made by `option`; an object of it has checked values. The options of a
function are a `Combined` of groups. `with_options` completes the signature and the docstring of a function from them.
"""

import inspect
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from difflib import get_close_matches
from functools import cache
from itertools import groupby
from types import MappingProxyType
from typing import Any, Self, TypeVar, get_type_hints

__all__ = [
    "Combined",
    "Group",
    "default_of",
    "help_of",
    "option",
    "options_of",
    "panel_of",
    "refuse_unexpected",
    "with_options",
]

Check = Callable[[str, Any], Any]
Class = TypeVar("Class")
Value = TypeVar("Value")
Function = TypeVar("Function", bound=Callable[..., Any])

#: The width of the sections of options in docstrings, in characters; `help()` indents them by four or eight.
WIDTH = 112


def _once_for_each(function: Callable[[type[Class]], Value]) -> Callable[[type[Class]], Value]:
    """A function of a class whose results are kept."""
    return cache(function)  # type: ignore[return-value]


def option(panel: str, default: Any, check: Check | None, text: str, python: str = "") -> Any:
    """A field of a group: its heading, default and check, its help, and what the help adds for callers in Python.

    A mention of another option in the help stands in braces: `{max_radius}`.
    """
    return field(default=default, metadata={"panel": panel, "check": check, "help": text, "python": python})


@dataclass(frozen=True, kw_only=True)
class Group:
    """A group of options. Each is checked when an object is made, and kept in one plain type: names as a tuple."""

    def __post_init__(self) -> None:
        for name, default, check in _checks_of(type(self)):
            value = getattr(self, name)
            if value is not default:
                object.__setattr__(self, name, check(name, value))

    @classmethod
    def from_keywords(cls, function: str, given: Mapping[str, Any], only: Collection[str] | None = None) -> Self:
        """The options from the keywords that a function was called with; raises `TypeError` for any other keyword.

        `only` are the names of the options that the function takes, if it does not take all.
        """
        refuse_unexpected(function, given, [option.name for option in options_of(cls)] if only is None else only)
        return cls(**given)

    @classmethod
    def from_attributes(cls, holder: object) -> Self:
        """The options of this group, taken from an object that has all of them as attributes."""
        return cls(**{option.name: getattr(holder, option.name) for option in options_of(cls)})

    def as_dict(self) -> dict[str, Any]:
        """The options by name."""
        return {option.name: getattr(self, option.name) for option in options_of(type(self))}

    def changed(self, **values: Any) -> Self:
        """The group with these values; the same object if it has them already."""
        same = all(getattr(self, name) is value for name, value in values.items())
        return self if same else replace(self, **values)

    @property
    def given(self) -> Iterator[tuple[str, Any]]:
        """The options that were not left at their defaults, and their values."""
        for option in options_of(type(self)):
            value = getattr(self, option.name)
            if value is not option.default and not (isinstance(value, str) and value == option.default):
                yield option.name, value


@_once_for_each
def options_of(group: type[Group]) -> tuple[Field[Any], ...]:
    """The declared options of a group; fields that are not options are left out."""
    return tuple(option for option in fields(group) if option.metadata)


@_once_for_each
def _checks_of(group: type[Group]) -> tuple[tuple[str, Any, Check], ...]:
    """The names, defaults and checks of those options of a group that have a check."""
    declared = ((option.name, option.default, option.metadata["check"]) for option in options_of(group))
    return tuple((name, default, check) for name, default, check in declared if check is not None)


@_once_for_each
def _defaults_of(group: type[Group]) -> Group:
    """The group with all options at their defaults: one object, since it cannot be changed."""
    return group()


@dataclass(frozen=True)
class Combined:
    """Several groups: all the options of a function."""

    @classmethod
    def from_keywords(cls, function: str, given: Mapping[str, Any]) -> Self:
        """The options from the keywords that a function was called with; raises `TypeError` for any other keyword.

        >>> from ancestral.options import StagesOptions
        >>> StagesOptions.from_keywords("stages", {"alfa": 0.05})
        Traceback (most recent call last):
        TypeError: stages() got an unexpected keyword argument 'alfa'. Did you mean 'alpha'?
        """
        places = _places_of(cls)
        refuse_unexpected(function, given, places)
        chosen: dict[str, dict[str, Any]] = {}
        for name, value in given.items():
            chosen.setdefault(places[name], {})[name] = value
        groups = cls.groups().items()
        return cls(**{at: group(**chosen[at]) if at in chosen else _defaults_of(group) for at, group in groups})

    @classmethod
    def groups(cls) -> Mapping[str, type[Group]]:
        """The type of each group, by the name of the attribute that holds it."""
        return _groups_of(cls)

    @classmethod
    def options(cls) -> list[Field[Any]]:
        """The declared options of all groups; those under one heading stand together."""
        declared = [option for group in cls.groups().values() for option in options_of(group)]
        panels = list(dict.fromkeys(panel_of(option) for option in declared))
        return sorted(declared, key=lambda option: panels.index(panel_of(option)))


@_once_for_each
def _groups_of(combined: type[Combined]) -> Mapping[str, type[Group]]:
    return MappingProxyType({part.name: part.type for part in fields(combined)})  # type: ignore[misc]


@_once_for_each
def _places_of(combined: type[Combined]) -> Mapping[str, str]:
    """For each option the attribute that holds its group."""
    return {option.name: place for place, group in combined.groups().items() for option in options_of(group)}


def refuse_unexpected(function: str, given: Iterable[str], known: Collection[str]) -> None:
    """Raise a `TypeError` for a keyword that a function does not have, with the nearest one that it has."""
    for name in given:
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f". Did you mean {close[0]!r}?" if close else ""
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")


def panel_of(option: Field[Any]) -> str:
    """The heading under which an option is listed."""
    heading: str = option.metadata["panel"]
    return heading


def default_of(option: Field[Any]) -> Any:
    """The default of an option, in a plain type."""
    return float(option.default) if isinstance(option.default, float) else option.default


def help_of(option: Field[Any], spell: Callable[[str], str]) -> str:
    """The help of an option for the command line, with mentions of other options spelled by the function."""
    return _filled(option.metadata["help"], spell)


def _filled(text: str, spell: Callable[[str], str]) -> str:
    class Mentions(dict[str, str]):
        def __missing__(self, name: str) -> str:
            return spell(name)

    return text.format_map(Mentions())


def _python_help(option: Field[Any]) -> str:
    parts = [option.metadata["help"], option.metadata["python"]]
    return _filled(" ".join(part for part in parts if part), lambda name: f"`{name}`")


def _sections(options: Iterable[Field[Any]]) -> str:
    """The options and their help in the sections of a docstring, one for each heading."""
    sections = []
    for panel, under_it in groupby(options, panel_of):
        lines = [f"Args: {panel}"]
        for option in under_it:
            lines += textwrap.wrap(
                f"{option.name}: {_python_help(option)}",
                width=WIDTH,
                initial_indent=" " * 4,
                subsequent_indent=" " * 8,
                break_long_words=False,
                break_on_hyphens=False,
            )
        sections.append("\n".join(lines))
    return "\n\n".join(sections)


def with_options(
    options: type[Combined] | type[Group],
    types: Mapping[str, Any] | None = None,
    only: Collection[str] | None = None,
    unset: Collection[str] = (),
) -> Callable[[Function], Function]:
    """Complete the signature and the docstring of a function that takes these options as `**keywords`.

    `types` holds the types that annotations of the options name but cannot import; `only` chooses among the options by
    name; those named in `unset` are None unless they are given. In the docstring, the line `{options}` stands for the
    sections `Args:` of the options, which follow the section of the function's own parameters.
    """

    groups = [*options.groups().values()] if issubclass(options, Combined) else [options]
    declared = options.options() if issubclass(options, Combined) else options_of(options)

    def completed(function: Function) -> Function:
        chosen = [option for option in declared if only is None or option.name in only]
        hints: dict[str, Any] = {}
        for group in groups:
            hints |= get_type_hints(group, None, dict(types or {}))
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        defaults = {option.name: None if option.name in unset else default_of(option) for option in chosen}
        hints |= {name: hints[name] | None for name in unset}
        keywords = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hints[name])
            for name, default in defaults.items()
        ]
        function.__signature__ = signature.replace(parameters=[*own, *keywords])  # type: ignore[attr-defined]
        if function.__doc__ is not None:  # python -OO has none
            function.__doc__ = inspect.cleandoc(function.__doc__).replace("{options}", _sections(chosen))
        return function

    return completed
