from ancestral._c cimport bit64
from ancestral.graphs._marks cimport ARROW, TAIL
from ancestral.search._asking_cy cimport Asking

cdef class WalkedGraph(Asking):
    cdef readonly object array
    cdef readonly object no_edge
    cdef const unsigned char[:, ::1] marks
    cdef const unsigned char[:, ::1] shields
    cdef bint copied
    cdef bint keep_triangles
    cdef bint filter_all
    cdef bint filter_distant
    cdef bint anteriors
    cdef int[::1] starts
    cdef int[::1] degree
    cdef int[::1] sources
    cdef int[::1] targets
    cdef unsigned long long[:, ::1] pools
    cdef unsigned char[::1] pool_known
    cdef int[::1] queue
    cdef int[::1] nodes
    cdef bint ways_known
    cdef int[::1] back
    cdef int[::1] word_at
    cdef int[::1] first_step
    cdef int[::1] onward_at
    cdef unsigned long long[::1] onward
    cdef Py_ssize_t onward_count
    cdef Py_ssize_t most_words
    cdef int find_pools(self) except? -1 nogil
    cdef int find_pool(self, Py_ssize_t x) except? -1 nogil
    cdef int find_ways(self) except? -1 nogil
    cdef void forget_onward(self) noexcept nogil
    cdef Py_ssize_t find_onward(self, Py_ssize_t step) noexcept nogil
    cdef bint passes(self, Py_ssize_t t, Py_ssize_t u, Py_ssize_t v) noexcept nogil
    cdef bint allowed(self, Py_ssize_t root, Py_ssize_t v) noexcept nogil
    cdef bint may_lead_on(self, Py_ssize_t v) noexcept nogil
    cdef bint in_pool(self, Py_ssize_t v) noexcept nogil
