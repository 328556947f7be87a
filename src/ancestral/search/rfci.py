"""RFCI (Colombo, Maathuis, Kalisch & Richardson 2012): as quick as PC, sound, and not complete.

Steps of its algorithm 3.2:
  1  the search for adjacencies of PC (`adjacency`); its sets are minimal,
  2  before R0 judges an unshielded triple a–b–c, separated by Z: are a and b, b and c dependent given Z without b?
     If not, that edge is removed, and the triples that this makes are looked at, too (algorithm 4.4),
  3  R1–R10; before R4 uses a discriminating path the edges on it are asked about (algorithm 4.5).

All false edges of a round are removed together, each with the smallest set that was found, and after a removal in
step 3 orientation begins again from circles, so that the order of triples plays no part. These are the two lemmas with
which `verify` makes the other searches sound. Since FCI's second search is left out, an edge may stay that a set beyond
the neighbours would remove; every mark is right all the same. Stages before the last tell only which pairs are not
adjacent.
"""

from collections.abc import Iterator

from ancestral.graphs.mixed import circled
from ancestral.orientation import Oriented
from ancestral.search.adjacency import AdjacencySearch
from ancestral.search.base import Problem
from ancestral.search.stage import AskedStage, Phase

__all__ = ["rfci"]


def rfci(problem: Problem) -> Iterator[AskedStage]:
    """Yield a stage after every set size; the last one is complete unless `max_radius` came first."""
    search = _Rfci(problem)
    for radius in search.sizes():  # step 1
        complete = search.adjacencies_found
        if complete or radius == search.last_radius:
            search.graph.fresh = [search.graph.separated]  # no triple was looked at before
            yield search.stage(Phase.ADJACENCY, radius, complete, search.orient(radius, complete))  # steps 2 and 3
        else:
            yield search.stage(Phase.ADJACENCY, radius, False, Oriented.nothing(circled(search.graph.marks)))


class _Rfci(AdjacencySearch):
    """A search for adjacencies whose verification looks at every triple."""

    every_triple = True
