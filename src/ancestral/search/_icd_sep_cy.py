"""The ICD-Sep sets of a pair, grown node by node, and asked as they are found: one radius of ICD.

A set Z of size r belongs to the ordered pair (root, other) if (conditions of the paper)
  1   |Z| = r,
  2b  each node of Z is reached from the root by a PDS-walk whose nodes all lie in Z and are not `other`
      (2a, at most r steps, follows from 1 and 2b for paths; walks that cross themselves may be longer),
  3   each node of Z is a possible ancestor of the pair: all of them (`filter_all`), or those that are no neighbours of
      the root, and these reached through possible ancestors only (`filter_distant`), or not asked for.
On a PDS-walk each inner node v between u and w is a collider, or u and w are adjacent; a walk does not turn back.

The idea: every beginning of a PDS-walk is one, so such sets grow by one node at a time, and they are closed under
union. So include-or-exclude lists each once: choose the first node to add among the candidates, never again touch those
before it. `entered[j, i]` says that the walk may enter node i of Z from node j (0 is the root); a new node only adds
entries, and `trail` undoes them. Nearest sets come first: for each sum of distances, smallest first, the sets with that
sum, from both ends of the pair; ties by what the test prefers, then by position, so nodes must be numbered by name.
"""

from typing import Any

import cython
import numpy as np

from ancestral.graphs.compressed import compressed

if not cython.compiled:
    from ancestral._cython import bit64
    from ancestral._pulse_cy import Pulse
    from ancestral.independence._questions_cy import Questions

ARROW = cython.declare(cython.int, 2)
TAIL = cython.declare(cython.int, 3)


