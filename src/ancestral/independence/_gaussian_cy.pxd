from libc.math cimport fabs, isnan
from ancestral.independence._column_products_cy cimport ColumnProducts
from ancestral.independence._questions_cy cimport Questions

cdef class PartialCorrelations(Questions):
    cdef bint in_matrix
    cdef ColumnProducts products
    cdef const double[:, ::1] correlation
    cdef double[::1] with_x
    cdef double[::1] with_y
    cdef double[::1] threshold
    cdef double[:, ::1] scratch
    cdef double[:, ::1] steps
    cdef double[:, ::1] pair_left
    cdef double[:, :, ::1] left
    cdef long long[:, ::1] stamps
    cdef long long[::1] stamp_of
    cdef long long clock
    cdef Py_ssize_t singular_from
    cdef double[::1] squares
    cdef double[::1] priority
    cdef double r(self, Py_ssize_t x, Py_ssize_t y) noexcept nogil
    cdef double rho2(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -2 nogil
    cdef int eliminate(self, Py_ssize_t v, Py_ssize_t top) except? -1 nogil
    cdef bint is_closer(self, Py_ssize_t i) noexcept nogil
    cdef int given_one(self, const double[::1] with_x, const double[::1] with_y, int[::1] nodes, Py_ssize_t count) except? -1 nogil
