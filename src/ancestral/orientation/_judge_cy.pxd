from ancestral.graphs._marks cimport ARROW
from ancestral.graphs._pair_numbers_cy cimport PairNumbers

cdef class Judge:
    cdef int collider(self, Py_ssize_t theta, Py_ssize_t a, Py_ssize_t b, Py_ssize_t c) except? -2 nogil
    cdef bint non_collider(self, Py_ssize_t a, Py_ssize_t b, Py_ssize_t c) except? -2 nogil
    cdef bint knows_collider(self, Py_ssize_t b) noexcept nogil

cdef class TrueGraph(Judge):
    cdef unsigned char[:, ::1] marks

cdef class Sepsets(Judge):
    cdef PairNumbers index
    cdef int[::1] starts
    cdef int[::1] members
    cdef int[:, ::1] ends
    cdef int[:, ::1] notes
    cdef double[:, ::1] evidence
    cdef readonly Py_ssize_t count
    cdef int add(self, Py_ssize_t x, Py_ssize_t y, Py_ssize_t size) except? -1
    cdef int number(self, Py_ssize_t x, Py_ssize_t y) noexcept nogil
    cdef bint has(self, Py_ssize_t x, Py_ssize_t y, Py_ssize_t v) noexcept nogil

cdef class AgreedTriples(Judge):
    cdef Py_ssize_t n
    cdef Sepsets sepsets
    cdef long long[::1] keys
    cdef unsigned char[::1] verdicts
    cdef unsigned char[::1] middles
    cdef long long key(self, Py_ssize_t a, Py_ssize_t b, Py_ssize_t c) noexcept nogil
    cdef int verdict(self, Py_ssize_t a, Py_ssize_t b, Py_ssize_t c) noexcept nogil
