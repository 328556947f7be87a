"""Pages, pictures and tables of an answer, made when they are asked for."""

import re
import tempfile
from html import unescape
from pathlib import Path
from typing import Any

import ancestral as an
from ancestral.io.decisions_csv import decisions_csv
from ancestral.show.design import without_design
from ancestral.show.emphasis import tiers_of
from ancestral.show.layout import arrange
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


def beside_picture(places: str, drawn: str, other: str) -> bytes:
    """The picture of the answer `drawn`, where the edges that `other` has not alike stand out.

    All three are folders of answers. Variables stand where the picture of `places` has them, if it has the same ones.
    """
    found, rest, first = found_in(drawn), found_in(other).pag, found_in(places)
    graph = without_design(found.pag, found.settings.knowledge)
    differing = [
        (a, b) for a, edge, b in graph.edges() if a not in rest.nodes or b not in rest.nodes or rest.edge(a, b) != edge
    ]
    same = set(first.pag.nodes) == set(graph.nodes)
    positions = arrange(first.pag, tiers=tiers_of(first)).positions if same else None
    return _drawn(found, highlight=differing, positions=positions)


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
