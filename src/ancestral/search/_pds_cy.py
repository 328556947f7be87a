"""Possible-D-Sep (Spirtes, Glymour & Scheines 2000; Colombo et al. 2012, definition 3.3) of every node.

v is in the Possible-D-Sep of x if a walk leads from x to v on which each inner node is a collider, or forms a triangle
with the nodes before and after it.

The idea: whether a walk may go on depends on its last step only, so a breadth-first search over steps u → v, each taken
once, finds all of them; walks that cross themselves add nothing false, since a larger pool only means more questions.
"""

from typing import Any

import cython
import numpy as np

from ancestral.graphs.csr import compressed

if not cython.compiled:
    from ancestral._pulse_cy import Pulse
    from ancestral.graphs.marks import ARROW


def possible_d_sep_of_all(marks: Any, pulse: Pulse, no_edge: Any = None) -> Any:
    """A matrix with 1 at x, v where v is in the Possible-D-Sep of x; its neighbours are.

    The pairs of `no_edge`, rows x, y, count as the third side of a triangle although they are not adjacent.
    """
    array = np.ascontiguousarray(marks, dtype=np.uint8)
    n: cython.Py_ssize_t = len(array)
    at: cython.const[cython.uchar][:, ::1] = array  # type: ignore[valid-type]
    sides = array
    if no_edge is not None:
        sides = array.copy()
        sides[no_edge[:, 0], no_edge[:, 1]] = sides[no_edge[:, 1], no_edge[:, 0]] = 1
    side: cython.const[cython.uchar][:, ::1] = sides  # type: ignore[valid-type]
    steps_from, steps_to, rows = compressed(array)
    sources: cython.int[::1] = steps_from
    targets: cython.int[::1] = steps_to
    starts: cython.int[::1] = rows
    out = np.zeros((n, n), dtype=np.uint8)
    found: cython.uchar[:, ::1] = out
    taken: cython.int[::1] = np.full(len(steps_to), -1, dtype=np.intc)  # the last root that took this step
    queue: cython.int[::1] = np.zeros(len(steps_to), dtype=np.intc)
    head: cython.Py_ssize_t
    tail: cython.Py_ssize_t
    i: cython.Py_ssize_t
    x: cython.Py_ssize_t
    t: cython.Py_ssize_t
    u: cython.Py_ssize_t
    v: cython.Py_ssize_t
    for x in range(n):
        head = tail = 0
        for i in range(starts[x], starts[x + 1]):
            taken[i] = cython.cast(cython.int, x)
            queue[tail] = cython.cast(cython.int, i)
            tail += 1
        while head < tail:
            pulse.beat()
            t, u = sources[queue[head]], targets[queue[head]]
            head += 1
            found[x, u] = 1
            for i in range(starts[u], starts[u + 1]):
                v = targets[i]
                if v == x or v == t or taken[i] == x:
                    continue
                if side[t, v] or (at[t, u] == ARROW and at[v, u] == ARROW):
                    taken[i] = cython.cast(cython.int, x)
                    queue[tail] = cython.cast(cython.int, i)
                    tail += 1
    return out
