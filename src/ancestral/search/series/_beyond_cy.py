"""ICD-Sep sets of a pair beyond nodes that are always given, asked as they are found: one radius in a window.

A set Z of r nodes belongs to the pair with roots x and y, of which the nodes of `base` are always given, if
  1  each node of Z is a possible ancestor of x or y, by the marks and by what is known (`no_cause`),
  2  each node of Z is reached from one of the chosen roots, the same for all, by a PDS-walk inside Z and the base that
     avoids the other root (on a PDS-walk each inner node v between u and w is a collider, or u and w are adjacent).
The question is about x and y given Z and the base. One root is enough to find a set that separates the pair, if there
is one: D-Sep of either root does (docs/series.md). The fewer sets, the fewer true edges are lost on data, so pairs of
different steps are asked from the later one alone.

The idea: base nodes cost nothing, so walks pass them freely, and the factors that a test computes for them are shared
by all sets of the pair (`Questions.push`). Most nodes of a set are neighbours of the root; only sets with others are
checked by walking.

Invariants: chosen[:given] is the base, chosen[given:] the nodes of Z so far; `possible[x, v]` is 1 if v is a possible
ancestor of x, valid where `known[x]`; nodes stand in the order in which the test prefers them.
"""

from typing import Any

import cython
import numpy as np

from ancestral.graphs.csr import compressed

if not cython.compiled:
    from ancestral._pulse_cy import Pulse
    from ancestral.graphs.marks import ARROW, TAIL
    from ancestral.independence._questions_cy import Questions
    from ancestral.search._asking_cy import Asking


