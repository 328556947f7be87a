"""Hill climbing over maximal ancestral graphs: from one change that lowers the score to the next.

Only candidate pairs change their type. The best single change is made as long as there is one that lowers the score.
When there is none, compound changes are tried: a pair changes its type, and so does another edge at one of its ends.
To remove an edge never lowers f, so where the other edge is removed, the first change must cost less than that saves,
by as much as the two are to gain.
Where the other edge gets another type, the first change may cost up to `reach`.

What a change adds is kept until the districts that it depends on change: `delta[i, t]` is for type t of pair i,
`compound[i]` for its best compound change.

Invariants: unless a pair is dirty, its values are those of the present graph. `version` counts the changes that were
made; what is blocked in the present version was found to be illegal.
"""

from typing import Any

import cython
import numpy as np

from ancestral.scores._score_cy import ScoredGraph
from ancestral.scores.ties import TIE

if not cython.compiled:
    from math import fabs

    from ancestral.scores._score_cy import UNKNOWN
    from ancestral.scores.edge_types import BOTH, NO_EDGE

#: A change must lower the score by this much; scores are known to within less.
LEAST_GAIN = 0.01
_LEAST_GAIN = cython.declare(cython.double, LEAST_GAIN)  # for compiled code, which reads no names of Python

#: Of changes whose gains differ by less the first one is made.
_TIE = cython.declare(cython.double, TIE)

#: What the first of two changes must gain beyond its penalty, if the second one removes an edge: the two together
#: cannot lower the score by more than that. Less is noise, and not to weigh it saves most of the time.
WORTH_A_SWAP = cython.declare(cython.double, 6.0)

#: The reach with which compound changes only remove edges.
NO_REACH = cython.declare(cython.double, -1.0)


