"""GFCI (Ogarrio, Spirtes & Ramsey 2016), and BOSS-FCI (Ramsey, Andrews & Spirtes 2025): FCI within a graph by score.

Steps:
  1  the CPDAG of a search by score: the greedy equivalence search (GFCI), or an order search (BOSS-FCI),
  2  remove edges of the CPDAG that a set separates: the search of FCI for adjacencies (`adjacency`), which begins with
     these edges instead of the complete graph,
  3  from circles: a *-> b <-* c where the CPDAG has that unshielded collider, and where step 2 has removed the edge a–c
     by a set without b,
  4  the other rules of FCI, R1–R10.

What the CPDAG says of the pairs that it does not join is recorded as the sets by which a DAG of its class separates
them. So one judge of colliders serves both sources of step 3 (`_judge_cy`), and R4, too. In the limit of many rows
these sets do separate: the DAG implies no independence that does not hold.

FCI's second search, with Possible-D-Sep, is left out, as in the authors' own program, Tetrad; with few rows it removes
many true edges. A DAG that has to do without latent variables joins more pairs than the true graph. So, as a rule, the
nodes that separate two others are adjacent to one of them in it; where they are not, an edge may be left, as in RFCI.
(Tetrad has also asked, in step 2, only about edges of triangles.) Verification is left out, too: it would ask about
colliders that the score has decided. The score is the extended BIC. Since there must be something to score, an oracle
cannot be searched.

Stages before the last tell only which pairs are not adjacent.
"""

from collections.abc import Iterator
from dataclasses import replace

from ancestral.graphs.mixed import circled
from ancestral.orientation import Oriented
from ancestral.search.adjacency import AdjacencySearch
from ancestral.search.base import Problem
from ancestral.search.dag_search import best_ordered_dag, greedy_dag
from ancestral.search.stage import AskedStage, Phase
from ancestral.search.working_graph import Marks

__all__ = ["boss_fci", "gfci"]


def gfci(problem: Problem) -> Iterator[AskedStage]:
    """Yield a stage after every set size; the last one is complete unless `max_radius` came first."""
    yield from _within(problem, None if problem.start is not None else greedy_dag(problem))  # step 1


def boss_fci(problem: Problem) -> Iterator[AskedStage]:
    """The same, with an order search in the first step."""
    yield from _within(problem, None if problem.start is not None else best_ordered_dag(problem))  # step 1


def _within(problem: Problem, dag: Marks | None) -> Iterator[AskedStage]:
    """Steps 2 to 4, within the edges of a DAG; None if the search resumes: it goes on with the graph that it had."""
    search = AdjacencySearch(replace(problem, options=replace(problem.options, verify=False)), dag)
    for radius in search.sizes():  # step 2
        complete = search.adjacencies_found
        oriented = Oriented.nothing(circled(search.graph.marks))
        if complete or radius == search.last_radius:
            search.graph.fresh = [search.graph.separated]  # nothing was oriented before
            oriented = search.orient(radius, complete)  # steps 3 and 4
        yield search.stage(Phase.ADJACENCY, radius, complete, oriented)
