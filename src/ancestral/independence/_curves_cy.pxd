from libc.math cimport cos, sqrt
from ancestral.independence._residual_products_cy cimport ResidualProducts

cdef class BasisProducts(ResidualProducts):
    cdef Py_ssize_t fill_design(self, Py_ssize_t room, Py_ssize_t of_powers) except? -1 nogil

cdef class FourierProducts(ResidualProducts):
    cdef double[:, ::1] frequencies
    cdef double[::1] phases
    cdef unsigned char[::1] is_number
    cdef Py_ssize_t fill_design(self, Py_ssize_t room, Py_ssize_t of_powers) except? -1 nogil
