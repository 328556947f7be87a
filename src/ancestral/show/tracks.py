"""Boxes in columns, and tracks for the edges between them: a layered drawing of a connected graph.

Each edge leaves its box at a place of its own, crosses the gap between two columns in a curve, and runs straight
through a column that it passes, where room is kept for it. So no edge runs behind a box that is not its own. igraph
finds the order within columns (Sugiyama's method); heights are adjusted so that edges are as level as they can be.
"""

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import NONE
from ancestral.show.crossings import fewer_crossings

__all__ = ["BOX_HEIGHT", "CLEARANCE", "GAP", "Drawing", "drawing"]

Points = NDArray[np.float64]
Pair = tuple[int, int]

#: The height of a box with few edges, in pixels.
BOX_HEIGHT = 30.0
#: The distance in pixels between a box and the tip of a mark.
CLEARANCE = 2.0
#: Pixels that an edge runs straight at its box, so that its mark stands on a straight line.
STUB = 16.0
#: Pixels between two edges that leave a box on one side, and between these and its corners.
PORT, CORNER = 12.0, 8.0
#: Pixels between two boxes of a column, between a box and an edge that passes, and between two of these.
BOXES_APART, BOX_AND_TRACK, TRACKS_APART = 26.0, 13.0, 11.0
#: Pixels between two columns: at least, at most, and for each pixel that edges there lead up or down.
GAP, MOST_GAP, GAP_BY_RISE = 84.0, 190.0, 0.14
#: Pixels by which an edge within a column goes out into the gap, and more for each one inside of it.
OUT, OUT_MORE = 14.0, 9.0
#: Rounds in which heights are adjusted.
ROUNDS = 16
#: How strongly an edge wants to be level: between two boxes, at one box, and where it passes columns.
LEVEL = (1.0, 2.0, 8.0)


@dataclass(frozen=True)
class Drawing:
    """The centres and sizes of boxes, and the curve of each edge from box to box.

    A curve has 2k + 1 points: k quadratic Bézier curves, one after the other. It begins at the first node of its pair.
    """

    centres: Points
    sizes: Points
    curves: dict[Pair, Points]


@dataclass
class _Items:
    """The things that columns hold: nodes first, then the places where edges pass; numbered through.

    `chains` are the items of each edge from its left end to its right; `within` the edges that stay in a column.
    """

    columns: NDArray[np.intp]
    order: list[list[int]]
    chains: dict[Pair, list[int]]
    within: list[Pair]
    nodes: int


def drawing(
    marks: NDArray[np.uint8], columns: NDArray[np.intp], widths: Points, aspect: float, *, improve: bool = True
) -> Drawing:
    """Draw a graph whose nodes have these columns; `aspect` is what width by height should be, within a third of it.

    `improve`: look for an order with few crossings, which takes most of the time; otherwise the first one is taken.
    """
    items = _ordered(marks, columns, improve)
    ports, heights = _ports(items)
    sizes = np.column_stack([widths, heights[: items.nodes]])
    levels = _levels(items, heights, ports)
    spans = _spans(items, columns, levels)
    left, right = _borders(items, widths, levels, spans)
    width = right[-1] - left[0]
    height = (levels[: items.nodes] + heights[: items.nodes] / 2).max() - (
        levels[: items.nodes] - heights[: items.nodes] / 2
    ).min()
    if width > 1.3 * aspect * height and len(set(np.round(levels[: items.nodes]).tolist())) > 1:
        levels = levels * min(2.2, width / (1.3 * aspect * height))
    elif width < aspect * height / 1.6 and len(left) > 1:
        more = min(220.0, (aspect * height / 1.6 - width) / (len(left) - 1)) * np.arange(len(left))
        left, right = left + more, right + more
    centres = np.column_stack([((left + right) / 2)[columns], levels[: items.nodes]])
    return Drawing(centres, sizes, _curves(items, centres, sizes, levels, ports, left, right, spans))


