cimport cython
from ancestral._c cimport bit64
from ancestral._pulse_cy cimport Pulse
from ancestral.graphs._marks cimport ARROW, TAIL
from ancestral.independence._questions_cy cimport Questions
from ancestral.search._asking_cy cimport Asking

@cython.final
cdef class IcdSep(Asking):
    cdef readonly object array
    cdef readonly object no_edge
    cdef const unsigned char[:, ::1] marks
    cdef const unsigned char[:, ::1] shields
    cdef bint copied
    cdef bint keep_triangles
    cdef int[:, ::1] near
    cdef int[::1] near_count
    cdef Py_ssize_t next_level
    cdef bint filter_all
    cdef bint filter_distant
    cdef bint anteriors
    cdef int[::1] starts
    cdef int[::1] degree
    cdef int[::1] sources
    cdef int[::1] targets
    cdef unsigned long long[:, ::1] pools
    cdef unsigned char[::1] pool_known
    cdef Py_ssize_t root
    cdef Py_ssize_t other
    cdef Py_ssize_t side
    cdef Py_ssize_t level
    cdef int[:, ::1] distance
    cdef int[:, ::1] within
    cdef int[::1] within_count
    cdef unsigned int[::1] visited
    cdef unsigned int stamp
    cdef int[::1] queue
    cdef int[::1] nodes
    cdef int[::1] place
    cdef unsigned char[::1] seen
    cdef int[:, ::1] candidates
    cdef int[::1] candidate_count
    cdef unsigned char[:, ::1] entered
    cdef int[:, ::1] trail
    cdef Py_ssize_t trail_count
    cdef unsigned char[:, ::1] inside
    cdef int[:, ::1] ways
    cdef int reach(self, Py_ssize_t side) except? -1 nogil
    cdef int grow(self, Py_ssize_t size, Py_ssize_t total, Py_ssize_t excluded) except? -1 nogil
    cdef int push(self, Py_ssize_t size, Py_ssize_t z) except? -1 nogil
    cdef int search_neighbours(self) except? -1 nogil
    cdef int find_near(self, Py_ssize_t side) except? -1 nogil
    cdef bint is_turn_of_other_side(self) except? -1 nogil
    cdef bint closed_for(self, Py_ssize_t side) except? -1 nogil
    cdef bint passes(self, Py_ssize_t t, Py_ssize_t u, Py_ssize_t v) noexcept nogil
    cdef bint allowed(self, Py_ssize_t root, Py_ssize_t v) noexcept nogil
    cdef bint may_lead_on(self, Py_ssize_t v) noexcept nogil
    cdef bint in_pool(self, Py_ssize_t v) noexcept nogil
    cdef int find_pools(self) except? -1 nogil
    cdef int find_pool(self, Py_ssize_t x) except? -1 nogil
    cdef int grow_from_root(self) except? -1 nogil
    cdef void enter(self, Py_ssize_t j, Py_ssize_t i) noexcept nogil
