"""The types of a pair of nodes in an ancestral graph without undirected edges, as numbers.

For the pair a, b: no edge, a --> b, a <-- b, a <-> b. A set of types is a number with the bits `1 << type`.
"""

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import ARROW, NONE, TAIL

__all__ = ["ANY_TYPE", "BACK", "BOTH", "FORTH", "NO_EDGE", "retyped", "reversed_types", "type_of"]

NO_EDGE, FORTH, BACK, BOTH = range(4)

#: The set of all types.
ANY_TYPE = 15


def type_of(marks: NDArray[np.uint8], a: int, b: int) -> int:
    """The type of the pair a, b in a matrix of marks.

    >>> type_of(np.array([[0, 2], [3, 0]]), 0, 1) == FORTH
    True
    """
    if marks[a, b] == NONE:
        return NO_EDGE
    if marks[a, b] == TAIL:
        return BACK
    return FORTH if marks[b, a] == TAIL else BOTH


def retyped(marks: NDArray[np.uint8], a: int, b: int, kind: int) -> NDArray[np.uint8]:
    """A copy of a matrix of marks in which the pair a, b has this type.

    >>> [type_of(retyped(np.zeros((2, 2), dtype=np.uint8), 0, 1, kind), 0, 1) for kind in range(4)]
    [0, 1, 2, 3]
    """
    out = marks.copy()
    out[a, b] = NONE if kind == NO_EDGE else TAIL if kind == BACK else ARROW
    out[b, a] = NONE if kind == NO_EDGE else TAIL if kind == FORTH else ARROW
    return out


def reversed_types(types: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The same sets of types for the pairs in the other order.

    >>> reversed_types(np.array([1 << FORTH | 1 << BOTH], dtype=np.uint8)) == (1 << BACK | 1 << BOTH)
    array([ True])
    """
    forth, back = types >> FORTH & 1, types >> BACK & 1
    return np.asarray(types & (1 << NO_EDGE | 1 << BOTH) | forth << BACK | back << FORTH, dtype=np.uint8)
