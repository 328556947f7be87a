"""The options of experiments: which variables were set from outside, what is assumed of them, and what they act on."""

# ruff: noqa: RUF009 (`option` makes the field of a dataclass)

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, TypedDict

from ancestral.arguments import names_list
from ancestral.option_groups import Group, option
from ancestral.options.checks import none_or, words_of
from ancestral.options.words import SEARCHED, Location

__all__ = ["ExperimentKeywords", "ExperimentOptions"]


class ExperimentKeywords(TypedDict, total=False):
    """Names and types of `ExperimentOptions`."""

    context: Sequence[str] | str | None
    context_assumptions: Sequence[str] | str | None
    targets: "Mapping[str, Sequence[str]] | Location | None"


def _names_of(name: str, value: object) -> tuple[str, ...]:
    """Names of columns; a single name is a list of one."""
    return names_list(name, [value] if isinstance(value, str) else value)


def _targets_of(name: str, value: Any) -> Any:
    """Targets are read where knowledge is; here only their type is checked."""
    from ancestral.errors import OptionError

    if isinstance(value, Mapping | str | PathLike):
        return value
    raise OptionError(
        "must be a dictionary from samples or contexts to lists of variables, or the path of a TOML file",
        option=name,
        value=value,
        way_out='write {"drug": ["x", "y"]}',
    )


@dataclass(frozen=True, kw_only=True)
class ExperimentOptions(Group):
    """What was done, where data come from several samples or have columns that tell what was done."""

    context: Sequence[str] | str | None = option(
        SEARCHED,
        None,
        none_or(_names_of),
        "Columns that were set from outside, such as a treatment, a batch or a site: contexts (docs/experiments.md). "
        "Samples that are told apart by name are contexts by themselves.",
    )
    context_assumptions: Sequence[str] | str | None = option(
        SEARCHED,
        None,
        none_or(words_of),
        'What is assumed of contexts, some of "exogenous" (the other variables do not cause them), "unconfounded" '
        '(nothing unmeasured causes both them and the others) and "designed" (they do not cause each other, and why '
        "they depend on each other is not asked). By default all of it.",
    )
    targets: "Mapping[str, Sequence[str]] | Location | None" = option(
        SEARCHED,
        None,
        none_or(_targets_of),
        "Which variables each sample or context acts on, and on others only through these: a TOML file with lines like "
        '"drug A" = ["x", "y"]. Those that are left out may act on anything.',
        "Or a dictionary.",
    )
