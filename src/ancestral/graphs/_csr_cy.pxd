cdef int go_through(const unsigned char[:, ::1] matrix, Py_ssize_t x, Py_ssize_t first, int[::1] targets, Py_ssize_t at) except? -1 nogil
