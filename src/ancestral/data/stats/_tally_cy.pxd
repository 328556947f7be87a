cdef int add_shifted(const int[::1] codes, unsigned long long[:, ::1] out, Py_ssize_t word, int shift) except? -1 nogil
cdef int sort_by_digit(
    const unsigned long long[::1] words, unsigned long long[::1] out, Py_ssize_t[::1] starts, int shift
) except? -1 nogil
cdef Py_ssize_t runs(
    const unsigned long long[::1] ordered, unsigned long long[:, ::1] out, long long[::1] weights
) except? -1 nogil
