# The place of the lowest bit that is set in a word, which must not be 0. The interpreted twin is in _cython.py.
cdef extern from *:
    """
    static inline Py_ssize_t ancestral_lowest_bit(unsigned long long word) {
    #if defined(__GNUC__)
        return (Py_ssize_t)__builtin_ctzll(word);
    #else
        Py_ssize_t place = 0;
        while (!(word & 1ULL)) {
            word >>= 1;
            place++;
        }
        return place;
    #endif
    }
    """
    Py_ssize_t lowest_bit "ancestral_lowest_bit"(unsigned long long word) noexcept nogil
