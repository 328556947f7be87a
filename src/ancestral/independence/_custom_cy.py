"""A test in Python, asked from the compiled search through one Python call per question."""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from math import isnan

    from ancestral.independence._questions_cy import Questions


@cython.cclass
class Custom(Questions):
    """Asks `function(x, y, given)`, which takes names and returns a p-value.

    An answer that is not a float from 0 to 1 is handed to `checked(answer, x, y, given)`, which returns the p-value
    that it stands for, NaN if the data cannot support the question, or raises.
    """

    def __init__(self, names: Any, function: Any, alpha: float, checked: Any) -> None:
        self.begin(len(names), np.zeros((len(names), len(names))))
        self.names = list(names)
        self.function = function
        self.alpha = alpha
        self.checked = checked

    def knows_marginals(self) -> bool:
        """True: a function may be slow, so its answers are kept."""
        return True

    def marginals_of(self, pairs: Any) -> Any:
        """A row `p-value, 0` for each of these pairs, as it was answered."""
        x, y = pairs.T
        out = np.zeros((len(pairs), 2))
        out[:, 0] = 0.0 - self.known_strength()[x, y]
        return out

    def relearn(self, marginals: Any) -> None:
        """Keep these answers as if they had just been given."""
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
            self.statistic = self.p_value(x, y, given, size)
        if size == 0:
            self.strength[x, y] = self.strength[y, x] = -self.statistic
        if isnan(self.statistic):
            return self.cannot_tell(size)
        return self.statistic > self.alpha

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def preference(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.double:
        """As by default; two variables about which the data cannot tell count as those with a p-value of 1."""
        a: cython.double = self.strength[x, v]
        b: cython.double = self.strength[y, v]
        return -1.0 if isnan(a) or isnan(b) else min(a, b)

    @cython.cfunc
    @cython.exceptval(-1)
    def p_value(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.double:
        """The p-value that the function answers."""
        i: cython.Py_ssize_t
        listed: list[Any] = []
        for i in range(size):
            listed.append(self.names[given[i]])
        others = tuple(listed)
        answer = self.function(self.names[x], self.names[y], others)
        if type(answer) is float and 0.0 <= answer <= 1.0:
            return answer
        return self.checked(answer, self.names[x], self.names[y], others)
