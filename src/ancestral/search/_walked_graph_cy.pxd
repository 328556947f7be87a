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
    cdef unsigned int[::1] visited
    cdef unsigned int stamp
    cdef int[::1] queue
    cdef int[::1] nodes
    cdef bint ways_known
    cdef int[::1] back
    cdef unsigned char[:, ::1] opened
    cdef int[:, ::1] trail
    cdef int find_pools(self) except? -1 nogil
    cdef int find_pool(self, Py_ssize_t x) except? -1 nogil
    cdef int find_ways_back(self) except? -1 nogil
