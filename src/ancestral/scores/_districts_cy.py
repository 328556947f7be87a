"""The likelihood of a district of an ancestral graph at its maximum (Drton, Eichler & Richardson 2009).

The model: x_v = B_v x_pa(v) + e_v, where e_v and e_w correlate only if v <-> w. The log-likelihood of the graph is a
sum over districts, the sets of nodes that bidirected edges connect: -2/rows times that of a district D is, up to a
constant,

    f(D) = log det O + tr(O^-1 T),    O = cov(e) of the model,  T = cov(e) in the data, both over D.

A district of one node is a regression: f = log det(residual covariance) + k, for a variable with k columns. Otherwise
residual iterative conditional fitting takes one node at a time: given the parameters of the others, x_v is regressed on
its parents and on Z = O'^-1 e', the scaled residuals of its spouses, where primes mean "without v". Such a step can
only lower f, so that f of any parameters bounds f(D) from above.

A variable is a block of columns: one if it is continuous, indicators of its levels if it is discrete.

Invariants: of the district at hand, K = O^-1, T and G = cov(e, x) belong to B and K; `logdet` is log det O. Local
columns 0 … n - 1 are those of the district, in the order of `node`, and n … q - 1 those of other parents. Row c of `b`
has the coefficients of column c at the places of the columns of its parents. `kept_b`, `kept_k` are the parameters of
the graph of a search, over all columns; `kept_with[v]` is the first node of the district with which those of v were
kept.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from math import log

    from ancestral._pulse_cy import Pulse
    from ancestral.scores._ancestral_cy import AncestralGraph

#: A column whose variance given others is below this share of its variance counts as determined by them.
SINGULAR = cython.declare(cython.double, 1e-10)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def factorise(a: cython.double[:, ::1], size: cython.Py_ssize_t) -> cython.double:
    """Cholesky factor of a positive definite matrix, in place, and half its log determinant.

    A column that others determine gets a pivot of 0, which `solve` takes for a coefficient of 0.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    h: cython.Py_ssize_t
    s: cython.double
    half: cython.double = 0.0
    for j in range(size):
        s = a[j, j]
        for h in range(j):
            s -= a[j, h] * a[j, h]
        if s <= SINGULAR * a[j, j]:
            half += 0.5 * log(SINGULAR * a[j, j] if a[j, j] > SINGULAR else SINGULAR)
            for i in range(j, size):
                a[i, j] = 0.0
            continue
        s = s**0.5
        half += log(s)
        a[j, j] = s
        for i in range(j + 1, size):
            s = a[i, j]
            for h in range(j):
                s -= a[i, h] * a[j, h]
            a[i, j] = s / a[j, j]
    return half


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def solve(
    a: cython.double[:, ::1], size: cython.Py_ssize_t, r: cython.double[:, ::1], width: cython.Py_ssize_t
) -> cython.void:
    """Solve for `width` right-hand sides, in place, with the factor of `factorise`."""
    i: cython.Py_ssize_t
    h: cython.Py_ssize_t
    c: cython.Py_ssize_t
    s: cython.double
    for c in range(width):
        for i in range(size):
            s = r[i, c]
            for h in range(i):
                s -= a[i, h] * r[h, c]
            r[i, c] = 0.0 if a[i, i] == 0.0 else s / a[i, i]
        i = size - 1
        while i >= 0:
            s = r[i, c]
            for h in range(i + 1, size):
                s -= a[h, i] * r[h, c]
            r[i, c] = 0.0 if a[i, i] == 0.0 else s / a[i, i]
            i -= 1


