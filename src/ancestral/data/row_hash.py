"""Row hash: a number that identifies the rows of a table, whatever their order and however they were divided.

A value becomes 64 bits: a number its own bits, a label the beginning of its SHA-256. A label that is a number written
out ("3", not "3.0") has the bits of that number, so a column hashes alike whether it was read as numbers or as labels.
The two halves of the bits are mixed and multiplied by an odd number that belongs to the name of the column; the
products of a row are added and mixed, and these are added over the rows, all modulo 2^64. Sums do not depend on the
order of rows and columns, and the hashes of parts add up to that of the whole. A row that occurs twice counts twice.

The hash is meant to notice that data were exchanged, not to withstand an attacker.
"""

import hashlib
from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ancestral.data.column_kinds import Floats, Labels, is_number, label_of

__all__ = ["MODULUS", "mixed_bits", "row_hash", "text_bits"]

#: Hashes are whole numbers below this.
MODULUS = 1 << 64

#: Rows that are hashed together: few enough that their sums and products stay in the cache of a core.
HASHED_ROWS = 8192

#: How far the upper half of 64 bits is shifted to meet the lower half.
HALF = np.uint64(32)

Bits = NDArray[np.uint64]


def row_hash(columns: Mapping[str, Floats | Labels], weights: NDArray[np.int64] | None = None) -> int:
    """The hash of rows that are given by columns; NaN and the code -1 are missing values.

    With `weights`, row i stands for weights[i] equal rows.
    """
    keys = {name: np.uint64(text_bits("column", name) | 1) for name in columns}
    labels = {name: _label_bits(column.levels) for name, column in columns.items() if isinstance(column, Labels)}
    missing = np.uint64(text_bits("value", "missing"))
    first_column = next(iter(columns.values()))
    rows = len(first_column.codes if isinstance(first_column, Labels) else first_column)
    bits, shifted = np.empty(HASHED_ROWS, dtype=np.uint64), np.empty(HASHED_ROWS, dtype=np.uint64)
    total = 0
    for first in range(0, rows, HASHED_ROWS):
        part = slice(first, first + HASHED_ROWS)
        count = min(HASHED_ROWS, rows - first)
        here, upper = bits[:count], shifted[:count]
        sums = np.zeros(count, dtype=np.uint64)
        for name, column in columns.items():
            if isinstance(column, Labels):
                np.take(labels[name], column.codes[part], out=here, mode="wrap")  # -1 takes the last
            else:
                numbers = here.view(np.float64)
                np.add(column[part], 0.0, out=numbers)  # 0 and -0 are one number
                if np.isnan(numbers.max()):  # NaN is the largest if there is any
                    here[np.isnan(numbers)] = missing
            np.right_shift(here, HALF, out=upper)
            here ^= upper
            here *= keys[name]
            sums += here
        rows_mixed = mixed_bits(sums)
        if weights is not None:
            rows_mixed *= weights[part].astype(np.uint64)
        total += int(rows_mixed.sum(dtype=np.uint64))
    return total % MODULUS


def mixed_bits(x: Bits) -> Bits:
    """The finaliser of splitmix64: every bit of the input changes about half of the bits of the output."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _label_bits(levels: tuple[str, ...]) -> Bits:
    """The bits of each level, and at the end those of a missing value."""
    return np.array([*map(_level_bits, levels), text_bits("value", "missing")], dtype=np.uint64)


@lru_cache(maxsize=1 << 14)  # batches of one source have the same levels
def _level_bits(level: str) -> int:
    if is_number(level) and label_of(float(level)) == level:
        return int(np.float64(float(level) + 0.0).view(np.uint64))
    return text_bits("label", level)


@lru_cache(maxsize=1 << 14)
def text_bits(what: str, text: str) -> int:
    """64 bits that belong to a text of some kind."""
    digest = hashlib.sha256(f"{what} {text}".encode(errors="surrogatepass"))
    return int.from_bytes(digest.digest()[:8], "little")
