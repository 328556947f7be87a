"""The question every search asks: are x and y independent given these nodes?

The idea: a test is an extension type with one method in C, so the compiled search asks it without Python in between and
without the GIL. Variables are positions 0 … n−1; whoever makes the questions has numbered them by name.
"""

from typing import Any

import cython
import numpy as np

COMPILED: bool = bool(cython.compiled)


@cython.cclass
class Questions:
    """n variables; answers nothing by itself."""

    def ask(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: Any) -> bool:
        """The same question from Python."""
        array = np.array(given, dtype=np.intc)
        return bool(self.independent(x, y, array, len(array)))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def independent(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        """1 if x and y are independent given the first `size` of `given`, 0 if they are dependent."""
        with cython.gil:
            raise NotImplementedError("a kind of question must answer")
