from ancestral._pulse_cy cimport Pulse
from ancestral.graphs._marks cimport ARROW, TAIL
from ancestral.graphs._separation_cy cimport Walker

cdef class _Trial:
    cdef Py_ssize_t n
    cdef Py_ssize_t edges
    cdef int[:, ::1] ends
    cdef unsigned char[:, ::1] model
    cdef unsigned char[:, ::1] marks
    cdef unsigned int[::1] reach
    cdef bint like_colliders
    cdef readonly object array
    cdef int[::1] choice
    cdef Py_ssize_t k
    cdef Pulse pulse
    cdef bint fits(self, Py_ssize_t k) except? -1
    cdef bint ends_agree(self, Py_ssize_t u, Py_ssize_t v) except? -1
    cdef bint ancestral(self, Py_ssize_t k) except? -1
