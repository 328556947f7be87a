"""A member of a partly oriented graph: an ancestral graph with the same edges that agrees with its marks.

The idea: whatever the remaining circles are, some marks follow from others, because an ancestral graph has no arrowhead
at a node with an undirected edge, and none at an ancestor of the other end:

- an arrowhead at v gives each edge with a tail at v an arrowhead at its other end; v --- w gives all others at v tails,
- if a directed path leads from x to y and they are adjacent, then x --> y; if a *-> b --> c or a --> b *-> c, and a and
  c are adjacent, there is an arrowhead at c on a–c,
- a non-collider with an arrowhead at one side has a tail at the other.

Each mark that is tried brings along what follows from it, and is taken back if that contradicts a mark. When no circle
is left, nothing is violated: all that an ancestral graph requires has been propagated. Several ways to fill in the
circles are tried, with few steps back, and then the search goes on, by steps back, until it has tried everything, or as
much as is allowed.

Beside the marks, decisions may be given about triples a–b–c: b is a collider there, or it is none. They are accepted
one after the other while there is a member with all of them.

Half-edge e leads from `sources[e]` to `targets[e]`, `mates[e]` is the same edge the other way, and `mark[e]` the mark
at the target. `trail` lists the half-edges whose marks were written, in order; what follows from the first `settled` of
them has been written. `free[v]`: v is known not to be a cause of selection, so it has no undirected edge.
`arrows[v]`: the number of arrowheads at v. Invariant: undoing the trail down to some height restores the marks.
"""

from typing import Any

import cython
import numpy as np

from ancestral.graphs.csr import compressed, with_sources

if not cython.compiled:
    from ancestral._pulse_cy import Pulse
    from ancestral.graphs.marks import ARROW, CIRCLE, TAIL

#: Which mark is tried first at a circle: an arrowhead, a tail, or what directs edges from the first node to the last.
ARROWS = cython.declare(cython.int, 0)
TAILS = cython.declare(cython.int, 1)
ORDER = cython.declare(cython.int, 2)

#: Steps back that each of the first ways to fill in circles may take.
FEW_STEPS_BACK = cython.declare(cython.Py_ssize_t, 8)


