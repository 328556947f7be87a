"""The state of a search, whichever it is: the graph, the separating sets, the counts; and how it goes on.

Every algorithm here refines a graph by asking about sets of one size after another (a radius), removes the edges that a
set separates, orients what is left, and yields a `Stage`. They differ in which sets they ask about: `icd`, `adjacency`,
`fci`, `fci_plus`. A search that goes through more than one kind of sets does so in phases.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import comb

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.errors import RunWarning
from ancestral.graphs.marks import CIRCLE, NONE
from ancestral.graphs.mixed import circled
from ancestral.independence._questions_cy import Questions
from ancestral.knowledge import Constraints
from ancestral.options import PossibleAncestors
from ancestral.orientation import ALL_RULES, ANYTIME_RULES, Oriented
from ancestral.orientation._board_cy import Board
from ancestral.orientation._judge_cy import Sepsets
from ancestral.orientation.orient import known_board, orient_checked
from ancestral.orientation.rules import RULES_WITH_KNOWLEDGE, SELECTION_RULES
from ancestral.parallel.clock import Watch
from ancestral.parallel.threads import map_ranges
from ancestral.search._asking_cy import Asking
from ancestral.search._every_pair_cy import EveryPair, mirror
from ancestral.search.lookup import Given, Key, Pair, Pairs
from ancestral.search.progress import RadiusProgress
from ancestral.search.remote import RemoteAsker, RemoteProgress
from ancestral.search.remote_tasks import Separated, Sets
from ancestral.search.stage import Answer, Edges, FoundBy, NearestSets, Phase, ResumeState, Stage
from ancestral.search.verify import Verifier

__all__ = ["Marks", "Problem", "Search", "SearchOptions", "nothing_asked"]

Marks = NDArray[np.uint8]

#: Fewer steps of a quick test than this are done sooner than a second thread is there.
WORTH_A_THREAD = 20_000

#: So many edges a thread takes at a time, times as many as the test answers at once: threads wait for each other then.
SHARE = 256

#: A radius with more candidate sets than this is worth a warning.
MANY_SETS = 1e10


@dataclass(frozen=True)
class SearchOptions:
    """What may be chosen.

    - `possible_ancestors`: for ICD alone, condition 3 of ICD-Sep for nodes that are no neighbours of the root
      ("distant"), for all nodes, as in the paper ("all"), or not at all ("off": conditions 1 and 2).
    - `stable`: the candidates of a radius are read from the graph as it was when the radius began, and removals are
      applied at its end: the answer does not depend on the order of columns. Otherwise an edge removed is gone for the
      next pair.
    - `verify`: ask before trusting an edge; sound at every stage.
    - `selection_bias`: whether there may be any; without it R5–R7 have nothing to do.
    - `max_radius`: ask about no larger sets.
    """

    possible_ancestors: PossibleAncestors = "distant"
    stable: bool = True
    verify: bool = True
    selection_bias: bool = True
    max_radius: int | None = None


@dataclass(frozen=True)
class Problem:
    """What is searched, and under whose eyes.

    `names` are the variables in the order of their positions, which decides ties: by name. `columns` are the same in
    the order in which the user wants to see them. `watch` may end the search at any moment, by an exception. `helpers`
    are further copies of the questions, one for each further thread that shall ask (stable removal only); the answer is
    the same without them. `start`: go on from this stage, with questions that know again what they had learned.
    `constraints`: what is known beside the data, about positions. `elsewhere`: workers who ask in the place of this
    process (stable removal only), with the same answer.
    """

    questions: Questions
    names: Sequence[str]
    columns: Sequence[str]
    options: SearchOptions
    watch: Watch
    helpers: Sequence[Questions] = ()
    start: Stage | None = None
    constraints: Constraints | None = None
    elsewhere: RemoteAsker | None = None


def nothing_asked(names: Sequence[str], columns: Sequence[str]) -> Stage:
    """The stage before radius 0: nothing is known."""
    return Stage(
        phase=Phase.SEARCH,
        radius=-1,
        complete=False,
        tests=Counter(),
        verify_tests=Counter(),
        unsupported=Counter(),
        names=names,
        columns=columns,
        oriented=Oriented.nothing(_complete_graph(len(names))),
        sepsets=Sepsets(len(names)),
        sepset_count=1,
        memory=ResumeState(),
    )


def _complete_graph(n: int) -> Marks:
    """Every pair of nodes joined by a circle edge."""
    marks = np.full((n, n), CIRCLE, dtype=np.uint8)
    np.fill_diagonal(marks, NONE)
    return marks


class Search:
    """The state of one search.

    `marks` is never written into, since stages and sets of earlier radii hold it; who removes an edge takes a copy.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.options = problem.options
        self.watch = problem.watch
        self.pulse = problem.watch.pulse()
        self.questions = [problem.questions, *problem.helpers]
        for helper in problem.helpers:
            helper.share(problem.questions)
        self.n = len(problem.names)
        self.constraints = problem.constraints
        #: For kernels: who is known to come later; which pairs are not adjacent, without a separating set.
        self.no_cause: Marks | None = None
        self.apart: Pairs | None = None
        if self.constraints is not None:
            if self.constraints.no_cause.any():
                self.no_cause = self.constraints.no_cause.astype(np.uint8)
            if len(self.constraints.no_edge):
                self.apart = self.constraints.no_edge
        self.contested: NDArray[np.bool_] | None = None  # ends that would deny what is known
        start = problem.start
        self.marks = _complete_graph(self.n) if start is None else start.oriented.marks
        # the sets of a stage to go on from are taken over, unless they are those of later stages, too
        taken = start is not None and start.sepsets.count == start.sepset_count
        self.sepsets = start.sepsets if start is not None and taken else Sepsets(self.n)
        # quick questions are answered before they could be sent
        others = None if problem.elsewhere is None or problem.questions.batch_size > 1 else self._ask_ahead
        self.verifier = Verifier(problem.questions, self.sepsets, self.pulse, self.has_asked, others)
        self.tests: Counter[int] = Counter()
        self.unsupported_before: Counter[int] = Counter()
        self.steps: list[tuple[Phase, int]] = []  # after radius 0: what was asked through
        self.graphs: list[Edges] = []  # before each of these steps
        self.asked: list[NearestSets] = []  # in each of these steps
        self._listed: tuple[Marks, Edges] | None = None  # marks, and the list of their edges
        self._neighbours: tuple[Edges, int] | None = None  # such a list, and the most neighbours of a node in it
        self.fresh: list[Pairs] = []  # pairs separated since the last orientation
        self.oriented: Oriented | None = None
        self.board: Board | None = None  # on which that was found
        self.judges_every_triple = False  # whether to verify what R0 takes for no collider, too
        self.warned = False
        if problem.start is not None:
            self._go_on(problem.start)

    @property
    def last_radius(self) -> int:
        """No set has more nodes, or no larger one is wanted."""
        most = self.largest_set if self.options.max_radius is None else self.options.max_radius
        return min(self.largest_set, most)

    @property
    def largest_set(self) -> int:
        """All variables but two."""
        return max(self.n - 2, 0)

    # -- being stopped, and going on ----------------------------------------------------------------------------

    def stage(self, phase: Phase, radius: int, complete: bool, oriented: Oriented) -> Stage:
        """What is found now; whatever the data said, it does not deny what was known."""
        assert self.constraints is None or self.constraints.is_kept_by(oriented.marks), "a graph denies what is known"
        answers = self.verifier.answers
        return Stage(
            phase=phase,
            radius=radius,
            complete=complete,
            tests=Counter(self.tests),
            verify_tests=Counter(self.verifier.tests),
            unsupported=self._unsupported(),
            names=self.problem.names,
            columns=self.problem.columns,
            oriented=oriented,
            sepsets=self.sepsets,
            sepset_count=self.sepsets.count,
            memory=ResumeState(tuple(self.steps), tuple(self.graphs), tuple(self.asked), answers, len(answers)),
        )

    def _go_on(self, stage: Stage) -> None:
        """Be where the search was when it yielded this stage."""
        memory = stage.memory
        self.tests = Counter(stage.tests)
        self.unsupported_before = Counter(stage.unsupported)
        self.steps, self.graphs, self.asked = list(memory.steps), list(memory.graphs), list(memory.asked)
        if self.sepsets is not stage.sepsets:
            if stage.radius >= 0:
                self.sepsets.record_apart(stage.oriented.marks)
                if self.apart is not None:
                    self.sepsets.forget(self.apart)
            found = stage.separations
            notes = np.column_stack([found.radius, found.found_by])
            self.sepsets.record_columns(found.pairs, found.given.sizes, found.given.members, notes, found.evidence)
        self.verifier.tests = Counter(stage.verify_tests)
        self.verifier.answers = dict(memory.answers())
        self.marks = stage.oriented.marks
        self.oriented = stage.oriented

    def _unsupported(self) -> Counter[int]:
        """The questions so far that the data could not support, by size."""
        total = Counter(self.unsupported_before)
        for questions in self.questions:
            for size in questions.unsupported.nonzero()[0].tolist():
                total[size] += int(questions.unsupported[size])
        return total

    # -- asking -------------------------------------------------------------------------------------------------

    def has_asked(self, pairs: Pairs, sets: Pairs) -> NDArray[np.bool_]:
        """Whether the search has asked about these pairs given these sets, all of one size."""
        raise NotImplementedError("a kind of search must know its sets")

    def ask_given_nothing(self) -> None:
        """Radius 0: there is one set, the empty one, and the graph plays no part."""
        asking = [EveryPair(questions, self.own_pulse()) for questions in self.questions]
        if not self.options.stable or (asking[0].quick and self.n * self.n < WORTH_A_THREAD):
            asking = asking[:1]
        heard = RemoteProgress()
        self.watch.follow(RadiusProgress(0, 0, [*asking, heard], comb(self.n, 2)))
        marks = np.zeros((self.n, self.n), dtype=np.uint8)
        if self.problem.elsewhere is not None and not asking[0].quick:
            self.problem.elsewhere.ask_rows(marks, self.questions[0], heard, self.watch)
        else:
            map_ranges([partial(_ask_rows, asker, marks) for asker in asking], self.n, self.watch, SHARE)
        mirror(marks)  # 1, where two are joined, is a circle
        if self.constraints is not None:
            for pairs, mark in ((self.constraints.required, CIRCLE), (self.constraints.no_edge, NONE)):
                marks[pairs[:, 0], pairs[:, 1]] = marks[pairs[:, 1], pairs[:, 0]] = mark
        self.marks = marks
        self.sepsets.record_apart(marks)
        if self.apart is not None:
            self.sepsets.forget(self.apart)
        if asked := sum(asker.asked for asker in asking) + heard.asked:
            self.tests[0] += asked

    def ask_given_sets(
        self, phase: Phase, radius: int, begin: Callable[[int], Asking], sets_of: Callable[[Edges], Sets]
    ) -> bool:
        """Remove every edge that a set of this size separates; whether there was any set to ask about.

        `begin` gives the sets of this radius to the thread with this number; `sets_of` describes them to those who are
        elsewhere, from the edges of the graph.
        """
        graph = self.edges()
        self.graphs.append(graph)
        pairs = graph.pairs
        asking = [begin(thread) for thread in range(self._threads(pairs, radius))]
        heard = RemoteProgress()
        self.watch.follow(
            RadiusProgress(radius, self.tests.total(), [*asking, heard], len(pairs), lambda: self._work(pairs, radius))
        )
        self._warn_of_many_sets(pairs, radius)
        separated = np.zeros(len(pairs), dtype=np.uint8)
        sets = np.zeros((len(pairs), radius), dtype=np.intc)
        evidence = np.empty((len(pairs), 2))
        remote = self.problem.elsewhere
        if remote is not None and self._is_worth_sending(pairs, radius, remote.tuning.least_work_to_send):
            out = Separated(separated, sets, evidence)
            work = self._work(pairs, radius)
            remote.ask_pairs(pairs, work, sets_of(graph), self.questions[0], out, heard, self.watch)
        elif self.options.stable:
            tasks = [partial(_ask, asker, pairs, separated, sets, evidence) for asker in asking]
            map_ranges(tasks, len(pairs), self.watch, SHARE * self.questions[0].batch_size)
        else:
            keeps = self.requires(pairs)
            for e, (x, y) in enumerate(pairs.tolist()):
                asking[0].separate(pairs, e, e + 1, separated, sets, evidence)
                if separated[e] and not keeps[e]:
                    asking[0].remove(x, y)
        self._remove_separated(pairs, separated, sets, evidence, radius)
        self.steps.append((phase, radius))
        if asked := sum(asker.asked for asker in asking) + heard.asked:
            self.tests[radius] += asked
        return heard.any_sets or any(asker.any_sets for asker in asking)

    def requires(self, pairs: Pairs) -> NDArray[np.bool_]:
        """Which of these pairs are known to be adjacent, whatever the data say."""
        return np.zeros(len(pairs), dtype=bool) if self.constraints is None else self.constraints.requires(pairs)

    def edges(self) -> Edges:
        """The edges of the graph as it is; the last list of them again if nothing has changed since."""
        if self._listed is None or self._listed[0] is not self.marks:
            self._listed = (self.marks, Edges.of(self.marks))
        return self._listed[1]

    @property
    def most_neighbours(self) -> int:
        """Of any node, in the graph as it is."""
        edges = self.edges()
        if self._neighbours is None or self._neighbours[0] is not edges:
            self._neighbours = (edges, int(np.bincount(edges.pairs.ravel(), minlength=1).max()))
        return self._neighbours[1]

    def _threads(self, pairs: Pairs, radius: int) -> int:
        if not self.options.stable or len(self.questions) == 1:
            return 1
        quick = self.questions[0].batch_size > 1 and self._work(pairs, radius).sum() < WORTH_A_THREAD
        return 1 if quick else len(self.questions)

    def _is_worth_sending(self, pairs: Pairs, radius: int, least_work: float) -> bool:
        return self.questions[0].batch_size == 1 or self._work(pairs, radius).sum() >= least_work

    def _ask_ahead(self, lines: Sequence[Sequence[Key]]) -> Mapping[Key, tuple[Answer, bool]]:
        assert self.problem.elsewhere is not None
        return self.problem.elsewhere.ask_lines(lines, self.questions[0], self.watch)

    def own_pulse(self) -> Pulse:
        """A thread tells how far the search is if it is the only one; otherwise the one that waits for them does."""
        return self.pulse if len(self.questions) == 1 else self.watch.pulse(tells=False)

    def _work(self, pairs: Pairs, radius: int) -> NDArray[np.float64]:
        """How much work each pair may be: 1, and the number of sets of its neighbours."""
        others = np.bincount(pairs.ravel(), minlength=self.n)[pairs] - 1
        sets = np.ones(others.shape)
        for k in range(radius):  # binomial coefficients
            sets = sets * np.maximum(others - k, 0) / (k + 1)
        return np.asarray(1.0 + sets.sum(axis=1))

    def _warn_of_many_sets(self, pairs: Pairs, radius: int) -> None:
        """Say once if a radius may take very long: some nodes have very many neighbours."""
        if self.warned or 2 * len(pairs) * (1 + comb(self.most_neighbours, radius)) < MANY_SETS:
            return
        sets = self._work(pairs, radius).sum()
        if sets >= MANY_SETS:
            self.warned = True
            warnings.warn(
                f"radius {radius} has up to {sets:.0e} candidate sets, since some variables have very many neighbours, "
                "and may take very long; with time_limit= or max_radius= the graph of the last stage is returned",
                RunWarning,
                stacklevel=2,
            )

    @property
    def separated(self) -> Pairs:
        """The pairs that were separated by a set that is not empty."""
        pairs: Pairs = self.sepsets.pairs()
        return pairs

    # -- removing -----------------------------------------------------------------------------------------------

    def _remove_separated(
        self, pairs: Pairs, separated: NDArray[np.uint8], sets: Pairs, evidence: NDArray[np.float64], radius: int
    ) -> None:
        """Remove the edges that the search has separated and record their sets, which verification makes minimal.

        What is required stays, and the set that would have removed it stands for the question that came closest.
        """
        if self.constraints is not None:
            separated[self.constraints.requires(pairs)] = 0
        (rows,) = separated.nonzero()
        if not len(rows):
            self.asked.append(NearestSets(pairs, sets, evidence))
            return
        found, given, shown = pairs[rows], sets[rows], evidence[rows]
        smaller = self.verifier.not_minimal(found, given) if self.options.verify else {}
        start = 0
        for row in [*smaller, len(found)]:  # in the order of the pairs
            self.sepsets.record_all(found[start:row], given[start:row], radius, FoundBy.SEARCH, shown[start:row])
            if row in smaller:
                x, y = found[row].tolist()
                self.sepsets.record(
                    x, y, smaller[row], radius, FoundBy.SEARCH, self.verifier.evidence(x, y, smaller[row])
                )
            start = row + 1
        self.asked.append(NearestSets(pairs, sets, evidence).only(separated == 0))
        self._take_out(found)

    def remove_all(self, false: dict[Pair, Given], radius: int, found_by: FoundBy) -> None:
        """Remove these edges, which were found to be none; their sets are minimal. What is required stays."""
        if self.constraints is not None and false:
            keeps = self.constraints.requires(np.array(list(false), dtype=np.intc))
            for pair in [pair for pair, kept in zip(false, keeps.tolist(), strict=True) if kept]:
                del false[pair]
        for (x, y), given in false.items():
            self.sepsets.record(x, y, given, radius, found_by, self.verifier.evidence(x, y, given))
        if false:
            self._take_out(np.array(list(false), dtype=np.intc))

    def _take_out(self, pairs: Pairs) -> None:
        x, y = pairs.T
        self.marks = self.marks.copy()
        self.marks[x, y] = self.marks[y, x] = NONE
        self.asked = [asked.only(self.marks[tuple(asked.pairs.T)] != NONE) for asked in self.asked]
        self.fresh.append(pairs)

    # -- orientation --------------------------------------------------------------------------------------------

    def orient(self, radius: int, complete: bool) -> Oriented:
        """Orient anew from circles: R0–R4, and when the search is complete all rules; verified where asked for.

        What is known is written first, and stands. Where rules, led by data, come to deny it by a directed path, the
        tails on that path are contested, and orientation begins again.
        """
        rules = self._allowed(ALL_RULES if complete else ANYTIME_RULES)
        if self.oriented is not None and not self.fresh:  # nothing has changed
            if not complete:
                return self.oriented
            if self.board is not None:
                self.board.detach()  # the last stage keeps its marks
        while True:
            if self.fresh or self.board is None:
                if self.options.verify:
                    self._verify_colliders(radius)
                self.fresh = []
                self.contested = None
                self.board = self._new_board()
            oriented = orient_checked(self.board, self.sepsets, rules, lambda paths: self._trusts(paths, radius))
            if oriented is not None and not self._denies(oriented):
                self.oriented = oriented
                self.marks = oriented.marks
                return oriented

    def _new_board(self) -> Board:
        return known_board(Board(circled(self.marks), self.pulse, apart=self.apart), self.constraints, self.contested)

    def _denies(self, oriented: Oriented) -> bool:
        """Whether the graph denies what is known; then there is a new board, on which it cannot."""
        if self.constraints is None:
            return False
        denying = (
            self.constraints.denying_steps(oriented.marks) & ~self.constraints.cause
        ).T  # the tail is at the first
        if not denying.any():
            return False
        self.contested = denying if self.contested is None else self.contested | denying
        self.board = self._new_board()
        return True

    def _allowed(self, rules: Sequence[str]) -> tuple[str, ...]:
        known = () if self.constraints is None else RULES_WITH_KNOWLEDGE
        return tuple(rule for rule in (*rules, *known) if self.options.selection_bias or rule not in SELECTION_RULES)

    def _verify_colliders(self, radius: int) -> None:
        while self.fresh:  # what falls here makes new triples
            fresh = np.concatenate(self.fresh)
            self.fresh = []
            false = self.verifier.not_colliders(self.marks, fresh, self.judges_every_triple)
            self.remove_all(false, radius, FoundBy.COLLIDER_CHECK)

    def _trusts(self, paths: list[tuple[int, ...]], radius: int) -> bool:
        """Whether R4 may use its paths; if not, false edges have been removed and orientation must begin again."""
        if not self.options.verify:
            return True
        false = self.verifier.not_discriminating(paths)
        self.remove_all(false, radius, FoundBy.PATH_CHECK)
        return not false


def _ask(
    asker: Asking,
    pairs: Pairs,
    separated: NDArray[np.uint8],
    sets: Pairs,
    evidence: NDArray[np.float64],
    first: int,
    stop: int,
) -> None:
    asker.separate(pairs, first, stop, separated, sets, evidence)


def _ask_rows(asker: EveryPair, marks: Marks, first: int, stop: int) -> None:
    asker.separate(marks, first, stop)
