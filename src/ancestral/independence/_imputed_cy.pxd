from libc.math cimport atanh, exp, fabs, isnan, lgamma, log, log1p, sqrt
from ancestral.independence._questions_cy cimport ChiSquared, Questions, log_tail

cdef class Pooled(ChiSquared):
    cdef double log_alpha
    cdef int decide(self, Py_ssize_t x, Py_ssize_t y, Py_ssize_t size, double share, double df, double left) except? -1 nogil

cdef class PooledCorrelations(Pooled):
    cdef const double[:, :, ::1] correlation
    cdef double rows
    cdef double[:, ::1] scratch
    cdef double partial(self, Py_ssize_t which, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) noexcept nogil

cdef class PooledStatistics(Pooled):
    cdef list inner
    cdef double[:, ::1] found
    cdef int ask_all(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -1

cdef double log_f_tail(double value, double df, double left) noexcept nogil
cdef double log_beta_part(double a, double b, double x) noexcept nogil
cdef double chi2_of(double log_p, long long df) noexcept nogil
