cdef double variance_of_trace(double x1, double t, double y1, double u, double n) noexcept nogil
cdef double contrast(double reciprocals, double t, double n) noexcept nogil
cdef double third_of_trace(double x1, double x2, double t, double y1, double y2, double u, double n) noexcept nogil
