"""How right a graph is: its edges and marks beside the graph that it aims at, and its claims beside the generating DAG.

A tail at x of an edge between x and y claims that x causes y, an arrowhead that it does not; whether this is so can be
read off the DAG, whichever graph a search aims at. A circle claims nothing, nor does an undirected edge of a CPDAG.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import ARROW, CIRCLE, TAIL, parse_symbol
from benchmarks.beside.worker import Edge

__all__ = ["Score", "Truth", "marks_of", "score"]

Marks = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Truth:
    """The graphs that searches may aim at, by their names, and whether x causes y, at x, y."""

    graphs: Mapping[str, Marks]
    causes: NDArray[np.bool_]

    def target(self, aims: str) -> Marks:
        """The graph that is aimed at; where something is latent it is the PAG for all searches."""
        return self.graphs.get(aims, self.graphs["PAG"])


@dataclass(frozen=True)
class Score:
    """Of one graph: F1 of its edges, the share of the true marks that it has, and right and false claims."""

    f1: float
    marks: float
    right_tails: int
    false_tails: int
    right_arrows: int
    false_arrows: int


def marks_of(edges: Iterable[Edge], nodes: int, aims: str) -> Marks:
    """The marks of a graph: at x, y the mark at y. Undirected edges of a CPDAG are open at both ends."""
    marks = np.zeros((nodes, nodes), np.uint8)
    for i, j, edge in edges:
        marks[j, i], marks[i, j] = parse_symbol(edge)
    if aims == "CPDAG":
        marks[(marks == TAIL) & (marks.T == TAIL)] = CIRCLE
    return marks


def score(edges: Iterable[Edge], aims: str, truth: Truth) -> Score:
    """Hold the edges that a search found against the truth."""
    target = truth.target(aims)
    marks = marks_of(edges, len(target), aims)
    both, either = int(((marks > 0) & (target > 0)).sum()), int((marks > 0).sum() + (target > 0).sum())
    # a mark at y of the edge x–y speaks of y as a cause of x
    cause = truth.causes.T
    tails, arrows = marks == TAIL, marks == ARROW
    counts = (tails & cause, tails & ~cause, arrows & ~cause, arrows & cause)
    ends = int((target > 0).sum())
    return Score(
        2 * both / either if either else 1.0,
        int(((marks == target) & (target > 0)).sum()) / ends if ends else 1.0,
        *(int(count.sum()) for count in counts),
    )
