from ancestral._pulse_cy cimport Pulse
from ancestral.independence._questions_cy cimport Questions

cdef class EveryPair:
    cdef Questions questions
    cdef Pulse pulse
    cdef readonly bint quick
    cdef readonly long long asked
    cdef readonly Py_ssize_t done
    cdef bint skips
    cdef unsigned char[:, ::1] skipped
    cdef int[::1] skipped_in_row
    cdef int count_row(self, Py_ssize_t x) except? -1 nogil
