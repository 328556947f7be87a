cdef class Pulse:
    cdef object look
    cdef long long left
    cdef int beat(self) except? -1 nogil
