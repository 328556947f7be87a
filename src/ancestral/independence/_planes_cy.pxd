from ancestral._popcount cimport and3_count, and_count, and_into

cdef class Planes:
    cdef unsigned long long[:, ::1] planes
    cdef unsigned long long[:, ::1] masks
    cdef unsigned long long[:, ::1] mask
    cdef int[::1] levels
    cdef int[::1] first
    cdef unsigned char[::1] complete
    cdef int[:, ::1] both
    cdef int[::1] held
    cdef Py_ssize_t held_size
    cdef Py_ssize_t held_strata
    cdef Py_ssize_t passes(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -1 nogil
    cdef int tabulate(
        self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size, int[::1] counts) except? -1 nogil
    cdef int hold(self, int[::1] given, Py_ssize_t size) except? -1 nogil
    cdef int fill(
        self, unsigned long long[:, ::1] strata, Py_ssize_t stratum, bint is_plane, Py_ssize_t rows, Py_ssize_t x,
        Py_ssize_t y, int[::1] counts, Py_ssize_t start) except? -1 nogil
    cdef Py_ssize_t common(
        self, unsigned long long[:, ::1] strata, Py_ssize_t stratum, bint is_plane, Py_ssize_t plane
    ) except? -1 nogil
    cdef Py_ssize_t pair(self, Py_ssize_t p, Py_ssize_t q) except? -1 nogil
