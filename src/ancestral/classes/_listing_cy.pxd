cimport cython
from ancestral._pulse_cy cimport Pulse
from ancestral.graphs._marks cimport ARROW, TAIL

@cython.final
cdef class ClassWalk:
    cdef readonly object array
    cdef unsigned char[:, ::1] marks
    cdef Py_ssize_t n
    cdef int[::1] neighbours
    cdef int[::1] offsets
    cdef int[:, ::1] choices
    cdef Py_ssize_t count
    cdef bint directed
    cdef bint lines
    cdef Pulse pulse
    cdef object buffer
    cdef unsigned char[::1] code
    cdef int[::1] queue
    cdef unsigned int[::1] seen
    cdef unsigned int stamp
    cdef int restore(self, bytes code) except? -1
    cdef int set(self, Py_ssize_t k, unsigned char mark) except? -1
    cdef bint may_change(self, Py_ssize_t k) except? -1
    cdef bint is_covered(self, Py_ssize_t v, Py_ssize_t u) noexcept
    cdef bint parents_agree(self, Py_ssize_t v, Py_ssize_t u) noexcept
    cdef bint is_visible(self, Py_ssize_t v, Py_ssize_t u) noexcept
    cdef bint leads_around(self, Py_ssize_t v, Py_ssize_t u) noexcept
    cdef bint ends_are_free(self, Py_ssize_t u, Py_ssize_t v) noexcept
    cdef bint has_line(self, Py_ssize_t v, Py_ssize_t u) noexcept
