"""Ties of scores: rounding, which differs from machine to machine, must not choose between graphs of one class."""

from collections.abc import Callable, Iterable
from typing import TypeVar

__all__ = ["TIE", "first_lowest", "ranked"]

Item = TypeVar("Item")

#: Scores that differ by less are equal: they are known to more digits, but graphs of one class differ by rounding.
TIE = 1e-6

#: Digits after the point of a score by which others are put in order.
_DIGITS = 6


def first_lowest(items: Iterable[Item], score: Callable[[Item], float]) -> Item:
    """The item with the lowest score; of several that are equal but for rounding, the first one."""
    found = [(score(item), item) for item in items]
    lowest = min(scored for scored, _ in found)
    return next(item for scored, item in found if scored <= lowest + TIE)


def ranked(score: float) -> float:
    """The score without what rounding may have made of it, to put others in order by."""
    return round(score, _DIGITS)
