from libc.math cimport log, sqrt

cdef double SINGULAR

cdef double factorise(double[:, ::1] a, Py_ssize_t size) noexcept nogil
cdef void solve(double[:, ::1] a, Py_ssize_t size, double[:, ::1] r, Py_ssize_t width) noexcept nogil
cdef double invert(double[:, ::1] a, Py_ssize_t size, double[:, ::1] inverse) noexcept nogil
