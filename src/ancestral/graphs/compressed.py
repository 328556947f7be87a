"""A matrix of steps as compressed rows, the form in which kernels walk through a graph."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["compressed"]


def compressed(steps: ArrayLike) -> tuple[NDArray[np.intc], NDArray[np.intc], NDArray[np.intc]]:
    """Sources, targets and offsets of all that is not zero, row by row.

    Entry i is the step from `sources[i]` to `targets[i]`; those from x are offsets[x] … offsets[x + 1] - 1, their
    targets increasing.
    """
    matrix = np.asarray(steps)
    sources, targets = np.nonzero(matrix)
    offsets = np.searchsorted(sources, np.arange(len(matrix) + 1))
    return sources.astype(np.intc), targets.astype(np.intc), offsets.astype(np.intc)
