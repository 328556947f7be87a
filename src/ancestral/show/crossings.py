"""The order of items within columns, with few crossings of edges: sweeps by medians, and exchanges of neighbours.

igraph gives the first order (Sugiyama's method); what is done here makes it better, and keeps the best order seen
(Gansner and others, 1993, A technique for drawing directed graphs).
"""

from itertools import pairwise
from statistics import median

import numpy as np

__all__ = ["fewer_crossings"]

#: Sweeps over all columns.
SWEEPS = 24

Links = list[list[int]]


def fewer_crossings(order: list[list[int]], steps: list[tuple[int, int]], count: int) -> list[list[int]]:
    """An order of the `count` items in their columns with at most as many crossings of `steps`, which join two columns.

    Each step leads from an item to one of the next column.
    """
    before: Links = [[] for _ in range(count)]
    after: Links = [[] for _ in range(count)]
    for a, b in steps:
        after[a].append(b)
        before[b].append(a)
    current = [list(column) for column in order]
    rank = np.zeros(count).tolist()
    for column in current:
        _number(column, rank)
    best, fewest = [list(column) for column in current], _crossings(current, after, rank)
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        for k in range(len(current)) if forward else range(len(current) - 1, -1, -1):
            _by_medians(current[k], before if forward else after, rank)
        while _exchanged(current, before, after, rank):
            pass
        crossings = _crossings(current, after, rank)
        if crossings < fewest:
            best, fewest = [list(column) for column in current], crossings
    return best


def _number(column: list[int], rank: list[float]) -> None:
    for place, item in enumerate(column):
        rank[item] = place


def _by_medians(column: list[int], links: Links, rank: list[float]) -> None:
    """Sort a column by the middle of the items that its own are joined with; items without any keep their places."""
    free = [item for item in column if links[item]]
    medians = {item: median(rank[u] for u in links[item]) for item in free}
    ordered = iter(sorted(free, key=lambda item: (medians[item], rank[item])))
    column[:] = [next(ordered) if links[item] else item for item in column]
    _number(column, rank)


def _exchanged(columns: list[list[int]], before: Links, after: Links, rank: list[float]) -> bool:
    """Exchange neighbours in columns where that makes fewer crossings; whether any were exchanged."""
    any_exchanged = False
    for column in columns:
        for place in range(len(column) - 1):
            one, other = column[place], column[place + 1]
            gain = sum(
                _between(links[one], links[other], rank) - _between(links[other], links[one], rank)
                for links in (before, after)
            )
            if gain > 0:
                column[place], column[place + 1] = other, one
                rank[one], rank[other] = place + 1, place
                any_exchanged = True
    return any_exchanged


def _between(upper: list[int], lower: list[int], rank: list[float]) -> int:
    """The crossings of steps of an item with those of an item below it."""
    return sum(rank[u] > rank[v] for u in upper for v in lower)


def _crossings(columns: list[list[int]], after: Links, rank: list[float]) -> int:
    """All crossings of steps."""
    total = 0
    for column, _ in pairwise(columns):
        ends = np.array([rank[v] for item in column for v in sorted(after[item], key=rank.__getitem__)])
        total += int(np.count_nonzero(np.triu(ends[:, None] > ends, 1)))
    return total
