"""Whole runs: what tells identifiers from measurements in columns of whole numbers, in a form that adds up.

Whether numbers rise from row to row is known of the whole if it is known of the parts, with their first and last
number. Whether they take each number of their range once is told by a sum of hashes, which then is that of the range.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import Floats
from ancestral.data.row_hash import MODULUS, mixed_bits

__all__ = ["WholeRun", "whole_numbers"]

#: Whole numbers up to this size are exact as floating-point numbers.
LARGEST = 2.0**53
#: Numbers that are hashed together.
HASHED = 1 << 16


def whole_numbers(values: Floats) -> NDArray[np.int64] | None:
    """The values as whole numbers; None if one has a fraction, is missing or is too large to be exact."""
    for part in (values[:64], values):  # the first rows of most columns show that they are not
        if not (part == np.floor(part)).all() or not (np.abs(part) <= LARGEST).all():
            return None
    return values.astype(np.int64) if values.size else None


@dataclass(frozen=True)
class WholeRun:
    """Whole numbers in the order of rows: how many, their range, whether they rise or fall, and a sum of hashes."""

    count: int
    low: int
    high: int
    first: int
    last: int
    rising: bool
    falling: bool
    hashed: int

    @classmethod
    def of(cls, values: Floats) -> "WholeRun | None":
        """The run of some values; None if they are not whole numbers."""
        if (numbers := whole_numbers(values)) is None:
            return None
        low, high = int(numbers.min()), int(numbers.max())
        rising, falling = (_is_steady(values, above) for above in (True, False))
        # with a tie in a part, not each number of the range occurs once, so that any other sum will do
        hashed = 0 if high - low + 1 < numbers.size else _hash_of(numbers)
        return cls(numbers.size, low, high, int(numbers[0]), int(numbers[-1]), rising, falling, hashed)

    @classmethod
    def of_levels(cls, values: Floats, low: float, high: float) -> "WholeRun | None":
        """The run of values of this range that are known to be whole numbers, few of them different."""
        if high - low + 1 >= values.size or max(-low, high) > LARGEST:
            return cls.of(values)
        first, last = int(values[0]), int(values[-1])
        rising, falling = (_is_steady(values, above) for above in (True, False))
        return cls(values.size, int(low), int(high), first, last, rising, falling, 0)

    def __add__(self, other: object) -> "WholeRun":
        if not isinstance(other, WholeRun):
            return NotImplemented
        return WholeRun(
            self.count + other.count,
            min(self.low, other.low),
            max(self.high, other.high),
            self.first,
            other.last,
            self.rising and other.rising and self.last < other.first,
            self.falling and other.falling and self.last > other.first,
            (self.hashed + other.hashed) % MODULUS,
        )

    @property
    def takes_each_once(self) -> bool:
        """Whether each number of the range occurs once, in any order."""
        if self.high - self.low + 1 != self.count:
            return False
        starts = range(self.low, self.high + 1, HASHED)
        parts = (np.arange(start, min(start + HASHED, self.high + 1), dtype=np.int64) for start in starts)
        return sum(map(_hash_of, parts)) % MODULUS == self.hashed


def _is_steady(values: Floats, rising: bool) -> bool:
    """Whether each value is above, or below, the one before; the first rows of most columns show that they are not."""
    compare = np.greater if rising else np.less
    return all(bool(compare(part[1:], part[:-1]).all()) for part in (values[:64], values))


def _hash_of(numbers: NDArray[np.int64]) -> int:
    # zero is a fixed point of the mixing, so that a shift keeps it from counting for nothing
    return int(mixed_bits(numbers.view(np.uint64) + np.uint64(0x9E3779B97F4A7C15)).sum(dtype=np.uint64))
