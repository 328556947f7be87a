from libc.math cimport fabs

cdef class ColumnProducts:
    cdef const double[:, ::1] columns
    cdef object single
    cdef readonly Py_ssize_t n
    cdef long long[::1] keys
    cdef double[::1] values
    cdef Py_ssize_t mask
    cdef double product(self, Py_ssize_t x, Py_ssize_t y) noexcept nogil
    cdef double at(self, Py_ssize_t x, Py_ssize_t y) noexcept nogil
