"""Which column of a picture each node stands in.

Edges with a direction lead from left to right where that costs little, neighbours stand in columns next to each other,
and columns are about equally full. The start is a line on which neighbours are close and effects lie after causes
(least squares; Carmel, Harel and Koren, 2004); then single nodes move to other columns as long as that is cheaper.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import ARROW, NONE

__all__ = ["along_a_line", "column_counts", "columns_of", "depth"]

#: How strongly the line follows the given places, compared with one edge.
ANCHOR = 0.15
#: Rounds in which nodes move to cheaper columns.
ROUNDS = 12
#: What it costs that an edge stays within a column, without and with a direction, and that it leads backwards; a column
#: that is passed costs 1.
WITHIN, DIRECTED_WITHIN, BACKWARDS = 1.8, 2.4, 2.0
#: What each node costs that is too much for its column, times itself.
OVERFULL = 0.3

Marks = NDArray[np.uint8]


def along_a_line(marks: Marks, places: NDArray[np.float64]) -> NDArray[np.float64]:
    """A number for each node: effects after causes, neighbours close, and all near their `places`, or the mirror image.

    One step is the distance between neighbours.
    """
    from scipy.sparse import coo_array, eye_array
    from scipy.sparse.linalg import spsolve

    directed = (marks == ARROW) & (marks.T != ARROW)
    a, b = np.nonzero(directed | (np.triu(marks != NONE) & ~directed & ~directed.T))
    wanted = directed[a, b].astype(float)
    count, rows = len(marks), np.arange(len(a))
    incidence = coo_array(
        (np.concatenate([-np.ones(len(a)), np.ones(len(a))]), (np.tile(rows, 2), np.concatenate([a, b]))),
        shape=(len(a), count),
    ).tocsr()
    pull = incidence.T @ wanted
    mirrored = places if pull @ places >= 0 else -places
    system = (incidence.T @ incidence + ANCHOR * eye_array(count)).tocsc()
    return np.atleast_1d(spsolve(system, pull + ANCHOR * mirrored))


def depth(marks: Marks) -> int:
    """The number of nodes on a longest path along edges with a direction; at most the number of nodes."""
    directed = (marks == ARROW) & (marks.T != ARROW)
    reached = np.zeros(len(marks), dtype=int)
    for _ in range(len(marks)):
        further = np.where(directed, reached[:, None] + 1, 0).max(axis=0, initial=0)
        if (further <= reached).all():
            break
        reached = np.maximum(reached, further)
    return int(min(reached.max(initial=0) + 1, len(marks)))


def column_counts(tiers: NDArray[np.intp], count: int) -> list[tuple[int, int]]:
    """The first column of each tier and the one after its last, if all tiers together have `count` columns or more."""
    sizes = np.bincount(tiers)
    widths = np.maximum(1, np.round(count * sizes / sizes.sum())).astype(int)
    ends = np.cumsum(widths).tolist()
    return list(zip([0, *ends[:-1]], ends, strict=True))


def columns_of(marks: Marks, line: NDArray[np.float64], tiers: NDArray[np.intp], count: int) -> NDArray[np.intp]:
    """The column of each node, from 0 on without gaps: about `count` columns, a tier left of the next."""
    ranges = column_counts(tiers, count)
    columns = np.zeros(len(marks), dtype=np.intp)
    for tier, (low, high) in enumerate(ranges):
        members = np.flatnonzero(tiers == tier)
        order = members[np.argsort(line[members], kind="stable")]
        columns[order] = low + ((np.arange(len(order)) + 0.5) * (high - low) / max(len(order), 1)).astype(int)
    directed = (marks == ARROW) & (marks.T != ARROW)
    around = [
        [(u, int(directed[v, u]) - int(directed[u, v])) for u in np.flatnonzero(marks[v] != NONE).tolist()]
        for v in range(len(marks))
    ]
    _improve(columns, around, [ranges[tier] for tier in tiers.tolist()])
    found: NDArray[np.intp] = np.unique(columns, return_inverse=True)[1].astype(np.intp)
    return found


def _improve(
    columns: NDArray[np.intp], around: Sequence[Sequence[tuple[int, int]]], ranges: Sequence[tuple[int, int]]
) -> None:
    """Move single nodes to cheaper columns, until nothing is cheaper."""
    where: list[int] = columns.tolist()
    total = max(high for _, high in ranges)
    loads = np.bincount(columns, minlength=total).tolist()
    most = -(-len(where) // total) + 1
    for _ in range(ROUNDS):
        moved = False
        for v, neighbours in enumerate(around):
            here = where[v]
            costs = {}
            for column in range(*ranges[v]):
                over = max(0, loads[column] + (column != here) - most)
                costs[column] = OVERFULL * over**2 + sum(_cost(where[u] - column, way) for u, way in neighbours)
            best = min(costs, key=lambda column: (costs[column], abs(column - here)))
            if costs[best] < costs[here] - 1e-9:
                loads[here] -= 1
                loads[best] += 1
                where[v], moved = best, True
        if not moved:
            break
    columns[:] = where


def _cost(steps: int, way: int) -> float:
    """What an edge costs that leads so many columns to the right; `way` is 1 if it should, -1 if it should not."""
    if not steps:
        return DIRECTED_WITHIN if way else WITHIN
    return abs(steps) - 1 + (BACKWARDS if way * steps < 0 else 0.0)
