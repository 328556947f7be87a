"""The ICD-Sep sets of a pair, grown node by node, and asked as they are found: one radius of ICD.

A set Z of size r belongs to the ordered pair (root, other) if (conditions of the paper)
  1   |Z| = r,
  2b  each node of Z is reached from the root by a PDS-walk whose nodes all lie in Z and are not `other`
      (2a, at most r steps, follows from 1 and 2b for paths; walks that cross themselves may be longer),
  3   each node of Z is a possible ancestor of the pair: all of them (`filter_all`), or only those that are not adjacent
      to the root, which must then be reached through possible ancestors (`filter_distant`), or not required,
and no node of Z is known not to be an ancestor (`no_cause`): D-Sep, and the walks to it, consist of ancestors.
On a PDS-walk each inner node v between u and w is a collider, or u and w are adjacent; a walk does not turn back.

The idea: every beginning of a PDS-walk is one, so such sets grow by one node at a time, and they are closed under
union. So include-or-exclude lists each set once: choose the first node to add among the candidates, and never use those
before it again. `entered[j, i]` says that a walk may enter node i of Z from node j (0 is the root); a new node only
adds entries, and `trail` undoes them. Nearest sets come first: for each sum of distances, smallest first, the sets with
that sum, from both ends of the pair; ties by what the test prefers, then by position, so nodes must be numbered by
name.
"""

from typing import Any

import cython
import numpy as np

from ancestral.graphs.csr import compressed

if not cython.compiled:
    from ancestral._cython import bit64
    from ancestral._pulse_cy import Pulse
    from ancestral.graphs.marks import ARROW, TAIL
    from ancestral.independence._questions_cy import Questions
    from ancestral.search._asking_cy import Asking


