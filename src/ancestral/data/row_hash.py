"""Content: a number that tells rows of data from others, whatever order they come in and however they are cut.

Each value is a number of 64 bits: a number its own bits, a label the beginning of its SHA-256. Times an odd number that
belongs to the name of its column, summed over the row, stirred, summed over the rows: sums of whole numbers modulo 2^64
do not hang on any order, so the contents of parts add up to that of the whole. It is meant to notice that data were
exchanged, not to withstand someone who wants to deceive.
"""

import hashlib
from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ancestral.data.kinds import Floats, Labels

__all__ = ["MODULUS", "row_hash"]

MODULUS = 1 << 64
PORTION = 8192  # so many rows stay in the cache

Bits = NDArray[np.uint64]


def row_hash(columns: Mapping[str, Floats | Labels], weights: NDArray[np.int64] | None = None) -> int:
    """The hash of rows without gaps, given by columns; a row may stand for several."""
    keys = {name: np.uint64(_hashed("column", name) | 1) for name in columns}
    labels = {name: _bits_of_labels(found.levels) for name, found in columns.items() if isinstance(found, Labels)}
    first_column = next(iter(columns.values()))
    rows = len(first_column.codes if isinstance(first_column, Labels) else first_column)
    total = 0
    for first in range(0, rows, PORTION):
        part = slice(first, first + PORTION)
        sums = np.zeros(min(PORTION, rows - first), dtype=np.uint64)
        for name, found in columns.items():
            if isinstance(found, Labels):
                bits = labels[name][found.codes[part]]
            else:
                bits = (found[part] + 0.0).view(np.uint64)  # 0 and -0 are one number
            bits *= keys[name]
            sums += bits
        stirred = _stirred(sums)
        if weights is not None:
            stirred *= weights[part].astype(np.uint64)
        total += int(stirred.sum(dtype=np.uint64))
    return total % MODULUS


def _bits_of_labels(labels: tuple[str, ...]) -> Bits:
    return np.array([_hashed("label", label) for label in labels], dtype=np.uint64)


def _stirred(x: Bits) -> Bits:
    """Every bit of the input moves every bit of the output (the finaliser of splitmix64)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@lru_cache(maxsize=1 << 14)  # one batch after the other has the same columns and levels
def _hashed(what: str, text: str) -> int:
    digest = hashlib.sha256(f"{what} {text}".encode(errors="surrogatepass"))
    return int.from_bytes(digest.digest()[:8], "little")
