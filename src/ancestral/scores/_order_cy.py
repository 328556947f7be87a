"""Best order score search (BOSS) with grow-shrink trees (Andrews, Ramsey, Sanchez-Romero, Camchong & Kummerfeld 2023).

The idea: given an order, the parents of each variable are chosen among those before it by adding the best one while
that lowers the score, and then removing those that are not worth their penalty. A variable is moved to the place in the
order where the sum of scores is lowest, one variable after the other, until none moves.

What a variable gains by each candidate, given the parents so far, does not depend on the order. It is kept in a tree: a
node is a list of parents, its branches are the candidates with a positive gain, the best one first. To choose parents
is to follow, from the root, the first branch whose candidate is before the variable. A node is made when it is first
visited.

When x moves, the parents of a variable t change only if x is a candidate in some node of the tree of t (`ever`).

Invariants: `rank_of[v]` is the place of v in the order, and what `leaf` compares.
"""

from typing import Any

import cython
import numpy as np

from ancestral.scores._local_scores_cy import LocalScores

#: A move must lower the score by this much.
LEAST_GAIN = cython.declare(cython.double, 1e-6)


@cython.final
@cython.cclass
class OrderSearch(LocalScores):
    """Searches orders of the variables of a covariance matrix. Trees are kept from one search to the next."""

    def __init__(self, covariance: Any, offset: Any, rows: float, **options: Any) -> None:
        super().__init__(covariance, offset, rows, **options)
        n = self.n
        self.root = np.full(n, -1, dtype=np.intc)
        self.ever = np.zeros((n, n), dtype=np.uint8)
        room = 4 * n + 16  # all of these arrays grow when needed
        self.nodes = 0
        self.up = np.zeros(room, dtype=np.intc)
        self.added = np.zeros(room, dtype=np.intc)
        self.target = np.zeros(room, dtype=np.intc)
        self.first = np.zeros(room, dtype=np.intc)
        self.count = np.zeros(room, dtype=np.intc)
        self.kept_first = np.zeros(room, dtype=np.intc)
        self.kept_count = np.zeros(room, dtype=np.intc)
        self.shrunk = np.zeros(room)
        self.candidates = 0
        self.candidate = np.zeros(4 * room, dtype=np.intc)
        self.child = np.zeros(4 * room, dtype=np.intc)
        self.kept = 0
        self.kept_parent = np.zeros(8 * n + 16, dtype=np.intc)
        self.order = np.zeros(n, dtype=np.intc)
        self.rank_of = np.zeros(n, dtype=np.intc)
        self.score = np.zeros(n)
        self.without = np.zeros(n)
        self.with_x = np.zeros(n)
        self.own = np.zeros(n)
        self.totals = np.zeros(n)
        self.others = np.zeros(n, dtype=np.intc)

    def _grow_nodes(self, size: cython.Py_ssize_t) -> None:
        self.up = _longer(self.up, size)
        self.added = _longer(self.added, size)
        self.target = _longer(self.target, size)
        self.first = _longer(self.first, size)
        self.count = _longer(self.count, size)
        self.kept_first = _longer(self.kept_first, size)
        self.kept_count = _longer(self.kept_count, size)
        self.shrunk = _longer(self.shrunk, size)

    def _grow_candidates(self, size: cython.Py_ssize_t) -> None:
        self.candidate = _longer(self.candidate, size)
        self.child = _longer(self.child, size)

    def _grow_kept(self) -> None:
        self.kept_parent = _longer(self.kept_parent, 2 * len(self.kept_parent))

    # -- from Python --------------------------------------------------------------------------------------------

    def search(self, order: Any) -> tuple[float, Any]:
        """The score that the search comes to from this order, and the matrix whose entry u, v tells that u --> v."""
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        moved: cython.int = 1
        self.order = np.ascontiguousarray(order, dtype=np.intc)
        for i in range(self.n):
            self.rank_of[self.order[i]] = cython.cast(cython.int, i)
        for i in range(self.n):
            self.score[self.order[i]] = self.trace(self.order[i], i)
        turns: cython.int[::1] = np.array(self.order)
        with cython.nogil:
            while moved:
                moved = 0
                for i in range(self.n):
                    moved += self.move(turns[i])
        parents = np.zeros((self.n, self.n), dtype=bool)
        for v in range(self.n):
            node = self.leaf(v, self.rank_of[v])
            for i in range(self.kept_count[node]):
                parents[self.kept_parent[self.kept_first[node] + i], v] = True
        return float(np.sum(self.score)), parents

    # -- trees --------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def new_node(self, v: cython.Py_ssize_t, up: cython.Py_ssize_t, added: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """A node of the tree of v, below another one, with a further parent; -1 and -1 for the root."""
        node: cython.Py_ssize_t = self.nodes
        if node >= self.up.shape[0]:
            with cython.gil:
                self._grow_nodes(2 * node)
        self.nodes += 1
        self.up[node] = cython.cast(cython.int, up)
        self.added[node] = cython.cast(cython.int, added)
        self.target[node] = cython.cast(cython.int, v)
        self.count[node] = -1
        self.kept_count[node] = -1
        return node

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def list_path(self, node: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The parents of a node of a tree, in `chosen`, in the order in which they were added; their number."""
        i: cython.Py_ssize_t
        v: cython.int
        size: cython.Py_ssize_t = 0
        while self.up[node] >= 0:
            self.chosen[size] = self.added[node]
            size += 1
            node = self.up[node]
        for i in range(size // 2):
            v = self.chosen[i]
            self.chosen[i] = self.chosen[size - 1 - i]
            self.chosen[size - 1 - i] = v
        return size

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def expand(self, node: cython.Py_ssize_t) -> cython.int:
        """Find the candidates of a node: the variables that lower the score, the best one first."""
        i: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t = self.target[node]
        first: cython.Py_ssize_t = self.candidates
        self.find_gains(v, self.list_path(node))
        if first + self.n > self.candidate.shape[0]:
            with cython.gil:
                self._grow_candidates(2 * self.candidate.shape[0] + self.n)
        for u in range(self.n):
            if self.gain[u] > LEAST_GAIN:
                self.ever[v, u] = 1
                i = self.candidates
                while i > first and self.gain[self.candidate[i - 1]] < self.gain[u] - LEAST_GAIN:
                    self.candidate[i] = self.candidate[i - 1]
                    i -= 1
                self.candidate[i] = cython.cast(cython.int, u)
                self.child[self.candidates] = -1
                self.candidates += 1
        self.first[node] = cython.cast(cython.int, first)
        self.count[node] = cython.cast(cython.int, self.candidates - first)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def shrink(self, node: cython.Py_ssize_t) -> cython.int:
        """Remove parents of a leaf while that lowers the score, the best one first."""
        i: cython.Py_ssize_t
        best: cython.Py_ssize_t
        v: cython.Py_ssize_t = self.target[node]
        size: cython.Py_ssize_t = self.list_path(node)
        score: cython.double
        lowest: cython.double
        other: cython.double
        score = self.local_score(v, size, -1)
        while size > 0:
            best = -1
            lowest = score
            for i in range(size):
                other = self.local_score(v, size, i)
                if other < lowest - LEAST_GAIN:
                    lowest = other
                    best = i
            if best < 0:
                break
            score = lowest
            size -= 1
            for i in range(best, size):
                self.chosen[i] = self.chosen[i + 1]
        self.shrunk[node] = score
        if self.kept + size > self.kept_parent.shape[0]:
            with cython.gil:
                self._grow_kept()
        self.kept_first[node] = cython.cast(cython.int, self.kept)
        self.kept_count[node] = cython.cast(cython.int, size)
        for i in range(size):
            self.kept_parent[self.kept + i] = self.chosen[i]
        self.kept += size
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def leaf(self, v: cython.Py_ssize_t, before: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The node at which v ends, if it may have the variables with a rank below `before` as parents."""
        i: cython.Py_ssize_t
        node: cython.Py_ssize_t = self.root[v]
        below: cython.Py_ssize_t
        if node < 0:
            node = self.new_node(v, -1, -1)
            self.root[v] = cython.cast(cython.int, node)
        while True:
            if self.count[node] < 0:
                self.expand(node)
            below = -1
            for i in range(self.first[node], self.first[node] + self.count[node]):
                if self.rank_of[self.candidate[i]] < before:
                    below = self.child[i]
                    if below < 0:
                        below = self.new_node(v, node, self.candidate[i])
                        self.child[i] = cython.cast(cython.int, below)
                    break
            if below < 0:
                break
            node = below
        if self.kept_count[node] < 0:
            self.shrink(node)
        return node

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def trace(self, v: cython.Py_ssize_t, before: cython.Py_ssize_t) -> cython.double:
        """The score of v, if it may have the variables with a rank below `before` as parents."""
        node: cython.Py_ssize_t = self.leaf(v, before)  # which may replace `shrunk` by a longer array
        return self.shrunk[node]

    # -- moves --------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def move(self, x: cython.Py_ssize_t) -> cython.int:
        """Move x to its best place in the order; whether that is another one than before."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t = 0
        t: cython.Py_ssize_t
        last: cython.Py_ssize_t = self.n - 1
        place: cython.Py_ssize_t = self.rank_of[x]
        best: cython.Py_ssize_t = place
        changes: cython.bint
        total: cython.double = 0.0
        lowest: cython.double
        self.pulse.beat()
        for i in range(self.n):
            t = self.order[i]
            if t != x:
                self.others[j] = cython.cast(cython.int, t)
                self.rank_of[t] = cython.cast(cython.int, j)
                j += 1
        # the scores of the others if x comes after all of them, and those of x at each place
        self.rank_of[x] = cython.cast(cython.int, self.n)
        for j in range(last):
            t = self.others[j]
            self.without[j] = self.trace(t, j) if j >= place and self.ever[t, x] else self.score[t]
        for j in range(last + 1):
            changes = j == 0 or self.ever[x, self.others[j - 1]]
            self.own[j] = self.trace(x, j) if changes else self.own[j - 1]
        # and if x comes before all of them
        self.rank_of[x] = -1
        for j in range(last):
            t = self.others[j]
            self.with_x[j] = self.trace(t, j) if j < place and self.ever[t, x] else self.score[t]
            total += self.with_x[j]
        for j in range(last + 1):
            self.totals[j] = total + self.own[j]
            if j < last:
                total += self.without[j] - self.with_x[j]
        lowest = self.totals[place]
        for j in range(last + 1):
            if self.totals[j] < lowest - LEAST_GAIN:
                lowest = self.totals[j]
                best = j
        if best != place:
            for j in range(last):
                self.score[self.others[j]] = self.without[j] if j < best else self.with_x[j]
            self.score[x] = self.own[best]
        for j in range(self.n):
            t = x if j == best else self.others[j if j < best else j - 1]
            self.order[j] = cython.cast(cython.int, t)
            self.rank_of[t] = cython.cast(cython.int, j)
        return best != place


def _longer(values: Any, size: int) -> Any:
    """A longer copy of an array."""
    old = np.asarray(values)
    out = np.zeros(size, dtype=old.dtype)
    out[: len(old)] = old
    return out
