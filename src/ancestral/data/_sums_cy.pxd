cdef int centre(
    double[:, ::1] matrix, double[::1] mean, double[::1] shrink, Py_ssize_t first, Py_ssize_t stop,
    double[:, ::1] powers, double[:, ::1] block) except? -1 nogil
cdef int multiply(double[:, ::1] block, Py_ssize_t rows, double[:, ::1] part, double[:, ::1] products) except? -1 nogil