def _ordered(marks: NDArray[np.uint8], columns: NDArray[np.intp], improve: bool) -> _Items:
    """The order of nodes and passing edges within columns."""
    import igraph

    pairs = [(int(a), int(b)) for a, b in np.argwhere(np.triu(marks != NONE))]
    within = [pair for pair in pairs if columns[pair[0]] == columns[pair[1]]]
    across = [(a, b) if columns[a] < columns[b] else (b, a) for a, b in pairs if columns[a] != columns[b]]
    everywhere = columns.tolist()
    chains = {}
    for a, b in across:
        passing = range(columns[a] + 1, columns[b])
        chains[a, b] = [a, *range(len(everywhere), len(everywhere) + len(passing)), b]
        everywhere += passing
    steps = [step for chain in chains.values() for step in pairwise(chain)]
    graph = igraph.Graph(n=len(everywhere), edges=steps, directed=True)
    places = np.array(graph.layout_sugiyama(layers=everywhere, maxiter=200).coords)[: len(everywhere)]
    order: list[list[int]] = [[] for _ in range(int(columns.max()) + 1)]
    for item in np.argsort(places[:, 0], kind="stable").tolist():
        order[everywhere[item]].append(item)
    if improve:
        order = fewer_crossings(order, steps, len(everywhere))
    return _Items(np.array(everywhere, dtype=np.intp), order, chains, within, len(columns))


def _ports(items: _Items) -> tuple[dict[tuple[int, Pair], float], Points]:
    """How far below the middle of its box each edge leaves it, by box and edge, and the height of every item."""
    rank = {item: place for column in items.order for place, item in enumerate(column)}
    sides: dict[tuple[int, int], list[tuple[tuple[int, int], Pair]]] = defaultdict(list)
    for (a, b), chain in items.chains.items():
        sides[a, 1].append(((0, rank[chain[1]]), (a, b)))
        sides[b, -1].append(((0, rank[chain[-2]]), (a, b)))
    for a, b in items.within:
        for here, there in ((a, b), (b, a)):
            # brackets: the nearest at the corner, those further away inside
            steps = rank[there] - rank[here]
            sides[here, 1].append(((1, -steps) if steps > 0 else (-1, -steps), (a, b)))
    ports: dict[tuple[int, Pair], float] = {}
    heights = np.zeros(len(items.columns))
    heights[: items.nodes] = BOX_HEIGHT
    for (box, _), edges in sides.items():
        heights[box] = max(heights[box], (len(edges) - 1) * PORT + 2 * CORNER)
        for place, (_, pair) in enumerate(sorted(edges)):
            ports[box, pair] = (place - (len(edges) - 1) / 2) * PORT
    return ports, heights


def _levels(items: _Items, heights: Points, ports: dict[tuple[int, Pair], float]) -> Points:
    """The height on the page of the middle of every item: apart within columns, and edges as level as they can be."""
    from scipy.optimize import isotonic_regression

    links: list[list[tuple[int, float, float]]] = [[] for _ in heights]  # other item, how far above it, weight
    for pair, chain in items.chains.items():
        for one, other in pairwise(chain):
            rise = ports.get((one, pair), 0.0) - ports.get((other, pair), 0.0)
            weight = LEVEL[(one >= items.nodes) + (other >= items.nodes)]
            links[one].append((other, -rise, weight))
            links[other].append((one, rise, weight))
    for a, b in items.within:
        links[a].append((b, 0.0, 0.3))
        links[b].append((a, 0.0, 0.3))
    levels = np.zeros(len(heights))
    starts = []
    for column in items.order:
        apart = [_apart(one, other, heights, items.nodes) for one, other in pairwise(column)]
        start = np.concatenate([[0.0], np.cumsum(apart)])
        starts.append(start)
        levels[column] = start - start[-1] / 2
    weights = np.array([max(sum(weight for _, _, weight in linked), 0.1) for linked in links])
    there_and_back = [*range(len(items.order)), *range(len(items.order) - 2, -1, -1)]
    for _ in range(ROUNDS):
        for k in there_and_back:
            column = items.order[k]
            wanted = np.array([_wanted(item, links[item], levels) for item in column])
            levels[column] = isotonic_regression(wanted - starts[k], weights=weights[column]).x + starts[k]
    return levels


def _apart(one: int, other: int, heights: Points, nodes: int) -> float:
    """The distance between the middles of two items that follow each other in a column."""
    gap = (BOXES_APART, BOX_AND_TRACK, TRACKS_APART)[(one >= nodes) + (other >= nodes)]
    return float((heights[one] + heights[other]) / 2 + gap)


