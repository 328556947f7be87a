"""Bitsets of positions: bit i of the set is bit `i & 63` of its word `i >> 6`."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

__all__ = ["all_bits", "bits_of", "has_bit", "union_of"]

Bits = NDArray[np.uint64]


def bits_of(positions: Iterable[int], words: int) -> Bits:
    """The set of these positions."""
    out = np.zeros(words, dtype=np.uint64)
    for i in positions:
        out[i >> 6] |= np.uint64(1 << int(i & 63))
    return out


def all_bits(words: int) -> Bits:
    """The set of all positions."""
    return np.full(words, ~np.uint64(0), dtype=np.uint64)


def has_bit(bits: Bits, i: int) -> bool:
    """Whether position i is in the set."""
    return bool(int(bits[i >> 6]) >> int(i & 63) & 1)


def union_of(positions: Iterable[int], rows: Bits) -> Bits:
    """The union of the sets in these rows; the empty set if there are none."""
    chosen = rows[list(positions)]
    return np.bitwise_or.reduce(chosen, axis=0) if len(chosen) else np.zeros(rows.shape[1], dtype=np.uint64)
