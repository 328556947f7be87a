"""Packing: the codes of a row side by side in a few words of 64 bits, each in as many bits as its levels need."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.data.stats._tally_cy import pack

__all__ = ["Packing", "Words"]

#: Rows whose codes are packed together: so few that their words stay in the cache of a core.
PACKED_ROWS = 1 << 14

#: Rows of packed codes: row i of column w is word w of row i.
Words = NDArray[np.uint64]


@dataclass(frozen=True)
class Packing:
    """Where the code of each column is; column v has `sizes[v]` levels and codes 0 … sizes[v] − 1.

    >>> packing = Packing((2, 10, 3))
    >>> packing.places
    ((0, 0), (0, 1), (0, 5))
    >>> packing.unpacked(packing.packed([np.array([1, 0]), np.array([9, 4]), np.array([2, 1])]), 1)
    array([9, 4])
    """

    sizes: tuple[int, ...]

    @cached_property
    def bits(self) -> tuple[int, ...]:
        """The number of bits of each column."""
        return tuple(max(1, (size - 1).bit_length()) for size in self.sizes)

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The word of each column, and how far its code is shifted in it; no code crosses the end of a word."""
        out, word, used = [], 0, 0
        for bits in self.bits:
            if used + bits > 64:
                word, used = word + 1, 0
            out.append((word, used))
            used += bits
        return tuple(out)

    @property
    def width(self) -> int:
        """The number of words of a row."""
        return self.places[-1][0] + 1

    def packed(self, codes: Sequence[NDArray[np.integer]]) -> Words:
        """The words of these codes, which are given as an array for each column."""
        out = np.zeros((len(codes[0]), self.width), dtype=np.uint64)
        for start in range(0, len(out), PACKED_ROWS):
            rows = slice(start, start + PACKED_ROWS)
            for values, (word, shift) in zip(codes, self.places, strict=True):
                pack(np.ascontiguousarray(values[rows], dtype=np.intc), out[rows], word, shift)
        return out

    def unpacked(self, words: Words, column: int) -> NDArray[np.intp]:
        """The codes of a column."""
        word, shift = self.places[column]
        mask = np.uint64((1 << self.bits[column]) - 1)
        return ((words[:, word] >> np.uint64(shift)) & mask).astype(np.intp)
