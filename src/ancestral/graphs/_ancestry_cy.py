"""Reachability from every node at once, as bitsets.

The idea: one depth-first search per node over compressed rows of steps, setting bits in that node's row.
Invariant: bit v of row u is set if and only if v can be reached from u by zero or more steps.
"""

from typing import Any

import cython
import numpy as np

from ancestral.graphs.csr import compressed

if not cython.compiled:
    from ancestral._cython import bit64


def closure(steps: Any) -> Any:
    """For each node u, the bitset of the nodes that can be reached from u, itself included.

    `steps[u, v]` says whether a step leads from u to v.
    """
    n: cython.Py_ssize_t = len(steps)
    _, heads, rows = compressed(steps)
    offsets: cython.int[::1] = rows
    targets: cython.int[::1] = heads
    out = np.zeros((n, (n + 63) // 64), dtype=np.uint64)
    bits: cython.ulonglong[:, ::1] = out
    stack: cython.Py_ssize_t[::1] = np.zeros(n, dtype=np.intp)
    height: cython.Py_ssize_t
    root: cython.Py_ssize_t
    u: cython.Py_ssize_t
    v: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for root in range(n):
        bits[root, root >> 6] |= bit64(root)
        stack[0] = root
        height = 1
        while height:
            height -= 1
            u = stack[height]
            for i in range(offsets[u], offsets[u + 1]):
                v = targets[i]
                if not bits[root, v >> 6] & bit64(v):
                    bits[root, v >> 6] |= bit64(v)
                    stack[height] = v
                    height += 1
    return out
