"""Small graphs and PDS-trees as figures, with circles, arrowheads and tails at the ends of edges."""

from collections.abc import Mapping
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING, Any

import ancestral as an

if TYPE_CHECKING:
    from ancestral.classes.pds_tree import PDSTree

__all__ = ["draw_graph", "draw_tree"]

Place = tuple[float, float]

#: The radius of a node, the radius of a circle at the end of an edge, the length of an arrowhead, in units of places.
NODE, CIRCLE, ARROWHEAD = 0.17, 0.055, 0.15


def draw_graph(axis: Any, graph: an.MAG | an.PAG, places: Mapping[str, Place]) -> None:
    """Draw the graph, each node at its place."""
    for a, edge, b in graph.edges():
        _line(axis, places[a], places[b])
        _end(axis, places[a], places[b], edge[-1])
        _end(axis, places[b], places[a], {"<": ">"}.get(edge[0], edge[0]))
    for name in graph.nodes:
        _node(axis, places[name], name)
    _frame(axis)


def draw_tree(axis: Any, tree: "PDSTree", radius: int) -> None:
    """Draw the tree around its root; the distance from the root is the length of the path."""
    from matplotlib.patches import Circle

    for distance in range(1, radius + 1):
        axis.add_patch(Circle((0, 0), distance, fill=False, color="#bbbbbb", linestyle=":", zorder=0))
    _branches(axis, tree, (0.0, 0.0), 0, 0.5 * pi, 2.5 * pi)
    _node(axis, (0.0, 0.0), tree.name, root=True)
    _frame(axis)


def _branches(axis: Any, tree: "PDSTree", place: Place, depth: int, begin: float, end: float) -> None:
    """Draw the branches between two angles; each takes a share by the number of its leaves."""
    share = (end - begin) / max(1, _leaves(tree))
    for branch in tree.branches:
        until = begin + share * _leaves(branch)
        angle = (begin + until) / 2
        there = ((depth + 1) * cos(angle), (depth + 1) * sin(angle))
        axis.plot(*zip(place, there, strict=True), color="black", linewidth=1, zorder=1)
        _branches(axis, branch, there, depth + 1, begin, until)
        _node(axis, there, branch.name)
        begin = until


def _leaves(tree: "PDSTree") -> int:
    return sum(map(_leaves, tree.branches)) or 1


def _node(axis: Any, place: Place, name: str, root: bool = False) -> None:
    from matplotlib.patches import Circle

    axis.add_patch(Circle(place, NODE, facecolor="#d9d9d9" if root else "white", edgecolor="black", zorder=3))
    axis.text(*place, name, ha="center", va="center", zorder=4)


def _line(axis: Any, a: Place, b: Place) -> None:
    axis.plot(*zip(a, b, strict=True), color="black", linewidth=1.2, zorder=1)


def _end(axis: Any, a: Place, b: Place, mark: str) -> None:
    """Draw the mark at b on the edge from a."""
    from matplotlib.patches import Circle, Polygon

    length = hypot(b[0] - a[0], b[1] - a[1])
    along = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)

    def point(back: float, aside: float = 0.0) -> Place:
        back += NODE
        return b[0] - back * along[0] - aside * along[1], b[1] - back * along[1] + aside * along[0]

    if mark == "o":
        axis.add_patch(Circle(point(CIRCLE), CIRCLE, facecolor="white", edgecolor="black", zorder=2))
    elif mark == ">":
        width = ARROWHEAD / 2.2
        corners = [point(0), point(ARROWHEAD, width), point(ARROWHEAD, -width)]
        axis.add_patch(Polygon(corners, color="black", zorder=2))


def _frame(axis: Any) -> None:
    axis.set_aspect("equal")
    axis.autoscale_view()
    axis.margins(0.08)
    axis.set_axis_off()
