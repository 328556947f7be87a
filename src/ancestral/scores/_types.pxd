# The types of a pair of nodes, for kernels; the same numbers as in edge_types.py, which kernels use where they are not
# compiled.
cdef enum:
    NO_EDGE = 0
    FORTH = 1
    BACK = 2
    BOTH = 3
