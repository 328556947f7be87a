"""What was decided on for each pair: the p-value, the statistic and the set of the question that counted.

For a pair that was separated that is the question that separated it. For an edge it is the one with the largest p-value
of all that were asked about it: how near it came to being removed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import NONE
from ancestral.independence.choose import Test
from ancestral.independence.evidence import Weighed
from ancestral.search.stage import Stage

__all__ = ["Decisions", "decided_by", "decisions_of", "pair_number"]

Sets = list[tuple[int, ...]]


@dataclass(frozen=True)
class Decisions:
    """Positions stand for variables; pairs have the smaller one first.

    `marginal` is about every pair given nothing, in the order of `numpy.triu_indices`: the decision for the pairs that
    nothing separates. `separations` are those by a set, in the order in which they were found. `edges` are in
    increasing order; `closest` has for each the set with the largest p-value, None where no question was supported.
    """

    marginal: Weighed
    separations: NDArray[np.intc]
    separated_by: Weighed
    edges: NDArray[np.intc]
    closest: list[tuple[int, ...] | None]
    kept_by: Weighed


def pair_number(n: int, x: NDArray[np.integer], y: NDArray[np.integer]) -> NDArray[np.int64]:
    """The place of the pairs x, y, whichever comes first, in the order of `numpy.triu_indices(n, 1)`.

    >>> pair_number(4, np.array([0, 3, 1, 2]), np.array([1, 0, 2, 3])).tolist()
    [0, 2, 3, 5]
    """
    low, high = np.minimum(x, y).astype(np.int64), np.maximum(x, y)
    return low * (2 * n - low - 1) // 2 + (high - low - 1)


def decided_by(stage: Stage, decisions: Decisions, a: str, b: str) -> tuple[tuple[str, ...], float]:
    """The set and the p-value that decided about a pair: what separated it, or came closest to."""
    at = {name: i for i, name in enumerate(stage.names)}
    x, y = sorted((at[a], at[b]))
    known: list[tuple[NDArray[np.intc], Sequence[tuple[int, ...] | None], Weighed]] = [
        (decisions.separations, [row[2] for row in stage.sets], decisions.separated_by),
        (decisions.edges, decisions.closest, decisions.kept_by),
    ]
    for pairs, sets, weighed in known:
        rows = np.flatnonzero((pairs == (x, y)).all(axis=1))
        if rows.size:
            given = sets[int(rows[0])] or ()
            return tuple(stage.names[z] for z in given), float(weighed.p_value[rows[0]])
    number = pair_number(len(stage.names), np.array([x]), np.array([y]))
    return (), float(decisions.marginal.p_value[number][0])


def decisions_of(stage: Stage, test: Test, marginals: Callable[[], NDArray[np.float64]]) -> Decisions:
    """The decisions of a stage; `marginals` are those of the questions that the search asked."""
    n = len(stage.names)
    raw = marginals() if stage.radius >= 0 else np.full((n * (n - 1) // 2, 2), np.nan)
    marginal = test.weigh(raw, np.zeros(len(raw), dtype=np.int64))
    found = stage.sets
    separations = np.array([(x, y) for x, y, *_ in found], dtype=np.intc).reshape(-1, 2)
    evidence = np.array([row[-2:] for row in found], dtype=np.float64).reshape(-1, 2)
    separated_by = test.weigh(evidence, np.array([len(given) for _, _, given, *_ in found], dtype=np.int64))
    edges = np.argwhere(np.triu(stage.oriented.marks != NONE)).astype(np.intc)
    closest, kept_by = _closest(stage, test, edges, marginal)
    return Decisions(marginal, separations, separated_by, edges, closest, kept_by)


def _closest(
    stage: Stage, test: Test, edges: NDArray[np.intc], marginal: Weighed
) -> tuple[list[tuple[int, ...] | None], Weighed]:
    n = len(stage.names)
    at = pair_number(n, *edges.T)
    best = _Best(Weighed(marginal.statistic[at], marginal.df[at], marginal.p_value[at]))
    every = np.arange(len(edges))
    for asked in stage.memory.asked:  # their pairs are the edges
        sizes = np.full(len(edges), asked.sets.shape[1])
        best.offer(every, [tuple(sorted(given)) for given in asked.sets.tolist()], test.weigh(asked.evidence, sizes))
    number = {pair: e for e, pair in enumerate(map(tuple, edges.tolist()))}
    answers = stage.memory.answers()
    # an edge that is required may be there in spite of an answer
    checked = [(number[x, y], given, v) for (x, y, given), v in answers if (x, y) in number]
    for edge, given, verified in checked:
        weighed = test.weigh(np.array([[verified.statistic, verified.df]]), np.array([len(given)]))
        best.offer(np.array([edge]), [given], weighed)
    return best.sets, best.weighed


class _Best:
    """The question with the largest p-value about each edge so far; the first one given nothing."""

    def __init__(self, marginal: Weighed) -> None:
        self.weighed = Weighed(marginal.statistic.copy(), marginal.df.copy(), marginal.p_value.copy())
        self.sets: list[tuple[int, ...] | None] = [None if np.isnan(p) else () for p in marginal.p_value.tolist()]

    def offer(self, edges: NDArray[np.integer], sets: Sequence[tuple[int, ...]], weighed: Weighed) -> None:
        """Further questions, one about each of these edges."""
        mine = self.weighed
        old, new = mine.p_value[edges], weighed.p_value
        with np.errstate(invalid="ignore"):
            # p-values of strong edges are all 0; then the smaller statistic is the nearer one
            nearer = (new > old) | ((new == old) & (weighed.statistic < mine.statistic[edges]))
            nearer |= np.isnan(old) & ~np.isnan(new)
        for k in np.flatnonzero(nearer).tolist():
            self.sets[edges[k]] = sets[k]
        for ours, theirs in (
            (mine.statistic, weighed.statistic),
            (mine.df, weighed.df),
            (mine.p_value, weighed.p_value),
        ):
            ours[edges[nearer]] = theirs[nearer]
