"""A maximal ancestral graph with its score, and what changes of it would add to the score.

The score, lower is better, is the extended BIC (Foygel & Drton 2010):

    rows * (sum of f over districts) + sum over edges a-b of (k_a k_b log rows + 4 gamma log p)

where k is the number of columns of a variable and p that of variables. A change of the type of a pair alters the
districts of the ends whose parents or spouses change, and no other. So changes are weighed by the f of these districts;
values are cached under a hash of the district, its parents and its bidirected edges.

Districts of more than `exact_nodes` nodes are not fitted for each change that is weighed. From the parameters of the
present graph, the equations of the changed ends and of their spouses are fitted again, twice. That bounds f from above,
so a change that seems to lower the score does. It is fitted when it is made.

Invariants: the graph is maximal and ancestral, `total` its score; `f_node[v]` and `logdet_node[v]` are those of the
district of v. The first `changes` rows of `change` are a, b, new type, present type. The districts that they alter are
`pieces` of `members`.
"""

from typing import Any

import cython
import numpy as np

from ancestral.scores._ancestral_cy import AncestralGraph
from ancestral.scores._districts_cy import Districts
from ancestral.scores.edge_types import type_of

if not cython.compiled:
    from ancestral._pulse_cy import Pulse
    from ancestral.scores.edge_types import BACK, BOTH, FORTH, NO_EDGE

#: Larger than any score: no value is known, or the change is not possible.
UNKNOWN = cython.declare(cython.double, 1e299)

