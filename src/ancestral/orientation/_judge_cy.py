"""Judges tell a collider from a non-collider: the only question for which rules look beyond the marks.

R0 asks it about an unshielded a–b–c, R4 about the end of a discriminating path <theta, ..., a, b, c>. A `TrueGraph`
knows the MAG and reads the marks at b. `Sepsets` knows, for each pair that was separated, the separating set: b is a
collider if it is not in the set that separated theta and c (for R0, theta is a).

A search that begins with a DAG records, for the pairs that it does not join, the sets by which the DAG separates them.
Then the same judge says what the DAG says first, and what the questions say second: where a–b–c is unshielded in the
DAG, b is a collider there exactly if it is not in such a set.

Answers: 1 collider, 0 non-collider, -1 unknown (no separating set is known: the rule stays silent).

Rules also take an unshielded triple that was not made a collider for a non-collider, which is right where a judge
answers for every such triple. `AgreedTriples` answers for some and leaves others open: rules ask it (`non_collider`).
"""

from typing import Any

import cython
import numpy as np

from ancestral.graphs._pair_numbers_cy import PairNumbers

if not cython.compiled:
    from ancestral.graphs.marks import ARROW


@cython.cclass
class Judge:
    """Answers "unknown"; its subclasses answer."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-2)
    def collider(
        self, theta: cython.Py_ssize_t, a: cython.Py_ssize_t, b: cython.Py_ssize_t, c: cython.Py_ssize_t
    ) -> cython.int:
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-2)
    def non_collider(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t, c: cython.Py_ssize_t) -> cython.bint:
        """Whether b is certainly no collider on the unshielded a–b–c, which has no arrowheads that make it one."""
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def knows_collider(self, b: cython.Py_ssize_t) -> cython.bint:
        """Whether b may be called a collider on some unshielded triple; if not, R0 need not look at those around b."""
        return True


@cython.cclass
class TrueGraph(Judge):
    """Reads the answer from the marks of a graph without circles."""

    def __init__(self, marks: Any) -> None:
        self.marks = np.array(marks, dtype=np.uint8, order="C")

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-2)
    def collider(
        self, theta: cython.Py_ssize_t, a: cython.Py_ssize_t, b: cython.Py_ssize_t, c: cython.Py_ssize_t
    ) -> cython.int:
        return self.marks[a, b] == ARROW and self.marks[c, b] == ARROW


@cython.final
@cython.cclass
class Sepsets(Judge):
    """Separating sets of pairs, each with the radius at which it was found, what found it (a number, up to the caller)
    and its evidence (a statistic and its degrees of freedom).

    `index` has 0 for a pair of which none is known, otherwise 1 + the number of the set; set number s is
    `members[starts[s]:starts[s + 1]]`, and `ends[s]` its pair. Set 0 is the empty one, which the pairs share that were
    found independent given nothing.
    """

    def __init__(self, n: cython.Py_ssize_t) -> None:
        self.index = PairNumbers(n)
        room: cython.Py_ssize_t = 8 * n + 2  # arrays grow when needed
        self.starts = np.zeros(room, dtype=np.intc)
        self.members = np.zeros(room, dtype=np.intc)
        self.ends = np.zeros((room, 2), dtype=np.intc)
        self.notes = np.zeros((room, 2), dtype=np.intc)
        self.evidence = np.zeros((room, 2))
        self.count = 1

    def record(
        self,
        x: cython.Py_ssize_t,
        y: cython.Py_ssize_t,
        given: Any,
        radius: cython.int = 0,
        found_by: cython.int = 0,
        evidence: Any = (float("nan"), 0.0),
    ) -> None:
        """Record that these nodes separate x and y; if there are none, with the note of the set that pairs share."""
        i: cython.Py_ssize_t
        start: cython.Py_ssize_t
        if not len(given):
            self.index.put(x, y, 1)
            return
        start = self.add(x, y, len(given))
        for i, z in enumerate(sorted(given)):
            self.members[start + i] = z
        self.notes[self.count - 1, 0] = radius
        self.notes[self.count - 1, 1] = found_by
        self.evidence[self.count - 1, 0] = evidence[0]
        self.evidence[self.count - 1, 1] = evidence[1]

    def record_all(self, pairs: Any, sets: Any, radius: cython.int, found_by: cython.int, evidence: Any) -> None:
        """Record a set for each of these pairs: rows of one size, not empty, and a row of evidence for each."""
        pairs_of: cython.int[:, ::1] = np.ascontiguousarray(pairs, dtype=np.intc)
        members: cython.int[:, ::1] = np.sort(np.asarray(sets, dtype=np.intc), axis=1)
        decided: cython.double[:, ::1] = np.ascontiguousarray(evidence, dtype=np.float64)
        start: cython.Py_ssize_t
        e: cython.Py_ssize_t
        i: cython.Py_ssize_t
        for e in range(pairs_of.shape[0]):
            start = self.add(pairs_of[e, 0], pairs_of[e, 1], members.shape[1])
            for i in range(members.shape[1]):
                self.members[start + i] = members[e, i]
            self.notes[self.count - 1, 0] = radius
            self.notes[self.count - 1, 1] = found_by
            self.evidence[self.count - 1, 0] = decided[e, 0]
            self.evidence[self.count - 1, 1] = decided[e, 1]

    def record_empty_sets(self, marks: Any) -> None:
        """Record, for every pair without an edge in this graph, that the empty set separates it."""
        self.index.begin_apart(marks)

    def forget(self, pairs: Any) -> None:
        """Remove the sets of these pairs, rows x, y: what separates them is not known."""
        for x, y in pairs.tolist():
            self.index.put(x, y, 0)

    @cython.cfunc
    @cython.exceptval(-1)
    def add(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.int:
        """Make room for a set of this size; return where its members begin."""
        start: cython.Py_ssize_t = self.starts[self.count]
        if self.count + 1 == self.starts.shape[0]:
            self.starts = np.concatenate([self.starts, np.zeros_like(self.starts)])
            self.ends = np.concatenate([self.ends, np.zeros_like(self.ends)])
            self.notes = np.concatenate([self.notes, np.zeros_like(self.notes)])
            self.evidence = np.concatenate([self.evidence, np.zeros_like(self.evidence)])
        if start + size > self.members.shape[0]:
            self.members = np.concatenate([self.members, np.zeros(start + size, dtype=np.intc)])
        self.count += 1
        self.starts[self.count] = cython.cast(cython.int, start + size)
        self.ends[self.count - 1, 0] = cython.cast(cython.int, min(x, y))
        self.ends[self.count - 1, 1] = cython.cast(cython.int, max(x, y))
        self.index.put(x, y, cython.cast(cython.int, self.count))
        return cython.cast(cython.int, start)

    def sets(self, before: cython.Py_ssize_t) -> list[tuple[int, int, tuple[int, ...], int, int, float, float]]:
        """The sets with numbers below `before`, except the one that pairs share, in the order of recording.

        For each: the pair, the smaller one first, the nodes, the radius, what found it, the statistic and its degrees
        of freedom.
        """
        out = []
        for s in range(1, before):
            given = tuple(np.asarray(self.members)[self.starts[s] : self.starts[s + 1]].tolist())
            x, y = int(self.ends[s, 0]), int(self.ends[s, 1])  # interpreted, these are numpy's own
            radius, found_by = int(self.notes[s, 0]), int(self.notes[s, 1])
            out.append((x, y, given, radius, found_by, float(self.evidence[s, 0]), float(self.evidence[s, 1])))
        return out

    def columns(self, before: cython.Py_ssize_t) -> tuple[Any, Any, Any, Any, Any]:
        """The sets with numbers below `before`, as `sets` lists them, in arrays.

        Rows of pairs, the size of each set, the members of all sets one after another, rows `radius, found by`, and
        rows `statistic, df`.
        """
        starts = np.asarray(self.starts)[1 : before + 1]
        return (
            np.array(np.asarray(self.ends)[1:before]),
            np.diff(starts),
            np.array(np.asarray(self.members)[: self.starts[before]]),
            np.array(np.asarray(self.notes)[1:before]),
            np.array(np.asarray(self.evidence)[1:before]),
        )

    def record_columns(self, pairs: Any, sizes: Any, members: Any, notes: Any, evidence: Any) -> None:
        """Record sets that `columns` gave, each with a note of its own, also if it is empty."""
        ends: cython.int[:, ::1] = np.ascontiguousarray(pairs, dtype=np.intc)
        lengths: cython.int[::1] = np.ascontiguousarray(sizes, dtype=np.intc)
        nodes: cython.int[::1] = np.ascontiguousarray(members, dtype=np.intc)
        noted: cython.int[:, ::1] = np.ascontiguousarray(notes, dtype=np.intc)
        decided: cython.double[:, ::1] = np.ascontiguousarray(evidence, dtype=np.float64)
        place: cython.Py_ssize_t = 0
        start: cython.Py_ssize_t
        e: cython.Py_ssize_t
        i: cython.Py_ssize_t
        for e in range(ends.shape[0]):
            start = self.add(ends[e, 0], ends[e, 1], lengths[e])
            for i in range(lengths[e]):
                self.members[start + i] = nodes[place + i]
            place += lengths[e]
            for i in range(2):
                self.notes[self.count - 1, i] = noted[e, i]
                self.evidence[self.count - 1, i] = decided[e, i]

    def pairs(self) -> Any:
        """The pairs with a set of their own, in the order in which they were separated."""
        return np.array(np.asarray(self.ends)[1 : self.count])

    def found_at(self, radius: cython.int, found_by: cython.int) -> Any:
        """The pairs that were separated at this radius by a set that is not empty and that `found_by` found."""
        notes = np.asarray(self.notes)[: self.count]
        found = (notes[:, 0] == radius) & (notes[:, 1] == found_by)
        found[0] = False
        return np.asarray(self.ends)[: self.count][found]

    def has_found(self, found_by: int) -> bool:
        """Whether some set of its own was found by this."""
        return bool((np.asarray(self.notes)[1 : self.count, 1] == found_by).any())

    def sets_of(self, pairs: Any) -> Any:
        """The sizes of the sets that separate these pairs, and a row for each that begins with its members."""
        numbers = self.index.of_pairs(pairs) - 1
        starts = np.asarray(self.starts)
        sizes = starts[numbers + 1] - starts[numbers]
        places = starts[numbers][:, None] + np.arange(sizes.max(initial=0))
        return sizes, np.asarray(self.members)[np.minimum(places, len(self.members) - 1)]

    def note(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> tuple[int, int, int]:
        """The number of the set that separates the pair, its radius, and what found it."""
        s: cython.Py_ssize_t = self.index.get(x, y) - 1
        return s, self.notes[s, 0], self.notes[s, 1]

    def find(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> Any:
        """The separating set as a tuple of positions, or None."""
        s: cython.Py_ssize_t = self.index.get(x, y) - 1
        if s < 0:
            return None
        return tuple(int(self.members[i]) for i in range(self.starts[s], self.starts[s + 1]))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def number(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.int:
        """0 if no set is known that separates the pair, 1 for the empty set, otherwise 1 + the number of the set."""
        return self.index.get(x, y)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def has(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.bint:
        """Whether v is in the separating set of x and y, which must be known."""
        i: cython.Py_ssize_t
        s: cython.Py_ssize_t = self.index.get(x, y) - 1
        for i in range(self.starts[s], self.starts[s + 1]):
            if self.members[i] == v:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-2)
    def collider(
        self, theta: cython.Py_ssize_t, a: cython.Py_ssize_t, b: cython.Py_ssize_t, c: cython.Py_ssize_t
    ) -> cython.int:
        if self.index.get(theta, c) == 0:
            return -1
        return not self.has(theta, c, b)


@cython.final
@cython.cclass
class AgreedTriples(Judge):
    """Knows of some unshielded triples whether they are colliders; about discriminating paths it asks `Sepsets`.

    `triples` are rows a, b, c, with `colliders` 1 or 0 for each. `keys` are the triples as numbers, in order;
    `middles[b]`: b is a collider on one of them.
    """

    def __init__(self, n: int, sepsets: Sepsets, triples: Any, colliders: Any) -> None:
        rows: cython.int[:, ::1] = np.ascontiguousarray(triples, dtype=np.intc)
        verdicts = np.ascontiguousarray(colliders, dtype=np.uint8)
        numbers = np.empty(len(verdicts), dtype=np.int64)
        keys: cython.longlong[::1] = numbers
        t: cython.Py_ssize_t
        self.n = n
        self.sepsets = sepsets
        for t in range(keys.shape[0]):
            keys[t] = self.key(rows[t, 0], rows[t, 1], rows[t, 2])
        order = numbers.argsort()
        self.keys = numbers[order]
        self.verdicts = verdicts[order]
        self.middles = np.zeros(n, dtype=np.uint8)
        for t in range(keys.shape[0]):
            if verdicts[t]:
                self.middles[rows[t, 1]] = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def key(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t, c: cython.Py_ssize_t) -> cython.longlong:
        """A triple as a number, the same in both directions."""
        return (cython.cast(cython.longlong, b) * self.n + min(a, c)) * self.n + max(a, c)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def verdict(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t, c: cython.Py_ssize_t) -> cython.int:
        """1, 0 or, of a triple that is open, -1, by bisection."""
        key: cython.longlong = self.key(a, b, c)
        low: cython.Py_ssize_t = 0
        high: cython.Py_ssize_t = self.keys.shape[0]
        middle: cython.Py_ssize_t
        while low < high:
            middle = (low + high) // 2
            if self.keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        if low < self.keys.shape[0] and self.keys[low] == key:
            return self.verdicts[low]
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-2)
    def collider(
        self, theta: cython.Py_ssize_t, a: cython.Py_ssize_t, b: cython.Py_ssize_t, c: cython.Py_ssize_t
    ) -> cython.int:
        return self.verdict(a, b, c) if theta == a else self.sepsets.collider(theta, a, b, c)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-2)
    def non_collider(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t, c: cython.Py_ssize_t) -> cython.bint:
        return self.verdict(a, b, c) == 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def knows_collider(self, b: cython.Py_ssize_t) -> cython.bint:
        return self.middles[b] != 0
