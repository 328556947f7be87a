from ancestral._c cimport exact_count_log_count
from ancestral.independence._margins_cy cimport GivenMargins
from ancestral.independence._planes_cy cimport Planes
from ancestral.independence._questions_cy cimport ChiSquared

cdef class Contingency(ChiSquared):
    cdef object __weakref__
    cdef Planes planes
    cdef int[:, ::1] codes
    cdef int[::1] levels
    cdef double[::1] threshold
    cdef Py_ssize_t rows
    cdef bint pearson
    cdef Py_ssize_t rows_per_df
    cdef readonly double level
    cdef GivenMargins given_margins
    cdef int[::1] stratum
    cdef int[::1] cell
    cdef int[::1] held
    cdef Py_ssize_t held_size
    cdef int[::1] counts
    cdef int[::1] margins
    cdef long long[::1] count_log_count
    cdef double unit
    cdef readonly Py_ssize_t used
    cdef int tabulate(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -1 nogil
    cdef int count_rows(
        self, int[::1] last, int levels, Py_ssize_t x, Py_ssize_t y, Py_ssize_t strata) except? -1 nogil
    cdef int hold(self, int[::1] given, Py_ssize_t size) except? -1 nogil
    cdef int sum_up(self, Py_ssize_t strata, Py_ssize_t lx, Py_ssize_t ly) except? -1 nogil
    cdef int judge(self, Py_ssize_t strata, Py_ssize_t lx, Py_ssize_t ly) except? -1 nogil
    cdef int find_margins(self, Py_ssize_t first, Py_ssize_t lx, Py_ssize_t ly) except? -1 nogil
    cdef long long stratum_half_g(self, Py_ssize_t first, Py_ssize_t lx, Py_ssize_t ly, int total) except? -1 nogil
    cdef long long h(self, int count) noexcept nogil
    cdef double stratum_pearson(self, Py_ssize_t first, Py_ssize_t lx, Py_ssize_t ly, int total) except? -1 nogil

cdef Py_ssize_t count_strata(
    int[::1] levels, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size, double rows_per_df, double rows
) except? -1 nogil
cdef int split_strata(int[::1] stratum, int[::1] values, int levels) except? -1 nogil
cdef int find_cells(
    int[::1] stratum, int[::1] last, int levels, int[::1] first, int lx, int[::1] second, int ly, int beyond,
    int[::1] cell) except? -1 nogil
cdef int count_cells(int[::1] cell, int[::1] counts) except? -1 nogil
