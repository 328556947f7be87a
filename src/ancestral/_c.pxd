# C helpers of the kernels; their interpreted twins are in _cython.py or in Python's own library.
cdef extern from *:
    """
    #define ancestral_bit64(i) (1ULL << ((i) & 63))

    #include <math.h>
    static inline long long ancestral_count_log_count(long long count, double unit) {
        return llrintl((long double)count * logl((long double)count) / (long double)unit);
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
    long long exact_count_log_count "ancestral_count_log_count"(long long count, double unit) noexcept nogil
