"""Advice: what to do with data, as calls and commands that can be followed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import join
from typing import Any

from ancestral.data import Moments, Table
from ancestral.data.audit import examine
from ancestral.data.doubts.doubt import Doubt
from ancestral.data.doubts.scales import scales
from ancestral.data.errors import DataWarning, DropOption
from ancestral.data.stats.summary import Summary
from ancestral.data.survey.survey import Survey
from ancestral.errors import AncestralError, Message, Option
from ancestral.printing import listed
from ancestral.shell import option_words, spelled

__all__ = ["Advice", "Place", "advice_on", "cure_of", "dropped_by", "in_shell"]

#: Rounds in which columns that faults name are left out; each may bring faults to light that another one hid.
MOST_ROUNDS = 5


@dataclass(frozen=True)
class Place:
    """Where the data are: the paths of files; empty if they were given in Python."""

    paths: tuple[str, ...] = ()

    @classmethod
    def of(cls, source: Any) -> "Place":
        """The place of a source."""
        if isinstance(source, str | Path):
            return cls((str(source),))
        if isinstance(source, list | tuple) and source and all(isinstance(one, str | Path) for one in source):
            return cls(tuple(map(str, source)))
        return cls()

    def __str__(self) -> str:
        if not self.paths:
            return "data"
        return repr(self.paths[0] if len(self.paths) == 1 else list(self.paths))


class Run(Option):
    """A call that a piece of advice proposes; in the shell, a command."""

    def __init__(self, function: str, place: Place, options: Mapping[str, Any]) -> None:
        super().__init__(function, (place, dict(options)))

    def __str__(self) -> str:
        place, options = self.value
        words = [str(place), *(str(_plain(name, value)) for name, value in options.items())]
        return f"an.{self.name}({', '.join(words)})"

    @property
    def command(self) -> str:
        """The same as a command."""
        place, options = self.value
        words = [word for name, value in options.items() for word in option_words(name, value)]
        return join(["ancestral", self.name, *(place.paths or ("data.csv",)), *words])


def _plain(name: str, value: Any) -> Option:
    return DropOption(value) if name == "drop" else Option(name, value)


def in_shell(option: Option) -> str:
    """An option, or a call, as the shell spells it."""
    return option.command if isinstance(option, Run) else spelled(option)


class Advice(Message):
    """What to do, in words."""

    def __init__(self, *parts: str | Option) -> None:
        self.args = parts

    def __repr__(self) -> str:
        return f"Advice({str(self)!r})"


def advice_on(
    survey: Survey,
    faults: Sequence[AncestralError],
    warnings: Sequence[DataWarning],
    cure: Mapping[str, Any] | None,
    given: Mapping[str, Any],
    place: Place,
    *,
    takes_kinds: bool,
) -> tuple[Advice, ...]:
    """All advice: how to search the data, what to leave out, what to read otherwise, and what to add.

    `cure` are the options with which the faults are gone (`cure_of`), and `takes_kinds` tells whether the user may
    choose the kinds of the columns.
    """
    out = [*_to_search(survey, faults, warnings, cure, given, place), *(_about_scales(survey) if takes_kinds else ())]
    if len(survey.columns) > 1:
        file = "knowledge.txt"
        out.append(
            Advice(
                "say what is known, above all what came first in time, with ",
                Option("knowledge", file),
                ", a file of all names sorted into tiers; to begin it: ",
                _Template(place, given, file),
            )
        )
    return tuple(out)


class _Template(Run):
    """The call that writes the template of a file of knowledge."""

    def __init__(self, place: Place, given: Mapping[str, Any], file: str) -> None:
        super().__init__("describe", place, {**given, "template": file})

    def __str__(self) -> str:
        place, options = self.value
        described = Run("describe", place, {name: value for name, value in options.items() if name != "template"})
        return f"{described}.template({options['template']!r})"


def _to_search(
    survey: Survey,
    faults: Sequence[AncestralError],
    warnings: Sequence[DataWarning],
    cure: Mapping[str, Any] | None,
    given: Mapping[str, Any],
    place: Place,
) -> list[Advice]:
    if cure is None:
        if survey.data is None or not faults:
            return []
        return [Advice("no options remove all faults: change the data as the faults say, and describe them again")]
    run = Run("discover", place, {**given, **cure})
    out = [Advice("to search the data without their faults: " if faults else "to search the data: ", run)]
    like = [name for one in warnings if isinstance(one, Doubt) and one.about == "identifier" for name in one.columns]
    drop = list(cure.get("drop", given.get("drop", ())))
    if not set(like) <= set(drop):
        less = Run("discover", place, {**given, **cure, "drop": list(dict.fromkeys([*drop, *like]))})
        out.append(Advice("to leave out what looks like an identifier, too: ", less))
    return out


def cure_of(survey: Survey, faults: Sequence[AncestralError], given: Mapping[str, Any]) -> dict[str, Any] | None:
    """The options besides those given with which the faults are gone; None if there are none."""
    if survey.data is None:
        return None
    if not faults:
        return {}
    out: dict[str, Any] = {}
    there = set(survey.data.names)
    dropped = [column.name for column in survey.columns if column.name not in there]
    data: Table | Summary | Moments = survey.data
    if not survey.streamed and isinstance(data, Table) and any(column.has_missing for column in data.columns):
        if given.get("missing", "refuse") != "testwise":
            out["missing"] = "drop"
    elif survey.streamed and any(column.missing for column in survey.columns):
        out["missing"] = "drop"
    for _ in range(MOST_ROUNDS):
        gone = set(dropped)
        names = [name for name in survey.data.names if name not in gone]
        if len(names) < 2:
            return None
        data = survey.data.select(names)
        if isinstance(data, Table) and out.get("missing") == "drop":
            data = data.complete_rows()
        if not data.rows:
            if isinstance(data, Table):
                out["missing"] = "testwise"
                continue
            return None
        errors = examine(data).errors
        if not errors:
            break
        more = [name for fault in errors for name in _blamed(fault, names)]
        if not more:
            return None
        dropped += more
    else:
        return None
    if dropped:
        out["drop"] = [*(given.get("drop") or ()), *dict.fromkeys(dropped)]
    return {name: value for name, value in out.items() if given.get(name) != value}


def _blamed(fault: AncestralError, names: Sequence[str]) -> Iterable[str]:
    """The columns that are left out on account of a fault: those it says, or all that it names."""
    return dropped_by(fault) or [name for name in names if repr(name) in str(fault)]


def dropped_by(message: Message) -> Iterable[str]:
    """The columns that a message advises to leave out."""
    return [name for part in message.args if isinstance(part, DropOption) for name in part.value]


def _about_scales(survey: Survey) -> list[Advice]:
    levels = {column.name: list(column.levels) for column in survey.columns if column.levels is not None}
    out = []
    for names, own in scales(levels):
        holds = "holds" if len(names) == 1 else "hold"
        out.append(
            Advice(
                f"{listed(names)} {holds} {len(own)} whole numbers from {own[0]} to {own[-1]}, like a rating scale; if "
                "their order has a meaning, pass ",
                _Kinds(dict.fromkeys(names, "ordinal")),
            )
        )
    return out


class _Kinds(Option):
    """Kinds that are shown whole, however many they are, so as to be copied."""

    def __init__(self, kinds: Mapping[str, str]) -> None:
        super().__init__("kinds", dict(kinds))

    def __str__(self) -> str:
        return f"{self.name}={self.value!r}"
