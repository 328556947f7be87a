"""The steps that PDS-walks inside a set may take next, from both roots of a pair, while nodes join and leave the set.

The idea: `closed` holds in bits, for each root and node u, the steps from u to nodes that may be in a set and to which
no walk inside the set has led yet. When a walk takes a step to u, it opens those of them that may follow this step
(`onward`): the common bits of two words. A new node only opens steps, and `trail` tells which, so that they are closed
again when it leaves.

Invariants: Z is the first nodes of `chosen`, and `place[v]` is 1 + the position of v in it, 0 for others. Sets grow
from the root of `side`. There `candidates` holds every node to which Z has led, and `seen` marks them. Of the other
side the same steps are kept for the first `joined` nodes of Z alone, as many as it takes to tell whether Z belongs to
that root, too: `entries` counts the open steps into each node, and `lacking` the nodes of Z without any.
"""

import cython
import numpy as np

if not cython.compiled:
    from ancestral._cython import bit64, lowest_bit
    from ancestral.search._walked_graph_cy import WalkedGraph


@cython.cclass
class OpenSteps(WalkedGraph):
    """The walks of one pair; a subclass says which nodes join."""

    def prepare_walks(self) -> None:
        """Set up what does not depend on the graph; a subclass calls this when it is made, after `prepare_graph`."""
        n = self.n
        self.distance = np.zeros((2, n), dtype=np.intc)
        self.within = np.zeros((2, n), dtype=np.intc)
        self.within_count = np.zeros(2, dtype=np.intc)
        self.visited = np.zeros(n, dtype=np.uintc)
        self.stamp = 0
        self.side = 0
        self.place = np.zeros(n, dtype=np.intc)
        self.seen = np.zeros(n, dtype=np.uint8)
        self.candidates = np.zeros(n, dtype=np.intc)
        self.candidate_count = 0
        self.trail_count = np.zeros(2, dtype=np.intp)
        self.entries = np.zeros((2, n), dtype=np.intc)
        self.lacking = 0
        self.joined = 0

    def make_room(self, room: int) -> None:
        """Allocate space for sets of fewer than `room` nodes."""
        WalkedGraph.make_room(self, room)
        self.trail_before = np.zeros(room, dtype=np.intp)

    def make_room_for_steps(self, room: int) -> None:
        """Allocate space for fewer than `room` steps."""
        WalkedGraph.make_room_for_steps(self, room)
        self.closed = np.zeros((2, self.n + room // 64 + 1), dtype=np.uint64)
        self.trail = np.zeros((2, room), dtype=np.intc)
        self.trail_bits = np.zeros((2, room), dtype=np.uint64)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def reach(self, side: cython.Py_ssize_t) -> cython.int:
        """Find how many steps of a PDS-walk each node is away from this side's root; 0: unreachable, or too far.

        Inside a set of r nodes a walk visits r nodes at most. It comes back to a node only around a cycle of three or
        more, and to some purpose only if it then enters yet another node; so for r < 4 it has at most r steps.
        """
        root: cython.Py_ssize_t = self.roots[side]
        head: cython.Py_ssize_t = 0
        tail: cython.Py_ssize_t = 0
        end: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        steps: cython.int = 1
        most: cython.Py_ssize_t = self.radius if self.radius < 4 else self.queue.shape[0]
        i: cython.Py_ssize_t
        at: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        word: cython.Py_ssize_t
        bits: cython.ulonglong
        self.stamp += 1
        for i in range(self.starts[root], self.starts[root] + self.degree[root]):
            v = self.targets[i]
            if v != self.roots[1 - side] and self.allowed(root, v):
                self.queue[tail] = cython.cast(cython.int, i)
                tail += 1
                self.distance[side, v] = 1
                self.within[side, count] = cython.cast(cython.int, v)
                count += 1
        while head < tail and steps < most:
            steps += 1
            end = tail
            while head < end:  # all walks that took steps - 1 steps so far
                i = self.queue[head]
                u = self.targets[i]
                head += 1
                if self.visited[u] != self.stamp:
                    self.visited[u] = self.stamp
                    self.close(side, u)
                at = self.onward_at[i]
                if at < 0:
                    at = self.find_onward(i)
                for word in range(self.word_at[u], self.word_at[u + 1]):
                    bits = self.onward[at] & self.closed[side, word]
                    at += 1
                    if bits == 0:
                        continue
                    self.closed[side, word] ^= bits
                    while bits:
                        i = self.first_step[word] + lowest_bit(bits)
                        bits &= bits - 1
                        v = self.targets[i]
                        self.queue[tail] = cython.cast(cython.int, i)
                        tail += 1
                        if self.distance[side, v] == 0:
                            self.distance[side, v] = steps
                            self.within[side, count] = cython.cast(cython.int, v)
                            count += 1
        self.within_count[side] = cython.cast(cython.int, count)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def close(self, side: cython.Py_ssize_t, u: cython.Py_ssize_t) -> cython.void:
        """Close all steps from u to nodes that may be in a set; no walk goes on over other steps."""
        root: cython.Py_ssize_t = self.roots[side]
        other: cython.Py_ssize_t = self.roots[1 - side]
        first: cython.Py_ssize_t = self.word_at[u]
        word: cython.Py_ssize_t
        k: cython.Py_ssize_t
        v: cython.Py_ssize_t
        for word in range(first, self.word_at[u + 1]):
            self.closed[side, word] = 0
        if not self.may_lead_on(u):
            return
        for k in range(self.degree[u]):
            v = self.targets[self.starts[u] + k]
            if v != root and v != other and self.allowed(root, v):
                self.closed[side, first + (k >> 6)] |= bit64(k)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin_walks(self, side: cython.Py_ssize_t) -> cython.void:
        """Close all steps but those of this side's root: no node has joined yet."""
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        for i in range(self.within_count[side]):
            v = self.within[side, i]
            self.close(side, v)
            self.entries[side, v] = self.distance[side, v] == 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def join(self, side: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.int:
        """The last of the first `count` chosen nodes joins Z: open the steps that walks from this side may now take.

        Where the sets grow from this side, the nodes to which a step is open become candidates.
        """
        grows: cython.bint = side == self.side
        head: cython.Py_ssize_t = 0
        tail: cython.Py_ssize_t = self.queue_ways_into(side, count)
        i: cython.Py_ssize_t
        at: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        word: cython.Py_ssize_t
        bits: cython.ulonglong
        while head < tail:  # steps inside Z that a walk may take
            i = self.queue[head]
            u = self.targets[i]
            head += 1
            at = self.onward_at[i]
            if at < 0:
                at = self.find_onward(i)
            for word in range(self.word_at[u], self.word_at[u + 1]):
                bits = self.onward[at] & self.closed[side, word]
                at += 1
                if bits == 0:
                    continue
                self.closed[side, word] ^= bits
                self.trail[side, self.trail_count[side]] = cython.cast(cython.int, word)
                self.trail_bits[side, self.trail_count[side]] = bits
                self.trail_count[side] += 1
                while bits:
                    i = self.first_step[word] + lowest_bit(bits)
                    bits &= bits - 1
                    v = self.targets[i]
                    if not grows:
                        self.entries[side, v] += 1
                        if self.entries[side, v] == 1 and self.place[v]:
                            self.lacking -= 1
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
    def queue_ways_into(self, side: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Queue the open steps from Z and the root into the node that joins, and return their number.

        They come in the order in which their first nodes joined; the root has place 0.
        """
        z: cython.Py_ssize_t = self.chosen[count - 1]
        root: cython.Py_ssize_t = self.roots[side]
        tail: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        k: cython.Py_ssize_t
        t: cython.Py_ssize_t
        for i in range(self.starts[z], self.starts[z] + self.degree[z]):
            t = self.targets[i]
            if t != root:
                if self.place[t] == 0 or self.place[t] >= count:
                    continue
                k = self.back[i] - self.starts[t]
                if self.closed[side, self.word_at[t] + (k >> 6)] & bit64(k):
                    continue
                if self.filter_distant and not self.in_pool(t):
                    continue
            j = tail
            while j > 0 and self.place[self.sources[self.queue[j - 1]]] > self.place[t]:
                self.queue[j] = self.queue[j - 1]
                j -= 1
            self.queue[j] = self.back[i]
            tail += 1
        return tail

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def leave_walks(self, side: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.void:
        """Close steps again, until `count` entries of the trail are left."""
        word: cython.Py_ssize_t
        v: cython.Py_ssize_t
        bits: cython.ulonglong
        while self.trail_count[side] > count:
            self.trail_count[side] -= 1
            word = self.trail[side, self.trail_count[side]]
            bits = self.trail_bits[side, self.trail_count[side]]
            self.closed[side, word] ^= bits
            while bits and side != self.side:
                v = self.targets[self.first_step[word] + lowest_bit(bits)]
                bits &= bits - 1
                self.entries[side, v] -= 1
                if self.entries[side, v] == 0 and self.place[v]:
                    self.lacking += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def follow(self) -> cython.int:
        """Let the next chosen node join on the other side, too."""
        self.trail_before[self.joined] = self.trail_count[1 - self.side]
        self.joined += 1
        return self.join(1 - self.side, self.joined)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def part(self, count: cython.Py_ssize_t) -> cython.void:
        """Undo `follow`, so that no more than `count` nodes have joined on the other side."""
        if self.joined > count:
            self.joined = count
            self.leave_walks(1 - self.side, self.trail_before[count])
