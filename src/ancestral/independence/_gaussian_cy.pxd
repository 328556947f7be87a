from libc.math cimport isnan
from ancestral.independence._questions_cy cimport Questions

cdef class PartialCorrelations(Questions):
    cdef double[:, ::1] correlation
    cdef double[::1] threshold
    cdef double[:, ::1] scratch
    cdef double rho2(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -2 nogil
