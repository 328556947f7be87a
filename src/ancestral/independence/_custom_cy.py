"""A test of the user's own, asked from the compiled search through one Python call per question."""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from ancestral.independence._questions_cy import Questions


@cython.cclass
class Custom(Questions):
    """`answer(x, y, given)` takes positions and returns (independent or not, p-value)."""

    def __init__(self, n: int, answer: Any) -> None:
        self.begin(n, np.zeros((n, n)))
        self.answer = answer

    def marginals(self) -> Any:
        """As they were answered, where they were: nobody wants to wait for a slow function twice."""
        p_values = 0.0 - self.known_strength()[np.triu_indices(self.n, 1)]
        return np.column_stack([p_values, np.zeros_like(p_values)])

    def relearn(self, marginals: Any) -> None:
        """Take the answers over."""
        strength = self.known_strength()
        strength[np.triu_indices(self.n, 1)] = -np.asarray(marginals)[:, 0]
        np.copyto(strength, strength.T, where=np.tri(self.n, k=-1, dtype=bool))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def independent(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        with cython.gil:
            independent, p_value = self.answer(x, y, [given[i] for i in range(size)])
            self.statistic = p_value
            if size == 0:
                self.strength[x, y] = self.strength[y, x] = -p_value
            return 1 if independent else 0
