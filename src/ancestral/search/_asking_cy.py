"""Asking about many sets for one pair after another: what all kernels that search over sets have in common.

The idea: a subclass chooses the nodes of a set one by one and leaves the last one open. Sets that differ only in their
last node are asked about together, at most `batch_size` at a time, so that a test can share the work for the nodes
before it (`Questions.push`). A pair is done when a set separates it or none is left; its row then holds the set that
separated it, or the one that came closest.

Variables that are known to come later than both nodes of a pair are kept out of its sets (`outside`): two nodes that
are not adjacent are always separated by some set of their ancestors and ancestors of what the sample was selected on.

A subclass implements `try_sets`, which asks about the sets of a pair, and `chosen_belongs`, which tells whether a set
is one of them.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from ancestral._pulse_cy import Pulse
    from ancestral.independence._questions_cy import Questions


@cython.cclass
class Asking:
    """The sets of one size for the pairs of a graph over n nodes; without questions they can be listed."""

    def prepare(self, n: int, questions: Questions | None, pulse: Pulse | None, no_cause: Any = None) -> None:
        """Set up the workspace; a subclass calls this when it is made.

        `no_cause[z, x]`: z is known not to be an ancestor of x, nor of what the sample was selected on.
        """
        self.prunes = no_cause is not None
        self.no_cause = np.zeros((1, 1), dtype=np.uint8) if no_cause is None else no_cause
        self.n = n
        self.questions = questions
        self.pulse = Pulse() if pulse is None else pulse
        self.batch_size = 1 if questions is None else questions.batch_size
        self.roots = np.zeros(2, dtype=np.intc)
        self.last = np.zeros(n + 1, dtype=np.intc)
        self.liking = np.zeros(n)
        self.room = 0
        self.grown = 0

    def begin_radius(self, radius: int) -> None:
        """Go on to sets of this size; the counts begin again."""
        self.radius = radius
        self.asked = 0
        self.done = 0
        self.any_sets = False
        self.listed = list[Any]()
        self.last_count = 0
        self.pushed = 0
        if radius >= self.room:
            self.make_room(2 * radius + 4)

    def make_room(self, room: int) -> None:
        """Allocate space for sets of fewer than `room` nodes."""
        self.room = room
        self.chosen = np.zeros(room, dtype=np.intc)
        self.closest = np.zeros(room, dtype=np.intc)

    # -- from Python --------------------------------------------------------------------------------------------

    def separate(
        self,
        pairs: Any,
        first: cython.Py_ssize_t,
        stop: cython.Py_ssize_t,
        separated: Any,
        sets: Any,
        evidence: Any,
        unanswered: Any,
    ) -> None:
        """Ask about the pairs `first` up to `stop`, each until a set separates it, and fill in their rows.

        `separated` gets 1 where a set separates the pair; `sets` that set, otherwise the one with the largest p-value;
        `evidence` the statistic and degrees of freedom of that question, NaN where the data supported none;
        `unanswered` the number of questions about the pair that the data could not support.
        """
        edges: cython.const[cython.int][:, ::1] = pairs  # type: ignore[valid-type]
        answers: cython.uchar[::1] = separated
        members: cython.int[:, ::1] = sets
        decided: cython.double[:, ::1] = evidence
        open_questions: cython.longlong[::1] = unanswered
        before: cython.longlong
        e: cython.Py_ssize_t
        i: cython.Py_ssize_t
        assert self.questions is not None
        with cython.nogil:
            for e in range(first, stop):
                before = self.questions.unsupported_counts[self.radius]
                answers[e] = cython.cast(cython.uchar, self.try_sets(edges[e, 0], edges[e, 1]))
                open_questions[e] = self.questions.unsupported_counts[self.radius] - before
                self.done += 1
                if answers[e]:
                    decided[e, 0] = self.questions.statistic
                    decided[e, 1] = cython.cast(cython.double, self.questions.df)
                else:
                    decided[e, 0] = self.questions.closest_statistic
                    decided[e, 1] = cython.cast(cython.double, self.questions.closest_df)
                for i in range(self.radius):
                    members[e, i] = self.chosen[i] if answers[e] else self.closest[i]

    def listing(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> list[tuple[int, ...]]:
        """The sets of a pair in the order in which they would be asked; only without questions."""
        if self.radius == 0:
            self.any_sets = True
            return [()]
        self.listed = list[Any]()
        self.try_sets(x, y)
        return list(self.listed)

    def belongs(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: Any) -> bool:
        """Whether these nodes, whose number is the radius, are one of the sets of the pair."""
        return bool(self.belong([(x, y)], [given])[0])

    def belong(self, pairs: Any, sets: Any) -> Any:
        """`belongs` for many pairs, with one set for each: an array of 0 and 1."""
        ends: cython.int[:, ::1] = np.ascontiguousarray(pairs, dtype=np.intc)
        members: cython.int[:, ::1] = np.ascontiguousarray(sets, dtype=np.intc)
        out = np.zeros(len(ends), dtype=np.uint8)
        answers: cython.uchar[::1] = out
        e: cython.Py_ssize_t
        i: cython.Py_ssize_t
        with cython.nogil:
            for e in range(ends.shape[0]):
                self.pulse.beat()
                for i in range(self.radius):
                    self.chosen[i] = members[e, i]
                answers[e] = self.chosen_belongs(ends[e, 0], ends[e, 1])
        return out

    def remove(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> None:
        """Remove an edge from the graph at once, so that the next pair does not see it."""
        raise NotImplementedError("a subclass must implement remove()")

    # -- for subclasses -----------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def try_sets(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.int:
        """Ask about the sets of this pair; 1 if a set separates it, which is then in `chosen`."""
        with cython.gil:
            raise NotImplementedError("a subclass must implement try_sets()")

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def chosen_belongs(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.bint:
        """Whether the chosen nodes are one of the sets of this pair."""
        with cython.gil:
            raise NotImplementedError("a subclass must implement chosen_belongs()")

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def outside(self, v: cython.Py_ssize_t) -> cython.bint:
        """Whether v is known not to be an ancestor of either root; to be called only if `prunes`."""
        return self.no_cause[v, self.roots[0]] and self.no_cause[v, self.roots[1]]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def begin_pair(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.int:
        """The next questions are about this pair."""
        i: cython.Py_ssize_t
        self.roots[0] = cython.cast(cython.int, x)
        self.roots[1] = cython.cast(cython.int, y)
        self.pulse.beat()
        if self.questions is not None:
            self.questions.begin_pair(x, y)
            self.pushed = 0
            for i in range(self.radius):
                self.closest[i] = 0
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def ask_preferred(self, count: cython.Py_ssize_t) -> cython.int:
        """Radius 1, for tests that answer many questions together, in an order of their own: ask about `last`."""
        at: cython.Py_ssize_t
        assert self.questions is not None
        if count == 0:
            return 0
        self.any_sets = True
        self.pulse.beats(count)
        at = self.questions.first_preferred(self.last, count)
        self.asked += self.questions.turns
        if at < count:
            self.chosen[0] = self.last[at]
            return 1
        if self.questions.closest_at >= 0:
            self.closest[0] = self.last[self.questions.closest_at]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def ask_with(self, size: cython.Py_ssize_t, z: cython.Py_ssize_t) -> cython.int:
        """Queue z as the last node beside the first `size` chosen ones; ask when `batch_size` nodes are queued."""
        self.last[self.last_count] = cython.cast(cython.int, z)
        self.last_count += 1
        return self.ask_last(size) if self.last_count == self.batch_size else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def leave(self, size: cython.Py_ssize_t) -> cython.void:
        """There are no more sets with the chosen node number `size`."""
        if self.questions is not None and self.pushed > size:
            self.questions.pop()
            self.pushed -= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def ask_last(self, size: cython.Py_ssize_t) -> cython.int:
        """Ask about the first `size` chosen nodes with each node queued in `last`; 1 if a set separates the pair."""
        count: cython.Py_ssize_t = self.last_count
        at: cython.Py_ssize_t
        i: cython.Py_ssize_t
        self.last_count = 0
        self.pulse.beats(count)
        if self.questions is None:
            self.asked += count
            with cython.gil:
                self._list_last(size, count)
            return 0
        while self.pushed < size:
            self.questions.push(self.chosen[self.pushed])
            self.pushed += 1
        at = self.questions.first_separating(self.last, count)
        if at < count:
            self.asked += at + 1
            self.chosen[size] = self.last[at]
            return 1
        self.asked += count
        if self.questions.closest_at >= 0:
            for i in range(size):
                self.closest[i] = self.chosen[i]
            self.closest[size] = self.last[self.questions.closest_at]
        return 0

    def _list_last(self, size: cython.Py_ssize_t, count: cython.Py_ssize_t) -> None:
        for i in range(count):
            self.listed.append(tuple(sorted([*np.asarray(self.chosen)[:size].tolist(), int(self.last[i])])))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def sort_by_preference(
        self, nodes: cython.int[::1], first: cython.Py_ssize_t, stop: cython.Py_ssize_t
    ) -> cython.int:
        """Sort the nodes `first` up to `stop`: those that the test prefers first, then by position (Shell 1959)."""
        gap: cython.Py_ssize_t = 1
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        v: cython.int
        if self.questions is None or not self.questions.has_preference:
            return 0
        for i in range(first, stop):
            v = nodes[i]
            self.liking[v] = self.questions.preference(self.roots[0], self.roots[1], v)
        while gap < (stop - first) // 3:
            gap = 3 * gap + 1
        while gap:
            for i in range(first + gap, stop):
                v = nodes[i]
                j = i
                while j >= first + gap and self.comes_before(v, nodes[j - gap]):
                    nodes[j] = nodes[j - gap]
                    j -= gap
                nodes[j] = v
            gap //= 3
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def comes_before(self, u: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.bint:
        """Whether the test prefers u to v; where it prefers neither, the smaller position comes first."""
        return self.liking[u] > self.liking[v] or (self.liking[u] == self.liking[v] and u < v)