@cython.final
@cython.cclass
class IcdSep(Asking):
    """The sets of one radius on one graph, which loses edges only through `remove`; `begin` goes on to the next radius.

    The matrix of marks is not copied, so the caller must not change it. With `keep_triangles` an edge that was removed
    still counts as the third side of a triangle: whether the node opposite is a collider has not been judged since, so
    a walk may pass it. So do the pairs of `no_edge`, rows x, y: they are known not to be adjacent, without a separating
    set.
    """

    def __init__(
        self,
        marks: Any,
        questions: Questions | None,
        radius: int,
        filter_all: bool = False,
        filter_distant: bool = False,
        anteriors: bool = True,
        keep_triangles: bool = False,
        pulse: Pulse | None = None,
        no_cause: Any = None,
        no_edge: Any = None,
    ) -> None:
        n = len(marks)
        self.prepare(n, questions, pulse, no_cause)
        self.no_edge = no_edge
        self.filter_all = filter_all
        self.filter_distant = filter_distant
        self.anteriors = anteriors
        self.keep_triangles = keep_triangles
        filtered = filter_all or filter_distant
        self.pools = np.zeros((n, (n + 63) // 64) if filtered else (1, 1), dtype=np.uint64)
        self.pool_known = np.zeros(n, dtype=np.uint8)
        self.distance = np.zeros((2, n), dtype=np.intc)
        self.within = np.zeros((2, n), dtype=np.intc)
        self.within_count = np.zeros(2, dtype=np.intc)
        self.near = np.zeros((2, n), dtype=np.intc)
        self.near_count = np.zeros(2, dtype=np.intc)
        self.visited = np.zeros(0, dtype=np.uintc)
        self.stamp = 0
        self.nodes = np.zeros(n, dtype=np.intc)
        self.place = np.zeros(n, dtype=np.intc)
        self.seen = np.zeros(n, dtype=np.uint8)
        self.array: Any = None
        self.begin(marks, radius)

    def begin(self, marks: Any, radius: int, like: Any = None) -> None:
        """Go on to the sets of this radius on this graph of the same nodes.

        `like` has begun with the same radius and graph: what it knows of the graph is shared, as long as no edge is
        removed.
        """
        if like is not None:
            self._share(like)
        elif marks is not self.array or self.copied:
            self._take(np.ascontiguousarray(marks, dtype=np.uint8))
        self.begin_radius(radius)
        self.trail_count = 0

    def _take(self, marks: Any) -> None:
        """Go on to this graph."""
        self.array = marks
        self.marks = marks
        self.shields = self._shielding(marks)  # whether two nodes shield a third
        self.copied = False
        self.sources, heads, starts = compressed(marks)
        self.targets = heads
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
        other: IcdSep = like
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
        if self.targets.shape[0] >= self.visited.shape[0]:
            self.visited = np.zeros(self.targets.shape[0] + 1, dtype=np.uintc)
            self.queue = np.zeros(self.targets.shape[0] + 1, dtype=np.intc)

    def make_room(self, room: int) -> None:
        """Allocate space for sets of fewer than `room` nodes."""
        Asking.make_room(self, room)
        self.candidates = np.zeros((room, self.n), dtype=np.intc)
        self.candidate_count = np.zeros(room, dtype=np.intc)
        self.entered = np.zeros((room, room), dtype=np.uint8)
        self.trail = np.zeros((room * room, 2), dtype=np.intc)
        self.inside = np.zeros((room, room), dtype=np.uint8)
        self.ways = np.zeros((room * room, 2), dtype=np.intc)

    # -- from Python --------------------------------------------------------------------------------------------

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

    # -- one pair -----------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def try_sets(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.int:
        """Ask about the sets of this pair; 1 if a set separates it, which is then in `chosen`."""
        found: cython.int = 0
        side: cython.Py_ssize_t
        i: cython.Py_ssize_t
        farthest: cython.Py_ssize_t = 0
        self.begin_pair(x, y)
        self.find_pools()
        if self.radius == 1 and self.batch_size > 1:
            return self.search_neighbours()
        for side in range(2):
            self.reach(side)
            if self.within_count[side] >= self.radius:
                self.any_sets = True
                # nodes within reach stand in the order of their distance
                i = self.within[side, self.within_count[side] - 1]
                farthest = max(farthest, self.distance[side, i] * self.radius)
                self.find_near(side)
        self.level = self.radius
        while not found and self.level <= farthest:
            self.next_level = farthest + 1
            for side in range(2):
                if self.within_count[side] >= self.radius and not found:
                    self.side = side
                    self.root = self.roots[side]
                    self.other = self.roots[1 - side]
                    found = self.grow_from_root()
            self.level = self.next_level
        for side in range(2):
            for i in range(self.within_count[side]):
                self.distance[side, self.within[side, i]] = 0
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def search_neighbours(self) -> cython.int:
        """Radius 1, for tests that answer many questions together.

        The sets are the neighbours of the first root, then those of the second that are not adjacent to the first.
        """
        side: cython.Py_ssize_t
        root: cython.Py_ssize_t
        other: cython.Py_ssize_t
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        count: cython.Py_ssize_t
        for side in range(2):
            root = self.roots[side]
            other = self.roots[1 - side]
            count = 0
            for i in range(self.starts[root], self.starts[root] + self.degree[root]):
                v = self.targets[i]
                if v != other and self.allowed(root, v) and (side == 0 or self.marks[other, v] == 0):
                    self.last[count] = cython.cast(cython.int, v)
                    count += 1
            if self.ask_preferred(count):
                return 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def find_near(self, side: cython.Py_ssize_t) -> cython.int:
        """Find the neighbours of this side's root that may be in a set, in the order of preference."""
        root: cython.Py_ssize_t = self.roots[side]
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        count: cython.int = 0
        for i in range(self.starts[root], self.starts[root] + self.degree[root]):
            v = self.targets[i]
            if v != self.roots[1 - side] and self.allowed(root, v):
                self.near[side, count] = cython.cast(cython.int, v)
                count += 1
        self.near_count[side] = count
        self.sort_by_preference(self.near[side], 0, count)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def grow_from_root(self) -> cython.int:
        """Ask about all sets of this level that grow from this root, beginning with its neighbours."""
        found: cython.int
        i: cython.Py_ssize_t
        count: cython.Py_ssize_t = self.near_count[self.side]
        for i in range(count):
            self.candidates[0, i] = self.near[self.side, i]
            self.seen[self.near[self.side, i]] = 1
        self.candidate_count[0] = cython.cast(cython.int, count)
        found = self.grow(0, 0, 0)
        for i in range(count):
            self.seen[self.near[self.side, i]] = 0
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def reach(self, side: cython.Py_ssize_t) -> cython.int:
        """Find how many steps of a PDS-walk each node is away from this side's root; 0: unreachable, or too far.

        Inside a set of r nodes a walk visits r nodes at most. It comes back to a node only around a cycle of three or
        more, and to some purpose only if it then enters yet another node; so for r < 4 it has at most r steps.
        """
        root: cython.Py_ssize_t = self.roots[side]
        other: cython.Py_ssize_t = self.roots[1 - side]
        head: cython.Py_ssize_t = 0
        tail: cython.Py_ssize_t = 0
        end: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        steps: cython.int = 1
        most: cython.Py_ssize_t = self.radius if self.radius < 4 else self.queue.shape[0]
        i: cython.Py_ssize_t
        t: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        self.stamp += 1
        for i in range(self.starts[root], self.starts[root] + self.degree[root]):
            v = self.targets[i]
            if v != other and self.allowed(root, v):
                self.visited[i] = self.stamp
                self.queue[tail] = cython.cast(cython.int, i)
                tail += 1
                self.distance[side, v] = 1
                self.within[side, count] = cython.cast(cython.int, v)
                count += 1
        while head < tail and steps < most:
            steps += 1
            end = tail
            while head < end:  # all walks that took steps - 1 steps so far
                t = self.sources[self.queue[head]]
                u = self.targets[self.queue[head]]
                head += 1
                if not self.may_lead_on(u):
                    continue
                for i in range(self.starts[u], self.starts[u] + self.degree[u]):
                    v = self.targets[i]
                    if v == root or v == other or v == t or self.visited[i] == self.stamp:
                        continue
                    if not self.passes(t, u, v) or not self.allowed(root, v):
                        continue
                    self.visited[i] = self.stamp
                    self.queue[tail] = cython.cast(cython.int, i)
                    tail += 1
                    if self.distance[side, v] == 0:
                        self.distance[side, v] = steps
                        self.within[side, count] = cython.cast(cython.int, v)
                        count += 1
        self.within_count[side] = cython.cast(cython.int, count)
        return 0

    # -- growing ------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def grow(self, size: cython.Py_ssize_t, total: cython.Py_ssize_t, excluded: cython.Py_ssize_t) -> cython.int:
        """Z has `size` nodes with distances that add up to `total`; ask about all sets of this level it can grow to."""
        left: cython.Py_ssize_t = self.radius - size
        farthest: cython.Py_ssize_t = self.distance[self.side, self.within[self.side, self.within_count[self.side] - 1]]
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        z: cython.Py_ssize_t
        far: cython.Py_ssize_t
        undo: cython.Py_ssize_t
        rest: cython.Py_ssize_t
        count: cython.Py_ssize_t
        found: cython.int
        self.pulse.beat()
        for i in range(self.candidate_count[size]):
            if self.within_count[self.side] - excluded - i < self.radius:
                break  # too few nodes are left
            z = self.candidates[size, i]
            far = total + self.distance[self.side, z]
            if far + (left - 1) > self.level:  # the sets with z are farther than this level
                self.next_level = min(self.next_level, far + (left - 1))
                continue
            if far + (left - 1) * farthest < self.level:
                continue  # they are nearer
            self.chosen[size] = cython.cast(cython.int, z)
            if left == 1:
                if self.is_turn_of_other_side():
                    continue
                if self.ask_with(size, z):
                    return 1
                continue
            rest = self.candidate_count[size] - i - 1
            for j in range(rest):
                self.candidates[size + 1, j] = self.candidates[size, i + 1 + j]
            self.candidate_count[size + 1] = cython.cast(cython.int, rest)
            undo = self.trail_count
            self.push(size, z)
            count = self.candidate_count[size + 1]
            found = self.grow(size + 1, far, excluded + i)
            while self.trail_count > undo:
                self.trail_count -= 1
                self.entered[self.trail[self.trail_count, 0], self.trail[self.trail_count, 1]] = 0
            for j in range(rest, count):
                self.seen[self.candidates[size + 1, j]] = 0
            self.place[z] = 0
            self.leave(size)
            if found:
                return 1
        return self.ask_last(size) if self.last_count else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def push(self, size: cython.Py_ssize_t, z: cython.Py_ssize_t) -> cython.int:
        """Add z to Z: find how walks may enter it and go on, and the candidates that this opens."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        t: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        into: cython.Py_ssize_t
        new: cython.Py_ssize_t = size + 1  # place 0 is the root, place i + 1 is chosen[i]
        head: cython.Py_ssize_t = self.trail_count
        before: cython.Py_ssize_t = self.candidate_count[size + 1]
        self.grown += 1
        self.place[z] = cython.cast(cython.int, new)
        if self.marks[self.root, z]:
            self.enter(0, new)
        for i in range(1, new):
            u = self.chosen[i - 1]
            if self.marks[u, z] == 0 or not self.may_lead_on(u):
                continue
            for j in range(new):
                if self.entered[j, i]:
                    t = self.root if j == 0 else self.chosen[j - 1]
                    if self.passes(t, u, z):
                        self.enter(i, new)
                        break
        while head < self.trail_count:
            j, i = self.trail[head, 0], self.trail[head, 1]
            head += 1
            t = self.root if j == 0 else self.chosen[j - 1]
            u = self.chosen[i - 1]
            if not self.may_lead_on(u):
                continue
            for into in range(self.starts[u], self.starts[u] + self.degree[u]):
                v = self.targets[into]
                if v == self.root or v == self.other or v == t or not self.passes(t, u, v):
                    continue
                if self.place[v]:
                    self.enter(i, self.place[v])
                elif not self.seen[v] and self.allowed(self.root, v):
                    self.seen[v] = 1
                    self.candidates[size + 1, self.candidate_count[size + 1]] = cython.cast(cython.int, v)
                    self.candidate_count[size + 1] += 1
        self.sort_by_preference(self.candidates[size + 1], before, self.candidate_count[size + 1])
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def enter(self, j: cython.Py_ssize_t, i: cython.Py_ssize_t) -> cython.void:
        """Note that a walk may enter node i of Z from node j."""
        if not self.entered[j, i]:
            self.entered[j, i] = 1
            self.trail[self.trail_count, 0] = cython.cast(cython.int, j)
            self.trail[self.trail_count, 1] = cython.cast(cython.int, i)
            self.trail_count += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def is_turn_of_other_side(self) -> cython.bint:
        """Whether the chosen set belongs to the other root, too, and is asked about there.

        That is so if its level there is smaller, or the same and the other root is the first one.
        """
        i: cython.Py_ssize_t
        total: cython.Py_ssize_t = 0
        side: cython.Py_ssize_t = 1 - self.side
        for i in range(self.radius):
            if self.distance[side, self.chosen[i]] == 0:
                return False
            total += self.distance[side, self.chosen[i]]
        if total > self.level or (total == self.level and self.side == 0):
            return False
        return self.closed_for(side)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def chosen_belongs(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.bint:
        """Whether the chosen nodes are an ICD-Sep set of this pair."""
        self.roots[0] = cython.cast(cython.int, x)
        self.roots[1] = cython.cast(cython.int, y)
        self.find_pools()
        return self.closed_for(0) or self.closed_for(1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def closed_for(self, side: cython.Py_ssize_t) -> cython.bint:
        """Conditions 2b and 3 for the chosen set and the root on this side, by walking inside the set."""
        root: cython.Py_ssize_t = self.roots[side]
        head: cython.Py_ssize_t = 0
        tail: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        k: cython.Py_ssize_t
        t: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        for i in range(self.radius):
            if not self.allowed(root, self.chosen[i]):
                return False
        for j in range(self.radius + 1):
            for i in range(self.radius + 1):
                self.inside[j, i] = 0
        for i in range(1, self.radius + 1):
            if self.marks[root, self.chosen[i - 1]]:
                self.inside[0, i] = 1
                self.ways[tail, 0] = 0
                self.ways[tail, 1] = cython.cast(cython.int, i)
                tail += 1
        while head < tail:
            j, i = self.ways[head, 0], self.ways[head, 1]
            head += 1
            t = root if j == 0 else self.chosen[j - 1]
            u = self.chosen[i - 1]
            if not self.may_lead_on(u):
                continue
            for k in range(1, self.radius + 1):
                v = self.chosen[k - 1]
                if v != u and v != t and self.marks[u, v] and not self.inside[i, k] and self.passes(t, u, v):
                    self.inside[i, k] = 1
                    self.ways[tail, 0] = cython.cast(cython.int, i)
                    self.ways[tail, 1] = cython.cast(cython.int, k)
                    tail += 1
        for i in range(1, self.radius + 1):
            j = 0
            while j <= self.radius and not self.inside[j, i]:
                j += 1
            if j > self.radius:
                return False
        return True

    # -- conditions ---------------------------------------------------------------------------------------------

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
