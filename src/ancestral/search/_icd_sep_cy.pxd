cimport cython
from ancestral._c cimport bit64
from ancestral._pulse_cy cimport Pulse
from ancestral.graphs._marks cimport ARROW
from ancestral.independence._questions_cy cimport Questions
from ancestral.search._set_levels_cy cimport SetLevels
from ancestral.search._walked_graph_cy cimport WalkedGraph

@cython.final
cdef class IcdSep(WalkedGraph):
    cdef int[:, ::1] near
    cdef int[::1] near_count
    cdef Py_ssize_t side
    cdef int[:, ::1] distance
    cdef int[:, ::1] within
    cdef int[::1] within_count
    cdef int[::1] place
    cdef unsigned char[::1] seen
    cdef int[::1] candidates
    cdef Py_ssize_t candidate_count
    cdef Py_ssize_t[::1] opened_count
    cdef Py_ssize_t[::1] opened_before
    cdef int[:, ::1] entries
    cdef Py_ssize_t lacking
    cdef Py_ssize_t joined
    cdef SetLevels levels
    cdef Py_ssize_t most_kept
    cdef bint at_once
    cdef bint any_grown
    cdef unsigned char[:, ::1] inside
    cdef int[:, ::1] ways
    cdef int reach(self, Py_ssize_t side) except? -1 nogil
    cdef int search_neighbours(self) except? -1 nogil
    cdef int find_near(self, Py_ssize_t side) except? -1 nogil
    cdef bint closed_for(self, Py_ssize_t side) except? -1 nogil
    cdef bint passes(self, Py_ssize_t t, Py_ssize_t u, Py_ssize_t v) noexcept nogil
    cdef bint allowed(self, Py_ssize_t root, Py_ssize_t v) noexcept nogil
    cdef bint may_lead_on(self, Py_ssize_t v) noexcept nogil
    cdef bint in_pool(self, Py_ssize_t v) noexcept nogil
    cdef int choose_near(self, Py_ssize_t size, Py_ssize_t first, bint shared) except? -1 nogil
    cdef int search_farther(self, Py_ssize_t farthest) except? -1 nogil
    cdef int ask_kept(self) except? -1 nogil
    cdef int grow_from_roots(self) except? -1 nogil
    cdef int grow(self, Py_ssize_t size, Py_ssize_t first, Py_ssize_t total, Py_ssize_t theirs) except? -1 nogil
    cdef int join(self, Py_ssize_t side, Py_ssize_t count) except? -1 nogil
    cdef void open_step(self, Py_ssize_t side, Py_ssize_t step) noexcept nogil
    cdef void close_steps(self, Py_ssize_t side, Py_ssize_t count) noexcept nogil
    cdef int follow(self) except? -1 nogil
    cdef void part(self, Py_ssize_t count) noexcept nogil
    cdef bint is_turn_of_other_side(self, Py_ssize_t size, Py_ssize_t level, Py_ssize_t theirs) except? -1 nogil