@cython.final
@cython.cclass
class MemberSearch:
    """Searches for members of a graph, given by its marks.

    - `selection`: whether a member may have undirected edges.
    - `no_cause[x, y]`: x is known to cause neither y nor the selection, whether they are adjacent or not.
    - `one_way[x, y]`: an edge x–y has a tail at one end or both.
    - `triples`: rows a, b, c of different nodes, b adjacent to a and c; `colliders`: 1 where b is to be a collider, 0
      where it must not be one. They count when they are accepted.
    - `neighbours`: offsets and targets of the graph as compressed rows, if they are at hand.
    - `contradictory`: the marks themselves leave no member, which propagation alone has shown.
    """

    def __init__(
        self,
        marks: Any,
        *,
        selection: bool = True,
        no_cause: Any = None,
        one_way: Any = None,
        triples: Any = None,
        colliders: Any = None,
        pulse: Pulse | None = None,
        neighbours: Any = None,
    ) -> None:
        array = np.ascontiguousarray(marks, dtype=np.uint8)
        known: cython.const[cython.uchar][:, ::1] = array  # type: ignore[valid-type]
        self.n = len(array)
        self.pulse = Pulse() if pulse is None else pulse
        sources, targets, offsets = compressed(array) if neighbours is None else with_sources(*neighbours)
        self.sources, self.targets, self.offsets = sources, targets, offsets
        count: cython.Py_ssize_t = self.sources.shape[0]
        self.has_member = self.sought = False
        self.height = self.settled = self.stamp = 0
        self._make_room(count)
        self._find_mates()
        self.knows = no_cause is not None
        self.no_cause = np.zeros((1, 1), dtype=np.uint8) if no_cause is None else np.ascontiguousarray(no_cause, "u1")
        free = np.full(self.n, not selection, dtype=np.uint8)
        if no_cause is not None:
            free |= np.asarray(no_cause).any(axis=1)
        self.free = free
        if one_way is not None:
            self.lone = np.asarray(one_way)[np.asarray(self.sources), np.asarray(self.targets)].astype("u1")
        self._take_triples(triples, colliders)
        self.contradictory = False
        e: cython.Py_ssize_t
        for e in range(count):
            if known[self.sources[e], self.targets[e]] != CIRCLE:
                if not self.assign(e, known[self.sources[e], self.targets[e]]):
                    self.contradictory = True
        if not self.contradictory and not self.propagate():
            self.contradictory = True

    def _make_room(self, count: cython.Py_ssize_t) -> None:
        """Working space for so many half-edges, in one block for each type."""
        of_edges: cython.int[:, ::1] = np.zeros((4, count + 1), dtype=np.intc)
        of_nodes: cython.int[:, ::1] = np.zeros((5, self.n), dtype=np.intc)
        flags: cython.uchar[:, ::1] = np.zeros((4, count), dtype=np.uint8)
        e: cython.Py_ssize_t
        self.mates, self.trail, self.choices, self.heights = of_edges[0], of_edges[1], of_edges[2], of_edges[3]
        self.arrows, self.before, self.after = of_nodes[0], of_nodes[1], of_nodes[2]
        self.is_before, self.is_after = of_nodes[3], of_nodes[4]
        self.mark, self.member, self.lone, self.flipped = flags[0], flags[1], flags[2], flags[3]
        for e in range(count):
            self.mark[e] = CIRCLE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _find_mates(self) -> cython.void:
        """Half-edges are in the order of sources, so those into a node come in the order in which it lists its own."""
        e: cython.Py_ssize_t
        v: cython.Py_ssize_t
        for e in range(self.sources.shape[0]):
            v = self.targets[e]
            self.mates[e] = self.offsets[v] + self.arrows[v]  # a counter, as long as there are no arrowheads
            self.arrows[v] += 1
        for v in range(self.n):
            self.arrows[v] = 0

    def _take_triples(self, triples: Any, colliders: Any) -> None:
        """Store the triples as pairs of half-edges into their middle nodes, and list the partners of each half-edge."""
        rows = np.zeros((0, 3), dtype=np.intc) if triples is None else np.ascontiguousarray(triples, dtype=np.intc)
        nodes: cython.int[:, ::1] = rows
        count: cython.Py_ssize_t = nodes.shape[0]
        edges: cython.Py_ssize_t = self.sources.shape[0]
        of_triples: cython.int[:, ::1] = np.zeros((2, 2 * count), dtype=np.intc)
        t: cython.Py_ssize_t
        side: cython.Py_ssize_t
        e: cython.Py_ssize_t
        self.ends = np.zeros((count, 2), dtype=np.intc)
        self.verdicts = np.zeros(0, dtype=np.uint8) if colliders is None else np.ascontiguousarray(colliders, "u1")
        self.active = np.zeros(count, dtype=np.uint8)
        self.partners, self.partner_triples = of_triples[0], of_triples[1]
        self.partner_offsets = np.zeros(edges + 1, dtype=np.intc)
        for t in range(count):
            for side in range(2):
                e = self.place(nodes[t, 2 * side], nodes[t, 1])
                self.ends[t, side] = cython.cast(cython.int, e)
                self.partner_offsets[e + 1] += 1
        for e in range(edges):
            self.partner_offsets[e + 1] += self.partner_offsets[e]
        for t in range(count):  # each half-edge has its place, and leaves it to the next one
            for side in range(2):
                e = self.ends[t, side]
                self.partners[self.partner_offsets[e]] = self.ends[t, 1 - side]
                self.partner_triples[self.partner_offsets[e]] = cython.cast(cython.int, t)
                self.partner_offsets[e] += 1
        for e in range(edges, 0, -1):
            self.partner_offsets[e] = self.partner_offsets[e - 1]
        self.partner_offsets[0] = 0

    # -- from Python --------------------------------------------------------------------------------------------

    @property
    def marks(self) -> Any:
        """The marks of the member that was found last, as a matrix; None if none was found."""
        return self._matrix(self.member) if self.has_member else None

    def _matrix(self, values: Any) -> Any:
        out = np.zeros((self.n, self.n), dtype=np.uint8)
        out[np.asarray(self.sources), np.asarray(self.targets)] = values
        return out

    def find(self, steps_back: int) -> int:
        """Look for a member with all accepted decisions: 1 if there is one, 0 if there is none, -1 if it is not known.

        `steps_back` bounds the last and thorough search; the marks that follow from what is given stay as they are.
        """
        found: cython.int = 0
        preference: cython.int
        height: cython.Py_ssize_t = self.height
        self.sought = True
        if self.contradictory:
            return 0
        for descending in (False, True):
            for preference in (ARROWS, ORDER, TAILS):
                found = self.fill(preference, descending, FEW_STEPS_BACK)
                if found >= 0:
                    break
            if found >= 0:
                break
        if found < 0:
            found = self.fill(ARROWS, False, steps_back)
        if found == 1:
            self.member = np.array(self.mark)
            self.has_member = True
        self.undo(height)
        return found

    def accept(self, steps_back: int) -> Any:
        """Accept the decisions one after the other while there is a member with all of them.

        Returns 1 for each that is accepted, 0 for others; the member that was found has all of them. Where a search
        for a member ends without a result, that counts as if there were none. First all decisions are taken but those
        that contradict earlier ones at once, and a member is looked for; if there is none, bisection finds the first
        decision that leaves none, which is refused, and the later ones are taken again.
        """
        count: cython.Py_ssize_t = self.ends.shape[0]
        accepted = np.zeros(count, dtype=np.uint8)
        first: cython.Py_ssize_t = 0  # the decisions before it have a member
        low: cython.Py_ssize_t
        high: cython.Py_ssize_t
        middle: cython.Py_ssize_t
        if self.contradictory:
            return accepted
        self.decided_heights = np.zeros(count + 1, dtype=np.intc)
        self.decided = 0
        while True:
            self._decide_until(count)
            if self.find(steps_back) == 1:
                break
            if first == 0:
                self._decide_until(0)
                if self.find(steps_back) != 1:
                    return accepted
            assert first < count, "the same decisions had a member before"
            low, high = first, count  # those before `low` have a member, those before `high` have none
            while high - low > 1:
                middle = (low + high) // 2
                self._decide_until(middle)
                if self.find(steps_back) == 1:
                    low = middle
                else:
                    high = middle
            self._decide_until(low)
            self.decided_heights[high] = cython.cast(cython.int, self.height)
            self.decided = first = high
        return np.array(self.active)

    def _decide_until(self, stop: cython.Py_ssize_t) -> None:
        """Let exactly the decisions before `stop` be taken, but for those that contradict earlier ones."""
        t: cython.Py_ssize_t
        if self.decided > stop:
            self.undo(self.decided_heights[stop])
            for t in range(stop, self.decided):
                self.active[t] = 0
            self.decided = stop
        for t in range(self.decided, stop):
            self.decided_heights[t] = cython.cast(cython.int, self.height)
            self.decide(t)
        self.decided = stop
        self.decided_heights[stop] = cython.cast(cython.int, self.height)

    def allow(self, marks: Any, steps_back: int) -> bool:
        """Whether there is a member with these marks, too: tuples x, y, mark at y on x–y. If so, they are kept."""
        rows = [(int(self.place(x, y)), int(mark)) for x, y, mark in marks]
        if not self.sought:
            self.find(steps_back)
        height: cython.Py_ssize_t = self.height
        held: cython.bint = self.has_member and all(self.member[e] == m for e, m in rows)
        if self.contradictory:
            return False
        if all(self.assign(e, m) for e, m in rows) and self.propagate() and (held or self.find(steps_back) == 1):
            return True
        self.undo(height)
        return False

    # -- decisions ----------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def decide(self, t: cython.Py_ssize_t) -> cython.int:
        """Take decision t with what follows from it; 0, and nothing is changed, if that contradicts a mark."""
        height: cython.Py_ssize_t = self.height
        one: cython.Py_ssize_t = self.ends[t, 0]
        other: cython.Py_ssize_t = self.ends[t, 1]
        sound: cython.bint = True
        self.active[t] = 1
        if self.verdicts[t]:
            sound = self.assign(one, ARROW) and self.assign(other, ARROW)
        else:
            if self.mark[one] == ARROW:
                sound = self.assign(other, TAIL)
            elif self.mark[other] == ARROW:
                sound = self.assign(one, TAIL)
        if sound and self.propagate():
            return 1
        self.active[t] = 0
        self.undo(height)
        return 0

    # -- marks, and what follows from them ----------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def place(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The half-edge from x to y, which are adjacent, by bisection; -1 if they are not."""
        low: cython.Py_ssize_t = self.offsets[x]
        high: cython.Py_ssize_t = self.offsets[x + 1]
        middle: cython.Py_ssize_t
        while low < high:
            middle = (low + high) // 2
            if self.targets[middle] < y:
                low = middle + 1
            else:
                high = middle
        if low < self.offsets[x + 1] and self.targets[low] == y:
            return low
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def assign(self, e: cython.Py_ssize_t, mark: cython.int) -> cython.bint:
        """Write a mark where there is a circle; whether the half-edge has this mark now."""
        if self.mark[e] != CIRCLE:
            return self.mark[e] == mark
        self.mark[e] = cython.cast(cython.uchar, mark)
        if mark == ARROW:
            self.arrows[self.targets[e]] += 1
        self.trail[self.height] = cython.cast(cython.int, e)
        self.height += 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def undo(self, height: cython.Py_ssize_t) -> cython.void:
        """Take back the marks that were written after the trail had this height."""
        e: cython.Py_ssize_t
        while self.height > height:
            self.height -= 1
            e = self.trail[self.height]
            if self.mark[e] == ARROW:
                self.arrows[self.targets[e]] -= 1
            self.mark[e] = CIRCLE
        self.settled = min(self.settled, height)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def propagate(self) -> cython.int:
        """Write all that follows from the marks that were written; 0 if that contradicts a mark."""
        e: cython.Py_ssize_t
        while self.settled < self.height:
            self.pulse.beat()
            e = self.trail[self.settled]
            self.settled += 1
            if self.mark[e] == ARROW:
                if not self.arrow_follows(e):
                    return 0
            elif not self.tail_follows(e):
                return 0
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def arrow_follows(self, e: cython.Py_ssize_t) -> cython.bint:
        """What follows from the arrowhead at v on u–v, half-edge e."""
        u: cython.Py_ssize_t = self.sources[e]
        v: cython.Py_ssize_t = self.targets[e]
        i: cython.Py_ssize_t
        f: cython.Py_ssize_t
        if self.lone[e] and not self.assign(self.mates[e], TAIL):
            return False
        for i in range(self.partner_offsets[e], self.partner_offsets[e + 1]):
            if self.active[self.partner_triples[i]] and not self.verdicts[self.partner_triples[i]]:
                if not self.assign(self.partners[i], TAIL):
                    return False
        for i in range(self.offsets[v], self.offsets[v + 1]):
            if self.mark[self.mates[i]] == TAIL:
                if not self.assign(i, ARROW):
                    return False
                # u *-> v --> w, with u and w adjacent
                f = self.place(u, self.targets[i]) if self.targets[i] != u else -1
                if f >= 0 and not self.assign(f, ARROW):
                    return False
        for i in range(self.offsets[u], self.offsets[u + 1]):
            # w --> u *-> v, with w and v adjacent
            if self.mark[i] == TAIL and self.mark[self.mates[i]] == ARROW:
                f = self.place(self.targets[i], v) if self.targets[i] != v else -1
                if f >= 0 and not self.assign(f, ARROW):
                    return False
        return self.mark[self.mates[e]] != TAIL or self.directed(u, v)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def tail_follows(self, e: cython.Py_ssize_t) -> cython.bint:
        """What follows from the tail at v on u–v, half-edge e."""
        u: cython.Py_ssize_t = self.sources[e]
        v: cython.Py_ssize_t = self.targets[e]
        other: cython.Py_ssize_t = self.mates[e]
        i: cython.Py_ssize_t
        if (self.free[v] or self.arrows[v] > 0) and not self.assign(other, ARROW):
            return False
        if self.mark[other] == ARROW:
            return self.directed(v, u)
        if self.mark[other] == TAIL:
            for i in range(self.offsets[u], self.offsets[u + 1]):
                if not self.assign(self.mates[i], TAIL):
                    return False
            for i in range(self.offsets[v], self.offsets[v + 1]):
                if not self.assign(self.mates[i], TAIL):
                    return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def directed(self, u: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.bint:
        """What follows from u --> v: each node before u causes each node after v."""
        starts: cython.Py_ssize_t
        stops: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        x: cython.Py_ssize_t
        self.stamp += 1
        stops = self.reach(v, True, self.after, self.is_after)
        if self.is_after[u] == self.stamp:
            return False
        starts = self.reach(u, False, self.before, self.is_before)
        for i in range(starts):
            x = self.before[i]
            for j in range(self.offsets[x], self.offsets[x + 1]):
                if self.is_after[self.targets[j]] == self.stamp:
                    if not (self.assign(j, ARROW) and self.assign(self.mates[j], TAIL)):
                        return False
            if self.knows:
                for j in range(stops):
                    if self.no_cause[x, self.after[j]]:
                        return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def reach(
        self, root: cython.Py_ssize_t, forward: cython.bint, out: cython.int[::1], stamps: cython.int[::1]
    ) -> cython.Py_ssize_t:
        """The nodes to which directed paths lead from the root, or from which they lead to it; returns their number."""
        head: cython.Py_ssize_t = 0
        tail: cython.Py_ssize_t = 1
        i: cython.Py_ssize_t
        w: cython.Py_ssize_t
        there: cython.int = ARROW if forward else TAIL
        here: cython.int = TAIL if forward else ARROW
        out[0] = cython.cast(cython.int, root)
        stamps[root] = self.stamp
        while head < tail:
            w = out[head]
            head += 1
            for i in range(self.offsets[w], self.offsets[w + 1]):
                if stamps[self.targets[i]] == self.stamp:
                    continue
                if self.mark[i] == there and self.mark[self.mates[i]] == here:
                    stamps[self.targets[i]] = self.stamp
                    out[tail] = self.targets[i]
                    tail += 1
        return tail

    # -- filling in circles -------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def try_mark(self, e: cython.Py_ssize_t, mark: cython.int) -> cython.int:
        """Write a mark with all that follows from it; 0, and nothing is changed, if that contradicts a mark."""
        height: cython.Py_ssize_t = self.height
        if self.assign(e, mark) and self.propagate():
            return 1
        self.undo(height)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def fill(self, preference: cython.int, descending: cython.bint, backtracks: cython.Py_ssize_t) -> cython.int:
        """Fill in all circles: 1 if that succeeds, 0 if it cannot, -1 after more steps back than are allowed.

        The marks stay where it succeeds; otherwise they are as before.
        """
        count: cython.Py_ssize_t = self.sources.shape[0]
        base: cython.Py_ssize_t = self.height
        depth: cython.Py_ssize_t = 0
        step: cython.Py_ssize_t = 0
        e: cython.Py_ssize_t
        mark: cython.int
        back: cython.bint
        while step < count:
            e = count - 1 - step if descending else step
            if self.mark[e] != CIRCLE:
                step += 1
                continue
            mark = self.preferred(e, preference, descending)
            self.choices[depth] = cython.cast(cython.int, step)
            self.heights[depth] = cython.cast(cython.int, self.height)
            self.flipped[depth] = 0
            if self.try_mark(e, mark):
                depth += 1
                step += 1
                continue
            self.flipped[depth] = 1
            if self.try_mark(e, ARROW + TAIL - mark):
                depth += 1
                step += 1
                continue
            # neither mark is possible: change the last choice that has another possibility
            back = False
            while depth and not back:
                backtracks -= 1
                if backtracks < 0:
                    self.undo(base)
                    return -1
                depth -= 1
                self.undo(self.heights[depth])
                if self.flipped[depth]:
                    continue
                step = self.choices[depth]
                e = count - 1 - step if descending else step
                self.flipped[depth] = 1
                if self.try_mark(e, ARROW + TAIL - self.preferred(e, preference, descending)):
                    back = True
                    depth += 1
                    step += 1
            if not back:
                self.undo(base)
                return 0
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def preferred(self, e: cython.Py_ssize_t, preference: cython.int, descending: cython.bint) -> cython.int:
        """The mark that is tried first at a half-edge."""
        if preference == ORDER:
            return ARROW if (self.sources[e] < self.targets[e]) != descending else TAIL
        return ARROW if preference == ARROWS else TAIL
