from ancestral._pulse_cy cimport Pulse
from ancestral.graphs._marks cimport ARROW, CIRCLE, TAIL

cdef class Board:
    cdef readonly object array
    cdef readonly Py_ssize_t n
    cdef unsigned char[:, ::1] marks
    cdef int[::1] offsets
    cdef int[::1] targets
    cdef unsigned char[::1] pointed
    cdef int[:, ::1] circles
    cdef Py_ssize_t circle_count
    cdef unsigned char[::1] votes
    cdef int[:, ::1] proposals
    cdef Py_ssize_t proposal_count
    cdef int[::1] witnesses
    cdef Py_ssize_t witness_count
    cdef int[:, ::1] written
    cdef Py_ssize_t written_count
    cdef int[::1] reasons
    cdef Py_ssize_t reason_count
    cdef int[:, ::1] refusals
    cdef Py_ssize_t refusal_count
    cdef Pulse pulse
    cdef readonly bint begun
    cdef readonly bint knows
    cdef const unsigned char[:, ::1] no_cause
    cdef bint knows_unconfounded
    cdef const unsigned char[:, ::1] unconfounded
    cdef bint knows_targets
    cdef const unsigned char[:, ::1] target
    cdef bint sufficient
    cdef readonly bint has_no_edge
    cdef public int rule
    cdef object directed_walks
    cdef Py_ssize_t walked_at
    cdef bint has_targets(self, Py_ssize_t c) noexcept
    cdef int witness(self, Py_ssize_t node) except? -1
    cdef int because(self, Py_ssize_t a, Py_ssize_t b, Py_ssize_t c, Py_ssize_t d) except? -1
    cdef int propose(self, Py_ssize_t x, Py_ssize_t y, int at_x, int at_y, Py_ssize_t since) except? -1
    cdef Py_ssize_t place(self, Py_ssize_t x, Py_ssize_t y) noexcept
    cdef int vote(self, Py_ssize_t x, Py_ssize_t y, int mark) except? -1
    cdef int open_to(self, Py_ssize_t x, Py_ssize_t y, int mark) except? -1
    cdef int write(self, Py_ssize_t k, Py_ssize_t x, Py_ssize_t y, int mark) except? -1
    cdef int refuse(self, Py_ssize_t k) except? -1
    cdef int keep_reasons(self, Py_ssize_t k) except? -1
    cdef int find_circles(self) except? -1
    cdef int drop_written_circles(self) except? -1
