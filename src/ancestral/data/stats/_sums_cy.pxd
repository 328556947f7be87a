cdef int centre(
    double[:, ::1] matrix, double[::1] mean, double[::1] shrink, Py_ssize_t first, double[:, ::1] block
) except? -1 nogil
cdef int raise_powers(double[:, ::1] block, double[:, ::1] powers) except? -1 nogil
cdef int multiply(double[:, ::1] block, double[:, ::1] products) except? -1 nogil
cdef int add(double[:, ::1] part, double[:, ::1] whole) except? -1 nogil
