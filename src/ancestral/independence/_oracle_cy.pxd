from ancestral._c cimport bit64
from ancestral.graphs._separation_cy cimport Walker
from ancestral.independence._questions_cy cimport Questions

cdef class Separations(Questions):
    cdef Walker walker
    cdef int[::1] position
    cdef unsigned long long[::1] always
    cdef unsigned long long[::1] blocks
    cdef Py_ssize_t most
