"""An ancestral graph without undirected edges, as a search over such graphs changes it.

The idea: parents, children and spouses (a <-> b) of each node are kept as short sorted lists beside the matrix of
marks, so that ancestors and districts are found by walks of a few steps. The type of a pair is a number: no edge, an
edge from the first node to the second, one from the second to the first, or a bidirected one.

A graph is ancestral if no node is an ancestor of a node that has an arrowhead into it. It is maximal if no two
non-adjacent nodes have an inducing path: one whose inner nodes are colliders, and ancestors of an end. In an ancestral
graph, all edges of such a path between x and y are bidirected. For the inner node next to x has an arrowhead from x, so
it is no ancestor of x, but one of y; and that next to y is one of x. If x were an ancestor of y, the latter would be
one of y, too; so it is not, and no edge of the path leaves x. So only descendants of the spouses of x can be the other
end of an inducing path from x.

Invariants: `marks[a, b]` is the mark at b; the lists agree with it. `node_hash[v]` is a hash of v, its parents and its
spouses; that of a district is the exclusive or over its nodes. A node was seen by the walk that stamped it last.
"""

from typing import Any

import cython
import numpy as np

from ancestral.scores.edge_types import ANY_TYPE

if not cython.compiled:
    from ancestral._cython import mixed_bits
    from ancestral.graphs.marks import ARROW, TAIL
    from ancestral.scores.edge_types import BACK, BOTH, FORTH, NO_EDGE


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def insert(row: cython.int[::1], count: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.int:
    """Insert v into the first `count` entries, which ascend."""
    i: cython.Py_ssize_t = count
    while i > 0 and row[i - 1] > v:
        row[i] = row[i - 1]
        i -= 1
    row[i] = cython.cast(cython.int, v)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def remove(row: cython.int[::1], count: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.int:
    """Remove v, which is one of the first `count` entries."""
    i: cython.Py_ssize_t = 0
    while row[i] != v:
        i += 1
    while i + 1 < count:
        row[i] = row[i + 1]
        i += 1
    return 0


@cython.final
@cython.cclass
class AncestralGraph:
    """The graph, beginning without edges.

    `types_allowed[a, b]` is the set of types that the pair a, b may have (`edge_types`), all if it is None;
    `no_cause[a, b]` tells that a must not be an ancestor of b.
    """

    def __init__(self, n: cython.Py_ssize_t, types_allowed: Any = None, no_cause: Any = None) -> None:
        self.n = n
        self.marks = np.zeros((n, n), dtype=np.uint8)
        # the system provides memory only for the beginning of each row, which is all that is used
        self.parents = np.zeros((n, n), dtype=np.intc)
        self.children = np.zeros((n, n), dtype=np.intc)
        self.spouses = np.zeros((n, n), dtype=np.intc)
        self.parent_count = np.zeros(n, dtype=np.intc)
        self.child_count = np.zeros(n, dtype=np.intc)
        self.spouse_count = np.zeros(n, dtype=np.intc)
        self.node_hash = np.zeros(n, dtype=np.int64)
        self.types_allowed = np.full((n, n), ANY_TYPE, dtype=np.uint8) if types_allowed is None else types_allowed
        self.knows = no_cause is not None
        self.no_cause = np.zeros((1, 1), dtype=np.uint8) if no_cause is None else no_cause
        self.queue = np.zeros(n, dtype=np.intc)
        self.members = np.zeros(n, dtype=np.intc)
        self.seen = np.zeros(n, dtype=np.intc)
        self.seen_down = np.zeros(n, dtype=np.intc)
        self.seen_walk = np.zeros(n, dtype=np.intc)
        self.near = np.zeros(n, dtype=np.intc)
        self.stamp = 0
        v: cython.Py_ssize_t
        for v in range(n):
            self.node_hash[v] = mixed_bits(v, v)

    # -- from Python --------------------------------------------------------------------------------------------

    def matrix(self) -> Any:
        """A copy of the marks."""
        return np.array(self.marks)

    def change(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t, kind: cython.int) -> None:
        """Give a pair this type, whatever the graph is then."""
        self.set_type(a, b, kind)

    def kind(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> int:
        """The type of a pair."""
        return self.type_of(a, b)

    def may_change(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t, kind: cython.int) -> bool:
        """Whether the graph is still ancestral, and knowledge kept, if a pair without an edge gets this type."""
        return bool(self.may_set(a, b, kind))

    def inducing_pair(self) -> tuple[int, int] | None:
        """Two nodes with an inducing path between them and no edge, the first such pair; None in a maximal graph."""
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        for x in range(self.n):
            y = self.induced_from(x)
            if y >= 0:
                return x, y
        return None

    # -- edges --------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def type_of(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.int:
        if self.marks[a, b] == 0:
            return NO_EDGE
        if self.marks[a, b] == TAIL:
            return BACK
        return FORTH if self.marks[b, a] == TAIL else BOTH

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def set_type(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t, kind: cython.int) -> cython.int:
        """Give a pair this type."""
        old: cython.int = self.type_of(a, b)
        if old == kind:
            return 0
        if old == FORTH:
            self.unlink(a, b)
        elif old == BACK:
            self.unlink(b, a)
        elif old == BOTH:
            remove(self.spouses[a], self.spouse_count[a], b)
            remove(self.spouses[b], self.spouse_count[b], a)
            self.spouse_count[a] -= 1
            self.spouse_count[b] -= 1
            self.node_hash[a] ^= mixed_bits(a, b + self.n)
            self.node_hash[b] ^= mixed_bits(b, a + self.n)
        self.marks[a, b] = 0
        self.marks[b, a] = 0
        if kind == FORTH:
            self.link(a, b)
        elif kind == BACK:
            self.link(b, a)
        elif kind == BOTH:
            insert(self.spouses[a], self.spouse_count[a], b)
            insert(self.spouses[b], self.spouse_count[b], a)
            self.spouse_count[a] += 1
            self.spouse_count[b] += 1
            self.node_hash[a] ^= mixed_bits(a, b + self.n)
            self.node_hash[b] ^= mixed_bits(b, a + self.n)
            self.marks[a, b] = ARROW
            self.marks[b, a] = ARROW
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def link(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.int:
        insert(self.children[a], self.child_count[a], b)
        insert(self.parents[b], self.parent_count[b], a)
        self.child_count[a] += 1
        self.parent_count[b] += 1
        self.node_hash[b] ^= mixed_bits(a, b)
        self.marks[a, b] = ARROW
        self.marks[b, a] = TAIL
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def unlink(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.int:
        remove(self.children[a], self.child_count[a], b)
        remove(self.parents[b], self.parent_count[b], a)
        self.child_count[a] -= 1
        self.parent_count[b] -= 1
        self.node_hash[b] ^= mixed_bits(a, b)
        return 0

    # -- ancestors and districts --------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def mark_ancestors(self, v: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Stamp v and its ancestors in `seen`, list them in `queue`, and return their number. Begins a new stamp."""
        i: cython.Py_ssize_t = 0
        j: cython.Py_ssize_t
        u: cython.Py_ssize_t
        count: cython.Py_ssize_t = 1
        self.stamp += 1
        self.seen[v] = self.stamp
        self.queue[0] = cython.cast(cython.int, v)
        while i < count:
            u = self.queue[i]
            i += 1
            for j in range(self.parent_count[u]):
                v = self.parents[u, j]
                if self.seen[v] != self.stamp:
                    self.seen[v] = self.stamp
                    self.queue[count] = cython.cast(cython.int, v)
                    count += 1
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def collect_descendants(self, v: cython.Py_ssize_t, out: cython.int[::1]) -> cython.Py_ssize_t:
        """List v and its descendants, stamped in `seen_down` with the present stamp; return their number."""
        i: cython.Py_ssize_t = 0
        j: cython.Py_ssize_t
        u: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        if self.seen_down[v] != self.stamp:
            self.seen_down[v] = self.stamp
            out[0] = cython.cast(cython.int, v)
            count = 1
        while i < count:
            u = out[i]
            i += 1
            for j in range(self.child_count[u]):
                v = self.children[u, j]
                if self.seen_down[v] != self.stamp:
                    self.seen_down[v] = self.stamp
                    out[count] = cython.cast(cython.int, v)
                    count += 1
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_ancestor(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.int:
        """Whether a is b or an ancestor of b."""
        self.mark_ancestors(b)
        return self.seen[a] == self.stamp

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def may_set(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t, kind: cython.int) -> cython.int:
        """Whether a pair without an edge may get this type."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        d: cython.Py_ssize_t
        down: cython.Py_ssize_t
        up: cython.Py_ssize_t
        if not (self.types_allowed[a, b] >> kind) & 1:
            return 0
        if kind == NO_EDGE:
            return 1
        if kind == BOTH:
            return not self.is_ancestor(a, b) and not self.is_ancestor(b, a)
        if kind == BACK:
            d = a
            a = b
            b = d
        up = self.mark_ancestors(a)
        if self.seen[b] == self.stamp:
            return 0
        down = self.collect_descendants(b, self.members)
        for i in range(down):
            d = self.members[i]
            for j in range(self.spouse_count[d]):  # a spouse among the ancestors would have an arrowhead from below
                if self.seen[self.spouses[d, j]] == self.stamp:
                    return 0
        if self.knows:
            for i in range(up):
                for j in range(down):
                    if self.no_cause[self.queue[i], self.members[j]]:
                        return 0
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin_districts(self) -> cython.int:
        """Begin a new list of districts; none has been seen."""
        self.stamp += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def district(self, v: cython.Py_ssize_t, out: cython.int[::1], count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Add the nodes of the district of v to the first `count` entries, unless they are there; the new number."""
        i: cython.Py_ssize_t = count
        j: cython.Py_ssize_t
        u: cython.Py_ssize_t
        if self.seen[v] == self.stamp:
            return count
        self.seen[v] = self.stamp
        out[count] = cython.cast(cython.int, v)
        count += 1
        while i < count:
            u = out[i]
            i += 1
            for j in range(self.spouse_count[u]):
                v = self.spouses[u, j]
                if self.seen[v] != self.stamp:
                    self.seen[v] = self.stamp
                    out[count] = cython.cast(cython.int, v)
                    count += 1
        return count

    # -- maximality ---------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def is_induced(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.int:
        """Whether there is an inducing path between two nodes without an edge."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        count: cython.Py_ssize_t
        here: cython.int
        count = self.mark_ancestors(x)
        here = self.stamp
        # the ancestors of y join those of x: its walk begins with them already seen
        self.queue[0] = cython.cast(cython.int, y)
        self.seen[y] = here
        count = 1
        i = 0
        while i < count:
            u = self.queue[i]
            i += 1
            for j in range(self.parent_count[u]):
                v = self.parents[u, j]
                if self.seen[v] != here:
                    self.seen[v] = here
                    self.queue[count] = cython.cast(cython.int, v)
                    count += 1
        # walk along bidirected edges, over ancestors of an end
        self.queue[0] = cython.cast(cython.int, x)
        self.seen_walk[x] = here
        count = 1
        i = 0
        while i < count:
            u = self.queue[i]
            i += 1
            for j in range(self.spouse_count[u]):
                v = self.spouses[u, j]
                if v == y:
                    return 1
                if self.seen[v] == here and self.seen_walk[v] != here:
                    self.seen_walk[v] = here
                    self.queue[count] = cython.cast(cython.int, v)
                    count += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-2)
    def induced_from(self, x: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """A node that has an inducing path from x and no edge; -1 if there is none."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        v: cython.Py_ssize_t
        y: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        self.stamp += 1
        for j in range(self.spouse_count[x]):
            v = self.spouses[x, j]
            if self.spouse_count[v] > 1:  # x, and the next node of the path
                self.seen_down[v] = self.stamp
                self.near[count] = cython.cast(cython.int, v)
                count += 1
        i = 0
        while i < count:
            v = self.near[i]
            i += 1
            for j in range(self.child_count[v]):
                y = self.children[v, j]
                if self.seen_down[y] != self.stamp:
                    self.seen_down[y] = self.stamp
                    self.near[count] = cython.cast(cython.int, y)
                    count += 1
        for i in range(count):
            y = self.near[i]
            if self.marks[x, y] == 0 and self.is_induced(x, y):
                return y
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def is_maximal_after(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.int:
        """Whether a graph that was maximal still is, after the type of one pair has changed.

        A lost edge may leave an inducing path between its own ends. A new a --> b makes ancestors of the descendants
        of b. A new a <-> b may be on paths between nodes of its district.
        """
        i: cython.Py_ssize_t
        u: cython.Py_ssize_t
        count: cython.Py_ssize_t
        kind: cython.int = self.type_of(a, b)
        if kind == NO_EDGE:
            return not self.is_induced(a, b)
        if kind == BOTH:
            self.begin_districts()
            count = self.district(a, self.members, 0)
        else:
            if kind == BACK:
                u = a
                a = b
                b = u
            self.stamp += 1
            count = self.collect_descendants(b, self.members)
        for i in range(count):
            if self.induced_from(self.members[i]) >= 0:
                return 0
        return 1
