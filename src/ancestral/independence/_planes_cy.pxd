from ancestral._popcount cimport and3_count, and_count, and_into

cdef class Planes:
    cdef unsigned long long[:, ::1] planes
    cdef unsigned long long[:, ::1] mask
    cdef bint masked
    cdef Py_ssize_t rows
    cdef int[::1] levels
    cdef int[::1] first
    cdef int[::1] planned
    cdef int[::1] value
    cdef int[::1] chosen
    cdef int[::1] ordered
    cdef int[:, ::1] pairs
    cdef long long[::1] known
    cdef int[::1] common
    cdef bint reaches(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -1 nogil
    cdef int tabulate(
        self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size, int[::1] counts) except? -1 nogil
    cdef int subtract(
        self, Py_ssize_t v, Py_ssize_t step, Py_ssize_t cells, int[::1] counts) except? -1 nogil
    cdef Py_ssize_t rows_in_all(self, Py_ssize_t conditions, Py_ssize_t size) except? -1 nogil
    cdef Py_ssize_t count(self, Py_ssize_t conditions, Py_ssize_t size) except? -1 nogil
