"""What all searches have in common: what they are given, what they know, how they yield stages and resume from one.

A search is a generator of stages that drives an object of `Search`, or of a class that inherits from it. For each step,
which is a phase and a radius (the size of the conditioning sets), the generator calls, in this order,

1. `refine(phase, radius)`: ask about every edge and remove those that a set separates,
2. `orient(radius, complete)`: verify and orient what is left,
3. `stage(phase, radius, complete, oriented)`: what it then yields.

Algorithms differ in the sets they ask about. These are the hooks that a subclass implements, in the order in which they
are called:

1. `candidate_sets(phase, radius)`: the sets of this step; called by `refine` when a radius above 0 begins,
2. `has_asked(pairs, sets)`: whether such questions were asked in an earlier step, or in this one; called by `refine`
   when the radius is through, and by `orient`, so that verification repeats no question.

A search may begin with the edges of a DAG instead of the complete graph. It then asks about no other pair, and what the
DAG says of the others counts as found (`FoundBy.SCORE_GRAPH`).

How the questions of a radius are asked is in `ask`, the loop of verification and orientation in `orienter`, removal of
edges in `working_graph`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar
from weakref import WeakMethod

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.graphs.window import Places
from ancestral.independence._questions_cy import Questions
from ancestral.independence.base import BaseTest, Test, checked_likelihood
from ancestral.knowledge import Constraints
from ancestral.options import SearchOptions
from ancestral.orientation import Oriented
from ancestral.orientation._judge_cy import Sepsets
from ancestral.parallel.clock import Watch
from ancestral.parallel.tuning import DEFAULTS, Tuning
from ancestral.search.agreement import Agreement
from ancestral.search.answered import Answered
from ancestral.search.ask import CandidateSets, RadiusAnswers, RadiusAsker
from ancestral.search.evidence import closest_questions
from ancestral.search.false_discoveries import discoveries
from ancestral.search.lookup import HasAsked, Pairs, SetRows
from ancestral.search.orienter import Orienter
from ancestral.search.remote import RemoteAsker
from ancestral.search.sets import Sets
from ancestral.search.stage import AskedStage, Edges, FoundBy, GraphStage, NearestSets, Phase, ResumeState, Stage
from ancestral.search.verify import Verifier
from ancestral.search.working_graph import Marks, WorkingGraph, complete_graph

__all__ = ["Problem", "Search", "SearchOptions", "nothing_asked", "nothing_found"]


@dataclass(frozen=True, kw_only=True)
class Problem:
    """What is searched, and with which means.

    - `questions`: answers questions about positions; `helpers`: further copies, one for each further thread that asks.
    - `names`: the variables in the order of their positions, which decides ties: the order of names. `columns`: the
      same variables in the order in which the user wants to see them.
    - `watch`: may end the search at any moment, by an exception.
    - `start`: resume from this stage, with questions that have learned again what they had learned by then.
    - `constraints`: what is known beside the data, about positions.
    - `remote`: asks in the workers of an executor instead of in this process.
    - `tuning`: when threads and workers are used; no answer depends on it.
    - `test`: what the questions belong to. An algorithm that asks none takes from it all that it needs of the data.
    - `workers`: how many threads an algorithm that asks no questions may use; no answer depends on it.
    - `places`: of a window of time series, the process and the step of each position.

    Helpers and workers need stable removal; the answer is the same without them.
    """

    questions: Questions
    names: Sequence[str]
    columns: Sequence[str]
    options: SearchOptions = field(default_factory=SearchOptions)
    watch: Watch = field(default_factory=Watch)
    helpers: Sequence[Questions] = ()
    start: Stage | None = None
    constraints: Constraints | None = None
    remote: RemoteAsker | None = None
    tuning: Tuning = DEFAULTS
    test: Test | None = None
    workers: int = 1
    places: Places | None = None

    @property
    def likelihood(self) -> BaseTest:
        """The test, for algorithms that score its columns. Raises `OptionError` for one without a likelihood."""
        return checked_likelihood(self.test)

    def column_blocks(self) -> ColumnBlocks:
        """The columns to be scored. Raises `OptionError` for a test without a likelihood."""
        return self.likelihood.column_blocks(self.names)


def nothing_found(names: Sequence[str], columns: Sequence[str], phase: str) -> GraphStage:
    """The stage before the first step of an algorithm that asks no questions: nothing is known."""
    return GraphStage(
        phase=phase,
        complete=False,
        names=names,
        columns=columns,
        oriented=Oriented.nothing(complete_graph(len(names))),
        begun=False,
    )


def nothing_asked(names: Sequence[str], columns: Sequence[str]) -> AskedStage:
    """The stage before radius 0: nothing is known."""
    return AskedStage(
        phase=Phase.SEARCH,
        radius=-1,
        complete=False,
        tests=Counter(),
        verify_tests=Counter(),
        unsupported=Counter(),
        names=names,
        columns=columns,
        oriented=Oriented.nothing(complete_graph(len(names))),
        sepsets=Sepsets(len(names)),
        sepset_count=1,
        memory=ResumeState(),
    )


class Search:
    """One search: its graph, its questions so far, and the steps it took. See the module for how it is driven.

    `dag` are the marks of a DAG to begin with; None for the complete graph, and for a search that resumes.

    - `graph`: what is left of the graph that it began with.
    - `tests`: the questions of the search so far, by the size of the set; those of verification are in `verifier`.
    - `agreement`: judges triples by two witnesses; None where colliders are found by the first separating sets.
    - `answered`: decides by answers alone, where tables measured different columns; otherwise None.
    - `steps`: the completed steps after radius 0. `graphs[i]`: the graph before step i.
    - `start`: the stage that it resumes from, if any.
    - `every_triple`: a subclass sets it to verify the triples that R0 takes for non-colliders, too.
    """

    every_triple: ClassVar[bool] = False

    def __init__(self, problem: Problem, dag: Marks | None = None) -> None:
        start, options = problem.start, problem.options
        assert start is None or isinstance(start, AskedStage), "a search that asks resumes from a stage that asked"
        self.problem = problem
        self.start = start
        self.n = len(problem.names)
        if start is not None:
            self.graph = WorkingGraph.of_stage(start, problem.constraints)
        elif dag is not None:
            self.graph = WorkingGraph.of_dag(dag, problem.constraints)
        else:
            self.graph = WorkingGraph.complete(self.n, problem.constraints)
        self.asker = RadiusAsker(
            problem.questions,
            watch=problem.watch,
            helpers=problem.helpers,
            remote=problem.remote,
            stable=options.stable,
            tuning=problem.tuning,
        )
        self.verifier = Verifier(
            problem.questions,
            self.graph.sepsets,
            self.pulse,
            _weakly(self.has_asked),
            self.asker.ask_remotely,
            self.graph.unasked,
        )
        self.answered: Answered | None = None
        if isinstance(problem.test, BaseTest) and problem.test.together is not None:
            self.answered = Answered(self.graph, self.verifier, problem.names, problem.test.together)
        self.orienter = Orienter(
            self.graph,
            self.verifier if options.verify else None,
            self.pulse,
            selection_bias=options.selection_bias is not False,
            every_triple=self.every_triple,
            answered=self.answered,
            # by agreement, other marks are shown than those with which the search goes on
            oriented=None if start is None or self.shows_other_marks else start.oriented,
        )
        self.agreement: Agreement | None = None
        if options.colliders == "agreed":
            assert problem.test is not None, "agreement needs p-values"
            self.agreement = Agreement(
                self.graph,
                self.asker,
                self.verifier,
                problem.test,
                verify=options.verify,
                selection_bias=options.selection_bias is not False,
                answered=self.answered,
            )
        self.tests: Counter[int] = Counter()
        self.steps: list[tuple[str, int]] = []
        self.graphs: list[Edges] = []
        self._unsupported_before: Counter[int] = Counter()  # by the run that is resumed
        if start is not None:
            self.tests = Counter(start.tests)
            self.steps, self.graphs = list(start.memory.steps), list(start.memory.graphs)
            self.verifier.tests = Counter(start.verify_tests)
            self.verifier.answers = dict(start.memory.answers())
            self._unsupported_before = Counter(start.unsupported)

    @property
    def shows_other_marks(self) -> bool:
        """Whether stages show other marks than those with which the search goes on."""
        return self.problem.options.colliders == "agreed" or self.answered is not None

    @property
    def pulse(self) -> Pulse:
        """The pulse of the thread that runs the search."""
        return self.asker.pulse

    @property
    def largest_set(self) -> int:
        """The size of the largest set that there is: all variables but two."""
        return max(self.n - 2, 0)

    @property
    def last_radius(self) -> int:
        """The largest radius to ask about."""
        most = self.problem.options.max_radius
        return self.largest_set if most is None else min(self.largest_set, most)

    # -- hooks, in the order in which they are called -----------------------------------------------------------

    def candidate_sets(self, phase: str, radius: int) -> CandidateSets:
        """The sets to ask about in this step, for the edges of the graph as it is."""
        raise NotImplementedError("an algorithm must implement candidate_sets()")

    def has_asked(self, pairs: Pairs, sets: SetRows) -> NDArray[np.bool_]:
        """For each of these pairs, whether the search has asked about it given its row of `sets`, all of one size."""
        raise NotImplementedError("an algorithm must implement has_asked()")

    # -- the parts of a step, in the order in which an algorithm calls them -------------------------------------

    def refine(self, phase: str, radius: int) -> bool:
        """Ask about every edge given its candidate sets of this size, and remove those that a set separates.

        Returns whether there was any set to ask about. At radius 0 that is the empty set, and every pair is asked
        about, or those that the DAG joins.
        """
        if radius == 0:
            if self.graph.dag is None:
                marks, asked = self.asker.ask_given_nothing(self.n, self.graph.unasked)
            else:
                marks, asked = self.asker.ask_edges_given_nothing(self.graph)
            self.graph.begin(marks)
            self._count(0, asked)
            self._check_contexts()
            return self.n > 1
        self.graphs.append(self.graph.edges())
        sets = self.candidate_sets(phase, radius)
        answers = self.asker.ask_given_sets(self.graph, sets, self.tests.total())
        self._remove_separated(answers, radius)
        self.steps.append((phase, radius))
        self._count(radius, answers.asked)
        return answers.any_sets

    def orient(self, radius: int, complete: bool) -> Oriented:
        """Verify and orient the graph: by R0–R4, and by all rules when the search is complete.

        By agreement, and for tables that measured different columns, the marks that are shown are others than those
        with which the search goes on (`agreement`, `answered`).
        """
        oriented = self.orienter.orient(radius, complete)
        while complete and self.control(radius):  # verification removes further edges, and then fewer may be kept
            oriented = self.orienter.orient(radius, complete)
        if self.agreement is not None:
            oriented = self.agreement.orient(self.orienter.rules(complete), self.tests.total(), complete)
        return oriented if self.answered is None else self.answered.shown(oriented)

    def control(self, radius: int) -> bool:
        """Remove the edges that are not discoveries, if false discoveries are controlled (`false_discoveries`).

        Required edges stay, and neither they nor the pairs that are known not to be adjacent count. Returns whether any
        edge was removed.
        """
        level, constraints, test = self.problem.options.fdr, self.problem.constraints, self.problem.test
        if level is None:
            return False
        assert test is not None, "control of false discoveries needs p-values"
        pairs, questions = self.graph.edges().pairs, self.problem.questions
        marginal = test.p_values(questions.marginals_of(pairs), np.zeros(len(pairs), dtype=np.int64))
        sets, evidences, _ = closest_questions(self._memory, test, pairs, marginal)
        of_data = ~self.graph.requires(pairs)
        all_pairs = self.n * (self.n - 1) // 2
        if constraints is not None:
            all_pairs -= len(constraints.required) + len(constraints.no_edge) + len(constraints.apart)
        kept = discoveries(evidences.p_value[of_data], all_pairs, level)
        rows = np.flatnonzero(of_data)[~kept]
        removed, closest = pairs[rows], Sets.of(sets[row] for row in rows.tolist())
        raw = np.zeros((len(rows), 2))
        for row, (x, y) in enumerate(removed.tolist()):  # the number that the question leaves, as sets keep it
            questions.ask(x, y, closest[row] or ())
            raw[row] = questions.statistic, questions.df
        if len(rows):
            self.graph.remove_doubtful(removed, closest, radius, raw)
        return len(rows) > 0

    def stage(self, phase: str, radius: int, complete: bool, oriented: Oriented) -> AskedStage:
        """The stage to yield; its graph never denies what is known, whatever the data say."""
        constraints = self.problem.constraints
        assert constraints is None or constraints.is_kept_by(oriented.marks), "a graph denies what is known"
        return AskedStage(
            phase=phase,
            radius=radius,
            complete=complete,
            tests=Counter(self.tests),
            verify_tests=Counter(self.verifier.tests),
            unsupported=self._unsupported(),
            names=self.problem.names,
            columns=self.problem.columns,
            oriented=oriented,
            sepsets=self.graph.sepsets,
            sepset_count=self.graph.sepsets.count,
            memory=self._memory,
        )

    @property
    def _memory(self) -> ResumeState:
        """What the search must know to resume from here."""
        answers = self.verifier.answers
        return ResumeState(tuple(self.steps), tuple(self.graphs), tuple(self.graph.nearest), answers, len(answers))

    # -- removing and counting ----------------------------------------------------------------------------------

    def _remove_separated(self, answers: RadiusAnswers, radius: int) -> None:
        """Remove the edges that a radius has separated; verification makes their sets minimal.

        Required edges stay, and the set that would have removed such an edge counts as the one that came closest.
        """
        nearest = NearestSets(answers.pairs, answers.sets, answers.evidence, answers.unanswered)
        falls = answers.separated != 0
        if self.problem.constraints is not None:
            falls &= ~self.graph.requires(answers.pairs)
        if not np.count_nonzero(falls):
            self.graph.nearest.append(nearest)
            return
        found = nearest.only(falls)
        smaller = self.verifier.not_minimal(found.pairs, found.sets) if self.problem.options.verify else {}
        self.graph.nearest.append(nearest.only(~falls))
        self.graph.remove_separated(found, smaller, radius, self.verifier.evidence)

    def _check_contexts(self) -> None:
        """Remove the edges of contexts to variables that they do not cause, so that tails at contexts are true."""
        constraints = self.problem.constraints
        if constraints is None or len(constraints.contexts) < 2 or not self.problem.options.verify:
            return
        false = self.verifier.not_acted_on(self.graph.marks, constraints.contexts.tolist())
        self.graph.remove_false(false, 0, FoundBy.CONTEXT_CHECK, self.verifier.evidence)

    def _count(self, radius: int, asked: int) -> None:
        if asked:  # a size without questions has no entry
            self.tests[radius] += asked

    def _unsupported(self) -> Counter[int]:
        """The questions so far that the data could not support, by size."""
        total = Counter(self._unsupported_before)
        for questions in self.asker.questions:
            for size in questions.unsupported.nonzero()[0].tolist():
                total[size] += int(questions.unsupported[size])
        return total


def _weakly(hook: HasAsked) -> HasAsked:
    """The hook of a search for a part of it that does not keep the search: its memory is free as soon as it ends."""
    reference = WeakMethod(hook)

    def call(pairs: Pairs, sets: SetRows) -> NDArray[np.bool_]:
        found = reference()
        assert found is not None, "a part outlives its search"
        return found(pairs, sets)

    return call
