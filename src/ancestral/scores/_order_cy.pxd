from ancestral.scores._local_scores_cy cimport LocalScores

cdef class OrderSearch(LocalScores):
    cdef int[::1] root
    cdef unsigned char[:, ::1] ever
    cdef Py_ssize_t nodes
    cdef int[::1] up
    cdef int[::1] added
    cdef int[::1] target
    cdef double[::1] shrunk
    cdef int[::1] first
    cdef int[::1] count
    cdef int[::1] kept_first
    cdef int[::1] kept_count
    cdef Py_ssize_t candidates
    cdef int[::1] candidate
    cdef int[::1] child
    cdef Py_ssize_t kept
    cdef int[::1] kept_parent
    cdef int[::1] order
    cdef int[::1] rank_of
    cdef double[::1] score
    cdef double[::1] without
    cdef double[::1] with_x
    cdef double[::1] own
    cdef double[::1] totals
    cdef int[::1] others
    cdef Py_ssize_t new_node(self, Py_ssize_t v, Py_ssize_t up, Py_ssize_t added) except? -1 nogil
    cdef int expand(self, Py_ssize_t node) except? -1 nogil
    cdef Py_ssize_t list_path(self, Py_ssize_t node) noexcept nogil
    cdef int shrink(self, Py_ssize_t node) except? -1 nogil
    cdef Py_ssize_t leaf(self, Py_ssize_t v, Py_ssize_t before) except? -1 nogil
    cdef double trace(self, Py_ssize_t v, Py_ssize_t before) except? -1e300 nogil
    cdef int move(self, Py_ssize_t x) except? -1 nogil
