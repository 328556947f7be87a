from libc.math cimport log
from ancestral.independence._questions_cy cimport ChiSquared

cdef class Contingency(ChiSquared):
    cdef int[:, ::1] codes
    cdef int[::1] levels
    cdef double[::1] threshold
    cdef Py_ssize_t rows
    cdef bint pearson
    cdef Py_ssize_t rows_per_df
    cdef int[::1] stratum
    cdef int[::1] counts
    cdef int[::1] margins
    cdef readonly Py_ssize_t used
    cdef int tabulate(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -1 nogil
    cdef double stratum_statistic(self, Py_ssize_t first, Py_ssize_t lx, Py_ssize_t ly) except? -1 nogil
