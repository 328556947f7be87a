"""FCI (Spirtes, Glymour & Scheines 2000; Zhang 2008), and anytime FCI (Spirtes 2001), which is FCI with `max_radius`.

Steps, as in Colombo et al. (2012), algorithm 3.1:
  1  the search for adjacencies of PC (`adjacency`),
  2  v-structures on what is left, and from them the Possible-D-Sep of each node (`_pds_cy`),
  3  ask about every edge given the subsets of the Possible-D-Sep of either end, that were not asked in step 1,
  4  orient anew from circles: R0–R10.

Possible-D-Sep is by walks (`_pds_cy`), which sometimes adds a node that no path reaches: more questions, but no other
answer of an oracle. Step 3 may repeat questions that verification asked in step 1.

Anytime FCI claims that after any set size the graph, oriented by R0–R4, says nothing false. As printed, this is not so,
for the same reason as in ICD: an edge outlives its own separating set and R0 trusts it (docs/theory.md). With `verify`
every stage is sound. Where no step finds more sets to ask about, the answer is FCI's, which is complete.
"""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from ancestral.graphs.mixed import circled
from ancestral.orientation import orient
from ancestral.search._pds_cy import possible_d_sep_of_all
from ancestral.search.adjacency import AdjacencySearch
from ancestral.search.base import Problem
from ancestral.search.stage import AskedStage, Phase
from ancestral.search.working_graph import Marks

__all__ = ["fci"]


def fci(problem: Problem) -> Iterator[AskedStage]:
    """Yield a stage after every set size of each phase; the last one is complete unless `max_radius` came first."""
    search = _Fci(problem)
    for radius in search.sizes():  # step 1
        yield search.stage(Phase.ADJACENCY, radius, False, search.orient(radius, False))
    start = search.start
    radius, any_sets, begun = 0, True, False
    if start is not None and start.phase is Phase.POSSIBLE_D_SEP:
        radius, any_sets, begun = start.radius, start.radius > 0 and search.had_sets(), True
    while any_sets and radius < search.last_radius:  # steps 2 and 3
        radius += 1
        any_sets = search.refine(Phase.POSSIBLE_D_SEP, radius)
        complete = search.adjacencies_found and (not any_sets or radius == search.largest_set)
        yield search.stage(Phase.POSSIBLE_D_SEP, radius, complete, search.orient(radius, complete))  # step 4
        begun = True
    if not begun:  # no set is to be asked about, or there are only two variables
        complete = search.adjacencies_found
        yield search.stage(Phase.POSSIBLE_D_SEP, 0, complete, search.orient(0, complete))


class _Fci(AdjacencySearch):
    """A search with a second phase, whose pools are Possible-D-Sep."""

    def pools(self, phase: str, marks: Marks) -> Marks:
        """Neighbours in step 1, Possible-D-Sep in step 3, where they stay the same."""
        return marks if phase is Phase.ADJACENCY else self.possible_d_sep

    def pools_to_skip(self, phase: str, radius: int) -> Marks | None:
        """In step 3, the pools of step 1."""
        earlier = (Phase.ADJACENCY, radius)
        return self.asked_pools(*earlier) if phase is Phase.POSSIBLE_D_SEP and earlier in self.steps else None

    @cached_property
    def possible_d_sep(self) -> Marks:
        """Step 2, on the graph with which step 3 begins or began: 1 at x, v if v is in the Possible-D-Sep of x."""
        first = (Phase.POSSIBLE_D_SEP, 1)
        graph = self.graphs[self.steps.index(first)].matrix(self.n) if first in self.steps else self.graph.marks
        oriented = orient(circled(graph), self.graph.sepsets, ["R0"]).marks
        pools: Marks = possible_d_sep_of_all(oriented, self.pulse, self.graph.no_edge)
        # where there are only neighbours, step 1 has asked about all sets
        pools[~((pools != 0) & (graph == 0)).any(axis=1)] = 0
        return pools

    def had_sets(self) -> bool:
        """Whether the last step, which an earlier run took, had any set to ask about."""
        (_, radius), graph = self.steps[-1], self.graphs[-1]
        pools = self.possible_d_sep != 0
        if self.graph.no_cause is not None:
            outside = self.graph.no_cause != 0
            return any(
                np.count_nonzero(pools[root] & ~(outside[:, x] & outside[:, y])) - pools[root, x + y - root] >= radius
                for x, y in graph.pairs.tolist()
                for root in (x, y)
            )
        sizes = np.count_nonzero(pools, axis=1)
        return any((sizes[x] - pools[x, y] >= radius).any() for x, y in (graph.pairs.T, graph.pairs.T[::-1]))
