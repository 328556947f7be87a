"""The evidence of every pair of variables given nothing: one number per pair, turned into a p-value when needed.

There are n(n - 1)/2 pairs, so for 20,000 variables a column of doubles takes 1.6 GB. If the questions of a search can
look the numbers up, nothing is kept. If they would have to ask again, a column of numbers is kept, and for chi-squared
statistics one of degrees of freedom. Of a run that was read from a file, the columns of the file are kept; where there
are very many pairs (`MOST_PAIRS`), these have the pairs that were dependent given nothing.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral.independence.base import Test
from ancestral.independence.evidence import Evidences, Scale, p_values_on_scale

__all__ = ["BLOCK", "MOST_PAIRS", "Marginals", "blocks_of_pairs", "pair_number"]

Positions = NDArray[np.integer]
Numbers = NDArray[np.float64]
Df = NDArray[np.int32]

#: Pairs up to which a file has the evidence of all, 58 MB, and a check looks at all; of more, only at those that were
#: not separated by nothing.
MOST_PAIRS = 5_000_000

#: Number of pairs that are handled at a time: a few megabytes.
BLOCK = 1 << 17


def pair_number(n: int, x: Positions, y: Positions) -> NDArray[np.int64]:
    """The indices of the pairs x, y, in either order, in the order of `numpy.triu_indices(n, 1)`.

    >>> pair_number(4, np.array([0, 3, 1, 2]), np.array([1, 0, 2, 3])).tolist()
    [0, 2, 3, 5]
    """
    low, high = np.minimum(x, y).astype(np.int64), np.maximum(x, y)
    return low * (2 * n - low - 1) // 2 + (high - low - 1)


def blocks_of_pairs(order: Positions) -> Iterator[tuple[NDArray[np.intc], NDArray[np.intc]]]:
    """All pairs of these positions, each with the earlier one first, in the order of `numpy.triu_indices`, in blocks.

    >>> [(x.tolist(), y.tolist()) for x, y in blocks_of_pairs(np.array([5, 7, 6]))]
    [([5, 5, 7], [7, 6, 6])]
    """
    order = np.asarray(order, dtype=np.intc)
    n, first = len(order), 0
    while first < n - 1:
        stop = min(first + max(1, BLOCK // (n - 1 - first)), n - 1)
        rows = range(first, stop)
        x = np.repeat(order[first:stop], [n - 1 - row for row in rows])
        yield x.astype(np.intc), np.concatenate([order[row + 1 :] for row in rows]).astype(np.intc)
        first = stop


class Marginals:
    """The evidence of pairs given nothing.

    `look_up` returns, for pairs, the numbers on the scale and the degrees of freedom, 0 where there are none.
    `of_all`: it has the numbers of all pairs about which anything was asked.
    """

    def __init__(
        self, scale: Scale, look_up: Callable[[Positions, Positions], tuple[Numbers, Df]], of_all: bool = True
    ) -> None:
        self.scale = scale
        self.of_all = of_all
        self._look_up = look_up

    @classmethod
    def nothing(cls, scale: Scale) -> "Marginals":
        """The evidence if nothing was asked: no number for any pair."""
        return cls(scale, lambda x, y: (np.full(len(x), np.nan), np.zeros(len(x), np.int32)))

    @classmethod
    def asked(cls, test: Test, questions: Any) -> "Marginals":
        """The evidence that the questions of a test give."""
        return cls(test.scale, _Asked(test, questions).look_up)

    @classmethod
    def listed(cls, scale: Scale, places: Positions, numbers: Numbers, df: Df | None) -> "Marginals":
        """The evidence in columns, in the order of `numpy.triu_indices` over `places[position]`."""

        def look_up(x: Positions, y: Positions) -> tuple[Numbers, Df]:
            at = pair_number(len(places), places[x], places[y])
            return numbers[at], np.zeros(len(at), np.int32) if df is None else df[at]

        return cls(scale, look_up)

    @classmethod
    def of_some(cls, scale: Scale, n: int, pairs: Positions, numbers: Numbers, df: Df | None) -> "Marginals":
        """The evidence of these pairs of n positions; that of all others is not known."""
        known = pair_number(n, *pairs.T)
        order = np.argsort(known)
        known = known[order]

        def look_up(x: Positions, y: Positions) -> tuple[Numbers, Df]:
            out, degrees = np.full(len(x), np.nan), np.zeros(len(x), np.int32)
            wanted = pair_number(n, x, y)
            rows = np.searchsorted(known, wanted)
            there = np.flatnonzero(known[np.minimum(rows, len(known) - 1)] == wanted) if len(known) else rows[:0]
            out[there] = numbers[order[rows[there]]]
            if df is not None:
                degrees[there] = df[order[rows[there]]]
            return out, degrees

        return cls(scale, look_up, of_all=False)

    def numbers(self, x: Positions, y: Positions) -> tuple[Numbers, Df]:
        """For each of these pairs the number on the scale, NaN where there is none, and the degrees of freedom."""
        return self._look_up(x, y)

    def at(self, x: Positions, y: Positions) -> Evidences:
        """The evidence of these pairs."""
        return p_values_on_scale(self.scale, *self._look_up(x, y))

    def column(self, n: int) -> Numbers:
        """The numbers of all pairs of n positions, in the order of `numpy.triu_indices`."""
        parts = [self.numbers(x, y)[0] for x, y in blocks_of_pairs(np.arange(n))]
        return np.concatenate(parts or [np.zeros(0)])


class _Asked:
    """The numbers that questions give. Where questions cannot look them up, they are asked once and kept."""

    def __init__(self, test: Test, questions: Any) -> None:
        self._test = test
        self._questions = questions

    def look_up(self, x: Positions, y: Positions) -> tuple[Numbers, Df]:
        if self._questions.knows_marginals():
            return self._ask(x, y)
        at = pair_number(self._questions.n, x, y)
        numbers, df = self._columns
        return numbers[at], df[at]

    def _ask(self, x: Positions, y: Positions) -> tuple[Numbers, Df]:
        raw = self._questions.marginals_of(np.column_stack([np.minimum(x, y), np.maximum(x, y)]).astype(np.intc))
        evidences = self._test.p_values(raw, np.zeros(len(raw), dtype=np.int64))
        decides = self._test.scale is Scale.DECISION  # there are neither statistics nor p-values to show
        return raw[:, 0] if decides else evidences.numbers(self._test.scale), evidences.df.astype(np.int32)

    @cached_property
    def _columns(self) -> tuple[Numbers, Df]:
        n = self._questions.n
        numbers = np.empty(n * (n - 1) // 2)
        df = np.zeros(len(numbers) if self._test.scale is Scale.CHI2 else 1, np.int32)
        if self._test.scale is not Scale.CHI2:
            df = np.broadcast_to(df, numbers.shape)
        first = 0
        for x, y in blocks_of_pairs(np.arange(n)):
            stop = first + len(x)
            numbers[first:stop], some = self._ask(x, y)
            if self._test.scale is Scale.CHI2:
                df[first:stop] = some
            first = stop
        return numbers, df
