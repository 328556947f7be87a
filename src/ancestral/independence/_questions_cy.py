"""The question every search asks: are x and y independent given these nodes?

The idea: a test is an extension type with one method in C, so the compiled search asks it without Python in between and
without the GIL. Variables are positions 0 … n−1; whoever makes the questions has numbered them by name.

A question that the data cannot support (too few rows, a singular conditioning set) is answered "dependent", never
"independent", and counted by the size of its set in `unsupported`. Nodes that are strongly associated with both of a
pair are the likelier separators; a search may ask with them first (`preference`).
"""

from typing import Any

import cython
import numpy as np


@cython.cclass
class Questions:
    """n variables; answers nothing by itself. `strength[x, y]`: how strongly two are associated, 0 where unknown."""

    def begin(self, n: int, strength: Any) -> None:
        """For the kinds of questions to call when they are made; `strength` None: no preferences."""
        self.n = n
        self.has_preference = strength is not None
        self.strength = np.zeros((1, 1)) if strength is None else strength
        self.unsupported = np.zeros(n + 1, dtype=np.int64)
        self.unsupported_counts = self.unsupported

    def share(self, other: Any) -> None:
        """Have the same preferences as other questions about the same variables, now and later."""
        self.strength = other.known_strength()

    def known_strength(self) -> Any:
        """The array of strengths itself, which later answers still fill."""
        return np.asarray(self.strength)

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

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def preference(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.double:
        """How early v should be tried to separate x and y: the greater, the earlier."""
        return min(self.strength[x, v], self.strength[y, v])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def cannot_tell(self, size: cython.Py_ssize_t) -> cython.int:
        """Count a question that the data cannot support; the edge stays."""
        self.unsupported_counts[size] += 1
        return 0
