from ancestral._pulse_cy cimport Pulse
from ancestral.scores._ancestral_cy cimport AncestralGraph
from ancestral.scores._districts_cy cimport Districts
from ancestral.scores._parameters_cy cimport Parameters
from ancestral.scores._types cimport NO_EDGE, FORTH, BACK, BOTH

cdef double UNKNOWN

cdef class ScoredGraph:
    cdef readonly AncestralGraph graph
    cdef readonly Districts districts
    cdef Parameters kept
    cdef readonly Py_ssize_t n
    cdef readonly double total
    cdef readonly long long weighed
    cdef readonly long long screened
    cdef readonly long long made
    cdef Pulse pulse
    cdef double rows
    cdef double[::1] penalties
    cdef double latent_cost
    cdef Py_ssize_t exact_nodes
    cdef int[::1] width
    cdef long long[::1] keys
    cdef double[::1] values
    cdef Py_ssize_t used
    cdef int[:, ::1] change
    cdef int changes
    cdef int[::1] affected
    cdef Py_ssize_t affected_count
    cdef int[::1] members
    cdef Py_ssize_t member_count
    cdef int[::1] piece
    cdef int[::1] listed
    cdef int listing
    cdef int[::1] pieces
    cdef Py_ssize_t piece_count
    cdef double old_f
    cdef double added
    cdef bint recorded
    cdef double saved_total
    cdef int[:, ::1] undo
    cdef Py_ssize_t undo_count
    cdef double penalty(self, Py_ssize_t a, Py_ssize_t b) noexcept nogil
    cdef double look_up(self, long long key) noexcept nogil
    cdef int remember(self, long long key, double value) except? -1 nogil
    cdef void put(self, int i, Py_ssize_t a, Py_ssize_t b, int kind) noexcept nogil
    cdef void add_affected(self, int v) noexcept nogil
    cdef int begin_change(self) except? -1 nogil
    cdef int apply(self) except? -1 nogil
    cdef int revert(self) except? -1 nogil
    cdef long long take_piece(self, Py_ssize_t i) noexcept nogil
    cdef double weigh(self) except? -1e300 nogil
    cdef double bound(self) except? -1e300 nogil
    cdef double screen(self) except? -1e300 nogil
    cdef double fit_changed(self) except? -1e300 nogil
    cdef int is_legal(self) except? -1 nogil
    cdef int record(self) except? -1 nogil
    cdef int make(self, double limit) except? -1 nogil
    cdef double fit_and_keep(self, Py_ssize_t count) except? -1e300 nogil
    cdef int note_pieces(self, Py_ssize_t largest) except? -1 nogil
