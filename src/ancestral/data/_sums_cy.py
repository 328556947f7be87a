"""Sums over rows in one pass: powers of deviations, and products of all pairs of columns.

The idea: CHUNK rows at a time are centred and brought to a size of at most one into a block that stays in the cache, a
row a row of the data. There each number meets the others of its row; the inner loop runs along the columns, so that the
compiler does several at once without changing the order of any sum. A chunk has sums of its own, which are added to
those of the chunks before: rounding errors grow with CHUNK and with the number of chunks, not with the rows.

Invariants: matrix[v, i] is column v of row i; `powers` has rows Σd, Σd³, Σd⁴; only j ≥ i of products[i, j] are summed.
"""

from typing import Any

import cython
import numpy as np

CHUNK = cython.declare(cython.Py_ssize_t, 256)


def power_sums(matrix: cython.double[:, ::1], mean: cython.double[::1], shrink: cython.double[::1]) -> Any:
    """Σd, Σd³ and Σd⁴ of each column and Σ d d' of each pair, where d = (value − mean) shrink."""
    n: cython.Py_ssize_t = matrix.shape[0]
    rows: cython.Py_ssize_t = matrix.shape[1]
    start: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    powers: cython.double[:, ::1] = np.zeros((3, n))
    products: cython.double[:, ::1] = np.zeros((n, n))
    part: cython.double[:, ::1] = np.zeros((n, n))
    block: cython.double[:, ::1] = np.zeros((CHUNK, n))
    with cython.nogil:
        while start < rows:
            centre(matrix, mean, shrink, start, min(start + CHUNK, rows), powers, block)
            multiply(block, min(CHUNK, rows - start), part, products)
            start += CHUNK
        for i in range(n):
            for j in range(i):
                products[i, j] = products[j, i]
    return np.asarray(powers), np.asarray(products)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def centre(
    matrix: cython.double[:, ::1],
    mean: cython.double[::1],
    shrink: cython.double[::1],
    first: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    powers: cython.double[:, ::1],
    block: cython.double[:, ::1],
) -> cython.int:
    """Fill the block with deviations, and add up their powers."""
    v: cython.Py_ssize_t
    i: cython.Py_ssize_t
    d: cython.double
    square: cython.double
    sum1: cython.double
    sum3: cython.double
    sum4: cython.double
    for v in range(matrix.shape[0]):
        sum1 = 0.0
        sum3 = 0.0
        sum4 = 0.0
        for i in range(first, stop):
            d = (matrix[v, i] - mean[v]) * shrink[v]
            block[i - first, v] = d
            square = d * d
            sum1 += d
            sum3 += square * d
            sum4 += square * square
        powers[0, v] += sum1
        powers[1, v] += sum3
        powers[2, v] += sum4
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def multiply(
    block: cython.double[:, ::1],
    rows: cython.Py_ssize_t,
    part: cython.double[:, ::1],
    products: cython.double[:, ::1],
) -> cython.int:
    """Add the products of the block, summed up in `part`, to all products."""
    n: cython.Py_ssize_t = block.shape[1]
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    r: cython.Py_ssize_t
    d: cython.double
    for i in range(n):
        for j in range(n):
            part[i, j] = 0.0
    for r in range(rows):
        for i in range(n):
            d = block[r, i]
            for j in range(i, n):
                part[i, j] += d * block[r, j]
    for i in range(n):
        for j in range(i, n):
            products[i, j] += part[i, j]
    return 0