@cython.final
@cython.cclass
class BeyondBase(Asking):
    """The sets of one radius on one graph over n nodes; `begin` goes on to the next radius or graph."""

    def __init__(self, n: int, questions: Questions | None, pulse: Pulse | None = None, no_cause: Any = None) -> None:
        self.prepare(n, questions, pulse, no_cause)
        self.possible = np.zeros((n, n), dtype=np.uint8)
        self.known = np.zeros(n, dtype=np.uint8)
        self.inside = np.zeros(n, dtype=np.uint8)
        self.reached = np.zeros(n, dtype=np.uint8)
        self.pool = np.zeros((2, n), dtype=np.intc)
        self.pool_count = np.zeros(2, dtype=np.intc)
        self.nodes = np.zeros(n, dtype=np.intc)
        self.given = 0
        self.sides = 0

    def begin(self, marks: Any, radius: int) -> None:
        """Go on to the sets of this size on this graph, which must not change meanwhile."""
        self.array = np.ascontiguousarray(marks, dtype=np.uint8)
        self.marks = self.array
        self.sources, heads, self.starts = compressed(self.array)
        self.targets = heads
        self.visited = np.zeros(len(heads) + 1, dtype=np.uint8)
        self.queue = np.zeros(len(heads) + 1, dtype=np.intc)
        self.known[:] = 0
        self.begin_radius(radius)

    def make_room(self, room: int) -> None:
        """Allocate space for sets of fewer than `room` nodes, and a base of any size."""
        Asking.make_room(self, room)
        self.chosen = np.zeros(room + self.n, dtype=np.intc)
        self.closest = np.zeros(room + self.n, dtype=np.intc)

    # -- from Python --------------------------------------------------------------------------------------------

    def separate_given(self, x: int, y: int, base: Any, sides: int) -> tuple[bool, tuple[int, ...], float, float]:
        """Ask about a pair given the base and each of its sets, until one separates it.

        `sides`: 1 if sets are reached from x, 2 from y, 3 from either. Returns whether one does; that set with the
        base, otherwise the one with the largest p-value; and the statistic and degrees of freedom of that question, NaN
        where the data supported none.
        """
        i: cython.Py_ssize_t
        assert self.questions is not None
        self.given = len(base)
        self.sides = sides
        for i in range(self.given):
            self.chosen[i] = base[i]
        found = bool(self.try_sets(x, y))
        self.done += 1
        size = self.given + self.radius
        if found:
            nodes = np.asarray(self.chosen)[:size]
            return True, tuple(sorted(nodes.tolist())), self.questions.statistic, float(self.questions.df)
        nodes = np.asarray(self.closest)[:size]
        statistic, df = self.questions.closest_statistic, float(self.questions.closest_df)
        return False, tuple(sorted(nodes.tolist())), statistic, df

    def sets_given(self, x: int, y: int, base: Any, sides: int) -> list[tuple[int, ...]]:
        """The sets of a pair with the base, in the order in which they would be asked; only without questions."""
        i: cython.Py_ssize_t
        self.given = len(base)
        self.sides = sides
        for i in range(self.given):
            self.chosen[i] = base[i]
        self.listed = list[Any]()
        self.try_sets(x, y)
        return list(self.listed)

    # -- one pair -----------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def try_sets(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.int:
        """Ask about the sets of this pair; 1 if a set separates it, which is then in `chosen`."""
        found: cython.int = 0
        side: cython.Py_ssize_t
        i: cython.Py_ssize_t
        self.begin_pair(x, y)
        for i in range(self.given):
            self.inside[self.chosen[i]] = 1
        if self.radius == 0:
            found = self.ask_base()
        else:
            self.find_possible(x)
            self.find_possible(y)
            for side in range(2):
                if self.sides & (1 << side) and not found:
                    self.find_pool(side)
                    self.any_sets = self.any_sets or self.pool_count[side] >= self.radius
                    found = self.grow(side, self.given, 0)
        for i in range(self.given):
            self.inside[self.chosen[i]] = 0
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def ask_base(self) -> cython.int:
        """Radius 0: the base alone."""
        found: cython.int
        self.any_sets = True
        if self.given:
            self.last[0] = self.chosen[self.given - 1]
            self.last_count = 1
            return self.ask_last(self.given - 1)
        self.asked += 1
        if self.questions is None:
            with cython.gil:
                self.listed.append(())
            return 0
        found = self.questions.independent(self.roots[0], self.roots[1], self.chosen, 0)
        if not found:
            self.questions.closer()
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def find_pool(self, side: cython.Py_ssize_t) -> cython.int:
        """Find the nodes outside the base that PDS-walks through allowed nodes reach from this side's root."""
        count: cython.Py_ssize_t = 0
        v: cython.Py_ssize_t
        for v in range(self.n):
            self.reached[v] = self.allowed(v)
        self.walk(side)
        for v in range(self.n):
            if self.reached[v] == 2 and not self.inside[v]:
                self.pool[side, count] = cython.cast(cython.int, v)
                count += 1
        self.pool_count[side] = cython.cast(cython.int, count)
        self.sort_by_preference(self.pool[side], 0, count)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def grow(self, side: cython.Py_ssize_t, size: cython.Py_ssize_t, first: cython.Py_ssize_t) -> cython.int:
        """Ask about all sets of this side that begin with the `size` chosen nodes, others from place `first` on."""
        left: cython.Py_ssize_t = self.radius + self.given - size
        i: cython.Py_ssize_t
        found: cython.int
        self.pulse.beat()
        for i in range(first, self.pool_count[side] - left + 1):
            self.chosen[size] = self.pool[side, i]
            if left > 1:
                found = self.grow(side, size + 1, i + 1)
                self.leave(size)
                if found:
                    return 1
            elif self.belongs_to(side) and not (side == 1 and self.sides & 1 and self.belongs_to(0)):
                if self.ask_with(size, self.chosen[size]):
                    return 1
        return self.ask_last(size) if left == 1 and self.last_count else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def belongs_to(self, side: cython.Py_ssize_t) -> cython.bint:
        """Condition 2 for the chosen set and the root on this side."""
        root: cython.Py_ssize_t = self.roots[side]
        size: cython.Py_ssize_t = self.given + self.radius
        i: cython.Py_ssize_t
        near: cython.bint = True
        for i in range(self.given, size):
            if self.marks[root, self.chosen[i]] == 0:
                near = False
        return near or self.walks_inside(side, size)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def walks_inside(self, side: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.bint:
        """Whether PDS-walks inside the first `size` chosen nodes reach all those beyond the base."""
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        all_reached: cython.bint = True
        for v in range(self.n):
            self.reached[v] = 0
        for i in range(size):
            self.reached[self.chosen[i]] = 1
        self.walk(side)
        for i in range(self.given, size):
            if self.reached[self.chosen[i]] != 2:
                all_reached = False
        return all_reached

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walk(self, side: cython.Py_ssize_t) -> cython.void:
        """Follow all PDS-walks from this side's root through nodes with 1 in `reached`; those that they reach get 2."""
        root: cython.Py_ssize_t = self.roots[side]
        other: cython.Py_ssize_t = self.roots[1 - side]
        head: cython.Py_ssize_t = 0
        tail: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        t: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        for i in range(self.targets.shape[0]):
            self.visited[i] = 0
        for i in range(self.starts[root], self.starts[root + 1]):
            v = self.targets[i]
            if v != other and self.reached[v]:
                self.visited[i] = 1
                self.queue[tail] = cython.cast(cython.int, i)
                tail += 1
                self.reached[v] = 2
        while head < tail:
            t = self.sources[self.queue[head]]
            u = self.targets[self.queue[head]]
            head += 1
            for i in range(self.starts[u], self.starts[u + 1]):
                v = self.targets[i]
                if v == root or v == other or v == t or self.visited[i] or not self.reached[v]:
                    continue
                if self.passes(t, u, v):
                    self.visited[i] = 1
                    self.queue[tail] = cython.cast(cython.int, i)
                    tail += 1
                    self.reached[v] = 2

    # -- conditions ---------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def passes(self, t: cython.Py_ssize_t, u: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.bint:
        """Whether a PDS-walk may go from t over u to v: a triangle, or u is a collider."""
        return self.marks[t, v] != 0 or (self.marks[t, u] == ARROW and self.marks[v, u] == ARROW)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def allowed(self, v: cython.Py_ssize_t) -> cython.bint:
        """Condition 1; nodes of the base are allowed, too."""
        if self.inside[v]:
            return True
        if self.prunes and self.outside(v):
            return False
        return self.possible[self.roots[0], v] or self.possible[self.roots[1], v]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def find_possible(self, x: cython.Py_ssize_t) -> cython.int:
        """Find the possible ancestors of x, x among them."""
        head: cython.Py_ssize_t = 0
        tail: cython.Py_ssize_t = 1
        i: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        if self.known[x]:
            return 0
        self.known[x] = 1
        for v in range(self.n):
            self.possible[x, v] = 0
        self.possible[x, x] = 1
        self.nodes[0] = cython.cast(cython.int, x)
        while head < tail:
            v = self.nodes[head]
            head += 1
            for i in range(self.starts[v], self.starts[v + 1]):
                u = self.targets[i]
                if not self.possible[x, u] and self.marks[v, u] != ARROW and self.marks[u, v] != TAIL:
                    self.possible[x, u] = 1
                    self.nodes[tail] = cython.cast(cython.int, u)
                    tail += 1
        return 0
