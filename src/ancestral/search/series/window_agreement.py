"""Colliders in a window by agreement: which unshielded triples are colliders, as far as the data agree.

As in `search/agreement`, each triple a–b–c has two witnesses, from the answers given small sets of neighbours of a and
of c beyond their known ancestors: the majority of the sets that separate a and c, and the set with the largest p-value.
Here a decision also needs evidence from both sides: a collider must make a and c dependent when it is given, a
non-collider when it is not, with a p-value below alpha whatever else is given. A known ancestor of a or c is no
collider between them.

A triple is decided once for all its copies. Decisions are accepted in the order of their strength while some ancestral
graph has all of them, and marks are carried to copies while there still is one. R4 is not used: in simulations most of
its marks on data were wrong.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.graphs._members_cy import MemberSearch
from ancestral.graphs.mixed import circled
from ancestral.independence._questions_cy import Questions
from ancestral.independence.base import Test
from ancestral.independence.evidence import Scale
from ancestral.knowledge import Constraints
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import AgreedTriples
from ancestral.orientation.orient import Oriented, TripleEvidence, known_board
from ancestral.orientation.rules import ALL_RULES, RULES_WITH_KNOWLEDGE, SELECTION_RULES
from ancestral.search.agreement import STEPS_BACK
from ancestral.search.series._window_witnesses_cy import WindowWitnesses, unshielded_triples
from ancestral.search.series.known_ancestors import KnownAncestors
from ancestral.search.series.repeating import Repeats, orient_repeating
from ancestral.search.series.window_graph import WindowGraph

__all__ = ["RULES", "Witnessed", "orient_by_agreement"]

#: The rules for windows on data.
RULES = tuple(rule for rule in (*ALL_RULES, *RULES_WITH_KNOWLEDGE) if rule not in (*SELECTION_RULES, "R4"))

#: A decision counts if the logarithms of the two largest p-values differ by more than this; in windows of many nodes,
#: where there are more decisions to be wrong about, by more than the second number (both chosen on simulations).
LEAST_STRENGTH, LEAST_AMONG_MANY = 3.0, 6.0
MANY_NODES = 30

#: Taken for p-values that are too small for a floating-point number.
SMALLEST_P = float(np.finfo(np.float64).tiny)

#: Questions about sets of two nodes, at most; if there are more, only single nodes are given.
MOST_QUESTIONS = 1_000_000

Numbers = NDArray[np.intc]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Witnessed:
    """Decisions about unshielded triples, rows a, b, c, the strongest first: 1 where b is a collider.

    Rows of `p_values` are the largest p-value given a set with b, and without b; NaN where b is a known ancestor.
    `all_decided`: no unshielded triple is open. `questions`: how many questions were asked, by the size of the set.
    """

    triples: Numbers
    colliders: NDArray[np.uint8]
    p_values: Floats
    all_decided: bool
    questions: NDArray[np.int64]


def decisions(
    graph: WindowGraph,
    questions: Questions,
    test: Test,
    known: KnownAncestors,
    no_cause: NDArray[np.bool_],
    pulse: Pulse,
) -> Witnessed:
    """Decide about the unshielded triples of a graph, as far as the data agree."""
    places = graph.places
    triples, latest = unshielded_triples(graph.marks, graph.sepsets, places.process, places.lag, places.at)
    n = graph.n
    a, c, b = latest.T.astype(np.int64)
    _, first, copy_of = np.unique((a * n + c) * n + b, return_index=True, return_inverse=True)
    chosen = np.ascontiguousarray(latest[first])  # each class once, by pairs
    ancestor = known.causes[chosen[:, 2], chosen[:, 0]] | known.causes[chosen[:, 2], chosen[:, 1]]
    p_values, votes, asked = _weighed(graph, questions, test, known, no_cause, chosen, pulse)
    logs = np.log(np.maximum(p_values, SMALLEST_P))
    strength = np.abs(logs[:, 1] - logs[:, 0])
    collider = (votes[:, 1] > votes[:, 0]) & (p_values[:, 1] > p_values[:, 0])
    other = (votes[:, 0] > votes[:, 1]) & (p_values[:, 0] > p_values[:, 1])
    two_sided = np.minimum(p_values[:, 0], p_values[:, 1]) < (test.alpha or 0.0)
    least = LEAST_AMONG_MANY if n > MANY_NODES else LEAST_STRENGTH
    decided = ((collider | other) & two_sided & (strength > least)) | ancestor
    collider &= ~ancestor
    strength[ancestor], p_values[ancestor] = np.inf, np.nan
    rows = np.flatnonzero(decided[copy_of])
    rows = rows[np.argsort(-strength[copy_of[rows]], kind="stable")]
    of = copy_of[rows]
    return Witnessed(
        np.ascontiguousarray(triples[rows][:, [0, 2, 1]]),
        collider[of].astype(np.uint8),
        p_values[of],
        len(rows) == len(triples),
        asked,
    )


def _weighed(
    graph: WindowGraph,
    questions: Questions,
    test: Test,
    known: KnownAncestors,
    no_cause: NDArray[np.bool_],
    triples: Numbers,
    pulse: Pulse,
) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
    """For rows a, c, b, by pairs: the largest p-values and the votes, with b and without; and the questions by size."""
    if not len(triples):
        return np.zeros((0, 2)), np.zeros((0, 2), np.int64), np.zeros(1, np.int64)
    new_pair = np.concatenate([[True], (np.diff(triples[:, :2], axis=0) != 0).any(axis=1)])
    pairs, of_pair = np.ascontiguousarray(triples[new_pair, :2]), np.cumsum(new_pair) - 1
    witnesses = WindowWitnesses(questions, graph.marks, graph.sepsets, known.causes, no_cause, pulse)
    largest, counts = 2, witnesses.counts(pairs, 2)
    if counts.sum() > MOST_QUESTIONS:
        largest, counts = 1, witnesses.counts(pairs, 1)
    starts = np.concatenate([[0], np.cumsum(counts)])
    total = int(starts[-1])
    sets, recorded = np.full((total, 2), -1, np.intc), np.zeros(total, np.uint8)
    sizes, evidence = np.zeros(total, np.intc), np.full((total, 2), np.nan)
    witnesses.ask(pairs, starts, largest, sets, recorded, sizes, evidence)
    p_values = np.full(total, np.nan)
    answered = np.flatnonzero(~np.isnan(evidence[:, 0]))
    if test.scale is Scale.DECISION:
        p_values[answered] = evidence[answered, 0] > 0
    else:
        p_values[answered] = test.p_values(evidence[answered], sizes[answered].astype(np.int64)).p_value
    alpha = test.alpha or 0.0
    most, votes = witnesses.weigh(triples, of_pair.astype(np.int64), starts, p_values, alpha)
    return most, votes, np.bincount(sizes[answered], minlength=1)


def orient_by_agreement(
    graph: WindowGraph, constraints: Constraints, repeats: Repeats, found: Witnessed, pulse: Pulse
) -> tuple[Oriented, NDArray[np.uint8]]:
    """Orient the graph of a window from circles by these decisions, and by what repeats.

    Where the copies of an edge would differ in a mark, since decisions contradict each other, nothing is written there
    and orientation begins again. The marks before that are returned, too: they tell more ancestors, which is what the
    next round needs.
    """
    contested = np.zeros(graph.marks.shape, dtype=bool)
    first: NDArray[np.uint8] | None = None
    while True:
        board = known_board(Board(circled(graph.marks), pulse), constraints, contested)
        oriented, kept = _oriented(board, graph, constraints, repeats, found, pulse)
        first = oriented.marks if first is None else first
        differing = repeats.differing(oriented.marks) & ~contested
        if not differing.any():
            break
        contested |= differing
    decided = found.all_decided and bool(kept.all())
    evidence = TripleEvidence(graph.n, found.triples[kept], found.p_values[kept], lambda: decided, oriented)
    return replace(oriented, agreed=evidence), first


def _oriented(
    board: Board, graph: WindowGraph, constraints: Constraints, repeats: Repeats, found: Witnessed, pulse: Pulse
) -> tuple[Oriented, NDArray[np.bool_]]:
    """The board oriented by as many of the decisions as some ancestral graph has, and which these are."""
    search = MemberSearch(
        board.shown,
        selection=False,
        no_cause=constraints.no_cause.astype(np.uint8),
        triples=found.triples,
        colliders=found.colliders,
        pulse=pulse,
    )
    kept = search.accept(STEPS_BACK) != 0
    judge = AgreedTriples(graph.n, graph.sepsets, found.triples[kept], found.colliders[kept])

    def allow(rows: Numbers) -> Numbers:
        return rows[[search.allow([(y, x, at_x)], STEPS_BACK) for x, y, at_x, *_ in rows.tolist()]]

    oriented = orient_repeating(board, judge, RULES, lambda _: True, repeats, constraints.no_cause, allow)
    assert oriented is not None  # nothing is reviewed
    return oriented, kept
