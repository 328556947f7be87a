# C helpers of the kernels; their interpreted twins are in _cython.py.
cdef extern from *:
    """
    #define ancestral_bit64(i) (1ULL << ((i) & 63))
    """
    unsigned long long bit64 "ancestral_bit64"(Py_ssize_t position) noexcept nogil
