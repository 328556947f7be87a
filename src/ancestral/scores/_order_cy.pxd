from libc.math cimport exp, log
from ancestral._pulse_cy cimport Pulse
from ancestral.scores._districts_cy cimport factorise

cdef class OrderSearch:
    cdef const double[:, ::1] covariance
    cdef const int[::1] offset
    cdef int[::1] width
    cdef Py_ssize_t n
    cdef Py_ssize_t columns
    cdef double rows
    cdef double log_rows
    cdef double extra
    cdef const unsigned char[:, ::1] banned
    cdef Pulse pulse
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
    cdef int[::1] set_
    cdef int[::1] set_column
    cdef double[:, ::1] factor
    cdef double[:, ::1] left
    cdef double[::1] variance
    cdef double[::1] gain
    cdef double[:, ::1] small
    cdef int[::1] order
    cdef int[::1] rank
    cdef double[::1] score
    cdef double[::1] without
    cdef double[::1] with_x
    cdef double[::1] own
    cdef double[::1] totals
    cdef int[::1] others
    cdef readonly long long expanded
    cdef double penalty(self, Py_ssize_t a, Py_ssize_t b) noexcept nogil
    cdef Py_ssize_t new_node(self, Py_ssize_t v, Py_ssize_t up, Py_ssize_t added) except? -1 nogil
    cdef int expand(self, Py_ssize_t node) except? -1 nogil
    cdef double block_gain(self, Py_ssize_t v, Py_ssize_t u, Py_ssize_t rank) noexcept nogil
    cdef double local_score(self, Py_ssize_t v, Py_ssize_t size, Py_ssize_t skip) noexcept nogil
    cdef Py_ssize_t list_path(self, Py_ssize_t node) noexcept nogil
    cdef int shrink(self, Py_ssize_t node) except? -1 nogil
    cdef Py_ssize_t leaf(self, Py_ssize_t v, Py_ssize_t before) except? -1 nogil
    cdef double trace(self, Py_ssize_t v, Py_ssize_t before) except? -1e300 nogil
    cdef int move(self, Py_ssize_t x) except? -1 nogil
