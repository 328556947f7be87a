"""Which nodes are joined by a walk that is open given nothing, from every node at once, as bitsets.

A walk passes a node v if it cannot be a collider there: if one of its two marks at v is a tail, or both are circles. It
also passes where the marks are an arrowhead and a circle and the nodes before and after are not adjacent: then the
graph leaves open whether v is a collider. It never turns back along the edge on which it came.

The idea: how a walk may leave v depends on the mark with which it arrived, so a node is left at most once for each of
the three marks. The edge of the first arrival is the one exception, since it is the way back; it becomes passable with
the second arrival. Each edge is walked at most once in each direction. Without any arrowhead every path is open, so
nodes that are joined by such edges alone, as those of an early stage, all have the same row.
Invariant: bit v of row u is set if and only if such a walk leads from u to v, or u = v.
"""

from typing import Any

import cython
import numpy as np

from ancestral.graphs.csr import compressed

if not cython.compiled:
    from ancestral._cython import bit64
    from ancestral.graphs.marks import ARROW, CIRCLE, TAIL


def open_walk_bits(marks: Any) -> Any:
    """For each node, the bitset of the nodes to which a walk leads that is open given nothing, itself included."""
    array = np.ascontiguousarray(marks, dtype=np.uint8)
    n: cython.Py_ssize_t = len(array)
    steps_from, steps_to, rows = compressed(array)
    targets: cython.int[::1] = steps_to
    offsets: cython.int[::1] = rows
    # the marks at the two ends of each step, and the number of the step back
    leaving: cython.uchar[::1] = array[steps_to, steps_from]
    arriving: cython.uchar[::1] = array[steps_from, steps_to]
    back: cython.Py_ssize_t[::1] = np.argsort(steps_to.astype(np.int64) * n + steps_from, kind="stable")
    undecided_steps, undecided_rows = _undecided(array, steps_from, steps_to, rows)
    undecided: cython.int[::1] = undecided_steps
    undecided_offsets: cython.Py_ssize_t[::1] = undecided_rows
    alike: cython.Py_ssize_t[::1] = _alike(array, steps_from, steps_to, rows)
    out = np.zeros((n, (n + 63) // 64), dtype=np.uint64)
    bits: cython.ulonglong[:, ::1] = out
    stack: cython.Py_ssize_t[::1] = np.zeros(len(steps_to) + 1, dtype=np.intp)
    walked: cython.Py_ssize_t[::1] = np.full(len(steps_to), -1, dtype=np.intp)  # the last root that walked a step
    left: cython.Py_ssize_t[:, ::1] = np.full((n, 4), -1, dtype=np.intp)  # by the mark of arrival, the last root
    first: cython.Py_ssize_t[:, ::1] = np.zeros((n, 4), dtype=np.intp)  # and the step of the first arrival
    height: cython.Py_ssize_t
    root: cython.Py_ssize_t
    step: cython.Py_ssize_t
    i: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    v: cython.Py_ssize_t
    mark: cython.uchar
    with cython.nogil:
        for root in range(n):
            if alike[root] < root:
                for i in range(bits.shape[1]):
                    bits[root, i] = bits[alike[root], i]
                continue
            bits[root, root >> 6] |= bit64(root)
            height = 0
            for step in range(offsets[root], offsets[root + 1]):
                walked[step] = root
                stack[height] = step
                height += 1
            while height:
                height -= 1
                step = stack[height]
                v = targets[step]
                mark = arriving[step]
                bits[root, v >> 6] |= bit64(v)
                for i in range(undecided_offsets[step], undecided_offsets[step + 1]):
                    if walked[undecided[i]] != root:
                        walked[undecided[i]] = root
                        stack[height] = undecided[i]
                        height += 1
                if left[v, mark] == root:
                    begin = back[first[v, mark]]
                    end = begin + 1
                else:
                    left[v, mark] = root
                    first[v, mark] = step
                    begin = offsets[v]
                    end = offsets[v + 1]
                for i in range(begin, end):
                    if walked[i] != root and i != back[step] and passes(mark, leaving[i]):
                        walked[i] = root
                        stack[height] = i
                        height += 1
    return out


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def passes(arriving: cython.uchar, leaving: cython.uchar) -> cython.bint:
    """Whether a walk with these two marks at a node cannot have a collider there."""
    return arriving == TAIL or leaving == TAIL or (arriving == CIRCLE and leaving == CIRCLE)


def _alike(marks: Any, steps_from: Any, steps_to: Any, rows: Any) -> Any:
    """For each node the first one with the same row: that of its component, if this has no arrowhead, or itself."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n = len(marks)
    steps = csr_array((np.ones(len(steps_to), dtype=np.uint8), steps_to, rows), shape=(n, n))
    count, component = connected_components(steps, directed=False)
    pointed = np.zeros(count, dtype=bool)
    pointed[component[steps_to[marks[steps_from, steps_to] == ARROW]]] = True
    _, first = np.unique(component, return_index=True)
    return np.where(pointed[component], np.arange(n), first[component]).astype(np.intp)


def _undecided(marks: Any, steps_from: Any, steps_to: Any, rows: Any) -> tuple[Any, Any]:
    """For each step u → v the steps v → w with an arrowhead and a circle at v, where u and w are not adjacent.

    Returns the steps of all in a row, and where those of each begin. The rules leave no such triple where they apply.
    """
    at: cython.const[cython.uchar][:, ::1] = marks  # type: ignore[valid-type]
    sources: cython.int[::1] = steps_from
    targets: cython.int[::1] = steps_to
    offsets: cython.int[::1] = rows
    count: cython.Py_ssize_t = targets.shape[0]
    ends = np.zeros(count + 1, dtype=np.intp)
    stops: cython.Py_ssize_t[::1] = ends
    out = np.zeros(0, dtype=np.intc)
    found: cython.int[::1] = out
    writing: cython.bint
    step: cython.Py_ssize_t
    i: cython.Py_ssize_t
    u: cython.Py_ssize_t
    v: cython.Py_ssize_t
    w: cython.Py_ssize_t
    total: cython.Py_ssize_t
    for writing in (False, True):  # the first pass counts
        total = 0
        for step in range(count):
            u = sources[step]
            v = targets[step]
            if at[u, v] != TAIL:
                for i in range(offsets[v], offsets[v + 1]):
                    w = targets[i]
                    if at[u, v] + at[w, v] == ARROW + CIRCLE and w != u and not at[u, w]:
                        if writing:
                            found[total] = cython.cast(cython.int, i)
                        total += 1
            stops[step + 1] = total
        if not writing:
            out = np.zeros(total, dtype=np.intc)
            found = out
    return out, ends
