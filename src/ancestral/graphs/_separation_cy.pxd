from ancestral._c cimport bit64
from ancestral.graphs._marks cimport ARROW

cdef class Walker:
    cdef readonly Py_ssize_t words
    cdef Py_ssize_t n
    cdef int[::1] offsets
    cdef int[::1] targets
    cdef unsigned char[::1] near
    cdef unsigned char[::1] far
    cdef int[::1] queue
    cdef unsigned int[::1] seen
    cdef unsigned int stamp
    cdef int walk(self, Py_ssize_t x, Py_ssize_t y,
                  unsigned long long[::1] blocks, unsigned long long[::1] opens) except? -1 nogil
