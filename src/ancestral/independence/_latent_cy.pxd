from libc.math cimport asin, cos, erfc, exp, fabs, sin, sqrt

cdef double cdf(double x) noexcept nogil
cdef double density(double x) noexcept nogil
cdef double between(double low, double high) noexcept nogil

cdef class LatentPairs:
    cdef double[::1] nodes
    cdef double[::1] node_weights
    cdef Py_ssize_t most
    cdef double[:, ::1] corners
    cdef double[:, ::1] slopes
    cdef double[:, ::1] cells
    cdef double[:, ::1] scores
    cdef double[::1] effects
    cdef double[::1] mean_slope
    cdef double level_share
    cdef double joint(self, double h, double k, double r) noexcept nogil
    cdef void fill_cells(self, double[::1] of_x, double[::1] of_y, double r) noexcept nogil
    cdef double solve_table(self, double[:, ::1] p, double[::1] x, double[::1] y) noexcept nogil
    cdef void table_influence(self, double[::1] x, double[::1] y, double r, double[:, ::1] out) noexcept nogil
    cdef double share_at(self, double at, double[::1] others, Py_ssize_t level, double r, double root) noexcept nogil
    cdef double score_at(self, double z, Py_ssize_t level, double[::1] t, double r) noexcept nogil
    cdef double serial_information(self, double[::1] t, double r) noexcept nogil
    cdef double solve_rows(self, double[::1] z, int[::1] c, double[::1] w, double[::1] t) noexcept nogil
    cdef double serial_effects(self, double[::1] t, double r, double[::1] effects, double[::1] margin) noexcept nogil
