from libc.math cimport log
from ancestral._pulse_cy cimport Pulse
from ancestral.scores._ancestral_cy cimport AncestralGraph
from ancestral.scores._cholesky_cy cimport SINGULAR, factorise, invert, solve

cdef class Districts:
    cdef const double[:, ::1] covariance
    cdef const int[::1] offset
    cdef Pulse pulse
    cdef double tolerance
    cdef int sweeps
    cdef Py_ssize_t columns
    cdef Py_ssize_t room
    cdef Py_ssize_t room_all
    cdef Py_ssize_t n
    cdef Py_ssize_t q
    cdef Py_ssize_t nodes
    cdef double f
    cdef int[::1] place
    cdef int[::1] place_stamp
    cdef int stamp
    cdef int[::1] column
    cdef int[::1] node
    cdef int[::1] start
    cdef int[::1] local
    cdef unsigned char[::1] due
    cdef int[::1] pa_start
    cdef int[::1] pa
    cdef int[::1] sp
    cdef double[:, ::1] s
    cdef double[:, ::1] b
    cdef double[:, ::1] k
    cdef double[:, ::1] h
    cdef double[:, ::1] v
    cdef double[:, ::1] a
    cdef double[:, ::1] r
    cdef double[:, ::1] scaled
    cdef double[:, ::1] u
    cdef double[:, ::1] tau
    cdef double[:, ::1] rho
    cdef double[:, ::1] inner
    cdef double[:, ::1] back
    cdef readonly long long fits
    cdef readonly long long updates
    cdef double single(self, AncestralGraph graph, Py_ssize_t v) except? -1e300 nogil
    cdef void find_single_parameters(self) noexcept nogil
    cdef int grow(self, Py_ssize_t n, Py_ssize_t q) except? -1 nogil
    cdef int begin(self, AncestralGraph graph, int[::1] members, Py_ssize_t count, Py_ssize_t fitted) except? -1 nogil
    cdef int begin_anew(self) except? -1 nogil
    cdef void find_h(self) noexcept nogil
    cdef void find_v(self) noexcept nogil
    cdef int update(self, AncestralGraph graph, Py_ssize_t i) except? -1 nogil
    cdef void leave_out(self, Py_ssize_t first, Py_ssize_t width) noexcept nogil
    cdef void put_in(self, Py_ssize_t width) noexcept nogil
    cdef double value(self) noexcept nogil
    cdef double converge(self, AncestralGraph graph) except? -1e300 nogil
    cdef double converge_nearby(self, AncestralGraph graph) except? -1e300 nogil
    cdef double checked(self) noexcept nogil
    cdef double fit(self, AncestralGraph graph, int[::1] members, Py_ssize_t count) except? -1e300 nogil
