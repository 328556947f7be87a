"""Where the nodes of a picture stand, and the curves of its edges.

Nodes stand in columns, and edges with a direction lead from left to right where that costs little (`columns` and
`tracks`); several numbers of columns are tried, and the best shape is taken. On request, distances on the page follow
those in the graph instead (`stress`). Connected components are placed side by side. Nodes are numbered by name, so
the picture does not depend on the order of the data's columns.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ancestral.errors import OptionError
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import ARROW, NONE
from ancestral.graphs.names import in_order
from ancestral.show.columns import along_a_line, columns_of, depth
from ancestral.show.labels import shortened, text_width
from ancestral.show.stress import EDGE_LENGTH, apart, stressed, turned
from ancestral.show.tracks import BOX_HEIGHT, GAP, Drawing, drawing

__all__ = ["Arrangement", "Layout", "Positions", "arrange"]

Layout = Literal["layered", "stress"]
Positions = Mapping[str, tuple[float, float]]
Points = NDArray[np.float64]

_AS_POSITIONS = "write {'a': (0, 0), 'b': (120, 0)}"

#: Pixels between two connected components.
PART_GAP = 56.0
#: The shape of the place where pictures are shown, width by height, and its height in pixels; the studio has less room
#: than a report by itself.
ASPECT, PANEL = 1.6, 560.0
#: Pixels of a column that a box takes, with what passes it.
ROW = 72.0
#: What it costs, as a share of the size, if no edge leads as it should.
AGAINST = 1.5
#: Nodes of a component up to which several numbers of columns are tried.
MOST_TRIED = 150


@dataclass(frozen=True)
class Arrangement:
    """The boxes of a picture, in the order of `names`: their centres (y downwards), widths and heights, and labels.

    `curves` has the curve of each edge that the layout has found a way for, by the numbers of its ends, from the first
    to the second: 2k + 1 points, k quadratic Bézier curves one after the other.
    """

    names: tuple[str, ...]
    centres: Points
    sizes: Points
    labels: tuple[str, ...]
    curves: Mapping[tuple[int, int], Points] = field(default_factory=dict)

    @property
    def positions(self) -> dict[str, tuple[float, float]]:
        """Where each node stands, for another picture of the same nodes."""
        return {name: (float(x), float(y)) for name, (x, y) in zip(self.names, self.centres, strict=True)}


def arrange(
    graph: MixedGraph,
    layout: Layout | None = None,
    positions: Positions | None = None,
    first: Collection[str] = (),
    tiers: Sequence[Collection[str]] = (),
) -> Arrangement:
    """The boxes of a graph.

    `layout` is "layered", as None is, or "stress". `positions`, of an earlier picture, are taken as they are. `first`
    are nodes that stand to the left of the others; nodes of a tier stand to the left of those of later tiers. Raises
    OptionError for an option that cannot be used.
    """
    if layout is not None and (not isinstance(layout, str) or layout not in ("layered", "stress")):
        raise OptionError("must be 'layered', 'stress' or None", option="layout", value=layout)
    names = tuple(in_order(graph.nodes))
    labels = tuple(shortened(name) for name in names)
    widths = np.array([max(text_width(label) + 20, 40) for label in labels])
    sizes = np.column_stack([widths, np.full(len(names), BOX_HEIGHT)])
    if positions is not None:
        return Arrangement(names, _given(names, positions), sizes, labels)
    if not names:
        return Arrangement(names, np.zeros((0, 2)), sizes, labels)
    marks = graph.arranged(names)
    groups = _tiers(names, first, tiers)
    # tiers are columns of the whole page
    parts = [list(range(len(names)))] if tiers and layout != "stress" else _parts(marks)
    drawn = []
    for part in parts:
        inner = marks[np.ix_(part, part)]
        if layout == "stress":
            centres = apart(turned(stressed(inner), groups[part] == 0), sizes[part])
            drawn.append(Drawing(centres, sizes[part], {}))
        else:
            drawn.append(_layered(inner, widths[part], groups[part]))
    made = _assembled(parts, drawn, sizes)
    return Arrangement(names, made.centres, made.sizes, labels, made.curves)


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


def _parts(marks: NDArray[np.uint8]) -> list[list[int]]:
    """The connected components, the largest first; of equal size, in the order of names."""
    import igraph

    joined = igraph.Graph(n=len(marks), edges=np.argwhere(np.triu(marks != NONE)))
    return sorted(joined.connected_components(), key=len, reverse=True)


def _tiers(names: tuple[str, ...], first: Collection[str], tiers: Sequence[Collection[str]]) -> NDArray[np.intp]:
    """The group of columns of each node: what comes first, then its tier; without a tier, the middle one."""
    tier_of = {name: k + 1 for k, tier in enumerate(tiers) for name in tier}
    without = (len(tiers) + 1) // 2 + (not tiers)
    return np.array([0 if name in first else tier_of.get(name, without) for name in names], dtype=np.intp)


def _layered(marks: NDArray[np.uint8], widths: Points, groups: NDArray[np.intp]) -> Drawing:
    """The best drawing in columns of a component, among several numbers of columns."""
    count = len(marks)
    tiers: NDArray[np.intp] = np.unique(groups, return_inverse=True)[1]
    if count == 1:
        return drawing(marks, np.zeros(1, dtype=np.intp), widths, ASPECT)
    line = along_a_line(marks, stressed(marks)[:, 0] / EDGE_LENGTH)
    best = round(float(np.sqrt(ASPECT * count * ROW / (widths.mean() + GAP))))
    numbers = {best}
    if count <= MOST_TRIED:
        longest = depth(marks)
        numbers |= {best - 1, best + 1, best + 2, (best + longest) // 2, longest}
    tried: dict[bytes, tuple[float, int, NDArray[np.intp]]] = {}
    for number in sorted(number for number in numbers if 2 <= number <= count or number == best):
        columns = columns_of(marks, line, tiers, max(number, 1))
        if columns.tobytes() not in tried:
            rough = drawing(marks, columns, widths, ASPECT, improve=False)
            tried[columns.tobytes()] = _cost(rough, marks, columns), len(tried), columns
    return drawing(marks, min(tried.values())[2], widths, ASPECT)


def _cost(found: Drawing, marks: NDArray[np.uint8], columns: NDArray[np.intp]) -> float:
    """How much room a drawing needs in its panel, more if edges lead against their direction or stay in a column."""
    width, height = _room(found.centres, found.sizes)
    directed = (marks == ARROW) & (marks.T != ARROW)
    a, b = np.nonzero(directed)
    against = np.count_nonzero(columns[a] >= columns[b]) + 0.5 * np.count_nonzero(
        np.triu((marks == marks.T) & (marks != NONE)) & (columns[:, None] == columns)
    )
    size = max(height, width / ASPECT, PANEL) / PANEL
    return float(size * (1 + AGAINST * against / max(np.count_nonzero(marks) / 2, 1)))


def _room(centres: Points, sizes: Points) -> Points:
    """The width and the height of some boxes together."""
    room: Points = (centres + sizes / 2).max(axis=0) - (centres - sizes / 2).min(axis=0)
    return room


def _assembled(parts: list[list[int]], drawn: list[Drawing], sizes: Points) -> Drawing:
    """The components on shelves, the largest first, so that the page has the shape of its panel."""
    corners = []
    for part in drawn:
        points = np.vstack([part.centres - part.sizes / 2, part.centres + part.sizes / 2, *part.curves.values()])
        corners.append((points.min(axis=0), np.ptp(points, axis=0)))
    area = sum(float(np.prod(size + PART_GAP)) for _, size in corners)
    widest = max(float(np.sqrt(ASPECT * area)), *(float(size[0]) for _, size in corners), 0.0)
    centres, sizes, curves = np.zeros_like(sizes), sizes.copy(), {}
    x = y = shelf = 0.0
    for numbers, part, (low, (width, height)) in zip(parts, drawn, corners, strict=True):
        if x and x + width > widest:
            x, y, shelf = 0.0, y + shelf + PART_GAP, 0.0
        shift = np.array([x, y]) - low
        centres[numbers], sizes[numbers] = part.centres + shift, part.sizes
        curves.update({(numbers[a], numbers[b]): curve + shift for (a, b), curve in part.curves.items()})
        x, shelf = x + width + PART_GAP, max(shelf, float(height))
    return Drawing(centres, sizes, curves)
