"""The route of an edge from box to box, and where its marks stand.

A curve has 2k + 1 points: k quadratic Bézier curves, one after the other, from just outside of one box to just outside
of the other. A mark stands at its end, and the line ends where the mark begins; so marks are never hidden. Where the
layout has no curve for an edge, it is a single Bézier curve towards the centres of its boxes; `bend` is the distance
of its middle from the straight line, to the right of its direction.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
from ancestral.show.tracks import CLEARANCE

__all__ = ["BENDS", "MARGIN", "MARKS_APART", "MARK_SIZES", "Route", "bent", "points_on", "route", "sketch"]

Points = NDArray[np.float64]
Point = tuple[float, float]
Curve = tuple[float, float, float, float, float, float]

#: The length in pixels of each mark along its line.
MARK_SIZES = {ARROW: 12.0, CIRCLE: 10.0, TAIL: 0.0}
#: The bends that are tried, in pixels, in this order: straight first, then more and more, to both sides.
BENDS = (0.0, *(side * bend for bend in (26.0, 48.0, 76.0, 112.0, 160.0) for side in (1.0, -1.0)))
#: The distance in pixels that a route keeps from other boxes.
MARGIN = 7.0
#: The distance in pixels that two marks at one box should have.
MARKS_APART = 12.0


@dataclass(frozen=True)
class Route:
    """A curve by its points, and the tip of the mark at either end with the direction in which it points."""

    curve: Points
    tips: Points
    towards: Points


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


def bent(centres: Points, sizes: Points, bend: float) -> Points:
    """The curve between two boxes with this bend; rows of `centres` and `sizes` are those of the two boxes."""
    first, second = centres.tolist()
    curve = _curve(first, second, bend)
    start, stop = (_tip(path, centres[v], sizes[v]) for v, path in ((0, curve), (1, _reversed(curve))))
    return _between(curve, start, 1 - stop)


def route(curve: Points, marks: tuple[int, int]) -> Route:
    """The route along a curve from box to box, with these marks at its ends."""
    tips, towards = curve[[0, -1]], []
    for mark in marks:
        first = (*curve[0].tolist(), *curve[1].tolist(), *curve[2].tolist())
        start, size = first[:2], max(MARK_SIZES[mark], 1.0)
        at_line = _first(lambda t: hypot(_at(first, t)[0] - start[0], _at(first, t)[1] - start[1]) >= size, 0.0)  # noqa: B023
        back = _at(first, at_line)
        length = max(hypot(back[0] - start[0], back[1] - start[1]), 1e-9)
        towards.append(((start[0] - back[0]) / length, (start[1] - back[1]) / length))
        if MARK_SIZES[mark]:
            curve = np.vstack([_between(first, at_line, 1.0), curve[3:]])
        curve = curve[::-1]
    return Route(curve, tips, np.array(towards))


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
