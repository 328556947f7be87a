from libc.math cimport atanh, fabs, log, sqrt
from ancestral.independence._design_cy cimport DesignedQuestions

cdef class DesignedBlocks(DesignedQuestions):
    cdef int[::1] starts
    cdef double[:, ::1] correlation
    cdef double[:, ::1] values
    cdef long long[::1] group_starts
    cdef bint fisher
    cdef int[::1] columns
    cdef int[::1] kept
    cdef int[::1] pivot
    cdef double[:, ::1] left
    cdef double[:, ::1] ratio
    cdef double[::1] variance
    cdef double[::1] factor
    cdef double[:, ::1] residual
    cdef double[:, ::1] common
    cdef double[:, ::1] small
    cdef double[::1] from_x
    cdef double[::1] from_y
    cdef Py_ssize_t orthogonal(self, Py_ssize_t first, Py_ssize_t last, Py_ssize_t in_z, Py_ssize_t out) except? -1 nogil
    cdef int residuals_of(self, Py_ssize_t j, Py_ssize_t count, Py_ssize_t out) except? -1 nogil
    cdef double log_ratio(self, Py_ssize_t wide_x, Py_ssize_t wide_y) noexcept nogil
    cdef int add_pairs(self, double r) except? -1 nogil
    cdef int add_blocks(self, Py_ssize_t wide_x, Py_ssize_t wide_y) except? -1 nogil
