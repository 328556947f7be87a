"""Scores of graphs found in time series against the truth.

Only edges between different processes that end at t count. An edge is right if the two nodes are adjacent in the
MAG of the window, in which all earlier steps are latent. A mark is right if it is true of causes: a tail at a cause, an
arrowhead at a node that is no cause of the other. Marks that follow from the order of time are not counted.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from math import sqrt
from typing import Self

from ancestral.graphs.marks import flipped
from ancestral.graphs.mixed import MixedGraph
from ancestral.graphs.series_dag import SeriesDAG
from ancestral.graphs.window import Window
from benchmarks.series_data import Link

#: Two processes and the lag of the first behind the second, which is at t; within a step, the smaller number first.
Pair = tuple[int, int, int]

#: Edges by pairs; an edge such as `o->` has the mark of the first process first.
Edges = Mapping[Pair, str]


@dataclass(frozen=True)
class Truth:
    """The pairs that are adjacent, and the pairs of which the first node is a cause of the second."""

    adjacent: frozenset[Pair]
    causes: frozenset[Pair]


@dataclass(frozen=True)
class Counts:
    """What was counted in one graph, or in several together."""

    true: int = 0  # edges of the truth
    found: int = 0  # edges of the graph
    shared: int = 0  # edges of both
    ends: int = 0  # ends of true edges that the order of time leaves open
    given: int = 0  # tails and arrowheads of the graph at such ends
    right: int = 0  # of these, the right ones
    right_shared: int = 0  # of these, those on true edges

    def __add__(self, other: Self) -> Self:
        return type(self)(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))

    @property
    def precision(self) -> float:
        """True edges of the edges found; 1 if none was found."""
        return self.shared / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Edges found of the true edges; 1 if there is none."""
        return self.shared / self.true if self.true else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 1 if there is no edge and none was found."""
        return 2 * self.shared / (self.true + self.found) if self.true + self.found else 1.0

    @property
    def marks_right(self) -> float:
        """Right marks of the marks given; 1 if none was given."""
        return self.right / self.given if self.given else 1.0

    @property
    def marks_found(self) -> float:
        """Right marks on true edges, of their ends that the order of time leaves open; 1 if there is none."""
        return self.right_shared / self.ends if self.ends else 1.0

    @property
    def wrong(self) -> int:
        """The number of wrong marks."""
        return self.given - self.right


def score(found: Edges, truth: Truth) -> Counts:
    """Count the edges and marks of a graph."""
    cross = {pair: edge for pair, edge in found.items() if pair[0] != pair[1]}
    true = {pair for pair in truth.adjacent if pair[0] != pair[1]}
    marks = [(pair, _is_right(mark, claim, truth)) for pair in cross for mark, claim in _open_ends(pair, cross[pair])]
    given = [(pair, right) for pair, right in marks if right is not None]
    return Counts(
        true=len(true),
        found=len(cross),
        shared=len(true & cross.keys()),
        ends=sum(2 if lag == 0 else 1 for _, _, lag in true),
        given=len(given),
        right=sum(right for _, right in given),
        right_shared=sum(right for pair, right in given if pair in true),
    )


def _open_ends(pair: Pair, edge: str) -> Iterator[tuple[str, Pair]]:
    """The marks of an edge that the order of time leaves open, each with the claim that a tail makes there."""
    first, second, lag = pair
    yield edge[0], pair
    if lag == 0:
        yield edge[2], (second, first, 0)


def _is_right(mark: str, claim: Pair, truth: Truth) -> bool | None:
    """Whether a mark is true; None for a circle, which claims nothing."""
    return None if mark == "o" else (mark == "-") == (claim in truth.causes)


def ending_now(graph: MixedGraph, processes: Sequence[str], lags: int) -> dict[Pair, str]:
    """The edges of a graph over a window that end at t; processes are numbered in the order given."""
    window = Window(tuple(processes), lags)
    number = {process: i for i, process in enumerate(processes)}
    out: dict[Pair, str] = {}
    for a, edge, b in graph.edges():
        (first, lag), (second, later) = window.place(a), window.place(b)
        if (lag, number[second]) < (later, number[first]):
            first, lag, second, later, edge = second, later, first, lag, flipped(edge)
        if later == 0:
            out[number[first], number[second], lag] = edge
    return out


def truth_of(links: Sequence[Link], observed: Sequence[int], lags: int) -> Truth:
    """The truth about the observed processes, which are numbered in the order given."""
    column = {process: i for i, process in enumerate(observed)}
    names = {process: f"x{process}" for link in links for process in (link[0], link[2])}
    names |= {process: f"x{process}" for process in observed}
    edges = [(names[cause], lag, names[effect]) for cause, lag, effect in links]
    mag = SeriesDAG(names.values(), edges, [names[process] for process in names.keys() - column.keys()]).mag(lags)
    return Truth(
        adjacent=frozenset(ending_now(mag, [names[process] for process in observed], lags)),
        causes=frozenset(
            (column[cause], column[effect], lag)
            for cause, lag, effect in causes(links, lags)
            if cause in column and effect in column
        ),
    )


def causes(links: Iterable[Link], lags: int) -> set[Link]:
    """All (cause, lag, effect), of different nodes, with a directed path of exactly `lag` steps, which is ≤ `lags`."""
    steps = list(links)
    found = set()
    queue = [link for link in steps if link[1] <= lags]
    while queue:
        path = queue.pop()
        if path not in found:
            found.add(path)
            origin, taken, end = path
            queue += [
                (origin, taken + lag, effect) for cause, lag, effect in steps if cause == end and taken + lag <= lags
            ]
    return found


@dataclass(frozen=True)
class Run:
    """One search of one data set; without counts, it has failed."""

    counts: Counts | None
    seconds: float
    questions: int


def together(runs: Iterable[Run]) -> Counts:
    """The counts of several runs."""
    return sum((run.counts for run in runs if run.counts is not None), Counts())


def difference(
    measure: Callable[[Sequence[Run]], float], ours: Sequence[Run], theirs: Sequence[Run]
) -> tuple[float, float]:
    """By how much a measure of our runs exceeds that of theirs on the same data sets, with its standard error.

    The error is that of the jackknife: data sets are left out one at a time, on both sides.
    """
    whole = measure(ours) - measure(theirs)
    count = len(ours)
    if count < 2:
        return whole, float("nan")
    without = [measure([*ours[:i], *ours[i + 1 :]]) - measure([*theirs[:i], *theirs[i + 1 :]]) for i in range(count)]
    mean = sum(without) / count
    return whole, sqrt((count - 1) / count * sum((value - mean) ** 2 for value in without))
