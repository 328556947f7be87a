"""A matrix of steps as compressed rows: the scan with which every kernel that walks through a graph begins.

The idea: a matrix of marks is mostly zeros, so a row is scanned in blocks, and a block of zeros is skipped after one
`or` of all its 32 entries, which the compiler turns into two wide instructions since their number is constant.
There are two passes: the first counts, the second writes.
"""

from typing import Any

import cython
import numpy as np


def scan(steps: Any) -> tuple[Any, Any, Any]:
    """The sources, targets and offsets of the nonzero entries of a square matrix of bytes.

    Entry i is at row `sources[i]`, column `targets[i]`; row x has the entries offsets[x] … offsets[x + 1] - 1.
    """
    matrix: cython.const[cython.uchar][:, ::1] = steps  # type: ignore[valid-type]
    n: cython.Py_ssize_t = matrix.shape[0]
    rows = np.zeros(n + 1, dtype=np.intc)
    offsets: cython.int[::1] = rows
    x: cython.Py_ssize_t
    i: cython.Py_ssize_t
    with cython.nogil:
        for x in range(n):
            offsets[x + 1] = offsets[x] + go_through(matrix, x, 0, offsets, -1)
    total: cython.Py_ssize_t = offsets[n]
    from_nodes = np.empty(total, dtype=np.intc)
    to_nodes = np.empty(total + 1, dtype=np.intc)  # `go_through` may write one place further
    sources: cython.int[::1] = from_nodes
    targets: cython.int[::1] = to_nodes
    with cython.nogil:
        for x in range(n):
            if offsets[x] < offsets[x + 1]:
                go_through(matrix, x, 0, targets, offsets[x])
                for i in range(offsets[x], offsets[x + 1]):
                    sources[i] = cython.cast(cython.int, x)
    return from_nodes, to_nodes[:total], rows


def sources_of(offsets: Any) -> Any:
    """The row of each entry of compressed rows."""
    rows: cython.const[cython.int][::1] = offsets  # type: ignore[valid-type]
    n: cython.Py_ssize_t = rows.shape[0] - 1
    from_nodes = np.empty(rows[n], dtype=np.intc)
    sources: cython.int[::1] = from_nodes
    x: cython.Py_ssize_t
    i: cython.Py_ssize_t
    with cython.nogil:
        for x in range(n):
            for i in range(rows[x], rows[x + 1]):
                sources[i] = cython.cast(cython.int, x)
    return from_nodes


def entries_left(steps: Any, offsets: Any, targets: Any) -> tuple[Any, Any]:
    """The offsets and targets of those entries that are not zero in this matrix; the others were, before."""
    matrix: cython.const[cython.uchar][:, ::1] = steps  # type: ignore[valid-type]
    rows: cython.const[cython.int][::1] = offsets  # type: ignore[valid-type]
    columns: cython.const[cython.int][::1] = targets  # type: ignore[valid-type]
    n: cython.Py_ssize_t = matrix.shape[0]
    new_rows = np.zeros(n + 1, dtype=np.intc)
    to_nodes = np.empty(len(targets), dtype=np.intc)
    left: cython.int[::1] = new_rows
    kept: cython.int[::1] = to_nodes
    count: cython.int = 0
    x: cython.Py_ssize_t
    i: cython.Py_ssize_t
    with cython.nogil:
        for x in range(n):
            for i in range(rows[x], rows[x + 1]):
                if matrix[x, columns[i]] != 0:
                    kept[count] = columns[i]
                    count += 1
            left[x + 1] = count
    return new_rows, to_nodes[:count]


def edges_of(marks: Any, offsets: Any, targets: Any) -> tuple[Any, Any]:
    """What `edges_above` returns, of a graph whose compressed rows are at hand."""
    matrix: cython.const[cython.uchar][:, ::1] = marks  # type: ignore[valid-type]
    rows: cython.const[cython.int][::1] = offsets  # type: ignore[valid-type]
    columns: cython.const[cython.int][::1] = targets  # type: ignore[valid-type]
    pairs = np.empty((len(targets) // 2, 2), dtype=np.intc)
    ends = np.empty((len(targets) // 2, 2), dtype=np.uint8)
    pairs_of: cython.int[:, ::1] = pairs
    ends_of: cython.uchar[:, ::1] = ends
    x: cython.Py_ssize_t
    i: cython.Py_ssize_t
    e: cython.Py_ssize_t = 0
    with cython.nogil:
        for x in range(matrix.shape[0]):
            for i in range(rows[x], rows[x + 1]):
                if columns[i] > x:
                    pairs_of[e, 0] = cython.cast(cython.int, x)
                    pairs_of[e, 1] = columns[i]
                    ends_of[e, 0] = matrix[columns[i], x]
                    ends_of[e, 1] = matrix[x, columns[i]]
                    e += 1
    return pairs, ends


def edges_above(marks: Any) -> tuple[Any, Any]:
    """The positions x, y of the nonzero entries above the diagonal, and for each the entries at (y, x) and (x, y)."""
    matrix: cython.const[cython.uchar][:, ::1] = marks  # type: ignore[valid-type]
    n: cython.Py_ssize_t = matrix.shape[0]
    row: cython.int[::1] = np.empty(n + 1, dtype=np.intc)
    total: cython.Py_ssize_t = 0
    x: cython.Py_ssize_t
    i: cython.Py_ssize_t
    e: cython.Py_ssize_t = 0
    with cython.nogil:
        for x in range(n):
            total += go_through(matrix, x, x + 1, row, -1)
    pairs = np.empty((total, 2), dtype=np.intc)
    ends = np.empty((total, 2), dtype=np.uint8)
    pairs_of: cython.int[:, ::1] = pairs
    ends_of: cython.uchar[:, ::1] = ends
    with cython.nogil:
        for x in range(n):
            for i in range(go_through(matrix, x, x + 1, row, 0)):
                pairs_of[e, 0] = cython.cast(cython.int, x)
                pairs_of[e, 1] = row[i]
                ends_of[e, 0] = matrix[row[i], x]
                ends_of[e, 1] = matrix[x, row[i]]
                e += 1
    return pairs, ends


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def go_through(
    matrix: cython.const[cython.uchar][:, ::1],  # type: ignore[valid-type]
    x: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    targets: cython.int[::1],
    at: cython.Py_ssize_t,
) -> cython.int:
    """Count the nonzero entries of row x from column `first` on; if `at` >= 0, write their columns to `targets[at:]`.

    Zeros cannot be predicted, so there is no branch on them: each column is written, and overwritten by the next one if
    its entry was zero. So one place behind the last column may be written, too.
    """
    n: cython.Py_ssize_t = matrix.shape[1]
    y: cython.Py_ssize_t = first
    i: cython.Py_ssize_t
    end: cython.Py_ssize_t
    count: cython.int = 0
    block: cython.uchar
    while y < n:
        end = min(y + 32, n)
        block = end < y + 32  # the last block may be short: it is scanned entry by entry
        if not block:
            for i in range(32):
                block |= matrix[x, y + i]
        if block:
            if at < 0:
                for i in range(y, end):
                    count += matrix[x, i] != 0
            else:
                for i in range(y, end):
                    targets[at + count] = cython.cast(cython.int, i)
                    count += matrix[x, i] != 0
        y = end
    return count
