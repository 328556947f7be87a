"""The graph on which ICD-Sep sets grow: its steps, the possible ancestors of its nodes, and the loss of edges.

The idea: what is asked of the graph for many pairs is found when it is first needed, and forgotten when an edge is
removed. A step is an entry of `targets`: the steps from u are entries starts[u] … starts[u] + degree[u] - 1, in
increasing order of their targets, and `sources` and `back` tell where a step comes from and which step leads back.
"""

from typing import Any

import cython
import numpy as np

from ancestral.graphs.csr import compressed, with_sources

if not cython.compiled:
    from ancestral._cython import bit64
    from ancestral.graphs.marks import ARROW, TAIL
    from ancestral.search._asking_cy import Asking


@cython.cclass
class WalkedGraph(Asking):
    """The graph of one radius; a subclass says which sets are asked about. `IcdSep` explains the arguments."""

    def prepare_graph(
        self, filter_all: bool, filter_distant: bool, anteriors: bool, keep_triangles: bool, no_edge: Any
    ) -> None:
        """Set up what does not depend on the graph; a subclass calls this when it is made, after `prepare`."""
        n = self.n
        self.no_edge = no_edge
        self.filter_all = filter_all
        self.filter_distant = filter_distant
        self.anteriors = anteriors
        self.keep_triangles = keep_triangles
        filtered = filter_all or filter_distant
        self.pools = np.zeros((n, (n + 63) // 64) if filtered else (1, 1), dtype=np.uint64)
        self.pool_known = np.zeros(n, dtype=np.uint8)
        self.nodes = np.zeros(n, dtype=np.intc)
        self.visited = np.zeros(0, dtype=np.uintc)
        self.stamp = 0
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
        if self.targets.shape[0] >= self.visited.shape[0]:
            self.visited = np.zeros(self.targets.shape[0] + 1, dtype=np.uintc)
            self.queue = np.zeros(self.targets.shape[0] + 1, dtype=np.intc)
            self.back = np.zeros(self.targets.shape[0] + 1, dtype=np.intc)
            self.opened = np.zeros((2, self.targets.shape[0] + 1), dtype=np.uint8)
            self.trail = np.zeros((2, self.targets.shape[0] + 1), dtype=np.intc)

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
    def find_ways_back(self) -> cython.int:
        """Find for each step u -> v the number of v -> u: the steps into v come in the order in which v lists them."""
        i: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        if self.ways_known:
            return 0
        self.ways_known = True
        for v in range(self.n):
            self.nodes[v] = 0
        for u in range(self.n):
            for i in range(self.starts[u], self.starts[u] + self.degree[u]):
                v = self.targets[i]
                self.back[i] = self.starts[v] + self.nodes[v]
                self.nodes[v] += 1
        return 0

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