@cython.final
@cython.cclass
class Districts:
    """Fits districts of graphs over the variables of a covariance matrix; variable v has columns offset[v] … ."""

    def __init__(
        self, covariance: Any, offset: Any, tolerance: float = 1e-6, sweeps: int = 100, pulse: Any = None
    ) -> None:
        self.covariance = np.ascontiguousarray(covariance, dtype=np.float64)
        self.offset = np.ascontiguousarray(offset, dtype=np.intc)
        self.pulse = Pulse() if pulse is None else pulse
        self.tolerance = tolerance
        self.sweeps = sweeps
        columns, variables = len(self.covariance), len(self.offset) - 1
        self.kept_b = np.zeros((columns, columns))
        self.kept_k = np.zeros((columns, columns))
        self.kept_with = np.arange(variables, dtype=np.intc)
        self.place = np.zeros(columns, dtype=np.intc)
        self.place_stamp = np.zeros(columns, dtype=np.intc)
        self.stamp = 0
        self.column = np.zeros(columns, dtype=np.intc)
        self.node = np.zeros(variables, dtype=np.intc)
        self.start = np.zeros(variables + 1, dtype=np.intc)
        self.local = np.zeros(variables, dtype=np.intc)
        self.pa = np.zeros(columns, dtype=np.intc)
        self.sp = np.zeros(columns, dtype=np.intc)
        self.fits = 0
        self.updates = 0
        self.room = 0
        self.room_all = 0
        self._allocate(min(16, columns), min(32, columns))

    def _allocate(self, n: cython.Py_ssize_t, q: cython.Py_ssize_t) -> None:
        self.room, self.room_all = n, q
        self.s = np.zeros((q, q))
        self.b = np.zeros((n, q))
        self.g = np.zeros((n, q))
        self.t = np.zeros((n, n))
        self.k = np.zeros((n, n))
        self.m = np.zeros((n, n))
        self.w = np.zeros((n, n))
        self.a = np.zeros((q, q))
        self.r = np.zeros((q, 2 * n))
        self.c = np.zeros((n, n))
        self.inner = np.zeros((n, n))
        self.back = np.zeros((n, n))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def grow(self, n: cython.Py_ssize_t, q: cython.Py_ssize_t) -> cython.int:
        if n > self.room or q > self.room_all:
            with cython.gil:
                self._allocate(
                    min(max(2 * n, self.room), len(self.covariance)),
                    min(max(2 * q, self.room_all), len(self.covariance)),
                )
        return 0

    # -- one node -----------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def single(self, graph: AncestralGraph, v: cython.Py_ssize_t, keep: cython.bint) -> cython.double:
        """f of a node without spouses: a regression on its parents. `keep`: its parameters are those of the graph."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        h: cython.Py_ssize_t
        u: cython.Py_ssize_t
        size: cython.Py_ssize_t = 0
        width: cython.Py_ssize_t = self.offset[v + 1] - self.offset[v]
        f: cython.double
        for i in range(graph.parent_count[v]):
            u = graph.parents[v, i]
            size += self.offset[u + 1] - self.offset[u]
        self.grow(width, size + width)
        size = 0
        for i in range(graph.parent_count[v]):
            u = graph.parents[v, i]
            for j in range(self.offset[u], self.offset[u + 1]):
                self.column[size] = cython.cast(cython.int, j)
                size += 1
        for j in range(self.offset[v], self.offset[v + 1]):
            self.column[size] = cython.cast(cython.int, j)
            size += 1
        size -= width
        for i in range(size + width):
            for j in range(i + 1):
                self.a[i, j] = self.covariance[self.column[i], self.column[j]]
        f = 2.0 * factorise(self.a, size + width)
        for i in range(size):
            f -= 2.0 * log(self.a[i, i]) if self.a[i, i] > 0.0 else log(SINGULAR)
        if keep:
            # the last rows of the factor hold the regression: L_vp L_pp' = cov(v, p), and L_vv L_vv' is what is left
            for h in range(width):
                for i in range(size):
                    self.r[i, h] = self.a[size + h, i]
            for h in range(width):
                i = size - 1
                while i >= 0:
                    for j in range(i + 1, size):
                        self.r[i, h] -= self.a[j, i] * self.r[j, h]
                    self.r[i, h] = 0.0 if self.a[i, i] == 0.0 else self.r[i, h] / self.a[i, i]
                    i -= 1
                for i in range(size):
                    self.kept_b[self.column[size + h], self.column[i]] = self.r[i, h]
            for i in range(width):
                for j in range(width):
                    self.inner[i, j] = 0.0
                    for h in range(min(i, j) + 1):
                        self.inner[i, j] += self.a[size + i, size + h] * self.a[size + j, size + h]
            self.invert(width)
            for i in range(width):
                for j in range(width):
                    self.kept_k[self.column[size + i], self.column[size + j]] = self.back[i, j]
        return f + width

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def invert(self, width: cython.Py_ssize_t) -> cython.double:
        """The inverse of `inner`, in `back`, and half the log determinant of `inner`, which is overwritten."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        half: cython.double
        if width == 1:
            if self.inner[0, 0] < SINGULAR:
                self.inner[0, 0] = SINGULAR
            self.back[0, 0] = 1.0 / self.inner[0, 0]
            return 0.5 * log(self.inner[0, 0])
        for i in range(width):
            if self.inner[i, i] < SINGULAR:
                self.inner[i, i] = SINGULAR
            for j in range(width):
                self.back[i, j] = 1.0 if i == j else 0.0
        half = factorise(self.inner, width)
        solve(self.inner, width, self.back, width)
        return half

    # -- several nodes ------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def begin(self, graph: AncestralGraph, members: cython.int[::1], count: cython.Py_ssize_t) -> cython.int:
        """Take these nodes, in ascending order, as the district at hand; its covariances."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        n: cython.Py_ssize_t = 0
        q: cython.Py_ssize_t
        self.nodes = count
        self.stamp += 1
        for i in range(count):
            v = members[i]
            self.node[i] = cython.cast(cython.int, v)
            self.local[v] = cython.cast(cython.int, i)
            self.start[i] = cython.cast(cython.int, n)
            for j in range(self.offset[v], self.offset[v + 1]):
                self.place[j] = cython.cast(cython.int, n)
                self.place_stamp[j] = self.stamp
                self.column[n] = cython.cast(cython.int, j)
                n += 1
        self.start[count] = cython.cast(cython.int, n)
        q = n
        for i in range(count):
            v = self.node[i]
            for j in range(graph.parent_count[v]):
                u = graph.parents[v, j]
                if self.place_stamp[self.offset[u]] != self.stamp:
                    for u in range(self.offset[graph.parents[v, j]], self.offset[graph.parents[v, j] + 1]):
                        self.place[u] = cython.cast(cython.int, q)
                        self.place_stamp[u] = self.stamp
                        self.column[q] = cython.cast(cython.int, u)
                        q += 1
        self.grow(n, q)
        self.n = n
        self.q = q
        for i in range(q):
            u = self.column[i]
            for j in range(q):
                self.s[i, j] = self.covariance[u, self.column[j]]
        for i in range(n):
            for j in range(q):
                self.b[i, j] = 0.0
            for j in range(n):
                self.k[i, j] = 0.0
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def parent_columns(self, graph: AncestralGraph, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """List the local columns of the parents of a node in `pa`; their number."""
        j: cython.Py_ssize_t
        h: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t = self.node[i]
        size: cython.Py_ssize_t = 0
        for j in range(graph.parent_count[v]):
            u = graph.parents[v, j]
            for h in range(self.offset[u], self.offset[u + 1]):
                self.pa[size] = self.place[h]
                size += 1
        return size

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def begin_anew(self, graph: AncestralGraph) -> cython.int:
        """Begin with the regressions of nodes on their parents, and no correlation between residuals."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        h: cython.Py_ssize_t
        c: cython.Py_ssize_t
        size: cython.Py_ssize_t
        width: cython.Py_ssize_t
        first: cython.Py_ssize_t
        self.logdet = 0.0
        for i in range(self.nodes):
            first = self.start[i]
            width = self.start[i + 1] - first
            size = self.parent_columns(graph, i)
            for j in range(size):
                for h in range(j + 1):
                    self.a[j, h] = self.s[self.pa[j], self.pa[h]]
                for c in range(width):
                    self.r[j, c] = self.s[self.pa[j], first + c]
            factorise(self.a, size)
            solve(self.a, size, self.r, width)
            for c in range(width):
                for j in range(size):
                    self.b[first + c, self.pa[j]] = self.r[j, c]
                for h in range(width):
                    self.inner[c, h] = self.s[first + c, first + h]
                    for j in range(size):
                        self.inner[c, h] -= self.r[j, c] * self.s[self.pa[j], first + h]
            self.logdet += 2.0 * self.invert(width)
            for c in range(width):
                for h in range(width):
                    self.k[first + c, first + h] = self.back[c, h]
        return self.finish_begin(graph)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def begin_kept(self, graph: AncestralGraph, logdet: cython.double) -> cython.int:
        """Begin with the parameters that are kept, and with `logdet`, the log determinant that belongs to them."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        h: cython.Py_ssize_t
        c: cython.Py_ssize_t
        u: cython.Py_ssize_t
        size: cython.Py_ssize_t
        for i in range(self.nodes):
            size = self.parent_columns(graph, i)
            for c in range(self.start[i], self.start[i + 1]):
                u = self.column[c]
                for j in range(size):
                    self.b[c, self.pa[j]] = self.kept_b[u, self.column[self.pa[j]]]
                for j in range(self.nodes):
                    if self.kept_with[self.node[j]] == self.kept_with[self.node[i]]:
                        for h in range(self.start[j], self.start[j + 1]):
                            self.k[c, h] = self.kept_k[u, self.column[h]]
        self.logdet = logdet
        return self.finish_begin(graph)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def finish_begin(self, graph: AncestralGraph) -> cython.int:
        """G and T of the parameters."""
        i: cython.Py_ssize_t
        for i in range(self.nodes):
            self.cross_row(graph, i)
        for i in range(self.nodes):
            self.residual_row(graph, i)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def cross_row(self, graph: AncestralGraph, i: cython.Py_ssize_t) -> cython.int:
        """The rows of G of a node: covariances of its residuals with all columns."""
        j: cython.Py_ssize_t
        h: cython.Py_ssize_t
        c: cython.Py_ssize_t
        size: cython.Py_ssize_t = self.parent_columns(graph, i)
        coefficient: cython.double
        for c in range(self.start[i], self.start[i + 1]):
            for j in range(self.q):
                self.g[c, j] = self.s[c, j]
            for h in range(size):
                coefficient = self.b[c, self.pa[h]]
                if coefficient != 0.0:
                    for j in range(self.q):
                        self.g[c, j] -= coefficient * self.s[self.pa[h], j]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def residual_row(self, graph: AncestralGraph, i: cython.Py_ssize_t) -> cython.int:
        """The rows and columns of T of a node, from those of G."""
        j: cython.Py_ssize_t
        h: cython.Py_ssize_t
        c: cython.Py_ssize_t
        e: cython.Py_ssize_t
        size: cython.Py_ssize_t
        total: cython.double
        for j in range(self.nodes):
            size = self.parent_columns(graph, j)
            for e in range(self.start[j], self.start[j + 1]):
                for c in range(self.start[i], self.start[i + 1]):
                    total = self.g[c, e]
                    for h in range(size):
                        total -= self.b[e, self.pa[h]] * self.g[c, self.pa[h]]
                    self.t[c, e] = total
                    self.t[e, c] = total
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def update(self, graph: AncestralGraph, i: cython.Py_ssize_t) -> cython.int:
        """Fit the equation of one node, given the parameters of the others."""
        c: cython.Py_ssize_t
        d: cython.Py_ssize_t
        e: cython.Py_ssize_t
        h: cython.Py_ssize_t
        j: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t = self.node[i]
        n: cython.Py_ssize_t = self.n
        first: cython.Py_ssize_t = self.start[i]
        width: cython.Py_ssize_t = self.start[i + 1] - first
        size: cython.Py_ssize_t
        others: cython.Py_ssize_t = 0
        total: cython.double
        self.updates += 1
        for j in range(graph.spouse_count[v]):
            u = graph.spouses[v, j]
            h = self.local[u]
            for c in range(self.start[h], self.start[h + 1]):
                self.sp[others] = cython.cast(cython.int, c)
                others += 1
        # m: rows of O'^-1 for the spouses, where `back` is the inverse of the block of K of this node
        for c in range(width):
            for d in range(width):
                self.inner[c, d] = self.k[first + c, first + d]
        self.logdet += 2.0 * self.invert(width)
        for c in range(width):
            for j in range(n):
                total = 0.0
                for d in range(width):
                    total += self.back[c, d] * self.k[first + d, j]
                self.c[c, j] = total  # back times the rows of K of this node
        for e in range(others):
            u = self.sp[e]
            for j in range(n):
                total = self.k[u, j]
                for d in range(width):
                    total -= self.k[u, first + d] * self.c[d, j]
                self.m[e, j] = total
            for d in range(width):
                self.m[e, first + d] = 0.0
        # w: the covariances of Z with all residuals
        for e in range(others):
            for j in range(n):
                self.w[e, j] = 0.0
            for h in range(n):
                total = self.m[e, h]
                if total != 0.0:
                    for j in range(n):
                        self.w[e, j] += total * self.t[h, j]
        size = self.parent_columns(graph, i)
        for j in range(size):
            for h in range(j + 1):
                self.a[j, h] = self.s[self.pa[j], self.pa[h]]
            for c in range(width):
                self.r[j, c] = self.s[self.pa[j], first + c]
        for e in range(others):
            for j in range(size):
                self.a[size + e, j] = 0.0
            for c in range(width):
                self.r[size + e, c] = 0.0
            for h in range(n):
                total = self.m[e, h]
                if total != 0.0:
                    for j in range(size):
                        self.a[size + e, j] += total * self.g[h, self.pa[j]]
                    for c in range(width):
                        self.r[size + e, c] += total * self.g[h, first + c]
            for d in range(e + 1):
                total = 0.0
                for h in range(n):
                    total += self.w[e, h] * self.m[d, h]
                self.a[size + e, size + d] = total
        # what is left of the variance is that of x minus explained; r is kept for it, in the rows after the solution
        for j in range(size + others):
            for c in range(width):
                self.r[j, width + c] = self.r[j, c]
        factorise(self.a, size + others)
        solve(self.a, size + others, self.r, width)
        for c in range(width):
            for d in range(width):
                total = self.s[first + c, first + d]
                for j in range(size + others):
                    total -= self.r[j, c] * self.r[j, width + d]
                self.inner[c, d] = total
        for c in range(width):
            for d in range(c):
                total = 0.5 * (self.inner[c, d] + self.inner[d, c])
                self.inner[c, d] = total
                self.inner[d, c] = total
        # K without the node: K - K_i back K_i'
        for j in range(n):
            for d in range(width):
                total = self.k[j, first + d]
                if total != 0.0 and (j < first or j >= first + width):
                    for h in range(n):
                        self.k[j, h] -= total * self.c[d, h]
        self.logdet += 2.0 * self.invert(width)
        # c: rows O'^-1 O'_i, over the other columns; then K with the node
        for c in range(width):
            for j in range(n):
                total = 0.0
                for e in range(others):
                    total += self.r[size + e, c] * self.m[e, j]
                self.c[c, j] = total
            for j in range(width):
                self.c[c, first + j] = -1.0 if j == c else 0.0
        for c in range(width):
            for j in range(n):
                self.k[first + c, j] = 0.0
                self.k[j, first + c] = 0.0
        for c in range(width):
            for d in range(width):
                for j in range(n):
                    total = self.c[c, j] * self.back[c, d]
                    if total != 0.0:
                        for h in range(n):
                            self.k[j, h] += total * self.c[d, h]
        for c in range(width):
            for j in range(size):
                self.b[first + c, self.pa[j]] = self.r[j, c]
        self.cross_row(graph, i)
        return self.residual_row(graph, i)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def value(self) -> cython.double:
        """f of the parameters at hand."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        total: cython.double = self.logdet
        for i in range(self.n):
            for j in range(self.n):
                total += self.k[i, j] * self.t[i, j]
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def converge(self, graph: AncestralGraph) -> cython.double:
        """Sweep over the nodes until f no longer falls."""
        i: cython.Py_ssize_t
        left: cython.int = self.sweeps
        f: cython.double = self.value()
        before: cython.double
        self.fits += 1
        while left > 0:
            left -= 1
            self.pulse.beat()
            for i in range(self.nodes):
                self.update(graph, i)
            before = f
            f = self.value()
            if before - f < self.tolerance:
                break
        return f

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def log_determinant_of_k(self) -> cython.double:
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        for i in range(self.n):
            for j in range(i + 1):
                self.w[i, j] = self.k[i, j]
        return 2.0 * factorise(self.w, self.n)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def keep(self) -> cython.int:
        """Keep the parameters at hand as those of the graph."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        u: cython.Py_ssize_t
        for i in range(self.n):
            u = self.column[i]
            for j in range(self.q):
                self.kept_b[u, self.column[j]] = self.b[i, j]
            for j in range(self.n):
                self.kept_k[u, self.column[j]] = self.k[i, j]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def fit(self, graph: AncestralGraph, members: cython.int[::1], count: cython.Py_ssize_t) -> cython.double:
        """f of a district, whose nodes ascend."""
        if count == 1:
            return self.single(graph, members[0], False)
        self.begin(graph, members, count)
        self.begin_anew(graph)
        return self.converge(graph)

    def value_of(self, graph: AncestralGraph, members: Any) -> float:
        """f of a district, for Python; of several districts together, their sum."""
        nodes = np.ascontiguousarray(np.sort(members), dtype=np.intc)
        if len(nodes) == 1 and graph.spouse_count[int(nodes[0])] == 0:
            return self.single(graph, nodes[0], False)
        self.begin(graph, nodes, len(nodes))
        self.begin_anew(graph)
        return self.converge(graph)
