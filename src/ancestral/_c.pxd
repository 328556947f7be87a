# C helpers of the kernels; their interpreted twins are in _cython.py or in Python's own library.
cdef extern from *:
    """
    #define ancestral_bit64(i) (1ULL << ((i) & 63))

    #include <math.h>
    static inline long long ancestral_count_log_count(long long count, double unit) {
        return llrintl((long double)count * logl((long double)count) / (long double)unit);
    }

    /* SplitMix64 (Steele, Lea & Flood 2014) of two numbers below 2**32 */
    static inline long long ancestral_mixed_bits(long long a, long long b) {
        unsigned long long z = (((unsigned long long)a << 32) ^ (unsigned long long)b) + 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return (long long)((z ^ (z >> 31)) >> 1);
    }

    #if defined(_WIN32)
    #include <windows.h>
    static inline double ancestral_seconds(void) { return 0.001 * (double)GetTickCount64(); }
    #else
    #include <time.h>
    static inline double ancestral_seconds(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    }
    #endif
    """
    unsigned long long bit64 "ancestral_bit64"(Py_ssize_t position) noexcept nogil
    double seconds "ancestral_seconds"() noexcept nogil
    long long mixed_bits "ancestral_mixed_bits"(long long a, long long b) noexcept nogil
    long long exact_count_log_count "ancestral_count_log_count"(long long count, double unit) noexcept nogil
