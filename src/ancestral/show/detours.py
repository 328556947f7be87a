"""Curves for edges that the layout has no curve for: straight or bent if that is free, otherwise around boxes.

A detour is the shortest way along the corners of boxes that see each other. It leaves its boxes at a side, where no
other edge does if there is room, and its corners are rounded. What corners and places at boxes see is computed once for
all detours of a picture.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.show.routes import BENDS, MARGIN, MARKS_APART, bent
from ancestral.show.tracks import CLEARANCE

__all__ = ["curves_between"]

Points = NDArray[np.float64]
Bools = NDArray[np.bool_]
Pair = tuple[int, int]

#: Pixels that a detour keeps from boxes at their corners, and at least.
CORNER, LEAST = 9.0, 6.0
#: Pixels that a detour leads straight out of its boxes, and those that stay straight, so that marks stand on them.
STUB, STRAIGHT = 17.0, 14.0
#: The radius of rounded corners in pixels.
RADIUS = 12.0
#: Pixels between two places at which detours leave a box.
PORTS_APART = 8.0
#: Boxes up to which edges go around; among more, an edge takes the bend that touches fewest.
MOST_BOXES = 130
#: Where detours leave a box: shares of its width, above and below, and of its height, left and right.
ACROSS, DOWN = (0.5, 0.3, 0.7, 0.15, 0.85), (0.5, 0.2, 0.8)


def curves_between(
    centres: Points, sizes: Points, pairs: Sequence[Pair], curves: Mapping[Pair, Points]
) -> dict[Pair, Points]:
    """The curve of each pair, from its first box to its second: the one in `curves`, or a new one that avoids boxes."""
    surroundings = _Surroundings(centres, sizes, curves)
    out = {}
    for a, b in pairs:
        if (a, b) in curves:
            out[a, b] = curves[a, b]
        elif (b, a) in curves:
            out[a, b] = curves[b, a][::-1]
        else:
            out[a, b] = surroundings.curve(a, b)
    return out


class _Surroundings:
    """The boxes of a picture, and where edges leave them so far."""

    def __init__(self, centres: Points, sizes: Points, curves: Mapping[Pair, Points]) -> None:
        self.centres, self.sizes = centres, sizes
        self.low, self.high = centres - sizes / 2, centres + sizes / 2
        self.taken: list[list[Points]] = [[] for _ in centres]
        for pair, curve in curves.items():
            self._take(pair, curve)

    def curve(self, a: int, b: int) -> Points:
        """A new curve from box a to box b."""
        ends = [a, b]
        hits = self._hits(a, b)
        order = np.argsort(hits, kind="stable")
        free = [bent(self.centres[ends], self.sizes[ends], BENDS[k]) for k in order if not hits[k]]
        apart = (curve for curve in free if self._is_apart(a, curve[0]) and self._is_apart(b, curve[-1]))
        found = next(apart, None)
        if found is None and len(self.centres) <= MOST_BOXES:
            found = self._detour(a, b)
        if found is None:
            found = free[0] if free else bent(self.centres[ends], self.sizes[ends], BENDS[order[0]])
        self._take((a, b), found)
        return found

    def _take(self, pair: Pair, curve: Points) -> None:
        self.taken[pair[0]].append(curve[0])
        self.taken[pair[1]].append(curve[-1])

    def _is_apart(self, box: int, tip: Points) -> bool:
        """Whether a mark at a box would be away from the other marks there."""
        return all(float(np.abs(tip - other).sum()) >= MARKS_APART for other in self.taken[box])

    def _hits(self, a: int, b: int) -> NDArray[np.intp]:
        """How many points of each bend between two boxes are inside of other boxes, or close to them."""
        start, end = self.centres[[a, b]]
        along = end - start
        aside = np.array([-along[1], along[0]]) / max(float(np.linalg.norm(along)), 1e-9)
        t = np.linspace(0.02, 0.98, 49)[:, None]
        middle = (start + end) / 2 + 2 * np.array(BENDS)[:, None, None] * aside
        points = (1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end
        low, high = self.low - MARGIN, self.high + MARGIN
        near = ((high > points.min(axis=(0, 1))) & (low < points.max(axis=(0, 1)))).all(axis=1)
        near[[a, b]] = False
        inside = (points[:, :, None] > low[near]) & (points[:, :, None] < high[near])
        return np.count_nonzero(inside.all(axis=3), axis=(1, 2))

    def _detour(self, a: int, b: int) -> Points | None:
        """The shortest curve from box a to box b around all others; None if there is none."""
        (start, from_start), (stop, to_stop) = (self._free_ports(v) for v in (a, b))
        if not len(start) or not len(stop):
            return None
        seen = _sees(start[:, 1], stop[:, 1], self.low - LEAST, self.high + LEAST)
        direct = np.where(seen, _lengths(start[:, 1], stop[:, 1]), np.inf)
        around = from_start.min(axis=0)[:, None] + self._ways[0] + to_stop.min(axis=0)
        if min(direct.min(initial=np.inf), around.min(initial=np.inf)) == np.inf:
            return None
        if direct.min() <= around.min():
            near = np.unravel_index(np.argmin(direct), direct.shape)
            return _rounded(np.vstack([start[near[0]], stop[near[1], ::-1]]))
        first, final = np.unravel_index(np.argmin(around), around.shape)
        way = [int(final)]
        while way[-1] != first:
            way.append(int(self._ways[1][first, way[-1]]))
        one, other = int(np.argmin(from_start[:, first])), int(np.argmin(to_stop[:, final]))
        return _rounded(np.vstack([start[one], self._corners[way[::-1]], stop[other, ::-1]]))

    def _free_ports(self, box: int) -> tuple[NDArray[np.float64], Points]:
        """Where an edge can leave a box, each with the point straight out of it, and their distances to corners.

        These are the places that no other edge has, or, if there are none, all from which anything is seen.
        """
        usable = np.isfinite(self._port_distances[box]).any(axis=1)
        ports, distances = self._ports[box][usable], self._port_distances[box][usable]
        if not self.taken[box]:
            return ports, distances
        away = np.abs(ports[:, 0, None] - np.array(self.taken[box])).sum(axis=2).min(axis=1) >= PORTS_APART
        return (ports[away], distances[away]) if away.any() else (ports, distances)

    @cached_property
    def _ports(self) -> NDArray[np.float64]:
        """For each box, the places where detours can leave it, and the points straight out of them."""
        out = []
        for (left, top), (right, bottom) in zip(self.low, self.high, strict=True):
            upright = [(top - CLEARANCE, -1.0), (bottom + CLEARANCE, 1.0)]
            level = [(left - CLEARANCE, -1.0), (right + CLEARANCE, 1.0)]
            places = [([left + share * (right - left), y], [0.0, way]) for share in ACROSS for y, way in upright]
            places += [([x, top + share * (bottom - top)], [way, 0.0]) for share in DOWN for x, way in level]
            out.append([[place, np.add(place, np.multiply(STUB, way))] for place, way in places])
        return np.array(out)

    @cached_property
    def _corners(self) -> Points:
        """The corners of boxes, a little outside; without those that are inside of other boxes."""
        low, high = self.low - CORNER, self.high + CORNER
        found = np.vstack([np.column_stack([x[:, 0], y[:, 1]]) for x in (low, high) for y in (low, high)])
        inside: Bools = np.all((found[:, None] > self.low - LEAST) & (found[:, None] < self.high + LEAST), axis=2)
        return found[~inside.any(axis=1)]

    @cached_property
    def _ways(self) -> tuple[Points, NDArray[np.intp]]:
        """The length of the shortest way between any two corners, and the corner before the last on it."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        seen = _sees(self._corners, self._corners, self.low - LEAST, self.high + LEAST)
        # every corner costs a little, so that ways have few
        steps = np.where(seen, _lengths(self._corners, self._corners) + 4.0, 0.0)
        np.fill_diagonal(steps, 0.0)
        lengths, before = dijkstra(csr_array(steps), return_predecessors=True)
        return lengths, before

    @cached_property
    def _port_distances(self) -> NDArray[np.float64]:
        """For each box, the distance from the points straight out of its ports to the corners that they see."""
        outs = self._ports[:, :, 1].reshape(-1, 2)
        seen = _sees(outs, self._corners, self.low - LEAST, self.high + LEAST)
        found = np.where(seen, _lengths(outs, self._corners), np.inf)
        return found.reshape(len(self.centres), -1, len(self._corners))


