"""ICD, iterative causal discovery (Rohekar, Nisimov, Gurwicz & Novik, NeurIPS 2021).

Algorithm 1 of the paper, its line numbers in the comments, as a generator of stages: after every radius a PAG whose
marks and missing edges are all true. The candidate sets (`PDSepRange`, line 9) are grown, not filtered: `_icd_sep_cy`.

With `verify` the algorithm keeps what the paper promises. Without it, with `possible_ancestors="all"` and
`stable=False`, it is the paper's, false claims included (docs/theory.md); only that sets grow along walks, not paths,
and that the marks of a pass are gathered before they are written.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from math import comb
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.graphs.marks import CIRCLE, NONE
from ancestral.graphs.mixed import circled
from ancestral.independence._questions_cy import Questions
from ancestral.orientation import ALL_RULES, ANYTIME_RULES, Oriented
from ancestral.orientation._judge_cy import Sepsets
from ancestral.orientation.orient import orient_if
from ancestral.orientation.rules import SELECTION_RULES
from ancestral.search._icd_sep_cy import IcdSep
from ancestral.search.stage import Asked, Edges, FoundBy, Memory, Stage
from ancestral.search.verify import Given, Pair, Verifier
from ancestral.search.watch import TELL_EVERY, Watch

__all__ = ["IcdOptions", "PossibleAncestors", "icd", "most_tests", "nothing_asked"]

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
    watch: Watch | None = None,
    helpers: Sequence[Questions] = (),
    start: Stage | None = None,
) -> Iterator[Stage]:
    """Yield a stage after every radius; the last one is complete unless `max_radius` came first.

    `names` are the variables in the order of their positions, which decides ties: by name. `columns` are the same in
    the order in which the user wants to see them. `watch` may end the search at any moment, by an exception. `helpers`
    are further copies of the questions, one for each further thread that shall ask (stable removal only); the answer is
    the same without them. `start`: go on from this stage, with questions that know again what they had learned.
    """
    n = len(names)
    run = _Run([questions, *helpers], n, options or IcdOptions(), watch or Watch())
    if start is not None:
        run.go_on(start)
    last = max(n - 2, 0)
    limit = last if run.options.max_radius is None else min(last, run.options.max_radius)
    for radius in range(0 if start is None else start.radius + 1, limit + 1):  # lines 1–4: r = 0, 1, … up to n - 2
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
            memory=run.memory(),
        )
        if complete:
            return


def nothing_asked(names: Sequence[str], columns: Sequence[str]) -> Stage:
    """The stage before radius 0: nothing is known."""
    nothing = np.zeros((0, 6), dtype=np.intc)
    return Stage(
        radius=-1,
        complete=False,
        tests=Counter(),
        verify_tests=Counter(),
        unsupported=Counter(),
        names=names,
        columns=columns,
        oriented=Oriented(_complete_graph(len(names)), nothing, np.zeros(0, dtype=np.intc), {}),
        sepsets=Sepsets(len(names)),
        known_sets=1,
        memory=Memory(),
    )


def _complete_graph(n: int) -> Marks:
    """Every pair of nodes joined by a circle edge."""
    marks = np.full((n, n), CIRCLE, dtype=np.uint8)
    np.fill_diagonal(marks, NONE)
    return marks


def most_tests(variables: int, radius: int) -> int:
    """The paper's bound N_max on the number of questions up to a radius."""
    return 2 * comb(variables, 2) * sum(comb(variables - 2, r) for r in range(radius + 1))


def _separate(asking: Sequence[IcdSep], shares: Sequence[Pairs], watch: Watch) -> list[Any]:
    """What each asker says about its share of the pairs; one thread for each."""
    if len(asking) == 1:
        return [asking[0].separate(shares[0])]
    with ThreadPoolExecutor(len(asking)) as pool:
        try:
            answers = [pool.submit(sets.separate, share) for sets, share in zip(asking, shares, strict=True)]
            while wait(answers, timeout=TELL_EVERY, return_when=FIRST_EXCEPTION).not_done:
                watch.look()
        except BaseException:
            watch.stop()  # the others end at their next look, and the pool waits for them
            raise
    return [answer.result() for answer in answers]


