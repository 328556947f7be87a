from libc.math cimport atanh, exp, log, sqrt
from ancestral.independence._questions_cy cimport ChiSquared

cdef class Blocks(ChiSquared):
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
    cdef readonly double used
    cdef int measure(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -1 nogil
    cdef Py_ssize_t gather(self, Py_ssize_t v, Py_ssize_t count) except? -1 nogil
    cdef double log_determinant
    cdef Py_ssize_t eliminate(self, double[:, ::1] matrix, Py_ssize_t first, Py_ssize_t last, Py_ssize_t width) except? -1 nogil
    cdef int correlate(self, Py_ssize_t width) except? -1 nogil
    cdef int comoments(self, Py_ssize_t width) except? -1 nogil
    cdef int comoments_anew(self, Py_ssize_t width) except? -1 nogil
    cdef int list_complete(self) except? -1 nogil
    cdef int sum_listed(self, Py_ssize_t width) except? -1 nogil
    cdef double accept_below(self) except? -1 nogil

cdef double pick(double[:, ::1] values, Py_ssize_t c, int[::1] listed, Py_ssize_t first, Py_ssize_t length, double[:, ::1] out, Py_ssize_t i) except? -1 nogil
cdef double dot(double[:, ::1] rows, Py_ssize_t i, Py_ssize_t j, Py_ssize_t length) except? -1 nogil
