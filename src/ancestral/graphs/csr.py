"""A matrix of steps as compressed rows, the form in which kernels walk through a graph."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ancestral.graphs._csr_cy import edges_above, scan

__all__ = ["compressed", "joined"]


def compressed(steps: ArrayLike) -> tuple[NDArray[np.intc], NDArray[np.intc], NDArray[np.intc]]:
    """The sources, targets and offsets of all entries that are not zero, row by row.

    Entry i is the step from `sources[i]` to `targets[i]`; the steps from x are entries offsets[x] … offsets[x + 1] - 1,
    in increasing order of their targets.
    """
    return scan(_bytes(steps))


def joined(marks: NDArray[np.uint8]) -> tuple[NDArray[np.intc], NDArray[np.uint8]]:
    """The adjacent pairs as rows x, y with x < y, in order, and for each pair a row of the marks at x and at y."""
    return edges_above(np.ascontiguousarray(marks, dtype=np.uint8))


def _bytes(matrix: ArrayLike) -> NDArray[np.uint8]:
    array = np.asarray(matrix)
    return np.ascontiguousarray(array if array.dtype == np.uint8 else array != 0, dtype=np.uint8)
