"""The part of a graph that an explanation rests on, as a small picture for notebooks."""

from collections.abc import Collection

import numpy as np

from ancestral.graphs import MixedGraph
from ancestral.notebook import MOST_BESIDE
from ancestral.show.picture import picture, visible_pairs
from ancestral.show.svg import svg

__all__ = ["premises_picture"]


def premises_picture(graph: MixedGraph, names: Collection[str], pair: tuple[str, str]) -> str | None:
    """These nodes and the edges between them as an SVG document, in which the pair stands out; None for too many.

    An edge is thick if it is visible in the whole graph.
    """
    at = [i for i, name in enumerate(graph.nodes) if name in names]
    if len(at) > MOST_BESIDE:
        return None
    part = type(graph)([graph.nodes[i] for i in at], graph.marks[np.ix_(at, at)])
    adjacent = part.edge(*pair) is not None
    return svg(picture(part, highlight=[pair] if adjacent else pair, visible=visible_pairs(graph)))
