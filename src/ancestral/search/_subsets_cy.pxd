cimport cython
from ancestral.search._asking_cy cimport Asking

@cython.final
cdef class Subsets(Asking):
    cdef readonly object array
    cdef const unsigned char[:, ::1] inside
    cdef const unsigned char[:, ::1] known
    cdef bint has_known
    cdef bint copied
    cdef bint fixed
    cdef int[::1] starts
    cdef int[::1] targets
    cdef int[::1] pool
    cdef Py_ssize_t pool_size
    cdef int find_pool(self, Py_ssize_t side) except? -1 nogil
    cdef int ask_single(self, Py_ssize_t side) except? -1 nogil
    cdef int choose(self, Py_ssize_t side, Py_ssize_t size, Py_ssize_t first) except? -1 nogil
    cdef bint was_asked(self, Py_ssize_t side, Py_ssize_t size, Py_ssize_t z) noexcept nogil
    cdef bint all_in(self, Py_ssize_t root, Py_ssize_t size, Py_ssize_t z) noexcept nogil
    cdef bint was_known(self, Py_ssize_t root, Py_ssize_t v) noexcept nogil
    cdef bint all_known(self, Py_ssize_t root, Py_ssize_t size, Py_ssize_t z) noexcept nogil
