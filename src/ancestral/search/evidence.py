"""The evidence on which a search decided about each pair: p-value, statistic and set of the decisive question.

For a pair that was separated, that is the question that separated it. For an edge it is the question with the largest
p-value of all that were asked about it: it tells how close the edge came to being removed.

A graph that was not found by asking implies separations instead, and each can be asked of the data afterwards. That is
done for the pairs that someone wants to see, and remembered (`ImpliedDecisions`). Edges then have no such question.

A search that begins with a DAG has both: the data are asked about what the DAG implies when such a search is complete.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ancestral.independence.base import Test
from ancestral.independence.evidence import Evidences
from ancestral.search.marginals import Marginals
from ancestral.search.sets import Sets
from ancestral.search.stage import AskedStage, Edges, FoundBy, GraphStage, ResumeState, Separations, Stage

__all__ = ["Decided", "Decisions", "ImpliedDecisions", "closest_questions", "decided_by", "decisions_of"]

Positions = NDArray[np.integer]
Pair = tuple[int, int]
Asked = tuple[float, float, float]

#: Sets by which a DAG separates pairs, up to which the data are asked about all of them.
MOST_IMPLIED = 100_000


@dataclass(frozen=True)
class Decisions:
    """The decisive question about each pair. Variables are positions; pairs have the smaller one first.

    - `marginal`: about every pair given nothing, which decides about the pairs that the empty set separates.
    - `found`, `separated_by`: the pairs that other sets separate, in the order in which that was found, and the
      evidence of each.
    - `edges`, `closest`, `kept_by`: the edges in increasing order, for each the set with the largest p-value, None
      where the data supported no question, and its evidence.
    - `unanswered`: for each edge the number of questions about it that the data could not support.

    Before radius 0 is finished there are neither separations nor edges.
    """

    marginal: Marginals
    found: Separations
    separated_by: Evidences
    edges: NDArray[np.intc]
    closest: Sets
    kept_by: Evidences
    unanswered: NDArray[np.int64]

    @property
    def separations(self) -> NDArray[np.intc]:
        """The pairs that sets other than the empty one separate."""
        return self.found.pairs

    @property
    def not_by_nothing(self) -> NDArray[np.intc]:
        """All pairs but those that the empty set separates, in the order of `numpy.triu_indices`."""
        pairs = np.concatenate([self.separations, self.edges])
        return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]

    def among(self, x: Positions, y: Positions) -> "Decisions":
        """Decisions that hold all that is known about these pairs; they may hold other pairs, too."""
        return self


@dataclass(frozen=True, kw_only=True)
class ImpliedDecisions(Decisions):
    """The separations that a graph implies, each asked of the data when someone wants to see it.

    `test` asks; None if the data are not there. `asked` has the answers so far, for sets that are not empty: statistic,
    degrees of freedom and p-value of each pair. `found` and `separated_by` are empty: `among` and `computed` tell.
    """

    stage: GraphStage
    test: Test | None
    asked: dict[Pair, Asked]

    @classmethod
    def of(
        cls, stage: GraphStage, marginal: Marginals, test: Test | None, asked: Mapping[Pair, Asked] | None = None
    ) -> "ImpliedDecisions":
        """The decisions of a stage; `asked` are answers that are known already."""
        edges = Edges.of(stage.oriented.marks).pairs if stage.begun else np.zeros((0, 2), np.intc)
        unknown = np.full(len(edges), np.nan)
        closest = Sets(np.full(len(edges), -1, np.intc), np.zeros(0, np.intc))
        kept_by = Evidences(unknown, np.zeros(len(edges)), unknown)
        none = _implied(stage, {})
        open_questions, known = np.zeros(len(edges), np.int64), dict(asked or {})
        return cls(marginal, *none, edges, closest, kept_by, open_questions, stage=stage, test=test, asked=known)

    def among(self, x: Positions, y: Positions) -> Decisions:
        """The separations of these pairs that the graph implies; those that were not asked before are asked now."""
        pairs = {(min(a, b), max(a, b)) for a, b in zip(x.tolist(), y.tolist(), strict=True)}
        implied = {pair: self.stage.implied(*pair) for pair in sorted(pairs - self.asked.keys())}
        fresh = self._ask({pair: given for pair, given in implied.items() if given})
        if self.test is not None:
            self.asked.update(fresh)
        known = self.asked | fresh
        return Decisions(
            self.marginal,
            *_implied(self.stage, {pair: known[pair] for pair in sorted(pairs & known.keys())}),
            self.edges,
            self.closest,
            self.kept_by,
            self.unanswered,
        )

    def computed(self) -> tuple[Separations, Evidences]:
        """The separations that were asked so far, or read from a file, in increasing order."""
        return _implied(self.stage, dict(sorted(self.asked.items())))

    def _ask(self, sets: Mapping[Pair, tuple[int, ...]]) -> dict[Pair, Asked]:
        """Statistic, degrees of freedom and p-value of each question; NaN without the data."""
        if self.test is None:
            return dict.fromkeys(sets, (np.nan, 0.0, np.nan))
        raw = np.zeros((len(sets), 2))
        for row, ((x, y), given) in enumerate(sets.items()):
            self._questions.ask(x, y, given)
            raw[row] = self._questions.statistic, self._questions.df
        found = self.test.p_values(raw, np.array([len(given) for given in sets.values()], dtype=np.int64))
        rows = np.column_stack([found.statistic, found.df, found.p_value]).tolist()
        return {pair: (statistic, df, p) for pair, (statistic, df, p) in zip(sets, rows, strict=True)}

    @cached_property
    def _questions(self) -> Any:
        assert self.test is not None
        return self.test.questions(self.stage.names)


def _implied(stage: GraphStage, asked: Mapping[Pair, Asked]) -> tuple[Separations, Evidences]:
    """The implied separations of these pairs, and their evidence."""
    pairs = np.array(list(asked), dtype=np.intc).reshape(-1, 2)
    given = Sets.of(stage.implied(x, y) for x, y in asked)
    statistic, df, p_value = np.array(list(asked.values()), dtype=np.float64).reshape(-1, 3).T
    by = np.full(len(pairs), FoundBy.IMPLIED, dtype=np.intc)
    found = Separations(pairs, given, given.sizes, by, np.column_stack([statistic, df]))
    return found, Evidences(statistic, df, p_value)


class Decided(NamedTuple):
    """The decisive question about a pair: the set that was given, the p-value and the statistic.

    `unanswered`: of an edge, the number of questions that the data could not support; `answered`: whether any was.
    """

    given: tuple[str, ...]
    p_value: float
    statistic: float
    unanswered: int = 0
    answered: bool = True


def decided_by(stage: Stage, decisions: Decisions, a: str, b: str) -> Decided:
    """The decisive question about a pair."""
    at = {name: i for i, name in enumerate(stage.names)}
    x, y = sorted((at[a], at[b]))
    decisions = decisions.among(np.array([x]), np.array([y]))
    known = [
        (decisions.separations, decisions.found.given, decisions.separated_by, None),
        (decisions.edges, decisions.closest, decisions.kept_by, decisions.unanswered),
    ]
    for pairs, sets, evidences, unanswered in known:
        rows = np.flatnonzero((pairs == (x, y)).all(axis=1))
        if rows.size:
            row = int(rows[0])
            given = tuple(stage.names[z] for z in sets[row] or ())
            count = 0 if unanswered is None else int(unanswered[row])
            evidence = float(evidences.p_value[row]), float(evidences.statistic[row])
            return Decided(given, *evidence, count, not count or sets[row] is not None)
    marginal = decisions.marginal.at(np.array([x]), np.array([y]))
    return Decided((), float(marginal.p_value[0]), float(marginal.statistic[0]))


def decisions_of(stage: Stage, test: Test, marginals: Marginals) -> Decisions:
    """The decisions of a stage; `marginals` is the evidence of pairs given nothing, known once a stage is finished."""
    marginal = marginals if stage.begun else Marginals.nothing(test.scale)
    if isinstance(stage, GraphStage):
        return ImpliedDecisions.of(stage, marginal, test)
    assert isinstance(stage, AskedStage)
    found = stage.separations
    separated_by = _separated_by(found, stage, test, marginal)
    edges = Edges.of(stage.oriented.marks).pairs if stage.begun else np.zeros((0, 2), np.intc)
    closest, kept_by, unanswered = closest_questions(stage.memory, test, edges, marginal.at(*edges.T))
    unanswered += np.isnan(marginal.numbers(*edges.T)[0])
    return Decisions(marginal, found, separated_by, edges, closest, kept_by, unanswered)


def _separated_by(found: Separations, stage: AskedStage, test: Test, marginal: Marginals) -> Evidences:
    """The evidence of separations. About those of a DAG, the data are asked here if the search is complete.

    If there are very many, they are not asked. Of pairs that nothing separates, the evidence is known.
    """
    raw = found.evidence.copy()
    implied = stage.complete & (found.found_by == FoundBy.SCORE_GRAPH)
    given_nothing, given_some = (
        np.flatnonzero(implied & chosen) for chosen in (found.given.sizes == 0, found.given.sizes > 0)
    )
    if 0 < len(given_some) <= MOST_IMPLIED:
        questions = test.questions(stage.names)
        for row in given_some.tolist():
            x, y = found.pairs[row].tolist()
            questions.ask(x, y, found.given[row])
            raw[row] = questions.statistic, questions.df
    out, known = test.p_values(raw, found.given.counts), marginal.at(*found.pairs[given_nothing].T)
    for ours, theirs in ((out.statistic, known.statistic), (out.df, known.df), (out.p_value, known.p_value)):
        ours[given_nothing] = theirs
    return out


def closest_questions(
    memory: ResumeState, test: Test, edges: NDArray[np.intc], marginal: Evidences
) -> tuple[Sets, Evidences, NDArray[np.int64]]:
    """For each edge that is left, the set with the largest p-value of all that were asked about, and its evidence.

    The last array has the number of questions that the data could not support, but for those given nothing, whose
    evidence is `marginal`.
    """
    best = _Best(marginal)
    every = np.arange(len(edges))
    unanswered = np.zeros(len(edges), np.int64)
    for asked in memory.asked:  # each is about the edges that are left
        unanswered += asked.unanswered
        radius = asked.sets.shape[1]
        sets = Sets(np.full(len(edges), radius, np.intc), np.sort(asked.sets, axis=1).ravel())
        best.offer(every, sets, test.p_values(asked.evidence, sets.counts))
    number = {pair: e for e, pair in enumerate(map(tuple, edges.tolist()))} if memory.verified_count else {}
    # a required edge may be there in spite of the answer "independent"
    checked = [(number[x, y], given, v.statistic, v.df) for (x, y, given), v in memory.answers() if (x, y) in number]
    if checked:
        which, given, *evidence = zip(*checked, strict=True)
        np.add.at(unanswered, np.array(which), np.isnan(np.array(evidence[0], dtype=np.float64)))
        sets = Sets.of(given)
        evidences = test.p_values(np.column_stack(evidence).astype(np.float64), sets.counts)
        best.offer(*_nearest(np.array(which), sets, evidences))
    return best.sets, best.evidences, unanswered


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
