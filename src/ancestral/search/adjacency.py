"""The search of PC for adjacencies (Spirtes, Glymour & Scheines 2000), with which PC, FCI, RFCI and FCI+ begin.

From the complete graph, for sets of size 0, 1, 2, …: ask about each adjacent pair given every set of that size among
the neighbours of either end, and remove the edge when one separates. With `stable` the neighbours are those of the
moment when the size began, so the order of columns plays no part (Colombo & Maathuis 2014).

Every set of size r that separates was preceded by all of its subsets of size r - 1, so it is minimal.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.graphs.marks import NONE
from ancestral.independence._questions_cy import Questions
from ancestral.search._subsets_cy import Subsets
from ancestral.search.base import Marks, Problem, Search
from ancestral.search.lookup import Pairs
from ancestral.search.stage import FoundBy, Phase

__all__ = ["AdjacencySearch"]

#: In the pools of a step: v was in that of x throughout; or only until the edge x–v had its turn, and fell.
THROUGHOUT, UNTIL_IT_FELL = 1, 2


@dataclass(frozen=True)
class SetSpec:
    """The subsets of one size of these pools, for those who have none."""

    inside: Marks
    radius: int
    known: Marks | None
    fixed: bool
    no_cause: Marks | None

    def begin(self, questions: Questions, pulse: Pulse) -> Subsets:
        """The sets, ready to be asked about."""
        subsets = Subsets(len(self.inside), questions, pulse, self.no_cause)
        subsets.begin(self.inside, self.radius, self.known, self.fixed)
        return subsets


class AdjacencySearch(Search):
    """A search whose candidates are subsets of pools: here, of neighbours."""

    def __init__(self, problem: Problem) -> None:
        self._workspaces: dict[int, Subsets] = {}
        self._known_pools: dict[tuple[Phase, int], Marks] = {}
        super().__init__(problem)

    def sizes(self) -> Iterator[int]:
        """Search for adjacencies, one set size after another, from where the search stands; each size, when done."""
        start = self.problem.start
        if start is not None and start.phase not in (Phase.ADJACENCY, Phase.SEARCH):
            return  # a later phase has begun
        radius = 0 if start is None else start.radius + 1
        while radius <= self.last_radius and self.has_sets(radius):
            if radius == 0:
                self.ask_given_nothing()
            else:
                self.ask_given_subsets(Phase.ADJACENCY, radius, self.marks)
            yield radius
            radius += 1

    def has_sets(self, radius: int) -> bool:
        """Whether some node has so many neighbours beside another one."""
        return radius == 0 or self.most_neighbours > radius

    @property
    def adjacencies_found(self) -> bool:
        """Whether no larger set of neighbours is left to ask about; otherwise `max_radius` came first."""
        sizes = [radius for phase, radius in self.steps if phase is Phase.ADJACENCY]
        return not self.has_sets(max(sizes, default=0) + 1)

    def ask_given_subsets(self, phase: Phase, radius: int, inside: Marks, known: Marks | None = None) -> bool:
        """Ask about every edge given the subsets of this size of its ends' pools; whether there are any."""

        def begin(thread: int) -> Subsets:
            if thread not in self._workspaces:
                self._workspaces[thread] = Subsets(self.n, self.questions[thread], self.own_pulse(), self.no_cause)
            self._workspaces[thread].begin(inside, radius, known, phase is not Phase.ADJACENCY)
            return self._workspaces[thread]

        fixed = phase is not Phase.ADJACENCY
        described = SetSpec(inside, radius, known, fixed, self.no_cause)
        return self.ask_given_sets(phase, radius, begin, lambda graph: described)

    def has_asked(self, pairs: Pairs, sets: Pairs) -> NDArray[np.bool_]:
        """Whether the search has asked about these pairs given these sets: subsets of the pool of either end."""
        size = sets.shape[1]
        if size == 0:
            return np.ones(len(pairs), dtype=bool)
        asked = np.zeros(len(pairs), dtype=bool)
        x, y = pairs.T[:, :, None]
        for step in self.steps:
            if step[1] == size:
                pools = self.pools_of(*step)
                for end in (x, y):
                    low, high = np.minimum(end, sets), np.maximum(end, sets)
                    later = (low > x) | ((low == x) & (high > y))  # pairs have their turns in increasing order
                    there = pools[end, sets]
                    asked |= ((there == THROUGHOUT) | ((there == UNTIL_IT_FELL) & later)).all(axis=1)
        if self.no_cause is not None:
            asked &= ~((self.no_cause[sets, x] != 0) & (self.no_cause[sets, y] != 0)).any(axis=1)
        return asked

    def pools_of(self, phase: Phase, radius: int) -> Marks:
        """The pools of a step that is through: with stable removal all pairs meet the same, otherwise edges fall."""
        step = (phase, radius)
        if step not in self._known_pools:
            at = self.steps.index(step)
            pools = np.where(self.graphs[at].matrix(self.n) != NONE, np.uint8(THROUGHOUT), np.uint8(0))
            if not self.options.stable:
                after = self.graphs[at + 1].matrix(self.n) if at + 1 < len(self.graphs) else self.marks
                x, y = self._fell_at(radius, after).T
                pools[x, y] = pools[y, x] = UNTIL_IT_FELL
            self._known_pools[step] = pools
        return self._known_pools[step]

    def _fell_at(self, radius: int, after: Marks) -> Pairs:
        """The pairs that the search separated at this radius, of those that are gone after the step."""
        fell: Pairs = self.sepsets.found_at(radius, FoundBy.SEARCH)
        return fell[after[fell[:, 0], fell[:, 1]] == 0]
