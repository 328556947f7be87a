"""A picture of a graph as plain shapes: boxes with labels, curves, marks. `svg` and `axes` draw them.

Lines are drawn first, then boxes, then marks, so that nothing hides a mark.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice, pairwise
from typing import Any, Literal, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from ancestral.arguments import listed
from ancestral.errors import Option, OptionError
from ancestral.graphs import DAG, PAG, MixedGraph
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
from ancestral.graphs.names import by_name
from ancestral.printing import shown
from ancestral.show.detours import curves_between
from ancestral.show.kinds import SQUARE
from ancestral.show.labels import FONT_SIZE, text_width
from ancestral.show.layout import Arrangement, Layout, Positions, arrange
from ancestral.show.routes import MARK_SIZES, Route, route

__all__ = [
    "ACCENT",
    "INK",
    "MARGIN",
    "PALETTE",
    "THICK",
    "THIN",
    "Box",
    "Fade",
    "KeyLine",
    "Line",
    "Outside",
    "Picture",
    "Strength",
    "Text",
    "Told",
    "picture",
    "pointed_box",
    "visible_pairs",
]

Points = NDArray[np.float64]


class Strength(NamedTuple):
    """How strongly an edge is drawn, from 0, faint, to 1: its line, and its marks at a and at b."""

    edge: float
    at_a: float
    at_b: float


#: The strength of edges: of all of an edge, or of its line and marks, which are those of the pair in its order.
Fade = Mapping[tuple[str, str], float | Strength]

_AS_PAIRS = "write 'a' for a node, and ('a', 'b') for a pair"

#: The colours of Okabe and Ito, which people with colour blindness can tell apart, as fills light enough for dark text.
PALETTE = ("#cfe5f5", "#fbe3b5", "#cdeadd", "#f6d5c3", "#e9dcef", "#eeeeee", "#f7f3bf", "#d9d9f3")
#: The colour of highlighted nodes and edges, and of the others.
ACCENT = "#c2410c"
INK = "#1f2937"
#: The opacity of an edge of strength 0, which can still be seen.
FAINTEST = 0.18
#: Pixels that a line is wide, and the line of a visible edge.
THIN, THICK = 1.5, 2.4
#: What the key says about thick lines, and about places.
THICK_MEANS = "thick: not confounded (visible)"
TIERS_MEAN = "from left to right: the tiers, in their known order"
#: Pixels between the shapes and the border of the picture.
MARGIN = 14.0
#: Pixels by which the points of a pointed box reach beyond its upper and lower side.
POINT = 9.0
#: Pixels that a line below the picture needs beside its text, for a small box and margins.
BESIDE = 58.0


@dataclass(frozen=True)
class Box:
    """A node. `dashed` stands for a latent one, `double` for one that the sample was selected on.

    `pointed`, a box with a point at each side, stands for one that was set from outside, `square` for one that is not
    continuous.
    """

    name: str
    label: str
    centre: Points
    size: Points
    fill: str
    ink: str
    dashed: bool = False
    double: bool = False
    pointed: bool = False
    square: bool = False

    @property
    def rounding(self) -> float:
        """The radius of its corners in pixels."""
        return 2.0 if self.square else 8.0

    def corners(self) -> Points:
        """The corners of a pointed box, from its left point on."""
        return pointed_box(self.centre, self.size)


def pointed_box(centre: Points, size: Points) -> Points:
    """The six corners of a box with a point at each side, from the left one on."""
    (x, y), (right, down) = centre, size / 2
    in_by = min(POINT, right)
    across = [-right, -right + in_by, right - in_by, right, right - in_by, -right + in_by]
    return np.column_stack([x + np.array(across), y + down * np.array([0, -1, -1, 0, 1, 1])])


@dataclass(frozen=True)
class Line:
    """An edge: its route, its marks, and how it is drawn.

    `opacity` is that of the line, `mark_opacities` are those of the marks at a and b.
    """

    a: str
    edge: str
    b: str
    route: Route
    marks: tuple[int, int]
    ink: str
    opacity: float
    dashed: bool = False
    mark_opacities: tuple[float, float] = (1.0, 1.0)
    width: float = THIN

    def __str__(self) -> str:
        return f"{self.a} {self.edge} {self.b}"

    def shapes(self) -> list[tuple[int, Points, float]]:
        """The shape of each mark, and its opacity: the corners of an arrowhead, its tip first; the centre of a circle.

        A tail is the end of the line, and has a shape, two points, only if it is fainter or stronger than the line.
        """
        out: list[tuple[int, Points, float]] = []
        ends = zip(self.marks, self.route.tips, self.route.towards, self.mark_opacities, strict=True)
        for mark, tip, towards, opacity in ends:
            if mark == ARROW:
                back, aside = tip - MARK_SIZES[ARROW] * towards, 4.6 * np.array([-towards[1], towards[0]])
                out.append((ARROW, np.array([tip, back + aside, back - aside]), opacity))
            elif mark == CIRCLE:
                out.append((CIRCLE, tip - MARK_SIZES[CIRCLE] / 2 * towards, opacity))
            elif opacity != self.opacity:
                out.append((TAIL, np.array([tip, tip - MARK_SIZES[CIRCLE] * towards]), opacity))
        return out

    def arrowheads(self) -> list[Points]:
        """The corners of each arrowhead, its tip first."""
        return [shape for mark, shape, _ in self.shapes() if mark == ARROW]

    def circles(self) -> list[Points]:
        """The centre of each circle."""
        return [shape for mark, shape, _ in self.shapes() if mark == CIRCLE]


@dataclass(frozen=True)
class Text:
    """A line of text beside the boxes: `anchor`, "start", "middle" or "end", is the part of it that stands at `at`.

    `halo` puts it on the colour of the page, so that it can be read across a line.
    """

    text: str
    at: Points
    anchor: str = "start"
    ink: str = INK
    bold: bool = False
    halo: bool = False

    @property
    def size(self) -> Points:
        """The width and height that the text takes at most, with a little room around it."""
        return np.array([text_width(self.text) * (1.1 if self.bold else 1.0) + 4, FONT_SIZE + 4])

    @property
    def low(self) -> Points:
        """The upper left corner of the room that the text takes."""
        before = {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]
        return self.at - self.size * np.array([before, 0.5])


@dataclass(frozen=True)
class Outside:
    """The nodes that were set from outside, what that means, and a note below the picture, which may be empty."""

    names: tuple[str, ...]
    meaning: str
    note: str = ""


class KeyLine(NamedTuple):
    """A line of the key: a sample of what is explained, if there is one, and words."""

    sample: Literal["pointed", "square", "thick", "none"]
    words: str


class Told(TypedDict, total=False):
    """What a run tells about its graph, as options of `picture`."""

    outside: Outside | None
    tiers: Sequence[Collection[str]]
    square: Collection[str]
    visible: Collection[frozenset[str]] | None
    heading: str


@dataclass(frozen=True)
class Picture:
    """Shapes between the corners `low` and `high`; `key` has the fill of each group of nodes, `heading` what they are.

    `explained` says what the shapes of boxes and lines mean, in lines below the picture.
    """

    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    low: Points
    high: Points
    key: Mapping[str, str]
    arrangement: Arrangement
    texts: tuple[Text, ...] = ()
    explained: tuple[KeyLine, ...] = ()
    heading: str = ""


def picture(
    graph: MixedGraph,
    *,
    highlight: Iterable[Any] = (),
    colour: Mapping[str, str] | None = None,
    fade: Fade | None = None,
    layout: Layout | None = None,
    positions: Positions | None = None,
    outside: Outside | None = None,
    tiers: Sequence[Collection[str]] = (),
    square: Collection[str] = (),
    visible: Collection[frozenset[str]] | None = None,
    heading: str = "",
    arrangement: Arrangement | None = None,
) -> Picture:
    """The picture of a graph.

    `highlight`: nodes and pairs of adjacent nodes to stand out. `colour`: the group of each node, which decides its
    colour; `heading` says what groups they are. `fade`: the strength of edges, from 0, faint, to 1; an edge that is not
    named has strength 1. `layout`, `positions` and `tiers` are as in `arrange`. `outside`: the nodes that were set from
    outside, and words about them; `square`: those whose boxes have square corners; `visible`: the pairs whose edges are
    visible, by default those of the graph. `arrangement`, of a graph with the same nodes and at least these edges, is
    taken as it is, and the picture is as large as that of the other graph. Raises OptionError for an option that cannot
    be used.
    """
    first = () if outside is None else outside.names
    if arrangement is None:
        arrangement = arrange(graph, layout, positions, first, tiers)
    nodes, pairs = _highlighted(graph, highlight)
    key = _key(graph, colour)
    index = {name: i for i, name in enumerate(arrangement.names)}
    roles = (graph.latent, graph.selection) if isinstance(graph, DAG) else ((), ())
    boxes = tuple(
        Box(
            name,
            label,
            arrangement.centres[i],
            arrangement.sizes[i],
            key[str(colour[name])] if colour and name in colour else "#ffffff",
            ACCENT if name in nodes else INK,
            name in roles[0],
            name in roles[1],
            name in first,
            name in square,
        )
        for i, (name, label) in enumerate(zip(arrangement.names, arrangement.labels, strict=True))
    )
    strengths = _strengths(graph, fade)
    thick = visible_pairs(graph) if visible is None else visible
    edges = sorted(graph.edges(), key=lambda edge: (by_name(edge[0]), by_name(edge[2])))
    ends = [(index[a], index[b]) for a, _, b in edges]
    curves = curves_between(arrangement.centres, arrangement.sizes, ends, arrangement.curves)
    lines = []
    for (a, edge, b), pair_of in zip(edges, ends, strict=True):
        at_a, at_b = graph.marks[graph.index(b), graph.index(a)], graph.marks[graph.index(a), graph.index(b)]
        marks = int(at_a), int(at_b)
        pair = frozenset((a, b))
        opacity, *of_marks = (FAINTEST + (1 - FAINTEST) * part for part in strengths.get((a, b), _FULL))
        # a tail of another strength than its line is drawn by itself, with the room of a circle
        first_room, last_room = (
            CIRCLE if mark == TAIL and own != opacity else mark for mark, own in zip(marks, of_marks, strict=True)
        )
        path = route(curves[pair_of], (first_room, last_room))
        ink, width = ACCENT if pair in pairs else INK, THICK if pair in thick else THIN
        lines.append(Line(a, edge, b, path, marks, ink, opacity, False, (of_marks[0], of_marks[1]), width))
    low, high = _extent(arrangement, lines)
    explained = _explained(boxes, lines, outside, tiers)
    high[0] = max(high[0], low[0] + max((text_width(line.words) + BESIDE for line in explained), default=0.0))
    return Picture(boxes, tuple(lines), low, high, key, arrangement, (), explained, heading)


def visible_pairs(graph: MixedGraph) -> frozenset[frozenset[str]]:
    """The pairs of a PAG whose edges are visible; none of a graph that rules out what is unmeasured for all edges."""
    if not isinstance(graph, PAG) or not graph.may_hide:
        return frozenset()
    return frozenset(frozenset((a, b)) for a, edge, b in graph.edges() if edge == "-->" and graph.is_visible(a, b))


def _explained(
    boxes: Sequence[Box], lines: Iterable[Line], outside: Outside | None, tiers: Sequence[Collection[str]]
) -> tuple[KeyLine, ...]:
    """What the shapes and places in a picture mean, as far as they are in it."""
    out = [] if outside is None else [KeyLine("pointed", outside.meaning), KeyLine("none", outside.note)]
    if _in_order(boxes, tiers):
        out.append(KeyLine("none", TIERS_MEAN))
    if any(box.square and not box.pointed for box in boxes):
        out.append(KeyLine("square", SQUARE))
    if any(line.width == THICK for line in lines):
        out.append(KeyLine("thick", THICK_MEANS))
    return tuple(line for line in out if line.words)


def _in_order(boxes: Sequence[Box], tiers: Sequence[Collection[str]]) -> bool:
    """Whether several tiers are shown, each to the left of the next, wherever the places come from."""
    parts = [[box for box in boxes if box.name in tier] for tier in tiers]
    sides = [
        (min(box.centre[0] - box.size[0] / 2 for box in part), max(box.centre[0] + box.size[0] / 2 for box in part))
        for part in parts
        if part
    ]
    return len(sides) > 1 and all(right < left for (_, right), (left, _) in pairwise(sides))


def _extent(arrangement: Arrangement, lines: list[Line]) -> tuple[Points, Points]:
    """Two opposite corners of the picture."""
    corners = [arrangement.centres - arrangement.sizes / 2, arrangement.centres + arrangement.sizes / 2]
    corners += [line.route.curve for line in lines]
    corners += arrangement.curves.values()
    points = np.vstack([*corners, np.zeros((0 if len(arrangement.names) else 1, 2))])
    return points.min(axis=0) - MARGIN, points.max(axis=0) + MARGIN


def _highlighted(graph: MixedGraph, chosen: Iterable[Any]) -> tuple[set[str], set[frozenset[str]]]:
    """The nodes and the pairs of adjacent nodes that stand out."""
    if isinstance(chosen, str):
        as_list = Option("highlight", [chosen])
        raise OptionError("must be a list", option="highlight", value=chosen, way_out=["pass ", as_list])
    nodes, pairs = set(), set()
    for item in listed("highlight", chosen, "nodes and pairs of nodes, as in highlight=['a', ('b', 'c')]"):
        if isinstance(item, str):
            nodes.add(graph.nodes[graph.index(item)])
        elif isinstance(item, tuple) and len(item) == 2 and all(isinstance(name, str) for name in item):
            if graph.edge(*item) is None:
                raise OptionError(f"must hold pairs with an edge, got {item!r}, which has none", option="highlight")
            pairs.add(frozenset(item))
        else:
            raise OptionError(
                f"must hold nodes and pairs of nodes, got {shown(item)}", option="highlight", way_out=_AS_PAIRS
            )
    return nodes, pairs


def _key(graph: MixedGraph, colour: Mapping[str, str] | None) -> dict[str, str]:
    """The fill of each group, in the order in which they are first named."""
    if colour is None:
        return {}
    if not isinstance(colour, Mapping):
        way_out = "pass the group of each node, as in {'age': 'early', 'bmi': 'late'}"
        raise OptionError("must be a dictionary", option="colour", value=colour, way_out=way_out)
    for name in colour:
        graph.index(name)
    groups = list(dict.fromkeys(str(group) for group in colour.values()))
    return dict(zip(groups, islice(cycle(PALETTE), len(groups)), strict=True))


_FULL = Strength(1.0, 1.0, 1.0)


def _strengths(graph: MixedGraph, fade: Fade | None) -> dict[tuple[str, str], Strength]:
    """The strength of each pair that is named, in both orders."""
    if fade is None:
        return {}
    if not isinstance(fade, Mapping):
        way_out = "pass the strength of edges, as in {('a', 'b'): 0.3}"
        raise OptionError("must be a dictionary", option="fade", value=fade, way_out=way_out)
    out = {}
    for pair, given in fade.items():
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise OptionError(f"must have pairs of nodes as keys, got {shown(pair)}", option="fade", way_out=_AS_PAIRS)
        for name in pair:
            graph.index(name)
        parts = given if isinstance(given, Strength) else (given, given, given)
        if not all(isinstance(part, int | float | np.floating) and 0 <= part <= 1 for part in parts):
            raise OptionError(
                f"must have numbers from 0 to 1 as values, got {shown(given)} for {pair!r}", option="fade"
            )
        edge, first, last = map(float, parts)
        out[pair] = Strength(edge, first, last)
        out[pair[::-1]] = Strength(edge, last, first)
    return out
