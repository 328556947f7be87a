"""Counts over many graphs with the same nodes: for each pair, how many have an edge, and with which marks.

Only pairs that have an edge in some graph are kept, since most pairs never have one. For these the two ends are counted
together, so that the frequency of an edge, of a mark at one end and of a kind of edge are all sums of the same counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import ARROW, CIRCLE, TAIL

__all__ = ["MARKS", "Frequencies"]

#: The marks in the order in which they are counted.
MARKS = (CIRCLE, ARROW, TAIL)


@dataclass(frozen=True, eq=False)
class Frequencies:
    """Counts over `repeats` graphs of n nodes, which are numbered by position.

    `pairs` has sorted rows `x, y` with x < y; `counts[k, i, j]` is the number of graphs in which pair k has an edge,
    with mark i + 1 at x and mark j + 1 at y.

    >>> edge = np.array([[0, 1]]), np.array([[1, 2]], dtype=np.uint8)  # 0 o-> 1
    >>> found = Frequencies.of(3, [edge, edge, (np.zeros((0, 2), int), np.zeros((0, 2), np.uint8))])
    >>> found.pairs.tolist(), found.edges.tolist(), found.repeats
    ([[0, 1]], [2], 3)
    >>> found.at(1).tolist()  # circles, arrowheads and tails at 1
    [[0, 2, 0]]
    """

    n: int
    repeats: int
    pairs: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        n: int,
        graphs: Sequence[tuple[NDArray[np.integer], NDArray[np.uint8]]],
        times: Sequence[int] | None = None,
    ) -> "Frequencies":
        """Count graphs that are given as lists of edges: rows `x, y` with x < y, and rows `mark at x, mark at y`.

        Each graph counts once, or as often as `times` says.
        """
        ends = np.concatenate([np.zeros((0, 2), np.int64), *(pairs for pairs, _ in graphs)])
        marks = np.concatenate([np.zeros((0, 2), np.int64), *(marks for _, marks in graphs)])
        numbers, pair = np.unique(ends[:, 0] * n + ends[:, 1], return_inverse=True)
        edge_type = (marks[:, 0] - 1) * 3 + marks[:, 1] - 1
        weight = np.ones(len(graphs), np.int64) if times is None else np.asarray(times, dtype=np.int64)
        weights = np.repeat(weight, [len(pairs) for pairs, _ in graphs])  # below 2**53, so that doubles are exact
        counts = np.bincount(pair * 9 + edge_type, weights, minlength=9 * len(numbers)).astype(np.int64)
        return cls(n, int(weight.sum()), np.column_stack(np.divmod(numbers, n)), counts.reshape(-1, 3, 3))

    @cached_property
    def edges(self) -> NDArray[np.int64]:
        """The number of graphs with an edge, for each pair."""
        return np.asarray(self.counts.sum(axis=(1, 2)))

    def at(self, end: int) -> NDArray[np.int64]:
        """The numbers of circles, arrowheads and tails at one end (0 for x, 1 for y), a row for each pair."""
        return np.asarray(self.counts.sum(axis=2 - end))

    def of_pair(self, x: int, y: int) -> NDArray[np.int64]:
        """The counts of one pair, by the mark at x and the mark at y; x and y are in any order."""
        number = min(x, y) * self.n + max(x, y)
        numbers = self.pairs[:, 0] * self.n + self.pairs[:, 1]
        k = int(np.searchsorted(numbers, number))
        if k == len(numbers) or numbers[k] != number:
            return np.zeros((3, 3), dtype=np.int64)
        return self.counts[k] if x < y else self.counts[k].T
