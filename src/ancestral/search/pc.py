"""PC (Spirtes, Glymour & Scheines 2000), free of the order of columns (Colombo & Maathuis 2014).

It assumes that nothing is latent and nothing was selected on. Steps of the book:
  A, B  the complete graph, and the search for adjacencies (`adjacency`),
  C     v-structures: a → b ← c where b is not in the set that separates a and c,
  D     what follows from them (Meek 1995): a CPDAG. Where answers from data contradict each other, edges stay open:
        those that would point both ways, and those that would form a directed cycle.

PC is not anytime: before it is complete an edge may be false, and a v-structure that rests on it, too. So the stages
before the last tell only which pairs are not adjacent.
"""

from collections.abc import Iterator
from dataclasses import replace

from ancestral.graphs.mixed import circled
from ancestral.orientation import Oriented
from ancestral.orientation.orient import orient_cpdag
from ancestral.search.adjacency import AdjacencySearch
from ancestral.search.base import Problem
from ancestral.search.stage import AskedStage, Phase

__all__ = ["pc"]


def pc(problem: Problem) -> Iterator[AskedStage]:
    """Yield a stage after every set size; the last one is a CPDAG unless `max_radius` came first."""
    # verification asks about what latent variables make doubtful; here nothing is latent
    search = AdjacencySearch(replace(problem, options=replace(problem.options, verify=False)))
    for radius in search.sizes():  # steps A and B
        complete = search.adjacencies_found
        if complete:
            search.control(radius)
        marks = circled(search.graph.marks)
        oriented = Oriented.nothing(marks)
        if complete:  # steps C and D
            oriented = orient_cpdag(marks, search.graph.sepsets, search.pulse, problem.constraints)
        yield replace(search.stage(Phase.ADJACENCY, radius, complete, oriented), sufficient=True)
