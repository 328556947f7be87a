"""The search of PC for adjacencies (Spirtes, Glymour & Scheines 2000), with which PC, FCI, RFCI and FCI+ begin.

From the complete graph, for sets of size 0, 1, 2, …: ask about each adjacent pair given every set of that size among
the neighbours of either end, and remove the edge when one separates. With `stable` the neighbours are those of the
moment when the size began, so the order of columns plays no part (Colombo & Maathuis 2014).

Every set of size r that separates was preceded by all of its subsets of size r - 1, so it is minimal.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ancestral.search._subsets_cy import Subsets
from ancestral.search.inquiry import Pairs
from ancestral.search.stage import FoundBy, Phase
from ancestral.search.state import Marks, Problem, Search

__all__ = ["AdjacencySearch"]


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
                self._workspaces[thread] = Subsets(self.n, self.questions[thread], self.own_pulse())
            self._workspaces[thread].begin(inside, radius, known, phase is not Phase.ADJACENCY)
            return self._workspaces[thread]

        return self.ask_given_sets(phase, radius, begin)

    def has_asked(self, pairs: Pairs, sets: Pairs) -> NDArray[np.bool_]:
        """Whether the search has asked about these pairs given these sets: subsets of the pool of either end."""
        size = sets.shape[1]
        if size == 0:
            return np.ones(len(pairs), dtype=bool)
        asked = np.zeros(len(pairs), dtype=bool)
        for step in self.steps:
            if step[1] == size:
                inside = self.pools_of(*step)
                for ends in pairs.T:
                    asked |= inside[ends[:, None], sets].all(axis=1)
        return asked

    def pools_of(self, phase: Phase, radius: int) -> Marks:
        """The pools of a step: at x, v not 0 if v was in the pool of x, also after all that was removed meanwhile."""
        step = (phase, radius)
        if step not in self._known_pools:
            self._known_pools[step] = self.graphs[self.steps.index(step)].matrix(self.n)
            if not self.options.stable:
                x, y = self.sepsets.found_at(radius, FoundBy.SEARCH).T
                self._known_pools[step][x, y] = self._known_pools[step][y, x] = 0
        return self._known_pools[step]
