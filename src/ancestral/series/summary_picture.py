"""The picture of a summary graph: processes, edges with their lags, loops."""

import os
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import parse_symbol
from ancestral.series.legend import with_legend
from ancestral.show.detours import curves_between
from ancestral.show.labels import FONT_SIZE, text_width
from ancestral.show.layout import Arrangement, arrange
from ancestral.show.picture import INK, MARGIN, Box, Line, Picture, Text
from ancestral.show.plot import MOST_SHOWN, drawn_on
from ancestral.show.routes import MARK_SIZES, Route, bent, points_on, route
from ancestral.show.svg import svg

if TYPE_CHECKING:
    from ancestral.series.summary_graph import SummaryEdge, SummaryGraph

__all__ = ["plot_summary", "summary_picture", "summary_svg"]

Points = NDArray[np.float64]

#: By how much the picture of the edges is stretched, across and down, so that loops and lags have room.
ROOM = np.array([1.15, 1.5])
#: The bend in pixels of two edges that join the same processes, each to its own side.
BOTH_WAYS = 20.0
#: A loop above a box: pixels from the middle to its ends and to its sides, and its height.
LOOP_FOOT, LOOP_SIDE, LOOP_HEIGHT = 9.0, 25.0, 34.0
#: The sides of a box at which a loop may be, in the order in which they are tried: above, below, right, left.
SIDES = np.array([[0.0, -1.0], [0.0, 1.0], [1.0, 0.0], [-1.0, 0.0]])


def plot_summary(summary: "SummaryGraph", path: str | os.PathLike[str] | None, *, ax: Any = None) -> Any:
    """Draw a summary graph into a file, or on axes; see `SummaryGraph.plot`."""
    return drawn_on(path, ax, lambda: with_legend(summary_picture(summary), {}))


def summary_svg(summary: "SummaryGraph") -> str | None:
    """The picture that a notebook shows; None for too many processes to be read."""
    if len(summary.processes) > MOST_SHOWN:
        return None
    return svg(with_legend(summary_picture(summary), {}), title="A causal graph over processes")


def summary_picture(summary: "SummaryGraph") -> Picture:
    """The picture of a summary graph; numbers at the edges are lags."""
    boxes = arrange(summary.pag, "stress")
    boxes = Arrangement(boxes.names, boxes.centres * ROOM, boxes.sizes, boxes.labels)
    number = {name: i for i, name in enumerate(boxes.names)}
    between = [edge for edge in summary.edges if edge.a != edge.b]
    ends = [(number[edge.a], number[edge.b]) for edge in between]
    curves = curves_between(boxes.centres, boxes.sizes, ends, {})
    lines, texts = [], []
    drawn: dict[tuple[str, str], int] = {}  # edges with these ends so far
    for edge, pair in zip(between, ends, strict=True):
        both = summary.edge(edge.b, edge.a) is not None
        marks = parse_symbol(edge.edge)
        same = drawn.setdefault((edge.a, edge.b), 0)
        drawn[edge.a, edge.b] += 1
        several = both or sum((other.a, other.b) == (edge.a, edge.b) for other in between) > 1
        apart = bent(boxes.centres[list(pair)], boxes.sizes[list(pair)], BOTH_WAYS * (1 + same))
        way = route(apart if several else curves[pair], marks)
        lines.append(Line(edge.a, edge.edge, edge.b, way, marks, INK, 1.0))
        texts.append(_lags(edge, _middle(way.curve)))
    for edge in summary.edges:
        if edge.a == edge.b:
            line, text = _loop(edge, boxes, number[edge.a], lines, texts)
            lines.append(line)
            texts.append(text)
    shapes = tuple(
        Box(name, label, centre, size, "#ffffff", INK)
        for name, label, centre, size in zip(boxes.names, boxes.labels, boxes.centres, boxes.sizes, strict=True)
    )
    corners = [boxes.centres - boxes.sizes / 2, boxes.centres + boxes.sizes / 2]
    corners += [points_on(line.route.curve) for line in lines]
    corners += [corner for text in texts for corner in (text.low, text.low + text.size)]
    points = np.vstack([*corners, np.zeros((0 if summary.processes else 1, 2))])
    return Picture(
        shapes, tuple(lines), points.min(axis=0) - MARGIN, points.max(axis=0) + MARGIN, {}, boxes, tuple(texts)
    )


def _lags(edge: "SummaryEdge", at: Points) -> Text:
    return Text(", ".join(map(str, edge.lags)), at, "middle", halo=True)


def _middle(curve: Points) -> Points:
    points = points_on(curve)
    middle: Points = points[len(points) // 2]
    return middle


def _loop(edge: "SummaryEdge", boxes: Arrangement, at: int, lines: list[Line], texts: list[Text]) -> tuple[Line, Text]:
    """A loop at a box, on the side where fewest other shapes are, and its lags."""
    others = np.vstack(
        [
            np.delete(boxes.centres, at, axis=0),
            *(points_on(line.route.curve) for line in lines),
            *(text.at[None] for text in texts),
        ]
    )
    fewest, chosen = None, None
    for out in SIDES:
        line, text = _loop_towards(edge, boxes.centres[at], boxes.sizes[at], out)
        shapes = np.vstack([points_on(line.route.curve), text.at])
        near = np.count_nonzero(np.linalg.norm(others[:, None] - shapes[None], axis=2).min(axis=1) < FONT_SIZE)
        if fewest is None or near < fewest:
            fewest, chosen = near, (line, text)
    assert chosen is not None
    return chosen


def _loop_towards(edge: "SummaryEdge", centre: Points, size: Points, out: Points) -> tuple[Line, Text]:
    """A loop at the side of a box to which `out` points."""
    foot = centre + out * (size / 2 + 2)
    aside = np.array([-out[1], out[0]])
    if aside[0] < 0 or aside[1] < 0:
        aside = -aside
    marks = parse_symbol(edge.edge)
    top = foot + out * LOOP_HEIGHT
    curve, tips, towards = [], [], []
    for side, mark in zip((-1.0, 1.0), marks, strict=True):
        tip, control = foot + side * LOOP_FOOT * aside, top + side * LOOP_SIDE * aside
        points_at = (tip - control) / np.linalg.norm(tip - control)
        tips.append(tip)
        towards.append(points_at)
        curve.append([tip - MARK_SIZES[mark] * points_at, control])
    (start, one), (end, other) = curve
    way = Route(np.array([start, one, top, other, end]), np.array(tips), np.array(towards))
    beyond = FONT_SIZE * 0.75 + abs(out[0]) * text_width(", ".join(map(str, edge.lags))) / 2
    text = _lags(edge, top + out * beyond)
    return Line(edge.a, edge.edge, edge.b, way, marks, INK, 1.0), text
