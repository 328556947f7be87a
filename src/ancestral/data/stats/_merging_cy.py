"""Merging two ascending lists of weighted configurations into one.

The idea: both lists are read in step. The smaller configuration is written next, and equal ones become one whose weight
is the sum of theirs. Each is read once, where sorting the two together would compare each many times.

Invariants: a configuration is a row of words, compared word by word; each list, and so the result, has it at most once.
"""

from typing import Any

import cython
import numpy as np


def merged(
    words: cython.const[cython.ulonglong][:, ::1],  # type: ignore[valid-type]
    weights: cython.const[cython.longlong][::1],  # type: ignore[valid-type]
    other_words: cython.const[cython.ulonglong][:, ::1],  # type: ignore[valid-type]
    other_weights: cython.const[cython.longlong][::1],  # type: ignore[valid-type]
) -> Any:
    """The configurations of both lists, and their weights."""
    most: cython.Py_ssize_t = weights.shape[0] + other_weights.shape[0]
    out_words = np.empty((most, words.shape[1]), dtype=np.uint64)
    out_weights = np.empty(most, dtype=np.int64)
    count: cython.Py_ssize_t
    if words.shape[1] == 1:
        count = merge_single(words, weights, other_words, other_weights, out_words, out_weights)
    else:
        count = merge(words, weights, other_words, other_weights, out_words, out_weights)
    return out_words[:count].copy(), out_weights[:count].copy()


@cython.cfunc
@cython.exceptval(-1)
def merge_single(
    words: cython.const[cython.ulonglong][:, ::1],  # type: ignore[valid-type]
    weights: cython.const[cython.longlong][::1],  # type: ignore[valid-type]
    other_words: cython.const[cython.ulonglong][:, ::1],  # type: ignore[valid-type]
    other_weights: cython.const[cython.longlong][::1],  # type: ignore[valid-type]
    out_words: cython.ulonglong[:, ::1],
    out_weights: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """As `merge`, for configurations of one word: without branches, which would be guessed wrongly every other time."""
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t = 0
    one: cython.ulonglong
    two: cython.ulonglong
    first: cython.longlong
    second: cython.longlong
    with cython.nogil:
        while i < weights.shape[0] and j < other_weights.shape[0]:
            one = words[i, 0]
            two = other_words[j, 0]
            first = one <= two
            second = two <= one
            out_words[k, 0] = one if one < two else two
            out_weights[k] = weights[i] * first + other_weights[j] * second
            i += first
            j += second
            k += 1
        while i < weights.shape[0]:
            out_words[k, 0] = words[i, 0]
            out_weights[k] = weights[i]
            i += 1
            k += 1
        while j < other_weights.shape[0]:
            out_words[k, 0] = other_words[j, 0]
            out_weights[k] = other_weights[j]
            j += 1
            k += 1
    return k


@cython.cfunc
@cython.exceptval(-1)
def merge(
    words: cython.const[cython.ulonglong][:, ::1],  # type: ignore[valid-type]
    weights: cython.const[cython.longlong][::1],  # type: ignore[valid-type]
    other_words: cython.const[cython.ulonglong][:, ::1],  # type: ignore[valid-type]
    other_weights: cython.const[cython.longlong][::1],  # type: ignore[valid-type]
    out_words: cython.ulonglong[:, ::1],
    out_weights: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Fill in the result and return the number of its configurations."""
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t = 0
    w: cython.Py_ssize_t
    side: cython.int
    with cython.nogil:
        while i < weights.shape[0] or j < other_weights.shape[0]:
            if i == weights.shape[0]:
                side = 1
            elif j == other_weights.shape[0]:
                side = -1
            else:
                side = compared(words, i, other_words, j)
            out_weights[k] = 0
            if side <= 0:
                for w in range(words.shape[1]):
                    out_words[k, w] = words[i, w]
                out_weights[k] += weights[i]
                i += 1
            if side >= 0:
                for w in range(words.shape[1]):
                    out_words[k, w] = other_words[j, w]
                out_weights[k] += other_weights[j]
                j += 1
            k += 1
    return k


@cython.cfunc
@cython.nogil
@cython.exceptval(-2)
def compared(
    words: cython.const[cython.ulonglong][:, ::1],  # type: ignore[valid-type]
    i: cython.Py_ssize_t,
    other_words: cython.const[cython.ulonglong][:, ::1],  # type: ignore[valid-type]
    j: cython.Py_ssize_t,
) -> cython.int:
    """-1 if the first configuration is the smaller one, 1 if it is the larger one, 0 if they are equal."""
    w: cython.Py_ssize_t
    for w in range(words.shape[1]):
        if words[i, w] != other_words[j, w]:
            return -1 if words[i, w] < other_words[j, w] else 1
    return 0
