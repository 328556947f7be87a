"""Errors and warnings: each says what is wrong, why, and what to do, in the words of Python or of the shell.

A message is made of parts, texts and `Option`s. In Python an option reads `missing="drop"`, on the command line
`--missing drop`; so a message that mentions an option keeps it as an object until the message is shown.

>>> error = AncestralError("column 'age' has gaps; pass ", Option("missing", "drop"))
>>> print(error)
column 'age' has gaps; pass missing="drop"
>>> print(error.worded(lambda option: f"--{option.name} {option.value}"))
column 'age' has gaps; pass --missing drop
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from ancestral.printing import listed, shown

__all__ = [
    "UNSET", "AncestralError", "Function", "GraphError", "KnowledgeError", "KnowledgeWarning", "Message", "Method",
    "Option", "OptionError", "RunError", "RunWarning", "UnknownName", "named_with_suggestions", "refuse_unknown",
]  # fmt: skip


class _Unset:
    """The type of `UNSET`, of which there is one object, also after copying and pickling."""

    def __repr__(self) -> str:
        return "UNSET"

    def __reduce__(self) -> str:
        return "UNSET"


#: Stands for a value that was not given, where None is a value.
UNSET: Any = _Unset()


@dataclass(frozen=True)
class Option:
    """An option of Python's functions that a message mentions: `missing="drop"`, or without a value, `missing=`."""

    name: str
    value: Any = UNSET

    def __str__(self) -> str:
        if self.value is UNSET:
            return f"{self.name}="
        if isinstance(self.value, str) and shown(self.value) == f"'{self.value}'":  # nothing to escape or shorten
            return f'{self.name}="{self.value}"'
        # checked lists of names are tuples, and users write lists
        return f"{self.name}={shown(list(self.value) if isinstance(self.value, tuple) else self.value)}"


class Function(Option):
    """A function of the package that a message mentions: `an.bootstrap`, or the command `ancestral bootstrap`.

    `value` is the command, where it has another name than the function.
    """

    def __str__(self) -> str:
        return f"an.{self.name}"


class Method(Option):
    """A method of what was found that a message mentions: `found.sensitivity(x, y)`, or a command of the shell.

    `value` is the command, with its arguments.
    """

    def __str__(self) -> str:
        return f"found.{self.name}"


class Message:
    """What errors and warnings have in common: a message of parts, each a text or an `Option`."""

    args: tuple[Any, ...]

    def worded(self, spell: Callable[[Option], str]) -> str:
        """The message, with each option spelled by the given function."""
        return "".join(spell(part) if isinstance(part, Option) else str(part) for part in self.args)

    def __str__(self) -> str:
        return self.worded(str)


class AncestralError(Message, ValueError):
    """The root of all errors that ancestral raises on purpose."""


class GraphError(AncestralError):
    """Text that is not a graph, or a graph that is not of the kind it should be."""


class KnowledgeError(AncestralError):
    """Knowledge that cannot be read, that contradicts itself, or that names unknown variables."""


class OptionError(AncestralError):
    """An option, or a source, that cannot be used as it is.

    `reason` and `way_out` are texts, or lists of texts and `Option`s; `option` is the name of the option, and `value`
    is what was given for it. All four are attributes of the error. Without an option, the reason is a whole sentence.

    >>> print(OptionError("must be above 0", option="rows", value=-3, way_out="leave it out to keep all rows"))
    rows must be above 0, got -3; leave it out to keep all rows

    `assigned` is for a value that is valid in itself: the message then begins with the option and its value.

    >>> print(OptionError("needs a table", option="test", value="rank", assigned=True))
    test="rank" needs a table
    """

    def __init__(
        self,
        reason: "str | Iterable[str | Option]",
        *,
        option: str | None = None,
        value: Any = UNSET,
        way_out: "str | Iterable[str | Option]" = (),
        assigned: bool = False,
    ) -> None:
        self.reason, self.way_out = _parts(reason), _parts(way_out)
        self.option, self.value = option, value
        self._assigned = assigned
        parts: list[Any] = [*self.reason]
        if option is not None:
            parts[:0] = [Option(option, value) if assigned else _Name(option), " "]
        if value is not UNSET and not assigned:
            parts.append(f", got {shown(value)}")
        if self.way_out:
            parts += ["; ", *self.way_out]
        super().__init__(*parts)

    def __reduce__(self) -> tuple[Any, ...]:
        return _option_error, (type(self), self.reason, self.option, self.value, self.way_out, self._assigned)


