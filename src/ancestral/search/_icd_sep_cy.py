"""The ICD-Sep sets of a pair, grown node by node, and asked about nearest first: one radius of ICD.

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
before it again. Nearest sets come first: for each sum of distances (the level), smallest first, the sets with
that sum, from both ends of the pair; ties by what the test prefers, then by position, so nodes must be numbered by
name.

The sets of the lowest level are those of neighbours of the root: `choose_near`. Those of all higher levels are grown in
one walk, put aside, and asked about level by level (`_set_levels_cy`).

Invariants while sets grow from one side: Z is `chosen[: size]`, and `place[v]` is 1 + the position of v in it, 0 for
others. `candidates` holds in a row every node to which Z has led: those of Z, those that stay out of it, and from
`first` on those that may be added. `opened[side, i]`: a walk from the root of this side inside Z may take step i, an
entry of `targets`, next; a new node only opens steps, and `trail` closes them. Of the other side the same is kept for
the first `joined` nodes of Z alone, as many as it takes to tell whether Z belongs to that root, too: `entries` counts
the open steps into each node, and `lacking` the nodes of Z without any.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from ancestral._cython import bit64
    from ancestral._pulse_cy import Pulse
    from ancestral.graphs.marks import ARROW
    from ancestral.independence._questions_cy import Questions
    from ancestral.search._set_levels_cy import SetLevels
    from ancestral.search._walked_graph_cy import WalkedGraph

#: Sets of a pair that are put aside at first, since most pairs have fewer, and many are separated by one of these.
ROOM_AT_FIRST = cython.declare(cython.Py_ssize_t, 1024)

#: How many times as many are put aside the next time.
MORE_ROOM = cython.declare(cython.Py_ssize_t, 16)

#: Sets of a pair that are put aside at most, which takes about 4 MB and 4 bytes for each node of their stems.
MOST_KEPT = 1 << 18


@cython.final
@cython.cclass
class IcdSep(WalkedGraph):
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
        most_kept: int = MOST_KEPT,
        neighbours: Any = None,
    ) -> None:
        n = len(marks)
        self.prepare(n, questions, pulse, no_cause)
        self.prepare_graph(filter_all, filter_distant, anteriors, keep_triangles, no_edge)
        self.distance = np.zeros((2, n), dtype=np.intc)
        self.within = np.zeros((2, n), dtype=np.intc)
        self.within_count = np.zeros(2, dtype=np.intc)
        self.near = np.zeros((2, n), dtype=np.intc)
        self.near_count = np.zeros(2, dtype=np.intc)
        self.place = np.zeros(n, dtype=np.intc)
        self.seen = np.zeros(n, dtype=np.uint8)
        self.candidates = np.zeros(n, dtype=np.intc)
        self.candidate_count = 0
        self.opened_count = np.zeros(2, dtype=np.intp)
        self.entries = np.zeros((2, n), dtype=np.intc)
        self.lacking = 0
        self.joined = 0
        self.any_grown = False
        self.most_kept = most_kept
        self.levels = SetLevels()
        self.begin(marks, radius, neighbours=neighbours)

    def make_room(self, room: int) -> None:
        """Allocate space for sets of fewer than `room` nodes."""
        WalkedGraph.make_room(self, room)
        self.opened_before = np.zeros(room, dtype=np.intp)
        self.inside = np.zeros((room, room), dtype=np.uint8)
        self.ways = np.zeros((room * room, 2), dtype=np.intc)

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
            self.near_count[side] = 0
            if self.within_count[side] >= self.radius:
                self.any_sets = True
                # nodes within reach stand in the order of their distance
                i = self.within[side, self.within_count[side] - 1]
                farthest = max(farthest, self.distance[side, i] * self.radius)
                self.find_near(side)
        for side in range(2):
            if not found:
                self.side = side
                found = self.choose_near(0, 0, True)
        if not found and farthest > self.radius:
            found = self.search_farther(farthest)
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
    def choose_near(self, size: cython.Py_ssize_t, first: cython.Py_ssize_t, shared: cython.bint) -> cython.int:
        """Ask about the sets of neighbours of this side's root, which are the sets of the lowest level.

        `size` nodes are chosen, the others are those from index `first` on; `shared`: the chosen ones are near both
        roots. Every set of neighbours is closed. The first root asks about those that both have.
        """
        i: cython.Py_ssize_t
        z: cython.Py_ssize_t
        found: cython.int
        both: cython.bint
        left: cython.Py_ssize_t = self.radius - size
        self.pulse.beat()
        for i in range(first, self.near_count[self.side] - left + 1):
            z = self.near[self.side, i]
            both = shared and self.distance[1 - self.side, z] == 1
            if left == 1:
                if not (both and self.side == 1) and self.ask_with(size, z):
                    return 1
                continue
            self.chosen[size] = cython.cast(cython.int, z)
            self.grown += 1
            found = self.choose_near(size + 1, i + 1, both)
            self.leave(size)
            if found:
                return 1
        return self.ask_last(size) if self.last_count else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def search_farther(self, farthest: cython.Py_ssize_t) -> cython.int:
        """Ask about the sets of all levels above the lowest one, up to `farthest`.

        Sets of several levels are grown in one walk and put aside, as many as there is room for. It is little room at
        first, since a pair may be separated soon. If a single level has too many sets, they are asked about as they
        are found.
        """
        found: cython.int = 0
        side: cython.Py_ssize_t
        i: cython.Py_ssize_t
        root: cython.Py_ssize_t
        low: cython.Py_ssize_t = self.radius + 1
        room: cython.Py_ssize_t = min(ROOM_AT_FIRST, self.most_kept)
        self.find_ways_back()
        for side in range(2):
            root = self.roots[side]
            for i in range(self.starts[root], self.starts[root] + self.degree[root]):
                if self.distance[side, self.targets[i]] == 1:
                    self.open_step(side, i)
        while not found and low <= farthest:
            self.levels.begin(low, farthest, self.radius - 1, room)
            self.at_once = False
            self.grow_from_roots()
            if self.levels.high >= low:
                found = self.ask_kept()
                low = self.levels.high + 1
            elif room == self.most_kept:
                self.levels.begin(low, low, self.radius - 1, 0)
                self.at_once = True
                found = self.grow_from_roots()
                low += 1
            room = min(MORE_ROOM * room, self.most_kept)
        for side in range(2):
            self.close_steps(side, 0)
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def ask_kept(self) -> cython.int:
        """Ask about the sets that were put aside, one level after the other."""
        slot: cython.Py_ssize_t
        k: cython.Py_ssize_t
        i: cython.Py_ssize_t
        same: cython.Py_ssize_t
        size: cython.Py_ssize_t = self.radius - 1
        stem: cython.Py_ssize_t = -1
        for slot in range(2 * (self.levels.high - self.levels.low + 1)):
            k = self.levels.first[slot]
            while k >= 0:
                if self.levels.stem_of[k] != stem:
                    if self.last_count and self.ask_last(size):
                        return 1
                    stem = self.levels.stem_of[k]
                    same = self.levels.shared(stem, self.chosen)
                    for i in range(size - 1, same - 1, -1):
                        self.leave(i)
                    for i in range(same, size):
                        self.chosen[i] = self.levels.stems[stem * size + i]
                if self.ask_with(size, self.levels.last[k]):
                    return 1
                k = self.levels.next[k]
        if self.last_count and self.ask_last(size):
            return 1
        for i in range(size - 1, -1, -1):
            self.leave(i)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def grow_from_roots(self) -> cython.int:
        """Grow the sets of the levels that are looked for, from each root, beginning with its neighbours."""
        found: cython.int = 0
        side: cython.Py_ssize_t
        i: cython.Py_ssize_t
        for side in range(2):
            if self.within_count[side] < self.radius or found:
                continue
            self.side = side
            self.candidate_count = self.near_count[side]
            for i in range(self.candidate_count):
                self.candidates[i] = self.near[side, i]
                self.seen[self.near[side, i]] = 1
            found = self.grow(0, 0, 0, 0)
            for i in range(self.near_count[side]):
                self.seen[self.near[side, i]] = 0
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
    def grow(
        self, size: cython.Py_ssize_t, first: cython.Py_ssize_t, total: cython.Py_ssize_t, theirs: cython.Py_ssize_t
    ) -> cython.int:
        """Z has `size` nodes; find all sets of the levels looked for to which candidates from `first` on complete it.

        The distances of its nodes add up to `total`, and to `theirs` from the other root; -1: it cannot reach them all.
        """
        left: cython.Py_ssize_t = self.radius - size
        here: cython.Py_ssize_t = self.side
        there: cython.Py_ssize_t = 1 - here
        stop: cython.Py_ssize_t = self.candidate_count
        farthest: cython.Py_ssize_t = self.distance[here, self.within[here, self.within_count[here] - 1]]
        # candidates that come before one that is added are in Z, or will not be in any set that grows from there
        last: cython.Py_ssize_t = min(stop, self.within_count[here] - self.radius + size + 1)
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        z: cython.Py_ssize_t
        far: cython.Py_ssize_t
        also: cython.Py_ssize_t
        undo: cython.Py_ssize_t
        found: cython.int
        before: cython.bint
        self.pulse.beat()
        self.levels.begin_stem()
        for i in range(first, last):
            z = self.candidates[i]
            far = total + self.distance[here, z]
            if far + (left - 1) > self.levels.high or far + (left - 1) * farthest < self.levels.low:
                self.any_grown = True
                continue  # all sets with z and no earlier candidate are farther, or nearer
            also = -1 if theirs < 0 or self.distance[there, z] == 0 else theirs + self.distance[there, z]
            self.chosen[size] = cython.cast(cython.int, z)
            if left == 1:
                self.any_grown = True
                if self.is_turn_of_other_side(size, far, also):
                    continue
                if not self.at_once:
                    self.levels.add(self.chosen, z, far, here)
                elif self.ask_with(size, z):
                    return 1
                continue
            self.grown += 1
            undo = self.opened_count[here]
            self.place[z] = cython.cast(cython.int, size + 1)
            self.lacking += self.entries[there, z] == 0
            if stop < self.within_count[here]:  # otherwise all nodes within reach are candidates already
                self.join(here, size + 1)
            before = self.any_grown
            self.any_grown = False
            self.sort_by_preference(self.candidates, stop, self.candidate_count)
            found = self.grow(size + 1, i + 1, far, also)
            self.part(size)
            self.close_steps(here, undo)
            for j in range(stop, self.candidate_count):
                self.seen[self.candidates[j]] = 0
            self.candidate_count = stop
            self.lacking -= self.entries[there, z] == 0
            self.place[z] = 0
            self.leave(size)
            if found:
                return 1
            if not self.any_grown:  # nor are there sets without z, in which z could take the place of another node
                self.any_grown = before
                break
        return self.ask_last(size) if self.last_count else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def join(self, side: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.int:
        """The last of the first `count` chosen nodes joins Z: open the steps that walks from this side may now take.

        Where the sets grow from this side, the nodes to which a step is open become candidates.
        """
        z: cython.Py_ssize_t = self.chosen[count - 1]
        head: cython.Py_ssize_t = 0
        tail: cython.Py_ssize_t = 0
        closed: cython.Py_ssize_t = 0  # steps from z that could be opened
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        step: cython.int
        t: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        grows: cython.bint = side == self.side
        for i in range(self.starts[z], self.starts[z] + self.degree[z]):
            step = self.back[i]
            if self.opened[side, step]:  # in the order in which their first nodes joined; the root has place 0
                j = tail
                while j > 0 and self.place[self.sources[self.queue[j - 1]]] > self.place[self.targets[i]]:
                    self.queue[j] = self.queue[j - 1]
                    j -= 1
                self.queue[j] = step
                tail += 1
            closed += self.distance[side, self.targets[i]] != 0  # none is open before z is in Z
        while head < tail:  # steps inside Z that a walk may take
            t = self.sources[self.queue[head]]
            u = self.targets[self.queue[head]]
            head += 1
            if (u == z and closed == 0) or not self.may_lead_on(u):
                continue
            for i in range(self.starts[u], self.starts[u] + self.degree[u]):
                v = self.targets[i]
                if self.opened[side, i] or self.distance[side, v] == 0 or v == t or not self.passes(t, u, v):
                    continue
                self.open_step(side, i)
                if u == z:
                    closed -= 1
                if 0 < self.place[v] <= count:
                    self.queue[tail] = cython.cast(cython.int, i)
                    tail += 1
                elif grows and not self.seen[v]:
                    self.seen[v] = 1
                    self.candidates[self.candidate_count] = cython.cast(cython.int, v)
                    self.candidate_count += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def open_step(self, side: cython.Py_ssize_t, step: cython.Py_ssize_t) -> cython.void:
        """Note that a walk from this side's root inside Z may take this step next."""
        v: cython.Py_ssize_t = self.targets[step]
        self.opened[side, step] = 1
        self.trail[side, self.opened_count[side]] = cython.cast(cython.int, step)
        self.opened_count[side] += 1
        self.entries[side, v] += 1
        if side != self.side and self.entries[side, v] == 1 and self.place[v]:
            self.lacking -= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def close_steps(self, side: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.void:
        """Undo `open_step` until `count` steps are open."""
        step: cython.Py_ssize_t
        v: cython.Py_ssize_t
        while self.opened_count[side] > count:
            self.opened_count[side] -= 1
            step = self.trail[side, self.opened_count[side]]
            v = self.targets[step]
            self.opened[side, step] = 0
            self.entries[side, v] -= 1
            if side != self.side and self.entries[side, v] == 0 and self.place[v]:
                self.lacking += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def follow(self) -> cython.int:
        """Let the next chosen node join on the other side, too."""
        self.opened_before[self.joined] = self.opened_count[1 - self.side]
        self.joined += 1
        return self.join(1 - self.side, self.joined)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def part(self, count: cython.Py_ssize_t) -> cython.void:
        """Undo `follow`, so that no more than `count` nodes have joined on the other side."""
        if self.joined > count:
            self.joined = count
            self.close_steps(1 - self.side, self.opened_before[count])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def is_turn_of_other_side(
        self, size: cython.Py_ssize_t, level: cython.Py_ssize_t, theirs: cython.Py_ssize_t
    ) -> cython.bint:
        """Whether the chosen set, `size` nodes and one more, belongs to the other root, too, and is asked about there.

        That is so if its level there, `theirs`, is smaller, or the same and the other root is the first one. It belongs
        to that root as soon as steps are open to all of its nodes, and often a few nodes that join open them all.
        """
        z: cython.Py_ssize_t = self.chosen[size]
        there: cython.Py_ssize_t = 1 - self.side
        closed: cython.bint
        if theirs < 0 or theirs > level or (theirs == level and self.side == 0):
            return False
        while self.lacking or not self.entries[there, z]:
            if self.joined < size:
                self.follow()
                continue
            if not self.entries[there, z]:
                return False
            self.place[z] = cython.cast(cython.int, size + 1)
            self.follow()
            closed = self.lacking == 0
            self.part(size)
            self.place[z] = 0
            return closed
        return True

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
