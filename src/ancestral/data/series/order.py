"""The order of time: which rows of a unit follow each other, and how many steps apart they are.

Without a step, the usual one is the difference between most rows, and every row must follow the one before it by just
that. With a step, rows may be several steps apart: the steps between them are missing.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import Floats
from ancestral.data.errors import DataError
from ancestral.data.series.steps import Step
from ancestral.data.series.times import Times
from ancestral.errors import Option

__all__ = ["Order", "in_given_order", "in_order_of_time"]

#: The share of a step by which times may miss it, besides rounding.
TOLERANCE = 1e-6
EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Order:
    """Rows in the order of units, and within these of time: `rows[i]` is the number of a row as it was given.

    `unit[i]` is the code of its unit, and `step[i]` the number of its step, from 0 on in each unit. `size` is the step
    between rows; None if rows are steps by themselves, or if no unit has two rows.
    """

    rows: NDArray[np.int64]
    unit: NDArray[np.int64]
    step: NDArray[np.int64]
    size: Step | None = None


def in_given_order(units: NDArray[np.integer]) -> Order:
    """Rows that are in the order of time already; they may be of several units in turn."""
    rows = np.argsort(units, kind="stable").astype(np.int64)
    unit = units[rows].astype(np.int64)
    first = np.append(True, unit[1:] != unit[:-1])
    number = np.arange(len(rows))
    return Order(rows, unit, number - np.maximum.accumulate(np.where(first, number, 0)))


def in_order_of_time(
    times: Times,
    units: NDArray[np.integer],
    *,
    step: Step | None,
    usual: Step | None,
    column: str,
    where: Callable[[int], str],
    named: Callable[[int], str],
) -> Order:
    """Rows sorted by time within their units. Raises DataError for equal times and for steps that are uneven.

    `step` is what the user gave; `usual` is that of other rows, if it is known. `column` is the column of times;
    `where` names a row, and `named` the unit of a code, such as " of unit 'a'".
    """
    if step is not None:
        times = times.in_scale_of(step, column)
    elif usual is not None:
        times = times.in_scale_of(usual, column)
    rows, unit, apart, inner = _sorted(times, units)
    if step is None and usual is None and times.is_monthly and not _is_even(times, apart[inner]):
        times = times.in_months()
        rows, unit, apart, inner = _sorted(times, units)
    equal = inner & (apart == 0)
    if equal.any():
        late = int(np.argmax(equal)) + 1
        one, two = sorted((int(rows[late - 1]), int(rows[late])))
        raise _equal(times, one, two, where, named(int(unit[late])), several=bool((unit != unit[0]).any()))
    size = step or usual or _usual(times, apart[inner])
    if size is None:
        return Order(rows, unit, np.zeros(len(rows), dtype=np.int64))
    steps = apart / size.size
    whole = np.rint(steps)
    misses = np.abs(steps - whole) > _tolerance(times, size)
    uneven = inner & (misses if step is not None else misses | (whole != 1))
    if uneven.any():
        late = int(np.argmax(uneven)) + 1
        raise _uneven(times, int(rows[late - 1]), int(rows[late]), size, named(int(unit[late])), given=step is not None)
    number = np.append(0, np.cumsum(np.where(inner, whole, 0))).astype(np.int64)
    first = np.append(True, ~inner)
    starts = np.flatnonzero(first)
    return Order(rows, unit, number - number[starts][np.cumsum(first) - 1], size)


def _sorted(
    times: Times, units: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats, NDArray[np.bool_]]:
    """The rows in the order of units and times, their units, the time to the next row, and if it has the same unit."""
    rows = np.lexsort((times.ticks, units)).astype(np.int64)
    unit = units[rows].astype(np.int64)
    return rows, unit, np.diff(times.ticks[rows]).astype(np.float64), unit[1:] == unit[:-1]


def _tolerance(times: Times, size: Step) -> float:
    """How far a number of steps may be from a whole one: by rounding of the times, and a little more."""
    return TOLERANCE + 8 * EPSILON * float(np.abs(times.ticks).max()) / size.size


def _usual(times: Times, apart: Floats) -> Step | None:
    """The most frequent time between rows, the shortest of several; None if there is none."""
    positive = apart[apart > 0]
    if not positive.size:
        return None
    digits = 8 - np.floor(np.log10(positive))  # those of floating point numbers that rounding does not change
    rounded = np.round(positive * 10.0**digits) / 10.0**digits if times.scale == "number" else positive
    different, counts = np.unique(rounded, return_counts=True)
    size = float(different[np.argmax(counts)])
    return Step(size if times.scale == "number" else int(size), times.scale)


def _is_even(times: Times, apart: Floats) -> bool:
    """Whether all times between rows are the usual one."""
    usual = _usual(times, apart)
    return usual is None or bool((np.abs(apart / usual.size - 1) <= _tolerance(times, usual)).all())


def _equal(times: Times, one: int, two: int, where: Callable[[int], str], unit: str, *, several: bool) -> DataError:
    """The error for two rows of a unit at the same time; `several`: there are other units."""
    if times.shown(one) != times.shown(two):  # of one month, for example
        return DataError(
            f"rows{unit} must be at different steps, and {times.shown(one)} ({where(one)}) and {times.shown(two)} "
            f"({where(two)}) are at the same; remove one of them, or choose another ",
            Option("step"),
        )
    units = () if several else (", or, if they are of different units, name the column of units with ", Option("unit"))
    return DataError(
        f"rows{unit} must have different times, and {where(one)} and {where(two)} have the same, {times.shown(one)}; "
        "remove one of them",
        *units,
    )


def _uneven(times: Times, early: int, late: int, size: Step, unit: str, *, given: bool) -> DataError:
    """The error for two rows that are not a step, or with a step that was given, not whole steps apart."""
    between = f"{times.shown(early)} and {times.shown(late)}"
    if given:
        return DataError(
            f"times{unit} must be whole steps of {size.value} apart, and {between} are not; round the times, or choose "
            "another ",
            Option("step"),
        )
    ways: list[str | Option] = [Option("step", size.value)]
    if size.value == "1D" and times.are_working_days:
        ways += [", or ", Option("step", "1B"), " for working days"]
    return DataError(
        f"times{unit} must be evenly spaced, and the usual step is {size.value}, but that between {between} is "
        "another; pass ",
        *ways,
        ", so that missing steps are gaps, or, if each row is a step, sort the rows and leave ",
        Option("time"),
        " out",
    )
