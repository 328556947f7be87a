cimport cython
from ancestral._pulse_cy cimport Pulse
from ancestral.independence._questions_cy cimport Questions
from ancestral.search._cut_nodes_cy cimport CutNodes
from ancestral.search._set_levels_cy cimport SetLevels

@cython.final
cdef class IcdSep(CutNodes):
    cdef int[:, ::1] near
    cdef int[::1] near_count
    cdef SetLevels levels
    cdef Py_ssize_t most_kept
    cdef bint at_once
    cdef bint any_grown
    cdef Py_ssize_t farthest
    cdef unsigned char[:, ::1] inside
    cdef int[:, ::1] ways
    cdef int search_neighbours(self) except? -1 nogil
    cdef int find_near(self, Py_ssize_t side) except? -1 nogil
    cdef bint closed_for(self, Py_ssize_t side) except? -1 nogil
    cdef int choose_near(self, Py_ssize_t size, Py_ssize_t first, bint shared) except? -1 nogil
    cdef int search_farther(self, Py_ssize_t farthest) except? -1 nogil
    cdef int ask_kept(self) except? -1 nogil
    cdef int grow_from_roots(self) except? -1 nogil
    cdef int grow(self, Py_ssize_t size, Py_ssize_t first, Py_ssize_t total, Py_ssize_t theirs, unsigned long long lost) except? -1 nogil
    cdef int complete(self, Py_ssize_t first, Py_ssize_t total, Py_ssize_t theirs) except? -1 nogil
    cdef bint is_turn_of_other_side(self, Py_ssize_t z, Py_ssize_t level, Py_ssize_t theirs) except? -1 nogil
