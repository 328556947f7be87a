cdef class Questions:
    cdef readonly Py_ssize_t n
    cdef int independent(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -1 nogil
