"""Codes of whole numbers in a narrow range, without sorting: the difference to the smallest, as a byte.

The idea: one pass finds the smallest and the largest value and stops at the first fraction, which most measurements
have in their first rows; a second pass writes the differences and marks which of them occur.

Invariants: a difference is below GAP, which stands for a missing value.
"""

from typing import Any

import cython
import numpy as np

GAP = cython.declare(cython.int, 255)
#: 2^53: beyond, not every whole number is a double.
LARGEST = cython.declare(cython.double, 9007199254740992.0)


def whole_steps(
    values: cython.const[cython.double][::1],  # type: ignore[valid-type]
) -> Any:
    """The smallest value, the difference of each value to it as a byte, and which differences occur.

    None if a value is not a whole number, or if the range is too wide for a byte.
    """
    i: cython.Py_ssize_t
    x: cython.double
    low: cython.double = float("inf")
    high: cython.double = -float("inf")
    whole: cython.bint = True
    with cython.nogil:
        for i in range(values.shape[0]):
            x = values[i]
            if x != x:
                continue
            if x < -LARGEST or x > LARGEST or x != cython.cast(cython.longlong, x):
                whole = False
                break
            if x < low:
                low = x
            if x > high:
                high = x
    if not whole or not high - low < GAP:
        return None
    steps = np.empty(values.shape[0], dtype=np.uint8)
    occurs = np.zeros(GAP + 1, dtype=np.uint8)
    take_steps(values, low, steps, occurs)
    return low, steps, occurs.view(np.bool_)


@cython.cfunc
@cython.exceptval(-1)
def take_steps(
    values: cython.const[cython.double][::1],  # type: ignore[valid-type]
    low: cython.double,
    steps: cython.uchar[::1],
    occurs: cython.uchar[::1],
) -> cython.int:
    """Fill in the differences to `low`, and mark those that occur."""
    i: cython.Py_ssize_t
    with cython.nogil:
        for i in range(values.shape[0]):
            steps[i] = GAP if values[i] != values[i] else cython.cast(cython.uchar, values[i] - low)
            occurs[steps[i]] = True
    return 0


def numbered(
    steps: cython.const[cython.uchar][::1],  # type: ignore[valid-type]
    code: cython.const[cython.int][::1],  # type: ignore[valid-type]
) -> Any:
    """The code of each step."""
    out = np.empty(steps.shape[0], dtype=np.intc)
    out_view: cython.int[::1] = out
    i: cython.Py_ssize_t
    with cython.nogil:
        for i in range(steps.shape[0]):
            out_view[i] = code[steps[i]]
    return out
