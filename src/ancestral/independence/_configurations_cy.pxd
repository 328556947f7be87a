from ancestral.independence._discrete_cy cimport Contingency, count_strata

cdef class Configurations(Contingency):
    cdef unsigned long long[:, ::1] words
    cdef long long[::1] weights
    cdef int[::1] word
    cdef unsigned long long[::1] shift
    cdef unsigned long long[::1] mask
    cdef int count(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -1 nogil
