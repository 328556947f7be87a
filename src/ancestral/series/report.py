"""The report of a search of time series: the page of its run, with the window by steps and processes."""

from dataclasses import replace
from html import escape
from itertools import combinations
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from ancestral.graphs.window import Window, node_at
from ancestral.series.legend import KINDS, with_legend
from ancestral.series.picture import captions_of
from ancestral.series.summary_picture import summary_picture
from ancestral.series.window_layout import WindowLayout, link_of
from ancestral.series.words import copy_sentences
from ancestral.show.labels import plain
from ancestral.show.layout import Arrangement
from ancestral.show.report import report_page
from ancestral.show.report.frame import Frame
from ancestral.show.routes import bent, points_on, sketch
from ancestral.show.svg import svg

if TYPE_CHECKING:
    from ancestral.series.result import SeriesDiscovery

__all__ = ["series_report"]

#: How to read the lines of a window.
LESSONS = [
    ("latest", "Columns are steps, rows are processes. Edges that end at t stand out."),
    ("copy", "A grey line is an earlier copy of an edge that ends at t: what causes what repeats."),
    ("early", "A dashed line exists only early: " + KINDS["early"].partition(": ")[2] + "."),
]


def series_report(found: "SeriesDiscovery") -> str:
    """The text of the HTML file of a search of time series."""
    window = Window.of(found.run.stage.columns)
    layout = WindowLayout(window, found.window, steps=True)
    return report_page(
        found.run,
        frame=Frame(
            title=_title(found),
            facts=_facts(found),
            boxes=_with_curves(layout),
            captions=captions_of(layout, _corner(layout)),
            latest=_latest(window),
            remarks=lambda a, b: copy_sentences(found.run, window, a, b),
            lessons=LESSONS,
            doubt="How certain the marks are was not checked (found.bootstrap()).",
            section=_section(found),
        ),
    )


def _title(found: "SeriesDiscovery") -> str:
    count = len(found.processes)
    size = f"{count:,} {'process' if count == 1 else 'processes'} at {found.lags + 1} steps"
    title, source = f"{found.settings.chosen.title} on {size}", found.run.reading.source
    return title if source is None else f"{PurePath(source).name}: {title}"


def _facts(found: "SeriesDiscovery") -> dict[str, tuple[str, str]]:
    """What the page says about the data in the place of rows, variables and edges."""
    edges, now = len(found.window.edges()), len(found.pag.edges())
    facts = {
        "Variables": ("Processes", f"{len(found.processes):,}, at the steps t-{found.lags} … t"),
        "Edges": ("Edges", f"{now:,} that end at t; {edges:,} in the window"),
    }
    if found.run.reading.windows is not None:
        facts["Rows"] = ("Windows", found.run.reading.windows)
    return facts


def _with_curves(layout: WindowLayout) -> Arrangement:
    """The boxes of a window, with the curves of its edges."""
    boxes = layout.boxes
    number = {name: i for i, name in enumerate(boxes.names)}
    curves = {}
    for (a, b), bend in layout.bends.items():
        i, j = ends = number[a], number[b]
        curves[i, j] = bent(boxes.centres[list(ends)], boxes.sizes[list(ends)], bend)
    return replace(boxes, curves=curves)


def _corner(layout: WindowLayout) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    """The upper left corner of all boxes and curves."""
    boxes = layout.boxes
    number = {name: i for i, name in enumerate(boxes.names)}
    points = [boxes.centres - boxes.sizes / 2]
    for (a, b), bend in layout.bends.items():
        ends = [number[a], number[b]]
        points.append(points_on(sketch(boxes.centres[ends], boxes.sizes[ends], bend)[0]))
    corner = np.vstack(points).min(axis=0, initial=np.inf)
    return np.where(np.isfinite(corner), corner, 0.0)


def _latest(window: Window) -> dict[tuple[str, str], tuple[str, str]]:
    """For each pair of nodes that does not end at t, its copy that does."""
    out = {}
    for a, b in combinations(window.names, 2):
        (i, j, lag), steps = link_of(window, a, b)
        if steps:
            out[a, b] = node_at(window.processes[i], lag), node_at(window.processes[j], 0)
    return out


def _section(found: "SeriesDiscovery") -> str:
    """The processes as a picture, and all in words."""
    drawing = svg(with_legend(summary_picture(found.summary), {}), title="The graph over processes")
    return (
        '<section id="processes" class="card" aria-labelledby="processes-title">'
        f'<h2 id="processes-title">Processes, with lags</h2>{drawing}'
        f"<h3>In words</h3><pre>{escape(plain(str(found)))}</pre></section>"
    )
