"""Separation in a true graph, asked as an independence question.

The idea: a bitset of the given nodes, with the selection nodes always among them, and one walk through the graph
(`graphs/_separation_cy`).
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from ancestral._cython import bit64
    from ancestral.graphs._separation_cy import Walker
    from ancestral.independence._questions_cy import Questions


@cython.cclass
class Separations(Questions):
    """Asks a graph without circles. `position[v]` is the position of variable v among its nodes.

    Given more than `most` nodes, everything is dependent (the n-oracle of Spirtes 2001); `most` < 0: no limit. A row of
    `together` has 1 for variables that were measured together; a question outside every row has no answer. None: all
    were.
    """

    def __init__(self, marks: Any, position: Any, always: Any, most: int, together: Any = None) -> None:
        self.walker = Walker(marks)
        self.begin(len(position), None)
        self.position = np.array(position, dtype=np.intc)
        self.always = np.array(always, dtype=np.uint64)
        self.blocks = np.zeros(self.walker.words, dtype=np.uint64)
        self.most = most
        every = np.ones((1, len(position)), dtype=np.uint8)
        self.together = every if together is None else np.ascontiguousarray(together, dtype=np.uint8)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def independent(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        i: cython.Py_ssize_t
        z: cython.Py_ssize_t
        if not self.answers(x, y, given, size):
            return self.cannot_tell(size)
        self.statistic = 0.0
        if 0 <= self.most < size:
            return 0
        for i in range(self.walker.words):
            self.blocks[i] = self.always[i]
        for i in range(size):
            z = self.position[given[i]]
            self.blocks[z >> 6] |= bit64(z)
        self.statistic = not self.walker.walk(self.position[x], self.position[y], self.blocks, self.blocks)
        return self.statistic > 0.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def answers(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.bint:
        """Whether some row has all variables of the question."""
        row: cython.Py_ssize_t
        i: cython.Py_ssize_t
        inside: cython.bint
        for row in range(self.together.shape[0]):
            inside = self.together[row, x] != 0 and self.together[row, y] != 0
            for i in range(size):
                inside = inside and self.together[row, given[i]] != 0
            if inside:
                return True
        return False
