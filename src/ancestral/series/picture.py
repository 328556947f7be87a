"""Pictures of what a search of time series found: the window, and beside it the graph over processes.

In the window, edges that end at t are drawn in ink, their earlier copies in grey, and edges that exist only at its
beginning dashed.
"""

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ancestral.errors import OptionError
from ancestral.graphs import PAG
from ancestral.graphs.window import Window, node_at
from ancestral.series.legend import with_legend
from ancestral.series.summary_picture import summary_picture
from ancestral.series.window_layout import WindowLayout, copy_kind
from ancestral.show.labels import FONT_SIZE, shortened, text_width
from ancestral.show.picture import INK, MARGIN, Box, Line, Picture, Text
from ancestral.show.plot import MOST_SHOWN, drawn_on
from ancestral.show.routes import Route, bent, points_on, route
from ancestral.show.svg import svg

if TYPE_CHECKING:
    from ancestral.series.result import SeriesDiscovery

__all__ = ["WINDOW_INKS", "Part", "captions_of", "plot_series", "series_picture", "series_svg", "window_picture"]

Points = NDArray[np.float64]

#: What a picture shows.
Part = Literal["window", "summary", "both"]

#: The colours of edges that end at t, of their copies, and of edges that exist only early.
WINDOW_INKS = {"latest": INK, "copy": "#9aa5b4", "early": "#9aa5b4"}
#: The colour of the names of rows and columns.
SOFT = "#566070"
#: Pixels between the two parts of a picture, and between a part and its heading.
PARTS_APART, BELOW_HEADING = 46.0, 26.0


def plot_series(
    found: "SeriesDiscovery", path: str | os.PathLike[str] | None, *, ax: Any = None, what: Part = "both"
) -> Any:
    """Draw what was found into a file, or on axes; see `SeriesDiscovery.plot`."""
    if not isinstance(what, str) or what not in ("window", "summary", "both"):
        raise OptionError("must be 'window', 'summary' or 'both'", option="what", value=what)
    return drawn_on(path, ax, lambda: series_picture(found, what))


def series_svg(found: "SeriesDiscovery") -> str | None:
    """The picture that a notebook shows; None for a window of too many nodes to be read."""
    if len(found.window.nodes) > MOST_SHOWN:
        return None
    return svg(series_picture(found), title="A causal graph over lags, and over processes")


def series_picture(found: "SeriesDiscovery", what: Part = "both") -> Picture:
    """The picture of the window, of the summary, or of both side by side, with a legend."""
    window = Window.of(found.run.stage.columns)
    if what == "summary":
        return with_legend(summary_picture(found.summary), {})
    left = window_picture(window, found.window)
    inks = {
        kind: WINDOW_INKS[kind]
        for kind in WINDOW_INKS
        if any(copy_kind(window, found.window, a, b) == kind for a, _, b in found.window.edges())
    }
    return with_legend(left if what == "window" else _side_by_side(left, summary_picture(found.summary)), inks)


def window_picture(window: Window, graph: PAG) -> Picture:
    """The picture of the graph of a window: a column for each step, a row for each process."""
    layout = WindowLayout(window, graph)
    boxes = layout.boxes
    number = {name: i for i, name in enumerate(boxes.names)}
    lines = []
    for a, edge, b in graph.edges():
        x, y = graph.index(a), graph.index(b)
        marks = int(graph.marks[y, x]), int(graph.marks[x, y])
        ends = [number[a], number[b]]
        way = route(bent(boxes.centres[ends], boxes.sizes[ends], layout.bends[a, b]), marks)
        kind = copy_kind(window, graph, a, b)
        lines.append(Line(a, edge, b, way, marks, WINDOW_INKS[kind], 1.0, dashed=kind == "early"))
    lines.sort(key=lambda line: line.ink == INK)  # those that end at t are drawn above the others
    shapes = tuple(
        Box(name, label, centre, size, "#ffffff", INK if window.place(name)[1] == 0 else SOFT)
        for name, label, centre, size in zip(boxes.names, boxes.labels, boxes.centres, boxes.sizes, strict=True)
    )
    corners = [boxes.centres - boxes.sizes / 2, boxes.centres + boxes.sizes / 2]
    corners += [points_on(line.route.curve) for line in lines]
    points = np.vstack(corners) if window.names else np.zeros((1, 2))
    texts = captions_of(layout, points.min(axis=0))
    low = points.min(axis=0) - MARGIN
    low = np.minimum(low, np.min([text.low for text in texts], axis=0, initial=np.inf) - MARGIN)
    return Picture(shapes, tuple(lines), low, points.max(axis=0) + MARGIN, {}, boxes, tuple(texts))


def captions_of(layout: WindowLayout, corner: Points) -> list[Text]:
    """The names of the columns, above all else, and of the rows, left of all else: beyond the corner of the rest."""
    place, window = layout.boxes.positions, layout.window
    columns = {f"t\u2212{lag}" if lag else "t": place[node_at(window.processes[0], lag)][0] for lag in window.steps}
    rows = {process: place[node_at(process, 0)][1] for process in window.processes}
    return [
        *(Text(name, np.array([x, corner[1] - 16]), "middle", SOFT, bold=True) for name, x in columns.items()),
        *(Text(shortened(name), np.array([corner[0] - 12, y]), "end", SOFT, bold=True) for name, y in rows.items()),
    ]


def _side_by_side(left: Picture, right: Picture) -> Picture:
    """Two pictures, each with its heading, the second to the right of the first."""
    height = max(left.high[1] - left.low[1], right.high[1] - right.low[1])
    out = []
    corner = np.zeros(2)
    for part, heading in ((left, "Window"), (right, "Processes, with lags")):
        # the smaller one stands in the middle
        down = BELOW_HEADING + (height - (part.high[1] - part.low[1])) / 2
        shift = corner + np.array([0.0, down]) - part.low
        title = Text(heading, corner + np.array([MARGIN, FONT_SIZE]), bold=True)
        out.append(_moved(part, shift, (title,)))
        width = max(part.high[0] - part.low[0], text_width(heading) * 1.1 + 2 * MARGIN)
        corner = corner + np.array([width + PARTS_APART, 0.0])
    one, two = out
    high = np.array([corner[0] - PARTS_APART, height + BELOW_HEADING])
    return Picture(
        one.boxes + two.boxes, one.lines + two.lines, np.zeros(2), high, {}, one.arrangement, one.texts + two.texts
    )


def _moved(picture: Picture, by: Points, more: tuple[Text, ...]) -> Picture:
    """A picture moved on the page, with further texts, which are not moved."""
    return replace(
        picture,
        boxes=tuple(replace(box, centre=box.centre + by) for box in picture.boxes),
        lines=tuple(replace(line, route=_shifted(line.route, by)) for line in picture.lines),
        texts=(*(replace(text, at=text.at + by) for text in picture.texts), *more),
        low=picture.low + by,
        high=picture.high + by,
    )


def _shifted(way: Route, by: Points) -> Route:
    return replace(way, curve=way.curve + by, tips=way.tips + by)
