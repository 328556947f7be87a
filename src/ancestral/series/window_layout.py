"""Where the boxes of a window stand, and how its edges run: a column for each step, a row for each process.

All copies of an edge have one shape. It is bent so that it keeps away from boxes that are not its own, from the marks
of others, and from curves that it would run along.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs import PAG
from ancestral.graphs.marks import TAIL
from ancestral.graphs.names import in_order
from ancestral.graphs.window import Window, node_at
from ancestral.show.labels import FONT_SIZE, shortened, text_width
from ancestral.show.layout import Arrangement
from ancestral.show.routes import MARGIN, MARKS_APART, sketch

__all__ = ["WindowLayout", "copy_kind", "link_of"]

Points = NDArray[np.float64]

#: Two processes by number, the one that is earlier, or first in order, first; and the lag between them.
Link = tuple[int, int, int]

#: Pixels from one row to the next.
ROW = 86.0
#: Pixels between the boxes of two steps, at least and at most: more if edges are steep.
STEP_GAP, MOST_GAP = 84.0, 400.0
#: The height of a box, as in other pictures.
BOX_HEIGHT = FONT_SIZE + 17
#: Characters of a process that a box shows; the row has the whole name.
LONGEST_IN_BOX = 12
#: The bends that are tried, in pixels, in this order; a negative one goes above a row, and to the right of a column.
_SIZES = (14.0, 22.0, 30.0, 38.0, 46.0, 56.0, 68.0, 84.0, 104.0, 130.0, 160.0, 200.0)
BENDS = (0.0, *(side * bend for bend in _SIZES for side in (-1.0, 1.0)))
#: What it costs to run into a box, and close by it, by the point; to touch the mark of another edge; to run along one,
#: by the point; to be bent, by the pixel.
INTO_BOX, AT_BOX, AT_MARK, ALONG, BENT = 500.0, 10.0, 4.0, 2.0, 0.05
#: Every other point of a curve is compared with other curves.
EVERY = slice(None, None, 2)
#: Pixels within which two curves of nearly the same direction (by its sine) count as one: across, and along the curve.
ACROSS, SAME_DIRECTION, SPACING = 5.0, 0.2, 14.0
#: Pixels between the ends of two edges at a box, where one has no mark there but a tail.
TAILS_APART = 4.0

_QUARTER_TURN = np.array([[0.0, 1.0], [-1.0, 0.0]])


def link_of(window: Window, a: str, b: str) -> tuple[Link, int]:
    """The class of a pair of nodes, and by how many steps it ends before t."""
    (first, earlier), (second, later) = window.place(a), window.place(b)
    i, j = window.processes.index(first), window.processes.index(second)
    if (earlier, -i) < (later, -j):
        (i, earlier), (j, later) = (j, later), (i, earlier)
    return (i, j, earlier - later), later


def copy_kind(window: Window, graph: PAG, a: str, b: str) -> str:
    """Of an edge: "latest" if it ends at t, "copy" if it repeats one that does, and "early" if it does not."""
    (i, j, lag), steps = link_of(window, a, b)
    if not steps:
        return "latest"
    latest = node_at(window.processes[i], lag), node_at(window.processes[j], 0)
    return "early" if graph.edge(*latest) is None else "copy"


@dataclass(frozen=True)
class WindowLayout:
    """The boxes of a window and the bends of the edges of a graph over it; `steps`: boxes show the step, too."""

    window: Window
    graph: PAG
    steps: bool = False

    @cached_property
    def boxes(self) -> Arrangement:
        """The boxes, by name; the earliest step is on the left, and the first process above."""
        names = in_order(self.graph.nodes)
        places = [self.window.place(name) for name in names]
        labels = [
            shortened(name) if self.steps else shortened(process, LONGEST_IN_BOX)
            for name, (process, _) in zip(names, places, strict=True)
        ]
        width = max([text_width(label) + 20 for label in labels], default=0.0)
        width = max(width, 40.0)
        gap = min(max(STEP_GAP, self._steepest * (width / 2 + MARGIN) - width), MOST_GAP)
        row = {process: i for i, process in enumerate(self.window.processes)}
        centres = [((self.window.lags - lag) * (width + gap), row[process] * ROW) for process, lag in places]
        sizes = np.tile([width, BOX_HEIGHT], (len(names), 1))
        return Arrangement(names, np.array(centres, dtype=float).reshape(-1, 2), sizes, tuple(labels))

    @property
    def _steepest(self) -> float:
        """How many half boxes two steps must be apart, so that a straight edge does not touch the next row's box."""
        clear = ROW - BOX_HEIGHT / 2 - MARGIN
        rise = max((abs(j - i) / lag for i, j, lag in self._links if lag and abs(j - i) > 1), default=0.0)
        return ROW / clear * rise

    @cached_property
    def bends(self) -> dict[tuple[str, str], float]:
        """The bend of each edge, under both orders of its ends; it is to the right of the direction of the order."""
        out: dict[tuple[str, str], float] = {}
        for (i, j, lag), copies in self._links.items():
            bend = self._chosen[i, j, lag]
            for steps in copies:
                a, b = self._ends((i, j, lag), steps)
                out[a, b], out[b, a] = bend, -bend
        return out

    @cached_property
    def _links(self) -> dict[Link, list[int]]:
        """The classes of edges, short ones first, each with the copies that are there."""
        out: dict[Link, list[int]] = {}
        for a, _, b in self.graph.edges():
            link, steps = link_of(self.window, a, b)
            out.setdefault(link, []).append(steps)
        return {link: sorted(out[link]) for link in sorted(out, key=lambda k: (k[2] + abs(k[1] - k[0]), k[2], k))}

    def _ends(self, link: Link, steps: int) -> tuple[str, str]:
        i, j, lag = link
        processes = self.window.processes
        return node_at(processes[i], lag + steps), node_at(processes[j], steps)

    @cached_property
    def _chosen(self) -> dict[Link, float]:
        """The bend of each class."""
        boxes = _Boxes(self.boxes)
        out: dict[Link, float] = {}
        for link, copies in self._links.items():
            ends = [boxes.numbers(self._ends(link, steps)) for steps in copies]
            a, b = (self.graph.index(name) for name in self._ends(link, copies[0]))
            marks = [int(self.graph.marks[b, a]), int(self.graph.marks[a, b])]
            costs = []
            for bend in BENDS:
                costs.append(boxes.cost(ends, marks, bend) + BENT * abs(bend))
                if costs[-1] <= BENT * abs(bend):  # the others are bent more
                    break
            out[link] = BENDS[int(np.argmin(costs))]
            boxes.take(ends, marks, out[link])
        return out


