"""Tree sums: many parts added in pairs of about equal size."""

from collections.abc import Iterable
from typing import Any, TypeVar

__all__ = ["tree_sum"]

T = TypeVar("T", bound=Any)


def tree_sum(parts: Iterable[T]) -> T:
    """The sum of parts, of which there is at least one, by pairwise addition as in a binary counter.

    Each of n parts takes part in about log n additions, rounding errors grow with log n, and no more than log n sums
    are held at a time. The order of the parts is kept.

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