def _lengths(one: Points, other: Points) -> Points:
    """The distances between points."""
    distances: Points = np.linalg.norm(one[:, None] - other[None], axis=2)
    return distances


def _sees(one: Points, other: Points, low: Points, high: Points) -> Bools:
    """Which points see each other: the straight line between them runs through no box (slab method)."""
    points = np.vstack([one, other])
    near = ((high > points.min(axis=0)) & (low < points.max(axis=0))).all(axis=1)
    blocked = np.zeros((len(one), len(other)), dtype=bool)
    slopes = []
    for axis in (0, 1):
        away = (other[None, :, axis] - one[:, None, axis]).astype(np.float32)
        slopes.append(1 / np.where(away == 0, np.float32(1e-9), away))
    start = one.astype(np.float32)
    for lower, upper in zip(low[near].astype(np.float32), high[near].astype(np.float32), strict=True):
        enter, leave = np.float32(0.0), np.float32(1.0)
        for axis in (0, 1):
            to_lower = (lower[axis] - start[:, axis])[:, None] * slopes[axis]
            to_upper = (upper[axis] - start[:, axis])[:, None] * slopes[axis]
            enter = np.maximum(enter, np.minimum(to_lower, to_upper))
            leave = np.minimum(leave, np.maximum(to_lower, to_upper))
        blocked |= enter < leave - np.float32(1e-6)
    return ~blocked


def _rounded(way: Points) -> Points:
    """The curve along these points, its corners rounded."""
    out = [way[0]]
    for k in range(1, len(way) - 1):
        corner, ends = way[k], []
        for other in (k - 1, k + 1):
            length = max(float(np.linalg.norm(way[other] - corner)), 1e-9)
            most = length - STRAIGHT if other in (0, len(way) - 1) else length / 2
            ends.append(corner + (way[other] - corner) * min(RADIUS, most) / length)
        out += [(out[-1] + ends[0]) / 2, ends[0], corner, ends[1]]
    return np.array([*out, (out[-1] + way[-1]) / 2, way[-1]])
