from libc.math cimport atanh
from ancestral.independence._design_cy cimport DesignedQuestions
from ancestral.independence._latent_questions_cy cimport LatentQuestions

cdef class DesignedLatent(DesignedQuestions):
    cdef LatentQuestions latent
    cdef const double[:, ::1] sums
    cdef const double[::1] second
    cdef const double[::1] fourth
    cdef double[::1] added
    cdef double groups
    cdef double fewest
    cdef int add_units(self, Py_ssize_t count, double scale) except? -1 nogil
