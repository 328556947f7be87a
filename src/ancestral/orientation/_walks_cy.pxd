from ancestral._c cimport bit64
from ancestral.graphs._marks cimport ARROW, CIRCLE, TAIL
from ancestral.orientation._judge_cy cimport Judge

cdef class UncoveredWalks:
    cdef Judge judge
    cdef unsigned char[:, ::1] marks
    cdef int[::1] offsets
    cdef int[::1] targets
    cdef int[::1] sources
    cdef unsigned char[::1] may_step
    cdef int[::1] component
    cdef int[::1] size
    cdef Py_ssize_t components
    cdef unsigned long long[:, ::1] reach
    cdef int[::1] came_from
    cdef int[::1] queue
    cdef int[::1] walk
    cdef bint follows(self, Py_ssize_t e, Py_ssize_t f) except? -1
    cdef bint passes(self, Py_ssize_t u, Py_ssize_t v, Py_ssize_t w) except? -1
    cdef bint reaches(self, Py_ssize_t e, Py_ssize_t v) except? -1
    cdef Py_ssize_t shortest(self, Py_ssize_t start, unsigned char[::1] goals, bint back) except? -1