#: The sum of f is known to within this, relative to 1/rows.
TOLERANCE = 1e-3


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
        self.rows = rows
        self.log_rows = float(np.log(rows))
        self.extra = 4.0 * gamma * float(np.log(max(n, 1)))
        self.exact_nodes = exact_nodes
        self.width = np.diff(offset).astype(np.intc)
        self.f_node = np.zeros(n)
        self.logdet_node = np.zeros(n)
        self.keys = np.zeros(1 << 12, dtype=np.int64)
        self.values = np.zeros(1 << 12)
        self.used = 0
        self.members = np.zeros(n, dtype=np.intc)
        self.piece = np.zeros(n, dtype=np.intc)
        self.weighed = 0
        self.screened = 0
        self.made = 0
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
        done = np.zeros(self.n, dtype=np.uint8)
        for v in range(self.n):
            self.pulse.step()
            for i in range(self.graph.parent_count[v]):
                self.total += self.penalty(self.graph.parents[v, i], v)
            for i in range(self.graph.spouse_count[v]):
                if self.graph.spouses[v, i] > v:
                    self.total += self.penalty(self.graph.spouses[v, i], v)
            if not done[v]:
                self.graph.begin_districts()
                count = self.graph.district(v, self.piece, 0)
                sort(self.piece, 0, count)
                done[np.asarray(self.piece)[:count]] = 1
                self.total += self.rows * self.fit_and_keep(count)
        return self.total

    def parameters(self) -> tuple[Any, Any]:
        """The coefficient of column u in the equation of column v, at u, v; and the inverse covariance of errors."""
        v: cython.Py_ssize_t
        w: cython.Py_ssize_t
        offset = np.asarray(self.districts.offset)
        coefficients = np.zeros((len(self.districts.covariance), len(self.districts.covariance)))
        precision = np.zeros_like(coefficients)
        for v in range(self.n):
            own = slice(offset[v], offset[v + 1])
            for u in np.asarray(self.graph.parents)[v, : self.graph.parent_count[v]].tolist():
                others = slice(offset[u], offset[u + 1])
                coefficients[others, own] = np.asarray(self.districts.kept_b)[own, others].T
            for w in range(self.n):
                if self.districts.kept_with[v] == self.districts.kept_with[w]:
                    others = slice(offset[w], offset[w + 1])
                    precision[own, others] = np.asarray(self.districts.kept_k)[own, others]
        return coefficients, precision

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
        return self.width[a] * self.width[b] * self.log_rows + self.extra

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
        self.old_logdet = 0.0
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
        self.graph.begin_districts()
        for i in range(self.affected_count):
            before = count
            count = self.graph.district(self.affected[i], self.members, count)
            if count > before:
                self.old_f += self.f_node[self.affected[i]]
                self.old_logdet += self.logdet_node[self.affected[i]]
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
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        size: cython.Py_ssize_t
        f: cython.double
        key: cython.longlong
        new: cython.double = 0.0
        large: cython.bint = False
        self.pulse.beat()
        self.weighed += 1
        self.begin_change()
        for i in range(self.piece_count):
            key = 0
            for j in range(self.pieces[i], self.pieces[i + 1]):
                key ^= self.graph.node_hash[self.members[j]]
            f = self.look_up(key if key != 0 else 1)
            if f == UNKNOWN:
                size = self.pieces[i + 1] - self.pieces[i]
                if size > self.exact_nodes:
                    large = True
                    break
                key = self.take_piece(i)
                f = self.districts.fit(self.graph, self.piece, size)
                self.remember(key, f)
            new += f
        if large:
            new = self.screen()
        self.revert()
        return self.rows * (new - self.old_f) + self.added

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def screen(self) -> cython.double:
        """A bound on f of the changed districts together: a few equations are fitted, from the kept parameters."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        v: cython.Py_ssize_t
        turns: cython.int = 2
        self.screened += 1
        for i in range(self.member_count):
            self.piece[i] = self.members[i]
        sort(self.piece, 0, self.member_count)
        self.districts.begin(self.graph, self.piece, self.member_count)
        self.districts.begin_kept(self.graph, self.old_logdet)
        while turns > 0:
            turns -= 1
            for i in range(self.affected_count):
                self.districts.update(self.graph, self.districts.local[self.affected[i]])
            for i in range(self.affected_count):
                v = self.affected[i]
                for j in range(self.graph.spouse_count[v]):
                    self.districts.update(self.graph, self.districts.local[self.graph.spouses[v, j]])
        return self.districts.value()

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
        new: cython.double = 0.0
        f: cython.double
        key: cython.longlong
        self.begin_change()
        for i in range(self.piece_count):
            largest = max(largest, self.pieces[i + 1] - self.pieces[i])
        if largest > self.exact_nodes:
            self.screen()
            new = self.districts.converge(self.graph)
        else:
            for i in range(self.piece_count):
                key = self.take_piece(i)
                f = self.look_up(key)
                if f == UNKNOWN:
                    f = self.districts.fit(self.graph, self.piece, self.pieces[i + 1] - self.pieces[i])
                    self.remember(key, f)
                new += f
        new = self.rows * (new - self.old_f) + self.added
        if new >= limit:
            self.revert()
            return 0
        if largest > self.exact_nodes:
            self.districts.keep()
        for i in range(self.piece_count):
            self.take_piece(i)
            if largest > self.exact_nodes:
                self.note_kept(self.pieces[i + 1] - self.pieces[i])
            else:
                self.fit_and_keep(self.pieces[i + 1] - self.pieces[i])
        self.total += new
        self.made += 1
        return 1

    # -- the parameters of the graph ----------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def note(self, count: cython.Py_ssize_t, f: cython.double, logdet: cython.double) -> cython.void:
        """Note f and log determinant of the district in `piece`, whose parameters are kept."""
        i: cython.Py_ssize_t
        for i in range(count):
            self.districts.kept_with[self.piece[i]] = self.piece[0]
            self.f_node[self.piece[i]] = f
            self.logdet_node[self.piece[i]] = logdet

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def fit_and_keep(self, count: cython.Py_ssize_t) -> cython.double:
        """Fit the district in `piece`, and keep its parameters; f."""
        f: cython.double
        if count == 1:
            f = self.districts.single(self.graph, self.piece[0], True)
            self.note(1, f, f - self.width[self.piece[0]])
            return f
        self.districts.begin(self.graph, self.piece, count)
        self.districts.begin_anew(self.graph)
        f = self.districts.converge(self.graph)
        self.districts.keep()
        self.note(count, f, self.districts.logdet)
        return f

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def note_kept(self, count: cython.Py_ssize_t) -> cython.int:
        """Note f of the district in `piece`, whose parameters are kept: they were fitted together with others."""
        i: cython.Py_ssize_t
        f: cython.double
        key: cython.longlong = 0
        if count == 1:
            self.fit_and_keep(1)
            return 0
        self.note(count, 0.0, 0.0)  # only parameters that were kept together are read
        self.districts.begin(self.graph, self.piece, count)
        self.districts.begin_kept(self.graph, 0.0)
        self.districts.logdet = -self.districts.log_determinant_of_k()
        f = self.districts.value()
        self.note(count, f, self.districts.logdet)
        for i in range(count):
            key ^= self.graph.node_hash[self.piece[i]]
        return self.remember(key if key != 0 else 1, f)
