"""Steps: how far apart the rows of a series are, as a number, a duration, calendar months or working days."""

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, TypeAlias

from ancestral.arguments import real
from ancestral.data.column_kinds import is_number
from ancestral.errors import OptionError

__all__ = ["MICROSECONDS", "MONTHS", "Scale", "Step", "checked_step"]

#: What a time is counted in: numbers as they are, microseconds, calendar months, or days from Monday to Friday.
Scale: TypeAlias = Literal["number", "microsecond", "month", "working day"]

#: The units of durations, in microseconds, the largest first.
MICROSECONDS = {"W": 604_800_000_000, "D": 86_400_000_000, "h": 3_600_000_000, "min": 60_000_000, "s": 1_000_000}
#: The units of the calendar, in months, the largest first.
MONTHS = {"Y": 12, "Q": 3, "M": 1}
#: The unit of working days.
WORKING_DAYS = "B"

_DURATION = re.compile(
    rf"(?P<count>\d{{0,9}}(?:\.\d{{1,6}})?)\s*(?P<unit>{'|'.join((*MICROSECONDS, *MONTHS, WORKING_DAYS))})"
)
_EXAMPLES = (
    'pass a duration such as "30s", "15min", "1h", "1D" (a day), "1B" (a working day), "1W", "1M" (a month), "1Q" or '
    '"1Y", or, where time is a number, a number'
)


@dataclass(frozen=True)
class Step:
    """The time from one row to the next: so many units of a scale.

    >>> Step(7 * MICROSECONDS["D"], "microsecond").value, Step(6, "month").value, Step(0.5, "number").value
    ('1W', '2Q', 0.5)
    """

    size: float
    scale: Scale

    @property
    def value(self) -> str | float:
        """The step as the option `step` is written."""
        if self.scale == "number":
            return int(self.size) if float(self.size).is_integer() else float(self.size)
        if self.scale == "working day":
            return f"{int(self.size)}{WORKING_DAYS}"
        units = MONTHS if self.scale == "month" else MICROSECONDS
        whole = next((unit for unit, size in units.items() if self.size % size == 0), None)
        if whole is None:  # a fraction of a second
            return f"{self.size / MICROSECONDS['s']:g}s"
        return f"{int(self.size // units[whole])}{whole}"


def checked_step(option: str, value: object) -> Step:
    """The value of the option `step`: a duration such as "1D", or a number above 0. Raises `OptionError` otherwise.

    >>> checked_step("step", "1Q"), checked_step("step", 0.5)
    (Step(size=3, scale='month'), Step(size=0.5, scale='number'))
    """
    if isinstance(value, str) and is_number(value):
        value = float(value)
    step: Step | None = None
    if isinstance(value, timedelta):
        step = Step(value // timedelta(microseconds=1), "microsecond")
    elif isinstance(value, str):
        step = _duration(value.strip())
    elif (number := real(value)) is not None:
        step = Step(number, "number")
    if step is None or not 0 < step.size < float("inf"):
        raise OptionError("must be a duration or a number above 0", option=option, value=value, way_out=_EXAMPLES)
    return step


def _duration(text: str) -> Step | None:
    """The step that a text such as "7D" means; None if it means none. "m" may be minutes or months, so it is none."""
    found = _DURATION.fullmatch(text)
    if found is None:
        return None
    count, unit = float(found["count"] or 1), found["unit"]
    if unit in MICROSECONDS:
        return Step(round(count * MICROSECONDS[unit]), "microsecond")
    if not count.is_integer():
        return None
    return Step(int(count), "working day") if unit == WORKING_DAYS else Step(int(count) * MONTHS[unit], "month")
