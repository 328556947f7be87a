cdef int take_steps(const double[::1] values, double low, unsigned char[::1] steps, unsigned char[::1] occurs) except? -1
