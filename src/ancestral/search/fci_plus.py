"""FCI+ (Claassen, Mooij & Heskes 2013): sound and complete, and polynomial where no node has many neighbours.

After the search for adjacencies few edges are false: those between two nodes that can be separated, but not by
neighbours, the D-sep links. FCI looks for them in all subsets of Possible-D-Sep; FCI+ knows where they can be, and
which set would separate them. Steps of its algorithm 2:
  1  the search for adjacencies of PC (`adjacency`); its sets are minimal,
  2  the augmented skeleton: arrowheads that single nodes reveal by making a separated pair dependent (`_augment_cy`),
  3  the possible D-sep links (lemma 4): x <-> y with u <-> x and y <-> v, where u and v are not adjacent, u may be an
     ancestor of y and v one of x, that is, a path leads there that meets no arrowhead on its way,
  4  for each: base sets, some neighbours of x and some of y, in order of their number. With a base set its hierarchy:
     all that separates two of its nodes or of x and y, and two of those, and so on. Is the pair independent given that?
     Then it is a D-sep link: the edge is removed, with a minimal set, and steps 2–4 are done again for what is new,
  5  orient from circles: R0–R10.

Why a hierarchy: D-Sep of the pair consists of ancestors that chains of colliders link to it; each such ancestor that is
not a neighbour was separated from a node of the chain, by a set that holds the next ancestors. So the right neighbours,
closed under separating sets, hold all of D-Sep and only ancestors of the pair, which separates (theorem 1).
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from ancestral.graphs.ancestry import anterior_bits
from ancestral.graphs.marks import NONE
from ancestral.graphs.mixed import circled
from ancestral.search._augment_cy import augment, possible_links
from ancestral.search.adjacency import AdjacencySearch
from ancestral.search.base import Problem
from ancestral.search.lookup import Given, Pairs, QuestionCache
from ancestral.search.progress import RadiusProgress
from ancestral.search.stage import AskedStage, FoundBy, Phase
from ancestral.search.working_graph import Marks

__all__ = ["fci_plus"]


def fci_plus(problem: Problem) -> Iterator[AskedStage]:
    """Yield a stage after every set size, and one after the D-sep links; complete unless `max_radius` came first."""
    search = _FciPlus(problem)
    for radius in search.sizes():  # step 1
        yield search.stage(Phase.ADJACENCY, radius, False, search.orient(radius, False))
    if search.start is not None and search.start.phase is Phase.D_SEP_LINKS:
        return  # every question that is allowed was asked
    radius = search.remove_links()  # steps 2–4
    complete = search.adjacencies_found and not search.cut_short
    yield search.stage(Phase.D_SEP_LINKS, radius, complete, search.orient(radius, complete))  # step 5


class _FciPlus(AdjacencySearch):
    """A search with a second phase, which follows up single links instead of asking about all edges."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.cut_short = False  # whether `max_radius` forbade a question
        self.augmenting = np.zeros(self.n + 1, dtype=np.int64)  # questions of step 2 that `tests` does not count yet

    def remove_links(self) -> int:
        """Remove all D-sep links; the size of the largest set asked about, in this phase or before."""
        cache = QuestionCache(
            self.problem.questions, self.pulse, self.has_asked, tests=self.tests, answers=self.verifier.answers
        )
        arrows = circled(self.graph.marks)
        separated = arrows == NONE
        if self.graph.no_edge is not None:  # these have no separating set
            x, y = self.graph.no_edge.T
            separated[x, y] = False
        fresh = np.argwhere(np.triu(separated, 1)).astype(np.intc)
        edges = len(self.graph.edges().pairs)
        self.problem.watch.follow(RadiusProgress(max(self.tests, default=0), 0, [_LinkProgress(self)], edges))
        while len(fresh):
            self._augment(arrows, fresh)  # step 2
            fresh = self._remove_one(arrows, cache)  # steps 3 and 4
            arrows[fresh[:, 0], fresh[:, 1]] = arrows[fresh[:, 1], fresh[:, 0]] = NONE
        return max(self.tests, default=0)

    def _augment(self, arrows: Marks, pairs: Pairs) -> None:
        """Step 2: add the arrowheads that follow from these separated pairs."""
        answers = self.verifier.answers
        asked_about = np.zeros((self.n, self.n), dtype=np.uint8)
        for x, y, _ in answers:
            asked_about[x, y] = 1
        has_answers = asked_about[pairs[:, 0], pairs[:, 1]]
        self.cut_short |= augment(
            arrows,
            pairs,
            self.graph.sepsets,
            self.problem.questions,
            self.last_radius,
            self.augmenting,
            has_answers,
            answers,
            self.pulse,
        )
        for size in np.flatnonzero(self.augmenting).tolist():
            self.tests[size] += int(self.augmenting[size])
        self.augmenting[:] = 0

    def _remove_one(self, arrows: Marks, cache: QuestionCache) -> Pairs:
        """Steps 3 and 4: remove the first possible link that is one. Returns it as a row; no row if there is none."""
        links = possible_links(arrows, anterior_bits(arrows))
        for x, y in links[~self.graph.requires(links)].tolist():
            for given in self._hierarchies(arrows, x, y):
                if len(given) > self.last_radius:
                    self.cut_short = True
                    continue
                if cache.independent(x, y, given):
                    smallest = cache.minimal(x, y, given)
                    self.graph.remove_false({(x, y): smallest}, len(smallest), FoundBy.SEARCH, cache.evidence)
                    return np.array([(x, y)], dtype=np.intc)
        return np.zeros((0, 2), dtype=np.intc)

    def _hierarchies(self, arrows: Marks, x: int, y: int) -> Iterator[Given]:
        """The hierarchies of all base sets, the smaller base sets first, each hierarchy once."""
        of_x, of_y = (set(np.flatnonzero(arrows[v]).tolist()) - {x, y} for v in (x, y))
        neighbours = sorted(of_x | of_y)
        seen = set()
        for size in range(1, len(neighbours) + 1):
            for base in combinations(neighbours, size):
                self.pulse.step()
                if of_x.isdisjoint(base) or of_y.isdisjoint(base):
                    continue
                given = self._hierarchy(x, y, base)
                if given not in seen:
                    seen.add(given)
                    yield given

    def _hierarchy(self, x: int, y: int, base: Given) -> Given:
        """The base set and the pair, closed under the sets that separate two of its nodes; without the pair."""
        closed = [x, y, *base]
        inside = set(closed)
        for i, v in enumerate(closed):  # the list grows meanwhile
            for u in closed[:i]:
                for z in self.graph.sepsets.find(u, v) or ():
                    if z not in inside:
                        inside.add(z)
                        closed.append(z)
        return tuple(sorted(inside - {x, y}))


class _LinkProgress:
    """The progress of the second phase: its questions; how many links there will be is not known."""

    done = 0

    def __init__(self, search: _FciPlus) -> None:
        self._search = search

    @property
    def asked(self) -> int:
        """All questions so far."""
        return self._search.tests.total() + int(self._search.augmenting.sum())
