"""The search of PC for adjacencies (Spirtes, Glymour & Scheines 2000), with which PC, FCI, RFCI and FCI+ begin.

From the complete graph, for sets of size 0, 1, 2, …: ask about each adjacent pair given every set of that size among
the neighbours of either end, and remove the edge when one separates. With `stable` the neighbours are those at the
beginning of the size, so the order of columns plays no part (Colombo & Maathuis 2014).

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
from ancestral.search.ask import CandidateSets
from ancestral.search.base import Problem, Search
from ancestral.search.lookup import Pairs, SetRows
from ancestral.search.stage import FoundBy, Phase
from ancestral.search.working_graph import Marks

__all__ = ["AdjacencySearch"]

#: Entries in the pools of a completed step: v stayed in the pool of x for the whole step ...
THROUGHOUT = 1

#: ... or only until edge x–v was tested and removed (immediate removal).
UNTIL_REMOVED = 2


class AdjacencySearch(Search):
    """A search whose candidates are subsets of pools; each node has a pool, here its neighbours.

    Hooks of an algorithm with other pools, in the order in which they are called:

    1. `has_sets(radius)`: whether the pools of the graph as it is have sets of this size. The search for adjacencies
       ends at the first size without any, and is then complete. By default it counts neighbours, so an algorithm whose
       pools are smaller overrides it; otherwise it goes through sizes at which there is nothing to ask.
    2. `pools(phase, marks)`: the pools of a step, from the graph with which it begins. Called when a step begins, and
       again later, with the same graph, to tell what was asked in that step. In a later phase than the search for
       adjacencies the pools are fixed: the same matrix of 0 and 1 at every step.
    3. `pools_to_skip(phase, radius)`: the pools of an earlier step whose sets are not to be asked about again.
    """

    def __init__(self, problem: Problem, dag: Marks | None = None) -> None:
        super().__init__(problem, dag)
        self._workspaces: dict[int, Subsets] = {}  # by thread
        self._asked_pools: dict[tuple[str, int], Marks] = {}  # by step

    # -- the steps ----------------------------------------------------------------------------------------------

    def sizes(self) -> Iterator[int]:
        """Search for adjacencies, one set size after another, from where the search stands; yield each when done."""
        start = self.start
        if start is not None and start.phase not in (Phase.ADJACENCY, Phase.SEARCH):
            return  # a later phase has begun
        radius = 0 if start is None else start.radius + 1
        while radius <= self.last_radius and self.has_sets(radius):
            self.refine(Phase.ADJACENCY, radius)
            yield radius
            radius += 1

    @property
    def adjacencies_found(self) -> bool:
        """Whether no larger set of neighbours is left to ask about; otherwise `max_radius` came first."""
        sizes = [radius for phase, radius in self.steps if phase is Phase.ADJACENCY]
        return not self.has_sets(max(sizes, default=0) + 1)

    # -- hooks --------------------------------------------------------------------------------------------------

    def has_sets(self, radius: int) -> bool:
        """Whether some node has at least this number of neighbours beside another one."""
        return radius == 0 or self.graph.most_neighbours > radius

    def pools(self, phase: str, marks: Marks) -> Marks:
        """A matrix that is not 0 at x, v where v is in the pool of x: for neighbours, the graph itself."""
        return marks

    def pools_to_skip(self, phase: str, radius: int) -> Marks | None:
        """The pools of an earlier step of this radius, as `asked_pools` has them; None if there was none."""
        return None

    # -- the sets of a step -------------------------------------------------------------------------------------

    def candidate_sets(self, phase: str, radius: int) -> CandidateSets:
        """The subsets of this size of the pools of either end."""
        pools, skipped = self.pools(phase, self.graph.marks), self.pools_to_skip(phase, radius)
        fixed = phase is not Phase.ADJACENCY  # in later phases, an edge that is removed leaves the pools as they are

        def begin(thread: int) -> Subsets:
            if thread not in self._workspaces:
                questions, pulse = self.asker.questions[thread], self.asker.thread_pulse()
                self._workspaces[thread] = Subsets(self.n, questions, pulse, self.graph.no_cause)
            self._workspaces[thread].begin(pools, radius, skipped, fixed)
            return self._workspaces[thread]

        return CandidateSets(
            radius, begin, lambda edges: SubsetsSpec(pools, radius, skipped, fixed, self.graph.no_cause)
        )

    # -- afterwards: which sets were asked about ----------------------------------------------------------------

    def has_asked(self, pairs: Pairs, sets: SetRows) -> NDArray[np.bool_]:
        """Whether the search has asked about these pairs given these sets: subsets of the pool of either end."""
        size = sets.shape[1]
        if size == 0:
            return np.ones(len(pairs), dtype=bool)
        asked = np.zeros(len(pairs), dtype=bool)
        x, y = pairs.T[:, :, None]
        for step in self.steps:
            if step[1] == size:
                pools = self.asked_pools(*step)
                for end in (x, y):
                    low, high = np.minimum(end, sets), np.maximum(end, sets)
                    later = (low > x) | ((low == x) & (high > y))  # pairs are tested in increasing order
                    there = pools[end, sets]
                    asked |= ((there == THROUGHOUT) | ((there == UNTIL_REMOVED) & later)).all(axis=1)
        no_cause = self.graph.no_cause
        if no_cause is not None:
            asked &= ~((no_cause[sets, x] != 0) & (no_cause[sets, y] != 0)).any(axis=1)
        return asked

    def asked_pools(self, phase: str, radius: int) -> Marks:
        """The pools that a completed step used: 0, THROUGHOUT or UNTIL_REMOVED at x, v."""
        if phase is not Phase.ADJACENCY:
            return self.pools(phase, self.graph.marks)
        step = (phase, radius)
        if step not in self._asked_pools:
            at = self.steps.index(step)
            inside = self.pools(phase, self.graphs[at].matrix(self.n)) != NONE
            pools = np.where(inside, np.uint8(THROUGHOUT), np.uint8(0))
            if not self.problem.options.stable:
                after = self.graphs[at + 1].matrix(self.n) if at + 1 < len(self.graphs) else self.graph.marks
                x, y = self._removed_at(radius, after).T
                pools[x, y] *= UNTIL_REMOVED
                pools[y, x] *= UNTIL_REMOVED
            self._asked_pools[step] = pools
        return self._asked_pools[step]

    def _removed_at(self, radius: int, after: Marks) -> Pairs:
        """The pairs that the search separated at this radius, of those without an edge after the step."""
        removed: Pairs = self.graph.sepsets.found_at(radius, FoundBy.SEARCH)
        return removed[after[removed[:, 0], removed[:, 1]] == NONE]


@dataclass(frozen=True)
class SubsetsSpec:
    """The subsets of one size of some pools, for workers elsewhere."""

    pools: Marks
    radius: int
    skipped: Marks | None
    fixed: bool
    no_cause: Marks | None

    def begin(self, questions: Questions, pulse: Pulse) -> Subsets:
        """The sets, ready to be asked about."""
        subsets = Subsets(len(self.pools), questions, pulse, self.no_cause)
        subsets.begin(self.pools, self.radius, self.skipped, self.fixed)
        return subsets
