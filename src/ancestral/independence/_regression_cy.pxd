from libc.math cimport exp, fabs, isnan, log, sqrt
from ancestral.independence._blocks_cy cimport Blocks
from ancestral.independence._questions_cy cimport ChiSquared, log_tail

cdef class Regressions(Blocks):
    cdef const double[:, ::1] regressors
    cdef const int[:, ::1] codes
    cdef int[::1] levels
    cdef bint gaps_anywhere
    cdef Py_ssize_t count
    cdef Py_ssize_t answers
    cdef Py_ssize_t given_width
    cdef Py_ssize_t width
    cdef double[:, ::1] design
    cdef int[::1] response
    cdef int[::1] renumbered
    cdef int[::1] tally
    cdef int[::1] order
    cdef int[::1] chosen
    cdef double[:, ::1] hessian
    cdef double[:, ::1] factor
    cdef double[::1] gradient
    cdef double[::1] step
    cdef double[::1] beta
    cdef double[::1] trial
    cdef double[::1] chance
    cdef double[:, ::1] points
    cdef double[::1] third
    cdef double[::1] lean
    cdef int[:, ::1] fit_keys
    cdef double[:, ::1] fit_betas
    cdef double[:, ::1] fit_values
    cdef double likelihood
    cdef double correction
    cdef bint corrected
    cdef int by_regression(self, Py_ssize_t y, Py_ssize_t x, int[::1] given, Py_ssize_t size) except? -1 nogil
    cdef int keep_columns(self, Py_ssize_t in_z, Py_ssize_t width) except? -1 nogil
    cdef int number_levels(self, Py_ssize_t y) except? -1 nogil
    cdef int gather_rows(self, Py_ssize_t y) except? -1 nogil
    cdef int fit_given(self, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -1 nogil
    cdef int fit(self, Py_ssize_t width, bint separated) except? -1 nogil
    cdef double value_at(self, double[::1] beta, Py_ssize_t width) noexcept nogil
    cdef int derive(self, Py_ssize_t width) except? -1 nogil
    cdef double expansion(self, Py_ssize_t width) noexcept nogil
    cdef Py_ssize_t slot_of(self, Py_ssize_t y, Py_ssize_t size) noexcept nogil

cdef bint more_likely(double statistic, long long df, double other, long long other_df) noexcept nogil
cdef double chances_of(const double[:, ::1] design, Py_ssize_t t, double[::1] beta, Py_ssize_t answers, Py_ssize_t width, Py_ssize_t stride, int response, double[::1] chance) noexcept nogil
cdef int decompose(double[:, ::1] matrix, double[:, ::1] factor, Py_ssize_t n) noexcept nogil
cdef void solve_lower(double[:, ::1] factor, double[::1] vector, Py_ssize_t n, Py_ssize_t first) noexcept nogil
cdef void solve_upper(double[:, ::1] factor, double[::1] vector, Py_ssize_t n) noexcept nogil
