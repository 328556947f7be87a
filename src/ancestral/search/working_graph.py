"""The graph of a search while it loses edges: its marks, its separating sets, and how close each edge came to removal.

A search begins with the complete graph, or with the edges of a DAG. What such a DAG says about the pairs that it does
not join is taken over: they have no edge, and the sets by which the DAG separates them.

This module and the board of the orientation rules are the only places that remove edges or write marks.
"""

from collections.abc import Callable, Mapping
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.csr import Neighbours, compressed, only_adjacent
from ancestral.graphs.local_separation import local_separations
from ancestral.graphs.marks import CIRCLE, NONE
from ancestral.graphs.mixed import circled
from ancestral.knowledge import Constraints
from ancestral.knowledge.closure import among
from ancestral.orientation._judge_cy import Sepsets
from ancestral.search.lookup import Given, Pair, Pairs
from ancestral.search.sets import Sets
from ancestral.search.stage import AskedStage, Edges, FoundBy, NearestSets

__all__ = ["Marks", "WorkingGraph", "complete_graph"]

Marks = NDArray[np.uint8]

#: For a pair and a set: statistic and degrees of freedom of a question that was asked.
Evidence = Callable[[int, int, Given], tuple[float, float]]


def complete_graph(n: int) -> Marks:
    """The marks of a graph in which every pair of n nodes is joined by a circle edge."""
    marks = np.full((n, n), CIRCLE, dtype=np.uint8)
    np.fill_diagonal(marks, NONE)
    return marks