class _Name(Option):
    """The option that a message is about: in Python its bare name."""

    def __str__(self) -> str:
        return self.name


def _parts(text: "str | Iterable[str | Option]") -> "tuple[str | Option, ...]":
    return (text,) if isinstance(text, str) else tuple(text)


def _option_error(
    cls: type[OptionError], reason: Any, option: str | None, value: Any, way_out: Any, assigned: bool
) -> OptionError:
    return cls(reason, option=option, value=value, way_out=way_out, assigned=assigned)


class RunError(AncestralError):
    """A run file that cannot be written, read or resumed."""


class RunWarning(Message, UserWarning):
    """A run goes on, or has ended, in a way that the user should know about."""


class KnowledgeWarning(RunWarning):
    """The data contradict the knowledge, which the search has kept to."""


class UnknownName(AncestralError):
    """One or more names that are not among the known ones; for each, the closest known names are suggested.

    `others` are further unknown names, reported in the same message; `what` is what the names stand for.

    >>> print(UnknownName("hight", ["height", "weight"], "column"))
    unknown column 'hight'; did you mean 'height' or 'weight'?
    >>> print(UnknownName("hight", ["height", "age"], "column", ["sex"]))
    unknown columns 'hight' (did you mean 'height'?) and 'sex'; there are: 'height', 'age'
    """

    def __init__(self, name: object, known: Iterable[str], what: str = "node", others: Iterable[object] = ()) -> None:
        names, unknown = tuple(known), (name, *others)
        self._arguments = (name, names, what, unknown[1:])
        there_are = f"there are: {', '.join(map(repr, names[:8]))}" + (", …" if len(names) > 8 else "")
        if not names:
            there_are = f"there is no {what} at all"
        if len(unknown) > 1:
            super().__init__(f"unknown {what}s {named_with_suggestions(unknown, names)}; {there_are}")
        else:
            super().__init__(f"unknown {what} {name!r}; {_suggestion(name, names) or there_are}")

    def __reduce__(self) -> tuple[Any, ...]:
        return UnknownName, self._arguments


#: The largest number of unknown names that one message lists; further ones are counted.
MOST_UNKNOWN = 20


def named_with_suggestions(names: Sequence[object], known: Sequence[str]) -> str:
    """The names as a list in words, each followed by the known names that it resembles, if there are any.

    >>> print(named_with_suggestions(["Hei", "Len", "x"], ["Height", "Length", "Rings"]))
    'Hei' (did you mean 'Height'?), 'Len' (did you mean 'Length'?) and 'x'
    """

    def spell(name: object) -> str:
        suggestion = _suggestion(name, known)
        return f"{name!r} ({suggestion})" if suggestion else repr(name)

    return listed(names, MOST_UNKNOWN, spell=spell)


def refuse_unknown(names: Iterable[object], known: Sequence[str], what: str = "node") -> None:
    """Raise an `UnknownName` that lists all names that are not among the known ones; do nothing if there are none."""
    there = set(known)
    if unknown := [name for name in dict.fromkeys(names) if name not in there]:
        raise UnknownName(unknown[0], known, what, unknown[1:])


def _suggestion(name: object, known: Sequence[str]) -> str:
    """The question whether one of the closest known names was meant; empty if none is close."""
    close = get_close_matches(str(name), known, n=3)
    return f"did you mean {' or '.join(map(repr, close))}?" if close else ""
