from ancestral._pulse_cy cimport Pulse
from ancestral.independence._questions_cy cimport Questions
from ancestral.orientation._judge_cy cimport Sepsets

cdef Py_ssize_t meet_unshielded(const unsigned char[:, ::1] at, int[::1] offsets, int[::1] targets, Sepsets sepsets, Pulse pulse, Py_ssize_t most, bint writes, long long[::1] places, int[:, ::1] found) except? -1
cdef long long least_questions(const unsigned char[:, ::1] at, int[::1] offsets, int[::1] targets, Sepsets sepsets, Pulse pulse, long long most, int[::1] met) except? -1
cdef long long subsets(long long d, int largest) noexcept nogil

cdef class NeighbourSets:
    cdef Pulse pulse
    cdef Sepsets sepsets
    cdef int[::1] offsets
    cdef int[::1] targets
    cdef bint prunes
    cdef const unsigned char[:, ::1] no_cause
    cdef int[::1] pool
    cdef int[::1] given
    cdef long long[:, ::1] pools
    cdef long long stamp
    cdef Py_ssize_t x
    cdef Py_ssize_t y
    cdef long long row
    cdef int[:, ::1] sets
    cdef int[::1] sizes
    cdef int[:, ::1] ends
    cdef Py_ssize_t find_pool(self, Py_ssize_t side, Py_ssize_t root) noexcept nogil
    cdef bint in_pool(self, Py_ssize_t side, Py_ssize_t size) noexcept nogil
    cdef int add_subsets(self, Py_ssize_t side, Py_ssize_t count, Py_ssize_t largest) except? -1 nogil
    cdef int add_recorded(self, Py_ssize_t largest) except? -1 nogil
    cdef int add(self, Py_ssize_t size) except? -1 nogil
