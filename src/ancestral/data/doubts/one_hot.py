"""One-hot groups: columns of 0 and 1 of which exactly one is 1 in every row, which are one variable in disguise.

Columns form such a group if no two of them are 1 in the same row, and their numbers of ones add up to the number of
rows; so pairs are all that has to be counted. Two columns of this kind are copies of each other, and an audit refuses
them; a group has three columns or more.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ancestral.data.doubts.doubt import Doubt
from ancestral.data.doubts.seen_rows import SeenRows
from ancestral.data.stats.counts import Counts
from ancestral.data.stats.keyed_moments import Key, KeyedMoments
from ancestral.data.stats.summary import Summary
from ancestral.printing import listed

__all__ = ["one_hot", "one_hot_in_summary"]

#: The levels of columns that tell whether something is so.
BINARY = (("0", "1"), ("False", "True"))
#: Steps after which the search for a group ends; groups that are there are found in about as many as they have columns.
MOST_STEPS = 20_000
#: Rows from which pairs of columns that are not exclusive are known; few pairs need more.
FIRST_ROWS = 2048

Truths = NDArray[np.bool_]


def one_hot(seen: SeenRows) -> list[Doubt]:
    """The doubts about groups in a table."""
    binary = [column for column in seen.table.columns if column.levels in BINARY and not column.has_missing]
    if len(binary) < 3:
        return []
    ones = [np.asarray(column.values) == 1 for column in binary]
    counts = np.array([np.count_nonzero(one) for one in ones])
    head = np.stack([one[:FIRST_ROWS] for one in ones]).astype(np.float32)
    exclusive = head @ head.T == 0
    packed: dict[int, NDArray[np.uint8]] = {}
    for i, j in np.argwhere(np.triu(exclusive, 1)).tolist():
        for k in (i, j):
            if k not in packed:
                packed[k] = np.packbits(ones[k])
        exclusive[i, j] = exclusive[j, i] = not (packed[i] & packed[j]).any()
    return _doubts([column.name for column in binary], counts, exclusive, seen.rows)


def one_hot_in_summary(summary: Summary) -> list[Doubt]:
    """The same for rows that were summed up."""
    names = [
        column.name
        for column in summary.columns
        if column.kind == "discrete" and summary.rows and summary.levels(column.name) in BINARY
    ]
    if len(names) < 3:
        return []
    together = _together(summary, names)
    return _doubts(names, np.diag(together).copy(), together == 0, summary.rows)


def _together(summary: Summary, names: Sequence[str]) -> NDArray[np.int64]:
    """The number of rows in which both of two columns are 1."""
    statistic = summary.statistic
    if isinstance(statistic, Counts):
        where = [statistic.names.index(name) for name in names]
        total = np.zeros((len(names), len(names)))
        for words, weights in statistic.portions():
            ones = np.stack([statistic.packing.unpacked(words, v) for v in where]).astype(np.float64)
            total += (ones * weights) @ ones.T
        return np.rint(total).astype(np.int64)
    assert isinstance(statistic, KeyedMoments)
    chosen = statistic.select([Key(name, summary.levels(name)[1]) for name in names])
    return np.rint(chosen.comoments + summary.rows * np.outer(chosen.mean, chosen.mean)).astype(np.int64)


def _doubts(names: Sequence[str], counts: NDArray[np.int64], exclusive: Truths, rows: int) -> list[Doubt]:
    return [_doubt([names[i] for i in sorted(group)]) for group in _groups(counts, exclusive, rows)]


def _groups(counts: NDArray[np.int64], exclusive: Truths, rows: int) -> Iterator[list[int]]:
    """Groups of columns that are exclusive in pairs and whose counts add up to the number of rows, none in two."""
    exclusive = exclusive.copy()
    np.fill_diagonal(exclusive, False)
    free = exclusive.sum(axis=1) >= 2
    while (group := _group(counts, exclusive & free & free[:, None], rows)) is not None:
        if len(group) > 2:
            yield group
        free[group] = False


def _group(counts: NDArray[np.int64], exclusive: Truths, rows: int) -> list[int] | None:
    """The first group that a search finds which adds the largest columns first; None if it finds none."""
    order = np.argsort(-counts, kind="stable")
    # the columns that were chosen, those that are exclusive with all of them, and the number of rows that have one
    waiting: list[tuple[list[int], NDArray[np.intp], int]] = [([], order[exclusive[order].any(axis=1)], 0)]
    for _ in range(MOST_STEPS):
        if not waiting:
            return None
        chosen, candidates, ones = waiting.pop()
        if ones == rows:
            return chosen
        if not candidates.size or ones + int(counts[candidates].sum()) < rows:
            continue
        first, rest = int(candidates[0]), candidates[1:]
        waiting.append((chosen, rest, ones))
        waiting.append(([*chosen, first], rest[exclusive[first, rest]], ones + int(counts[first])))
    return None


def _doubt(names: Sequence[str]) -> Doubt:
    return Doubt(
        "one-hot",
        names,
        f"in every row exactly one of the columns {listed(names, 12)} is 1, like one variable with {len(names)} "
        "levels; merge them into one column that holds the name of the one that is 1 (leaving one of them out does not "
        "help: that one of the others is 1 still says that the rest are 0)",
    )
