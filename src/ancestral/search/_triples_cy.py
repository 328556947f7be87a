"""The unshielded triples that R0 is about to judge, for pairs that have just been separated.

The idea: go through the neighbours of the end that has fewer, and keep those adjacent to both; usually only those that
are not in the separating set, which R0 calls colliders. Later stages only lose edges, so the triples of a pair need to
be looked at only once: when the pair is separated.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from ancestral.orientation._judge_cy import Sepsets


def unshielded_triples(
    marks: Any, offsets: Any, targets: Any, sepsets: Sepsets, pairs: Any, non_colliders: bool = False
) -> Any:
    """Rows x, v, y for each of the pairs (x, y) and each v adjacent to both that is not in their separating set.

    With `non_colliders` also for those v that are in it. Pairs with an empty set are left out: their triples need no
    further question.
    """
    at: cython.const[cython.uchar][:, ::1] = np.ascontiguousarray(marks, dtype=np.uint8)  # type: ignore[valid-type]
    rows: cython.int[::1] = np.ascontiguousarray(offsets, dtype=np.intc)
    heads: cython.int[::1] = np.ascontiguousarray(targets, dtype=np.intc)
    ends: cython.int[:, ::1] = np.ascontiguousarray(pairs, dtype=np.intc)
    out = np.zeros((64, 3), dtype=np.intc)
    found: cython.int[:, ::1] = out
    count: cython.Py_ssize_t = 0
    every: cython.bint = non_colliders
    e: cython.Py_ssize_t
    i: cython.Py_ssize_t
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    v: cython.Py_ssize_t
    near: cython.Py_ssize_t
    far: cython.Py_ssize_t
    for e in range(ends.shape[0]):
        x, y = ends[e, 0], ends[e, 1]
        if sepsets.number(x, y) <= 1:
            continue
        near, far = x, y
        if rows[x + 1] - rows[x] > rows[y + 1] - rows[y]:
            near, far = y, x
        for i in range(rows[near], rows[near + 1]):
            v = heads[i]
            if at[far, v] == 0 or (not every and sepsets.has(x, y, v)):
                continue
            if count == found.shape[0]:
                out = np.concatenate([out, np.zeros_like(out)])
                found = out
            found[count, 0] = cython.cast(cython.int, x)
            found[count, 1] = cython.cast(cython.int, v)
            found[count, 2] = cython.cast(cython.int, y)
            count += 1
    return out[:count]
