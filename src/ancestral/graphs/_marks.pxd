# The marks at the ends of edges, for kernels; the same numbers as in marks.py, which kernels use where they are not compiled.
cdef enum:
    CIRCLE = 1
    ARROW = 2
    TAIL = 3
