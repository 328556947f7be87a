from ancestral._c cimport bit64
from ancestral._lowest_bit cimport lowest_bit
from ancestral.search._open_steps_cy cimport OpenSteps

cdef class CutNodes(OpenSteps):
    cdef bint knows_cuts
    cdef bint changed
    cdef int[::1] number
    cdef unsigned long long[::1] cut_off
    cdef unsigned long long[::1] common
    cdef unsigned long long[::1] on_walks
    cdef unsigned int[::1] taken
    cdef void find_cuts(self) noexcept nogil
    cdef bint too_few_without(self, unsigned long long lost) noexcept nogil
    cdef void find_common(self) noexcept nogil
    cdef Py_ssize_t pass_on(self, Py_ssize_t tail) noexcept nogil
