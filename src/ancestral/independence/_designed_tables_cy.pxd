from libc.math cimport log, sqrt
from ancestral.independence._design_cy cimport DesignedQuestions
from ancestral.independence._discrete_cy cimport count_strata

cdef class DesignedTables(DesignedQuestions):
    cdef int[:, ::1] codes
    cdef int[::1] levels
    cdef double[:, ::1] powers
    cdef long long[::1] group_starts
    cdef bint clustered
    cdef double groups
    cdef double supported
    cdef bint pearson
    cdef double rows_per_df
    cdef int[::1] cell
    cdef double[:, ::1] counts
    cdef double[::1] part
    cdef double[::1] in_strata
    cdef double[:, ::1] by_x
    cdef double[:, ::1] by_y
    cdef double[::1] part_x
    cdef double[::1] part_y
    cdef int tabulate(self, Py_ssize_t x, Py_ssize_t y, int[::1] given, Py_ssize_t size, Py_ssize_t cells) except? -1 nogil
    cdef double stratum_statistic(self, Py_ssize_t s, Py_ssize_t lx, Py_ssize_t ly) except? -1 nogil
    cdef double deviation(self, Py_ssize_t s, Py_ssize_t i, Py_ssize_t j, Py_ssize_t lx, Py_ssize_t ly) noexcept nogil
    cdef int add_clusters(self, Py_ssize_t strata, Py_ssize_t lx, Py_ssize_t ly) except? -1 nogil
    cdef int add_stratum(self, Py_ssize_t s, Py_ssize_t lx, Py_ssize_t ly) except? -1 nogil
    cdef double add_cells(self, Py_ssize_t strata, Py_ssize_t lx, Py_ssize_t ly) except? -1 nogil
