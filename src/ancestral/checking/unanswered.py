"""Edges that stay although questions about them could not be answered: such an edge is no evidence of a dependence.

A question that the data cannot support counts as "dependent", so that no edge is removed without evidence.
"""

import numpy as np

from ancestral.checking.check import MOST_UNANSWERED, UnansweredEdge
from ancestral.knowledge import Knowledge
from ancestral.search.evidence import Decisions

__all__ = ["unanswered_edges"]


def unanswered_edges(
    decisions: Decisions, names: tuple[str, ...], knowledge: Knowledge | None
) -> tuple[int, int, tuple[UnansweredEdge, ...]]:
    """How many edges have questions without an answer, how many have no answer at all, and the worst of the former.

    Edges that are known to be there do not rest on answers.
    """
    known = {frozenset(pair) for pair in (knowledge.required if knowledge is not None else ())}
    edges = [
        UnansweredEdge(names[x], names[y], count, answered)
        for (x, y), count, answered in _rows(decisions)
        if frozenset((names[x], names[y])) not in known
    ]
    edges.sort(key=lambda edge: (edge.answered, -edge.questions))
    return len(edges), sum(not edge.answered for edge in edges), tuple(edges[:MOST_UNANSWERED])


def _rows(decisions: Decisions) -> list[tuple[tuple[int, int], int, bool]]:
    """Pair, number of questions without an answer, and whether any was answered, of edges with such questions."""
    rows = np.flatnonzero(decisions.unanswered)
    pairs = [(x, y) for x, y in decisions.edges[rows].tolist()]
    answered = (decisions.closest.sizes[rows] >= 0).tolist()
    return list(zip(pairs, decisions.unanswered[rows].tolist(), answered, strict=True))
