"""The parameters of a graph, which are kept between fits: a fit of a changed graph begins with them.

They are those of `_districts_cy`, over all columns: B, K and V within districts, H, and M with z = M x. A change of the
graph is weighed from the rows of a few nodes (`begin_fit`). V of nodes whose districts a change joins follows from M
and H.

Invariants: row c of `m` has `m_count[c]` entries, for the columns in row c of `m_columns`. `kept_with[v]` is the first
node of the district with which the parameters of v were kept; K and V of nodes that were not kept together are those of
earlier graphs, and not read. `f[v]` is f of the district of v.

During an excursion, the parameters of nodes are saved before they change (`saved_in[v] == excursion`).
"""

from typing import Any

import cython
import numpy as np

if not cython.compiled:
    from ancestral.scores._ancestral_cy import AncestralGraph
    from ancestral.scores._districts_cy import Districts

#: Larger districts are kept with H and V as steps have changed them. That is exact up to rounding errors, which are
#: removed each time that so many fits have been kept.
EXACTLY_KEPT = cython.declare(cython.Py_ssize_t, 24)
KEPT_BETWEEN = cython.declare(cython.longlong, 32)


@cython.final
@cython.cclass
class Parameters:
    """The parameters of a graph over blocks of columns; variable v has columns offset[v] ... ."""

    def __init__(self, offset: Any) -> None:
        self.offset = np.ascontiguousarray(offset, dtype=np.intc)
        columns, variables = int(self.offset[len(self.offset) - 1]), len(self.offset) - 1
        self.columns = columns
        self.b = np.zeros((columns, columns))
        self.k = np.zeros((columns, columns))
        self.h = np.zeros((columns, columns))
        self.v = np.zeros((columns, columns))
        self.m = np.zeros((columns, columns))
        self.m_columns = np.zeros((columns, columns), dtype=np.intc)
        self.m_count = np.zeros(columns, dtype=np.intc)
        self.kept_with = np.arange(variables, dtype=np.intc)
        self.f = np.zeros(variables)
        self.times_kept = 0
        self.excursion = 0
        self.saved_in = np.zeros(variables, dtype=np.intc)
        self.saved = np.zeros((0, 0, 0))
        self.saved_columns = np.zeros((0, 0), dtype=np.intc)
        self.saved_count = np.zeros(0, dtype=np.intc)
        self.saved_with = np.zeros(variables, dtype=np.intc)
        self.saved_f = np.zeros(variables)

    def matrices(self, graph: AncestralGraph) -> tuple[Any, Any]:
        """The coefficient of column u in the equation of column v, at u, v; and the inverse covariance of errors."""
        v: cython.Py_ssize_t
        w: cython.Py_ssize_t
        offset = np.asarray(self.offset)
        coefficients = np.zeros((self.columns, self.columns))
        precision = np.zeros_like(coefficients)
        for v in range(graph.n):
            own = slice(offset[v], offset[v + 1])
            for u in np.asarray(graph.parents)[v, : graph.parent_count[v]].tolist():
                others = slice(offset[u], offset[u + 1])
                coefficients[others, own] = np.asarray(self.b)[own, others].T
            for w in range(graph.n):
                if self.kept_with[v] == self.kept_with[w]:
                    others = slice(offset[w], offset[w + 1])
                    precision[own, others] = np.asarray(self.k)[own, others]
        return coefficients, precision

    # -- where fits begin ---------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def begin_fit(self, fit: Districts, f: cython.double) -> cython.int:
        """Let a fit begin with K, H and V of these parameters, and with f, their value."""
        c: cython.Py_ssize_t
        d: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        u: cython.Py_ssize_t
        for i in range(fit.nodes):
            for c in range(fit.start[i], fit.start[i + 1]):
                u = fit.column[c]
                for j in range(fit.q):
                    fit.h[c, j] = self.h[u, fit.column[j]]
                for j in range(fit.nodes):
                    if self.kept_with[fit.node[j]] == self.kept_with[fit.node[i]]:
                        for d in range(fit.start[j], fit.start[j + 1]):
                            fit.k[c, d] = self.k[u, fit.column[d]]
                            fit.v[c, d] = self.v[u, fit.column[d]]
                        continue
                    for d in range(fit.start[j], fit.start[j + 1]):
                        fit.k[c, d] = 0.0
                        if d < c:
                            fit.v[c, d] = self.covariance(u, fit.column[d])
                            fit.v[d, c] = fit.v[c, d]
        fit.f = f
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def covariance(self, u: cython.Py_ssize_t, w: cython.Py_ssize_t) -> cython.double:
        """V of two columns whose parameters were kept in different districts: M of one of them times H of the other."""
        e: cython.Py_ssize_t
        total: cython.double = 0.0
        if self.m_count[u] < self.m_count[w]:
            e = u
            u = w
            w = e
        for e in range(self.m_count[w]):
            total += self.m[w, e] * self.h[u, self.m_columns[w, e]]
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def give_coefficients(self, fit: Districts) -> cython.void:
        """Let a fit begin with B of these parameters, for the parents that nodes have now."""
        c: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        for i in range(fit.nodes):
            for c in range(fit.start[i], fit.start[i + 1]):
                for j in range(fit.q):
                    fit.b[c, j] = 0.0
                for j in range(fit.pa_start[i], fit.pa_start[i + 1]):
                    fit.b[c, fit.pa[j]] = self.b[fit.column[c], fit.column[fit.pa[j]]]

    # -- what is kept of fits -----------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def keep_single(self, fit: Districts, v: cython.Py_ssize_t) -> cython.void:
        """Keep the parameters of a node without spouses, which `single` has fitted; its V is K."""
        h: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        c: cython.Py_ssize_t
        u: cython.Py_ssize_t
        width: cython.Py_ssize_t = fit.n
        size: cython.Py_ssize_t = fit.q - width
        weight: cython.double
        fit.find_single_parameters()
        for i in range(width):
            u = self.offset[v] + i
            for h in range(size):
                self.b[u, fit.column[h]] = fit.r[h, i]
            for j in range(width):
                self.k[u, self.offset[v] + j] = fit.back[i, j]
                self.v[u, self.offset[v] + j] = fit.back[i, j]
            for h in range(size + width):
                self.m_columns[u, h] = fit.column[h]
                self.m[u, h] = 0.0
            self.m_count[u] = cython.cast(cython.int, size + width)
            for j in range(width):
                self.m[u, size + j] = fit.back[i, j]
                for h in range(size):
                    self.m[u, h] -= fit.back[i, j] * fit.r[h, j]
            for c in range(self.columns):
                self.h[u, c] = 0.0
            for h in range(size + width):
                weight = self.m[u, h]
                for c in range(self.columns):
                    self.h[u, c] += weight * fit.covariance[fit.column[h], c]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def keep(self, fit: Districts) -> cython.int:
        """Keep the parameters of the nodes at hand of a fit."""
        c: cython.Py_ssize_t
        d: cython.Py_ssize_t
        e: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        u: cython.Py_ssize_t
        weight: cython.double
        self.times_kept += 1
        if fit.nodes <= EXACTLY_KEPT or self.times_kept % KEPT_BETWEEN == 0:
            fit.find_h()
            fit.find_v()
        for c in range(fit.n):
            u = fit.column[c]
            self.m_count[u] = cython.cast(cython.int, fit.q)
            for j in range(fit.q):
                self.m_columns[u, j] = fit.column[j]
                self.m[u, j] = fit.k[c, j] if j < fit.n else 0.0
        for i in range(fit.nodes):
            for c in range(fit.start[i], fit.start[i + 1]):
                u = fit.column[c]
                for j in range(fit.n):
                    self.k[u, fit.column[j]] = fit.k[c, j]
                    self.v[u, fit.column[j]] = fit.v[c, j]
                for j in range(fit.pa_start[i], fit.pa_start[i + 1]):
                    weight = fit.b[c, fit.pa[j]]
                    self.b[u, fit.column[fit.pa[j]]] = weight
                    for d in range(fit.n):
                        self.m[fit.column[d], fit.pa[j]] -= fit.k[d, c] * weight
        # H over all columns: those at hand are known, the others follow from M
        for c in range(fit.n):
            u = fit.column[c]
            if 2 * fit.q < self.columns:
                for j in range(self.columns):
                    self.h[u, j] = 0.0
                for e in range(fit.q):
                    weight = self.m[u, e]
                    for j in range(self.columns):
                        self.h[u, j] += weight * fit.covariance[fit.column[e], j]
            else:
                for j in range(self.columns):
                    if fit.place_stamp[j] != fit.stamp:
                        weight = 0.0
                        for e in range(fit.q):
                            weight += self.m[u, e] * fit.covariance[j, fit.column[e]]
                        self.h[u, j] = weight
            for e in range(fit.q):
                self.h[u, fit.column[e]] = fit.h[c, e]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def note(self, members: cython.int[::1], count: cython.Py_ssize_t, f: cython.double) -> cython.void:
        """Note that the first `count` members are a district whose parameters were kept, and its f."""
        i: cython.Py_ssize_t
        for i in range(count):
            self.kept_with[members[i]] = members[0]
            self.f[members[i]] = f

    # -- excursions ---------------------------------------------------------------------------------------------

    def begin_excursion(self) -> None:
        """Begin an excursion: what is saved from here on is taken back by `take_back`."""
        if len(self.saved) == 0:
            self.saved = np.zeros((5, self.columns, self.columns))
            self.saved_columns = np.zeros_like(self.m_columns)
            self.saved_count = np.zeros_like(self.m_count)
        self.excursion += 1
        self.saved_times_kept = self.times_kept

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def save(self, v: cython.Py_ssize_t) -> cython.void:
        """Save the parameters of a node that are about to change, unless they were saved in this excursion."""
        c: cython.Py_ssize_t
        if self.saved_in[v] == self.excursion:
            return
        self.saved_in[v] = self.excursion
        for c in range(self.offset[v], self.offset[v + 1]):
            self.saved[0, c, :] = self.b[c, :]
            self.saved[1, c, :] = self.k[c, :]
            self.saved[2, c, :] = self.h[c, :]
            self.saved[3, c, :] = self.v[c, :]
            self.saved[4, c, :] = self.m[c, :]
            self.saved_columns[c, :] = self.m_columns[c, :]
            self.saved_count[c] = self.m_count[c]
        self.saved_f[v] = self.f[v]
        self.saved_with[v] = self.kept_with[v]

    def take_back(self) -> None:
        """End the excursion: all parameters are again what they were when it began."""
        c: cython.Py_ssize_t
        v: cython.Py_ssize_t
        for v in range(len(self.f)):
            if self.saved_in[v] == self.excursion:
                for c in range(self.offset[v], self.offset[v + 1]):
                    self.b[c, :] = self.saved[0, c, :]
                    self.k[c, :] = self.saved[1, c, :]
                    self.h[c, :] = self.saved[2, c, :]
                    self.v[c, :] = self.saved[3, c, :]
                    self.m[c, :] = self.saved[4, c, :]
                    self.m_columns[c, :] = self.saved_columns[c, :]
                    self.m_count[c] = self.saved_count[c]
                self.f[v] = self.saved_f[v]
                self.kept_with[v] = self.saved_with[v]
        self.times_kept = self.saved_times_kept
