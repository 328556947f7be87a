"""Partial correlations and Fisher's z, decided without a logarithm.

The idea: x and y are eliminated on the conditioning set by an LDL' factorisation that carries both right-hand sides
along; what is left is the partial correlation. Fisher's z accepts independence if |atanh(rho)| sqrt(rows - k - 3) is
at most the normal quantile, which is rho² ≤ threshold[k] with threshold[k] = tanh²(quantile / sqrt(rows - k - 3)),
tabulated once.

Sets that grow along a stack share their factors: what is left of a node after the first j of the stack is kept in
`left[v, j]`, with the stamp of the push that it belongs to. A stamp is never used again, and a later push has seen the
same stack below it, so an entry with the current stamp is valid, and so are all before it. A last node then costs one
step of elimination, not all. The operations and their order are those of a single question, so the answers are
the same to the last bit.

Where there are very many variables there is no matrix: `r` then has the correlation of two columns from `products`.

Invariants: `correlation`, if `in_matrix`, is symmetric with a unit diagonal; `threshold[k]` is negative where there are
too few rows for k conditions. Row 0 of `scratch` is working space, rows 1–3 hold 1/d, x and y per step, row 4 + j the
factors of step j; `scratch` is for single questions, `steps` the same for the stack.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from math import fabs, isnan

    from ancestral.independence._column_products_cy import ColumnProducts
    from ancestral.independence._questions_cy import Questions


#: If the others leave less than this share of the variance of a node, the set counts as singular.
SINGULAR = cython.declare(cython.double, 1e-10)

#: Questions that may be asked in one call; they take a few microseconds, so that time limits are still kept.
BATCH_SIZE = cython.declare(cython.Py_ssize_t, 64)

#: Steps of elimination for which there is room at first; most searches need no more.
FEW_STEPS = cython.declare(cython.Py_ssize_t, 8)

NAN = cython.declare(cython.double, float("nan"))


@cython.final
@cython.cclass
class PartialCorrelations(Questions):
    """Asks a correlation matrix, or columns whose correlations are computed when they are needed."""

    def __init__(self, correlation: Any, threshold: Any, products: ColumnProducts | None = None) -> None:
        self.in_matrix = products is None
        self.products = products
        self.correlation = np.ascontiguousarray(
            np.zeros((0, 0)) if correlation is None else correlation, dtype=np.float64
        )
        n = len(correlation) if products is None else products.n
        self.begin(n, None)
        self.in_tiles = not self.in_matrix
        self.with_x = np.zeros(0 if self.in_matrix else n)
        self.with_y = np.zeros(0 if self.in_matrix else n)
        self.has_preference = True
        self.batch_size = BATCH_SIZE
        self.threshold = np.array(threshold, dtype=np.float64)
        widest = max(len(threshold), 1)
        self.scratch = np.zeros((4 + widest, widest))
        self.steps = np.zeros((4 + widest, widest))
        self.pair_left = np.zeros((widest + 1, 3))
        self.left = np.zeros((n, FEW_STEPS, 4))  # the steps of a node stand close together; there is more room when
        self.stamps = np.zeros((n, FEW_STEPS), dtype=np.int64)  # sets are larger
        self.stamp_of = np.zeros(widest, dtype=np.int64)
        self.clock = 0
        self.squares = np.zeros(n)
        self.priority = np.zeros(n)

    def knows_marginals(self) -> bool:
        """True: they are the matrix itself, or products of two columns."""
        return True

    def marginals_of(self, pairs: Any) -> Any:
        """A row `squared correlation, 0` for each of these pairs; NaN where there are too few rows."""
        out = np.zeros((len(pairs), 2))
        if self.threshold[0] < 0:
            out[:, 0] = np.nan
        elif self.products is not None:
            out[:, 0] = self.products.of_pairs(pairs) ** 2
        else:
            x, y = pairs.T
            out[:, 0] = np.asarray(self.correlation)[x, y] ** 2
        return out

    @cython.cfunc
    @cython.nogil
    @cython.inline
    @cython.exceptval(check=False)
    def r(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.double:
        """The correlation of x and y."""
        return self.correlation[x, y] if self.in_matrix else self.products.at(x, y)  # type: ignore[union-attr]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-2)
    def rho2(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.double:
        """The squared partial correlation; -1 where the conditioning set is singular."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        q: cython.Py_ssize_t
        z: cython.Py_ssize_t
        s: cython.double
        f: cython.double
        d: cython.double
        to_x: cython.double
        to_y: cython.double
        xx: cython.double = 1.0
        yy: cython.double = 1.0
        xy: cython.double = self.r(x, y)
        for j in range(size):
            z = given[j]
            to_x = self.r(z, x)
            to_y = self.r(z, y)
            d = 1.0
            for i in range(j):
                s = self.r(z, given[i])
                for q in range(i):
                    s = s - self.scratch[0, q] * self.scratch[4 + i, q]
                self.scratch[0, i] = s
                f = s * self.scratch[1, i]
                self.scratch[4 + j, i] = f
                d = d - s * f
                to_x = to_x - f * self.scratch[2, i]
                to_y = to_y - f * self.scratch[3, i]
            if d < SINGULAR:
                return -1.0
            self.scratch[1, j] = 1.0 / d
            self.scratch[2, j] = to_x
            self.scratch[3, j] = to_y
            xx = xx - to_x * to_x / d
            yy = yy - to_y * to_y / d
            xy = xy - to_x * to_y / d
        if xx < SINGULAR or yy < SINGULAR:
            return -1.0
        return xy * xy / (xx * yy)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def independent(
        self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, given: cython.int[::1], size: cython.Py_ssize_t
    ) -> cython.int:
        squared: cython.double
        if size >= self.threshold.shape[0] or self.threshold[size] < 0:
            return self.cannot_tell(size)
        squared = self.rho2(x, y, given, size)
        if squared < 0:
            return self.cannot_tell(size)
        self.statistic = squared
        return squared <= self.threshold[size]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def preference(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.double:
        return min(fabs(self.r(x, v)), fabs(self.r(y, v)))

    # -- along a stack ------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin_pair(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.void:
        self.x = x
        self.y = y
        self.height = 0
        self.singular_from = -1
        self.closest_statistic = NAN
        self.pair_left[0, 0] = self.pair_left[0, 1] = 1.0
        self.pair_left[0, 2] = self.r(x, y)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def push(self, z: cython.Py_ssize_t) -> cython.int:
        """One more step of elimination, numbered j, unless the set is singular or too large to be asked about.

        Writes `stack[j]`, `height`, column j of `steps`, `stamp_of[j]` and `clock`; pair_left[j + 1], which is what the
        first j + 1 steps leave of xx, yy and xy; left[z, …] and stamps[z, …] by `eliminate`; or `singular_from`.
        """
        j: cython.Py_ssize_t = self.height
        q: cython.Py_ssize_t
        d: cython.double = 1.0
        to_x: cython.double = self.r(z, self.x)
        to_y: cython.double = self.r(z, self.y)
        self.stack[j] = cython.cast(cython.int, z)
        self.height = j + 1
        if j >= self.stamp_of.shape[0] or self.singular_from >= 0:
            return 0  # no set from here on can be asked about
        if j + 1 > self.left.shape[1]:
            with cython.gil:
                self.make_room(2 * (j + 1))
        if j:
            self.eliminate(z, j)
            to_x = self.left[z, j - 1, 1]
            to_y = self.left[z, j - 1, 2]
            d = self.left[z, j - 1, 3]
        if d < SINGULAR:
            self.singular_from = j
            return 0
        for q in range(j):
            self.steps[4 + j, q] = self.left[z, q, 0] * self.steps[1, q]
        self.steps[1, j] = 1.0 / d
        self.steps[2, j] = to_x
        self.steps[3, j] = to_y
        self.pair_left[j + 1, 0] = self.pair_left[j, 0] - to_x * to_x / d
        self.pair_left[j + 1, 1] = self.pair_left[j, 1] - to_y * to_y / d
        self.pair_left[j + 1, 2] = self.pair_left[j, 2] - to_x * to_y / d
        self.clock += 1
        self.stamp_of[j] = self.clock
        return 0

    def make_room(self, steps: int) -> None:
        """Make room for what this number of steps leaves of each node; what is known stays."""
        known = self.left.shape[1]
        left, stamps = np.zeros((self.n, steps, 4)), np.zeros((self.n, steps), dtype=np.int64)
        left[:, :known], stamps[:, :known] = self.left, self.stamps
        self.left, self.stamps = left, stamps

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pop(self) -> cython.void:
        self.height -= 1
        if self.singular_from == self.height:
            self.singular_from = -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def eliminate(self, v: cython.Py_ssize_t, top: cython.Py_ssize_t) -> cython.int:
        """Make left[v, j] valid for each step j below the top.

        It holds the covariance of v with that step's node as the earlier steps left it, and what the steps up to and
        with this one leave of the covariances of v with x and with y, and of its variance.
        """
        j: cython.Py_ssize_t = top
        q: cython.Py_ssize_t
        s: cython.double
        f: cython.double
        while j > 0 and self.stamps[v, j - 1] != self.stamp_of[j - 1]:
            j -= 1
        while j < top:
            s = self.r(self.stack[j], v)
            for q in range(j):
                s = s - self.left[v, q, 0] * self.steps[4 + j, q]
            f = s * self.steps[1, j]
            self.left[v, j, 0] = s
            if j:
                self.left[v, j, 1] = self.left[v, j - 1, 1] - f * self.steps[2, j]
                self.left[v, j, 2] = self.left[v, j - 1, 2] - f * self.steps[3, j]
                self.left[v, j, 3] = self.left[v, j - 1, 3] - s * f
            else:
                self.left[v, 0, 1] = self.r(v, self.x) - f * self.steps[2, 0]
                self.left[v, 0, 2] = self.r(v, self.y) - f * self.steps[3, 0]
                self.left[v, 0, 3] = 1.0 - s * f
            self.stamps[v, j] = self.stamp_of[j]
            j += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def first_separating(self, nodes: cython.int[::1], count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        k: cython.Py_ssize_t = self.height
        to_x: cython.double
        to_y: cython.double
        d: cython.double
        xx: cython.double
        yy: cython.double
        xy: cython.double
        squared: cython.double
        accept: cython.double
        self.closest_at = -1
        if k + 1 >= self.threshold.shape[0] or self.threshold[k + 1] < 0 or self.singular_from >= 0:
            self.unsupported_counts[k + 1] += count
            return count
        accept = self.threshold[k + 1]
        for i in range(count):
            v = nodes[i]
            if k:
                self.eliminate(v, k)
                to_x = self.left[v, k - 1, 1]
                to_y = self.left[v, k - 1, 2]
                d = self.left[v, k - 1, 3]
            else:
                to_x = self.r(v, self.x)
                to_y = self.r(v, self.y)
                d = 1.0
            if d < SINGULAR:
                self.cannot_tell(k + 1)
                continue
            xx = self.pair_left[k, 0] - to_x * to_x / d
            yy = self.pair_left[k, 1] - to_y * to_y / d
            if xx < SINGULAR or yy < SINGULAR:
                self.cannot_tell(k + 1)
                continue
            xy = self.pair_left[k, 2] - to_x * to_y / d
            squared = xy * xy / (xx * yy)
            if squared <= accept:
                self.statistic = squared
                return i
            if not squared >= self.closest_statistic:  # smaller, or the first
                self.closest_statistic = squared
                self.closest_at = i
        return count

    # -- many at a time -----------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def first_preferred(self, nodes: cython.int[::1], count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """One pass over two rows of the matrix answers for every node; the first in order is then picked, not sorted.

        The nodes are increasing, so of two that are equally preferred the one that stands first comes first.
        """
        best: cython.Py_ssize_t = count
        i: cython.Py_ssize_t
        accept: cython.double
        self.closest_at = -1
        self.turns = count
        if self.threshold.shape[0] < 2 or self.threshold[1] < 0:
            self.unsupported_counts[1] += count
            return count
        accept = self.threshold[1]
        if self.in_matrix:
            self.given_one(self.correlation[self.x], self.correlation[self.y], nodes, count)
        else:
            self.with_x[self.y] = self.r(self.x, self.y)
            for i in range(count):
                self.with_x[nodes[i]] = self.r(self.x, nodes[i])
                self.with_y[nodes[i]] = self.r(self.y, nodes[i])
            self.given_one(self.with_x, self.with_y, nodes, count)
        for i in range(count):
            if self.squares[i] <= accept and (best == count or self.priority[i] > self.priority[best]):
                best = i
        if best < count:
            self.statistic = self.squares[best]
            self.turns = 0
        for i in range(count):
            if best < count:
                if self.priority[i] < self.priority[best] or (self.priority[i] == self.priority[best] and i > best):
                    continue  # its turn does not come
                self.turns += 1
            if isnan(self.squares[i]):
                self.unsupported_counts[1] += 1
            elif best == count and self.is_closer(i):
                self.closest_statistic = self.squares[i]
                self.closest_at = i
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_closer(self, i: cython.Py_ssize_t) -> cython.bint:
        """Whether node i came closer than the closest so far; of those that came equally close, the first in order."""
        if self.squares[i] != self.closest_statistic:
            return not self.squares[i] > self.closest_statistic
        return self.closest_at >= 0 and self.priority[i] > self.priority[self.closest_at]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def given_one(
        self,
        with_x: cython.const[cython.double][::1],  # type: ignore[valid-type]
        with_y: cython.const[cython.double][::1],  # type: ignore[valid-type]
        nodes: cython.int[::1],
        count: cython.Py_ssize_t,
    ) -> cython.int:
        """Squared partial correlations given each single node, NaN where singular, and how much each is preferred."""
        i: cython.Py_ssize_t
        a: cython.double
        b: cython.double
        xx: cython.double
        yy: cython.double
        rest: cython.double
        xy: cython.double = with_x[self.y]
        squares: cython.double[::1] = self.squares
        priority: cython.double[::1] = self.priority
        singular: cython.double = SINGULAR
        nan: cython.double = NAN
        for i in range(count):
            a = with_x[nodes[i]]
            b = with_y[nodes[i]]
            xx = 1.0 - a * a
            yy = 1.0 - b * b
            rest = xy - a * b
            squares[i] = rest * rest / (xx * yy) if xx >= singular and yy >= singular else nan
            priority[i] = min(fabs(a), fabs(b))
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def dependent_row(self, x: cython.Py_ssize_t, row: cython.uchar[::1]) -> cython.int:
        y: cython.Py_ssize_t
        with_x: cython.const[cython.double][::1] = self.correlation[x]  # type: ignore[valid-type]
        accept: cython.double = self.threshold[0]
        if accept < 0:
            self.unsupported_counts[0] += self.n - x - 1
        for y in range(x + 1, row.shape[0]):
            row[y] = with_x[y] * with_x[y] > accept
        return 0

    def dependent_rows(self, first: int, stop: int, joined: Any) -> None:
        """Whether each x from `first` up to `stop` depends on each y > x, given nothing: joined[x, y] is 1 or 0."""
        assert self.products is not None
        if self.threshold[0] >= 0:
            self.products.dependent_rows(first, stop, float(self.threshold[0]), joined)
            return
        for x in range(first, stop):
            self.unsupported[0] += self.n - x - 1
            joined[x, x + 1 :] = 1
