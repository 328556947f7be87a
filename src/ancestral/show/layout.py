"""Where the nodes of a picture stand.

If most edges have a direction, they lead from left to right through layers (Sugiyama), unless that takes too much room;
otherwise the distances on the page follow those in the graph (Kamada and Kawai, stress). igraph computes both.
Connected components are placed side by side, and boxes that overlap are pushed apart. Nodes are numbered by name, so
the picture does not depend on the order of columns.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ancestral.errors import OptionError
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import ARROW, NONE
from ancestral.graphs.names import in_order
from ancestral.show.labels import FONT_SIZE, shortened, text_width

__all__ = ["Arrangement", "Layout", "Positions", "arrange"]

Layout = Literal["layered", "stress"]
Positions = Mapping[str, tuple[float, float]]
Points = NDArray[np.float64]

_AS_POSITIONS = "write {'a': (0, 0), 'b': (120, 0)}"

#: Pixels between two boxes, across and down, so that both marks of an edge fit in between.
GAP = np.array([44.0, 34.0])
#: Pixels between two connected components.
PART_GAP = 56.0
#: Pixels between layers, and between the nodes of a layer.
LAYER_GAP, ROW = 84.0, 66.0
#: The median length of an edge in pixels where distances follow the graph.
EDGE_LENGTH = 170.0
#: Layers are not used if they need this many times the area of stress: they are then mostly empty.
MOST_ROOM = 2.0
#: The share of edges with a direction from which on layers are used.
MOSTLY = 0.6
#: Rounds in which overlapping boxes are pushed apart; then the whole picture is stretched until none overlap.
ROUNDS = 300


@dataclass(frozen=True)
class Arrangement:
    """The boxes of a picture, in the order of `names`: their centres (y downwards), widths and heights, and labels."""

    names: tuple[str, ...]
    centres: Points
    sizes: Points
    labels: tuple[str, ...]

    @property
    def positions(self) -> dict[str, tuple[float, float]]:
        """Where each node stands, for another picture of the same nodes."""
        return {name: (float(x), float(y)) for name, (x, y) in zip(self.names, self.centres, strict=True)}


def arrange(
    graph: MixedGraph,
    layout: Layout | None = None,
    positions: Positions | None = None,
    first: Collection[str] = (),
) -> Arrangement:
    """The boxes of a graph.

    `layout` is "layered" or "stress"; None chooses by the edges. `positions`, of an earlier picture, are taken as they
    are. `first` are nodes that stand to the left of the others where that costs nothing. Raises OptionError for an
    option that cannot be used.
    """
    if layout is not None and (not isinstance(layout, str) or layout not in ("layered", "stress")):
        raise OptionError("must be 'layered', 'stress' or None", option="layout", value=layout)
    names = tuple(in_order(graph.nodes))
    labels = tuple(shortened(name) for name in names)
    widths = [max(text_width(label) + 20, 40) for label in labels]
    sizes = np.array([(width, FONT_SIZE + 17) for width in widths]).reshape(-1, 2)
    marks = graph.arranged(names)
    before = np.array([name in first for name in names], dtype=bool)
    centres = _placed(marks, sizes, layout, before) if positions is None else _given(names, positions)
    return Arrangement(names, centres, sizes, labels)


def _given(names: tuple[str, ...], positions: Positions) -> Points:
    """The positions that the caller gives, checked."""
    if not isinstance(positions, Mapping):
        raise OptionError("must be a dictionary", option="positions", value=positions, way_out=_AS_POSITIONS)
    for name in names:
        if name not in positions:
            raise OptionError(f"must have a position for every node, got none for {name!r}", option="positions")
    try:
        centres = np.array([positions[name] for name in names], dtype=float).reshape(-1, 2)
    except (TypeError, ValueError):
        centres = np.full((1, 2), np.nan)
    if (len(centres) != len(names) and names) or not np.isfinite(centres).all():
        raise OptionError("must have two finite numbers for every node", option="positions", way_out=_AS_POSITIONS)
    return centres


def _placed(marks: NDArray[np.uint8], sizes: Points, layout: Layout | None, first: NDArray[np.bool_]) -> Points:
    if not len(sizes):
        return np.zeros((0, 2))
    import igraph

    joined = igraph.Graph(n=len(sizes), edges=np.argwhere(np.triu(marks != NONE)))
    parts = sorted(joined.connected_components(), key=len, reverse=True)  # of equal size: in the order of names
    places = [_part(marks[np.ix_(part, part)], sizes[part], layout, first[part]) for part in parts]
    return _packed(parts, places, sizes)


def _part(marks: NDArray[np.uint8], sizes: Points, layout: Layout | None, first: NDArray[np.bool_]) -> Points:
    """The positions of the nodes of a connected component."""
    if len(marks) == 1:
        return np.zeros((1, 2))
    directed = (marks == ARROW) & (marks.T != ARROW)
    mostly = np.count_nonzero(directed) >= MOSTLY * np.count_nonzero(marks) / 2
    if layout == "layered" or (layout is None and mostly):
        layered = _apart(_layered(marks, directed, sizes), sizes)
        if layout == "layered":
            return layered
    stressed = _apart(_turned(_stressed(marks), first), sizes)
    if layout is None and mostly and _area(layered, sizes) <= MOST_ROOM * _area(stressed, sizes):
        return layered
    return stressed


def _area(centres: Points, sizes: Points) -> float:
    width, height = (centres + sizes / 2).max(axis=0) - (centres - sizes / 2).min(axis=0)
    return float(width * height)


def _layered(marks: NDArray[np.uint8], directed: NDArray[np.bool_], sizes: Points) -> Points:
    """Positions in layers, from left to right along arrowheads; other edges lead from the smaller number."""
    import igraph

    others = np.triu((marks != NONE) & ~directed & ~directed.T)
    found = igraph.Graph(n=len(marks), edges=np.argwhere(directed | others), directed=True).layout_sugiyama(maxiter=400)
    across, layer = np.array(found.coords[: len(marks)]).T
    layers = layer.astype(int)
    widths = np.array([sizes[layers == k, 0].max(initial=0.0) for k in range(layers.max() + 1)])
    left = np.concatenate([[0.0], np.cumsum(widths + LAYER_GAP)[:-1]])
    return np.column_stack([(left + widths / 2)[layers], across * ROW])


def _stressed(marks: NDArray[np.uint8]) -> Points:
    """Positions whose distances follow those in the graph; the longer side of the whole lies flat."""
    import igraph

    edges = np.argwhere(np.triu(marks != NONE))
    found = igraph.Graph(n=len(marks), edges=edges).layout_kamada_kawai(maxiter=max(500, 20 * len(marks)))
    points = np.array(found.coords)
    lengths = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
    points = (points - points.mean(axis=0)) * (EDGE_LENGTH / max(float(np.median(lengths)), 1e-9))
    axes = np.linalg.svd(points, full_matrices=False)[2]
    return points @ (axes.T if np.linalg.det(axes) > 0 else axes.T * [1, -1])


def _turned(points: Points, first: NDArray[np.bool_]) -> Points:
    """The same positions, as in a mirror if the first nodes would otherwise stand to the right of the others."""
    if not 0 < np.count_nonzero(first) < len(points) or points[first, 0].mean() <= points[~first, 0].mean():
        return points
    return points * [-1, 1]


def _apart(centres: Points, sizes: Points) -> Points:
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


def _packed(parts: list[list[int]], places: list[Points], sizes: Points) -> Points:
    """The components on shelves, the largest first, so that the page is wider than high."""
    corners = []
    for part, points in zip(parts, places, strict=True):
        low, high = (points - sizes[part] / 2).min(axis=0), (points + sizes[part] / 2).max(axis=0)
        corners.append((low, high - low))
    area = sum(float(np.prod(size + PART_GAP)) for _, size in corners)
    widest = max(float(np.sqrt(1.8 * area)), *(float(size[0]) for _, size in corners), 0.0)
    out = np.zeros_like(sizes)
    x = y = shelf = 0.0
    for part, points, (low, (width, height)) in zip(parts, places, corners, strict=True):
        if x and x + width > widest:
            x, y, shelf = 0.0, y + shelf + PART_GAP, 0.0
        out[part] = points - low + [x, y]
        x, shelf = x + width + PART_GAP, max(shelf, float(height))
    return out
