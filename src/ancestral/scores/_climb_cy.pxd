from libc.math cimport fabs
from ancestral.scores._score_cy cimport UNKNOWN, ScoredGraph
from ancestral.scores._types cimport BOTH, NO_EDGE

cdef class Climb(ScoredGraph):
    cdef readonly Py_ssize_t pairs
    cdef double reach
    cdef readonly int[::1] first
    cdef readonly int[::1] second
    cdef unsigned char[::1] active
    cdef double[:, ::1] delta
    cdef unsigned char[::1] dirty
    cdef int[:, ::1] blocked
    cdef double[::1] compound
    cdef int[:, ::1] compound_change
    cdef unsigned char[::1] compound_dirty
    cdef int[::1] compound_blocked
    cdef int version
    cdef unsigned char[::1] touched
    cdef unsigned char[::1] near
    cdef object left
    cdef int touch(self) except? -1 nogil
    cdef void add_near(self, Py_ssize_t v) noexcept nogil
    cdef Py_ssize_t neighbour(self, Py_ssize_t v, Py_ssize_t i) noexcept nogil
    cdef Py_ssize_t degree(self, Py_ssize_t v) noexcept nogil
    cdef int weigh_types(self, Py_ssize_t i) except? -1 nogil
    cdef int weigh_compounds(self, Py_ssize_t i) except? -1 nogil
    cdef int step(self) except? -1 nogil
    cdef int compound_step(self) except? -1 nogil
