"""ICD, iterative causal discovery (Rohekar, Nisimov, Gurwicz & Novik, NeurIPS 2021).

Algorithm 1 of the paper, its line numbers in the comments, as a generator of stages: after every radius a PAG whose
marks and missing edges are all true. The candidate sets (`PDSepRange`, line 9) are grown, not filtered: `_icd_sep_cy`.

With `verify` the algorithm keeps what the paper promises. Without it, with `possible_ancestors="all"` and
`stable=False`, it is the paper's, false claims included (docs/theory.md); only that sets grow along walks, not paths,
and that the marks of a pass are gathered before they are written.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import CIRCLE, NONE
from ancestral.graphs.mixed import circled
from ancestral.independence._questions_cy import Questions
from ancestral.orientation import ALL_RULES, ANYTIME_RULES, Oriented
from ancestral.orientation._judge_cy import Sepsets
from ancestral.orientation.orient import orient_if
from ancestral.orientation.rules import SELECTION_RULES
from ancestral.search._icd_sep_cy import IcdSep
from ancestral.search.stage import FoundBy, Stage
from ancestral.search.verify import Given, Pair, Verifier

__all__ = ["IcdOptions", "PossibleAncestors", "icd", "most_tests"]

PossibleAncestors = Literal["distant", "all", "off"]
Marks = NDArray[np.uint8]
Pairs = NDArray[np.intc]


@dataclass(frozen=True)
class IcdOptions:
    """What may be chosen.

    - `possible_ancestors`: condition 3 of ICD-Sep for nodes that are no neighbours of the root ("distant"), for all
      nodes, as in the paper ("all"), or not at all ("off": conditions 1 and 2).
    - `stable`: the candidates of a radius are read from the graph as it was when the radius began, and removals are
      applied at its end: the answer does not depend on the order of columns. Otherwise an edge removed is gone for the
      next pair.
    - `verify`: ask before trusting an edge; sound at every stage.
    - `selection_bias`: whether there may be any; without it R5–R7 have nothing to do.
    - `max_radius`: stop after this radius.
    """

    possible_ancestors: PossibleAncestors = "distant"
    stable: bool = True
    verify: bool = True
    selection_bias: bool = True
    max_radius: int | None = None


def icd(
    questions: Questions,
    names: Sequence[str],
    columns: Sequence[str],
    options: IcdOptions | None = None,
    pulse: Callable[[int], None] | None = None,
    helpers: Sequence[Questions] = (),
) -> Iterator[Stage]:
    """Yield a stage after every radius; the last one is complete unless `max_radius` came first.

    `names` are the variables in the order of their positions, which decides ties: by name. `columns` are the same in
    the order in which the user wants to see them. `pulse` is called now and then inside a radius with the number of
    questions it has taken so far; it may raise to end the search. `helpers` are further copies of the questions, one
    for each further thread that shall ask (stable removal only); the answer is the same without them.
    """
    n = len(names)
    run = _Run([questions, *helpers], n, options or IcdOptions(), pulse)
    last = max(n - 2, 0)
    limit = last if run.options.max_radius is None else min(last, run.options.max_radius)
    for radius in range(limit + 1):  # lines 1–4: r = 0, 1, … up to n - 2
        done = run.refine(radius)  # lines 7–16
        complete = done or radius == last  # no set is left to ask about, now or later
        oriented = run.orient(radius, complete)  # line 17
        yield Stage(
            radius=radius,
            complete=complete,
            tests=Counter(run.tests),
            verify_tests=Counter(run.verifier.tests),
            unsupported=run.unsupported(),
            names=names,
            columns=columns,
            oriented=oriented,
            sepsets=run.sepsets,
            known_sets=run.sepsets.count,
        )
        if complete:
            return


def most_tests(variables: int, radius: int) -> int:
    """The paper's bound N_max on the number of questions up to a radius."""
    return 2 * comb(variables, 2) * sum(comb(variables - 2, r) for r in range(radius + 1))


def _separated(asking: Sequence[IcdSep], pairs: Pairs) -> list[tuple[int, list[int]]]:
    """The numbers of the pairs that are separated, in increasing order, and their sets; one thread for each asker."""
    if len(asking) == 1:
        found, sets = asking[0].separate(pairs)
        return list(zip(found.tolist(), sets.tolist(), strict=True))
    shares = [np.arange(i, len(pairs), len(asking)) for i in range(len(asking))]
    with ThreadPoolExecutor(len(asking)) as pool:
        answers = list(pool.map(lambda sets, share: sets.separate(pairs[share]), asking, shares))
    return sorted(
        (int(share[k]), given)
        for share, (found, sets) in zip(shares, answers, strict=True)
        for k, given in zip(found.tolist(), sets.tolist(), strict=True)
    )


