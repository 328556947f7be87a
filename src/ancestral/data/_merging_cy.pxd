cdef Py_ssize_t merge(
    unsigned long long[:, ::1] words, long long[::1] weights,
    unsigned long long[:, ::1] other_words, long long[::1] other_weights,
    unsigned long long[:, ::1] out_words, long long[::1] out_weights
) except? -1
cdef int compared(
    unsigned long long[:, ::1] words, Py_ssize_t i, unsigned long long[:, ::1] other_words, Py_ssize_t j
) except? -2 nogil