@cython.cclass
class IcdSep:
    """The sets of one radius on one graph, which loses an edge only through `remove`.

    With `keep_triangles` an edge that was removed still counts as the third side of a triangle: the node opposite has
    not been judged a collider or not since, so a walk may pass it.
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
    ) -> None:
        self.array = np.array(marks, dtype=np.uint8, order="C")
        self.marks = self.array
        # whether two nodes shield a third; in the graph as it is, or as it was in the beginning
        self.shields = self.array.copy() if keep_triangles else self.array
        self.questions = questions
        n = len(self.array)
        self.n = n
        self.radius = radius
        self.filter_all = filter_all
        self.filter_distant = filter_distant
        self.anteriors = anteriors
        self.pulse = Pulse() if pulse is None else pulse
        self.asked = 0
        self.done = 0
        self.any_sets = False
        self.listed = list[Any]()
        self.sources, heads, starts = compressed(self.array)
        self.targets = heads
        self.starts = starts
        self.degree = np.diff(starts)
        filtered = filter_all or filter_distant
        self.pools = np.zeros((n, (n + 63) // 64) if filtered else (1, 1), dtype=np.uint64)
        self.pool_known = np.zeros(n, dtype=np.uint8)
        self.roots = np.zeros(2, dtype=np.intc)
        self.distance = np.zeros((2, n), dtype=np.intc)
        self.within = np.zeros((2, n), dtype=np.intc)
        self.within_count = np.zeros(2, dtype=np.intc)
        self.visited = np.zeros(len(heads) + 1, dtype=np.uintc)
        self.stamp = 0
        self.queue = np.zeros(len(heads) + 1, dtype=np.intc)
        self.nodes = np.zeros(n, dtype=np.intc)
        self.chosen = np.zeros(max(radius, 1), dtype=np.intc)
        self.closest = np.zeros(max(radius, 1), dtype=np.intc)
        self.place = np.zeros(n, dtype=np.intc)
        self.seen = np.zeros(n, dtype=np.uint8)
        self.liking = np.zeros(n)
        self.candidates = np.zeros((radius + 1, n), dtype=np.intc)
        self.candidate_count = np.zeros(radius + 1, dtype=np.intc)
        self.entered = np.zeros((radius + 1, radius + 1), dtype=np.uint8)
        self.trail = np.zeros(((radius + 1) * (radius + 1), 2), dtype=np.intc)
        self.trail_count = 0
        self.inside = np.zeros((radius + 1, radius + 1), dtype=np.uint8)
        self.ways = np.zeros(((radius + 1) * (radius + 1), 2), dtype=np.intc)

    # -- from Python --------------------------------------------------------------------------------------------

    def separate(self, pairs: Any) -> Any:
        """Ask about each pair until it is separated; returns three arrays with a row for each pair.

        Whether it is separated; the set that separates it, otherwise the one with the largest p-value; and `statistic,
        df` of that question, NaN where none was asked that the data support. At radius 0 the last two are left empty:
        the set is the empty one, and for its evidence there is `Questions.marginals`.
        """
        edges: cython.int[:, ::1] = np.ascontiguousarray(pairs, dtype=np.intc)
        count = len(pairs)
        separated = np.zeros(count, dtype=np.uint8)
        sets = np.zeros((count, self.radius), dtype=np.intc)
        evidence = np.full((count if self.radius else 0, 2), np.nan)
        answers: cython.uchar[::1] = separated
        members: cython.int[:, ::1] = sets
        decided: cython.double[:, ::1] = evidence
        e: cython.Py_ssize_t
        i: cython.Py_ssize_t
        assert self.questions is not None
        with cython.nogil:
            for e in range(edges.shape[0]):
                answers[e] = cython.cast(cython.uchar, self.search(edges[e, 0], edges[e, 1]))
                self.done += 1
                if self.radius == 0:
                    continue
                if answers[e]:
                    decided[e, 0] = self.questions.statistic
                    decided[e, 1] = cython.cast(cython.double, self.questions.df)
                else:
                    decided[e, 0] = self.questions.closest_statistic
                    decided[e, 1] = cython.cast(cython.double, self.questions.closest_df)
                for i in range(self.radius):
                    members[e, i] = self.chosen[i] if answers[e] else self.closest[i]
        return separated, sets, evidence

    def listing(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> list[tuple[int, ...]]:
        """The sets of a pair in the order in which they would be asked; needs questions that say 'dependent'."""
        self.listed = list[Any]()
        self.search(x, y)
        return list(self.listed)

    def belongs(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: Any) -> bool:
        """Whether these nodes, as many as the radius, are an ICD-Sep set of the pair."""
        i: cython.Py_ssize_t
        self.roots[0] = cython.cast(cython.int, x)
        self.roots[1] = cython.cast(cython.int, y)
        for i in range(self.radius):
            self.chosen[i] = given[i]
        self.find_pools()
        return bool(self.closed_for(0) or self.closed_for(1))

    def remove(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> None:
        """Take the edge out of the graph at once: the next pair will not see it."""
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        i: cython.Py_ssize_t
        kept: cython.Py_ssize_t
        for u, v in ((x, y), (y, x)):
            kept = self.starts[u]
            for i in range(self.starts[u], self.starts[u] + self.degree[u]):
                if self.targets[i] != v:
                    self.targets[kept] = self.targets[i]
                    kept += 1
            self.degree[u] -= 1
            self.marks[u, v] = 0
        self.pool_known[:] = 0

    # -- one pair -----------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def search(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.int:
        """1 if a set separates x and y; it is then in `chosen`."""
        found: cython.int = 0
        side: cython.Py_ssize_t
        i: cython.Py_ssize_t
        farthest: cython.Py_ssize_t = 0
        self.roots[0] = cython.cast(cython.int, x)
        self.roots[1] = cython.cast(cython.int, y)
        self.pulse.beat()
        if self.radius == 0:
            self.any_sets = True
            return self.try_set()
        if self.questions is not None:
            self.questions.begin_pair()
        self.find_pools()
        for side in range(2):
            self.reach(side)
            if self.within_count[side] >= self.radius:
                self.any_sets = True
                # nodes within reach stand in the order of their distance
                i = self.within[side, self.within_count[side] - 1]
                farthest = max(farthest, self.distance[side, i] * self.radius)
        self.level = self.radius
        while not found and self.level <= farthest:
            for side in range(2):
                if self.within_count[side] >= self.radius and not found:
                    self.side = side
                    self.root = self.roots[side]
                    self.other = self.roots[1 - side]
                    found = self.begin()
            self.level += 1
        for side in range(2):
            for i in range(self.within_count[side]):
                self.distance[side, self.within[side, i]] = 0
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def begin(self) -> cython.int:
        """All sets of this level that grow from this root; first come its neighbours."""
        found: cython.int
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        for i in range(self.starts[self.root], self.starts[self.root] + self.degree[self.root]):
            v = self.targets[i]
            if v != self.other and self.allowed(self.root, v):
                self.candidates[0, count] = cython.cast(cython.int, v)
                self.seen[v] = 1
                count += 1
        self.candidate_count[0] = cython.cast(cython.int, count)
        self.sort_by_preference(0, 0)
        found = self.grow(0, 0, 0)
        for i in range(count):
            self.seen[self.candidates[0, i]] = 0
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def reach(self, side: cython.Py_ssize_t) -> cython.int:
        """How many steps of a PDS-walk each node is away from this side's root; 0: out of reach, or too far to matter.

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
        """Z has `size` nodes with distances adding up to `total`; try every set of this level that it can grow to."""
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
            if far + (left - 1) > self.level or far + (left - 1) * farthest < self.level:
                continue  # the sets with z are nearer or farther than this level
            self.chosen[size] = cython.cast(cython.int, z)
            if left == 1:
                if self.try_set():
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
            if found:
                return 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def push(self, size: cython.Py_ssize_t, z: cython.Py_ssize_t) -> cython.int:
        """z joins Z: find the ways in which walks may enter it and go on, and the candidates that this opens."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        t: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        into: cython.Py_ssize_t
        new: cython.Py_ssize_t = size + 1  # place 0 is the root, place i + 1 is chosen[i]
        head: cython.Py_ssize_t = self.trail_count
        before: cython.Py_ssize_t = self.candidate_count[size + 1]
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
        self.sort_by_preference(size + 1, before)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def sort_by_preference(self, size: cython.Py_ssize_t, first: cython.Py_ssize_t) -> cython.int:
        """Sort the candidates of this size from `first` on: what the test prefers, then by position (Shell 1959)."""
        last: cython.Py_ssize_t = self.candidate_count[size]
        gap: cython.Py_ssize_t = 1
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        v: cython.int
        if self.questions is None or not self.questions.has_preference:
            return 0
        for i in range(first, last):
            v = self.candidates[size, i]
            self.liking[v] = self.questions.preference(self.roots[0], self.roots[1], v)
        while gap < (last - first) // 3:
            gap = 3 * gap + 1
        while gap:
            for i in range(first + gap, last):
                v = self.candidates[size, i]
                j = i
                while j >= first + gap and self.comes_before(v, self.candidates[size, j - gap]):
                    self.candidates[size, j] = self.candidates[size, j - gap]
                    j -= gap
                self.candidates[size, j] = v
            gap //= 3
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def comes_before(self, u: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.bint:
        return self.liking[u] > self.liking[v] or (self.liking[u] == self.liking[v] and u < v)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def enter(self, j: cython.Py_ssize_t, i: cython.Py_ssize_t) -> cython.void:
        if not self.entered[j, i]:
            self.entered[j, i] = 1
            self.trail[self.trail_count, 0] = cython.cast(cython.int, j)
            self.trail[self.trail_count, 1] = cython.cast(cython.int, i)
            self.trail_count += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def try_set(self) -> cython.int:
        """Ask about the chosen set, unless the other root has it, too, and it is that one's turn to ask."""
        if self.radius and self.is_turn_of_other_side():
            return 0
        i: cython.Py_ssize_t
        self.pulse.beat()
        self.asked += 1
        if self.questions is None:
            with cython.gil:
                self.listed.append(tuple(sorted(np.asarray(self.chosen)[: self.radius].tolist())))
            return 0
        if self.questions.independent(self.roots[0], self.roots[1], self.chosen, self.radius):
            return 1
        if self.radius and self.questions.closer():
            for i in range(self.radius):
                self.closest[i] = self.chosen[i]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def is_turn_of_other_side(self) -> cython.bint:
        """Whether the chosen set also belongs to the other root, at a smaller level or, at the same, to the first."""
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
        """Condition 3: whether v may be in a set that grows from this root."""
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
        """Make condition 3 ready for the pair, where it matters: at radius 1 there are no distant nodes."""
        if self.filter_all or (self.filter_distant and self.radius > 1):
            self.find_pool(self.roots[0])
            self.find_pool(self.roots[1])
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def find_pool(self, x: cython.Py_ssize_t) -> cython.int:
        """The possible ancestors of x (possible anteriors, where these are meant), x among them."""
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
