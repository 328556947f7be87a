"""Where climbs begin: graphs of order searches and of ICD, each made ancestral and maximal.

No start is best everywhere. DAGs of an order search have nearly all edges and no latent variable; ICD finds latent
variables, and loses edges.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.graphs.marks import ARROW, NONE, TAIL
from ancestral.graphs.member import member_marks
from ancestral.independence.base import BaseTest
from ancestral.options import SearchOptions
from ancestral.scores._ancestral_cy import AncestralGraph
from ancestral.scores._order_cy import OrderSearch
from ancestral.scores.edge_types import BOTH, NO_EDGE, type_of
from ancestral.search.base import Problem
from ancestral.search.icd import icd
from ancestral.search.scored.limits import Limits

__all__ = ["candidate_pairs", "icd_start", "legal_graph", "order_search", "ordered_dag"]

Marks = NDArray[np.uint8]


def ordered_dag(search: OrderSearch, order: NDArray[np.intp]) -> tuple[float, Marks]:
    """The score and the marks of the DAG that an order search comes to from this order."""
    score, parents = search.search(order)
    marks = np.zeros(parents.shape, dtype=np.uint8)
    marks[parents] = ARROW
    marks[parents.T] = TAIL
    return score, marks


def icd_start(problem: Problem, test: BaseTest, alpha: float) -> Marks:
    """The marks of a graph in the class that ICD finds at this significance level, if that is a class."""
    asked = Problem(
        questions=test.with_alpha(alpha).questions(problem.names),
        names=problem.names,
        columns=problem.names,
        options=SearchOptions(selection_bias=False),
        watch=problem.watch,
        constraints=problem.constraints,
    )
    *_, last = icd(asked)
    return member_marks(last.oriented.marks)


def legal_graph(marks: Marks, limits: Limits) -> Marks:
    """A graph with the edges of this one that is ancestral and maximal and keeps to the limits.

    Edges are inserted one at a time: required ones first, then directed ones, then others. One that is not legal
    becomes `<->`, or is turned around. Then the edges are added that maximality asks for.
    """
    n = len(marks)
    graph = AncestralGraph(n, limits.types, limits.no_cause)
    required = limits.required.tolist()
    edges = [[a, b] for a, b in np.argwhere(np.triu(marks != NONE, 1)).tolist() if [a, b] not in required]
    edges.sort(key=lambda pair: type_of(marks, *pair) == BOTH)
    for a, b in [*required, *edges]:
        _insert(graph, limits, a, b, type_of(marks, a, b))
    _make_maximal(graph, limits)
    return graph.matrix()


def _insert(graph: AncestralGraph, limits: Limits, a: int, b: int, wanted: int) -> None:
    """Join two nodes by an edge of the wanted type, or of another one that is legal."""
    for kind in limits.open_types(a, b, wanted):
        if graph.may_change(a, b, kind):
            graph.change(a, b, kind)
            return


def _make_maximal(graph: AncestralGraph, limits: Limits) -> None:
    """Join nodes with an inducing path between them; where no edge may be, break the path up.

    Neither of the two is an ancestor of the other, so that a bidirected edge leaves the graph ancestral.
    """
    while (pair := graph.inducing_pair()) is not None:
        if graph.may_change(*pair, BOTH):
            graph.change(*pair, BOTH)
        else:
            _separate(graph, limits, pair)


def _separate(graph: AncestralGraph, limits: Limits, pair: Sequence[int]) -> None:
    """Remove the bidirected edges next to two nodes and their neighbours, without which no inducing path is left."""
    marks = graph.matrix()
    near = np.flatnonzero((marks[list(pair)] != NONE).any(axis=0))
    for a in {*near.tolist(), *pair}:
        for b in np.flatnonzero((marks[a] == ARROW) & (marks[:, a] == ARROW)).tolist():
            if limits.types[a, b] & 1:
                graph.change(a, b, NO_EDGE)


def candidate_pairs(starts: Sequence[Marks], limits: Limits) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The pairs whose type may change, as rows a, b; and which of them are adjacent in a start.

    The others have a common neighbour in the union of the starts.
    """
    joined = np.zeros(limits.types.shape, dtype=bool)
    for marks in starts:
        joined |= marks != NONE
    # a product of matrices of 32-bit floats is exact up to 16 million common neighbours, and fast
    paths = joined.astype(np.float32)
    near = np.triu((joined | (paths @ paths > 0)) & (limits.types != 1 << NO_EDGE), 1)
    return np.argwhere(near), joined[near]


def order_search(blocks: ColumnBlocks, limits: Limits, gamma: float, pulse: Pulse) -> OrderSearch:
    """An order search of these data, whose trees can be used for several orders."""
    return OrderSearch(
        blocks.correlation, blocks.starts, float(blocks.rows), gamma=gamma, banned=limits.banned, pulse=pulse
    )
