"""The variance and the third cumulant of Pearson's statistic of a table whose margins are given.

The idea: Pearson's statistic of n rows is n times the trace of the product of two projections, onto the indicators of
the levels of x and of y, without the mean. If x and y are independent, the rows of one are permuted against those of
the other, all permutations being equally likely. The moments of such a trace are known (Haldane 1940 for tables;
Kazi-Aoual, Hitier, Sabatier & Lebreton 1995), and need no more of the margins than sums of 1 / margin and 1 / margin².
For tables of at most five rows, where the formula of the third moment divides by zero, all permutations are tried.
"""

from functools import cache
from itertools import permutations
from typing import Any

import cython
import numpy as np


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def variance_of_trace(
    x1: cython.double, t: cython.double, y1: cython.double, u: cython.double, n: cython.double
) -> cython.double:
    """The variance from the sums of 1 / margin of both sides, which have t + 1 and u + 1 margins, in n rows."""
    out: cython.double = 0.0
    if n > 2.0:
        out = 2.0 * t * (n - 1.0 - t) * u * (n - 1.0 - u) / ((n - 1.0) * (n - 1.0) * (n + 1.0) * (n - 2.0))
    if n > 3.0:
        out += contrast(x1, t, n) * contrast(y1, u, n) / ((n + 1.0) * n * (n - 1.0) * (n - 2.0) * (n - 3.0))
    return out


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def contrast(reciprocals: cython.double, t: cython.double, n: cython.double) -> cython.double:
    """What the second term of the variance takes from one side; `reciprocals` is the sum of 1 / margin, t + 1 margins.

    It is 0 where all margins are 1.
    """
    return (n + 1.0) * (n * reciprocals - 2.0 * t - 1.0) - (n - 1.0) * t * (t + 2.0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def third_of_trace(
    x1: cython.double,
    x2: cython.double,
    t: cython.double,
    y1: cython.double,
    y2: cython.double,
    u: cython.double,
    n: cython.double,
) -> cython.double:
    """The third cumulant from the sums of 1 / margin and 1 / margin² of both sides, with t + 1 and u + 1 margins.

    Kazi-Aoual et al. have the third moment for any two symmetric matrices. Of projections, the traces and those of
    their powers are t. With h the diagonal and H an entry, s is the sum of h², s3 that of h³, c that of H³, and b that
    of h H h.
    """
    sx: cython.double = x1 - (2.0 * t + 1.0) / n
    sy: cython.double = y1 - (2.0 * u + 1.0) / n
    s3x: cython.double = x2 - 3.0 * x1 / n + (3.0 * t + 2.0) / (n * n)
    s3y: cython.double = y2 - 3.0 * y1 / n + (3.0 * u + 2.0) / (n * n)
    cx: cython.double = x1 - (3.0 * t + 1.0) / n
    cy: cython.double = y1 - (3.0 * u + 1.0) / n
    bx: cython.double = sx - t * t / n
    by: cython.double = sy - u * u / n
    tx: cython.double = t * t * t
    ty: cython.double = u * u * u
    n2: cython.double = n * n
    n3: cython.double = n2 * n
    n4: cython.double = n2 * n2
    mean: cython.double = t * u / (n - 1.0)
    moment: cython.double
    moment = n2 * (n + 1.0) * (n2 + 15.0 * n - 4.0) * s3x * s3y
    moment += 4.0 * (n4 - 8.0 * n3 + 19.0 * n2 - 4.0 * n - 16.0) * cx * cy
    moment += 24.0 * (n2 - n - 4.0) * (cx * by + bx * cy)
    moment += 6.0 * (n4 - 8.0 * n3 + 21.0 * n2 - 6.0 * n - 24.0) * bx * by
    moment += 12.0 * (n4 - n3 - 8.0 * n2 + 36.0 * n - 48.0) * sx * sy
    moment += 12.0 * (n3 - 2.0 * n2 + 9.0 * n - 12.0) * (t + u) * sx * sy
    moment += 3.0 * (n4 - 4.0 * n3 - 2.0 * n2 + 9.0 * n - 12.0) * t * u * sx * sy
    moment += 24.0 * (n3 - 3.0 * n2 - 2.0 * n + 8.0) * (sy * cx + cy * sx)
    moment += 24.0 * (n3 - 2.0 * n2 - 3.0 * n + 12.0) * (sy * bx + by * sx)
    moment += 12.0 * (n2 - n + 4.0) * (u * sy * cx + t * sx * cy)
    moment += 6.0 * (2.0 * n3 - 7.0 * n2 - 3.0 * n + 12.0) * (u * sy * bx + t * sx * by)
    moment -= 2.0 * n * (n - 1.0) * (n2 - n + 4.0) * ((2.0 * cx + 3.0 * bx) * s3y + (2.0 * cy + 3.0 * by) * s3x)
    moment -= 3.0 * n * (n - 1.0) * (n - 1.0) * (n + 4.0) * ((t + 4.0) * sx * s3y + (u + 4.0) * sy * s3x)
    moment += (
        2.0 * n * (n - 1.0) * (n - 2.0) * ((tx + 6.0 * t * t + 8.0 * t) * s3y + (ty + 6.0 * u * u + 8.0 * u) * s3x)
    )
    moment += tx * ((n3 - 9.0 * n2 + 23.0 * n - 14.0) * ty + 6.0 * (n - 4.0) * u * u + 8.0 * u)
    moment += 6.0 * t * t * ((n - 4.0) * ty + (n3 - 9.0 * n2 + 24.0 * n - 14.0) * u * u + 4.0 * (n - 3.0) * u)
    moment += 8.0 * t * (ty + 3.0 * (n - 3.0) * u * u + (n3 - 9.0 * n2 + 26.0 * n - 22.0) * u)
    moment -= 16.0 * (tx * cy + cx * ty)
    moment -= 6.0 * (2.0 * n2 - 10.0 * n + 16.0) * (t * t * cy + cx * u * u)
    moment -= 8.0 * (3.0 * n2 - 15.0 * n + 16.0) * (t * cy + cx * u)
    moment -= (6.0 * n2 - 30.0 * n + 24.0) * (tx * by + bx * ty)
    moment -= 6.0 * (4.0 * n2 - 20.0 * n + 24.0) * (t * t * by + bx * u * u)
    moment -= 8.0 * (3.0 * n2 - 15.0 * n + 24.0) * (t * by + bx * u)
    moment -= (n - 2.0) * (
        24.0 * (tx * sy + sx * ty)
        + 6.0 * (2.0 * n2 - 10.0 * n + 24.0) * (t * t * sy + sx * u * u)
        + 8.0 * (3.0 * n2 - 15.0 * n + 24.0) * (t * sy + sx * u)
        + (3.0 * n2 - 15.0 * n + 6.0) * (tx * u * sy + t * sx * ty)
        + 6.0 * (n2 - 5.0 * n + 6.0) * t * u * (t * sy + sx * u)
        + 48.0 * t * u * (sy + sx)
    )
    moment /= n * (n - 1.0) * (n - 2.0) * (n - 3.0) * (n - 4.0) * (n - 5.0)
    return moment - 3.0 * mean * variance_of_trace(x1, t, y1, u, n) - mean * mean * mean


@cache
def third_cumulants() -> Any:
    """The third cumulant for tables of at most five rows, by the rows and the sums of squares of both margins.

    These sums tell the margins apart. All pairings are tried.
    """
    out = np.zeros((6, 26, 26))
    for n in range(2, 6):
        ways = [way for way in labellings(n) if max(way) > 0]
        for x in ways:
            for y in ways:
                a, b = np.bincount(x), np.bincount(y)
                values = []
                for order in set(permutations(y)):
                    counts = np.zeros((len(a), len(b)))
                    np.add.at(counts, (np.array(x), np.array(order)), 1)
                    values.append(n * (counts**2 / np.outer(a, b)).sum() - n)
                deviations = np.array(values) - np.mean(values)
                out[n, (a**2).sum(), (b**2).sum()] = np.mean(deviations**3)
    return out


def labellings(n: int) -> list[tuple[int, ...]]:
    """One labelling of n rows for each way to split n into margins that do not increase."""

    def splits(rest: int, most: int) -> list[tuple[int, ...]]:
        if rest == 0:
            return [()]
        return [(first, *others) for first in range(min(rest, most), 0, -1) for others in splits(rest - first, first)]

    return [tuple(level for level, size in enumerate(split) for _ in range(size)) for split in splits(n, n)]
