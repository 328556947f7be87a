"""The question every search asks: are x and y independent given these nodes?

The idea: a test is an extension type with one method in C, so the compiled search asks it without Python in between and
without the GIL. Variables are positions 0 … n−1, in the order of names for which the questions were made.

A question that the data cannot support (too few rows, a singular conditioning set) is answered "dependent", never
"independent", and counted by the size of its set in `unsupported`. Nodes that are strongly associated with both of a
pair are more likely to separate it; a search may ask with them first (`preference`).

What an answer was decided on is left in `statistic` and `df`; NaN where the data could not support the question. Of the
questions about a pair that all said "dependent", the one with the largest p-value tells how near the edge came to being
removed: `begin_pair`, then `closer` after each.

A search that grows its sets asks along a stack: `push` a node, ask about all sets that one more node completes
(`first_separating`), `pop`. By default each is a question of its own; a test that can share work between such sets
overrides these methods, and one that can answer many questions at a time also sets `batch_size`.
"""

from typing import Any

import cython
import numpy as np

from ancestral.errors import OptionError

if not cython.compiled:
    from math import erfc, exp, floor, isnan, lgamma, log, sqrt

NAN = cython.declare(cython.double, float("nan"))


@cython.cclass
class Questions:
    """Questions about n variables; a subclass answers them.

    `strength[x, y]` is how strongly two variables are associated, 0 where that is not known. `batch_size` is how many
    questions may be asked in one call: 1, unless the test answers very quickly. `in_tiles`: all pairs of some variables
    are asked given nothing by `dependent_rows`.
    """

    def begin(self, n: int, strength: Any) -> None:
        """Initialise the fields that all questions have; `strength` None: no preferences."""
        self.n = n
        self.has_preference = strength is not None
        self.strength = np.zeros((1, 1)) if strength is None else strength
        self.unsupported = np.zeros(n + 1, dtype=np.int64)
        self.unsupported_counts = self.unsupported
        self.statistic = 0.0
        self.df = 0
        self.batch_size = 1
        self.in_tiles = False
        self.stack = np.zeros(n + 1, dtype=np.intc)
        self.height = 0
        self.turns = 0
        self.closest_statistic = NAN
        self.closest_df = 0

    def share(self, other: Any) -> None:
        """Use the same array of strengths as other questions about the same variables."""
        self.strength = other.known_strength()

    def known_strength(self) -> Any:
        """The array of strengths itself, which later answers still fill."""
        return np.asarray(self.strength)

    def ask(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: Any) -> bool:
        """The same question from Python; `OptionError` unless all are numbers of different variables."""
        members: cython.int[::1] = np.array(given, dtype=np.intc)
        size: cython.Py_ssize_t = members.shape[0]
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        sound: cython.bint = 0 <= x < self.n and 0 <= y < self.n and x != y
        for i in range(size):
            if not 0 <= members[i] < self.n or members[i] == x or members[i] == y:
                sound = False
            for k in range(i):
                if members[k] == members[i]:
                    sound = False
        if not sound:
            raise OptionError(
                f"a question must be about different variables, by numbers from 0 to {self.n - 1}, got {x} and {y} "
                f"given {np.asarray(members).tolist()}"
            )
        return bool(self.independent(x, y, members, size))

    def pairs(self) -> Any:
        """Every pair of variables, in the order of `marginals`."""
        return np.column_stack(np.triu_indices(self.n, 1)).astype(np.intc)

    def marginals(self) -> Any:
        """A row `statistic, df` for each pair given nothing; not counted among the questions."""
        return self.marginals_of(self.pairs())

    def knows_marginals(self) -> bool:
        """Whether `marginals_of` looks its answers up, rather than asking again."""
        return False

    def marginals_of(self, pairs: Any) -> Any:
        """A row `statistic, df` for each of these pairs, rows `x, y`, given nothing; not counted as questions."""
        counted = self.unsupported.copy()
        empty: cython.int[::1] = np.zeros(1, dtype=np.intc)
        ends: cython.int[:, ::1] = np.ascontiguousarray(pairs, dtype=np.intc)
        out = np.zeros((len(ends), 2))
        rows: cython.double[:, ::1] = out
        e: cython.Py_ssize_t
        with cython.nogil:
            for e in range(ends.shape[0]):
                self.independent(ends[e, 0], ends[e, 1], empty, 0)
                rows[e, 0] = self.statistic
                rows[e, 1] = cython.cast(cython.double, self.df)
        self.unsupported[:] = counted
        return out

    def dependent_rows(self, first: int, stop: int, joined: Any) -> None:
        """Whether each x from `first` up to `stop` depends on each y > x, given nothing: joined[x, y] is 1 or 0.

        Only where `in_tiles`.
        """
        raise NotImplementedError("these questions are not asked in tiles")

    def relearn(self, marginals: Any) -> None:
        """Restore what was learned from asking every pair given nothing; `marginals` are the answers."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def independent(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        """1 if x and y are independent given the first `size` of `given`, 0 if they are dependent."""
        with cython.gil:
            raise NotImplementedError("a subclass of Questions must implement independent()")

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def preference(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.double:
        """How early v should be tried to separate x and y: greater is earlier."""
        return min(self.strength[x, v], self.strength[y, v])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def cannot_tell(self, size: cython.Py_ssize_t) -> cython.int:
        """Count a question that the data cannot support; the edge stays."""
        self.unsupported_counts[size] += 1
        self.statistic = NAN
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin_pair(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.void:
        """The questions to come are about this pair; the stack is empty."""
        self.x = x
        self.y = y
        self.height = 0
        self.closest_statistic = NAN
        self.closest_df = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def push(self, z: cython.Py_ssize_t) -> cython.int:
        """Add z to every set to come, until it is popped."""
        self.stack[self.height] = cython.cast(cython.int, z)
        self.height += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pop(self) -> cython.void:
        """Remove the node that was pushed last."""
        self.height -= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def first_separating(self, nodes: cython.int[::1], count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Ask in turn about the stack with each of these nodes; the place of the first that separates, else `count`.

        `statistic` and `df` are then those of the question that separated; `closest_at` is the place of the node whose
        question came closest so far, -1 if an earlier call's did.
        """
        i: cython.Py_ssize_t
        self.closest_at = -1
        for i in range(count):
            self.stack[self.height] = nodes[i]
            if self.independent(self.x, self.y, self.stack, self.height + 1):
                return i
            if self.closer():
                self.closest_at = i
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def first_preferred(self, nodes: cython.int[::1], count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The same for nodes in any order, asked in the order of preference; `turns` tells how many were asked.

        Only for tests that answer many at a time: `batch_size` > 1.
        """
        with cython.gil:
            raise NotImplementedError("these questions are asked one at a time")

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def dependent_row(self, x: cython.Py_ssize_t, row: cython.uchar[::1]) -> cython.int:
        """Whether x depends on each y > x, given nothing: row[y] is 1 or 0. Only where `batch_size` > 1."""
        with cython.gil:
            raise NotImplementedError("these questions are asked one at a time")

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def closer(self) -> cython.bint:
        """Whether the last question has the largest p-value about its pair so far; here `statistic` is a p-value."""
        if not (self.statistic > self.closest_statistic or (isnan(self.closest_statistic) and self.statistic >= 0)):
            return False
        self.closest_statistic = self.statistic
        return True


@cython.cclass
class ChiSquared(Questions):
    """Questions whose `statistic` is chi-squared with `df` degrees of freedom."""

    def relearn(self, marginals: Any) -> None:
        """Ask every pair again, one row of pairs after another: the strengths come with the answers."""
        x: cython.Py_ssize_t
        for x in range(self.n - 1):
            self.marginals_of(np.column_stack([np.full(self.n - 1 - x, x), np.arange(x + 1, self.n)]))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def closer(self) -> cython.bint:
        """The smaller of two statistics has the larger p-value where the degrees of freedom are the same."""
        if isnan(self.statistic):
            return False
        if not isnan(self.closest_statistic):
            if self.df == self.closest_df:
                if self.statistic >= self.closest_statistic:
                    return False
            elif log_tail(self.statistic, self.df) <= log_tail(self.closest_statistic, self.closest_df):
                return False
        self.closest_statistic = self.statistic
        self.closest_df = self.df
        return True


def chi2_log_tail(statistic: float, df: int) -> float:
    """The logarithm of the probability that a chi-squared variable exceeds the statistic."""
    return float(log_tail(statistic, df))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def log_tail(statistic: cython.double, df: cython.longlong) -> cython.double:
    """With u half the statistic, the tail is e^-u times the sum of u^k / Gamma(k + 1) over k = df/2 − 1, df/2 − 2, …

    down to 0 or 1/2; for odd df also e^u erfc(sqrt(u)). Summed from the largest term on, so that nothing overflows.
    """
    u: cython.double = 0.5 * statistic
    least: cython.double = 0.5 * (df % 2)
    most: cython.double = 0.5 * df - 1.0
    largest: cython.double
    k: cython.double
    term: cython.double = 1.0
    total: cython.double = 1.0
    logarithm: cython.double
    scaled_erfc: cython.double = 0.0
    if u <= 0.0:
        return 0.0
    if df % 2:
        if u < 25.0:
            scaled_erfc = exp(u) * erfc(sqrt(u))
        else:
            scaled_erfc = (1.0 - 0.5 / u + 0.75 / (u * u) - 1.875 / (u * u * u)) / sqrt(3.141592653589793 * u)
    if most < least:  # df = 1
        return log(scaled_erfc) - u
    largest = min(most, floor(u - least) + least) if u > least else least
    k = largest
    while k < most and term > 1e-17:
        k += 1.0
        term = term * u / k
        total += term
    k = largest
    term = 1.0
    while k > least and term > 1e-17:
        term = term * k / u
        total += term
        k -= 1.0
    logarithm = log(total) + largest * log(u) - lgamma(largest + 1.0)
    if scaled_erfc > 0.0:
        logarithm = logarithm + log(1.0 + scaled_erfc * exp(-logarithm))
    return logarithm - u
