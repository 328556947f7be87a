"""The graph on which ICD-Sep sets grow: its steps, the possible ancestors of its nodes, and the loss of edges.

The idea: what is asked of the graph for many pairs is found when it is first needed, and forgotten when an edge is
removed. A step is an entry of `targets`: the steps from u are entries starts[u] … starts[u] + degree[u] - 1, in
increasing order of their targets, and `sources` and `back` tell where a step comes from and which step leads back.

Sets of steps from a node are bits, of as many words as its steps take. The words of all nodes are numbered, those of u
from word_at[u] on, and first_step[w] is the step of the lowest bit of word w. `onward[onward_at[step]]` begins the
words of the steps that a PDS-walk may take after this one, which few pairs need all of: they are found one by one.
"""

from typing import Any

import cython
import numpy as np

from ancestral.graphs.csr import compressed, with_sources

if not cython.compiled:
    from ancestral._cython import bit64
    from ancestral.graphs.marks import ARROW, TAIL
    from ancestral.search._asking_cy import Asking

#: Words of `onward` that are kept at most, which take 2 MB; when there are as many, all are forgotten.
MOST_WORDS = 1 << 18


@cython.cclass
class WalkedGraph(Asking):
    """The graph of one radius; a subclass says which sets are asked about. `IcdSep` explains the arguments."""

    def prepare_graph(
        self,
        filter_all: bool,
        filter_distant: bool,
        anteriors: bool,
        keep_triangles: bool,
        no_edge: Any,
        most_words: int,
    ) -> None:
        """Set up what does not depend on the graph; a subclass calls this when it is made, after `prepare`."""
        n = self.n
        self.no_edge = no_edge
        self.most_words = most_words
        self.filter_all = filter_all
        self.filter_distant = filter_distant
        self.anteriors = anteriors
        self.keep_triangles = keep_triangles
        filtered = filter_all or filter_distant
        self.pools = np.zeros((n, (n + 63) // 64) if filtered else (1, 1), dtype=np.uint64)
        self.pool_known = np.zeros(n, dtype=np.uint8)
        self.nodes = np.zeros(n, dtype=np.intc)
        self.queue = np.zeros(0, dtype=np.intc)
        self.word_at = np.zeros(n + 1, dtype=np.intc)
        self.array: Any = None

    def begin(self, marks: Any, radius: int, like: Any = None, neighbours: Any = None) -> None:
        """Go on to the sets of this radius on this graph of the same nodes.

        `like` has begun with the same radius and graph: what it knows of the graph is shared, as long as no edge is
        removed. `neighbours`: the offsets and targets of the graph as compressed rows, if they are at hand.
        """
        if like is not None:
            self._share(like)
        elif marks is not self.array or self.copied:
            self._take(np.ascontiguousarray(marks, dtype=np.uint8), neighbours)
        self.begin_radius(radius)

    def _take(self, marks: Any, neighbours: Any) -> None:
        """Go on to this graph."""
        self.array = marks
        self.marks = marks
        self.shields = self._shielding(marks)  # whether two nodes shield a third
        self.copied = False
        sources, heads, starts = compressed(marks) if neighbours is None else with_sources(*neighbours)
        self.sources = sources
        self.targets = heads if neighbours is None else heads.copy()  # `remove` closes the gaps in it
        self.starts = starts
        self.degree = starts[1:] - starts[: self.n]
        self._forget_walks()

    def _shielding(self, marks: Any) -> Any:
        """The matrix that tells which pairs shield a node between them: these marks, and the pairs of `no_edge`."""
        if self.no_edge is None:
            return marks
        shields = marks.copy()
        x, y = self.no_edge.T
        shields[x, y] = shields[y, x] = 1
        return shields

    def _share(self, like: Any) -> None:
        """Go on to the graph of another object, and share what it knows of that graph."""
        other: WalkedGraph = like
        self.array = other.array
        self.marks = other.marks
        self.shields = other.shields
        self.copied = False
        self.sources = other.sources
        self.targets = other.targets
        self.starts = other.starts
        self.degree = other.degree
        self._forget_walks()

    def _forget_walks(self) -> None:
        """Forget what is known about walks: it was about another graph."""
        self.pool_known[:] = 0
        self.ways_known = False
        if self.targets.shape[0] >= self.queue.shape[0]:
            self.make_room_for_steps(self.targets.shape[0] + 1)

    def make_room_for_steps(self, room: int) -> None:
        """Allocate space for fewer than `room` steps."""
        widest = (self.n + 63) // 64
        self.queue = np.zeros(room, dtype=np.intc)
        self.back = np.zeros(room, dtype=np.intc)
        self.first_step = np.zeros(self.n + room // 64 + 1, dtype=np.intc)
        self.onward_at = np.zeros(room, dtype=np.intc)
        self.onward = np.zeros(max(widest, min(room * widest, self.most_words)), dtype=np.uint64)

    def remove(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> None:
        """Remove the edge from the graph at once, so that the next pair does not see it."""
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        i: cython.Py_ssize_t
        kept: cython.Py_ssize_t
        if not self.copied:
            self.array = self.array.copy()
            self.marks = self.array
            if not self.keep_triangles:
                self.shields = self._shielding(self.array)
            self.copied = True
        for u, v in ((x, y), (y, x)):
            kept = self.starts[u]
            for i in range(self.starts[u], self.starts[u] + self.degree[u]):
                if self.targets[i] != v:
                    self.targets[kept] = self.targets[i]
                    kept += 1
            self.degree[u] -= 1
            self.array[u, v] = 0
        if self.no_edge is not None and not self.keep_triangles:
            self.shields = self._shielding(self.array)
        self.pool_known[:] = 0
        self.ways_known = False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def find_ways(self) -> cython.int:
        """Number the words of the steps, and find for each step u -> v the number of v -> u.

        The steps into v come in the order in which v lists them.
        """
        i: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        word: cython.Py_ssize_t = 0
        if self.ways_known:
            return 0
        self.ways_known = True
        self.forget_onward()
        for v in range(self.n):
            self.nodes[v] = 0
        for u in range(self.n):
            self.word_at[u] = cython.cast(cython.int, word)
            for i in range(self.starts[u], self.starts[u] + self.degree[u]):
                if (i - self.starts[u]) & 63 == 0:
                    self.first_step[word] = cython.cast(cython.int, i)
                    word += 1
                v = self.targets[i]
                self.back[i] = self.starts[v] + self.nodes[v]
                self.nodes[v] += 1
        self.word_at[self.n] = cython.cast(cython.int, word)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def forget_onward(self) -> cython.void:
        """Forget which steps may follow another."""
        i: cython.Py_ssize_t
        self.onward_count = 0
        for i in range(self.targets.shape[0]):
            self.onward_at[i] = -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_onward(self, step: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Find the steps that a PDS-walk may take after this one, and return the place of their first word."""
        t: cython.Py_ssize_t = self.sources[step]
        u: cython.Py_ssize_t = self.targets[step]
        words: cython.Py_ssize_t = self.word_at[u + 1] - self.word_at[u]
        at: cython.Py_ssize_t
        k: cython.Py_ssize_t
        v: cython.Py_ssize_t
        if self.onward_count + words > self.onward.shape[0]:
            self.forget_onward()
        at = self.onward_count
        self.onward_count += words
        self.onward_at[step] = cython.cast(cython.int, at)
        for k in range(words):
            self.onward[at + k] = 0
        for k in range(self.degree[u]):
            v = self.targets[self.starts[u] + k]
            if v != t and self.passes(t, u, v):
                self.onward[at + (k >> 6)] |= bit64(k)
        return at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def find_pools(self) -> cython.int:
        """Find the possible ancestors of the pair, for condition 3; at radius 1 there are no distant nodes."""
        if self.filter_all or (self.filter_distant and self.radius > 1):
            self.find_pool(self.roots[0])
            self.find_pool(self.roots[1])
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def find_pool(self, x: cython.Py_ssize_t) -> cython.int:
        """Find the possible ancestors of x, x among them; with `anteriors`, its possible anteriors."""
        head: cython.Py_ssize_t = 0
        tail: cython.Py_ssize_t = 1
        i: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        if self.pool_known[x]:
            return 0
        self.pool_known[x] = 1
        for i in range(self.pools.shape[1]):
            self.pools[x, i] = 0
        self.pools[x, x >> 6] = bit64(x)
        self.nodes[0] = cython.cast(cython.int, x)
        while head < tail:
            v = self.nodes[head]
            head += 1
            for i in range(self.starts[v], self.starts[v] + self.degree[v]):
                u = self.targets[i]
                if self.pools[x, u >> 6] & bit64(u) or self.marks[v, u] == ARROW:
                    continue
                if self.anteriors or self.marks[u, v] != TAIL:
                    self.pools[x, u >> 6] |= bit64(u)
                    self.nodes[tail] = cython.cast(cython.int, u)
                    tail += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def passes(self, t: cython.Py_ssize_t, u: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.bint:
        """Whether a PDS-walk may go from t over u to v: a triangle, or u is a collider."""
        return self.shields[t, v] != 0 or (self.marks[t, u] == ARROW and self.marks[v, u] == ARROW)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def allowed(self, root: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.bint:
        """Condition 3, and knowledge: whether v may be in a set that grows from this root."""
        if self.prunes and self.outside(v):
            return False
        if self.filter_all or (self.filter_distant and self.marks[root, v] == 0):
            return self.in_pool(v)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def may_lead_on(self, v: cython.Py_ssize_t) -> cython.bint:
        """Condition 3: whether a walk may go on from v."""
        return not self.filter_distant or self.in_pool(v)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def in_pool(self, v: cython.Py_ssize_t) -> cython.bint:
        """Whether v is a possible ancestor of one of the pair."""
        return (self.pools[self.roots[0], v >> 6] | self.pools[self.roots[1], v >> 6]) & bit64(v) != 0