class _Run:
    """The state of one search: the graph, the separating sets, the counts."""

    def __init__(self, questions: Sequence[Questions], n: int, options: IcdOptions, watch: Watch) -> None:
        self.options = options
        self.watch = watch
        self.pulse = watch.pulse()
        self.questions = questions
        for helper in questions[1:]:
            helper.share(questions[0])
        self.marks = _complete_graph(n)  # line 1
        self.sepsets = Sepsets(n)
        self.verifier = Verifier(questions[0], self.sepsets, self.pulse)
        self.tests: Counter[int] = Counter()
        self.unsupported_before: Counter[int] = Counter()
        self.graphs: list[Edges] = []
        self.asked: list[Asked] = []
        self.fresh: list[Pair] = []  # pairs separated since the last orientation
        self.oriented: Oriented | None = None

    # -- being stopped, and going on ----------------------------------------------------------------------------

    def memory(self) -> Memory:
        """What a later run must know to go on from here."""
        self.asked = [asked.only(self.marks[tuple(asked.pairs.T)] != NONE) for asked in self.asked]
        answers = self.verifier.answers
        return Memory(tuple(self.graphs), tuple(self.asked), answers, len(answers))

    def go_on(self, stage: Stage) -> None:
        """Be where the search was when it yielded this stage."""
        memory = stage.memory
        self.tests = Counter(stage.tests)
        self.unsupported_before = Counter(stage.unsupported)
        self.graphs, self.asked = list(memory.graphs), list(memory.asked)
        separated = np.argwhere(np.triu(stage.oriented.marks == NONE, 1))
        self.sepsets.record_empty(separated)
        for x, y, given, radius, found_by, *evidence in stage.sepsets.sets(stage.known_sets):
            self.sepsets.record(x, y, given, radius, found_by, evidence)
        self.verifier.tests = Counter(stage.verify_tests)
        self.verifier.answers = dict(islice((memory.verified or {}).items(), memory.verified_count))
        for radius in range(stage.radius + 1):
            if radius:
                self.marks = self.graphs[radius - 1].matrix(len(self.marks))
            sets = self._sets(self.questions[0], radius, self.pulse)
            if not self.options.stable:
                for x, y in separated.tolist():
                    _, when, found_by = self.sepsets.note(x, y)
                    if when == radius and found_by == FoundBy.SEARCH:
                        sets.remove(x, y)
            self.verifier.searched.append(sets)
        self.marks = stage.oriented.marks.copy()
        self.oriented = stage.oriented

    # -- Iteration, lines 7–16 ----------------------------------------------------------------------------------

    def refine(self, radius: int) -> bool:
        """Remove every edge that a set of this size separates; True if there was no set to ask about."""
        if radius:
            self.graphs.append(Edges.of(self.marks))
        pairs: Pairs = np.argwhere(np.triu(self.marks)).astype(np.intc)  # line 8
        threads = len(self.questions) if self.options.stable else 1
        shares = [pairs[i::threads] for i in range(threads)]
        pulses = [self.pulse] if threads == 1 else [self.watch.pulse(tells=False) for _ in range(threads)]
        asking = [self._sets(self.questions[i], radius, pulses[i]) for i in range(threads)]
        self.watch.begin(radius, self.tests.total(), asking, [self._work(share, radius) for share in shares])
        separated = np.zeros(len(pairs), dtype=np.uint8)
        sets = np.zeros((len(pairs), radius), dtype=np.intc)
        evidence = np.full((len(pairs) if radius else 0, 2), np.nan)
        if self.options.stable:
            for i, said in enumerate(_separate(asking, shares, self.watch)):  # lines 9–13
                separated[i::threads], sets[i::threads], evidence[i::threads] = said
        else:
            for e in range(len(pairs)):
                separated[e : e + 1], sets[e : e + 1], evidence[e : e + 1] = asking[0].separate(pairs[e : e + 1])
                if separated[e]:
                    asking[0].remove(*pairs[e].tolist())
        self._remove_separated(pairs, separated != 0, sets, evidence, radius)  # lines 14–15
        self.verifier.searched.append(asking[0])
        if asked := sum(asker.asked for asker in asking):
            self.tests[radius] += asked
        return not any(asker.any_sets for asker in asking)  # lines 7 and 11

    def _sets(self, questions: Questions, radius: int, pulse: Pulse) -> IcdSep:
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
            pulse=pulse,
        )

    def _work(self, pairs: Pairs, radius: int) -> NDArray[np.float64]:
        """How much work each pair may be: 1, and the number of sets of its neighbours."""
        if radius == 0:
            return np.ones(len(pairs))
        others = np.count_nonzero(self.marks, axis=1)[pairs] - 1
        sets = np.ones(others.shape)
        for k in range(radius):  # binomial coefficients
            sets = sets * np.maximum(others - k, 0) / (k + 1)
        return np.asarray(1.0 + sets.sum(axis=1))

    def unsupported(self) -> Counter[int]:
        """The questions so far that the data could not support, by size."""
        counts = np.sum([questions.unsupported for questions in self.questions], axis=0)
        return self.unsupported_before + Counter({size: int(count) for size, count in enumerate(counts) if count})

    def _remove_separated(
        self,
        pairs: Pairs,
        separated: NDArray[np.bool_],
        sets: Pairs,
        evidence: NDArray[np.float64],
        radius: int,
    ) -> None:
        if radius == 0:
            x, y = pairs[separated].T
            self.marks[x, y] = self.marks[y, x] = NONE
            self.sepsets.record_empty(pairs[separated])
            return
        for e in np.flatnonzero(separated).tolist():
            x, y = pairs[e].tolist()
            self.remove(x, y, tuple(sorted(sets[e].tolist())), radius, FoundBy.SEARCH, evidence[e])
        self.asked.append(Asked(pairs, sets, evidence).only(~separated))

    def remove(self, x: int, y: int, given: Given, radius: int, found_by: FoundBy, evidence: Any = None) -> None:
        """Remove the edge and record a separating set, which verification makes minimal."""
        if self.options.verify and found_by is FoundBy.SEARCH:
            smaller = self.verifier.minimal(x, y, given)
            if smaller != given:
                given, evidence = smaller, None
        self.marks[x, y] = self.marks[y, x] = NONE
        shown = self.verifier.evidence(x, y, given) if evidence is None else evidence
        self.sepsets.record(x, y, given, radius, found_by, shown)
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
            oriented = orient_if(
                circled(self.marks), self.sepsets, rules, lambda paths: self._trusts(paths, radius), self.pulse
            )
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
