"""Pages, pictures and tables of an answer, made when they are asked for."""

import re
import tempfile
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np

import ancestral as an
from ancestral.graphs import MixedGraph
from ancestral.graphs.marks import NONE
from ancestral.io.decisions_csv import decisions_csv
from ancestral.show.design import without_design
from ancestral.show.emphasis import outside_of, tiers_of, told_by
from ancestral.show.layout import Arrangement, arrange
from ancestral.show.picture import picture
from ancestral.show.svg import svg
from ancestral.studio.reading import bootstrap_of, found_in
from ancestral.studio.refusals import Refused

__all__ = ["beside_picture", "exported", "policy_of", "report", "stage_picture"]


def report(place: str) -> bytes:
    """The report of an answer, with its bootstrap if there is one."""
    found, boot = found_in(place), bootstrap_of(place)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        found.report(path, reliabilities=boot)
        return path.read_bytes()


def policy_of(page: bytes) -> str:
    """The content policy that a report states in its head; it allows nothing if none is found."""
    stated = re.search(rb'http-equiv="Content-Security-Policy" content="([^"]*)"', page[:4000])
    return unescape(stated[1].decode()) if stated else "default-src 'none'"


def stage_picture(place: str, number: str) -> bytes:
    """The picture of a stage as SVG; `number` counts from 0, or is "last"."""
    found = found_in(place)
    graphs = found.graphs or (found.pag,)
    if number != "last" and not (number.isascii() and number.isdigit() and int(number[:9]) < len(graphs)):
        raise Refused(f"there is no stage {number[:20]!r}; there are {len(graphs)}, from 0 on", 404)
    graph = graphs[-1 if number == "last" else int(number)]
    return _drawn(found if graph is graphs[-1] else graph)


def beside_picture(first: str, second: str, drawn: str) -> bytes:
    """The picture of one of two answers, where the edges that the other one has not alike stand out.

    All three are folders of answers; `drawn` is the first or the second. If both are about the same variables, their
    pictures are of one size, and boxes and edges are in the same places in both.
    """
    found, rest = found_in(drawn), found_in(second if drawn == first else first).pag
    graph = without_design(found.pag, found.settings.knowledge)
    differing = [
        (a, b) for a, edge, b in graph.edges() if a not in rest.nodes or b not in rest.nodes or rest.edge(a, b) != edge
    ]
    places = _for_both(found_in(first), found_in(second))
    return svg(picture(graph, highlight=differing, arrangement=places, **told_by(found))).encode()


def _for_both(one: "an.Discovery", other: "an.Discovery") -> Arrangement | None:
    """Places for the edges of two graphs, in the tiers of the first; None if they are about other variables."""
    nodes = one.pag.nodes
    if set(nodes) != set(other.pag.nodes):
        return None
    marks, others = (without_design(run.pag, run.settings.knowledge).arranged(nodes) for run in (one, other))
    both = MixedGraph(nodes, np.where(marks == NONE, others, marks))
    outside = outside_of(one)
    return arrange(both, first=() if outside is None else outside.names, tiers=tiers_of(one))


def exported(place: str, name: str) -> bytes:
    """A file about an answer that is made on request."""
    if name == "report.html":
        return report(place)
    found = found_in(place)
    if name == "graph.svg":
        return _drawn(found)
    return decisions_csv(found.to_frame(library="polars")).encode()


def _drawn(drawn: "an.Discovery | an.PAG", **options: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.svg"
        drawn.plot(path, **options)
        return path.read_bytes()
