from libc.math cimport atanh, fabs, isnan, sqrt
from ancestral.independence._questions_cy cimport Questions

cdef class LatentQuestions(Questions):
    cdef const double[:, ::1] correlation
    cdef const double[:, ::1] gamma
    cdef const double[::1] shown
    cdef double rows
    cdef double quantile
    cdef double fewest
    cdef Py_ssize_t widest
    cdef readonly double effective
    cdef Py_ssize_t[::1] first
    cdef int[::1] members
    cdef double[:, ::1] factor
    cdef double[:, ::1] left
    cdef Py_ssize_t[::1] pair_rows
    cdef double[::1] gradient
    cdef double partial(self, Py_ssize_t size) except? -2 nogil
    cdef Py_ssize_t differentiate(self, Py_ssize_t size, double r) except? -1 nogil
    cdef double variance(self, Py_ssize_t size, double r) except? -1 nogil
