from ancestral._c cimport seconds

cdef class Pulse:
    cdef object look
    cdef long long left
    cdef long long stride
    cdef double looked
    cdef double read
    cdef int beat(self) except? -1 nogil
    cdef int read_clock(self) except? -1 nogil
    cdef int beats(self, Py_ssize_t steps) except? -1 nogil
