# Bytes, 64 at a time, as words of 64 bits: which of them are a given one, which are below 14. Interpreted twins are in _cython.py.
cdef extern from *:
    """
    #if defined(__SSE2__)
    #include <emmintrin.h>
    #define ANCESTRAL_MASK64(compare) \\
        unsigned long long out = 0; \\
        for (int part = 0; part < 4; part++) { \\
            __m128i some = _mm_loadu_si128((const __m128i *)(bytes + 16 * part)); \\
            out |= (unsigned long long)(unsigned)_mm_movemask_epi8(compare) << (16 * part); \\
        } \\
        return out;
    static inline unsigned long long ancestral_same_bytes(const unsigned char *bytes, unsigned char wanted) {
        const __m128i all = _mm_set1_epi8((char)wanted);
        ANCESTRAL_MASK64(_mm_cmpeq_epi8(some, all))
    }
    static inline unsigned long long ancestral_low_bytes(const unsigned char *bytes) {
        const __m128i all = _mm_set1_epi8(13);
        ANCESTRAL_MASK64(_mm_cmpeq_epi8(_mm_min_epu8(some, all), some))
    }
    #else
    static inline unsigned long long ancestral_same_bytes(const unsigned char *bytes, unsigned char wanted) {
        unsigned long long out = 0;
        for (int i = 0; i < 64; i++) out |= (unsigned long long)(bytes[i] == wanted) << i;
        return out;
    }
    static inline unsigned long long ancestral_low_bytes(const unsigned char *bytes) {
        unsigned long long out = 0;
        for (int i = 0; i < 64; i++) out |= (unsigned long long)(bytes[i] < 14) << i;
        return out;
    }
    #endif

    static inline unsigned long long ancestral_prefix_xor(unsigned long long word) {
        word ^= word << 1; word ^= word << 2; word ^= word << 4;
        word ^= word << 8; word ^= word << 16; word ^= word << 32;
        return word;
    }
    static inline Py_ssize_t ancestral_ones(unsigned long long w) {
        w = w - ((w >> 1) & 0x5555555555555555ULL);
        w = (w & 0x3333333333333333ULL) + ((w >> 2) & 0x3333333333333333ULL);
        w = (w + (w >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (Py_ssize_t)((w * 0x0101010101010101ULL) >> 56);
    }
    """
    unsigned long long same_at "ancestral_same_bytes"(const unsigned char* bytes, unsigned char wanted) noexcept nogil
    unsigned long long low_at "ancestral_low_bytes"(const unsigned char* bytes) noexcept nogil
    unsigned long long prefix_xor "ancestral_prefix_xor"(unsigned long long word) noexcept nogil
    Py_ssize_t ones "ancestral_ones"(unsigned long long word) noexcept nogil


# 64 bytes must be there
cdef inline unsigned long long same_bytes(
    const unsigned char[::1] data, Py_ssize_t first, unsigned char wanted
) except? 0xABCDEF nogil:
    return same_at(&data[first], wanted)


cdef inline unsigned long long low_bytes(const unsigned char[::1] data, Py_ssize_t first) except? 0xABCDEF nogil:
    return low_at(&data[first])