class _Run:
    """The state of one search: the graph, the separating sets, the counts."""

    def __init__(
        self, questions: Sequence[Questions], n: int, options: IcdOptions, pulse: Callable[[int], None] | None
    ) -> None:
        self.options = options
        self.pulse = pulse
        self.questions = questions
        for helper in questions[1:]:
            helper.share(questions[0])
        # line 1: a complete graph with circles
        self.marks: Marks = np.full((n, n), CIRCLE, dtype=np.uint8)
        np.fill_diagonal(self.marks, NONE)
        self.sepsets = Sepsets(n)
        self.verifier = Verifier(questions[0], self.sepsets)
        self.tests: Counter[int] = Counter()
        self.fresh: list[Pair] = []  # pairs separated since the last orientation
        self.oriented: Oriented | None = None

    # -- Iteration, lines 7–16 ----------------------------------------------------------------------------------

    def refine(self, radius: int) -> bool:
        """Remove every edge that a set of this size separates; True if there was no set to ask about."""
        asking = [self._sets(questions, radius) for questions in self.questions]
        pairs: Pairs = np.argwhere(np.triu(self.marks)).astype(np.intc)  # line 8
        if self.options.stable:
            for number, given in _separated(asking, pairs):  # lines 9–13
                x, y = pairs[number].tolist()
                self.remove(x, y, tuple(sorted(given)), radius, FoundBy.SEARCH)  # lines 14–15
        else:
            for x, y in pairs.tolist():
                found, given = asking[0].separate([(x, y)])
                if len(found):
                    asking[0].remove(x, y)
                    self.remove(x, y, tuple(sorted(given[0].tolist())), radius, FoundBy.SEARCH)
        self.verifier.searched.append(asking[0])
        if asked := sum(sets.asked for sets in asking):
            self.tests[radius] += asked
        return not any(sets.any_sets for sets in asking)  # lines 7 and 11

    def _sets(self, questions: Questions, radius: int) -> IcdSep:
        mode = self.options.possible_ancestors
        return IcdSep(
            self.marks,
            questions,
            radius,
            filter_all=mode == "all",
            filter_distant=mode == "distant",
            # a true `Z --- A` must not ban Z: the repair asks for anteriors, the paper for ancestors
            anteriors=self.options.verify,
            # an edge that falls within the radius must not close the walks past it before R0 has had its say
            keep_triangles=self.options.verify,
            pulse=self.pulse,
        )

    def unsupported(self) -> Counter[int]:
        """The questions so far that the data could not support, by size."""
        counts = np.sum([questions.unsupported for questions in self.questions], axis=0)
        return Counter({size: int(count) for size, count in enumerate(counts) if count})

    def remove(self, x: int, y: int, given: Given, radius: int, found_by: FoundBy) -> None:
        """Remove the edge and record a separating set, which verification makes minimal."""
        if self.options.verify and found_by is FoundBy.SEARCH:
            given = self.verifier.minimal(x, y, given)
        self.marks[x, y] = self.marks[y, x] = NONE
        self.sepsets.record(x, y, given, radius, found_by)
        self.fresh.append((x, y))

    # -- orientation, line 17 -----------------------------------------------------------------------------------

    def orient(self, radius: int, complete: bool) -> Oriented:
        """Orient anew from circles: R0–R4, and when the search is complete all rules; verified where asked for."""
        rules = ALL_RULES if complete else ANYTIME_RULES
        if not self.options.selection_bias:
            rules = tuple(rule for rule in rules if rule not in SELECTION_RULES)
        if self.oriented is not None and not complete and not self.fresh:
            return self.oriented  # nothing has changed
        while True:
            if self.options.verify:
                self._verify_colliders(radius)
            self.fresh = []
            oriented = orient_if(circled(self.marks), self.sepsets, rules, lambda paths: self._trusts(paths, radius))
            if oriented is not None:
                self.oriented = oriented
                self.marks = oriented.marks.copy()
                return oriented

    def _verify_colliders(self, radius: int) -> None:
        fresh = self.fresh
        while fresh:
            false = self.verifier.not_colliders(self.marks, np.array(fresh, dtype=np.intc))
            self._remove_all(false, radius, FoundBy.COLLIDER_CHECK)
            fresh = list(false)

    def _trusts(self, paths: list[tuple[int, ...]], radius: int) -> bool:
        """Whether R4 may use its paths; if not, false edges have been removed and orientation must begin again."""
        if not self.options.verify:
            return True
        false = self.verifier.not_discriminating(paths)
        self._remove_all(false, radius, FoundBy.PATH_CHECK)
        return not false

    def _remove_all(self, false: dict[Pair, Given], radius: int, found_by: FoundBy) -> None:
        for (x, y), given in false.items():
            self.remove(x, y, given, radius, found_by)
