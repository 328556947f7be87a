"""Steps between the graphs of a class: changes of one mark that stay in it, all graphs they lead to, and random walks.

The idea: any two MAGs without undirected edges that entail the same separations are connected by changes of single
marks, between v --> u and v <-> u, each of which leads to another graph of the class. Whether a change does, shows at
the edge: no other directed path leads from v to u; each parent of v is one of u; each w with w <-> v has w --> u or
w <-> u; and no path discriminates v, that is, v --> u is not visible (Zhang & Spirtes 2005, A transformational
characterization of Markov equivalence between DAGs with latent variables, lemma 1 and theorem 3). Two DAGs of a class
are connected by turning edges v --> u where u has the parents of v, v, and no others (Chickering 1995).

Where edges are undirected, a graph stays ancestral only if no arrowhead is at one of their ends. That is all that a
change between u --> v and u --- v requires: neither end is a collider before or after it, so all colliders and all
discriminating paths stay, which is equivalence (Spirtes & Richardson 1996), and no inducing path is added. For a change
between v --> u and v <-> u the conditions above suffice as before, since they and their proof are about arrowheads.

A choice is a circle u *-o v of the class, the mark at v; in a class of DAGs, an edge. `code[k]` is the mark at v of
choice k in the current graph. Invariant: `marks` is a graph of the class, and agrees with `code`.
"""

from typing import Any

import cython
import numpy as np

from ancestral.graphs.csr import compressed

if not cython.compiled:
    from ancestral._pulse_cy import Pulse
    from ancestral.graphs.marks import ARROW, TAIL


