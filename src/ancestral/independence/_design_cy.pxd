from libc.math cimport exp, fabs, lgamma, log
from ancestral.independence._questions_cy cimport Questions

cdef class DesignedQuestions(Questions):
    cdef object __weakref__
    cdef double alpha
    cdef double rows
    cdef readonly double used
    cdef readonly double raw
    cdef readonly double effect
    cdef readonly double shown_df
    cdef readonly double freedom
    cdef double[:, ::1] cross
    cdef double total
    cdef double squares
    cdef double[::1] own
    cdef int[::1] present
    cdef int begin_sums(self, Py_ssize_t size) except? -1 nogil
    cdef int add_group(self, Py_ssize_t size) except? -1 nogil
    cdef double trace_of_square(self, Py_ssize_t size) noexcept nogil
    cdef int measure(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -1 nogil
    cdef int judge(self, double statistic, double df, double even, double groups, double spent, double unit) except? -1 nogil

cdef double freedom_of(double total, double squares, double groups, double most) noexcept nogil
cdef double f_tail(double ratio, double df, double other) noexcept nogil
cdef double beta_fraction(double a, double b, double x) noexcept nogil
