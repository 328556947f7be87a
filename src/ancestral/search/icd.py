"""ICD, iterative causal discovery (Rohekar, Nisimov, Gurwicz & Novik, NeurIPS 2021).

Algorithm 1 of the paper, its line numbers in the comments, as a generator of stages: after every radius a PAG whose
marks and missing edges are all true. The candidate sets (`PDSepRange`, line 9) are grown, not filtered: `_icd_sep_cy`.

With `verify` the algorithm keeps what the paper promises. Without it, with `possible_ancestors="all"` and
`stable=False`, it is the paper's, false claims included (docs/theory.md); only that sets grow along walks, not paths,
and that the marks of a pass are gathered before they are written.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.arguments import whole_number
from ancestral.independence._questions_cy import Questions
from ancestral.search._icd_sep_cy import IcdSep
from ancestral.search.base import Marks, Problem, Search
from ancestral.search.lookup import Pairs
from ancestral.search.stage import Edges, FoundBy, Phase, Stage

__all__ = ["icd", "most_tests"]

#: The bound on the number of questions is computed for up to so many variables: it has thousands of digits by then.
MOST_VARIABLES = 10_000

#: From so many variables on it takes longer to make the graph of an earlier radius again than to keep it ...
MANY_VARIABLES = 500

#: ... as long as the graphs that are kept take no more than this.
KEPT_BYTES = 1 << 26


def icd(problem: Problem) -> Iterator[Stage]:
    """Yield a stage after every radius; the last one is complete unless `max_radius` came first."""
    search = _Icd(problem)  # line 1
    begin = 0 if problem.start is None else problem.start.radius + 1
    for radius in range(begin, search.last_radius + 1):  # lines 1–4: r = 0, 1, … up to n - 2
        any_sets = search.refine(radius)  # lines 7–16
        complete = not any_sets or radius == search.largest_set  # no set is left to ask about, now or later
        yield search.stage(Phase.SEARCH, radius, complete, search.orient(radius, complete))  # line 17
        if complete:
            return


def most_tests(variables: int, radius: int) -> int:
    """The paper's bound N_max on the number of questions up to a radius."""
    whole_number("variables", variables, 2, MOST_VARIABLES)
    whole_number("radius", radius, 0, MOST_VARIABLES)
    return 2 * comb(variables, 2) * sum(comb(variables - 2, r) for r in range(radius + 1))


@dataclass(frozen=True)
class SetSpec:
    """The sets of a radius on a graph, for those who have neither."""

    graph: Edges
    n: int
    radius: int
    conditions: dict[str, Any]

    def begin(self, questions: Questions, pulse: Pulse) -> IcdSep:
        """The sets, ready to be asked about."""
        return IcdSep(self.graph.matrix(self.n), questions, self.radius, pulse=pulse, **self.conditions)


class _Icd(Search):
    """A search whose candidates are ICD-Sep sets."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        # the sets of so many radii stay as they are; to make those of others again takes time, to keep them memory
        self.kept = 2 if self.n < MANY_VARIABLES else max(2, min(12, KEPT_BYTES // self.n**2))
        self._sets: dict[tuple[int, int], IcdSep] = {}

    def refine(self, radius: int) -> bool:
        """Iteration, lines 7–16; whether there was any set to ask about (line 11)."""
        if radius == 0:
            self.ask_given_nothing()
            return self.n > 1
        return self.ask_given_sets(
            Phase.SEARCH,
            radius,
            lambda thread: self._begin_thread(thread, radius),
            lambda graph: SetSpec(graph, self.n, radius, self._conditions),
        )

    def _begin_thread(self, thread: int, radius: int) -> IcdSep:
        """The sets of this radius for a thread; the first one's are kept, the others learn the graph from it."""
        first = (0, radius % self.kept)
        return self._begin(first, radius) if thread == 0 else self._begin((thread, 0), radius, like=self._sets[first])

    def _begin(
        self, place: tuple[int, int], radius: int, graph: Marks | None = None, like: IcdSep | None = None
    ) -> IcdSep:
        """The sets of this radius, in a workspace: those of one thread are numbered."""
        marks = self.marks if graph is None else graph
        if place in self._sets:
            self._sets[place].begin(marks, radius, like)
            return self._sets[place]
        self._sets[place] = IcdSep(marks, self.questions[place[0]], radius, pulse=self.own_pulse(), **self._conditions)
        return self._sets[place]

    @property
    def _conditions(self) -> dict[str, Any]:
        """What is asked of the sets of every radius."""
        mode = self.options.possible_ancestors
        return {
            "filter_all": mode == "all",
            "filter_distant": mode == "distant",
            # a true `Z --- A` must not ban Z: the repair asks for anteriors, the paper for ancestors
            "anteriors": self.options.verify,
            # an edge that falls within the radius must not close the walks past it before R0 has had its say
            "keep_triangles": self.options.verify,
            "no_cause": self.no_cause,
            "apart": self.apart,
        }

    def has_asked(self, pairs: Pairs, sets: Pairs) -> NDArray[np.bool_]:
        """Whether the search has asked about these pairs given these sets."""
        size = sets.shape[1]
        if size == 0 or size > len(self.steps):
            return np.full(len(pairs), size == 0)
        return np.asarray(self._sets_searched(size).belong(pairs, sets) != 0)

    def _sets_searched(self, radius: int) -> IcdSep:
        """The sets of a radius that was searched: as they were left, or made again if others have taken their place."""
        for sets in self._sets.values():
            if sets.radius == radius:
                return sets
        sets = self._begin((0, self.kept), radius, self.graphs[radius - 1].matrix(self.n))
        if not self.options.stable:
            for x, y in self.sepsets.found_at(radius, FoundBy.SEARCH).tolist():
                sets.remove(x, y)
        return sets
