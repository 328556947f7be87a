cimport cython
from ancestral._pulse_cy cimport Pulse
from ancestral.graphs._marks cimport ARROW, TAIL
from ancestral.independence._questions_cy cimport Questions
from ancestral.search._asking_cy cimport Asking

@cython.final
cdef class BeyondBase(Asking):
    cdef readonly object array
    cdef const unsigned char[:, ::1] marks
    cdef int[::1] starts
    cdef int[::1] sources
    cdef int[::1] targets
    cdef unsigned char[::1] visited
    cdef int[::1] queue
    cdef unsigned char[:, ::1] possible
    cdef unsigned char[::1] known
    cdef unsigned char[::1] inside
    cdef unsigned char[::1] reached
    cdef int[:, ::1] pool
    cdef int[::1] pool_count
    cdef int[::1] nodes
    cdef Py_ssize_t given
    cdef int sides
    cdef int ask_base(self) except? -1 nogil
    cdef int find_pool(self, Py_ssize_t side) except? -1 nogil
    cdef int grow(self, Py_ssize_t side, Py_ssize_t size, Py_ssize_t first) except? -1 nogil
    cdef bint belongs_to(self, Py_ssize_t side) except? -1 nogil
    cdef void walk(self, Py_ssize_t side) noexcept nogil
    cdef bint walks_inside(self, Py_ssize_t side, Py_ssize_t size) except? -1 nogil
    cdef bint passes(self, Py_ssize_t t, Py_ssize_t u, Py_ssize_t v) noexcept nogil
    cdef bint allowed(self, Py_ssize_t v) noexcept nogil
    cdef int find_possible(self, Py_ssize_t x) except? -1 nogil
