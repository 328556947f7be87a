from ancestral.independence._questions_cy cimport Questions

cdef class Custom(Questions):
    cdef object answer
