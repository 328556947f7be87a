"""Denied dependences: pairs that a graph says are independent given nothing, while the data show a dependence.

A graph says so where every path between the two has a collider (`graphs/_open_walks_cy`). In a PAG of some class this
is the separation given nothing in each of its members; where a graph is the PAG of none, an open triple counts as
passable, so that a graph denies only what it denies for certain.

The pairs are handled in blocks: of 20,000 variables there are 200 million. Where there are so many, the search knows
which of them it found dependent given nothing; all others are independent, and only counted.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ancestral.checking.check import CHANCE, MOST_DENIED
from ancestral.graphs._open_walks_cy import open_walk_bits
from ancestral.independence.evidence import Scale
from ancestral.search.marginals import BLOCK, Marginals, blocks_of_pairs

__all__ = ["Denials", "denials"]

Positions = NDArray[np.intc]


class Denials(NamedTuple):
    """The counts of a `Check`, and its worst pairs: rows `x, y` by position in `pairs`, and their p-values."""

    dependences: int
    independences: int
    implied: int
    denied: int
    beyond_chance: int | None
    claimed: int
    pairs: Positions
    p_values: NDArray[np.float64]


def denials(marks: NDArray[np.uint8], marginal: Marginals, alpha: float, pairs: Positions | None = None) -> Denials:
    """Compare what a graph says about pairs given nothing with the evidence of the data at this level.

    `pairs`: all others, rows x, y, are known to be independent; None if nothing is known.
    """
    n = len(marks)
    bits = open_walk_bits(marks)
    implied = (n * n - int(np.bitwise_count(bits).sum())) // 2
    bound = CHANCE / max(implied, 1)
    dependences = independences = denied = beyond = claimed = 0
    if pairs is not None:
        every = n * (n - 1) // 2
        independences, claimed = every - len(pairs), every - implied - int(np.count_nonzero(_is_open(bits, *pairs.T)))
    worst = _Worst()
    for x, y in blocks_of_pairs(np.arange(n)) if pairs is None else _blocks(pairs):
        p_value, statistic, dependent, independent = _answers(marginal, x, y, alpha)
        is_open = _is_open(bits, x, y)
        dependences += int(np.count_nonzero(dependent))
        independences += int(np.count_nonzero(independent))
        claimed += int(np.count_nonzero(independent & is_open))
        rows = np.flatnonzero(dependent & ~is_open)
        if rows.size:
            denied += len(rows)
            beyond += int(np.count_nonzero(p_value[rows] < bound))
            worst.add(np.column_stack([x[rows], y[rows]]), p_value[rows], statistic[rows])
    decides = marginal.scale is Scale.DECISION
    return Denials(
        dependences, independences, implied, denied, None if decides else beyond, claimed, worst.pairs, worst.p_values
    )


def _is_open(bits: NDArray[np.uint64], x: Positions, y: Positions) -> NDArray[np.bool_]:
    """Whether the graph has an open walk between each of these pairs."""
    return np.asarray((bits[x, y >> 6] >> (y & 63).astype(np.uint64) & np.uint64(1)).astype(bool))


def _blocks(pairs: Positions) -> Iterator[tuple[Positions, Positions]]:
    """These pairs, some at a time."""
    for first in range(0, len(pairs), BLOCK):
        x, y = pairs[first : first + BLOCK].T
        yield x, y


def _answers(
    marginal: Marginals, x: Positions, y: Positions, alpha: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
    """p-values and statistics of pairs, and whether they are dependent, and independent; neither where unsupported."""
    evidences = marginal.at(x, y)
    if marginal.scale is Scale.DECISION:
        decided = marginal.numbers(x, y)[0]
        return evidences.p_value, evidences.statistic, decided == 0, decided == 1
    with np.errstate(invalid="ignore"):
        return evidences.p_value, evidences.statistic, evidences.p_value < alpha, evidences.p_value >= alpha


class _Worst:
    """The pairs with the smallest p-values so far; of equal ones, which may all be 0, the larger statistic first."""

    def __init__(self) -> None:
        self.pairs = np.zeros((0, 2), dtype=np.intc)
        self.p_values = np.zeros(0)
        self._statistics = np.zeros(0)

    def add(self, pairs: Positions, p_values: NDArray[np.float64], statistics: NDArray[np.float64]) -> None:
        """Take further pairs into account."""
        pairs = np.concatenate([self.pairs, pairs])
        p_values = np.concatenate([self.p_values, p_values])
        statistics = np.concatenate([self._statistics, statistics])
        order = np.lexsort((-statistics, p_values))[:MOST_DENIED]
        self.pairs, self.p_values, self._statistics = pairs[order], p_values[order], statistics[order]
