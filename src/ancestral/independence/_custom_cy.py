"""A test of the user's own, asked from the compiled search through one Python call per question."""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from ancestral.independence._questions_cy import Questions


@cython.cclass
class Custom(Questions):
    """`answer(x, y, given)` takes positions and says how (in)dependent: (independent or not, strength)."""

    def __init__(self, n: int, answer: Any) -> None:
        self.begin(n, np.zeros((n, n)))
        self.answer = answer

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def independent(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        with cython.gil:
            independent, strength = self.answer(x, y, [given[i] for i in range(size)])
            if size == 0:
                self.strength[x, y] = self.strength[y, x] = strength
            return 1 if independent else 0
