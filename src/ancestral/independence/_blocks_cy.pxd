from libc.math cimport atanh, exp, isnan, log, sqrt
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
    cdef unsigned char[::1] complete
    cdef readonly double used
    cdef int measure(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -1 nogil
    cdef Py_ssize_t gather(self, Py_ssize_t v, Py_ssize_t count) except? -1 nogil
    cdef double log_determinant
    cdef Py_ssize_t eliminate(self, double[:, ::1] matrix, Py_ssize_t first, Py_ssize_t last, Py_ssize_t width) except? -1 nogil
    cdef int correlate(self, Py_ssize_t width) except? -1 nogil
    cdef double accept_below(self) except? -1 nogil
