cimport cython
from ancestral._pulse_cy cimport Pulse
from ancestral.graphs._marks cimport ARROW, CIRCLE, TAIL

@cython.final
cdef class MemberSearch:
    cdef readonly Py_ssize_t n
    cdef readonly bint contradictory
    cdef int[::1] offsets
    cdef int[::1] sources
    cdef int[::1] targets
    cdef int[::1] mates
    cdef unsigned char[::1] mark
    cdef unsigned char[::1] member
    cdef bint has_member
    cdef bint sought
    cdef unsigned char[::1] free
    cdef unsigned char[::1] lone
    cdef int[::1] arrows
    cdef bint knows
    cdef const unsigned char[:, ::1] no_cause
    cdef Pulse pulse
    cdef int[::1] trail
    cdef Py_ssize_t height
    cdef Py_ssize_t settled
    cdef int[::1] before
    cdef int[::1] after
    cdef int[::1] is_after
    cdef int[::1] is_before
    cdef int stamp
    cdef int[:, ::1] ends
    cdef unsigned char[::1] verdicts
    cdef unsigned char[::1] active
    cdef int[::1] partner_offsets
    cdef int[::1] partners
    cdef int[::1] partner_triples
    cdef int[::1] decided_heights
    cdef Py_ssize_t decided
    cdef int[::1] choices
    cdef int[::1] heights
    cdef unsigned char[::1] flipped
    cdef void _find_mates(self) noexcept nogil
    cdef Py_ssize_t place(self, Py_ssize_t x, Py_ssize_t y) noexcept nogil
    cdef bint assign(self, Py_ssize_t e, int mark) noexcept nogil
    cdef void undo(self, Py_ssize_t height) noexcept nogil
    cdef int propagate(self) except? -1 nogil
    cdef bint arrow_follows(self, Py_ssize_t e) noexcept nogil
    cdef bint tail_follows(self, Py_ssize_t e) noexcept nogil
    cdef bint directed(self, Py_ssize_t u, Py_ssize_t v) noexcept nogil
    cdef Py_ssize_t reach(self, Py_ssize_t root, bint forward, int[::1] out, int[::1] stamps) noexcept nogil
    cdef int decide(self, Py_ssize_t t) except? -1 nogil
    cdef int try_mark(self, Py_ssize_t e, int mark) except? -1 nogil
    cdef int fill(self, int preference, bint descending, Py_ssize_t backtracks) except? -1 nogil
    cdef int preferred(self, Py_ssize_t e, int preference, bint descending) noexcept nogil
