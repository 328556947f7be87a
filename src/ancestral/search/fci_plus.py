"""FCI+ (Claassen, Mooij & Heskes 2013): sound and complete, and polynomial where no node has many neighbours.

After the search for adjacencies few edges are false: those between two nodes that can be separated, but not by
neighbours, the D-sep links. FCI looks for them in all subsets of Possible-D-Sep; FCI+ knows where they can be, and
which set would separate them. Steps of algorithm 2 there:
  1  the search for adjacencies of PC (`adjacency`); its sets are minimal,
  2  the augmented skeleton: arrowheads that single nodes reveal by making a separated pair dependent (`_augment_cy`),
  3  the possible D-sep links (lemma 4): x <-> y with u <-> x and y <-> v, where u and v are not adjacent, u may be an
     ancestor of y and v one of x, that is, a path leads there that meets no arrowhead on its way,
  4  for each: base sets, some neighbours of x and some of y, in order of their number. With a base set its hierarchy:
     all that separates two of its nodes or of x and y, and two of those, and so on. Is the pair independent given that?
     Then it is a D-sep link: the edge goes, with a minimal set, and steps 2–4 are done again for what is new,
  5  orient from circles: R0–R10.

Why a hierarchy: D-Sep of the pair consists of ancestors that chains of colliders link to it; each such ancestor that is
no neighbour was separated from a node of the chain, by a set that holds the next ancestors. So right neighbours, closed
under separating sets, hold all of D-Sep and only ancestors of the pair, which separates (theorem 1).
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from ancestral.graphs.ancestry import anterior_bits
from ancestral.graphs.marks import NONE
from ancestral.graphs.mixed import circled
from ancestral.search._augment_cy import augment, possible_links
from ancestral.search.adjacency import AdjacencySearch
from ancestral.search.base import Marks, Problem
from ancestral.search.lookup import Given, Pairs, QuestionCache
from ancestral.search.progress import RadiusProgress
from ancestral.search.stage import FoundBy, Phase, Stage

__all__ = ["fci_plus"]


def fci_plus(problem: Problem) -> Iterator[Stage]:
    """Yield a stage after every set size, and one after the D-sep links; complete unless `max_radius` came first."""
    search = _FciPlus(problem)
    for radius in search.sizes():  # step 1
        yield search.stage(Phase.ADJACENCY, radius, False, search.orient(radius, False))
    if problem.start is not None and problem.start.phase is Phase.D_SEP_LINKS:
        return  # all was asked that may be
    radius = search.remove_links()  # steps 2–4
    complete = search.adjacencies_found and not search.cut_short
    yield search.stage(Phase.D_SEP_LINKS, radius, complete, search.orient(radius, complete))  # step 5


class _Followed:
    """How far the second phase is, for a watch: its questions; nobody knows how many links there will be."""

    done = 0

    def __init__(self, search: "_FciPlus") -> None:
        self._search = search

    @property
    def asked(self) -> int:
        """All questions so far."""
        return self._search.tests.total() + int(self._search.augmenting.sum())


class _FciPlus(AdjacencySearch):
    """A search with a second phase, which follows up single links."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.cut_short = False  # whether `max_radius` forbade a question
        self.augmenting = np.zeros(self.n + 1, dtype=np.int64)  # questions of step 2 that `tests` does not have yet

    def remove_links(self) -> int:
        """Remove all D-sep links; the size of the largest set asked about, in this phase or before."""
        inquiry = QuestionCache(
            self.questions[0], self.pulse, self.has_asked, tests=self.tests, answers=self.verifier.answers
        )
        arrows = circled(self.marks)
        separated = arrows == NONE
        if self.apart is not None:  # these have no separating set
            separated[self.apart[:, 0], self.apart[:, 1]] = False
        fresh = np.argwhere(np.triu(separated, 1)).astype(np.intc)
        self.watch.follow(RadiusProgress(max(self.tests, default=0), 0, [_Followed(self)], len(self.edges().pairs)))
        while len(fresh):
            self._augment(arrows, fresh)  # step 2
            fresh = self._remove_one(arrows, inquiry)
            arrows[fresh[:, 0], fresh[:, 1]] = arrows[fresh[:, 1], fresh[:, 0]] = NONE
        return max(self.tests, default=0)

    def _augment(self, arrows: Marks, pairs: Pairs) -> None:
        answers = self.verifier.answers
        asked_about = np.zeros((self.n, self.n), dtype=np.uint8)
        for x, y, _ in answers:
            asked_about[x, y] = 1
        told = asked_about[pairs[:, 0], pairs[:, 1]]
        self.cut_short |= augment(
            arrows,
            pairs,
            self.sepsets,
            self.questions[0],
            self.last_radius,
            self.augmenting,
            told,
            answers,
            self.pulse,
        )
        for size in np.flatnonzero(self.augmenting).tolist():
            self.tests[size] += int(self.augmenting[size])
        self.augmenting[:] = 0

    def _remove_one(self, arrows: Marks, inquiry: QuestionCache) -> Pairs:
        """Steps 3 and 4: the first possible link that is one, as a row; no row if there is none."""
        links = possible_links(arrows, anterior_bits(arrows))
        for x, y in links[~self.requires(links)].tolist():
            for given in self._hierarchies(arrows, x, y):
                if len(given) > self.last_radius:
                    self.cut_short = True
                    continue
                if inquiry.independent(x, y, given):
                    smallest = inquiry.minimal(x, y, given)
                    self.remove_all({(x, y): smallest}, len(smallest), FoundBy.SEARCH)
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
        for i, v in enumerate(closed):  # grows while it is gone through
            for u in closed[:i]:
                for z in self.sepsets.find(u, v) or ():
                    if z not in inside:
                        inside.add(z)
                        closed.append(z)
        return tuple(sorted(inside - {x, y}))
