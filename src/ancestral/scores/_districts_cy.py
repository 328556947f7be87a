"""The likelihood of a district of an ancestral graph at its maximum (Drton, Eichler & Richardson 2009).

The model: x_v = B_v x_pa(v) + e_v, where e_v and e_w correlate only if v <-> w. The log-likelihood of the graph is a
sum over districts, the sets of nodes that bidirected edges connect: -2/rows times that of a district D is, up to a
constant,

    f(D) = log det O + tr(O^-1 T),    O = cov(e) of the model,  T = cov(e) in the data, both over D.

A district of one node is a regression: f = log det(residual covariance) + k, for a variable with k columns. Otherwise
residual iterative conditional fitting takes one node at a time: given the parameters of the others, x_v is regressed on
its parents and on the scaled residuals of its spouses. Such a step can only lower f, so that f of any parameters bounds
f(D) from above.

The idea: with K = O^-1, all that a step needs are covariances of the scaled residuals z = K e: H = cov(z, x) and
V = cov(z, z). Without node i, z is z - K_i K_ii^-1 z_i. If r is what the regression leaves of x_i, with variance s,
and u' e = r, then K gains u s^-1 u', and z gains u s^-1 r. So K, H and V change by terms of the rank of the node. A
step reads only the rows of the node and its spouses, and the columns of the node and its parents. So a fit may begin
with the parameters of some nodes of a district (`_parameters_cy`), however large it is.

A variable is a block of columns: one if it is continuous, indicators of its levels if it is discrete.

Invariants: of the district at hand, K, H and V belong to the parameters, and `f` is their value. Local columns
0 ... n - 1 are those of the nodes at hand, in the order of `node`, and n ... q - 1 those of other parents. Row c of `b`
has the coefficients of column c at the places of the columns of its parents.
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from math import log

    from ancestral._pulse_cy import Pulse
    from ancestral.scores._ancestral_cy import AncestralGraph
    from ancestral.scores._cholesky_cy import SINGULAR, factorise, invert, solve

#: f of a district that could not be fitted: more than that of any other, and not so much that sums would lose digits.
FAILED = cython.declare(cython.double, 1e9)


@cython.final
@cython.cclass
class Districts:
    """Fits districts of graphs over the variables of a covariance matrix; variable v has columns offset[v] ... ."""

    def __init__(
        self, covariance: Any, offset: Any, tolerance: float = 1e-6, sweeps: int = 100, pulse: Any = None
    ) -> None:
        self.covariance = np.ascontiguousarray(covariance, dtype=np.float64)
        self.offset = np.ascontiguousarray(offset, dtype=np.intc)
        self.pulse = Pulse() if pulse is None else pulse
        self.tolerance = tolerance
        self.sweeps = sweeps
        columns, variables = len(self.covariance), len(self.offset) - 1
        self.columns = columns
        self.place = np.zeros(columns, dtype=np.intc)
        self.place_stamp = np.zeros(columns, dtype=np.intc)
        self.stamp = 0
        self.column = np.zeros(columns, dtype=np.intc)
        self.node = np.zeros(variables, dtype=np.intc)
        self.start = np.zeros(variables + 1, dtype=np.intc)
        self.local = np.zeros(variables, dtype=np.intc)
        self.due = np.zeros(variables, dtype=np.uint8)
        self.pa_start = np.zeros(variables + 1, dtype=np.intc)
        self.pa = np.zeros(4 * columns + 16, dtype=np.intc)
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
        self.k = np.zeros((n, n))
        self.h = np.zeros((n, q))
        self.v = np.zeros((n, n))
        self.a = np.zeros((q, q))
        self.r = np.zeros((q, 2 * n))
        self.scaled = np.zeros((n, n))
        self.u = np.zeros((n, n))
        self.tau = np.zeros((n, n))
        self.rho = np.zeros((n, q))
        self.inner = np.zeros((n, n))
        self.back = np.zeros((n, n))

    def _grow_parents(self) -> None:
        self.pa = np.concatenate([self.pa, np.zeros_like(self.pa)])

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
    def single(self, graph: AncestralGraph, v: cython.Py_ssize_t) -> cython.double:
        """f of a node without spouses: a regression on its parents, whose columns come first here."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
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
        self.n = width
        self.q = size + width
        return f + width

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_single_parameters(self) -> cython.void:
        """After `single`: the coefficients of the parents, as columns of `r`, and the precision, in `back`."""
        h: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        width: cython.Py_ssize_t = self.n
        size: cython.Py_ssize_t = self.q - width
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
        for i in range(width):
            for j in range(width):
                self.inner[i, j] = 0.0
                for h in range(min(i, j) + 1):
                    self.inner[i, j] += self.a[size + i, size + h] * self.a[size + j, size + h]
        invert(self.inner, width, self.back)

    # -- several nodes ------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def begin(
        self, graph: AncestralGraph, members: cython.int[::1], count: cython.Py_ssize_t, fitted: cython.Py_ssize_t
    ) -> cython.int:
        """Take these nodes as those at hand, and the covariances of their columns and of the parents of the first ones.

        `fitted` is the number of nodes whose equations may be fitted.
        """
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        h: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        n: cython.Py_ssize_t = 0
        q: cython.Py_ssize_t
        parents: cython.Py_ssize_t = 0
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
        for i in range(fitted):
            v = self.node[i]
            self.pa_start[i] = cython.cast(cython.int, parents)
            for j in range(graph.parent_count[v]):
                u = graph.parents[v, j]
                while parents + self.offset[u + 1] - self.offset[u] > self.pa.shape[0]:
                    with cython.gil:
                        self._grow_parents()
                for h in range(self.offset[u], self.offset[u + 1]):
                    if self.place_stamp[h] != self.stamp:
                        self.place[h] = cython.cast(cython.int, q)
                        self.place_stamp[h] = self.stamp
                        self.column[q] = cython.cast(cython.int, h)
                        q += 1
                    self.pa[parents] = self.place[h]
                    parents += 1
        self.pa_start[fitted] = cython.cast(cython.int, parents)
        self.grow(n, q)
        self.n = n
        self.q = q
        for i in range(q):
            u = self.column[i]
            for j in range(q):
                self.s[i, j] = self.covariance[u, self.column[j]]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def begin_anew(self) -> cython.int:
        """Begin with the regressions of nodes on their parents, and no correlation between residuals."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        h: cython.Py_ssize_t
        c: cython.Py_ssize_t
        size: cython.Py_ssize_t
        width: cython.Py_ssize_t
        first: cython.Py_ssize_t
        parents: cython.Py_ssize_t
        for i in range(self.n):
            for j in range(self.q):
                self.b[i, j] = 0.0
            for j in range(self.n):
                self.k[i, j] = 0.0
        self.f = self.n
        for i in range(self.nodes):
            first = self.start[i]
            width = self.start[i + 1] - first
            parents = self.pa_start[i]
            size = self.pa_start[i + 1] - parents
            for j in range(size):
                for h in range(j + 1):
                    self.a[j, h] = self.s[self.pa[parents + j], self.pa[parents + h]]
                for c in range(width):
                    self.r[j, c] = self.s[self.pa[parents + j], first + c]
            factorise(self.a, size)
            solve(self.a, size, self.r, width)
            for c in range(width):
                for j in range(size):
                    self.b[first + c, self.pa[parents + j]] = self.r[j, c]
                for h in range(width):
                    self.inner[c, h] = self.s[first + c, first + h]
                    for j in range(size):
                        self.inner[c, h] -= self.r[j, c] * self.s[self.pa[parents + j], first + h]
            self.f += 2.0 * invert(self.inner, width, self.back)
            for c in range(width):
                for h in range(width):
                    self.k[first + c, first + h] = self.back[c, h]
        self.find_h()
        self.find_v()
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_h(self) -> cython.void:
        """H of the parameters at hand."""
        c: cython.Py_ssize_t
        d: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        weight: cython.double
        for c in range(self.n):
            for j in range(self.q):
                self.h[c, j] = 0.0
        for i in range(self.nodes):
            for d in range(self.start[i], self.start[i + 1]):
                for j in range(self.q):
                    self.rho[0, j] = self.s[d, j]  # row d of cov(e, x)
                for c in range(self.pa_start[i], self.pa_start[i + 1]):
                    weight = self.b[d, self.pa[c]]
                    for j in range(self.q):
                        self.rho[0, j] -= weight * self.s[self.pa[c], j]
                for c in range(self.n):
                    weight = self.k[c, d]
                    if weight != 0.0:
                        for j in range(self.q):
                            self.h[c, j] += weight * self.rho[0, j]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_v(self) -> cython.void:
        """V of the parameters at hand, from H."""
        c: cython.Py_ssize_t
        d: cython.Py_ssize_t
        e: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        weight: cython.double
        for c in range(self.n):
            for d in range(self.n):
                self.v[c, d] = 0.0
        for i in range(self.nodes):
            for e in range(self.start[i], self.start[i + 1]):
                for c in range(self.n):
                    self.tau[0, c] = self.h[c, e]  # column e of cov(z, e)
                for j in range(self.pa_start[i], self.pa_start[i + 1]):
                    weight = self.b[e, self.pa[j]]
                    for c in range(self.n):
                        self.tau[0, c] -= weight * self.h[c, self.pa[j]]
                for d in range(self.n):
                    weight = self.k[d, e]
                    if weight != 0.0:
                        for c in range(self.n):
                            self.v[d, c] += weight * self.tau[0, c]

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
        v: cython.Py_ssize_t = self.node[i]
        n: cython.Py_ssize_t = self.n
        q: cython.Py_ssize_t = self.q
        first: cython.Py_ssize_t = self.start[i]
        width: cython.Py_ssize_t = self.start[i + 1] - first
        parents: cython.Py_ssize_t = self.pa_start[i]
        size: cython.Py_ssize_t = self.pa_start[i + 1] - parents
        others: cython.Py_ssize_t = 0
        total: cython.double
        self.updates += 1
        for j in range(graph.spouse_count[v]):
            h = self.local[graph.spouses[v, j]]
            for c in range(self.start[h], self.start[h + 1]):
                self.sp[others] = cython.cast(cython.int, c)
                others += 1
        self.leave_out(first, width)
        # the normal equations of x_i, given its parents and z of its spouses; right-hand sides stay beside solutions
        for j in range(size):
            for h in range(j + 1):
                self.a[j, h] = self.s[self.pa[parents + j], self.pa[parents + h]]
            for c in range(width):
                self.r[j, c] = self.s[self.pa[parents + j], first + c]
        for e in range(others):
            for j in range(size):
                self.a[size + e, j] = self.h[self.sp[e], self.pa[parents + j]]
            for d in range(e + 1):
                self.a[size + e, size + d] = self.v[self.sp[e], self.sp[d]]
            for c in range(width):
                self.r[size + e, c] = self.h[self.sp[e], first + c]
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
            for j in range(size):
                self.b[first + c, self.pa[parents + j]] = self.r[j, c]
        self.f += 2.0 * invert(self.inner, width, self.back) + width
        # u, and the covariances of r with x (rho) and with z (tau)
        for c in range(width):
            for j in range(n):
                self.u[c, j] = 0.0
                self.tau[c, j] = self.h[j, first + c]
            for j in range(q):
                self.rho[c, j] = self.s[first + c, j]
            for h in range(size):
                total = self.r[h, c]
                e = self.pa[parents + h]
                for j in range(q):
                    self.rho[c, j] -= total * self.s[e, j]
                for j in range(n):
                    self.tau[c, j] -= total * self.h[j, e]
            for h in range(others):
                total = self.r[size + h, c]
                e = self.sp[h]
                for j in range(q):
                    self.rho[c, j] -= total * self.h[e, j]
                for j in range(n):
                    self.tau[c, j] -= total * self.v[e, j]
                    self.u[c, j] -= total * self.k[e, j]
            self.u[c, first + c] = 1.0
        self.put_in(width)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def leave_out(self, first: cython.Py_ssize_t, width: cython.Py_ssize_t) -> cython.void:
        """Make K, H, V and f those of the other nodes alone."""
        c: cython.Py_ssize_t
        d: cython.Py_ssize_t
        j: cython.Py_ssize_t
        l: cython.Py_ssize_t
        total: cython.double
        for c in range(width):
            for d in range(width):
                self.inner[c, d] = self.k[first + c, first + d]
        self.f += 2.0 * invert(self.inner, width, self.back)
        for c in range(width):
            for d in range(width):
                self.f -= self.back[c, d] * self.v[first + c, first + d]
        for c in range(width):
            for j in range(self.n):
                total = 0.0
                for d in range(width):
                    total += self.back[c, d] * self.k[first + d, j]
                self.scaled[c, j] = total
        for j in range(self.n):
            if first <= j < first + width:
                continue
            for c in range(width):
                total = self.scaled[c, j]
                if total != 0.0:
                    for l in range(self.n):
                        self.k[j, l] -= total * self.k[first + c, l]
                        self.v[j, l] -= total * self.v[first + c, l]
                    for l in range(self.q):
                        self.h[j, l] -= total * self.h[first + c, l]
            for c in range(width):
                total = self.v[j, first + c]
                if total != 0.0:
                    for l in range(self.n):
                        self.v[j, l] -= total * self.scaled[c, l]
        for c in range(width):
            for l in range(self.n):
                self.k[first + c, l] = 0.0
                self.k[l, first + c] = 0.0
                self.v[first + c, l] = 0.0
                self.v[l, first + c] = 0.0
            for l in range(self.q):
                self.h[first + c, l] = 0.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put_in(self, width: cython.Py_ssize_t) -> cython.void:
        """Add a node to K, H and V, by its u, rho and tau; `back` is the inverse of its residual variance."""
        c: cython.Py_ssize_t
        d: cython.Py_ssize_t
        j: cython.Py_ssize_t
        l: cython.Py_ssize_t
        total: cython.double
        other: cython.double
        for c in range(width):
            for j in range(self.n):
                total = 0.0
                for d in range(width):
                    total += self.back[c, d] * self.u[d, j]
                self.scaled[c, j] = total
        for j in range(self.n):
            for c in range(width):
                total = self.scaled[c, j]
                other = self.tau[c, j]
                if total != 0.0:
                    for l in range(self.n):
                        self.k[j, l] += total * self.u[c, l]
                        self.v[j, l] += total * (self.u[c, l] + self.tau[c, l])
                    for l in range(self.q):
                        self.h[j, l] += total * self.rho[c, l]
                if other != 0.0:
                    for l in range(self.n):
                        self.v[j, l] += other * self.scaled[c, l]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def value(self) -> cython.double:
        """f of the parameters at hand, computed anew; it overwrites scratch space."""
        c: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        total: cython.double
        for c in range(self.n):
            for j in range(c + 1):
                self.scaled[c, j] = self.k[c, j]
        total = -2.0 * factorise(self.scaled, self.n)
        for i in range(self.nodes):
            for c in range(self.start[i], self.start[i + 1]):
                total += self.h[c, c]
                for j in range(self.pa_start[i], self.pa_start[i + 1]):
                    total -= self.b[c, self.pa[j]] * self.h[c, self.pa[j]]
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def converge(self, graph: AncestralGraph) -> cython.double:
        """Sweep over the nodes until f no longer falls."""
        i: cython.Py_ssize_t
        left: cython.int = self.sweeps
        before: cython.double
        self.fits += 1
        while left > 0:
            left -= 1
            self.pulse.beat()
            before = self.f
            for i in range(self.nodes):
                self.update(graph, i)
            if before - self.f < self.tolerance:
                break
        return self.checked()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def converge_nearby(self, graph: AncestralGraph) -> cython.double:
        """Fit the equations of nodes that are `due`, and of the spouses of those that f still falls by."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        v: cython.Py_ssize_t
        left: cython.int = self.sweeps
        before: cython.double
        fitted: cython.bint = True
        self.fits += 1
        try:
            while left > 0 and fitted:
                left -= 1
                fitted = False
                self.pulse.beat()
                for i in range(self.nodes):
                    v = self.node[i]
                    if not self.due[v]:
                        continue
                    self.due[v] = 0
                    before = self.f
                    self.update(graph, i)
                    if before - self.f > self.tolerance:
                        fitted = True
                        for j in range(graph.spouse_count[v]):
                            self.due[graph.spouses[v, j]] = 1
        finally:  # also if the pulse ends it
            for i in range(self.nodes):
                self.due[self.node[i]] = 0
        return self.checked()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def checked(self) -> cython.double:
        """f; of a fit that failed, as happens where data are singular, it is set to `FAILED`.

        No model has a lower f than one in which the variance of every column is `SINGULAR`.
        """
        if not self.f > self.n * log(SINGULAR):
            self.f = FAILED
        return self.f

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1e300)
    def fit(self, graph: AncestralGraph, members: cython.int[::1], count: cython.Py_ssize_t) -> cython.double:
        """f of a district, whose nodes ascend."""
        if count == 1:
            return self.single(graph, members[0])
        self.begin(graph, members, count, count)
        self.begin_anew()
        return self.converge(graph)

    def value_of(self, graph: AncestralGraph, members: Any) -> float:
        """f of a district, for Python; of several districts together, their sum."""
        nodes = np.ascontiguousarray(np.sort(members), dtype=np.intc)
        if len(nodes) == 1 and graph.spouse_count[int(nodes[0])] == 0:
            return self.single(graph, nodes[0])
        self.begin(graph, nodes, len(nodes), len(nodes))
        self.begin_anew()
        return self.converge(graph)
