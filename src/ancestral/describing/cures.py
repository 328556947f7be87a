"""Cures: the options with which the faults of data are gone, and what a search with them gets."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ancestral.data import Moments, Table
from ancestral.data.audit import examine
from ancestral.data.errors import DropOption
from ancestral.data.stats.summary import Summary
from ancestral.data.survey.survey import Survey
from ancestral.errors import AncestralError, Message
from ancestral.independence.choice import is_incomplete

__all__ = ["Cure", "cure_of", "dropped_by"]

#: Rounds in which columns that faults name are left out; each may bring faults to light that another one hid.
MOST_ROUNDS = 5


@dataclass(frozen=True)
class Cure:
    """The options besides those given with which faults are gone, and the data as a search with them gets them."""

    options: Mapping[str, Any]
    data: Table | Summary | Moments


def cure_of(survey: Survey, faults: Sequence[AncestralError], given: Mapping[str, Any]) -> Cure | None:
    """The cure of the faults; None if there is none.

    Of a table with missing values the incomplete rows are dropped if they are less than half of the rows; otherwise
    each question is to use the rows that are complete for it.
    """
    if survey.data is None or any(not one.is_variable and one.values is None for one in survey.columns):
        return None
    if not faults:
        return Cure({}, survey.data)
    there = set(survey.data.names)
    dropped = [column.name for column in survey.columns if column.is_variable and column.name not in there]
    for _ in range(MOST_ROUNDS):
        gone = set(dropped)
        names = [name for name in survey.data.names if name not in gone]
        if len(names) < 2:
            return None
        missing, data = _without_gaps(survey, survey.data.select(names))
        if not data.rows:
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
    out: dict[str, Any] = {} if missing is None else {"missing": missing}
    if dropped:
        out["drop"] = [*(given.get("drop") or ()), *dict.fromkeys(dropped)]
    return Cure({name: value for name, value in out.items() if given.get(name) != value}, data)


def _without_gaps(survey: Survey, data: Table | Summary | Moments) -> tuple[str | None, Table | Summary | Moments]:
    """What to do about missing values, None if there are none or they are accepted, and the data after it."""
    if not isinstance(data, Table):
        there = set(data.names)
        return ("drop" if any(one.missing and one.name in there for one in survey.columns) else None), data
    sampled = data.design is not None
    if not is_incomplete(data) or not (survey.refuses_gaps or sampled):
        return None, data
    complete = data.complete_rows()
    if not sampled and 2 * complete.rows < data.rows:
        return "testwise", data
    return "drop", complete


def _blamed(fault: AncestralError, names: Sequence[str]) -> Iterable[str]:
    """The columns that are left out on account of a fault: those it says, or all that it names."""
    return dropped_by(fault) or [name for name in names if repr(name) in str(fault)]


def dropped_by(message: Message) -> Iterable[str]:
    """The columns that a message advises to leave out."""
    return [name for part in message.args if isinstance(part, DropOption) for name in part.value]
