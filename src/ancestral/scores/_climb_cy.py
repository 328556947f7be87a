"""Hill climbing over maximal ancestral graphs, from one change that lowers the score to the next.

The score, lower is better, is the extended BIC (Foygel & Drton 2010):

    rows * (sum of f over districts) + sum over edges a-b of (k_a k_b log rows + 4 gamma log p)

where k is the number of columns of a variable. A change of the type of a pair alters the districts of the ends whose
parents or spouses change, and no other. So a change is weighed by the f of these districts; values are cached under
a hash of the district, its parents and its bidirected edges.

Districts of more than `exact_nodes` nodes are not fitted for each change that is weighed. From the parameters of the
present graph, the equations of the changed ends and of their spouses are fitted again, twice. That bounds f from above,
so a change that seems to lower the score does; it is fitted before it is taken.

Single changes come first. When none lowers the score, compound ones are tried: a pair changes its type while another
edge at one of its ends is removed. To remove an edge never lowers f, so only changes that cost less than the removed
edge saves need be considered.

Invariants: the graph is maximal and ancestral, `total` its score; `f_node[v]` and `logdet_node[v]` are those of the
district of v. `delta[i, t]` is what type t of pair i would add to the score, unless the pair is dirty; a blocked change
was found to be illegal in the present graph.
"""

from typing import Any

import cython
import numpy as np

from ancestral.scores._ancestral_cy import AncestralGraph
from ancestral.scores._districts_cy import Districts

if not cython.compiled:
    from math import fabs

    from ancestral._pulse_cy import Pulse

NO_EDGE = cython.declare(cython.int, 0)
FORTH = cython.declare(cython.int, 1)
BACK = cython.declare(cython.int, 2)
BOTH = cython.declare(cython.int, 3)

#: A change must lower the score by this much; f is known to within less.
LEAST_GAIN = cython.declare(cython.double, 0.01)

