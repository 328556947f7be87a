from libc.math cimport sqrt
from ancestral.independence._design_cy cimport f_tail, freedom_of
from ancestral.independence._questions_cy cimport ChiSquared, Questions

cdef class ResidualProducts(ChiSquared):
    cdef object __weakref__
    cdef double[:, ::1] tested
    cdef int[::1] tested_starts
    cdef double[:, ::1] terms
    cdef int[::1] term_starts
    cdef int[::1] first_terms
    cdef int[::1] place
    cdef double[::1] scales
    cdef unsigned char[:, ::1] missing
    cdef bint has_missing
    cdef double[::1] threshold
    cdef bint designed
    cdef double alpha
    cdef double[::1] roots
    cdef long long[::1] group_starts
    cdef Py_ssize_t groups
    cdef double ratio
    cdef int[::1] members
    cdef int[::1] listed
    cdef Py_ssize_t size
    cdef Py_ssize_t length
    cdef double[:, ::1] design
    cdef double[:, ::1] residuals
    cdef double[:, ::1] fitted
    cdef double[:, ::1] powers
    cdef Py_ssize_t power_count
    cdef double[:, ::1] gram
    cdef double[:, ::1] factor
    cdef double[::1] shares
    cdef double[::1] solved
    cdef int[::1] columns
    cdef Py_ssize_t kept
    cdef double[:, ::1] weights
    cdef double[::1] products
    cdef double[::1] sums
    cdef double[:, ::1] second
    cdef readonly double used
    cdef int measure(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -1 nogil
    cdef int list_complete(self, Py_ssize_t x, Py_ssize_t y) except? -1 nogil
    cdef Py_ssize_t fill_design(self, Py_ssize_t room, Py_ssize_t of_powers) except? -1 nogil
    cdef int put(self, double[:, ::1] values, Py_ssize_t c, double[:, ::1] out, Py_ssize_t at) except? -1 nogil
    cdef int standardise(self, double[:, ::1] rows, Py_ssize_t at) except? -1 nogil
    cdef int centre(self, double[:, ::1] rows, Py_ssize_t at) except? -1 nogil
    cdef int orthogonalise(self, Py_ssize_t count) except? -1 nogil
    cdef double leave(self, double[:, ::1] rows, Py_ssize_t at) except? -1 nogil
    cdef int put_powers(self, Py_ssize_t j, Py_ssize_t most) except? -1 nogil
    cdef int put_residuals(self, Py_ssize_t v, Py_ssize_t at) except? -1 nogil
    cdef int whiten(self, Py_ssize_t first, Py_ssize_t last, Py_ssize_t of) except? -1 nogil
    cdef double spent_on(self, double[:, ::1] rows, Py_ssize_t at) except? -1 nogil
    cdef int judge(self, double total, double one, double two, double lengths, double squares) except? -1 nogil
    cdef int compare(self, Py_ssize_t in_x, Py_ssize_t in_y, Py_ssize_t weight_count) except? -1 nogil

cdef double dot(double[:, ::1] a, Py_ssize_t i, double[:, ::1] b, Py_ssize_t j, Py_ssize_t first, Py_ssize_t last) noexcept nogil
cdef void subtract(double[:, ::1] a, Py_ssize_t i, double[:, ::1] b, Py_ssize_t j, double share, Py_ssize_t length) noexcept nogil
