"""A matrix of steps as compressed rows, the form in which kernels walk through a graph."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ancestral.graphs._compressed_cy import scan

__all__ = ["compressed", "pairs_joined"]


def compressed(steps: ArrayLike) -> tuple[NDArray[np.intc], NDArray[np.intc], NDArray[np.intc]]:
    """Sources, targets and offsets of all that is not zero, row by row.

    Entry i is the step from `sources[i]` to `targets[i]`; those from x are offsets[x] … offsets[x + 1] - 1, their
    targets increasing.
    """
    return scan(_bytes(steps), False)


def pairs_joined(marks: ArrayLike) -> NDArray[np.intc]:
    """Rows x, y with x < y for all pairs with an entry above the diagonal, in order."""
    sources, targets, _ = scan(_bytes(marks), True)
    return np.column_stack([sources, targets])


def _bytes(matrix: ArrayLike) -> NDArray[np.uint8]:
    array = np.asarray(matrix)
    return np.ascontiguousarray(array if array.dtype == np.uint8 else array != 0, dtype=np.uint8)