def _wanted(item: int, links: list[tuple[int, float, float]], levels: Points) -> float:
    """Where an item would stand if only its own edges counted."""
    if not links:
        return float(levels[item])
    return float(sum(w * (levels[u] + rise) for u, rise, w in links) / sum(w for _, _, w in links))


def _spans(items: _Items, columns: NDArray[np.intp], levels: Points) -> dict[Pair, int]:
    """How many others an edge within a column has to go around in the gap."""
    out: dict[Pair, int] = {}
    taken: dict[int, list[list[tuple[float, float]]]] = defaultdict(list)
    for a, b in sorted(items.within, key=lambda pair: abs(levels[pair[0]] - levels[pair[1]])):
        low, high = sorted((float(levels[a]), float(levels[b])))
        tracks = taken[int(columns[a])]
        place = next((k for k, track in enumerate(tracks) if all(high < l or h < low for l, h in track)), len(tracks))
        if place == len(tracks):
            tracks.append([])
        tracks[place].append((low, high))
        out[a, b] = place
    return out


def _borders(items: _Items, widths: Points, levels: Points, spans: dict[Pair, int]) -> tuple[Points, Points]:
    """The left and the right border of each column."""
    count = len(items.order)
    rise, inner = np.zeros(count), np.zeros(count)
    for chain in items.chains.values():
        for one, other in pairwise(chain):
            k = items.columns[one]
            rise[k] = max(rise[k], abs(levels[one] - levels[other]))
    for (a, _), place in spans.items():
        inner[items.columns[a]] = max(inner[items.columns[a]], OUT + OUT_MORE * (place + 1))
    gaps = np.clip(GAP + GAP_BY_RISE * (rise - 100), GAP, MOST_GAP) + inner
    wide = np.array([max(widths[item] for item in column if item < items.nodes) for column in items.order])
    left = np.concatenate([[0.0], np.cumsum(wide + gaps)[:-1]])
    return left, left + wide


def _curves(
    items: _Items,
    centres: Points,
    sizes: Points,
    levels: Points,
    ports: dict[tuple[int, Pair], float],
    left: Points,
    right: Points,
    spans: dict[Pair, int],
) -> dict[Pair, Points]:
    """The curve of each edge."""
    out = {}
    for pair, chain in items.chains.items():
        a, b = pair
        start = np.array([centres[a, 0] + sizes[a, 0] / 2 + CLEARANCE, centres[a, 1] + ports[a, pair]])
        stop = np.array([centres[b, 0] - sizes[b, 0] / 2 - CLEARANCE, centres[b, 1] + ports[b, pair]])
        here = np.array([right[items.columns[a]] + STUB, start[1]])
        points = [start, (start + here) / 2, here]
        for item in chain[1:-1]:
            k = items.columns[item]
            enter, leave = np.array([left[k], levels[item]]), np.array([right[k], levels[item]])
            points += [*_swing(points[-1], enter), enter, (enter + leave) / 2, leave]
        there = np.array([left[items.columns[b]] - STUB, stop[1]])
        points += [*_swing(points[-1], there), there, (there + stop) / 2, stop]
        out[pair] = np.array(points)
    for pair in items.within:
        border = right[items.columns[pair[0]]] + STUB
        out_to = border + OUT + OUT_MORE * spans[pair]
        ends = [np.array([centres[v, 0] + sizes[v, 0] / 2 + CLEARANCE, centres[v, 1] + ports[v, pair]]) for v in pair]
        first, second = (np.array([border, end[1]]) for end in ends)
        middle = np.array([out_to, (first[1] + second[1]) / 2])
        out[pair] = np.array(
            [
                ends[0], (ends[0] + first) / 2, first,
                [out_to, first[1]], middle, [out_to, second[1]],
                second, (second + ends[1]) / 2, ends[1],
            ]
        )  # fmt: skip
    return out


def _swing(one: Points, other: Points) -> tuple[Points, Points, Points]:
    """Two curves from one point to another, level at both, without their ends: control, middle, control."""
    middle, aside = (one + other) / 2, (other[0] - one[0]) / 4
    return np.array([middle[0] - aside, one[1]]), middle, np.array([middle[0] + aside, other[1]])
