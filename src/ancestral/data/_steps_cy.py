"""Whole numbers close together, as small steps from the smallest: codes without sorting.

The idea: one walk finds the smallest and the largest and stops at the first fraction, which a measurement shows in its
first rows; a second one writes the steps and marks which of them occur.

Invariants: a step is below GAP, which stands for a missing value.
"""

from typing import Any

import cython
import numpy as np

GAP = cython.declare(cython.int, 255)
#: Beyond, the next whole number is no number of its own.
LARGEST = cython.declare(cython.double, 9007199254740992.0)


def whole_steps(
    values: cython.const[cython.double][::1],  # type: ignore[valid-type]
) -> Any:
    """The smallest value, the step of each value and which steps occur; None where a byte does not do."""
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
    """Fill in the steps, and mark those that occur."""
    i: cython.Py_ssize_t
    with cython.nogil:
        for i in range(values.shape[0]):
            steps[i] = GAP if values[i] != values[i] else cython.cast(cython.uchar, values[i] - low)
            occurs[steps[i]] = True
    return 0
