from ancestral.scores._ancestral_cy cimport AncestralGraph
from ancestral.scores._districts_cy cimport Districts

cdef class Parameters:
    cdef const int[::1] offset
    cdef Py_ssize_t columns
    cdef double[:, ::1] b
    cdef double[:, ::1] k
    cdef double[:, ::1] h
    cdef double[:, ::1] v
    cdef double[:, ::1] m
    cdef int[:, ::1] m_columns
    cdef int[::1] m_count
    cdef int[::1] kept_with
    cdef double[::1] f
    cdef long long times_kept
    cdef int excursion
    cdef int[::1] saved_in
    cdef double[:, :, ::1] saved
    cdef int[:, ::1] saved_columns
    cdef int[::1] saved_count
    cdef int[::1] saved_with
    cdef double[::1] saved_f
    cdef long long saved_times_kept
    cdef int begin_fit(self, Districts fit, double f) except? -1 nogil
    cdef double covariance(self, Py_ssize_t u, Py_ssize_t w) noexcept nogil
    cdef void give_coefficients(self, Districts fit) noexcept nogil
    cdef void keep_single(self, Districts fit, Py_ssize_t v) noexcept nogil
    cdef int keep(self, Districts fit) except? -1 nogil
    cdef void note(self, int[::1] members, Py_ssize_t count, double f) noexcept nogil
    cdef void save(self, Py_ssize_t v) noexcept nogil
