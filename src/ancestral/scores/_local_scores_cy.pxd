from libc.math cimport exp, log, sqrt
from ancestral._pulse_cy cimport Pulse
from ancestral.scores._cholesky_cy cimport SINGULAR, factorise

cdef class LocalScores:
    cdef readonly Py_ssize_t n
    cdef const double[:, ::1] covariance
    cdef const int[::1] offset
    cdef int[::1] width
    cdef Py_ssize_t columns
    cdef double rows
    cdef double[::1] penalties
    cdef const unsigned char[:, ::1] banned
    cdef Pulse pulse
    cdef int[::1] chosen
    cdef int[::1] chosen_column
    cdef Py_ssize_t rank
    cdef double[:, ::1] factor
    cdef double[:, ::1] left
    cdef double[::1] variance
    cdef double[::1] gain
    cdef double[:, ::1] small
    cdef double penalty(self, Py_ssize_t a, Py_ssize_t b) noexcept nogil
    cdef int eliminate(self, Py_ssize_t v, Py_ssize_t size) except? -1 nogil
    cdef int find_gains(self, Py_ssize_t v, Py_ssize_t size) except? -1 nogil
    cdef Py_ssize_t list_columns(self, Py_ssize_t size) noexcept nogil
    cdef double block_gain(self, Py_ssize_t v, Py_ssize_t u) noexcept nogil
    cdef double local_score(self, Py_ssize_t v, Py_ssize_t size, Py_ssize_t skip) except? -1e300 nogil