class WorkingGraph:
    """A graph over n positions that loses edges, within what is known beside the data.

    - `marks`: the matrix of marks. It is replaced, never written into: stages and candidate sets of earlier radii hold
      earlier matrices.
    - `sepsets`: for each pair without an edge, the set that separates it. Pairs of `no_edge` have none.
    - `dag`: the marks of the DAG that the graph begins with; None if it begins with the complete graph, or later.
    - `nearest`: for each step after radius 0, the question that came closest to removing each edge that is left.
    - `fresh`: arrays of the pairs that were separated since the last orientation.
    - `no_cause`, `no_edge`: what kernels need of the constraints, None where they say nothing. `no_cause[z, x]`: z is
      known not to cause x; rows of `no_edge` are pairs that are known not to be adjacent.
    """

    def __init__(self, marks: Marks, sepsets: Sepsets, constraints: Constraints | None) -> None:
        self.n = len(marks)
        self.marks = marks
        self.sepsets = sepsets
        self.dag: Marks | None = None
        self.nearest: list[NearestSets] = []
        self.fresh: list[Pairs] = []
        self.constraints = constraints
        self.no_cause: Marks | None = None
        self.no_edge: Pairs | None = None
        if constraints is not None:
            if constraints.no_cause.any():
                self.no_cause = constraints.no_cause.astype(np.uint8)
            if len(constraints.no_edge):
                self.no_edge = constraints.no_edge
        self.removals = 0  # how often edges were removed: with as many, the edges are the same
        self._listed: tuple[Marks, Edges] | None = None  # marks, and the list of their edges
        self._compressed: tuple[int, Neighbours] | None = None  # removals, offsets and targets

    @classmethod
    def complete(cls, n: int, constraints: Constraints | None = None) -> Self:
        """The complete graph, with which a search begins."""
        return cls(complete_graph(n), Sepsets(n), constraints)

    @classmethod
    def of_dag(cls, dag: Marks, constraints: Constraints | None = None) -> Self:
        """The edges of a DAG, for a search that asks about no other pair."""
        graph = cls(circled(dag), Sepsets(len(dag)), constraints)
        graph.dag = dag
        return graph

    @classmethod
    def of_stage(cls, stage: AskedStage, constraints: Constraints | None = None) -> Self:
        """The graph as it was when a search yielded this stage."""
        taken = stage.sepsets.count == stage.sepset_count  # otherwise later stages have added sets
        graph = cls(stage.oriented.marks, stage.sepsets if taken else Sepsets(len(stage.names)), constraints)
        graph.nearest = list(stage.memory.asked)
        if taken:
            return graph
        if stage.radius >= 0:
            graph._record_empty_sets()
        found = stage.separations
        notes = np.column_stack([found.radius, found.found_by])
        graph.sepsets.record_columns(found.pairs, found.given.sizes, found.given.members, notes, found.evidence)
        return graph

    # -- reading ------------------------------------------------------------------------------------------------

    def edges(self) -> Edges:
        """The edges of the graph; the same object as before if nothing has changed."""
        if self._listed is None or self._listed[0] is not self.marks:
            self._listed = (self.marks, Edges.of(self.marks, self.neighbours()))
        return self._listed[1]

    def neighbours(self) -> Neighbours:
        """Offsets and targets: the neighbours of x are targets[offsets[x]] … targets[offsets[x + 1] - 1], in order."""
        if self._compressed is None:
            _, targets, offsets = compressed(self.marks)
            self._compressed = self.removals, (offsets, targets)
        elif self._compressed[0] != self.removals:
            self._compressed = self.removals, only_adjacent(self.marks, *self._compressed[1])
        return self._compressed[1]

    def asked_pairs(self) -> Pairs:
        """The edges of the graph that are asked about, as rows x, y: all but those of the design of a study."""
        pairs = self.edges().pairs
        return pairs if self.unasked is None else pairs[~among(pairs, self.unasked, self.n)]

    @property
    def unasked(self) -> Pairs | None:
        """The pairs about which nothing is asked, since the design of a study joins them; None if there are none."""
        return self.constraints.unasked if self.constraints is not None and len(self.constraints.unasked) else None

    @property
    def most_neighbours(self) -> int:
        """The largest number of neighbours of a node."""
        offsets, _ = self.neighbours()
        return int(np.diff(offsets).max(initial=0))

    @property
    def separated(self) -> Pairs:
        """The pairs that have a separating set of their own; those that nothing separates share one."""
        pairs: Pairs = self.sepsets.pairs()
        return pairs

    def requires(self, pairs: Pairs) -> NDArray[np.bool_]:
        """Which of these pairs are known to be adjacent, whatever the data say."""
        return np.zeros(len(pairs), dtype=bool) if self.constraints is None else self.constraints.requires(pairs)

    # -- removing -----------------------------------------------------------------------------------------------

    def begin(self, marks: Marks) -> None:
        """Take the graph of radius 0, in which circle edges join the pairs that are dependent given nothing.

        Required edges are added, and the pairs of `no_edge` and `apart` are separated, whatever the data say. Pairs
        that the DAG does not join, if there is one, are separated as it says.
        """
        if self.constraints is not None:
            known = self.constraints
            for pairs, mark in ((known.required, CIRCLE), (known.no_edge, NONE), (known.apart, NONE)):
                marks[pairs[:, 0], pairs[:, 1]] = marks[pairs[:, 1], pairs[:, 0]] = mark
        self.marks = marks
        self.removals += 1
        self._compressed = None
        self._record_empty_sets()
        if self.dag is not None:
            self._record_implied(self.dag)

    def remove_separated(
        self, found: NearestSets, smaller: Mapping[int, Given], radius: int, evidence: Evidence
    ) -> None:
        """Remove the edges that a radius of the search has separated: all pairs of `found`, by the sets found there.

        `smaller` has, by row, the minimal sets to record for those rows whose set is not minimal, in the order of rows.
        """
        start = 0
        for row in [*smaller, len(found.pairs)]:
            rows = slice(start, row)
            self.sepsets.record_all(found.pairs[rows], found.sets[rows], radius, FoundBy.SEARCH, found.evidence[rows])
            if row in smaller:
                x, y = found.pairs[row].tolist()
                self.sepsets.record(x, y, smaller[row], radius, FoundBy.SEARCH, evidence(x, y, smaller[row]))
            start = row + 1
        self._remove(found.pairs)

    def remove_false(self, false: Mapping[Pair, Given], radius: int, found_by: FoundBy, evidence: Evidence) -> bool:
        """Remove single edges, each with the minimal set that separates it; required edges stay.

        Returns whether any edge was removed.
        """
        if not false:
            return False
        pairs = np.array(list(false), dtype=np.intc)
        pairs = pairs[~self.requires(pairs)]
        for x, y in pairs.tolist():
            self.sepsets.record(x, y, false[x, y], radius, found_by, evidence(x, y, false[x, y]))
        if len(pairs):
            self._remove(pairs)
        return len(pairs) > 0

    def remove_doubtful(self, pairs: Pairs, closest: Sets, radius: int, evidence: NDArray[np.float64]) -> None:
        """Remove edges that are not discoveries; the sets that came closest count as their separating sets."""
        notes = np.column_stack([np.full(len(pairs), radius), np.full(len(pairs), FoundBy.FDR)])
        self.sepsets.record_columns(pairs, closest.sizes, closest.members, notes, evidence)
        self._remove(pairs)

    def _remove(self, pairs: Pairs) -> None:
        x, y = pairs.T
        marks = self.marks.copy()
        marks[x, y] = marks[y, x] = NONE
        self._continue_with(marks, pairs)

    def _continue_with(self, marks: Marks, removed: Pairs) -> None:
        """Take these marks, which lack the edges of `removed`."""
        self.marks = marks
        self.removals += 1
        self.nearest = [sets.only(marks[sets.pairs[:, 0], sets.pairs[:, 1]] != NONE) for sets in self.nearest]
        self.fresh.append(removed)

    def _record_empty_sets(self) -> None:
        self.sepsets.record_empty_sets(self.marks)
        if self.no_edge is not None:
            self.sepsets.forget(self.no_edge)

    def _record_implied(self, dag: Marks) -> None:
        """Record how a DAG separates the pairs that it does not join, but for those with a required edge or `no_edge`.

        Nothing was asked about them, so there is no evidence.
        """
        apart = self.marks == NONE
        if self.no_edge is not None:
            apart[tuple(self.no_edge.T)] = False
        pairs, sizes, members = local_separations(dag)
        kept = apart[tuple(pairs.T)]
        pairs, members, sizes = pairs[kept], members[np.repeat(kept, sizes)], sizes[kept]
        notes = np.column_stack([sizes, np.full(len(sizes), FoundBy.SCORE_GRAPH)])
        self.sepsets.record_columns(pairs, sizes, members, notes, np.tile([np.nan, 0.0], (len(sizes), 1)))
