"""The legend below a picture of time series: what the lines mean, and their marks."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import parse_symbol
from ancestral.show.explain import LEGEND
from ancestral.show.labels import text_width
from ancestral.show.picture import INK, MARGIN, Line, Picture, Text
from ancestral.show.routes import MARK_SIZES, Route

__all__ = ["KINDS", "with_legend"]

Points = NDArray[np.float64]

#: What is said about edges that end at t, about their copies, and about edges that exist only early.
KINDS = {
    "latest": "ends at t",
    "copy": "an earlier copy",
    "early": "only early: what separates the pair lies before the window",
}
#: What the edges of a series mean, in few words; the sample was not selected.
MEANINGS = {
    "-->": "causes",
    "<->": "something unmeasured causes both",
    "o->": "causes, or something unmeasured causes both",
    "o-o": "which of them causes the other, if any, is open",
}
#: Pixels that a sample of a line is long, and from one row to the next.
SAMPLE, ROW = 46.0, 23.0


def with_legend(picture: Picture, inks: Mapping[str, str]) -> Picture:
    """The picture with a legend below it; `inks` has the colours of the kinds of edges that it shows."""
    left, right = picture.low[0] + MARGIN, picture.high[0] - MARGIN
    x, y = left, picture.high[1] + ROW / 2
    lines, texts = [], []
    for sample, words in _entries(picture, inks):
        width = SAMPLE * (sample is not None) + 8 + text_width(words) + 20
        if x > left and x + width > right:
            x, y = left, y + ROW
        if sample is not None:
            lines.append(_placed(sample, np.array([x, y])))
        texts.append(Text(words, np.array([x + (SAMPLE + 8) * (sample is not None), y])))
        right, x = max(right, x + width - 20), x + width
    if not texts:
        return picture
    high = np.array([right + MARGIN, y + ROW / 2 + MARGIN / 2])
    return replace(picture, lines=(*picture.lines, *lines), texts=(*picture.texts, *texts), high=high)


def _entries(picture: Picture, inks: Mapping[str, str]) -> Iterator[tuple[tuple[str, str, bool] | None, str]]:
    """Samples of lines, by edge, ink and whether it is dashed, each with its words."""
    if len(inks) > 1:
        for kind, ink in inks.items():
            yield ("---", ink, kind == "early"), KINDS[kind]
    written = {_forwards(line.edge) for line in picture.lines}
    for edge in [*MEANINGS, *(edge for edge in LEGEND if edge not in MEANINGS)]:
        if edge in written:
            yield (edge, INK, False), MEANINGS.get(edge, LEGEND[edge])
    if any(text.halo for text in picture.texts):
        yield None, "numbers: lags, in steps"


def _forwards(edge: str) -> str:
    """The edge as it is written from left to right."""
    backwards = edge[::-1].translate(str.maketrans("<>", "><"))
    return edge if edge in LEGEND else backwards


def _placed(sample: tuple[str, str, bool], at: Points) -> Line:
    """A sample of a line that begins at a point."""
    edge, ink, dashed = sample
    at_a, at_b = parse_symbol(edge)
    ends = np.array([at, at + np.array([SAMPLE, 0.0])])
    starts = ends + np.array([[MARK_SIZES[at_a], 0.0], [-MARK_SIZES[at_b], 0.0]])
    way = Route(np.array([starts[0], starts.mean(axis=0), starts[1]]), ends, np.array([[-1.0, 0.0], [1.0, 0.0]]))
    return Line("", edge, "", way, (at_a, at_b), ink, 1.0, dashed)
