# Bit planes, rows of a matrix of words: what two or three have in common, counted. Interpreted twins are in _cython.py.
# The machine that runs decides whether 256 bits are counted at once: by a table of the ones in four bits, looked up for
# 64 of them in two instructions, and summed byte by byte (Mula, Kurz & Lemire 2018). The counts are the same.
cdef extern from *:
    """
    typedef unsigned long long ancestral_word;

    static Py_ssize_t ancestral_popcount(ancestral_word w) {
        w = w - ((w >> 1) & 0x5555555555555555ULL);
        w = (w & 0x3333333333333333ULL) + ((w >> 2) & 0x3333333333333333ULL);
        w = (w + (w >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (Py_ssize_t)((w * 0x0101010101010101ULL) >> 56);
    }

    /* `out` and `c` may be NULL: then the common rows are not kept, and there is no third plane */
    static Py_ssize_t ancestral_common_by_words(
        ancestral_word *out, const ancestral_word *a, const ancestral_word *b, const ancestral_word *c,
        Py_ssize_t first, Py_ssize_t words
    ) {
        Py_ssize_t count = 0;
        for (Py_ssize_t i = first; i < words; i++) {
            ancestral_word w = c ? a[i] & b[i] & c[i] : a[i] & b[i];
            if (out) out[i] = w;
            count += ancestral_popcount(w);
        }
        return count;
    }

    #if defined(__GNUC__) && defined(__x86_64__)
    #include <immintrin.h>
    __attribute__((target("avx2"))) static inline Py_ssize_t ancestral_common_by_vectors(
        ancestral_word *out, const ancestral_word *a, const ancestral_word *b, const ancestral_word *c,
        Py_ssize_t words
    ) {
        const __m256i ones = _mm256_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
        const __m256i low = _mm256_set1_epi8(15), zero = _mm256_setzero_si256();
        __m256i sums = zero;
        ancestral_word lanes[4];
        Py_ssize_t i = 0, whole = words & ~(Py_ssize_t)3;
        while (i < whole) {
            __m256i bytes = zero; /* 31 times at most 8 fit into a byte */
            Py_ssize_t end = whole - i > 31 * 4 ? i + 31 * 4 : whole;
            for (; i < end; i += 4) {
                __m256i w = _mm256_and_si256(
                    _mm256_loadu_si256((const __m256i *)(a + i)), _mm256_loadu_si256((const __m256i *)(b + i)));
                if (c) w = _mm256_and_si256(w, _mm256_loadu_si256((const __m256i *)(c + i)));
                if (out) _mm256_storeu_si256((__m256i *)(out + i), w);
                bytes = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(ones, _mm256_and_si256(w, low)));
                bytes = _mm256_add_epi8(
                    bytes, _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi32(w, 4), low)));
            }
            sums = _mm256_add_epi64(sums, _mm256_sad_epu8(bytes, zero));
        }
        _mm256_storeu_si256((__m256i *)lanes, sums);
        return (Py_ssize_t)(lanes[0] + lanes[1] + lanes[2] + lanes[3])
            + ancestral_common_by_words(out, a, b, c, whole, words);
    }

    /* one function for each use, so that the compiler knows which planes there are */
    __attribute__((target("avx2"))) static Py_ssize_t ancestral_vectors2(
        const ancestral_word *a, const ancestral_word *b, Py_ssize_t words
    ) { return ancestral_common_by_vectors(NULL, a, b, NULL, words); }
    __attribute__((target("avx2"))) static Py_ssize_t ancestral_vectors3(
        const ancestral_word *a, const ancestral_word *b, const ancestral_word *c, Py_ssize_t words
    ) { return ancestral_common_by_vectors(NULL, a, b, c, words); }
    __attribute__((target("avx2"))) static Py_ssize_t ancestral_vectors_into(
        ancestral_word *out, const ancestral_word *a, const ancestral_word *b, Py_ssize_t words
    ) { return ancestral_common_by_vectors(out, a, b, NULL, words); }
    #define ANCESTRAL_EITHER(vectors, otherwise) (__builtin_cpu_supports("avx2") ? (vectors) : (otherwise))
    #else
    #define ANCESTRAL_EITHER(vectors, otherwise) (otherwise)
    #endif

    #define ancestral_and2(a, b, n) \\
        ANCESTRAL_EITHER(ancestral_vectors2(a, b, n), ancestral_common_by_words(NULL, a, b, NULL, 0, n))
    #define ancestral_and3(a, b, c, n) \\
        ANCESTRAL_EITHER(ancestral_vectors3(a, b, c, n), ancestral_common_by_words(NULL, a, b, c, 0, n))
    #define ancestral_and_into(out, a, b, n) \\
        ANCESTRAL_EITHER(ancestral_vectors_into(out, a, b, n), ancestral_common_by_words(out, a, b, NULL, 0, n))
    """
    ctypedef unsigned long long word "ancestral_word"
    Py_ssize_t and2_words "ancestral_and2"(word* a, word* b, Py_ssize_t words) noexcept nogil
    Py_ssize_t and3_words "ancestral_and3"(word* a, word* b, word* c, Py_ssize_t words) noexcept nogil
    Py_ssize_t and_into_words "ancestral_and_into"(word* out, word* a, word* b, Py_ssize_t words) noexcept nogil


cdef inline Py_ssize_t and_count(
    unsigned long long[:, ::1] a, Py_ssize_t i, unsigned long long[:, ::1] b, Py_ssize_t j
) except -1 nogil:
    return and2_words(&a[i, 0], &b[j, 0], a.shape[1])


cdef inline Py_ssize_t and3_count(
    unsigned long long[:, ::1] a, Py_ssize_t i, unsigned long long[:, ::1] b, Py_ssize_t j, Py_ssize_t k
) except -1 nogil:
    return and3_words(&a[i, 0], &b[j, 0], &b[k, 0], a.shape[1])


cdef inline Py_ssize_t and_into(
    unsigned long long[:, ::1] out, Py_ssize_t o,
    unsigned long long[:, ::1] a, Py_ssize_t i, unsigned long long[:, ::1] b, Py_ssize_t j
) except -1 nogil:
    return and_into_words(&out[o, 0], &a[i, 0], &b[j, 0], a.shape[1])
