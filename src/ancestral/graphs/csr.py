"""A matrix of steps as compressed rows, the form in which kernels walk through a graph."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ancestral.graphs._csr_cy import edges_above, edges_of, entries_left, scan, sources_of

__all__ = ["Neighbours", "compressed", "joined", "only_adjacent", "with_sources"]

#: Offsets and targets of compressed rows: the neighbours of x are targets[offsets[x]] … targets[offsets[x + 1] - 1].
Neighbours = tuple[NDArray[np.intc], NDArray[np.intc]]


def compressed(steps: ArrayLike) -> tuple[NDArray[np.intc], NDArray[np.intc], NDArray[np.intc]]:
    """The sources, targets and offsets of all entries that are not zero, row by row.

    Entry i is the step from `sources[i]` to `targets[i]`; the steps from x are entries offsets[x] … offsets[x + 1] - 1,
    in increasing order of their targets.
    """
    return scan(_bytes(steps))


def with_sources(
    offsets: NDArray[np.intc], targets: NDArray[np.intc]
) -> tuple[NDArray[np.intc], NDArray[np.intc], NDArray[np.intc]]:
    """Sources, targets and offsets, as `compressed` returns them, of rows that are compressed already."""
    return sources_of(offsets), targets, offsets


def only_adjacent(marks: NDArray[np.uint8], offsets: NDArray[np.intc], targets: NDArray[np.intc]) -> Neighbours:
    """The offsets and targets that are left in a graph that has lost edges; these were those of the graph before."""
    return entries_left(marks, offsets, targets)


def joined(
    marks: NDArray[np.uint8], neighbours: Neighbours | None = None
) -> tuple[NDArray[np.intc], NDArray[np.uint8]]:
    """The adjacent pairs as rows x, y with x < y, in order, and for each pair a row of the marks at x and at y.

    `neighbours`: the offsets and targets of the graph, if they are at hand.
    """
    matrix = np.ascontiguousarray(marks, dtype=np.uint8)
    return edges_above(matrix) if neighbours is None else edges_of(matrix, *neighbours)


def _bytes(matrix: ArrayLike) -> NDArray[np.uint8]:
    array = np.asarray(matrix)
    return np.ascontiguousarray(array if array.dtype == np.uint8 else array != 0, dtype=np.uint8)
