from libc.math cimport isnan

from ancestral.independence._questions_cy cimport Questions

cdef class Custom(Questions):
    cdef readonly list names
    cdef object function
    cdef double alpha
    cdef object checked
    cdef double p_value(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size) except? -1
