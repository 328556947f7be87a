"""Scores of single variables given their parents, and what each further parent would be worth.

The score of a variable v with parents S is rows * log det(what S leaves of the covariance of v), plus a penalty for
each parent (`penalties`), which depends on the numbers of columns of the two variables. The sum over all variables is
the extended BIC of a DAG, up to a constant.

The idea: the columns of S are eliminated from all columns in one pass, by Cholesky rows over all columns. What is left
tells for every other variable what it would gain as a further parent. A logarithm is taken only where that is positive.

Invariants: S is the first `size` entries of `chosen`. After `eliminate`, the first `rank` rows of `factor` are the
Cholesky rows, `variance[c]` is what S leaves of the variance of column c, and row i of `left` what it leaves of the
covariances of column i of v.
"""

from typing import Any

import cython
import numpy as np

from ancestral.scores.penalties import edge_penalties

if not cython.compiled:
    from math import exp, log, sqrt

    from ancestral._pulse_cy import Pulse
    from ancestral.scores._cholesky_cy import SINGULAR, factorise


@cython.cclass
class LocalScores:
    """Scores of the variables of a covariance matrix; `banned[u, v]`: u must not be a parent of v."""

    def __init__(
        self,
        covariance: Any,
        offset: Any,
        rows: float,
        *,
        gamma: float = 0.5,
        banned: Any = None,
        pulse: Any = None,
    ) -> None:
        n = len(offset) - 1
        self.n = n
        self.covariance = np.ascontiguousarray(covariance, dtype=np.float64)
        self.offset = np.ascontiguousarray(offset, dtype=np.intc)
        self.width = np.diff(offset).astype(np.intc)
        self.columns = len(self.covariance)
        self.rows = rows
        self.penalties = edge_penalties(rows, n, gamma, int(np.max(np.diff(offset), initial=1)) ** 2)
        self.banned = np.zeros((n, n), dtype=np.uint8)
        if banned is not None:
            self.banned = np.ascontiguousarray(banned, dtype=np.uint8)
        self.pulse = Pulse() if pulse is None else pulse
        self.chosen = np.zeros(n, dtype=np.intc)
        self.chosen_column = np.zeros(self.columns, dtype=np.intc)
        self.rank = 0
        self.factor = np.zeros((8, self.columns))
        widest = int(np.max(self.width, initial=1))
        self.left = np.zeros((widest, self.columns))
        self.variance = np.zeros(self.columns)
        self.gain = np.zeros(n)
        self.small = np.zeros((2 * widest + 2, 2 * widest + 2))

    def _grow_factor(self, size: cython.Py_ssize_t) -> None:
        self.factor = np.zeros((2 * size, self.columns))

    def _grow_small(self, size: cython.Py_ssize_t) -> None:
        self.small = np.zeros((2 * size, 2 * size))

    # -- from Python --------------------------------------------------------------------------------------------

    def score_of(self, v: cython.Py_ssize_t, parents: Any) -> float:
        """The score of a variable with these parents."""
        return self.local_score(v, self._choose(parents), -1)

    def gains_of(self, v: cython.Py_ssize_t, parents: Any) -> Any:
        """By how much each variable, as a further parent, would lower the score of v; 0 where it would not."""
        self.find_gains(v, self._choose(parents))
        return np.maximum(self.gain, 0.0)

    def _choose(self, parents: Any) -> int:
        np.asarray(self.chosen)[: len(parents)] = parents
        return len(parents)

    # -- for kernels --------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def penalty(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.double:
        return self.penalties[self.width[a] * self.width[b]]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def eliminate(self, v: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.int:
        """Take the parents, in their order, out of all columns."""
        c: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        u: cython.Py_ssize_t
        rank: cython.Py_ssize_t = 0
        own: cython.Py_ssize_t = self.width[v]
        columns: cython.Py_ssize_t = self.list_columns(size)
        pivot: cython.double
        total: cython.double
        factor: cython.double[:, ::1]
        if columns > self.factor.shape[0]:
            with cython.gil:
                self._grow_factor(columns)
        factor = self.factor
        for c in range(self.columns):
            self.variance[c] = self.covariance[c, c]
        for i in range(own):
            for c in range(self.columns):
                self.left[i, c] = self.covariance[self.offset[v] + i, c]
        for i in range(columns):
            u = self.chosen_column[i]
            pivot = self.variance[u]
            if pivot <= SINGULAR * self.covariance[u, u]:
                continue
            pivot = sqrt(pivot)
            for c in range(self.columns):
                factor[rank, c] = self.covariance[u, c]
            for j in range(rank):
                total = factor[j, u]
                if total != 0.0:
                    for c in range(self.columns):
                        factor[rank, c] -= total * factor[j, c]
            for c in range(self.columns):
                factor[rank, c] /= pivot
                self.variance[c] -= factor[rank, c] * factor[rank, c]
            for j in range(own):
                total = factor[rank, self.offset[v] + j]
                for c in range(self.columns):
                    self.left[j, c] -= total * factor[rank, c]
            rank += 1
        self.rank = rank
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def find_gains(self, v: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.int:
        """By how much each variable, as a further parent, would lower the score of v; -1 for v, parents and banned."""
        c: cython.Py_ssize_t
        i: cython.Py_ssize_t
        u: cython.Py_ssize_t
        own: cython.Py_ssize_t = self.width[v]
        penalty: cython.double
        explained: cython.double
        self.pulse.beat()
        self.eliminate(v, size)
        for u in range(self.n):
            self.gain[u] = -1.0 if self.banned[u, v] else 0.0
        for i in range(size):
            self.gain[self.chosen[i]] = -1.0
        self.gain[v] = -1.0
        for u in range(self.n):
            if self.gain[u] < 0.0:
                continue
            penalty = self.penalty(u, v)
            if own == 1 and self.width[u] == 1:
                c = self.offset[u]
                if self.variance[c] <= SINGULAR * self.covariance[c, c]:
                    continue
                explained = self.left[0, c] * self.left[0, c] / (self.variance[c] * self.left[0, self.offset[v]])
                if explained > 1.0 - exp(-penalty / self.rows):
                    self.gain[u] = -self.rows * log(max(1.0 - explained, SINGULAR)) - penalty
            else:
                self.gain[u] = max(self.block_gain(v, u) - penalty, 0.0)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def list_columns(self, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """List the columns of the parents; their number."""
        c: cython.Py_ssize_t
        i: cython.Py_ssize_t
        columns: cython.Py_ssize_t = 0
        for i in range(size):
            for c in range(self.offset[self.chosen[i]], self.offset[self.chosen[i] + 1]):
                self.chosen_column[columns] = cython.cast(cython.int, c)
                columns += 1
        return columns

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def block_gain(self, v: cython.Py_ssize_t, u: cython.Py_ssize_t) -> cython.double:
        """rows * log of how much u lowers the determinant of what is left of v, given the parents."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        h: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        own: cython.Py_ssize_t = self.width[v]
        other: cython.Py_ssize_t = self.width[u]
        total: cython.double
        half: cython.double
        for i in range(own + other):
            a = self.offset[u] + i if i < other else self.offset[v] + i - other
            for j in range(i + 1):
                b = self.offset[u] + j if j < other else self.offset[v] + j - other
                if i >= other:
                    total = self.left[i - other, b]
                else:
                    total = self.covariance[a, b]
                    for h in range(self.rank):
                        total -= self.factor[h, a] * self.factor[h, b]
                self.small[i, j] = total
        for i in range(other):
            if self.small[i, i] <= SINGULAR * self.covariance[self.offset[u] + i, self.offset[u] + i]:
                return 0.0
        factorise(self.small, own + other)
        half = 0.0
        for i in range(other, own + other):
            half += log(self.small[i, i] if self.small[i, i] > 0.0 else SINGULAR)
        for i in range(own):
            for j in range(i + 1):
                self.small[i, j] = self.left[i, self.offset[v] + j]
        return 2.0 * self.rows * (factorise(self.small, own) - half)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def local_score(self, v: cython.Py_ssize_t, size: cython.Py_ssize_t, skip: cython.Py_ssize_t) -> cython.double:
        """The score of v with the first `size` variables of `chosen` as parents, without the one at `skip`."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        c: cython.Py_ssize_t
        u: cython.Py_ssize_t
        columns: cython.Py_ssize_t = 0
        total: cython.double = 0.0
        for i in range(size):
            columns += self.width[self.chosen[i]]
        if columns + self.width[v] > self.small.shape[0]:
            with cython.gil:
                self._grow_small(columns + self.width[v])
        columns = 0
        for i in range(size + 1):
            u = v if i == size else self.chosen[i]
            if i == skip:
                continue
            if i < size:
                total += self.penalty(u, v)
            for c in range(self.offset[u], self.offset[u + 1]):
                self.chosen_column[columns] = cython.cast(cython.int, c)
                columns += 1
        for i in range(columns):
            for j in range(i + 1):
                self.small[i, j] = self.covariance[self.chosen_column[i], self.chosen_column[j]]
        factorise(self.small, columns)
        for i in range(columns - self.width[v], columns):
            total += 2.0 * self.rows * log(self.small[i, i] if self.small[i, i] > 0.0 else SINGULAR)
        return total