class _Boxes:
    """Boxes, and the curves that were drawn between them so far."""

    def __init__(self, boxes: Arrangement) -> None:
        self.boxes = boxes
        self.number = {name: i for i, name in enumerate(boxes.names)}
        self.tips: list[list[tuple[Points, bool]]] = [[] for _ in boxes.names]  # and whether it is a tail
        self.points = self.directions = np.zeros((0, 2))

    def numbers(self, names: Iterable[str]) -> list[int]:
        """The numbers of boxes."""
        return [self.number[name] for name in names]

    def cost(self, copies: list[list[int]], marks: list[int], bend: float) -> float:
        """What it costs to bend all these edges, which are copies of each other with these marks, by so much."""
        points, directions, tips = self._drawn(copies[0], bend)
        along = 0
        if len(self.points):
            close = _within(self.points, points.min(axis=0) - SPACING, points.max(axis=0) + SPACING)
            others, along_others = self.points[close], self.directions[close]
            normals = along_others @ _QUARTER_TURN
            same = np.abs(directions[EVERY] @ normals.T) < SAME_DIRECTION
            between = points[EVERY, None] - others
            same &= np.abs((between * normals).sum(axis=2)) < ACROSS
            same &= np.abs((between * along_others).sum(axis=2)) < SPACING
            along = int(np.count_nonzero(same.any(axis=1)))
        into, touching = 0.0, 0
        origin, reach = self.boxes.centres[copies[0][0]], self.boxes.sizes[0] / 2 + MARGIN  # boxes are of one size
        for ends in copies:
            moved = self.boxes.centres[ends[0]] - origin
            here = points + moved
            close = _within(self.boxes.centres, here.min(axis=0) - reach, here.max(axis=0) + reach)
            close[ends] = False
            away = np.abs(here[:, None] - self.boxes.centres[close])
            outside = (away - self.boxes.sizes[close] / 2).max(axis=2)
            into += INTO_BOX * np.count_nonzero(outside < 1) + AT_BOX * np.count_nonzero(outside < MARGIN)
            touching += sum(
                bool(np.abs(other - tip - moved).sum() < (TAILS_APART if tail or mark == TAIL else MARKS_APART))
                for end, tip, mark in zip(ends, tips, marks, strict=True)
                for other, tail in self.tips[end]
            )
        return into + AT_MARK * touching + ALONG * max(along - 1, 0)

    def take(self, copies: list[list[int]], marks: list[int], bend: float) -> None:
        """Draw these edges."""
        for ends in copies:
            points, directions, tips = self._drawn(ends, bend)
            self.points = np.vstack([self.points, points[EVERY]])
            self.directions = np.vstack([self.directions, directions[EVERY]])
            for end, tip, mark in zip(ends, tips, marks, strict=True):
                self.tips[end].append((tip, mark == TAIL))

    def _drawn(self, ends: list[int], bend: float) -> tuple[Points, Points, Points]:
        """Points on an edge, its directions there, and its two tips."""
        (start, middle, stop), tips = sketch(self.boxes.centres[ends], self.boxes.sizes[ends], bend)
        t = np.linspace(0.02, 0.98, 49)[:, None]
        points = (1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * stop
        directions = (1 - t) * (middle - start) + t * (stop - middle)
        return points, directions / np.linalg.norm(directions, axis=1, keepdims=True), tips


def _within(points: Points, low: Points, high: Points) -> NDArray[np.bool_]:
    """Which points lie between two corners."""
    inside: NDArray[np.bool_] = np.all((points > low) & (points < high), axis=1)
    return inside
