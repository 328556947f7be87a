"""A maximal ancestral graph with its score, and what changes of it would add to the score.

The score, lower is better, is the extended BIC (Foygel & Drton 2010):

    rows * (sum of f over districts) + sum over edges a-b of penalty(k_a k_b)

where k is the number of columns of a variable; `penalties` says what an edge costs. A change of the type of a pair
alters the districts of the ends whose parents or spouses change, and no other. So changes are weighed by the f of these
districts; values are cached under a hash of the district, its parents and its bidirected edges.

Districts of more than `exact_nodes` nodes are not fitted for each change that is weighed. From the parameters of the
present graph, the equations of the nodes that it alters are fitted again, twice. That bounds f from above, so a change
that seems to lower the score does. When it is made, the equations around these nodes are fitted until f no longer
falls.

Invariants: the graph is maximal and ancestral, `total` is its score, and `kept` are its parameters. The first `changes`
rows of `change` are a, b, new type, present type. The districts that they alter are `pieces` of `members`. The cache
holds fits that began anew, so it does not depend on how the search came to a district.

An excursion is a search that goes back to where it began. While one is `recorded`, changes are noted in `undo`, and the
parameters of nodes are saved before they change.
"""

from typing import Any

import cython
import numpy as np

from ancestral.scores._ancestral_cy import AncestralGraph
from ancestral.scores._districts_cy import Districts
from ancestral.scores._parameters_cy import Parameters
from ancestral.scores.edge_types import type_of
from ancestral.scores.penalties import edge_penalties

if not cython.compiled:
    from ancestral._pulse_cy import Pulse
    from ancestral.scores.edge_types import BACK, BOTH, FORTH, NO_EDGE

#: Larger than any score: no value is known, or the change is not possible.
UNKNOWN = cython.declare(cython.double, 1e299)

#: The sum of f is known to within this, relative to 1/rows.
TOLERANCE = 1e-3

#: Districts of more nodes are not swept as a whole after a change: what is left to gain far from it is little.
SWEPT_NODES = cython.declare(cython.Py_ssize_t, 24)

#: How often the equations of nodes that a change alters are fitted when it is weighed.
SCREENING_TURNS = cython.declare(cython.int, 2)


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


