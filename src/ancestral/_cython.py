"""Kernels run compiled or interpreted: tells which, and holds the Python versions of functions written in C.

A kernel is a file `_*_cy.py`: ordinary Python that the build compiles. Where there was no compiler the same files run
interpreted, which is correct but slow, so a warning says so once, at import.
"""

import importlib
import pkgutil
import sys
import warnings
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "and3_count",
    "and_count",
    "and_into",
    "bit64",
    "compiled_kernels",
    "exact_count_log_count",
    "kernels",
    "low_bytes",
    "lowest_bit",
    "mixed_bits",
    "ones",
    "prefix_xor",
    "same_bytes",
    "warn_if_interpreted",
]

Planes = NDArray[np.uint64]


def bit64(position: int) -> np.uint64:
    """The word with this position's bit set; position i is in word i >> 6 of a bitset."""
    return np.uint64(1 << (int(position) & 63))


def lowest_bit(word: int) -> int:
    """The place of the lowest bit that is set in a word, which must not be 0."""
    return (int(word) & -int(word)).bit_length() - 1


def exact_count_log_count(count: int, unit: float) -> int:
    """k log k for a count k > 0, as a whole number of units."""
    exact = np.longdouble(count) * np.log(np.longdouble(count))
    return int(np.rint(exact / np.longdouble(unit)))


def mixed_bits(a: int, b: int) -> int:
    """A hash of two numbers below 2**32, with 63 bits (SplitMix64 of Steele, Lea & Flood 2014)."""
    word = (1 << 64) - 1
    z = (((int(a) << 32) ^ int(b)) + 0x9E3779B97F4A7C15) & word
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & word
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & word
    return (z ^ (z >> 31)) >> 1


def and_count(a: Planes, i: int, b: Planes, j: int) -> int:
    """How many bits are set in both planes, the rows a[i] and b[j]."""
    return int(np.bitwise_count(a[i] & b[j]).sum())


def and3_count(a: Planes, i: int, b: Planes, j: int, k: int) -> int:
    """How many bits are set in all three planes, the rows a[i], b[j] and b[k]."""
    return int(np.bitwise_count(a[i] & b[j] & b[k]).sum())


def and_into(out: Planes, o: int, a: Planes, i: int, b: Planes, j: int) -> int:
    """Write the bits that are set in both planes, a[i] and b[j], to the row out[o]; return their number."""
    return int(np.bitwise_count(np.bitwise_and(a[i], b[j], out=out[o])).sum())


def same_bytes(data: NDArray[np.uint8], first: int, value: int) -> int:
    """The word whose bit i tells whether byte first + i has this value; there must be 64 bytes."""
    return _word(data[first : first + 64] == np.uint8(value))


def low_bytes(data: NDArray[np.uint8], first: int) -> int:
    """The word whose bit i tells whether byte first + i is below 14."""
    return _word(data[first : first + 64] < 14)


def _word(bits: NDArray[np.bool_]) -> int:
    if bits.size < 64:
        raise IndexError("there must be 64 bytes")
    return int(np.packbits(bits, bitorder="little").view(np.uint64)[0])


def prefix_xor(word: int) -> int:
    """The word whose bit i is the parity of the bits 0 … i of the given one."""
    for shift in (1, 2, 4, 8, 16, 32):
        word ^= word << shift & 0xFFFFFFFFFFFFFFFF
    return word


def ones(word: int) -> int:
    """How many bits are set."""
    return word.bit_count()


@cache
def kernels() -> tuple[str, ...]:
    """The full names of all kernel modules of the package."""
    found = pkgutil.walk_packages([str(Path(__file__).parent)], "ancestral.")
    return tuple(sorted(m.name for m in found if m.name.endswith("_cy")))


def compiled_kernels() -> dict[str, bool]:
    """For each kernel, by name, whether it runs compiled."""
    return {name: not str(importlib.import_module(name).__file__).endswith(".py") for name in kernels()}


_warned: list[bool] = []


def warn_if_interpreted() -> None:
    """Warn, once per process, if a kernel that has been imported runs interpreted."""
    loaded = [module for name, module in sys.modules.items() if name.startswith("ancestral.")]
    slow = [m for m in loaded if m.__name__.endswith("_cy") and str(m.__file__).endswith(".py")]
    if slow and not _warned:
        _warned.append(True)
        warnings.warn(
            "ancestral's kernels are not compiled: everything works, but far more slowly. "
            "Install a C compiler (Debian: apt-get install gcc python3-dev) and reinstall the package.",
            RuntimeWarning,
            stacklevel=3,
        )
