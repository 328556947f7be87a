from ancestral._c cimport bit64
from ancestral._lowest_bit cimport lowest_bit
from ancestral.search._walked_graph_cy cimport WalkedGraph

cdef class OpenSteps(WalkedGraph):
    cdef int[:, ::1] distance
    cdef int[:, ::1] within
    cdef int[::1] within_count
    cdef unsigned int[::1] visited
    cdef unsigned int stamp
    cdef Py_ssize_t side
    cdef int[::1] place
    cdef unsigned char[::1] seen
    cdef int[::1] candidates
    cdef Py_ssize_t candidate_count
    cdef unsigned long long[:, ::1] closed
    cdef int[:, ::1] trail
    cdef unsigned long long[:, ::1] trail_bits
    cdef Py_ssize_t[::1] trail_count
    cdef Py_ssize_t[::1] trail_before
    cdef int[:, ::1] entries
    cdef Py_ssize_t lacking
    cdef Py_ssize_t joined
    cdef int reach(self, Py_ssize_t side) except? -1 nogil
    cdef void close(self, Py_ssize_t side, Py_ssize_t u) noexcept nogil
    cdef void begin_walks(self, Py_ssize_t side) noexcept nogil
    cdef int join(self, Py_ssize_t side, Py_ssize_t count) except? -1 nogil
    cdef Py_ssize_t queue_ways_into(self, Py_ssize_t side, Py_ssize_t count) noexcept nogil
    cdef void leave_walks(self, Py_ssize_t side, Py_ssize_t count) noexcept nogil
    cdef int follow(self) except? -1 nogil
    cdef void part(self, Py_ssize_t count) noexcept nogil
