"""The evidence on which a search decided about each pair: p-value, statistic and set of the decisive question.

For a pair that was separated, that is the question that separated it. For an edge it is the question with the largest
p-value of all that were asked about it: it tells how close the edge came to being removed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.independence.base import Test
from ancestral.independence.evidence import Evidences
from ancestral.search.marginals import Marginals
from ancestral.search.sets import Sets
from ancestral.search.stage import Edges, Stage

__all__ = ["Decisions", "decided_by", "decisions_of"]


@dataclass(frozen=True)
class Decisions:
    """The decisive question about each pair. Variables are positions; pairs have the smaller one first.

    - `marginal`: about every pair given nothing, which decides about the pairs that the empty set separates.
    - `separations`, `separated_by`: the pairs that other sets separate, in the order in which that was found, and the
      evidence of each.
    - `edges`, `closest`, `kept_by`: the edges in increasing order, for each the set with the largest p-value, None
      where the data supported no question, and its evidence.

    Before radius 0 is finished there are neither separations nor edges.
    """

    marginal: Marginals
    separations: NDArray[np.intc]
    separated_by: Evidences
    edges: NDArray[np.intc]
    closest: Sets
    kept_by: Evidences


def decided_by(stage: Stage, decisions: Decisions, a: str, b: str) -> tuple[tuple[str, ...], float]:
    """The set and the p-value of the decisive question about a pair."""
    at = {name: i for i, name in enumerate(stage.names)}
    x, y = sorted((at[a], at[b]))
    known = [
        (decisions.separations, stage.separations.given, decisions.separated_by),
        (decisions.edges, decisions.closest, decisions.kept_by),
    ]
    for pairs, sets, evidences in known:
        rows = np.flatnonzero((pairs == (x, y)).all(axis=1))
        if rows.size:
            given = sets[int(rows[0])] or ()
            return tuple(stage.names[z] for z in given), float(evidences.p_value[rows[0]])
    return (), float(decisions.marginal.at(np.array([x]), np.array([y])).p_value[0])


def decisions_of(stage: Stage, test: Test, marginals: Marginals) -> Decisions:
    """The decisions of a stage; `marginals` is the evidence of pairs given nothing, known once radius 0 is finished."""
    marginal = marginals if stage.radius >= 0 else Marginals.nothing(test.scale)
    found = stage.separations
    separated_by = test.p_values(found.evidence, found.given.counts)
    edges = Edges.of(stage.oriented.marks).pairs if stage.radius >= 0 else np.zeros((0, 2), np.intc)
    closest, kept_by = _closest(stage, test, edges, marginal)
    return Decisions(marginal, found.pairs, separated_by, edges, closest, kept_by)


def _closest(stage: Stage, test: Test, edges: NDArray[np.intc], marginal: Marginals) -> tuple[Sets, Evidences]:
    best = _Best(marginal.at(*edges.T))
    every = np.arange(len(edges))
    for asked in stage.memory.asked:  # each is about the edges that are left
        radius = asked.sets.shape[1]
        sets = Sets(np.full(len(edges), radius, np.intc), np.sort(asked.sets, axis=1).ravel())
        best.offer(every, sets, test.p_values(asked.evidence, sets.counts))
    number = {pair: e for e, pair in enumerate(map(tuple, edges.tolist()))} if stage.memory.verified_count else {}
    # a required edge may be there in spite of the answer "independent"
    checked = [
        (number[x, y], given, v.statistic, v.df) for (x, y, given), v in stage.memory.answers() if (x, y) in number
    ]
    if checked:
        which, given, *evidence = zip(*checked, strict=True)
        sets = Sets.of(given)
        evidences = test.p_values(np.column_stack(evidence).astype(np.float64), sets.counts)
        best.offer(*_nearest(np.array(which), sets, evidences))
    return best.sets, best.evidences


def _nearest(edges: NDArray[np.int64], sets: Sets, evidences: Evidences) -> tuple[NDArray[np.int64], Sets, Evidences]:
    """Of several questions about each edge, the one with the largest p-value; of equal ones, the first."""
    # without statistics, questions with equal p-values are equal
    smaller = np.nan_to_num(evidences.statistic, nan=0.0)
    order = np.lexsort((smaller, -np.nan_to_num(evidences.p_value, nan=-1.0), edges))
    rows = order[np.unique(edges[order], return_index=True)[1]]
    some = Evidences(evidences.statistic[rows], evidences.df[rows], evidences.p_value[rows])
    return edges[rows], Sets.of(sets[row] for row in rows.tolist()), some


class _Best:
    """The question with the largest p-value about each edge so far, beginning with the one given nothing."""

    def __init__(self, marginal: Evidences) -> None:
        self.evidences = Evidences(marginal.statistic.copy(), marginal.df.copy(), marginal.p_value.copy())
        sizes = np.where(np.isnan(marginal.p_value), -1, 0).astype(np.intc)
        self.sets = Sets(sizes, np.zeros(0, np.intc))

    def offer(self, edges: NDArray[np.integer], sets: Sets, evidences: Evidences) -> None:
        """Take further questions into account, one about each of these edges."""
        mine = self.evidences
        old, new = mine.p_value[edges], evidences.p_value
        with np.errstate(invalid="ignore"):
            # p-values of strong edges are all 0; then the smaller statistic is the closer one
            nearer = (new > old) | ((new == old) & (evidences.statistic < mine.statistic[edges]))
            nearer |= np.isnan(old) & ~np.isnan(new)
        self.sets = self.sets.replaced(edges[nearer], sets.chosen(nearer))
        for ours, theirs in (
            (mine.statistic, evidences.statistic),
            (mine.df, evidences.df),
            (mine.p_value, evidences.p_value),
        ):
            ours[edges[nearer]] = theirs[nearer]
