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

    `value` is the command, if there is one.
    """

    def __str__(self) -> str:
        return f"found.{self.name}"


class Message:
    """What errors and warnings have in common: a message of parts, each a text or an `Option`.

    Attributes:
        args: The parts.

    Examples:
        >>> AncestralError("pass ", Option("missing", "drop")).args
        ('pass ', Option(name='missing', value='drop'))
    """

    args: tuple[Any, ...]

    def worded(self, spell: Callable[[Option], str]) -> str:
        """The message, with each option spelled by a function.

        Args:
            spell: A function of an `Option`, which has a `name` and a `value`.

        Returns:
            The text.

        Examples:
            >>> error = AncestralError("column 'age' has gaps; pass ", Option("missing", "drop"))
            >>> print(error.worded(lambda option: f"--{option.name} {option.value}"))
            column 'age' has gaps; pass --missing drop
        """
        return "".join(spell(part) if isinstance(part, Option) else str(part) for part in self.args)

    def __str__(self) -> str:
        return self.worded(str)


class AncestralError(Message, ValueError):
    """The root of all errors that ancestral raises on purpose. It is a `ValueError`.

    Examples:
        >>> from ancestral import DAG
        >>> try:
        ...     DAG.parse("a -> b, b -> a")
        ... except AncestralError as error:
        ...     print(type(error).__name__, "|", error)
        GraphError | two edges between 'b' and 'a': <-- and -->; keep one
    """


class GraphError(AncestralError):
    """Text that is not a graph, or a graph that is not of the kind it should be.

    It is raised by `parse` and `from_edges`, by the functions `from_…`, and by functions of a graph that they cannot
    use.

    Examples:
        >>> from ancestral import DAG, PAG, mag_of
        >>> mag_of(PAG.parse("a o-> b"))
        Traceback (most recent call last):
        ...
        ancestral.errors.GraphError: mag_of needs a DAG, got a PAG; for a MAG of a PAG see an.mag_in
    """


class KnowledgeError(AncestralError):
    """Knowledge that cannot be read, that contradicts itself, or that names unknown variables.

    It is raised when a `Knowledge` or `SeriesKnowledge` is made or read, and by a search whose data lack a variable of
    it.

    Examples:
        >>> from ancestral import Knowledge
        >>> Knowledge(required=[("a", "b")], forbidden=[("a", "b")])
        Traceback (most recent call last):
        ...
        ancestral.errors.KnowledgeError: the knowledge contradicts itself: a --> b (required), but a does not cause b
        (forbidden); remove one of the statements
    """


class OptionError(AncestralError):
    """An option, or a source, that cannot be used as it is.

    Args:
        reason: Why, as a text, or as a list of texts and `Option`s. Without an option, the reason is a whole sentence.
        option: The name of the option.
        value: What was given for it.
        way_out: What to do instead, as a text, or as a list of texts and `Option`s.
        assigned: The value is valid in itself: the message then begins with the option and its value.

    Attributes:
        reason: The parts of the reason.
        option: The name of the option; None if there is none.
        value: What was given for it.
        way_out: The parts of the way out; empty if there is none.

    Examples:
        >>> error = OptionError("must be above 0", option="rows", value=-3, way_out="leave it out to keep all rows")
        >>> print(error)
        rows must be above 0, got -3; leave it out to keep all rows
        >>> error.option, error.value, error.reason, error.way_out
        ('rows', -3, ('must be above 0',), ('leave it out to keep all rows',))
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
    """A run file that cannot be written, read or resumed, or another file that cannot be written.

    It is also raised by a search whose time is over before there is anything to return.

    Examples:
        >>> from ancestral import load
        >>> load("no-such-run.json")
        Traceback (most recent call last):
        ...
        ancestral.errors.RunError: no-such-run.json: cannot be read (No such file or directory); check the name
    """


class RunWarning(Message, UserWarning):
    """A run goes on, or has ended, in a way that the user should know about.

    It is given, for example, if the executor of a search goes away, or if a run cannot be saved.

    Examples:
        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("error", RunWarning)  # an unattended program may prefer an error
    """


class KnowledgeWarning(RunWarning):
    """The data contradict the knowledge, which the search has kept to.

    A search gives it, and goes on; `found.warnings` keeps it, with the pairs of variables that it is about.

    Examples:
        >>> import warnings
        >>> import ancestral as an
        >>> rows = an.simulate.linear_gaussian(an.DAG.parse("a -> b, c"), rows=500, seed=1)
        >>> with warnings.catch_warnings(record=True) as given:
        ...     warnings.simplefilter("always")
        ...     found = an.discover(rows, knowledge=an.Knowledge(required=[("a", "c")]), algorithm="icd")
        >>> [warning.category.__name__ for warning in given], found.pag.edge("a", "c")[0]  # c is independent of a
        (['KnowledgeWarning'], '-')
    """


class UnknownName(AncestralError):
    """One or more names that are not among the known ones; for each, the closest known names are suggested.

    Args:
        name: The unknown name.
        known: The known names.
        what: What the names stand for.
        others: Further unknown names, reported in the same message.

    Examples:
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
