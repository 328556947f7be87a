from libc.math cimport fabs
from ancestral._pulse_cy cimport Pulse
from ancestral.scores._ancestral_cy cimport AncestralGraph
from ancestral.scores._districts_cy cimport Districts

cdef class Climb:
    cdef readonly AncestralGraph graph
    cdef readonly Districts districts
    cdef Pulse pulse
    cdef double rows
    cdef double log_rows
    cdef double extra
    cdef Py_ssize_t n
    cdef int[::1] width
    cdef double[::1] f_node
    cdef double[::1] logdet_node
    cdef readonly double total
    cdef long long[::1] keys
    cdef double[::1] values
    cdef Py_ssize_t used
    cdef int[::1] affected
    cdef Py_ssize_t affected_count
    cdef int[::1] old_members
    cdef int[::1] new_members
    cdef int[::1] piece
    cdef int[::1] pieces
    cdef unsigned char[::1] touched
    cdef unsigned char[::1] near
    cdef readonly Py_ssize_t pairs
    cdef int[::1] first
    cdef int[::1] second
    cdef double[:, ::1] delta
    cdef int[:, ::1] blocked
    cdef unsigned char[::1] dirty
    cdef double[::1] compound
    cdef int[:, ::1] compound_move
    cdef int[::1] compound_blocked
    cdef unsigned char[::1] compound_dirty
    cdef unsigned char[::1] active
    cdef int[:, ::1] change
    cdef int changes
    cdef int accepted
    cdef readonly long long weighed
    cdef readonly long long screened
    cdef readonly long long taken
    cdef Py_ssize_t exact_nodes
    cdef double penalty(self, Py_ssize_t a, Py_ssize_t b) noexcept nogil
    cdef double look_up(self, long long key) noexcept nogil
    cdef int remember(self, long long key, double value) except? -1 nogil
    cdef int list_affected(self) noexcept nogil
    cdef int apply(self) except? -1 nogil
    cdef int revert(self) except? -1 nogil
    cdef double weigh(self) except? -1e300 nogil
    cdef double screen(self, Py_ssize_t count, double logdet) except? -1e300 nogil
    cdef void put(self, int i, Py_ssize_t a, Py_ssize_t b, int kind) noexcept nogil
    cdef double fit_and_keep(self, Py_ssize_t count) except? -1e300 nogil
    cdef int note_kept(self, Py_ssize_t count) except? -1 nogil
    cdef int touch_pairs(self, Py_ssize_t count) except? -1 nogil
    cdef int legal(self) except? -1 nogil
    cdef int try_changes(self, double limit) except? -1 nogil
    cdef int refresh(self, Py_ssize_t i) except? -1 nogil
    cdef int refresh_compound(self, Py_ssize_t i) except? -1 nogil
    cdef int step(self) except? -1 nogil
    cdef int compound_step(self) except? -1 nogil
