from ancestral._pulse_cy cimport Pulse
from ancestral.independence._questions_cy cimport Questions

cdef class Asking:
    cdef readonly long long asked
    cdef readonly long long grown  # sets with fewer nodes, on the way to those asked about, ever
    cdef readonly bint any_sets
    cdef readonly list listed
    cdef readonly Py_ssize_t done
    cdef Pulse pulse
    cdef Questions questions
    cdef Py_ssize_t batch_size
    cdef Py_ssize_t room
    cdef int[::1] last
    cdef Py_ssize_t last_count
    cdef Py_ssize_t pushed
    cdef Py_ssize_t n
    cdef readonly Py_ssize_t radius
    cdef int[::1] roots
    cdef int[::1] chosen
    cdef int[::1] closest
    cdef double[::1] liking
    cdef bint prunes
    cdef const unsigned char[:, ::1] no_cause
    cdef bint outside(self, Py_ssize_t v) noexcept nogil
    cdef int try_sets(self, Py_ssize_t x, Py_ssize_t y) except? -1 nogil
    cdef int ask_last(self, Py_ssize_t size) except? -1 nogil
    cdef bint chosen_belongs(self, Py_ssize_t x, Py_ssize_t y) except? -1 nogil
    cdef int sort_by_preference(self, int[::1] nodes, Py_ssize_t first, Py_ssize_t stop) except? -1 nogil
    cdef bint comes_before(self, Py_ssize_t u, Py_ssize_t v) noexcept nogil
    cdef int begin_pair(self, Py_ssize_t x, Py_ssize_t y) except? -1 nogil
    cdef int ask_preferred(self, Py_ssize_t count) except? -1 nogil
    cdef int ask_with(self, Py_ssize_t size, Py_ssize_t z) except? -1 nogil
    cdef void leave(self, Py_ssize_t size) noexcept nogil