@cython.final
@cython.cclass
class ClassWalk:
    """Walks through the class of a graph, given by its marks, which are arrowheads and tails.

    - `choices`: a row u, v for each choice; `directed`: the class is one of DAGs.
    - `lines`: whether graphs with undirected edges belong to it.
    - `look`: called from time to time.
    """

    def __init__(self, marks: Any, choices: Any, directed: bool, lines: bool, look: Any = None) -> None:
        k: cython.Py_ssize_t
        self.array = np.array(marks, dtype=np.uint8, order="C")
        self.marks = self.array
        self.n = len(self.array)
        _, heads, offsets = compressed(self.array)
        self.neighbours, self.offsets = heads, offsets
        self.choices = np.ascontiguousarray(np.reshape(choices, (-1, 2)), dtype=np.intc)
        self.count = self.choices.shape[0]
        self.directed = directed
        self.lines = lines
        self.pulse = Pulse(look)
        self.buffer = bytearray(self.count)
        self.code = self.buffer
        for k in range(self.count):
            self.code[k] = self.marks[self.choices[k, 0], self.choices[k, 1]]
        self.queue = np.zeros(self.n + 1, dtype=np.intc)
        self.seen = np.zeros(self.n + 1, dtype=np.uintc)
        self.stamp = 0

    def listed(self, most: cython.Py_ssize_t) -> tuple[list[bytes], bool]:
        """The codes of the graphs to which changes lead, the current one first, and whether these are all.

        At most `most` of them. The graph that was current stays so.
        """
        k: cython.Py_ssize_t
        first = bytes(self.buffer)
        found = [first]
        known = {first}
        for code in found:
            self.restore(code)
            for k in range(self.count):
                if not self.may_change(k):
                    continue
                self.code[k] = ARROW + TAIL - self.code[k]
                other = bytes(self.buffer)
                self.code[k] = ARROW + TAIL - self.code[k]
                if other in known:
                    continue
                if len(found) >= most:
                    self.restore(first)
                    return found, False
                known.add(other)
                found.append(other)
        self.restore(first)
        return found, True

    def walk(self, tried: cython.longlong[::1]) -> bytes:
        """Try to change these choices, one after the other; the code of the graph to which that leads."""
        i: cython.Py_ssize_t
        for i in range(tried.shape[0]):
            if self.may_change(tried[i]):
                self.set(tried[i], ARROW + TAIL - self.code[tried[i]])
        return bytes(self.buffer)

    def allows(self, k: cython.Py_ssize_t) -> bool:
        """Whether a change of this choice leads from the current graph to another one of the class."""
        return bool(self.may_change(k))

    @cython.cfunc
    @cython.exceptval(-1)
    def restore(self, code: bytes) -> cython.int:
        """Make the graph with this code the current one."""
        k: cython.Py_ssize_t
        mark: cython.uchar
        for k in range(self.count):
            mark = code[k]
            if self.code[k] != mark:
                self.set(k, mark)
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def set(self, k: cython.Py_ssize_t, mark: cython.uchar) -> cython.int:
        """Write the mark of a choice; in a DAG, the other mark of the edge, too."""
        u: cython.Py_ssize_t = self.choices[k, 0]
        v: cython.Py_ssize_t = self.choices[k, 1]
        self.code[k] = mark
        self.marks[u, v] = mark
        if self.directed:
            self.marks[v, u] = ARROW + TAIL - mark
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def may_change(self, k: cython.Py_ssize_t) -> cython.bint:
        """Whether a change of this choice stays in the class."""
        u: cython.Py_ssize_t = self.choices[k, 0]
        v: cython.Py_ssize_t = self.choices[k, 1]
        self.pulse.beat()
        if self.directed:
            return self.is_covered(u, v) if self.marks[u, v] == ARROW else self.is_covered(v, u)
        if self.marks[v, u] == TAIL:  # between u --> v and u --- v
            return self.lines and self.ends_are_free(u, v)
        if self.lines and self.has_line(v, u):
            return False
        return self.parents_agree(v, u) and not self.is_visible(v, u) and not self.leads_around(v, u)

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_covered(self, v: cython.Py_ssize_t, u: cython.Py_ssize_t) -> cython.bint:
        """Whether u of v --> u has the parents of v, v, and no others."""
        w: cython.Py_ssize_t
        for w in range(self.n):
            if w != v and (self.marks[w, v] == ARROW) != (self.marks[w, u] == ARROW):
                return False
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def parents_agree(self, v: cython.Py_ssize_t, u: cython.Py_ssize_t) -> cython.bint:
        """Whether each parent of v is one of u, and each w with w <-> v has w --> u or w <-> u."""
        i: cython.Py_ssize_t
        w: cython.Py_ssize_t
        for i in range(self.offsets[v], self.offsets[v + 1]):
            w = self.neighbours[i]
            if w == u or self.marks[w, v] != ARROW:
                continue
            if self.marks[w, u] != ARROW:
                return False
            if self.marks[v, w] == TAIL and self.marks[u, w] != TAIL:
                return False
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_visible(self, v: cython.Py_ssize_t, u: cython.Py_ssize_t) -> cython.bint:
        """Whether v --> u, if the edge is or becomes that, is visible (`graphs/visible.py`)."""
        i: cython.Py_ssize_t
        w: cython.Py_ssize_t
        at: cython.Py_ssize_t
        head: cython.Py_ssize_t = 0
        size: cython.Py_ssize_t = 1
        self.stamp += 1
        self.queue[0] = v
        self.seen[v] = self.stamp
        self.seen[u] = self.stamp
        while head < size:
            at = self.queue[head]
            head += 1
            for i in range(self.offsets[at], self.offsets[at + 1]):
                w = self.neighbours[i]
                if self.marks[w, at] != ARROW or self.seen[w] == self.stamp:
                    continue
                if self.marks[w, u] == 0:
                    return True
                # w <-> at, and w --> u
                if self.marks[at, w] == ARROW and self.marks[w, u] == ARROW and self.marks[u, w] == TAIL:
                    self.seen[w] = self.stamp
                    self.queue[size] = w
                    size += 1
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def leads_around(self, v: cython.Py_ssize_t, u: cython.Py_ssize_t) -> cython.bint:
        """Whether a directed path leads from v to u beside the edge between them."""
        i: cython.Py_ssize_t
        w: cython.Py_ssize_t
        at: cython.Py_ssize_t
        head: cython.Py_ssize_t = 0
        size: cython.Py_ssize_t = 1
        self.stamp += 1
        self.queue[0] = v
        self.seen[v] = self.stamp
        while head < size:
            at = self.queue[head]
            head += 1
            for i in range(self.offsets[at], self.offsets[at + 1]):
                w = self.neighbours[i]
                if self.marks[at, w] != ARROW or self.marks[w, at] != TAIL or self.seen[w] == self.stamp:
                    continue
                if w == u:
                    if at == v:
                        continue
                    return True
                self.seen[w] = self.stamp
                self.queue[size] = w
                size += 1
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def ends_are_free(self, u: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.bint:
        """Whether u --> v may become u --- v, if it is that, or the reverse: no arrowhead is at an undirected edge."""
        i: cython.Py_ssize_t
        w: cython.Py_ssize_t
        if self.marks[u, v] == TAIL:
            return not self.has_line(v, u)
        for i in range(self.offsets[v], self.offsets[v + 1]):
            w = self.neighbours[i]
            if w != u and self.marks[w, v] == ARROW:
                return False
        for i in range(self.offsets[u], self.offsets[u + 1]):
            if self.marks[self.neighbours[i], u] == ARROW:
                return False
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def has_line(self, v: cython.Py_ssize_t, u: cython.Py_ssize_t) -> cython.bint:
        """Whether an edge of v, other than that with u, is undirected."""
        i: cython.Py_ssize_t
        w: cython.Py_ssize_t
        for i in range(self.offsets[v], self.offsets[v + 1]):
            w = self.neighbours[i]
            if w != u and self.marks[w, v] == TAIL and self.marks[v, w] == TAIL:
                return True
        return False
