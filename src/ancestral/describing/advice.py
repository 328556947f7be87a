"""Advice: what to do with data, as calls and commands that can be followed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import join
from typing import Any

from ancestral.data import Table
from ancestral.data.column_kinds import MOST_LEVELS, is_number
from ancestral.data.doubts.doubt import About, Doubt
from ancestral.data.doubts.scales import FEWEST, scales
from ancestral.data.doubts.word_scales import word_scales
from ancestral.data.errors import DataWarning, KindsOption
from ancestral.data.read.missing_values import NaOption
from ancestral.data.survey.survey import Survey
from ancestral.data.table import MANY_COMPLETE
from ancestral.describing.cures import Cure
from ancestral.errors import AncestralError, Message, Option
from ancestral.printing import counted, listed
from ancestral.shell import option_words, spelled

__all__ = ["Advice", "Place", "advice_on", "in_shell"]


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
        if isinstance(source, Mapping) and all(isinstance(one, str | Path) for one in source.values()):
            return cls(tuple(f"{name}={path}" for name, path in source.items()))
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
        words = [str(place), *(_argument(name, value) for name, value in options.items())]
        return f"an.{self.name}({', '.join(words)})"

    @property
    def command(self) -> str:
        """The same as a command."""
        place, options = self.value
        words = [word for name, value in options.items() for word in option_words(name, value)]
        return join(["ancestral", self.name, *(place.paths or ("data.csv",)), *words])


def _argument(name: str, value: Any) -> str:
    """An argument of a call, however long it is, since calls are to be copied."""
    if isinstance(value, Mapping):
        written = {key: _as_list(own) for key, own in value.items()}
        return f"{name}={written!r}"
    if isinstance(value, tuple | list):
        return f"{name}={_as_list(value)!r}"
    text = str(Option(name, value))
    return f"{name}={value!r}" if isinstance(value, str) and text != f'{name}="{value}"' else text


def _as_list(value: Any) -> Any:
    """A value as users write it: checked lists of names are tuples."""
    return list(value) if isinstance(value, tuple) else value


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
    cure: Cure | None,
    given: Mapping[str, Any],
    place: Place,
    *,
    takes_kinds: bool,
) -> tuple[Advice, ...]:
    """All advice: how to search the data, what to leave out, what to read otherwise, and what to add.

    `cure` removes the faults (`cure_of`), and `takes_kinds` tells whether the user may
    choose the kinds of the columns.
    """
    left_out = () if cure is None else cure.options.get("drop", ())
    out = [
        *_to_search(survey, faults, warnings, cure, given, place),
        *(_about_orders(survey, {*left_out, *_about(warnings, "missing codes")}) if takes_kinds else ()),
    ]
    if sum(column.is_variable for column in survey.columns) > 1:
        file = "knowledge.txt"
        out.append(
            Advice(
                "say what is known, above all what came first in time, with ",
                Option("knowledge", file),
                ", a file of all names sorted into tiers; to begin it: ",
                _Template(place, {**given, **({"drop": left_out} if left_out else {})}, file),
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


def _about_words(faults: Sequence[AncestralError], given: Mapping[str, Any], place: Place) -> list[Advice]:
    """How to keep words that count as missing though they may be labels: to drop their rows would select on them."""
    words = [part.value for fault in faults for part in fault.args if isinstance(part, NaOption)]
    if not words:
        return []
    again = Run("describe", place, {**given, "na": words[0]})
    return [Advice("if a word that counts as missing is a label, do not drop its rows, but keep it: ", again)]


def _to_search(
    survey: Survey,
    faults: Sequence[AncestralError],
    warnings: Sequence[DataWarning],
    cure: Cure | None,
    given: Mapping[str, Any],
    place: Place,
) -> list[Advice]:
    if cure is None:
        if survey.data is None or not faults:
            return []
        return [Advice("no options remove all faults: change the data as the faults say, and describe them again")]
    options = {**given, **cure.options}
    run = Run("discover", place, options)
    out = [
        *_about_words(faults, given, place),
        Advice("to search the data without their faults: " if faults else "to search the data: ", run),
    ]
    like = _about(warnings, "identifier")
    drop = list(options.get("drop") or ())
    if not set(like) <= set(drop):
        less = Run("discover", place, {**options, "drop": list(dict.fromkeys([*drop, *like]))})
        out.append(Advice("to leave out what looks like an identifier, too: ", less))
    return [*out, *_about_gaps(survey, options, place)]


def _about(warnings: Sequence[DataWarning], about: About) -> list[str]:
    """The columns that warnings are about."""
    return [name for one in warnings if isinstance(one, Doubt) and one.about == about for name in one.columns]


def _about_gaps(survey: Survey, options: Mapping[str, Any], place: Place) -> list[Advice]:
    """The advice to impute missing values where many rows would be left out otherwise."""
    chosen = options.get("missing", "refuse")
    if not isinstance(survey.data, Table) or survey.data.design is not None or chosen not in ("drop", "testwise"):
        return []
    if survey.complete is None or survey.complete >= MANY_COMPLETE * survey.rows:
        return []
    lost = survey.rows - survey.complete
    return [
        Advice(
            f"values are missing in {counted(lost, 'row')} of {survey.rows:,}; to fill gaps from what was observed, if "
            "that tells why they are missing (docs/missing.md): ",
            Run("discover", place, {**options, "missing": "impute"}),
        )
    ]


def _about_orders(survey: Survey, left_out: Collection[str]) -> list[Advice]:
    """The advice to give an order to labels: numbers like a rating scale, well-known words, and labels with codes."""
    levels = {
        column.name: list(column.levels)
        for column in survey.columns
        if column.levels is not None and column.kind in ("continuous", "discrete") and column.name not in left_out
    }
    out = []
    for names, own in scales(levels):
        holds = "holds" if len(names) == 1 else "hold"
        out.append(
            Advice(
                f"{listed(names)} {holds} {len(own)} whole numbers from {own[0]} to {own[-1]}, like a rating scale; if "
                "their order has a meaning, pass ",
                KindsOption(dict.fromkeys(names, "ordinal")),
            )
        )
    labels = {name: own for name, own in levels.items() if not all(map(is_number, own)) and _can_be_told(name, own)}
    by_words = word_scales(labels)
    told = {name for names, _ in by_words for name in names}
    by_codes = _by_codes(survey, {name: own for name, own in labels.items() if name not in told})
    for found, like in ((by_words, "are like a well-known scale"), (by_codes, "have codes in an order")):
        for names, order in found:
            out.append(
                Advice(
                    f"the labels of {listed(names)} {like}, {' < '.join(order)}; if the order has a meaning, pass ",
                    KindsOption({name: list(order) for name in names}),
                )
            )
    return out


def _can_be_told(name: str, labels: Sequence[str]) -> bool:
    """Whether the shell can spell the order of labels, too, as in `agree=low<mid<high`."""
    return "=" not in name and not any("<" in label for label in labels)


def _by_codes(survey: Survey, levels: Mapping[str, Sequence[str]]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The columns whose labels have codes in the file, and these labels in the order of the codes."""
    found: dict[tuple[str, ...], list[str]] = {}
    for name, order in survey.code_orders.items():
        own = set(levels.get(name, ()))
        if FEWEST <= len(own) <= MOST_LEVELS and own <= set(order):
            found.setdefault(tuple(label for label in order if label in own), []).append(name)
    return [(tuple(names), order) for order, names in found.items()]
