"""Places whose distances follow those in the graph (Kamada and Kawai), computed by igraph, with boxes apart."""

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import NONE

__all__ = ["EDGE_LENGTH", "apart", "stressed", "turned"]

Points = NDArray[np.float64]

#: Pixels between two boxes, across and down, so that both marks of an edge fit in between.
GAP = np.array([44.0, 34.0])
#: The median length of an edge in pixels.
EDGE_LENGTH = 170.0
#: Rounds in which overlapping boxes are pushed apart; then the whole picture is stretched until none overlap.
ROUNDS = 300


def stressed(marks: NDArray[np.uint8]) -> Points:
    """Positions whose distances follow those in the graph; the longer side of the whole lies flat."""
    import igraph

    if len(marks) == 1:
        return np.zeros((1, 2))
    edges = np.argwhere(np.triu(marks != NONE))
    found = igraph.Graph(n=len(marks), edges=edges).layout_kamada_kawai(maxiter=max(500, 20 * len(marks)))
    points = np.array(found.coords)
    lengths = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
    points = (points - points.mean(axis=0)) * (EDGE_LENGTH / max(float(np.median(lengths)), 1e-9))
    axes = np.linalg.svd(points, full_matrices=False)[2]
    return points @ (axes.T if np.linalg.det(axes) > 0 else axes.T * [1, -1])


def turned(points: Points, first: NDArray[np.bool_]) -> Points:
    """The same positions, as in a mirror if the first nodes would otherwise stand to the right of the others."""
    if not 0 < np.count_nonzero(first) < len(points) or points[first, 0].mean() <= points[~first, 0].mean():
        return points
    return points * [-1, 1]


def apart(centres: Points, sizes: Points) -> Points:
    """Push overlapping boxes apart, each pair along the axis where less is needed; finally stretch the whole."""
    out = centres.astype(float).copy()
    needed = (sizes[:, None, :] + sizes[None, :, :]) / 2 + GAP
    for turn in range(20 * ROUNDS):
        between = out[None, :, :] - out[:, None, :]
        lacking = needed - np.abs(between)
        first, second = np.nonzero(np.triu((lacking > 1e-6).all(axis=2), 1))
        if not len(first):
            break
        if turn >= ROUNDS:
            out *= 1.02
            continue
        axis = np.argmin(lacking[first, second], axis=1)
        step = np.where(between[first, second, axis] < 0, -0.5, 0.5) * lacking[first, second, axis]
        np.subtract.at(out, (first, axis), 0.6 * step)
        np.add.at(out, (second, axis), 0.6 * step)
    return out
