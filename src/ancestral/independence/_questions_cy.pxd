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
    cdef int independent(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -1 nogil
    cdef double preference(self, Py_ssize_t x, Py_ssize_t y, Py_ssize_t v) noexcept nogil
    cdef void begin_pair(self) noexcept nogil
    cdef bint closer(self) noexcept nogil
    cdef int cannot_tell(self, Py_ssize_t size) except? -1 nogil

cdef class ChiSquared(Questions):
    pass

cdef double log_tail(double statistic, long long df) noexcept nogil
