from libc.math cimport erfc, exp, floor, isnan, lgamma, log, sqrt

cdef class Questions:
    cdef readonly Py_ssize_t n
    cdef readonly object unsupported
    cdef double[:, ::1] strength
    cdef bint has_preference
    cdef long long[::1] unsupported_counts
    cdef readonly double statistic
    cdef readonly long long df
    cdef double closest_statistic
    cdef long long closest_df
    cdef Py_ssize_t closest_at
    cdef Py_ssize_t turns
    cdef readonly Py_ssize_t batch_size
    cdef readonly bint in_tiles
    cdef Py_ssize_t x
    cdef Py_ssize_t y
    cdef int[::1] stack
    cdef Py_ssize_t height
    cdef int independent(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -1 nogil
    cdef double preference(self, Py_ssize_t x, Py_ssize_t y, Py_ssize_t v) noexcept nogil
    cdef void begin_pair(self, Py_ssize_t x, Py_ssize_t y) noexcept nogil
    cdef int push(self, Py_ssize_t z) except? -1 nogil
    cdef void pop(self) noexcept nogil
    cdef Py_ssize_t first_separating(self, int[::1] nodes, Py_ssize_t count) except? -1 nogil
    cdef Py_ssize_t first_preferred(self, int[::1] nodes, Py_ssize_t count) except? -1 nogil
    cdef int dependent_row(self, Py_ssize_t x, unsigned char[::1] row) except? -1 nogil
    cdef bint closer(self) noexcept nogil
    cdef int cannot_tell(self, Py_ssize_t size) except? -1 nogil

cdef class ChiSquared(Questions):
    pass

cdef double log_tail(double statistic, long long df) noexcept nogil