@cython.final
@cython.cclass
class Climb(ScoredGraph):
    """A graph with its score, and what the changes of candidate pairs would add to it."""

    def __init__(self, covariance: Any, offset: Any, rows: float, *, reach: float = 10.0, **options: Any) -> None:
        self.version = 1
        self.reach = reach
        self.set_candidates(np.zeros((0, 2)))
        super().__init__(covariance, offset, rows, **options)
        self.touched = np.zeros(self.n, dtype=np.uint8)
        self.near = np.zeros(self.n, dtype=np.uint8)

    # -- from Python --------------------------------------------------------------------------------------------

    def set_candidates(self, pairs: Any) -> None:
        """The pairs whose type may change, as rows a, b."""
        rows = np.ascontiguousarray(pairs, dtype=np.intc).reshape(-1, 2)
        count = len(rows)
        self.pairs = count
        self.first = np.ascontiguousarray(rows[:, 0])
        self.second = np.ascontiguousarray(rows[:, 1])
        self.active = np.ones(count, dtype=np.uint8)
        self.delta = np.zeros((count, 4))
        self.blocked = np.zeros((count, 4), dtype=np.intc)
        self.compound = np.zeros(count)
        self.compound_change = np.zeros((count, 4), dtype=np.intc)
        self.compound_blocked = np.zeros(count, dtype=np.intc)
        self._forget()

    def set_active(self, active: Any) -> None:
        """Which candidate pairs take part in the next climbs."""
        self.active = np.array(active, dtype=np.uint8)

    def _forget(self) -> None:
        """Let all changes be weighed again."""
        self.version += 1
        self.dirty = np.ones(self.pairs, dtype=np.uint8)
        self.compound_dirty = np.ones(self.pairs, dtype=np.uint8)

    def load(self, marks: Any) -> None:
        """Take over a maximal ancestral graph, whatever the present one is."""
        super().load(marks)
        self._forget()

    def take_over(self, marks: Any) -> None:
        """Change the graph to another one that is maximal and ancestral; only districts that differ are fitted."""
        super().take_over(marks)
        self.touch()

    def weigh_all(self) -> None:
        """Weigh the single changes of all candidate pairs, so that excursions need not do it."""
        i: cython.Py_ssize_t
        with cython.nogil:
            for i in range(self.pairs):
                if self.dirty[i]:
                    self.weigh_types(i)

    def begin_excursion(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t, types: int, reverse: int) -> None:
        """Begin an excursion in which a pair is limited to these types, in either order.

        Until `end_excursion`, the candidates of climbs are the pairs at a or b and those between their neighbours, and
        of compound changes only those are made that remove an edge, so that climbs are quick.
        """
        i: cython.Py_ssize_t
        allowed = np.asarray(self.graph.types_allowed)
        self.left = (
            (a, b, allowed[a, b], allowed[b, a], self.version, self.reach),
            (np.array(self.active), np.array(self.delta), np.array(self.dirty), np.array(self.blocked)),
            (np.array(self.compound), np.array(self.compound_change)),
            (np.array(self.compound_dirty), np.array(self.compound_blocked)),
        )
        self.begin_recording()
        self.graph.types_allowed[a, b] = types
        self.graph.types_allowed[b, a] = reverse
        self.reach = NO_REACH
        self.version += 1
        self.near[:] = 0
        self.add_near(a)
        self.add_near(b)
        for i in range(self.pairs):
            self.active[i] = self.near[self.first[i]] and self.near[self.second[i]]
            if self.first[i] == a or self.second[i] == a or self.first[i] == b or self.second[i] == b:
                self.active[i] = 1
            self.compound_dirty[i] = self.active[i]
            if (self.first[i] == a and self.second[i] == b) or (self.first[i] == b and self.second[i] == a):
                self.dirty[i] = 1

    def end_excursion(self) -> None:
        """Go back to the graph at which the excursion began."""
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        self.take_back()
        (a, b, types, reverse, self.version, self.reach), singles, compounds, compound_states = self.left
        self.graph.types_allowed[a, b] = types
        self.graph.types_allowed[b, a] = reverse
        self.active, self.delta, self.dirty, self.blocked = singles
        self.compound, self.compound_change = compounds
        self.compound_dirty, self.compound_blocked = compound_states

    def change_types(self, pairs: Any, kinds: Any, limit: float = 1e298) -> bool:
        """Make several changes at once, if the graph is then legal and they add less than `limit` to the score."""
        made = bool(super().change_types(pairs, kinds, limit))
        if made:
            self.touch()
        return made

    def kind_of(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> int:
        """The type of a pair."""
        return self.graph.type_of(a, b)

    def may_change_to(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t, kind: cython.int) -> bool:
        """Whether the graph would still be legal if a pair had this type."""
        self.put(0, a, b, kind)
        self.changes = 1
        return bool(self.is_legal())

    def climb(self, most: cython.int = -1) -> int:
        """Change the graph until no change lowers the score, or until `most` changes were made; their number."""
        count: cython.int = 0
        with cython.nogil:
            while most < 0 or count < most:
                if not self.step() and not self.compound_step():
                    break
                count += 1
        return count

    def walk(self, pairs: Any, kinds: Any, most_nodes: cython.Py_ssize_t, limit: cython.double) -> int:
        """Give pairs these types one after the other, where that is legal and changes the score by less than `limit`.

        Districts of more than `most_nodes` nodes are left alone. Returns the number of changes.
        """
        i: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        count: cython.int = 0
        cost: cython.double
        rows: cython.int[:, ::1] = np.ascontiguousarray(pairs, dtype=np.intc)
        types: cython.int[::1] = np.ascontiguousarray(kinds, dtype=np.intc)
        with cython.nogil:
            for i in range(rows.shape[0]):
                a = rows[i, 0]
                b = rows[i, 1]
                if self.graph.type_of(a, b) == types[i]:
                    continue
                self.graph.begin_districts()
                if self.graph.district(b, self.members, self.graph.district(a, self.members, 0)) > most_nodes:
                    continue
                self.put(0, a, b, types[i])
                self.changes = 1
                cost = 0.0
                if types[i] == BOTH:
                    cost = self.latent_cost
                elif self.graph.type_of(a, b) == BOTH:
                    cost = -self.latent_cost
                if fabs(self.weigh() - cost) < limit and self.is_legal() and self.make(limit + cost):
                    self.touch()
                    count += 1
        return count

    # -- what must be weighed again -----------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def touch(self) -> cython.int:
        """Mark the pairs that must be weighed again: the districts in `members` have changed."""
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        self.version += 1
        self.touched[:] = 0
        self.near[:] = 0
        for i in range(self.member_count):
            v = self.members[i]
            self.touched[v] = 1
            self.add_near(v)
        for i in range(self.changes):
            self.near[self.change[i, 0]] = 1
            self.near[self.change[i, 1]] = 1
        for i in range(self.pairs):
            if self.touched[self.first[i]] or self.touched[self.second[i]]:
                self.dirty[i] = 1
            if self.near[self.first[i]] or self.near[self.second[i]]:
                self.compound_dirty[i] = 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add_near(self, v: cython.Py_ssize_t) -> cython.void:
        """Mark a node and its neighbours as near."""
        j: cython.Py_ssize_t
        self.near[v] = 1
        for j in range(self.degree(v)):
            self.near[self.neighbour(v, j)] = 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def degree(self, v: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The number of neighbours of a node."""
        return self.graph.parent_count[v] + self.graph.child_count[v] + self.graph.spouse_count[v]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def neighbour(self, v: cython.Py_ssize_t, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Neighbour number i of a node: its parents, then its children, then its spouses."""
        if i < self.graph.parent_count[v]:
            return self.graph.parents[v, i]
        i -= self.graph.parent_count[v]
        if i < self.graph.child_count[v]:
            return self.graph.children[v, i]
        return self.graph.spouses[v, i - self.graph.child_count[v]]

    # -- single changes -----------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def weigh_types(self, i: cython.Py_ssize_t) -> cython.int:
        """Weigh the types of a pair."""
        kind: cython.int
        a: cython.Py_ssize_t = self.first[i]
        b: cython.Py_ssize_t = self.second[i]
        for kind in range(4):
            if kind == self.graph.type_of(a, b) or not (self.graph.types_allowed[a, b] >> kind) & 1:
                self.delta[i, kind] = UNKNOWN
            else:
                self.put(0, a, b, kind)
                self.changes = 1
                self.delta[i, kind] = self.weigh()
        self.dirty[i] = 0
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def step(self) -> cython.int:
        """Make the single change that lowers the score most; whether there was one."""
        i: cython.Py_ssize_t
        kind: cython.int
        chosen: cython.int
        pair: cython.Py_ssize_t
        best: cython.double
        for i in range(self.pairs):
            if self.dirty[i] and self.active[i]:
                self.weigh_types(i)
        while True:
            best = -_LEAST_GAIN
            pair = -1
            chosen = 0
            for i in range(self.pairs):
                if self.active[i]:
                    for kind in range(4):
                        if self.delta[i, kind] < best - _TIE and self.blocked[i, kind] != self.version:
                            best = self.delta[i, kind]
                            pair = i
                            chosen = kind
            if pair < 0:
                return 0
            self.put(0, self.first[pair], self.second[pair], chosen)
            self.changes = 1
            if self.is_legal() and self.make(-_LEAST_GAIN):
                self.touch()
                return 1
            self.blocked[pair, chosen] = self.version

    # -- compound changes ---------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def weigh_compounds(self, i: cython.Py_ssize_t) -> cython.int:
        """Find the best change of a pair together with another edge at one of its ends."""
        kind: cython.int
        end: cython.int
        other: cython.int
        j: cython.Py_ssize_t
        u: cython.Py_ssize_t
        c: cython.Py_ssize_t
        a: cython.Py_ssize_t = self.first[i]
        b: cython.Py_ssize_t = self.second[i]
        added: cython.double
        self.compound[i] = UNKNOWN
        self.compound_dirty[i] = 0
        for kind in range(4):
            if self.delta[i, kind] >= UNKNOWN:
                continue
            for end in range(2):
                u = a if end == 0 else b
                for j in range(self.degree(u)):
                    c = self.neighbour(u, j)
                    if c == a or c == b:
                        continue
                    for other in range(4):
                        if other == self.graph.type_of(u, c) or not (self.graph.types_allowed[u, c] >> other) & 1:
                            continue
                        if other != NO_EDGE and self.delta[i, kind] >= self.reach:
                            continue
                        if other == NO_EDGE and (
                            kind == NO_EDGE or self.delta[i, kind] >= self.penalty(u, c) - WORTH_A_SWAP
                        ):
                            continue
                        self.put(0, u, c, other)
                        self.put(1, a, b, kind)
                        self.changes = 2
                        added = self.weigh()
                        if added < self.compound[i] - _TIE and added < -_LEAST_GAIN and self.is_legal():
                            self.compound[i] = added
                            self.compound_change[i, 0] = kind
                            self.compound_change[i, 1] = cython.cast(cython.int, u)
                            self.compound_change[i, 2] = cython.cast(cython.int, c)
                            self.compound_change[i, 3] = other
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def compound_step(self) -> cython.int:
        """Make the compound change that lowers the score most; whether there was one."""
        i: cython.Py_ssize_t
        pair: cython.Py_ssize_t
        best: cython.double
        for i in range(self.pairs):
            if self.compound_dirty[i] and self.active[i]:
                self.weigh_compounds(i)
        while True:
            best = -_LEAST_GAIN
            pair = -1
            for i in range(self.pairs):
                if self.active[i] and self.compound[i] < best - _TIE and self.compound_blocked[i] != self.version:
                    best = self.compound[i]
                    pair = i
            if pair < 0:
                return 0
            self.put(0, self.compound_change[pair, 1], self.compound_change[pair, 2], self.compound_change[pair, 3])
            self.put(1, self.first[pair], self.second[pair], self.compound_change[pair, 0])
            self.changes = 2
            if self.is_legal() and self.make(-_LEAST_GAIN):
                self.touch()
                return 1
            self.compound_blocked[pair] = self.version
