from libc.math cimport log
from ancestral._pulse_cy cimport Pulse
from ancestral.scores._ancestral_cy cimport AncestralGraph

cdef class Districts:
    cdef const double[:, ::1] covariance
    cdef const int[::1] offset
    cdef Pulse pulse
    cdef double tolerance
    cdef int sweeps
    cdef double[:, ::1] kept_b
    cdef double[:, ::1] kept_k
    cdef int[::1] kept_with
    cdef Py_ssize_t room
    cdef Py_ssize_t room_all
    cdef Py_ssize_t n
    cdef Py_ssize_t q
    cdef Py_ssize_t nodes
    cdef double logdet
    cdef int[::1] place
    cdef int[::1] place_stamp
    cdef int stamp
    cdef int[::1] column
    cdef int[::1] node
    cdef int[::1] start
    cdef int[::1] local
    cdef int[::1] pa
    cdef int[::1] sp
    cdef double[:, ::1] s
    cdef double[:, ::1] b
    cdef double[:, ::1] g
    cdef double[:, ::1] t
    cdef double[:, ::1] k
    cdef double[:, ::1] m
    cdef double[:, ::1] w
    cdef double[:, ::1] a
    cdef double[:, ::1] r
    cdef double[:, ::1] c
    cdef double[:, ::1] inner
    cdef double[:, ::1] back
    cdef readonly long long fits
    cdef readonly long long updates
    cdef double single(self, AncestralGraph graph, Py_ssize_t v, bint keep) except? -1e300 nogil
    cdef double invert(self, Py_ssize_t width) noexcept nogil
    cdef Py_ssize_t parent_columns(self, AncestralGraph graph, Py_ssize_t i) noexcept nogil
    cdef int cross_row(self, AncestralGraph graph, Py_ssize_t i) except? -1 nogil
    cdef double log_determinant_of_k(self) noexcept nogil
    cdef int grow(self, Py_ssize_t n, Py_ssize_t q) except? -1 nogil
    cdef int begin(self, AncestralGraph graph, int[::1] members, Py_ssize_t count) except? -1 nogil
    cdef int begin_anew(self, AncestralGraph graph) except? -1 nogil
    cdef int begin_kept(self, AncestralGraph graph, double logdet) except? -1 nogil
    cdef int finish_begin(self, AncestralGraph graph) except? -1 nogil
    cdef int residual_row(self, AncestralGraph graph, Py_ssize_t i) except? -1 nogil
    cdef int update(self, AncestralGraph graph, Py_ssize_t i) except? -1 nogil
    cdef double value(self) noexcept nogil
    cdef double converge(self, AncestralGraph graph) except? -1e300 nogil
    cdef int keep(self) except? -1 nogil
    cdef double fit(self, AncestralGraph graph, int[::1] members, Py_ssize_t count) except? -1e300 nogil

cdef double factorise(double[:, ::1] a, Py_ssize_t size) noexcept nogil
cdef void solve(double[:, ::1] a, Py_ssize_t size, double[:, ::1] r, Py_ssize_t width) noexcept nogil
