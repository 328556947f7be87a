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

While sets grow from one side, Z is `chosen[: size]`; `candidates` holds in a row every node to which Z has led: those
of Z, those that stay out of it, and from `first` on those that may be added (`_open_steps_cy`). A node stays in where
too few nodes could be reached without it (`_cut_nodes_cy`).
"""

from typing import Any

import cython
import numpy as np

from ancestral.search._walked_graph_cy import MOST_WORDS

if not cython.compiled:
    from ancestral._pulse_cy import Pulse
    from ancestral.independence._questions_cy import Questions
    from ancestral.search._cut_nodes_cy import CutNodes
    from ancestral.search._set_levels_cy import SetLevels

#: Sets of a pair that are put aside at first, since most pairs have fewer, and many are separated by one of these.
ROOM_AT_FIRST = cython.declare(cython.Py_ssize_t, 1024)

#: How many times as many are put aside the next time.
MORE_ROOM = cython.declare(cython.Py_ssize_t, 16)

#: Sets of a pair that are put aside at most, which takes about 4 MB and 4 bytes for each node of their stems.
MOST_KEPT = 1 << 18


@cython.final
@cython.cclass
class IcdSep(CutNodes):
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
        most_words: int = MOST_WORDS,
    ) -> None:
        n = len(marks)
        self.prepare(n, questions, pulse, no_cause)
        self.prepare_graph(filter_all, filter_distant, anteriors, keep_triangles, no_edge, most_words)
        self.prepare_walks()
        self.prepare_cuts()
        self.near = np.zeros((2, n), dtype=np.intc)
        self.near_count = np.zeros(2, dtype=np.intc)
        self.any_grown = False
        self.most_kept = most_kept
        self.levels = SetLevels()
        self.begin(marks, radius, neighbours=neighbours)

    def make_room(self, room: int) -> None:
        """Allocate space for sets of fewer than `room` nodes."""
        CutNodes.make_room(self, room)
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
        v: cython.Py_ssize_t
        farthest: cython.Py_ssize_t = 0
        self.begin_pair(x, y)
        self.find_pools()
        if self.radius == 1 and self.batch_size > 1:
            return self.search_neighbours()
        self.find_ways()
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
                v = self.within[side, i]
                self.distance[side, v] = self.entries[side, v] = 0
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
        low: cython.Py_ssize_t = self.radius + 1
        room: cython.Py_ssize_t = min(ROOM_AT_FIRST, self.most_kept)
        for side in range(2):
            self.begin_walks(side)
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
            self.farthest = self.distance[side, self.within[side, self.within_count[side] - 1]]
            self.candidate_count = self.near_count[side]
            for i in range(self.candidate_count):
                self.candidates[i] = self.near[side, i]
                self.seen[self.near[side, i]] = 1
            self.knows_cuts = False
            found = self.grow(0, 0, 0, 0, 0)
            for i in range(self.near_count[side]):
                self.seen[self.near[side, i]] = 0
        return found

    # -- growing ------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def grow(
        self,
        size: cython.Py_ssize_t,
        first: cython.Py_ssize_t,
        total: cython.Py_ssize_t,
        theirs: cython.Py_ssize_t,
        lost: cython.ulonglong,
    ) -> cython.int:
        """Z has `size` nodes, and lacks two or more; find the sets to which candidates from `first` on complete it.

        The distances of its nodes add up to `total`, and to `theirs` from the other root; -1: it cannot reach them all.
        `lost` are nodes within reach that will be in no set that grows from there, as far as it is known.
        """
        left: cython.Py_ssize_t = self.radius - size
        here: cython.Py_ssize_t = self.side
        there: cython.Py_ssize_t = 1 - here
        stop: cython.Py_ssize_t = self.candidate_count
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
        for i in range(first, last):
            if i > first and self.knows_cuts:
                lost |= self.cut_off[self.number[self.candidates[i - 1]]]
                if self.too_few_without(lost):
                    break
            z = self.candidates[i]
            far = total + self.distance[here, z]
            if far + (left - 1) > self.levels.high or far + (left - 1) * self.farthest < self.levels.low:
                self.any_grown = True
                continue  # all sets with z and no earlier candidate are farther, or nearer
            also = -1 if theirs < 0 or self.distance[there, z] == 0 else theirs + self.distance[there, z]
            self.chosen[size] = cython.cast(cython.int, z)
            self.grown += 1
            undo = self.trail_count[here]
            self.place[z] = cython.cast(cython.int, size + 1)
            self.lacking += self.entries[there, z] == 0
            if stop < self.within_count[here]:  # otherwise all nodes within reach are candidates already
                self.join(here, size + 1)
                if self.candidate_count > stop + 1:
                    self.sort_by_preference(self.candidates, stop, self.candidate_count)
            before = self.any_grown
            self.any_grown = False
            if left == 2:
                found = self.complete(i + 1, far, also)
            else:
                found = self.grow(size + 1, i + 1, far, also, lost)
            if self.joined > size:
                self.part(size)
            if self.trail_count[here] > undo:
                self.leave_walks(here, undo)
            for j in range(stop, self.candidate_count):
                self.seen[self.candidates[j]] = 0
            self.candidate_count = stop
            self.lacking -= self.entries[there, z] == 0
            self.place[z] = 0
            if self.pushed > size:
                self.leave(size)
            if found:
                return 1
            if not self.any_grown:  # nor are there sets without z, in which z could take the place of another node
                self.any_grown = before
                if not self.knows_cuts:
                    self.find_cuts()
                break
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def complete(self, first: cython.Py_ssize_t, total: cython.Py_ssize_t, theirs: cython.Py_ssize_t) -> cython.int:
        """Z lacks one node: put aside, or ask about, its sets with each candidate from `first` on."""
        size: cython.Py_ssize_t = self.radius - 1
        here: cython.Py_ssize_t = self.side
        i: cython.Py_ssize_t
        z: cython.Py_ssize_t
        far: cython.Py_ssize_t
        also: cython.Py_ssize_t
        self.levels.begin_stem()
        for i in range(first, self.candidate_count):
            self.any_grown = True
            z = self.candidates[i]
            far = total + self.distance[here, z]
            if far > self.levels.high or far < self.levels.low:
                continue
            also = -1 if theirs < 0 or self.distance[1 - here, z] == 0 else theirs + self.distance[1 - here, z]
            if self.is_turn_of_other_side(z, far, also):
                continue
            if not self.at_once:
                self.levels.add(self.chosen, z, far, here)
            elif self.ask_with(size, z):
                return 1
        return self.ask_last(size) if self.last_count else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def is_turn_of_other_side(
        self, z: cython.Py_ssize_t, level: cython.Py_ssize_t, theirs: cython.Py_ssize_t
    ) -> cython.bint:
        """Whether Z with z, its last node, belongs to the other root, too, and is asked about there.

        That is so if its level there, `theirs`, is smaller, or the same and the other root is the first one. It belongs
        to that root as soon as steps are open to all of its nodes, and often a few nodes that join open them all.
        """
        size: cython.Py_ssize_t = self.radius - 1
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
            self.chosen[size] = cython.cast(cython.int, z)
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
