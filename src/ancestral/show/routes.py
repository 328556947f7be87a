"""The route of an edge from box to box, and where its marks stand.

An edge is a quadratic Bézier curve between the centres of its boxes; `bend` is the distance of its middle from the
straight line, to the right of its direction. It is 0 unless the straight line runs into another box. A mark stands just
outside its box, and the line ends where the mark begins; so marks are never hidden. The report draws by the same
arithmetic, in script.js.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import ARROW, CIRCLE, TAIL

__all__ = ["MARGIN", "MARKS_APART", "MARK_SIZES", "Route", "bends", "points_on", "route", "sketch"]

Points = NDArray[np.float64]
Point = tuple[float, float]
Curve = tuple[float, float, float, float, float, float]

#: The length in pixels of each mark along its line.
MARK_SIZES = {ARROW: 12.0, CIRCLE: 10.0, TAIL: 0.0}
#: The distance in pixels between a box and the tip of a mark.
CLEARANCE = 2.0
#: The bends that are tried, in pixels, in this order: straight first, then more and more, to both sides.
BENDS = (0.0, *(side * bend for bend in (26.0, 48.0, 76.0, 112.0, 160.0) for side in (1.0, -1.0)))
#: The distance in pixels that a route keeps from other boxes.
MARGIN = 7.0
#: The distance in pixels that two marks at one box should have.
MARKS_APART = 12.0


@dataclass(frozen=True)
class Route:
    """A curve by its points, and the tip of the mark at either end with the direction in which it points.

    The curve has three points, or five if it is two Bézier curves, one after the other.
    """

    curve: Points
    tips: Points
    towards: Points


def bends(centres: Points, sizes: Points, pairs: NDArray[np.integer]) -> Points:
    """The bend of each edge: the smallest that keeps it away from other boxes, and its marks away from other marks."""
    out = np.zeros(len(pairs))
    taken: list[list[Point]] = [[] for _ in centres]  # the tips of marks at each box
    low, high = centres - sizes / 2 - MARGIN, centres + sizes / 2 + MARGIN
    t = np.linspace(0.02, 0.98, 49)[:, None]
    places = centres.tolist()
    for k, (i, j) in enumerate(pairs.tolist()):
        fewest = None
        for bend in BENDS:
            curve = _curve(places[i], places[j], bend)
            start, middle, end = np.array(curve).reshape(3, 2)
            points = (1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end
            near = ((high > points.min(axis=0)) & (low < points.max(axis=0))).all(axis=1)
            near[[i, j]] = False
            inside = (points[:, None] > low[near]).all(axis=2) & (points[:, None] < high[near]).all(axis=2)
            tips = [_at(path, _tip(path, centres[v], sizes[v])) for v, path in ((i, curve), (j, _reversed(curve)))]
            hits = np.count_nonzero(inside) + sum(
                abs(tip[0] - x) + abs(tip[1] - y) < MARKS_APART
                for v, tip in zip((i, j), tips, strict=True)
                for x, y in taken[v]
            )
            if fewest is None or hits < fewest:
                fewest, out[k], chosen = hits, bend, tips
            if not hits:
                break
        taken[i].append(chosen[0])
        taken[j].append(chosen[1])
    return out


def sketch(centres: Points, sizes: Points, bend: float) -> tuple[Points, Points]:
    """The three points of the curve between the centres of two boxes, and the two points at which it leaves them."""
    start, end = centres.tolist()
    curve = _curve(start, end, bend)
    tips = [_at(path, _tip(path, centres[v], sizes[v])) for v, path in ((0, curve), (1, _reversed(curve)))]
    return np.array(curve).reshape(3, 2), np.array(tips)


def points_on(curve: Points) -> Points:
    """Points along the curve of a route."""
    t = np.linspace(0, 1, 25)[:, None]
    parts = [curve[k : k + 3] for k in range(0, len(curve) - 1, 2)]
    return np.vstack([(1 - t) ** 2 * a + 2 * t * (1 - t) * b + t**2 * c for a, b, c in parts])


def route(centres: Points, sizes: Points, marks: tuple[int, int], bend: float) -> Route:
    """The route between two boxes with these marks; rows of `centres` and `sizes` are those of the two boxes."""
    start, end = centres.tolist()
    curve = _curve(start, end, bend)
    starts, tips, towards = [], [], []
    for end, mark in enumerate(marks):
        here = curve if end == 0 else _reversed(curve)
        at_tip = _tip(here, centres[end], sizes[end])
        tip = _at(here, at_tip)
        size = max(MARK_SIZES[mark], 1.0)
        at_line = _first(lambda t: hypot(_at(here, t)[0] - tip[0], _at(here, t)[1] - tip[1]) >= size, at_tip)  # noqa: B023
        back = _at(here, at_line)
        length = max(hypot(back[0] - tip[0], back[1] - tip[1]), 1e-9)
        starts.append(at_line if MARK_SIZES[mark] else at_tip)
        tips.append(tip)
        towards.append(((tip[0] - back[0]) / length, (tip[1] - back[1]) / length))
    return Route(_between(curve, starts[0], 1 - starts[1]), np.array(tips), np.array(towards))


def _curve(a: Sequence[float], b: Sequence[float], bend: float) -> Curve:
    """The curve between two points: start, control point, end."""
    (ax, ay), (bx, by) = a, b
    length = max(hypot(bx - ax, by - ay), 1e-9)
    right = -(by - ay) / length, (bx - ax) / length
    return ax, ay, (ax + bx) / 2 + 2 * bend * right[0], (ay + by) / 2 + 2 * bend * right[1], bx, by


def _at(curve: Curve, t: float) -> Point:
    """The point of a curve at parameter t."""
    ax, ay, cx, cy, bx, by = curve
    s = 1 - t
    return s * s * ax + 2 * s * t * cx + t * t * bx, s * s * ay + 2 * s * t * cy + t * t * by


def _reversed(curve: Curve) -> Curve:
    return (*curve[4:], *curve[2:4], *curve[:2])


def _tip(curve: Curve, centre: Points, size: Points) -> float:
    """The parameter t in [0, 1] at which a curve leaves the box it begins in."""
    (x, y), (width, height) = centre.tolist(), (size / 2 + CLEARANCE).tolist()

    def outside(t: float) -> bool:
        here = _at(curve, t)
        return abs(here[0] - x) > width or abs(here[1] - y) > height

    return _first(outside, 0.0)


def _first(passed: Callable[[float], bool], low: float) -> float:
    """The first parameter from `low` on at which `passed` holds, found by bisection."""
    high = 1.0
    for _ in range(24):
        middle = (low + high) / 2
        low, high = (low, middle) if passed(middle) else (middle, high)
    return high


def _between(curve: Curve, s: float, t: float) -> Points:
    """The part of the curve between two parameters, as a curve of its own (computed by its blossom)."""
    points = np.array(curve).reshape(3, 2)
    weights = [((1 - u) * (1 - v), u * (1 - v) + v * (1 - u), u * v) for u, v in ((s, s), (s, t), (t, t))]
    out: Points = np.array(weights) @ points
    return out
