"""Moments by key: of columns of numbers, and of an indicator for each level of a discrete column.

An indicator is 1 in the rows that have its level and 0 in the others, so one of a level that has not occurred yet is 0
everywhere: the moments of parts in which different levels occur add up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import Floats
from ancestral.data.errors import DataError, leave_out
from ancestral.data.stats.comoments import added, correlation_of

__all__ = ["Key", "KeyedMoments", "check_levels"]

#: Indicators that are summed up at most: their co-moments are a square matrix, of 32 MB for this many.
MOST_INDICATORS = 2_000


class Key(NamedTuple):
    """What one of the columns of moments stands for: the number in a column, or the indicator of one of its levels."""

    name: str
    level: str | None = None


@dataclass(frozen=True, eq=False)
class KeyedMoments:
    """The number of rows, and the means and co-moments of columns that are named by keys."""

    keys: tuple[Key, ...]
    rows: int
    mean: Floats
    comoments: Floats

    @classmethod
    def of_weighted(cls, columns: Mapping[Key, Floats], weights: NDArray[np.int64]) -> "KeyedMoments":
        """The moments of rows of which row i counts weights[i] times."""
        matrix = np.stack(list(columns.values()))
        total = int(weights.sum())
        mean = matrix @ weights / total
        matrix -= mean[:, None]
        rest = matrix @ weights / total
        matrix -= rest[:, None]
        return cls(tuple(columns), total, mean + rest, (matrix * weights) @ matrix.T)

    def select(self, keys: Sequence[Key]) -> "KeyedMoments":
        """The moments of these columns, in this order."""
        if tuple(keys) == self.keys:
            return self
        position = {key: i for i, key in enumerate(self.keys)}
        where = [position[key] for key in keys]
        return KeyedMoments(tuple(keys), self.rows, self.mean[where], self.comoments[np.ix_(where, where)])

    @property
    def correlation(self) -> Floats:
        """The correlation matrix; raises DataError if a column does not vary."""
        return correlation_of([key.name for key in self.keys], self.comoments)

    def __add__(self, other: object) -> "KeyedMoments":
        if not isinstance(other, KeyedMoments):
            return NotImplemented
        keys = tuple(dict.fromkeys((*self.keys, *other.keys)))
        one, two = self._padded(keys), other._padded(keys)
        mean, comoments = added(one.rows, one.mean, one.comoments, two.rows, two.mean, two.comoments)
        return KeyedMoments(keys, one.rows + two.rows, mean, comoments)

    def _padded(self, keys: tuple[Key, ...]) -> "KeyedMoments":
        """The moments of these columns, of which those that are not known here were 0 in every row."""
        if self.keys == keys:
            return self
        position = {key: i for i, key in enumerate(keys)}
        where = [position[key] for key in self.keys]
        mean, comoments = np.zeros(len(keys)), np.zeros((len(keys), len(keys)))
        mean[where] = self.mean
        comoments[np.ix_(where, where)] = self.comoments
        return KeyedMoments(keys, self.rows, mean, comoments)


def check_levels(levels: Mapping[str, int]) -> None:
    """Raise DataError if discrete columns, given the number of levels of each, have too many indicators."""
    if sum(levels.values()) > MOST_INDICATORS:
        worst = max(levels, key=lambda name: levels[name])
        raise DataError(
            f"the discrete columns have more than {MOST_INDICATORS} levels together, {worst!r} alone {levels[worst]}, "
            "too many to sum up beside continuous ones; ",
            *leave_out(worst),
        )