#: Not a number that f can be: no value is known.
UNKNOWN = cython.declare(cython.double, 1e299)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort(values: cython.int[::1], first: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.void:
    """Sort a part of a list that is short, or nearly sorted."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    v: cython.int
    for i in range(first + 1, stop):
        v = values[i]
        j = i
        while j > first and values[j - 1] > v:
            values[j] = values[j - 1]
            j -= 1
        values[j] = v


@cython.final
@cython.cclass
class Climb:
    """A graph, its score, and the changes of candidate pairs that would lower it."""

    def __init__(
        self,
        covariance: Any,
        offset: Any,
        rows: float,
        gamma: float = 0.5,
        types_allowed: Any = None,
        no_cause: Any = None,
        pulse: Any = None,
        exact_nodes: int = 5,
    ) -> None:
        n = len(offset) - 1
        self.n = n
        self.graph = AncestralGraph(n, types_allowed, no_cause)
        self.districts = Districts(covariance, offset, tolerance=1e-3 / rows)
        self.pulse = Pulse() if pulse is None else pulse
        self.rows = rows
        self.log_rows = float(np.log(rows))
        self.extra = 4.0 * gamma * float(np.log(max(n, 1)))
        self.width = np.diff(offset).astype(np.intc)
        self.f_node = np.zeros(n)
        self.logdet_node = np.zeros(n)
        self.total = 0.0
        self.keys = np.zeros(1 << 12, dtype=np.int64)
        self.values = np.zeros(1 << 12)
        self.used = 0
        self.affected = np.zeros(8, dtype=np.intc)
        self.old_members = np.zeros(n, dtype=np.intc)
        self.new_members = np.zeros(n, dtype=np.intc)
        self.piece = np.zeros(n, dtype=np.intc)
        self.pieces = np.zeros(16, dtype=np.intc)
        self.touched = np.zeros(n, dtype=np.uint8)
        self.near = np.zeros(n, dtype=np.uint8)
        self.change = np.zeros((4, 4), dtype=np.intc)
        self.changes = 0
        self.accepted = 1
        self.weighed = 0
        self.screened = 0
        self.taken = 0
        self.exact_nodes = exact_nodes
        self.set_candidates(np.zeros((0, 2), dtype=np.intc))
        self.score_anew()

    # -- from Python --------------------------------------------------------------------------------------------

    def matrix(self) -> Any:
        """The marks of the graph."""
        return self.graph.matrix()

    def set_candidates(self, pairs: Any) -> None:
        """The pairs whose type may change, as rows a, b."""
        rows = np.ascontiguousarray(pairs, dtype=np.intc).reshape(-1, 2)
        count = len(rows)
        self.pairs = count
        self.first = np.ascontiguousarray(rows[:, 0])
        self.second = np.ascontiguousarray(rows[:, 1])
        self.delta = np.zeros((count, 4))
        self.blocked = np.zeros((count, 4), dtype=np.intc)
        self.dirty = np.ones(count, dtype=np.uint8)
        self.compound = np.zeros(count)
        self.compound_move = np.zeros((count, 3), dtype=np.intc)
        self.compound_blocked = np.zeros(count, dtype=np.intc)
        self.compound_dirty = np.ones(count, dtype=np.uint8)
        self.active = np.ones(count, dtype=np.uint8)

    def set_active(self, active: Any) -> None:
        """Which candidate pairs take part in the next climb."""
        self.active = np.ascontiguousarray(active, dtype=np.uint8)

    def load(self, marks: Any) -> None:
        """Take over a graph that is ancestral and maximal, whatever the present one is."""
        edges = np.asarray(self.graph.marks)
        for a, b in np.argwhere(np.triu((edges != marks) | (edges.T != np.asarray(marks).T), 1)).tolist():
            self.graph.change(a, b, 0)
        for a, b in np.argwhere(np.triu((np.asarray(self.graph.marks) == 0) & (np.asarray(marks) != 0), 1)).tolist():
            self.graph.change(a, b, 3 if marks[a, b] == marks[b, a] else 1 if marks[a, b] == 2 else 2)
        self.score_anew()

    def score_anew(self) -> float:
        """Fit every district of the graph, and sum up its score."""
        v: cython.Py_ssize_t
        u: cython.Py_ssize_t
        i: cython.Py_ssize_t
        count: cython.Py_ssize_t
        f: cython.double
        self.total = 0.0
        done = np.zeros(self.n, dtype=np.uint8)
        for v in range(self.n):
            self.pulse.step()
            if done[v]:
                continue
            self.graph.begin_districts()
            count = self.graph.district(v, self.piece, 0)
            sort(self.piece, 0, count)
            f = self.fit_and_keep(count)
            self.total += self.rows * f
            for i in range(count):
                u = self.piece[i]
                done[u] = 1
        for v in range(self.n):
            for i in range(self.graph.parent_count[v]):
                self.total += self.penalty(self.graph.parents[v, i], v)
            for i in range(self.graph.spouse_count[v]):
                if self.graph.spouses[v, i] > v:
                    self.total += self.penalty(self.graph.spouses[v, i], v)
        self.accepted += 1
        if self.pairs:
            self.dirty[:] = 1
            self.compound_dirty[:] = 1
        return self.total

    def weigh_change(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t, kind: cython.int) -> float:
        """What it would add to the score to give a pair this type."""
        self.put(0, a, b, kind)
        self.changes = 1
        return self.weigh()

    def take(self, pairs: Any, kinds: Any, limit: float) -> bool:
        """Make several changes at once, if the graph is then legal and the score rises by less than `limit`."""
        return bool(self._take(np.asarray(pairs).tolist(), np.asarray(kinds).tolist(), limit))

    def climb(self, steps: int = -1, compounds: bool = True) -> int:
        """Change the graph until no change lowers the score, or so many changes were made; the number of changes."""
        done: cython.int
        count: cython.int = 0
        most: cython.int = steps
        with_compounds: cython.bint = compounds
        with cython.nogil:
            while most < 0 or count < most:
                done = self.step()
                if not done and with_compounds:
                    done = self.compound_step()
                if not done:
                    break
                count += 1
        return count

    def walk(self, pairs: Any, kinds: Any, most_nodes: int, tolerance: float) -> int:
        """Give pairs these types one after the other, where that is legal and hardly changes the score; how many."""
        i: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        count: cython.int = 0
        rows: cython.int[:, ::1] = np.ascontiguousarray(pairs, dtype=np.intc)
        types: cython.int[::1] = np.ascontiguousarray(kinds, dtype=np.intc)
        most: cython.Py_ssize_t = most_nodes
        limit: cython.double = tolerance
        with cython.nogil:
            for i in range(rows.shape[0]):
                a = rows[i, 0]
                b = rows[i, 1]
                if self.graph.type_of(a, b) == types[i]:
                    continue
                self.graph.begin_districts()
                if self.graph.district(b, self.old_members, self.graph.district(a, self.old_members, 0)) > most:
                    continue
                self.put(0, a, b, types[i])
                self.changes = 1
                if fabs(self.weigh()) < limit and self.legal() and self.try_changes(limit):
                    count += 1
        return count

    # -- weighing -----------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put(self, i: cython.int, a: cython.Py_ssize_t, b: cython.Py_ssize_t, kind: cython.int) -> cython.void:
        self.change[i, 0] = cython.cast(cython.int, a)
        self.change[i, 1] = cython.cast(cython.int, b)
        self.change[i, 2] = kind
        self.change[i, 3] = self.graph.type_of(a, b)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def penalty(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.double:
        return self.width[a] * self.width[b] * self.log_rows + self.extra

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look_up(self, key: cython.longlong) -> cython.double:
        i: cython.Py_ssize_t = key & (self.keys.shape[0] - 1)
        if key == 0:
            key = 1
        while self.keys[i] != 0:
            if self.keys[i] == key:
                return self.values[i]
            i = (i + 1) & (self.keys.shape[0] - 1)
        return UNKNOWN

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def remember(self, key: cython.longlong, value: cython.double) -> cython.int:
        i: cython.Py_ssize_t
        if 2 * self.used > self.keys.shape[0]:
            with cython.gil:
                self._grow_cache()
        if key == 0:
            key = 1
        i = key & (self.keys.shape[0] - 1)
        while self.keys[i] != 0:
            if self.keys[i] == key:
                self.values[i] = value
                return 0
            i = (i + 1) & (self.keys.shape[0] - 1)
        self.keys[i] = key
        self.values[i] = value
        self.used += 1
        return 0

    def _grow_cache(self) -> None:
        i: cython.Py_ssize_t
        keys, values = np.array(self.keys), np.array(self.values)
        self.keys = np.zeros(2 * len(keys), dtype=np.int64)
        self.values = np.zeros(2 * len(keys))
        self.used = 0
        for i in np.flatnonzero(keys).tolist():
            self.remember(int(keys[i]), float(values[i]))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def list_affected(self) -> cython.int:
        """The nodes whose parents or spouses the changes alter."""
        i: cython.int
        j: cython.int
        end: cython.int
        both: cython.int
        k: cython.int
        known: cython.bint
        self.affected_count = 0
        for i in range(self.changes):
            # bits: 1 for the first end, 2 for the second
            both = 0
            for j in range(2, 4):
                if self.change[i, j] == FORTH:
                    both |= 2
                elif self.change[i, j] == BACK:
                    both |= 1
                elif self.change[i, j] == BOTH:
                    both |= 3
            for j in range(2):
                if (both >> j) & 1:
                    end = self.change[i, j]
                    known = False
                    for k in range(self.affected_count):
                        if self.affected[k] == end:
                            known = True
                    if not known:
                        self.affected[self.affected_count] = end
                        self.affected_count += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def apply(self) -> cython.int:
        i: cython.int
        for i in range(self.changes):
            self.graph.set_type(self.change[i, 0], self.change[i, 1], self.change[i, 2])
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def revert(self) -> cython.int:
        i: cython.int = self.changes - 1
        while i >= 0:
            self.graph.set_type(self.change[i, 0], self.change[i, 1], self.change[i, 3])
            i -= 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def weigh(self) -> cython.double:
        """What the changes would add to the score; of large districts, a bound from above."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        before: cython.Py_ssize_t
        pieces: cython.Py_ssize_t = 0
        old: cython.double = 0.0
        new: cython.double = 0.0
        logdet: cython.double = 0.0
        extra: cython.double = 0.0
        f: cython.double
        key: cython.longlong
        large: cython.bint = False
        self.pulse.beat()
        self.weighed += 1
        self.list_affected()
        for i in range(self.changes):
            if self.change[i, 2] != NO_EDGE and self.change[i, 3] == NO_EDGE:
                extra += self.penalty(self.change[i, 0], self.change[i, 1])
            elif self.change[i, 2] == NO_EDGE and self.change[i, 3] != NO_EDGE:
                extra -= self.penalty(self.change[i, 0], self.change[i, 1])
        self.graph.begin_districts()
        for i in range(self.affected_count):
            before = count
            count = self.graph.district(self.affected[i], self.old_members, count)
            if count > before:
                old += self.f_node[self.affected[i]]
                logdet += self.logdet_node[self.affected[i]]
        self.apply()
        self.graph.begin_districts()
        count = 0
        for i in range(self.affected_count):
            before = count
            count = self.graph.district(self.affected[i], self.new_members, count)
            if count == before:
                continue
            key = 0
            for j in range(before, count):
                key ^= self.graph.node_hash[self.new_members[j]]
            f = self.look_up(key)
            if f == UNKNOWN:
                if count - before > self.exact_nodes:
                    large = True
                    continue
                sort(self.new_members, before, count)
                for j in range(before, count):
                    self.piece[j - before] = self.new_members[j]
                f = self.districts.fit(self.graph, self.piece, count - before)
                self.remember(key, f)
            new += f
        if large:
            new = self.screen(count, logdet)
        self.revert()
        return self.rows * (new - old) + extra

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def screen(self, count: cython.Py_ssize_t, logdet: cython.double) -> cython.double:
        """A bound on f of the changed districts together: a few equations are fitted, from the kept parameters."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        sweep: cython.int
        v: cython.Py_ssize_t
        self.screened += 1
        sort(self.new_members, 0, count)
        self.districts.begin(self.graph, self.new_members, count)
        self.districts.begin_kept(self.graph, logdet)
        for sweep in range(2):
            for i in range(self.affected_count):
                v = self.affected[i]
                self.districts.update(self.graph, self.districts.local[v])
            for i in range(self.affected_count):
                v = self.affected[i]
                for j in range(self.graph.spouse_count[v]):
                    self.districts.update(self.graph, self.districts.local[self.graph.spouses[v, j]])
        return self.districts.value()

    # -- changing -----------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def legal(self) -> cython.int:
        """Whether the graph would be ancestral and maximal, and knowledge kept, after the changes."""
        i: cython.int
        good: cython.int = 1
        for i in range(self.changes):  # all edges that change go first, so that their order does not matter
            self.graph.set_type(self.change[i, 0], self.change[i, 1], NO_EDGE)
        for i in range(self.changes):
            if not self.graph.may_set(self.change[i, 0], self.change[i, 1], self.change[i, 2]):
                good = 0
                break
            self.graph.set_type(self.change[i, 0], self.change[i, 1], self.change[i, 2])
        if good:
            for i in range(self.changes):
                if not self.graph.is_maximal_after(self.change[i, 0], self.change[i, 1]):
                    good = 0
                    break
        self.revert()
        return good

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def try_changes(self, limit: cython.double) -> cython.int:
        """Make the changes if they add less than `limit` to the score; they are known to be legal."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        h: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        before: cython.Py_ssize_t
        pieces: cython.Py_ssize_t = 0
        old: cython.double = 0.0
        new: cython.double = 0.0
        logdet: cython.double = 0.0
        added: cython.double = 0.0
        f: cython.double
        key: cython.longlong
        largest: cython.Py_ssize_t = 0
        self.list_affected()
        for i in range(self.changes):
            if self.change[i, 2] != NO_EDGE and self.change[i, 3] == NO_EDGE:
                added += self.penalty(self.change[i, 0], self.change[i, 1])
            elif self.change[i, 2] == NO_EDGE and self.change[i, 3] != NO_EDGE:
                added -= self.penalty(self.change[i, 0], self.change[i, 1])
        self.graph.begin_districts()
        for i in range(self.affected_count):
            before = count
            count = self.graph.district(self.affected[i], self.old_members, count)
            if count > before:
                old += self.f_node[self.affected[i]]
                logdet += self.logdet_node[self.affected[i]]
        self.apply()
        self.graph.begin_districts()
        count = 0
        for i in range(self.affected_count):
            before = count
            count = self.graph.district(self.affected[i], self.new_members, count)
            if count > before:
                sort(self.new_members, before, count)
                self.pieces[pieces] = cython.cast(cython.int, before)
                pieces += 1
                largest = max(largest, count - before)
        self.pieces[pieces] = cython.cast(cython.int, count)
        if largest > self.exact_nodes:
            for i in range(count):
                self.piece[i] = self.new_members[i]
            sort(self.piece, 0, count)
            self.districts.begin(self.graph, self.piece, count)
            self.districts.begin_kept(self.graph, logdet)
            new = self.districts.converge(self.graph)
            added += self.rows * (new - old)
            if added >= limit:
                self.revert()
                return 0
            self.districts.keep()
            for i in range(pieces):
                for j in range(self.pieces[i], self.pieces[i + 1]):
                    self.piece[j - self.pieces[i]] = self.new_members[j]
                self.note_kept(self.pieces[i + 1] - self.pieces[i])
        else:
            for i in range(pieces):
                key = 0
                for j in range(self.pieces[i], self.pieces[i + 1]):
                    key ^= self.graph.node_hash[self.new_members[j]]
                f = self.look_up(key)
                if f == UNKNOWN:
                    for j in range(self.pieces[i], self.pieces[i + 1]):
                        self.piece[j - self.pieces[i]] = self.new_members[j]
                    f = self.districts.fit(self.graph, self.piece, self.pieces[i + 1] - self.pieces[i])
                    self.remember(key, f)
                new += f
            added += self.rows * (new - old)
            if added >= limit:
                self.revert()
                return 0
            for i in range(pieces):
                for j in range(self.pieces[i], self.pieces[i + 1]):
                    self.piece[j - self.pieces[i]] = self.new_members[j]
                self.fit_and_keep(self.pieces[i + 1] - self.pieces[i])
        self.total += added
        self.taken += 1
        self.accepted += 1
        self.touch_pairs(count)
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def fit_and_keep(self, count: cython.Py_ssize_t) -> cython.double:
        """Fit the district in `piece`, keep its parameters and its f; returns f."""
        i: cython.Py_ssize_t
        f: cython.double
        logdet: cython.double
        if count == 1:
            f = self.districts.single(self.graph, self.piece[0], True)
            logdet = f - self.width[self.piece[0]]
        else:
            self.districts.begin(self.graph, self.piece, count)
            self.districts.begin_anew(self.graph)
            f = self.districts.converge(self.graph)
            logdet = self.districts.logdet
            self.districts.keep()
        for i in range(count):
            self.districts.kept_with[self.piece[i]] = self.piece[0]
            self.f_node[self.piece[i]] = f
            self.logdet_node[self.piece[i]] = logdet
        return f

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def note_kept(self, count: cython.Py_ssize_t) -> cython.int:
        """Note f of the district in `piece`, whose parameters are kept already."""
        i: cython.Py_ssize_t
        f: cython.double
        key: cython.longlong = 0
        if count == 1:
            self.fit_and_keep(1)
            return 0
        for i in range(count):
            self.districts.kept_with[self.piece[i]] = self.piece[0]
        self.districts.begin(self.graph, self.piece, count)
        self.districts.begin_kept(self.graph, 0.0)
        self.districts.logdet = -self.districts.log_determinant_of_k()
        f = self.districts.value()
        for i in range(count):
            self.f_node[self.piece[i]] = f
            self.logdet_node[self.piece[i]] = self.districts.logdet
            key ^= self.graph.node_hash[self.piece[i]]
        self.remember(key, f)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def touch_pairs(self, count: cython.Py_ssize_t) -> cython.int:
        """Mark the pairs that must be weighed again: those at nodes of the districts in `new_members`."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        v: cython.Py_ssize_t
        self.touched[:] = 0
        self.near[:] = 0
        for i in range(count):
            v = self.new_members[i]
            self.touched[v] = 1
            self.near[v] = 1
            for j in range(self.graph.parent_count[v]):
                self.near[self.graph.parents[v, j]] = 1
            for j in range(self.graph.child_count[v]):
                self.near[self.graph.children[v, j]] = 1
            for j in range(self.graph.spouse_count[v]):
                self.near[self.graph.spouses[v, j]] = 1
        for i in range(self.changes):
            for j in range(2):
                self.near[self.change[i, j]] = 1
        for i in range(self.pairs):
            if self.touched[self.first[i]] or self.touched[self.second[i]]:
                self.dirty[i] = 1
            if self.near[self.first[i]] or self.near[self.second[i]]:
                self.compound_dirty[i] = 1
        return 0

    # -- steps --------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def refresh(self, i: cython.Py_ssize_t) -> cython.int:
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
        best: cython.double
        pair: cython.Py_ssize_t
        chosen: cython.int
        for i in range(self.pairs):
            if self.dirty[i] and self.active[i]:
                self.refresh(i)
        while True:
            best = -LEAST_GAIN
            pair = -1
            chosen = 0
            for i in range(self.pairs):
                if self.active[i]:
                    for kind in range(4):
                        if self.delta[i, kind] < best and self.blocked[i, kind] != self.accepted:
                            best = self.delta[i, kind]
                            pair = i
                            chosen = kind
            if pair < 0:
                return 0
            self.put(0, self.first[pair], self.second[pair], chosen)
            self.changes = 1
            if self.legal() and self.try_changes(-LEAST_GAIN):
                return 1
            self.blocked[pair, chosen] = self.accepted

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def refresh_compound(self, i: cython.Py_ssize_t) -> cython.int:
        """The best change of the type of a pair together with the removal of another edge at one of its ends."""
        kind: cython.int
        end: cython.int
        j: cython.Py_ssize_t
        u: cython.Py_ssize_t
        c: cython.Py_ssize_t
        a: cython.Py_ssize_t = self.first[i]
        b: cython.Py_ssize_t = self.second[i]
        neighbours: cython.Py_ssize_t
        gain: cython.double
        self.compound[i] = UNKNOWN
        self.compound_dirty[i] = 0
        for kind in range(1, 4):
            if self.delta[i, kind] >= UNKNOWN:
                continue
            for end in range(2):
                u = a if end == 0 else b
                neighbours = self.graph.parent_count[u] + self.graph.child_count[u] + self.graph.spouse_count[u]
                for j in range(neighbours):
                    if j < self.graph.parent_count[u]:
                        c = self.graph.parents[u, j]
                    elif j < self.graph.parent_count[u] + self.graph.child_count[u]:
                        c = self.graph.children[u, j - self.graph.parent_count[u]]
                    else:
                        c = self.graph.spouses[u, j - self.graph.parent_count[u] - self.graph.child_count[u]]
                    if c == a or c == b or not self.graph.types_allowed[u, c] & 1:
                        continue
                    if self.delta[i, kind] - self.penalty(u, c) >= -LEAST_GAIN:
                        continue
                    self.put(0, u, c, NO_EDGE)
                    self.put(1, a, b, kind)
                    self.changes = 2
                    gain = self.weigh()
                    if gain < self.compound[i] and gain < -LEAST_GAIN and self.legal():
                        self.compound[i] = gain
                        self.compound_move[i, 0] = kind
                        self.compound_move[i, 1] = cython.cast(cython.int, u)
                        self.compound_move[i, 2] = cython.cast(cython.int, c)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def compound_step(self) -> cython.int:
        """Make the compound change that lowers the score most; whether there was one."""
        i: cython.Py_ssize_t
        best: cython.double
        pair: cython.Py_ssize_t
        for i in range(self.pairs):
            if self.compound_dirty[i] and self.active[i]:
                self.refresh_compound(i)
        while True:
            best = -LEAST_GAIN
            pair = -1
            for i in range(self.pairs):
                if self.active[i] and self.compound[i] < best and self.compound_blocked[i] != self.accepted:
                    best = self.compound[i]
                    pair = i
            if pair < 0:
                return 0
            self.put(0, self.compound_move[pair, 1], self.compound_move[pair, 2], NO_EDGE)
            self.put(1, self.first[pair], self.second[pair], self.compound_move[pair, 0])
            self.changes = 2
            if self.legal() and self.try_changes(-LEAST_GAIN):
                return 1
            self.compound_blocked[pair] = self.accepted

    def _take(self, pairs: list[list[int]], kinds: list[int], limit: cython.double) -> bool:
        i: cython.int
        count = len(pairs)
        if 2 * count > len(self.affected):
            self.affected = np.zeros(2 * count, dtype=np.intc)
            self.pieces = np.zeros(2 * count + 1, dtype=np.intc)
        if count > len(self.change):
            self.change = np.zeros((count, 4), dtype=np.intc)
        for i in range(count):
            self.put(i, pairs[i][0], pairs[i][1], kinds[i])
        self.changes = count
        return bool(self.legal() and self.try_changes(limit))
