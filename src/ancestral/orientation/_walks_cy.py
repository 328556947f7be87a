"""Uncovered walks: along allowed steps, no three nodes in a row forming a triangle.

The idea: take each allowed step u → v as a node of another graph, and link (u, v) to (v, w) where u and w are not
adjacent. An uncovered walk is then an ordinary walk in that graph of steps, so strongly connected components
(Tarjan 1972) and reachability answer in linear time what a search over simple paths answers in exponential time.

Why walks suffice, where Zhang's rules speak of paths. Every path is a walk, so nothing is lost. Nothing false is
gained: each rule's proof assumes one arrowhead and pushes it along the path, step by step, since every triple in a row
is unshielded and, not being oriented as a collider, is none. That needs no node to be new. On a closed circle walk
(R5) the arrowheads then run all around: a node is its own ancestor. On a potentially directed walk (R9, R10) they
make its first node an ancestor of its last, against the assumed `<->`. Either way a contradiction.

Invariants: `component` numbers the steps such that a step leads only to components with the same or a smaller number;
row k of `reach` has bit v if a walk that begins in component k comes to v.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from ancestral._cython import bit64
    from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
    from ancestral.orientation._judge_cy import Judge


@cython.final
@cython.cclass
class UncoveredWalks:
    """The steps of a graph: all u o-o v (`circles`), or all u → v without arrowhead at u and without tail at v.

    With `tails` a circle may as well be a tail: knowledge may have put it there, and the proof of R5 needs only that
    there is no arrowhead. A walk passes through a node only if the `judge` does not leave open whether it is a collider
    there.
    """

    def __init__(
        self,
        marks: Any,
        offsets: Any,
        targets: Any,
        circles: bool,
        tails: bool = False,
        judge: Judge | None = None,
    ) -> None:
        self.judge = Judge() if judge is None else judge
        self.marks = marks
        self.offsets = offsets
        self.targets = targets
        steps = len(targets)
        self.sources = np.empty(steps, dtype=np.intc)
        self.may_step = np.empty(steps, dtype=np.uint8)
        self.came_from = np.empty(steps, dtype=np.intc)
        self.queue = np.empty(steps, dtype=np.intc)
        self.walk = np.empty(steps + 1, dtype=np.intc)
        self._find_steps(circles, tails)
        self._find_components()
        if not circles:
            self._find_reach(self.marks.shape[0])

    def _find_steps(self, circles: cython.bint, tails: cython.bint) -> None:
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        e: cython.Py_ssize_t
        for u in range(self.marks.shape[0]):
            for e in range(self.offsets[u], self.offsets[u + 1]):
                v = self.targets[e]
                self.sources[e] = cython.cast(cython.int, u)
                if circles and tails:
                    self.may_step[e] = self.marks[u, v] != ARROW and self.marks[v, u] != ARROW
                elif circles:
                    self.may_step[e] = self.marks[u, v] == CIRCLE and self.marks[v, u] == CIRCLE
                else:
                    self.may_step[e] = self.marks[v, u] != ARROW and self.marks[u, v] != TAIL

    @cython.cfunc
    @cython.exceptval(-1)
    def follows(self, e: cython.Py_ssize_t, f: cython.Py_ssize_t) -> cython.bint:
        """Whether step f may follow step e, which ends where f begins."""
        u: cython.Py_ssize_t = self.sources[e]
        w: cython.Py_ssize_t = self.targets[f]
        return self.may_step[f] and u != w and self.marks[u, w] == 0 and self.passes(u, self.targets[e], w)

    @cython.cfunc
    @cython.exceptval(-1)
    def passes(self, u: cython.Py_ssize_t, v: cython.Py_ssize_t, w: cython.Py_ssize_t) -> cython.bint:
        """Whether v is certainly no collider on the unshielded u–v–w, on which v has at most one arrowhead."""
        return self.marks[u, v] == TAIL or self.marks[w, v] == TAIL or self.judge.non_collider(u, v, w)

    @cython.cfunc
    @cython.exceptval(-1)
    def reaches(self, e: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.bint:
        """Whether an uncovered walk that begins with step e comes to v."""
        return self.may_step[e] and self.reach[self.component[e], v >> 6] & bit64(v) != 0

    def _find_components(self) -> None:
        steps: cython.Py_ssize_t = self.targets.shape[0]
        entered: cython.int[::1] = np.zeros(steps, dtype=np.intc)  # 0: not yet; otherwise when
        low: cython.int[::1] = np.zeros(steps, dtype=np.intc)
        following: cython.int[::1] = np.zeros(steps, dtype=np.intc)  # the next step to look at
        stack: cython.int[::1] = np.zeros(steps + 1, dtype=np.intc)  # steps that have no component yet
        trail: cython.int[::1] = np.zeros(steps + 1, dtype=np.intc)  # from the root to where we are
        height: cython.Py_ssize_t = 0
        depth: cython.Py_ssize_t
        clock: cython.int = 0
        root: cython.Py_ssize_t
        e: cython.Py_ssize_t
        f: cython.Py_ssize_t
        self.component = np.full(steps, -1, dtype=np.intc)
        self.size = np.zeros(steps + 1, dtype=np.intc)
        self.components = 0
        for root in range(steps):
            if entered[root] or not self.may_step[root]:
                continue
            f = root
            depth = 0
            while True:
                # enter step f
                clock += 1
                entered[f] = low[f] = clock
                following[f] = self.offsets[self.targets[f]]
                stack[height] = trail[depth] = cython.cast(cython.int, f)
                height += 1
                depth += 1
                # go on until there is a step to enter, or the trail is at its end
                f = -1
                while depth and f < 0:
                    e = trail[depth - 1]
                    if following[e] < self.offsets[self.targets[e] + 1]:
                        f = following[e]
                        following[e] += 1
                        if not self.follows(e, f):
                            f = -1
                        elif entered[f]:
                            if self.component[f] < 0:
                                low[e] = min(low[e], entered[f])
                            f = -1
                        continue
                    depth -= 1
                    if depth:
                        low[trail[depth - 1]] = min(low[trail[depth - 1]], low[e])
                    if low[e] == entered[e]:
                        while self.component[e] < 0:
                            height -= 1
                            self.component[stack[height]] = cython.cast(cython.int, self.components)
                            self.size[self.components] += 1
                        self.components += 1
                if f < 0:
                    break

    def _find_reach(self, n: cython.Py_ssize_t) -> None:
        words: cython.Py_ssize_t = (n + 63) // 64
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        e: cython.Py_ssize_t
        f: cython.Py_ssize_t
        v: cython.Py_ssize_t
        own: cython.Py_ssize_t
        other: cython.Py_ssize_t
        component = np.asarray(self.component)
        order: cython.Py_ssize_t[::1] = np.argsort(component, kind="stable")
        self.reach = np.zeros((self.components, words), dtype=np.uint64)
        for i in range(len(component)):  # components that come later lead to earlier ones only
            e = order[i]
            own = self.component[e]
            if own < 0:
                continue
            v = self.targets[e]
            self.reach[own, v >> 6] |= bit64(v)
            for f in range(self.offsets[v], self.offsets[v + 1]):
                if self.follows(e, f):
                    other = self.component[f]
                    if other != own:
                        for k in range(words):
                            self.reach[own, k] |= self.reach[other, k]

    @cython.cfunc
    @cython.exceptval(-1)
    def shortest(self, start: cython.Py_ssize_t, goals: cython.uchar[::1], back: cython.bint) -> cython.Py_ssize_t:
        """A shortest walk that begins with this step and ends in a goal, or (`back`) comes back to this very step.

        Its nodes are written to `walk`; returns their number, 0 where there is none.
        """
        head: cython.Py_ssize_t = 0
        tail: cython.Py_ssize_t = 1
        e: cython.Py_ssize_t
        f: cython.Py_ssize_t
        last: cython.Py_ssize_t = -1
        length: cython.Py_ssize_t
        self.came_from[:] = -1
        self.queue[0] = cython.cast(cython.int, start)
        if not back and goals[self.targets[start]]:
            last = start
        while head < tail and last < 0:
            e = self.queue[head]
            head += 1
            for f in range(self.offsets[self.targets[e]], self.offsets[self.targets[e] + 1]):
                if not self.follows(e, f):
                    continue
                if f == start:
                    if back:
                        last = e
                        break
                    continue
                if self.came_from[f] >= 0:
                    continue
                self.came_from[f] = cython.cast(cython.int, e)
                if not back and goals[self.targets[f]]:
                    last = f
                    break
                self.queue[tail] = cython.cast(cython.int, f)
                tail += 1
        if last < 0:
            return 0
        length = 1
        e = last
        while e != start:
            length += 1
            e = self.came_from[e]
        e = last
        for head in range(length, 0, -1):
            self.walk[head] = self.targets[e]
            e = self.came_from[e]
        self.walk[0] = self.sources[start]
        return length if back else length + 1  # coming back, the first node is the last one
