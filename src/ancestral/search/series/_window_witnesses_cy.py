"""Witnesses about colliders in a window: for pairs that are not adjacent, the answers given small sets of neighbours.

The idea is that of `search/_witnesses_cy`: whether b is a collider between a and c shows in which sets separate them,
those with b or those without it. In a window the known ancestors of the pair are given with every set, and a triple is
asked about once for all its copies: at the latest place at which it is unshielded.

Rows: pair p has the rows `starts[p]` … `starts[p + 1] - 1` of `sets` (nodes beyond the known ancestors, at most two; -1
where there is none) and of the answers. The last row of a pair may be the set that was recorded when it was separated;
then `recorded` is 1.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from ancestral._pulse_cy import Pulse
    from ancestral.independence._questions_cy import Questions
    from ancestral.orientation._judge_cy import Sepsets


def unshielded_triples(marks: Any, sepsets: Sepsets, process: Any, lag: Any, at: Any) -> tuple[Any, Any]:
    """Rows a, c, b for each pair a < c that a known set separates and each b adjacent to both; and their latest copies.

    The latest copy of a triple is the one that ends nearest to t of those that are unshielded in the graph, with a < c.
    """
    joined: cython.const[cython.uchar][:, ::1] = np.ascontiguousarray(marks, dtype=np.uint8)  # type: ignore[valid-type]
    which: cython.const[cython.int][::1] = process  # type: ignore[valid-type]
    when: cython.const[cython.int][::1] = lag  # type: ignore[valid-type]
    place: cython.const[cython.int][:, ::1] = at  # type: ignore[valid-type]
    n: cython.Py_ssize_t = joined.shape[0]
    out = np.zeros((64, 6), dtype=np.intc)
    rows: cython.int[:, ::1] = out
    count: cython.Py_ssize_t = 0
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t
    u: cython.Py_ssize_t
    v: cython.Py_ssize_t
    w: cython.Py_ssize_t
    steps: cython.Py_ssize_t
    for a in range(n):
        for c in range(a + 1, n):
            if joined[a, c] != 0 or sepsets.number(a, c) == 0:
                continue
            for b in range(n):
                if joined[a, b] == 0 or joined[c, b] == 0:
                    continue
                steps = min(when[a], when[b], when[c])
                u, v, w = a, b, c
                while steps > 0:
                    u = place[which[a], when[a] - steps]
                    v = place[which[b], when[b] - steps]
                    w = place[which[c], when[c] - steps]
                    if joined[u, w] == 0 and joined[u, v] and joined[v, w] and sepsets.number(u, w):
                        break
                    steps -= 1
                if steps == 0:
                    u, v, w = a, b, c
                if count == rows.shape[0]:
                    out = np.concatenate([out, np.zeros_like(out)])
                    rows = out
                rows[count, 0] = cython.cast(cython.int, a)
                rows[count, 1] = cython.cast(cython.int, c)
                rows[count, 2] = cython.cast(cython.int, b)
                rows[count, 3] = cython.cast(cython.int, min(u, w))
                rows[count, 4] = cython.cast(cython.int, max(u, w))
                rows[count, 5] = cython.cast(cython.int, v)
                count += 1
    return np.ascontiguousarray(out[:count, :3]), np.ascontiguousarray(out[:count, 3:])


@cython.final
@cython.cclass
class WindowWitnesses:
    """Asks about pairs of a graph; `causes[a, x]`: a is known to cause x, `no_cause[a, x]`: it is known not to."""

    def __init__(
        self, questions: Questions, marks: Any, sepsets: Sepsets, causes: Any, no_cause: Any, pulse: Pulse
    ) -> None:
        self.questions = questions
        self.marks = np.ascontiguousarray(marks, dtype=np.uint8)
        self.sepsets = sepsets
        self.causes = np.ascontiguousarray(causes, dtype=np.uint8)
        self.no_cause = np.ascontiguousarray(no_cause, dtype=np.uint8)
        self.pulse = pulse
        self.n = len(marks)
        self.base = np.zeros(self.n + 2, dtype=np.intc)
        self.given = np.zeros(self.n + 2, dtype=np.intc)
        self.pool = np.zeros((2, self.n), dtype=np.intc)
        self.in_first = np.zeros(self.n, dtype=np.uint8)

    def counts(self, pairs: Any, largest: int) -> Any:
        """The number of rows that each pair needs, with sets of up to `largest` (1 or 2) nodes."""
        ends: cython.int[:, ::1] = pairs
        out = np.zeros(len(pairs), dtype=np.int64)
        rows: cython.longlong[::1] = out
        p: cython.Py_ssize_t
        side: cython.Py_ssize_t
        count: cython.Py_ssize_t
        for p in range(ends.shape[0]):
            rows[p] = 2
            for side in range(2):
                count = self.find_pool(side, ends[p, 0], ends[p, 1])
                rows[p] += count + (count * (count - 1) // 2 if largest > 1 else 0)
        return out

    def ask(self, pairs: Any, starts: Any, largest: int, sets: Any, recorded: Any, sizes: Any, evidence: Any) -> None:
        """Ask about all sets of these pairs, and fill in their rows; rows that are left over keep NaN as evidence.

        `sizes` gets the number of all nodes that were given; `evidence` the statistic and the degrees of freedom.
        """
        ends: cython.int[:, ::1] = pairs
        firsts: cython.longlong[::1] = starts
        most: cython.int = largest
        p: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        side: cython.Py_ssize_t
        count: cython.Py_ssize_t
        self.sets, self.recorded, self.sizes, self.evidence = sets, recorded, sizes, evidence
        with cython.nogil:
            for p in range(ends.shape[0]):
                self.x, self.y, self.row = ends[p, 0], ends[p, 1], firsts[p]
                self.find_base()
                self.answer(-1, -1)
                for side in range(2):
                    count = self.find_pool(side, self.x, self.y)
                    for i in range(count):
                        self.in_first[self.pool[side, i]] |= 1 if side == 0 else 2
                        if side == 0 or self.in_first[self.pool[side, i]] == 2:
                            self.answer(self.pool[side, i], -1)
                    if most > 1:
                        for i in range(count):
                            for j in range(i + 1, count):
                                if side == 1 and self.both(self.pool[1, i]) and self.both(self.pool[1, j]):
                                    continue
                                self.answer(self.pool[side, i], self.pool[side, j])
                self.answer_recorded()
                for i in range(self.n):
                    self.in_first[i] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def both(self, v: cython.Py_ssize_t) -> cython.bint:
        """Whether v is in the pools of both ends."""
        return self.in_first[v] == 3

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_pool(self, side: cython.Py_ssize_t, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Find the neighbours of x, or of y, that may be in a set beyond the known ancestors; returns their number."""
        root: cython.Py_ssize_t = x if side == 0 else y
        count: cython.Py_ssize_t = 0
        v: cython.Py_ssize_t
        for v in range(self.n):
            if self.marks[root, v] == 0 or (self.no_cause[v, x] and self.no_cause[v, y]):
                continue
            if not self.causes[v, x] and not self.causes[v, y]:
                self.pool[side, count] = cython.cast(cython.int, v)
                count += 1
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_base(self) -> cython.void:
        """Find the known ancestors of the pair."""
        v: cython.Py_ssize_t
        self.base_count = 0
        for v in range(self.n):
            if v != self.x and v != self.y and (self.causes[v, self.x] or self.causes[v, self.y]):
                self.base[self.base_count] = cython.cast(cython.int, v)
                self.base_count += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def answer(self, z: cython.int, w: cython.int) -> cython.int:
        """Ask given the known ancestors and these nodes, as the next row; -1: none."""
        i: cython.Py_ssize_t
        size: cython.Py_ssize_t = self.base_count
        for i in range(size):
            self.given[i] = self.base[i]
        self.sets[self.row, 0] = z
        self.sets[self.row, 1] = w
        if z >= 0:
            self.given[size] = z
            size += 1
        if w >= 0:
            self.given[size] = w
            size += 1
        return self.fill(size)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def answer_recorded(self) -> cython.int:
        """Ask given the set that was recorded, which is a set of its own if it has more than two further nodes."""
        s: cython.Py_ssize_t = self.sepsets.number(self.x, self.y) - 1
        first: cython.Py_ssize_t = self.sepsets.starts[s]
        size: cython.Py_ssize_t = self.sepsets.starts[s + 1] - first
        i: cython.Py_ssize_t
        if size <= self.base_count + 2:
            return 0
        for i in range(size):
            self.given[i] = self.sepsets.members[first + i]
        self.recorded[self.row] = 1
        return self.fill(size)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def fill(self, size: cython.Py_ssize_t) -> cython.int:
        """Ask given the first nodes of `given`, and fill in the row."""
        self.pulse.beat()
        self.questions.independent(self.x, self.y, self.given, size)
        self.sizes[self.row] = cython.cast(cython.int, size)
        self.evidence[self.row, 0] = self.questions.statistic
        self.evidence[self.row, 1] = cython.cast(cython.double, self.questions.df)
        self.row += 1
        return 0

    def weigh(self, triples: Any, of_pair: Any, starts: Any, p_values: Any, alpha: float) -> tuple[Any, Any]:
        """What the answers say about triples, rows a, c, b with the number of their pair.

        Returns rows: the largest p-value given a set with b, and without b; and rows: how many sets with b, and how
        many without b, have p-values above alpha.
        """
        nodes: cython.int[:, ::1] = triples
        pairs: cython.longlong[::1] = of_pair
        firsts: cython.longlong[::1] = starts
        p: cython.double[::1] = p_values
        level: cython.double = alpha
        largest = np.full((len(triples), 2), np.nan)
        separating = np.zeros((len(triples), 2), dtype=np.int64)
        most: cython.double[:, ::1] = largest
        votes: cython.longlong[:, ::1] = separating
        t: cython.Py_ssize_t
        r: cython.Py_ssize_t
        b: cython.int
        without: cython.Py_ssize_t
        for t in range(nodes.shape[0]):
            b = nodes[t, 2]
            for r in range(firsts[pairs[t]], firsts[pairs[t] + 1]):
                if p[r] != p[r]:
                    continue
                if self.recorded[r]:
                    without = 0 if self.sepsets.has(nodes[t, 0], nodes[t, 1], b) else 1
                else:
                    without = 0 if self.sets[r, 0] == b or self.sets[r, 1] == b else 1
                if not most[t, without] >= p[r]:
                    most[t, without] = p[r]
                votes[t, without] += p[r] > level
        return largest, separating
