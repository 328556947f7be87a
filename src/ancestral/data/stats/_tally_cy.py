"""Packing codes into words, and counting equal words.

The idea: words are sorted by their digits, the least one first, each in a pass that counts the digits and then puts
every word behind those with smaller digits. That takes no comparison, and as many passes as the largest word has
digits: two for twenty columns of two levels. Then equal words stand together.

Invariants: a digit has DIGIT bits, few enough that its counts stay in the cache of a core; a pass keeps the order of
words with the same digit. Words are in [rows, 1] or [rows, width], as in `packing`.
"""

from typing import Any

import cython
import numpy as np

DIGIT = cython.declare(cython.int, 11)


def pack(
    codes: cython.const[cython.int][::1],  # type: ignore[valid-type]
    out: cython.ulonglong[:, ::1],
    word: cython.Py_ssize_t,
    shift: cython.int,
) -> None:
    """Add codes, shifted by some bits that are still 0, to a word of each row."""
    with cython.nogil:
        add_shifted(codes, out, word, shift)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def add_shifted(
    codes: cython.const[cython.int][::1],  # type: ignore[valid-type]
    out: cython.ulonglong[:, ::1],
    word: cython.Py_ssize_t,
    shift: cython.int,
) -> cython.int:
    """As `pack`."""
    i: cython.Py_ssize_t
    for i in range(codes.shape[0]):
        out[i, word] |= cython.cast(cython.ulonglong, codes[i]) << shift
    return 0


def tally(
    words: cython.const[cython.ulonglong][::1],  # type: ignore[valid-type]
) -> Any:
    """The different words in ascending order, as rows of one word, and how often each occurs."""
    ordered: cython.const[cython.ulonglong][::1] = words  # type: ignore[valid-type]
    spare: cython.ulonglong[::1]
    starts: cython.Py_ssize_t[::1] = np.empty(1 << DIGIT, dtype=np.intp)
    used: cython.ulonglong = 0
    shift: cython.int = 0
    i: cython.Py_ssize_t
    with cython.nogil:
        for i in range(words.shape[0]):
            used |= words[i]
    while shift < 64 and used >> shift:
        spare = np.empty(words.shape[0], dtype=np.uint64)
        with cython.nogil:
            sort_by_digit(ordered, spare, starts, shift)
        ordered = spare
        shift += DIGIT
    out = np.empty((words.shape[0], 1), dtype=np.uint64)
    weights = np.empty(words.shape[0], dtype=np.int64)
    count: cython.Py_ssize_t
    out_view: cython.ulonglong[:, ::1] = out
    weights_view: cython.longlong[::1] = weights
    with cython.nogil:
        count = runs(ordered, out_view, weights_view)
    return out[:count].copy(), weights[:count].copy()


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def sort_by_digit(
    words: cython.const[cython.ulonglong][::1],  # type: ignore[valid-type]
    out: cython.ulonglong[::1],
    starts: cython.Py_ssize_t[::1],
    shift: cython.int,
) -> cython.int:
    """Put the words in the order of the digit that begins at a bit; equal digits keep their order."""
    mask: cython.ulonglong = (cython.cast(cython.ulonglong, 1) << DIGIT) - 1
    i: cython.Py_ssize_t
    d: cython.Py_ssize_t
    begin: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t
    starts[:] = 0
    for i in range(words.shape[0]):
        starts[cython.cast(cython.Py_ssize_t, (words[i] >> shift) & mask)] += 1
    for d in range(starts.shape[0]):
        count = starts[d]
        starts[d] = begin
        begin += count
    for i in range(words.shape[0]):
        d = cython.cast(cython.Py_ssize_t, (words[i] >> shift) & mask)
        out[starts[d]] = words[i]
        starts[d] += 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def runs(
    ordered: cython.const[cython.ulonglong][::1],  # type: ignore[valid-type]
    out: cython.ulonglong[:, ::1],
    weights: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Fill in each different word and the length of its run, and return the number of runs."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t = -1
    for i in range(ordered.shape[0]):
        if i == 0 or ordered[i] != ordered[i - 1]:
            k += 1
            out[k, 0] = ordered[i]
            weights[k] = 0
        weights[k] += 1
    return k + 1
