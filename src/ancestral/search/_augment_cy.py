"""The augmented skeleton of FCI+: arrowheads that need no orientation rule (Claassen, Mooij & Heskes 2013, lemma 2).

If Z is a minimal set that separates x and y, and adding one node w makes them dependent, then w is not an ancestor of
x, of y, of a node of Z, or of what was selected on. So there is an arrowhead at w on each edge to one of these.

The idea: for each separated pair only the neighbours of x, y and Z matter, and of these only those with an edge into
that set whose arrowhead is not known yet; each is asked about once. A pattern of four nodes (lemma 4) tells where these
arrowheads leave room for an edge that should not be there: `possible_links`.
"""

from typing import Any

import cython
import numpy as np

from ancestral.graphs.csr import compressed

if not cython.compiled:
    from math import isnan

    from ancestral._cython import bit64
    from ancestral._pulse_cy import Pulse
    from ancestral.graphs.marks import ARROW
    from ancestral.independence._questions_cy import Questions
    from ancestral.orientation._judge_cy import Sepsets


def augment(
    arrows: Any,
    pairs: Any,
    sepsets: Sepsets,
    questions: Questions,
    largest: int,
    counts: Any,
    has_answers: Any,
    answers: dict[Any, Any],
    pulse: Pulse,
) -> bool:
    """Add the arrowheads that follow from separated pairs to a matrix of marks, asking given up to `largest` nodes.

    Questions are counted by the size of the set in `counts`. `has_answers` is not 0 for the pairs about which questions
    have been asked before: `answers` holds these answers, by the pair and the set. Returns whether there would have
    been larger sets to ask about.
    """
    marks: cython.uchar[:, ::1] = arrows
    n: cython.Py_ssize_t = marks.shape[0]
    ends: cython.int[:, ::1] = np.ascontiguousarray(pairs, dtype=np.intc)
    answered: cython.uchar[::1] = has_answers
    _, heads, rows = compressed(arrows)
    targets: cython.int[::1] = heads
    starts: cython.int[::1] = rows
    base: cython.int[::1] = np.zeros(n + 1, dtype=np.intc)  # Z, then x and y
    turn: cython.Py_ssize_t[::1] = np.full(n, -1, dtype=np.intp)  # the last pair for which each node was looked at
    given: cython.int[::1] = np.zeros(n + 1, dtype=np.intc)
    asked: cython.longlong[::1] = counts
    most: cython.Py_ssize_t = largest
    forbidden: cython.bint = False
    e: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    s: cython.Py_ssize_t
    w: cython.Py_ssize_t
    size: cython.Py_ssize_t
    for e in range(ends.shape[0]):
        s = sepsets.number(ends[e, 0], ends[e, 1]) - 1
        size = sepsets.starts[s + 1] - sepsets.starts[s]
        for i in range(size):
            base[i] = given[i] = sepsets.members[sepsets.starts[s] + i]
        base[size] = ends[e, 0]
        base[size + 1] = ends[e, 1]
        for i in range(size + 2):
            turn[base[i]] = e
        for i in range(size + 2):
            for j in range(starts[base[i]], starts[base[i] + 1]):
                w = targets[j]
                if turn[w] == e or marks[base[i], w] == ARROW:
                    continue
                if size >= most:
                    forbidden = True
                    continue
                turn[w] = e
                given[size] = cython.cast(cython.int, w)
                pulse.beat()
                if answered[e]:
                    known = answers.get((ends[e, 0], ends[e, 1], tuple(sorted(np.asarray(given)[: size + 1].tolist()))))
                    if known is not None:
                        if not known.independent and not isnan(known.statistic):
                            point_at(marks, base, size + 2, w)
                        continue
                asked[size + 1] += 1
                if questions.independent(ends[e, 0], ends[e, 1], given, size + 1):
                    continue
                if not isnan(questions.statistic):  # the data support the answer
                    point_at(marks, base, size + 2, w)
    return bool(forbidden)


@cython.cfunc
@cython.exceptval(-1)
def point_at(
    marks: cython.uchar[:, ::1], base: cython.int[::1], count: cython.Py_ssize_t, w: cython.Py_ssize_t
) -> cython.int:
    """Put an arrowhead at w on each edge to the first `count` of these nodes."""
    i: cython.Py_ssize_t
    for i in range(count):
        if marks[base[i], w]:
            marks[base[i], w] = ARROW
    return 0


def possible_links(arrows: Any, anteriors: Any) -> Any:
    """Rows x, y with x < y, in order, such that u <-> x <-> y <-> v for some u and v, different and not adjacent.

    Moreover u may be an ancestor of y, and v of x: row y of the bitsets `anteriors` has u, row x has v.
    """
    marks: cython.const[cython.uchar][:, ::1] = arrows  # type: ignore[valid-type]
    before: cython.const[cython.ulonglong][:, ::1] = anteriors  # type: ignore[valid-type]
    steps_from, steps_to, rows = compressed(arrows)
    sources: cython.int[::1] = steps_from
    targets: cython.int[::1] = steps_to
    starts: cython.int[::1] = rows
    out = []
    e: cython.Py_ssize_t
    for e in range(targets.shape[0]):
        x: cython.Py_ssize_t = sources[e]
        y: cython.Py_ssize_t = targets[e]
        if x < y and both_ways(marks, x, y) and has_pattern(marks, before, starts, targets, x, y):
            out.append((x, y))
    return np.array(out, dtype=np.intc).reshape(-1, 2)


@cython.cfunc
@cython.exceptval(-1)
def both_ways(
    marks: cython.const[cython.uchar][:, ::1],  # type: ignore[valid-type]
    x: cython.Py_ssize_t,
    y: cython.Py_ssize_t,
) -> cython.bint:
    """x <-> y."""
    return marks[x, y] == ARROW and marks[y, x] == ARROW


@cython.cfunc
@cython.exceptval(-1)
def has_pattern(
    marks: cython.const[cython.uchar][:, ::1],  # type: ignore[valid-type]
    before: cython.const[cython.ulonglong][:, ::1],  # type: ignore[valid-type]
    starts: cython.int[::1],
    targets: cython.int[::1],
    x: cython.Py_ssize_t,
    y: cython.Py_ssize_t,
) -> cython.bint:
    """Whether there are nodes u and v that complete the pattern of `possible_links`."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    u: cython.Py_ssize_t
    v: cython.Py_ssize_t
    for i in range(starts[x], starts[x + 1]):
        u = targets[i]
        if u == y or not both_ways(marks, x, u) or not before[y, u >> 6] & bit64(u):
            continue
        for j in range(starts[y], starts[y + 1]):
            v = targets[j]
            if v == x or v == u or marks[u, v] or not both_ways(marks, y, v):
                continue
            if before[x, v >> 6] & bit64(v):
                return True
    return False
