from ancestral._bytes cimport low_bytes, ones, prefix_xor, same_bytes

cdef class Survey:
    cdef readonly Py_ssize_t end
    cdef readonly Py_ssize_t records
    cdef readonly Py_ssize_t lines
    cdef readonly bint irregular
    cdef int walk(
        self, const unsigned char[::1] data, unsigned char[::1] tail, Py_ssize_t first, Py_ssize_t width,
        unsigned char separator) except? -1 nogil

cdef class Record:
    cdef readonly Py_ssize_t end
    cdef readonly Py_ssize_t fields
    cdef readonly Py_ssize_t suspect
    cdef readonly bint complete
    cdef readonly bint blank
    cdef readonly bint bare
    cdef readonly bint spaced
    cdef readonly bint trailing
    cdef readonly bint open
    cdef readonly bint null
    cdef int walk(
        self, const unsigned char[::1] data, Py_ssize_t first, unsigned char separator,
        long long[:, ::1] bounds) except? -1 nogil
