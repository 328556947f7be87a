from ancestral.scores._types cimport BACK, BOTH, FORTH, NO_EDGE
from ancestral.graphs._marks cimport ARROW, TAIL
from ancestral._c cimport mixed_bits

cdef class AncestralGraph:
    cdef readonly Py_ssize_t n
    cdef unsigned char[:, ::1] marks
    cdef int[:, ::1] parents
    cdef int[:, ::1] children
    cdef int[:, ::1] spouses
    cdef int[::1] parent_count
    cdef int[::1] child_count
    cdef int[::1] spouse_count
    cdef long long[::1] node_hash
    cdef unsigned char[:, ::1] types_allowed
    cdef const unsigned char[:, ::1] no_cause
    cdef bint knows
    cdef int[::1] queue
    cdef int[::1] members
    cdef int[::1] seen
    cdef int[::1] seen_down
    cdef int[::1] seen_walk
    cdef int[::1] near
    cdef int stamp
    cdef int type_of(self, Py_ssize_t a, Py_ssize_t b) noexcept nogil
    cdef int set_type(self, Py_ssize_t a, Py_ssize_t b, int kind) except? -1 nogil
    cdef int may_set(self, Py_ssize_t a, Py_ssize_t b, int kind) except? -1 nogil
    cdef int link(self, Py_ssize_t a, Py_ssize_t b) except? -1 nogil
    cdef int unlink(self, Py_ssize_t a, Py_ssize_t b) except? -1 nogil
    cdef Py_ssize_t mark_ancestors(self, Py_ssize_t v) noexcept nogil
    cdef Py_ssize_t collect_descendants(self, Py_ssize_t v, int[::1] out) noexcept nogil
    cdef int is_ancestor(self, Py_ssize_t a, Py_ssize_t b) noexcept nogil
    cdef Py_ssize_t district(self, Py_ssize_t v, int[::1] out, Py_ssize_t count) noexcept nogil
    cdef int begin_districts(self) noexcept nogil
    cdef int is_induced(self, Py_ssize_t x, Py_ssize_t y) except? -1 nogil
    cdef Py_ssize_t induced_from(self, Py_ssize_t x) except? -2 nogil
    cdef int is_maximal_after(self, Py_ssize_t a, Py_ssize_t b) except? -1 nogil

cdef int insert(int[::1] row, Py_ssize_t count, Py_ssize_t v) except? -1 nogil
cdef int remove(int[::1] row, Py_ssize_t count, Py_ssize_t v) except? -1 nogil
