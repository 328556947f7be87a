from libc.math cimport cbrt, exp, floor, lgamma, log, sqrt
from ancestral._c cimport mixed_bits
from ancestral.independence._questions_cy cimport log_tail
from ancestral.independence._trace_moments_cy cimport third_of_trace, variance_of_trace

cdef class GivenMargins:
    cdef double[::1] threshold
    cdef double alpha
    cdef int[::1] kept
    cdef int[:, ::1] sizes
    cdef int[::1] totals
    cdef long long[::1] keys
    cdef int[:, ::1] order
    cdef int[::1] left
    cdef double[::1] log_factorial
    cdef double[:, :, ::1] small_thirds
    cdef Py_ssize_t strata
    cdef Py_ssize_t filled
    cdef double pearson
    cdef double mean
    cdef double variance
    cdef double least_expected
    cdef double least
    cdef double reciprocals
    cdef long long seed
    cdef long long uniforms
    cdef double statistic
    cdef long long df
    cdef void begin(self) noexcept nogil
    cdef int add(self, int[::1] margins, Py_ssize_t lx, Py_ssize_t ly, int total, double pearson) except? -1 nogil
    cdef Py_ssize_t keep(self, int[::1] margins, Py_ssize_t first, Py_ssize_t stop, Py_ssize_t at) except? -1 nogil
    cdef int judge(self) except? -1 nogil
    cdef void fit(self, double df) noexcept nogil
    cdef int fit_three(self) except? -1 nogil
    cdef bint is_clear(self) noexcept nogil
    cdef double third_cumulant(self) except? -1 nogil
    cdef double stratum_third(self, Py_ssize_t at, Py_ssize_t r, Py_ssize_t c, int total) except? -1 nogil
    cdef int sort_margins(self) except? -1 nogil
    cdef double log_least(self) except? -1 nogil
    cdef double exact(self) except? -1 nogil
    cdef double drawn(self) except? -1 nogil
    cdef int put_in_order(self) except? -1 nogil
    cdef double draw_all(self) except? -1 nogil
    cdef double draw(self, Py_ssize_t at_x, Py_ssize_t r, Py_ssize_t at_y, Py_ssize_t c) except? -1 nogil
    cdef long long hypergeometric(self, long long good, long long bad, long long sample) except? -1 nogil
    cdef double probability(self, long long k, long long good, long long bad, long long sample) noexcept nogil
    cdef double log_factorial_of(self, long long n) noexcept nogil
    cdef double log_choose(self, long long n, long long k) noexcept nogil

cdef int descend(int[::1] values, Py_ssize_t first, Py_ssize_t count) except? -1 nogil
cdef long long hashed(int[::1] values, Py_ssize_t first, Py_ssize_t count) except? -1 nogil
cdef long long folded(long long a, long long b) noexcept nogil
cdef double quantile(double p, long long df) noexcept nogil
