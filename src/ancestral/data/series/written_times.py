"""Written times: dates, times, months and quarters in text, with the year first."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["Written", "read_times"]

_EPOCH = datetime(1970, 1, 1)
_MONTH = re.compile(r"(\d{4})(?:[-/.]|-?M)(0?[1-9]|1[0-2])")
_QUARTER = re.compile(r"(\d{4})[- ]?Q([1-4])")
_DATE = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(.*)")


@dataclass(frozen=True)
class Written:
    """Times that were read: months since the year 0, or microseconds since 1970.

    `local` is the same in local time, where each time tells its distance to UTC; otherwise it is `ticks`.
    """

    scale: Literal["microsecond", "month"]
    ticks: NDArray[np.int64]
    local: NDArray[np.int64]


def read_times(texts: Sequence[str]) -> Written | int:
    """The times that these texts write; the position of the first text that is no time like those before it, if any.

    >>> read_times(["2020-01", "2020-03"]).ticks.tolist(), read_times(["2020-01", "soon"])
    ([24240, 24242], 1)
    """
    kinds: set[object] = set()
    ticks, local = [], []
    for position, text in enumerate(texts):
        if (months := _months(text)) is not None:
            kind: object = "month"
            ticks.append(months)
            local.append(months)
        elif (instant := _instant(text)) is not None:
            kind = instant.tzinfo is None
            in_utc = instant if instant.tzinfo is None else instant.astimezone(UTC)
            ticks.append(_microseconds(in_utc))
            local.append(_microseconds(instant))
        else:
            return position
        if len(kinds | {kind}) > 1:
            return position
        kinds.add(kind)
    scale: Literal["microsecond", "month"] = "month" if "month" in kinds else "microsecond"
    return Written(scale, np.array(ticks, dtype=np.int64), np.array(local, dtype=np.int64))


def _microseconds(instant: datetime) -> int:
    """The time on the clock of its own time zone, since 1970."""
    return (instant.replace(tzinfo=None) - _EPOCH) // timedelta(microseconds=1)


def _months(text: str) -> int | None:
    """The month that a text such as 2020-01 or 2020Q1 writes, counted from the year 0; a quarter by its first month."""
    if (found := _MONTH.fullmatch(text)) is not None:
        return 12 * int(found[1]) + int(found[2]) - 1
    if (found := _QUARTER.fullmatch(text)) is not None:
        return 12 * int(found[1]) + 3 * (int(found[2]) - 1)
    return None


def _instant(text: str) -> datetime | None:
    """The date, with or without a time, that a text writes as in ISO 8601; None if it writes none."""
    if (found := _DATE.fullmatch(text)) is not None:
        text = f"{found[1]}-{found[2]:0>2}-{found[3]:0>2}{found[4]}"
    try:
        return datetime.fromisoformat(text.removesuffix(" UTC") + ("Z" if text.endswith(" UTC") else ""))
    except ValueError:
        return None
