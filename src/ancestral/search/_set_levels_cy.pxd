cimport cython

@cython.final
cdef class SetLevels:
    cdef readonly Py_ssize_t low
    cdef readonly Py_ssize_t high
    cdef Py_ssize_t size
    cdef Py_ssize_t capacity
    cdef Py_ssize_t allocated
    cdef Py_ssize_t count
    cdef Py_ssize_t stem_count
    cdef Py_ssize_t stem
    cdef int[::1] last
    cdef int[::1] stem_of
    cdef int[::1] slot_of
    cdef int[::1] next
    cdef int[::1] stems
    cdef int[::1] first
    cdef int[::1] end
    cdef int begin(self, Py_ssize_t low, Py_ssize_t high, Py_ssize_t size, Py_ssize_t capacity) except? -1 nogil
    cdef void begin_stem(self) noexcept nogil
    cdef void add(self, int[::1] stem, Py_ssize_t z, Py_ssize_t level, Py_ssize_t side) noexcept nogil
    cdef void lower(self) noexcept nogil
    cdef void keep_up_to(self, Py_ssize_t high) noexcept nogil
    cdef void link(self, Py_ssize_t k) noexcept nogil
    cdef Py_ssize_t shared(self, Py_ssize_t stem, int[::1] nodes) noexcept nogil
