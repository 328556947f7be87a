cdef class PairNumbers:
    cdef Py_ssize_t n
    cdef readonly bint in_matrix
    cdef int[:, ::1] matrix
    cdef int usual
    cdef Py_ssize_t count
    cdef long long[::1] keys
    cdef int[::1] numbers
    cdef Py_ssize_t place(self, long long key) noexcept nogil
    cdef int get(self, Py_ssize_t x, Py_ssize_t y) noexcept nogil
    cdef int put(self, Py_ssize_t x, Py_ssize_t y, int number) except? -1
