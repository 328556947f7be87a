cdef Py_ssize_t merge(
    const unsigned long long[:, ::1] words, const long long[::1] weights,
    const unsigned long long[:, ::1] other_words, const long long[::1] other_weights,
    unsigned long long[:, ::1] out_words, long long[::1] out_weights
) except? -1
cdef Py_ssize_t merge_single(
    const unsigned long long[:, ::1] words, const long long[::1] weights,
    const unsigned long long[:, ::1] other_words, const long long[::1] other_weights,
    unsigned long long[:, ::1] out_words, long long[::1] out_weights
) except? -1
cdef int compared(
    const unsigned long long[:, ::1] words, Py_ssize_t i, const unsigned long long[:, ::1] other_words, Py_ssize_t j
) except? -2 nogil
