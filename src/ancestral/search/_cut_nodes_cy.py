"""What a node cuts off from the root: the nodes that no PDS-walk reaches once that node is left out.

The idea: if a node lies on every walk to another one, sets without the first are without the second, too, and sets of r
nodes are left only while r nodes can be reached. The nodes on every walk that ends with a step are its target and those
that all steps before it have in common. That is data-flow analysis: begin with the walks that are found
first, and take away what other walks avoid, until nothing changes.

It gives a bound, since two nodes may cut off a third one together. Nodes within reach are the bits of a word, in the
order of `within`; where they are too many for that, nothing is known (`knows_cuts`).
"""

import cython
import numpy as np

if not cython.compiled:
    from ancestral._cython import bit64, lowest_bit
    from ancestral.search._open_steps_cy import OpenSteps

#: Nodes within reach for which it is found: the bits of a word.
MOST_NODES = cython.declare(cython.Py_ssize_t, 64)

#: The word with all bits.
EVERY = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


@cython.cclass
class CutNodes(OpenSteps):
    """`cut_off[k]`: what node number k within reach of this side's root cuts off, itself among it."""

    def prepare_cuts(self) -> None:
        """Set up what does not depend on the graph; a subclass calls this when it is made, after `prepare_walks`."""
        self.knows_cuts = False
        self.number = np.zeros(self.n, dtype=np.intc)
        self.cut_off = np.zeros(MOST_NODES, dtype=np.uint64)
        self.common = np.zeros(MOST_NODES, dtype=np.uint64)

    def make_room_for_steps(self, room: int) -> None:
        """Allocate space for fewer than `room` steps."""
        OpenSteps.make_room_for_steps(self, room)
        self.on_walks = np.zeros(room, dtype=np.uint64)
        self.taken = np.zeros(room, dtype=np.uintc)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_cuts(self) -> cython.void:
        """Find what each node within reach cuts off."""
        count: cython.Py_ssize_t = self.within_count[self.side]
        k: cython.Py_ssize_t
        v: cython.Py_ssize_t
        bits: cython.ulonglong
        if count > MOST_NODES:
            return
        self.knows_cuts = True
        for k in range(count):
            self.number[self.within[self.side, k]] = cython.cast(cython.int, k)
            self.cut_off[k] = 0
        self.find_common()
        for k in range(count):
            bits = self.common[k]
            while bits:
                v = lowest_bit(bits)
                bits &= bits - 1
                self.cut_off[v] |= bit64(k)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def too_few_without(self, lost: cython.ulonglong) -> cython.bint:
        """Whether fewer nodes than a set needs are within reach without these."""
        left: cython.Py_ssize_t = self.within_count[self.side]
        while lost:
            lost &= lost - 1
            left -= 1
        return left < self.radius

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_common(self) -> cython.void:
        """Find the nodes that all walks to a node have in common, for each node within reach."""
        root: cython.Py_ssize_t = self.roots[self.side]
        tail: cython.Py_ssize_t = 0
        count: cython.Py_ssize_t
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        self.stamp += 1
        for i in range(self.starts[root], self.starts[root] + self.degree[root]):
            if self.distance[self.side, self.targets[i]] == 1:
                self.taken[i] = self.stamp
                self.on_walks[i] = bit64(self.number[self.targets[i]])
                self.queue[tail] = cython.cast(cython.int, i)
                tail += 1
        count = self.pass_on(tail)
        while self.changed:
            self.pass_on(count)
        for k in range(self.within_count[self.side]):
            self.common[k] = EVERY
        for k in range(count):
            i = self.queue[k]
            self.common[self.number[self.targets[i]]] &= self.on_walks[i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pass_on(self, tail: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Pass what is common to the walks over each queued step on to the steps after it, which are queued, too.

        Returns the number of steps in the queue; `changed` if a step was passed something after its own turn.
        """
        head: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        at: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        word: cython.Py_ssize_t
        bits: cython.ulonglong
        passed: cython.ulonglong
        self.changed = False
        while head < tail:
            i = self.queue[head]
            u = self.targets[i]
            head += 1
            if self.filter_distant and not self.in_pool(u):
                continue
            at = self.onward_at[i]
            if at < 0:
                at = self.find_onward(i)
            for word in range(self.word_at[u], self.word_at[u + 1]):
                bits = self.onward[at]
                at += 1
                while bits:
                    j = self.first_step[word] + lowest_bit(bits)
                    bits &= bits - 1
                    v = self.targets[j]
                    if self.distance[self.side, v] == 0:
                        continue
                    passed = self.on_walks[i] | bit64(self.number[v])
                    if self.taken[j] != self.stamp:
                        self.taken[j] = self.stamp
                        self.on_walks[j] = passed
                        self.queue[tail] = cython.cast(cython.int, j)
                        tail += 1
                    elif self.on_walks[j] & ~passed:
                        self.on_walks[j] &= passed
                        self.changed = True
        return tail