@cython.cclass
class ScoredGraph:
    """A graph over blocks of columns, beginning without edges.

    `covariance` and `offset` are as in `Districts`, `types_allowed` and `no_cause` as in `AncestralGraph`. `gamma`
    weighs the number of variables against that of rows in the penalty of an edge.
    """

    def __init__(
        self,
        covariance: Any,
        offset: Any,
        rows: float,
        *,
        gamma: float = 0.5,
        types_allowed: Any = None,
        no_cause: Any = None,
        pulse: Any = None,
        exact_nodes: int = 5,
    ) -> None:
        n = len(offset) - 1
        self.n = n
        self.pulse = Pulse() if pulse is None else pulse
        self.graph = AncestralGraph(n, types_allowed, no_cause)
        self.districts = Districts(covariance, offset, TOLERANCE / rows, pulse=self.pulse)
        self.kept = Parameters(offset)
        self.rows = rows
        self.latent_cost = 0.0
        self.penalties = edge_penalties(rows, n, gamma, int(np.max(np.diff(offset), initial=1)) ** 2)
        self.exact_nodes = exact_nodes
        self.width = np.diff(offset).astype(np.intc)
        self.keys = np.zeros(1 << 12, dtype=np.int64)
        self.values = np.zeros(1 << 12)
        self.used = 0
        self.members = np.zeros(n, dtype=np.intc)
        self.piece = np.zeros(n, dtype=np.intc)
        self.listed = np.zeros(n, dtype=np.intc)
        self.listing = 0
        self.weighed = 0
        self.screened = 0
        self.made = 0
        self.recorded = False
        self.undo = np.zeros((16, 3), dtype=np.intc)
        self.undo_count = 0
        self._make_room(4)
        self.score_anew()

    def _make_room(self, changes: cython.Py_ssize_t) -> None:
        """Room for this many changes at once."""
        self.change = np.zeros((changes, 4), dtype=np.intc)
        self.changes = 0
        self.affected = np.zeros(2 * changes, dtype=np.intc)
        self.pieces = np.zeros(2 * changes + 1, dtype=np.intc)

    # -- from Python --------------------------------------------------------------------------------------------

    def matrix(self) -> Any:
        """The marks of the graph."""
        return self.graph.matrix()

    def set_latent_cost(self, cost: float) -> None:
        """What a bidirected edge costs beyond its penalty, from the next graph on that is loaded."""
        self.latent_cost = cost

    def load(self, marks: Any) -> None:
        """Take over a maximal ancestral graph, whatever the present one is."""
        present = self.graph.matrix()
        edges = np.argwhere(np.triu((present != marks) | (present.T != np.asarray(marks).T), 1)).tolist()
        for a, b in edges:  # all that differ go first: no order of changes can then meet a cycle
            self.graph.change(a, b, 0)
        for a, b in edges:
            self.graph.change(a, b, type_of(marks, a, b))
        self.score_anew()

    def score_anew(self) -> float:
        """Fit every district of the graph, and sum up its score."""
        v: cython.Py_ssize_t
        i: cython.Py_ssize_t
        count: cython.Py_ssize_t
        self.total = 0.0
        self.kept.times_kept = 0
        done = np.zeros(self.n, dtype=np.uint8)
        for v in range(self.n):
            self.pulse.step()
            for i in range(self.graph.parent_count[v]):
                self.total += self.penalty(self.graph.parents[v, i], v)
            for i in range(self.graph.spouse_count[v]):
                if self.graph.spouses[v, i] > v:
                    self.total += self.penalty(self.graph.spouses[v, i], v) + self.latent_cost
            if not done[v]:
                self.graph.begin_districts()
                count = self.graph.district(v, self.piece, 0)
                sort(self.piece, 0, count)
                done[np.asarray(self.piece)[:count]] = 1
                self.total += self.rows * self.fit_and_keep(count)
        return self.total

    def parameters(self) -> tuple[Any, Any]:
        """The coefficient of column u in the equation of column v, at u, v; and the inverse covariance of errors."""
        return self.kept.matrices(self.graph)

    def weigh_change(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t, kind: cython.int) -> float:
        """What it would add to the score to give a pair this type."""
        self.put(0, a, b, kind)
        self.changes = 1
        return self.weigh()

    def change_types(self, pairs: Any, kinds: Any, limit: float = 1e298) -> bool:
        """Make several changes at once, if the graph is then legal and they add less than `limit` to the score."""
        i: cython.int
        if len(pairs) > len(self.change):
            self._make_room(len(pairs))
        for i in range(len(pairs)):
            self.put(i, pairs[i][0], pairs[i][1], kinds[i])
        self.changes = len(pairs)
        return bool(self.is_legal() and self.make(limit))

    def take_over(self, marks: Any) -> None:
        """Change the graph to another one that is maximal and ancestral; only districts that differ are fitted."""
        i: cython.int
        present = self.graph.matrix()
        pairs = np.argwhere(np.triu((present != marks) | (present.T != np.asarray(marks).T), 1)).tolist()
        if len(pairs) > len(self.change):
            self._make_room(len(pairs))
        for i in range(len(pairs)):
            self.put(i, pairs[i][0], pairs[i][1], type_of(marks, *pairs[i]))
        self.changes = len(pairs)
        self.make(UNKNOWN)

    # -- excursions ---------------------------------------------------------------------------------------------

    def begin_recording(self) -> None:
        """Begin an excursion: whatever changes from here on is taken back by `take_back`."""
        self.kept.begin_excursion()
        self.undo_count = 0
        self.saved_total = self.total
        self.recorded = True

    def take_back(self) -> None:
        """End the excursion: the graph, its parameters and its score are again what they were."""
        i: cython.Py_ssize_t
        self.recorded = False
        for i in range(self.undo_count - 1, -1, -1):
            self.graph.set_type(self.undo[i, 0], self.undo[i, 1], self.undo[i, 2])
        self.kept.take_back()
        self.total = self.saved_total

    def _grow_undo(self) -> None:
        self.undo = np.concatenate([self.undo, np.zeros_like(self.undo)])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def record(self) -> cython.int:
        """Note the changes that were just made in the graph, and save the parameters of the nodes that they alter."""
        i: cython.Py_ssize_t
        while self.undo_count + self.changes > self.undo.shape[0]:
            with cython.gil:
                self._grow_undo()
        for i in range(self.changes):
            self.undo[self.undo_count, 0] = self.change[i, 0]
            self.undo[self.undo_count, 1] = self.change[i, 1]
            self.undo[self.undo_count, 2] = self.change[i, 3]
            self.undo_count += 1
        for i in range(self.member_count):
            self.kept.save(self.members[i])
        return 0

    # -- the cache ----------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look_up(self, key: cython.longlong) -> cython.double:
        """f of the district with this hash."""
        i: cython.Py_ssize_t = key & (self.keys.shape[0] - 1)
        while self.keys[i] != 0:
            if self.keys[i] == key:
                return self.values[i]
            i = (i + 1) & (self.keys.shape[0] - 1)
        return UNKNOWN

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def remember(self, key: cython.longlong, value: cython.double) -> cython.int:
        """Keep f of the district with this hash."""
        i: cython.Py_ssize_t
        if 2 * self.used > self.keys.shape[0]:
            with cython.gil:
                self._grow_cache()
        i = key & (self.keys.shape[0] - 1)
        while self.keys[i] != 0 and self.keys[i] != key:
            i = (i + 1) & (self.keys.shape[0] - 1)
        self.used += self.keys[i] == 0
        self.keys[i] = key
        self.values[i] = value
        return 0

    def _grow_cache(self) -> None:
        keys, values = np.array(self.keys), np.array(self.values)
        self.keys = np.zeros(2 * len(keys), dtype=np.int64)
        self.values = np.zeros(2 * len(keys))
        self.used = 0
        for key, value in zip(keys.tolist(), values.tolist(), strict=True):
            if key:
                self.remember(key, value)

    # -- changes ------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put(self, i: cython.int, a: cython.Py_ssize_t, b: cython.Py_ssize_t, kind: cython.int) -> cython.void:
        """Let change number i give this type to a pair."""
        self.change[i, 0] = cython.cast(cython.int, a)
        self.change[i, 1] = cython.cast(cython.int, b)
        self.change[i, 2] = kind
        self.change[i, 3] = self.graph.type_of(a, b)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def penalty(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.double:
        """What an edge adds to the score."""
        return self.penalties[self.width[a] * self.width[b]]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add_affected(self, v: cython.int) -> cython.void:
        """List a node whose parents or spouses change, once."""
        i: cython.Py_ssize_t
        for i in range(self.affected_count):
            if self.affected[i] == v:
                return
        self.affected[self.affected_count] = v
        self.affected_count += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def begin_change(self) -> cython.int:
        """Make the changes in the graph, and list the districts that they alter; f and penalties of what was there."""
        i: cython.Py_ssize_t
        j: cython.int
        before: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        self.affected_count = 0
        self.added = 0.0
        self.old_f = 0.0
        for i in range(self.changes):
            for j in range(2, 4):
                if self.change[i, j] == FORTH or self.change[i, j] == BOTH:
                    self.add_affected(self.change[i, 1])
                if self.change[i, j] == BACK or self.change[i, j] == BOTH:
                    self.add_affected(self.change[i, 0])
            if self.change[i, 2] != NO_EDGE:
                self.added += self.penalty(self.change[i, 0], self.change[i, 1])
            if self.change[i, 3] != NO_EDGE:
                self.added -= self.penalty(self.change[i, 0], self.change[i, 1])
            if self.change[i, 2] == BOTH:
                self.added += self.latent_cost
            if self.change[i, 3] == BOTH:
                self.added -= self.latent_cost
        self.graph.begin_districts()
        for i in range(self.affected_count):
            before = count
            count = self.graph.district(self.affected[i], self.members, count)
            if count > before:
                self.old_f += self.kept.f[self.affected[i]]
        self.apply()
        self.graph.begin_districts()
        self.piece_count = 0
        count = 0
        for i in range(self.affected_count):
            before = count
            count = self.graph.district(self.affected[i], self.members, count)
            if count > before:
                self.pieces[self.piece_count] = cython.cast(cython.int, before)
                self.piece_count += 1
        self.pieces[self.piece_count] = cython.cast(cython.int, count)
        self.member_count = count
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
        i: cython.int
        for i in range(self.changes):
            self.graph.set_type(self.change[i, 0], self.change[i, 1], self.change[i, 3])
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def take_piece(self, i: cython.Py_ssize_t) -> cython.longlong:
        """Take the nodes of a changed district as `piece`, in ascending order; its hash."""
        j: cython.Py_ssize_t
        first: cython.Py_ssize_t = self.pieces[i]
        key: cython.longlong = 0
        for j in range(first, self.pieces[i + 1]):
            self.piece[j - first] = self.members[j]
            key ^= self.graph.node_hash[self.members[j]]
        sort(self.piece, 0, self.pieces[i + 1] - first)
        return key if key != 0 else 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def weigh(self) -> cython.double:
        """What the changes would add to the score; of large districts, a bound from above."""
        new: cython.double
        self.pulse.beat()
        self.weighed += 1
        self.begin_change()
        try:
            new = self.bound()
        finally:  # also if the pulse ends a fit
            self.revert()
        return self.rows * (new - self.old_f) + self.added

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def bound(self) -> cython.double:
        """f of the changed districts together; if one of them is large and not in the cache, a bound from above."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        size: cython.Py_ssize_t
        f: cython.double
        key: cython.longlong
        new: cython.double = 0.0
        for i in range(self.piece_count):
            key = 0
            for j in range(self.pieces[i], self.pieces[i + 1]):
                key ^= self.graph.node_hash[self.members[j]]
            f = self.look_up(key if key != 0 else 1)
            if f == UNKNOWN:
                size = self.pieces[i + 1] - self.pieces[i]
                if size > self.exact_nodes:
                    return self.screen()
                key = self.take_piece(i)
                f = self.districts.fit(self.graph, self.piece, size)
                self.remember(key, f)
            new += f
        return new

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def screen(self) -> cython.double:
        """A bound on f of the changed districts together: the equations of nodes that change, from kept parameters."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        self.screened += 1
        self.listing += 1
        for i in range(self.affected_count):
            self.piece[count] = self.affected[i]
            self.listed[self.affected[i]] = self.listing
            count += 1
        for i in range(self.affected_count):
            v = self.affected[i]
            for j in range(self.graph.spouse_count[v]):
                u = self.graph.spouses[v, j]
                if self.listed[u] != self.listing:
                    self.listed[u] = self.listing
                    self.piece[count] = cython.cast(cython.int, u)
                    count += 1
        self.districts.begin(self.graph, self.piece, count, self.affected_count)
        self.kept.begin_fit(self.districts, self.old_f)
        for i in range(SCREENING_TURNS * self.affected_count):
            self.districts.update(self.graph, i % self.affected_count)
        return self.districts.f

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def fit_changed(self) -> cython.double:
        """f of the changed districts together, fitted from the parameters that are kept."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        v: cython.Py_ssize_t
        for i in range(self.member_count):
            self.piece[i] = self.members[i]
        sort(self.piece, 0, self.member_count)
        self.districts.begin(self.graph, self.piece, self.member_count, self.member_count)
        self.kept.begin_fit(self.districts, self.old_f)
        self.kept.give_coefficients(self.districts)
        for i in range(self.affected_count):
            v = self.affected[i]
            self.districts.update(self.graph, self.districts.local[v])
            self.districts.due[v] = 1
            for j in range(self.graph.spouse_count[v]):
                self.districts.due[self.graph.spouses[v, j]] = 1
        self.districts.converge_nearby(self.graph)
        if self.member_count <= SWEPT_NODES:
            self.districts.converge(self.graph)
        return self.districts.f

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def is_legal(self) -> cython.int:
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
    def make(self, limit: cython.double) -> cython.int:
        """Make the changes, which are legal, if they add less than `limit` to the score; whether they do."""
        i: cython.Py_ssize_t
        largest: cython.Py_ssize_t = 0
        new: cython.double
        accepted: cython.bint = False
        self.begin_change()
        for i in range(self.piece_count):
            largest = max(largest, self.pieces[i + 1] - self.pieces[i])
        try:
            new = self.fit_changed() if largest > self.exact_nodes else self.bound()
            new = self.rows * (new - self.old_f) + self.added
            accepted = new < limit
        finally:  # also if the pulse ends a fit
            if not accepted:
                self.revert()
        if not accepted:
            return 0
        if self.recorded:
            self.record()
        if largest > self.exact_nodes:
            self.kept.keep(self.districts)
            self.note_pieces(largest)
        else:
            for i in range(self.piece_count):
                self.take_piece(i)
                self.fit_and_keep(self.pieces[i + 1] - self.pieces[i])
        self.total += new
        self.made += 1
        return 1

    # -- the parameters of the graph ----------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def fit_and_keep(self, count: cython.Py_ssize_t) -> cython.double:
        """Fit the district in `piece`, and keep its parameters; f."""
        f: cython.double
        if count == 1:
            f = self.districts.single(self.graph, self.piece[0])
            self.kept.keep_single(self.districts, self.piece[0])
        else:
            self.districts.begin(self.graph, self.piece, count, count)
            self.districts.begin_anew()
            f = self.districts.converge(self.graph)
            self.kept.keep(self.districts)
        self.kept.note(self.piece, count, f)
        return f

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def note_pieces(self, largest: cython.Py_ssize_t) -> cython.int:
        """Note f of the changed districts, whose parameters are kept: they were fitted together.

        That of the largest one, the first of this size, is what the others leave.
        """
        i: cython.Py_ssize_t
        size: cython.Py_ssize_t
        rest: cython.Py_ssize_t = -1
        left: cython.double = self.districts.f
        f: cython.double
        for i in range(self.piece_count):
            size = self.pieces[i + 1] - self.pieces[i]
            if rest < 0 and size == largest:
                rest = i
                continue
            self.take_piece(i)
            self.kept.note(self.piece, size, 0.0)  # only parameters that were kept together are read
            self.districts.begin(self.graph, self.piece, size, size)
            self.kept.begin_fit(self.districts, 0.0)
            self.kept.give_coefficients(self.districts)
            f = self.districts.value()
            self.kept.note(self.piece, size, f)
            left -= f
        self.take_piece(rest)
        self.kept.note(self.piece, largest, left)
        return 0
