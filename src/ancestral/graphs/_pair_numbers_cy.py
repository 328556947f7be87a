"""A number for each pair of nodes: in a matrix, or, where that would be large, in a table of the unusual ones.

The idea: in a graph of very many nodes nearly all pairs have the same number. The table holds the others, by open
addressing: a pair begins to look at the place that its positions give, and goes on until it meets itself or a free
place. At least half of the places are free, so that it soon does.

Invariants: `matrix`, if `in_matrix`, is symmetric; otherwise `numbers[slot]` is the number of the pair `keys[slot]`,
x * n + y with x < y, or of none if the key is -1, and all pairs that are not in the table have the number `usual`.
"""

from typing import Any

import cython
import numpy as np

from ancestral.graphs._csr_cy import edges_above

#: Largest number of nodes for which there is a matrix: it then takes 1 MB, and stays in a processor's cache.
MOST_IN_MATRIX = 512

#: Places of a new table.
PLACES = 1 << 12


@cython.final
@cython.cclass
class PairNumbers:
    """A number for each pair of n nodes, 0 at first; `in_matrix` tells how they are kept."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.in_matrix = n <= MOST_IN_MATRIX
        size = n if self.in_matrix else 0
        self.matrix = np.zeros((size, size), dtype=np.intc)
        self.clear(0, 0)

    def clear(self, usual: int, expected: int) -> None:
        """Forget the table, and make room for this number of pairs that have another number than the usual one."""
        size = max(PLACES, 1 << (2 * expected).bit_length()) if not self.in_matrix else 1
        self.usual = usual
        self.count = 0
        self.keys = np.full(size, -1, dtype=np.int64)
        self.numbers = np.zeros(size, dtype=np.intc)

    def number(self, x: int, y: int) -> int:
        """`get`, from Python."""
        return int(self.get(x, y))

    def give(self, x: int, y: int, number: int) -> None:
        """`put`, from Python."""
        self.put(x, y, number)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def place(self, key: cython.longlong) -> cython.Py_ssize_t:
        """Where a pair is in the table, or the free place where it would be."""
        mask: cython.Py_ssize_t = self.keys.shape[0] - 1
        mixed: cython.longlong = key // self.n * 40503 + key % self.n
        slot: cython.Py_ssize_t = (mixed ^ (mixed >> 15)) & mask
        while self.keys[slot] != key and self.keys[slot] != -1:
            slot = (slot + 1) & mask
        return slot

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def get(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.int:
        """The number of a pair, in either order; 0 for a node and itself."""
        key: cython.longlong = min(x, y)
        slot: cython.Py_ssize_t
        if self.in_matrix:
            return self.matrix[x, y]
        if x == y:
            return 0
        key = key * self.n + max(x, y)
        slot = self.place(key)
        return self.numbers[slot] if self.keys[slot] == key else self.usual

    @cython.cfunc
    @cython.exceptval(-1)
    def put(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, number: cython.int) -> cython.int:
        """Give a pair another number."""
        key: cython.longlong = min(x, y)
        slot: cython.Py_ssize_t
        if self.in_matrix:
            self.matrix[x, y] = self.matrix[y, x] = number
            return 0
        key = key * self.n + max(x, y)
        slot = self.place(key)
        if self.keys[slot] == -1:
            if 2 * (self.count + 1) > self.keys.shape[0]:
                self.grow()
                slot = self.place(key)
            self.keys[slot] = key
            self.count += 1
        self.numbers[slot] = number
        return 0

    def grow(self) -> None:
        """Move all pairs to a table twice as large."""
        keys, numbers = np.asarray(self.keys), np.asarray(self.numbers)
        kept = keys != -1
        old_keys: cython.longlong[::1] = keys[kept]
        old_numbers: cython.int[::1] = numbers[kept]
        slot: cython.Py_ssize_t
        i: cython.Py_ssize_t
        self.clear(self.usual, self.keys.shape[0])
        with cython.nogil:
            for i in range(old_keys.shape[0]):
                slot = self.place(old_keys[i])
                self.keys[slot] = old_keys[i]
                self.numbers[slot] = old_numbers[i]
        self.count = len(old_keys)

    def begin_apart(self, marks: Any) -> None:
        """Give the number 1 to every pair without an edge in this graph, 0 to the others."""
        joined: cython.const[cython.uchar][:, ::1] = np.ascontiguousarray(marks, dtype=np.uint8)  # type: ignore[valid-type]
        ends: cython.int[:, ::1]
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        i: cython.Py_ssize_t
        matrix: cython.int[:, ::1] = self.matrix  # a local name, so that the compiler may work on many entries at once
        if self.in_matrix:
            with cython.nogil:
                for x in range(joined.shape[0]):
                    for y in range(joined.shape[1]):
                        matrix[x, y] = joined[x, y] == 0
                    matrix[x, x] = 0
            return
        pairs, _ = edges_above(joined)
        ends = pairs
        self.clear(1, ends.shape[0])
        for i in range(ends.shape[0]):
            self.put(ends[i, 0], ends[i, 1], 0)

    def of_pairs(self, pairs: Any) -> Any:
        """The numbers of these pairs, rows x, y."""
        ends: cython.int[:, ::1] = np.ascontiguousarray(pairs, dtype=np.intc)
        out = np.zeros(len(ends), dtype=np.intc)
        found: cython.int[::1] = out
        e: cython.Py_ssize_t
        with cython.nogil:
            for e in range(ends.shape[0]):
                found[e] = self.get(ends[e, 0], ends[e, 1])
        return out
