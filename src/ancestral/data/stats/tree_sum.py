"""Sums of many parts, each of which is much smaller than the whole."""

from collections.abc import Iterable
from typing import Any, TypeVar

__all__ = ["tree_sum"]

T = TypeVar("T", bound=Any)


def tree_sum(parts: Iterable[T]) -> T:
    """The sum of parts that come one by one, at least one of them; only sums of about as many parts are added.

    So each part is looked at a few times and not as often as there are parts after it, and rounding errors grow with
    the logarithm of their number. A few sums are held at a time.

    >>> tree_sum(["a", "b", "c"])
    'abc'
    """
    sums: list[tuple[int, T]] = []
    for part in parts:
        size = 1
        while sums and sums[-1][0] == size:
            size, part = 2 * size, sums.pop()[1] + part
        sums.append((size, part))
    total = sums.pop()[1]
    while sums:
        total = sums.pop()[1] + total
    return total
