from ancestral._c cimport bit64
from ancestral.graphs._separation_cy cimport Walker
from ancestral.independence._questions_cy cimport Questions

cdef class Separations(Questions):
    cdef Walker walker
    cdef int[::1] position
    cdef unsigned long long[::1] always
    cdef unsigned long long[::1] blocks
    cdef Py_ssize_t most
    cdef unsigned char[:, ::1] together
    cdef bint answers(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) noexcept nogil
