from libc.math cimport atanh, exp, log, sqrt
from ancestral.independence._questions_cy cimport ChiSquared

cdef class Blocks(ChiSquared):
    cdef object __weakref__
    cdef int[::1] starts
    cdef double[:, ::1] correlation
    cdef double[:, ::1] values
    cdef bint rowwise
    cdef bint fisher
    cdef double rows
    cdef double quantile
    cdef double[::1] threshold
    cdef int[::1] columns
    cdef double[:, ::1] a
    cdef double[:, ::1] b
    cdef double[::1] mean
    cdef double[:, ::1] centred
    cdef double[::1] sums
    cdef double[:, ::1] products
    cdef int[::1] gap_starts
    cdef int[::1] gaps
    cdef int[::1] listed
    cdef Py_ssize_t listed_count
    cdef long long[::1] seen
    cdef long long clock
    cdef double[:, ::1] stretch
    cdef double[:, ::1] left
    cdef double[:, ::1] shares
    cdef long long[:, ::1] stamps
    cdef long long[::1] stamp_of
    cdef double[::1] pivots
    cdef int[::1] step_columns
    cdef int[::1] steps_below
    cdef Py_ssize_t steps
    cdef Py_ssize_t stacked
    cdef readonly double used
    cdef int measure(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -1 nogil
    cdef Py_ssize_t gather(self, Py_ssize_t v, Py_ssize_t count) except? -1 nogil
    cdef int compare(self, Py_ssize_t kept_before, Py_ssize_t in_z, Py_ssize_t in_zx, Py_ssize_t width) except? -1 nogil
    cdef int correlate(self, Py_ssize_t width) except? -1 nogil
    cdef int comoments(self, Py_ssize_t width) except? -1 nogil
    cdef int comoments_anew(self, Py_ssize_t width) except? -1 nogil
    cdef int list_complete(self) except? -1 nogil
    cdef int sum_listed(self, Py_ssize_t width) except? -1 nogil
    cdef int follow(self, Py_ssize_t c) except? -1 nogil
    cdef int measure_last(self, Py_ssize_t v) except? -1 nogil
    cdef double accept_below(self) except? -1 nogil

cdef double pick(double[:, ::1] values, Py_ssize_t c, int[::1] listed, Py_ssize_t first, Py_ssize_t length, double[:, ::1] out, Py_ssize_t i) except? -1 nogil
cdef double dot(double[:, ::1] rows, Py_ssize_t i, Py_ssize_t j, Py_ssize_t length) except? -1 nogil
cdef Py_ssize_t eliminate(double[:, ::1] matrix, Py_ssize_t first, Py_ssize_t last, Py_ssize_t width) except? -1 nogil
cdef double log_determinant(double[:, ::1] matrix, Py_ssize_t first, Py_ssize_t last) except? -1 nogil
cdef double remainder(double[:, ::1] correlation, double[:, ::1] share, double[:, ::1] left, Py_ssize_t a, Py_ssize_t b, Py_ssize_t steps) except? -1 nogil
