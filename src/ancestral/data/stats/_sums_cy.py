"""Sums over rows in one pass: powers of deviations, and products of all pairs of columns.

The idea: CHUNK rows at a time are centred and scaled to a size of at most one, into a block that stays in the cache and
has the rows of the data as its rows. There each number is multiplied by the others of its row, four rows at a time, so
that a sum is loaded and stored for every fourth product only; the inner loops run along the columns, so that the
compiler computes several at once without changing the order of any sum. A chunk has sums of its own, which are added to
those of the chunks before: rounding errors grow with CHUNK and with the number of chunks, not with the rows.

Invariants: matrix[v, i] is column v of row i; `powers` has rows Σd, Σd³, Σd⁴; only j ≥ i of products[i, j] are summed.
CHUNK is a multiple of 4; rows of the block beyond the last row of the data are 0, and add nothing.
"""

import cython
import numpy as np

CHUNK = cython.declare(cython.Py_ssize_t, 256)


def add_sums(
    matrix: cython.double[:, ::1],
    mean: cython.double[::1],
    shrink: cython.double[::1],
    powers: cython.double[:, ::1],
    products: cython.double[:, ::1],
) -> None:
    """Add Σd, Σd³ and Σd⁴ of each column, and Σ d d' of each pair, where d = (value − mean) shrink."""
    n: cython.Py_ssize_t = matrix.shape[0]
    start: cython.Py_ssize_t = 0
    block: cython.double[:, ::1] = np.empty((CHUNK, n))
    own_powers: cython.double[:, ::1] = np.empty((3, n))
    own_products: cython.double[:, ::1] = np.empty((n, n))
    with cython.nogil:
        while start < matrix.shape[1]:
            centre(matrix, mean, shrink, start, block)
            raise_powers(block, own_powers)
            multiply(block, own_products)
            add(own_powers, powers)
            add(own_products, products)
            start += CHUNK


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def centre(
    matrix: cython.double[:, ::1],
    mean: cython.double[::1],
    shrink: cython.double[::1],
    first: cython.Py_ssize_t,
    block: cython.double[:, ::1],
) -> cython.int:
    """Fill the block with the deviations of the rows from `first` on."""
    count: cython.Py_ssize_t = min(CHUNK, matrix.shape[1] - first)
    v: cython.Py_ssize_t
    r: cython.Py_ssize_t
    for v in range(matrix.shape[0]):
        for r in range(count):
            block[r, v] = (matrix[v, first + r] - mean[v]) * shrink[v]
        for r in range(count, CHUNK):
            block[r, v] = 0.0
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def raise_powers(block: cython.double[:, ::1], powers: cython.double[:, ::1]) -> cython.int:
    """The sums of the first, third and fourth powers of the block."""
    r: cython.Py_ssize_t
    v: cython.Py_ssize_t
    d: cython.double
    square: cython.double
    powers[:, :] = 0.0
    for r in range(CHUNK):
        for v in range(block.shape[1]):
            d = block[r, v]
            square = d * d
            powers[0, v] += d
            powers[1, v] += square * d
            powers[2, v] += square * square
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def multiply(block: cython.double[:, ::1], products: cython.double[:, ::1]) -> cython.int:
    """The products of the block, summed up over its rows."""
    r: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    a: cython.double
    b: cython.double
    c: cython.double
    d: cython.double
    products[:, :] = 0.0
    for r in range(0, CHUNK, 4):
        for i in range(block.shape[1]):
            a = block[r, i]
            b = block[r + 1, i]
            c = block[r + 2, i]
            d = block[r + 3, i]
            for j in range(i, block.shape[1]):
                products[i, j] += (a * block[r, j] + b * block[r + 1, j]) + (c * block[r + 2, j] + d * block[r + 3, j])
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def add(part: cython.double[:, ::1], whole: cython.double[:, ::1]) -> cython.int:
    """Add the sums of a chunk to those of the chunks before."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(part.shape[0]):
        for j in range(part.shape[1]):
            whole[i, j] += part[i, j]
    return 0
