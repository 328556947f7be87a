cimport cython
from ancestral._pulse_cy cimport Pulse
from ancestral.independence._questions_cy cimport Questions
from ancestral.orientation._judge_cy cimport Sepsets

@cython.final
cdef class WindowWitnesses:
    cdef Questions questions
    cdef const unsigned char[:, ::1] marks
    cdef Sepsets sepsets
    cdef const unsigned char[:, ::1] causes
    cdef const unsigned char[:, ::1] no_cause
    cdef Pulse pulse
    cdef Py_ssize_t n
    cdef int[::1] base
    cdef Py_ssize_t base_count
    cdef int[::1] given
    cdef int[:, ::1] pool
    cdef unsigned char[::1] in_first
    cdef Py_ssize_t x
    cdef Py_ssize_t y
    cdef Py_ssize_t row
    cdef int[:, ::1] sets
    cdef unsigned char[::1] recorded
    cdef int[::1] sizes
    cdef double[:, ::1] evidence
    cdef bint both(self, Py_ssize_t v) noexcept nogil
    cdef Py_ssize_t find_pool(self, Py_ssize_t side, Py_ssize_t x, Py_ssize_t y) noexcept nogil
    cdef void find_base(self) noexcept nogil
    cdef int answer(self, int z, int w) except? -1 nogil
    cdef int answer_recorded(self) except? -1 nogil
    cdef int fill(self, Py_ssize_t size) except? -1 nogil
