"""ICD, iterative causal discovery (Rohekar, Nisimov, Gurwicz & Novik, NeurIPS 2021).

Algorithm 1 of the paper, its line numbers in the comments, as a generator of stages: after every radius a PAG whose
marks and missing edges are all true. The candidate sets (`PDSepRange`, line 9) are grown, not filtered: `_icd_sep_cy`.

With `verify` the algorithm keeps what the paper promises. Without it, with `possible_ancestors="all"` and
`stable=False`, it is the paper's, false claims included (docs/theory.md), with two differences: sets grow along walks,
not paths, and the marks of a pass are gathered before they are written.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.arguments import whole_number
from ancestral.graphs.csr import Neighbours
from ancestral.independence._questions_cy import Questions
from ancestral.search._icd_sep_cy import IcdSep
from ancestral.search.ask import CandidateSets
from ancestral.search.base import Problem, Search
from ancestral.search.lookup import Pairs, SetRows
from ancestral.search.stage import AskedStage, Edges, FoundBy, Phase
from ancestral.search.working_graph import Marks

__all__ = ["icd", "most_tests"]

#: Largest number of variables for which the bound on the number of questions is computed: it has thousands of digits.
MOST_VARIABLES = 10_000

#: The graphs of earlier radii that are kept, where there are many variables, take no more bytes than this: 64 MB.
KEPT_BYTES = 1 << 26


def icd(problem: Problem) -> Iterator[AskedStage]:
    """Yield a stage after every radius; the last one is complete unless `max_radius` came first."""
    search = _Icd(problem)  # line 1
    begin = 0 if search.start is None else search.start.radius + 1
    for radius in range(begin, search.last_radius + 1):  # lines 1–4: r = 0, 1, … up to n - 2
        any_sets = search.refine(Phase.SEARCH, radius)  # Iteration, lines 7–16
        complete = not any_sets or radius == search.largest_set  # line 11: no set is left to ask about, now or later
        yield search.stage(Phase.SEARCH, radius, complete, search.orient(radius, complete))  # line 17
        if complete:
            return


def most_tests(variables: int, radius: int) -> int:
    """The paper's bound N_max on the number of questions up to a radius.

    Args:
        variables: The number of variables, between 2 and 10,000.
        radius: The radius, between 0 and 10,000.

    Returns:
        The number of questions.

    Raises:
        OptionError: If a number is not between these.

    Examples:
        >>> most_tests(4, 0)  # 6 pairs, each from both of its ends
        12
    """
    whole_number("variables", variables, 2, MOST_VARIABLES)
    whole_number("radius", radius, 0, MOST_VARIABLES)
    return 2 * comb(variables, 2) * sum(comb(variables - 2, r) for r in range(radius + 1))


class _Icd(Search):
    """A search whose candidates are ICD-Sep sets."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        # the number of radii whose sets are kept; making others again takes time, keeping them takes memory
        many = self.n >= problem.tuning.many_variables
        self.kept = max(2, min(12, KEPT_BYTES // self.n**2)) if many else 2
        self._workspaces: dict[tuple[int, int], IcdSep] = {}  # by thread, and by a number within the thread
        if self.start is not None and self.shows_other_marks and not self.start.complete:
            self.orienter.orient(self.start.radius, False)  # the marks on which the next sets depend are not shown

    # -- line 9: the sets of a radius ---------------------------------------------------------------------------

    def candidate_sets(self, phase: str, radius: int) -> CandidateSets:
        """The ICD-Sep sets of this radius. The workspace of the first thread is kept, the others share its graph."""

        def begin(thread: int) -> IcdSep:
            first = (0, radius % self.kept)
            if thread == 0:
                return self._begin(first, self.graph.marks, radius, neighbours=self.graph.neighbours())
            return self._begin((thread, 0), self.graph.marks, radius, self._workspaces[first], self.graph.neighbours())

        return CandidateSets(radius, begin, lambda edges: IcdSepSpec(edges, self.n, radius, self._conditions))

    @property
    def _conditions(self) -> dict[str, Any]:
        """The conditions on the sets of every radius."""
        options = self.problem.options
        return {
            "filter_all": options.possible_ancestors == "all",
            "filter_distant": options.possible_ancestors == "distant",
            # a true `Z --- A` must not ban Z: the repair asks for anteriors, the paper for ancestors
            "anteriors": options.verify,
            # an edge that falls within the radius must not close the walks past it before R0 has judged its triples
            "keep_triangles": options.verify,
            "no_cause": self.graph.no_cause,
            "no_edge": self.graph.no_edge,
        }

    def _begin(
        self,
        place: tuple[int, int],
        marks: Marks,
        radius: int,
        like: IcdSep | None = None,
        neighbours: Neighbours | None = None,
    ) -> IcdSep:
        """The sets of this radius on this graph, in the workspace with this place."""
        if place in self._workspaces:
            self._workspaces[place].begin(marks, radius, like, neighbours)
        else:
            questions, pulse = self.asker.questions[place[0]], self.asker.thread_pulse()
            self._workspaces[place] = IcdSep(
                marks, questions, radius, pulse=pulse, neighbours=neighbours, **self._conditions
            )
        return self._workspaces[place]

    # -- afterwards: which sets were asked about ----------------------------------------------------------------

    def has_asked(self, pairs: Pairs, sets: SetRows) -> NDArray[np.bool_]:
        """Whether the search has asked about these pairs given these sets."""
        size = sets.shape[1]
        if size == 0 or size > len(self.steps):
            return np.full(len(pairs), size == 0)
        return np.asarray(self._sets_of_step(size).belong(pairs, sets) != 0)

    def _sets_of_step(self, radius: int) -> IcdSep:
        """The sets of a completed radius: from a workspace that still has them, otherwise made again."""
        for sets in self._workspaces.values():
            if sets.radius == radius:
                return sets
        sets = self._begin((0, self.kept), self.graphs[radius - 1].matrix(self.n), radius)
        if not self.problem.options.stable:
            for x, y in self.graph.sepsets.found_at(radius, FoundBy.SEARCH).tolist():
                sets.remove(x, y)
        return sets


@dataclass(frozen=True)
class IcdSepSpec:
    """The sets of a radius on a graph, for workers elsewhere."""

    graph: Edges
    n: int
    radius: int
    conditions: dict[str, Any]

    def begin(self, questions: Questions, pulse: Pulse) -> IcdSep:
        """The sets, ready to be asked about."""
        return IcdSep(self.graph.matrix(self.n), questions, self.radius, pulse=pulse, **self.conditions)
