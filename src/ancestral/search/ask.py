"""How the questions of one radius are asked: in this thread, in several threads, or by the workers of an executor.

With stable removal no pair of a radius depends on what was found for another pair. So the list of edges may be cut
anywhere, and each part asked anywhere, as long as what is found is written to the rows of its pairs: the result does
not show who asked. With immediate removal each pair must see the edges removed before it, so one thread asks about all
pairs, in order.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from math import comb

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.errors import Option, RunWarning
from ancestral.given_warnings import warn
from ancestral.graphs.marks import NONE
from ancestral.independence._questions_cy import Questions
from ancestral.knowledge.closure import among
from ancestral.parallel.clock import Watch
from ancestral.parallel.threads import map_ranges
from ancestral.parallel.tuning import DEFAULTS, Tuning
from ancestral.search._asking_cy import Asking
from ancestral.search._every_pair_cy import EveryPair, mirror
from ancestral.search.lookup import AskRemotely, Key, Pairs, SetRows
from ancestral.search.progress import RadiusProgress
from ancestral.search.remote import RemoteAsker, RemoteProgress
from ancestral.search.remote_tasks import Separated, SetSpec
from ancestral.search.stage import Answer, Edges
from ancestral.search.working_graph import Marks, WorkingGraph

__all__ = ["CandidateSets", "RadiusAnswers", "RadiusAsker"]

#: How many times as quickly a quick test answers a question of a whole row, given nothing, as one of another kind.
ROW_SPEED = 200


@dataclass(frozen=True)
class CandidateSets:
    """The sets that an algorithm wants to ask about at one radius.

    - `radius`: the number of nodes in each set.
    - `begin(thread)`: a workspace of this process that knows these sets, for the thread with this number.
    - `spec(edges)`: how a worker elsewhere makes the same sets, from the edges of the graph.
    """

    radius: int
    begin: Callable[[int], Asking]
    spec: Callable[[Edges], SetSpec]


@dataclass(frozen=True, eq=False)
class RadiusAnswers:
    """What one radius has found, a row for each pair that was adjacent when it began.

    - `separated`: 1 where a set separates the pair.
    - `sets`: the set that separates the pair, otherwise the one with the largest p-value.
    - `evidence`: statistic and degrees of freedom of that question, NaN where the data supported none.
    - `unanswered`: the number of questions about the pair that the data could not support.
    - `asked`: the number of questions; `any_sets`: whether there was any set to ask about.
    """

    pairs: Pairs
    separated: NDArray[np.uint8]
    sets: SetRows
    evidence: NDArray[np.float64]
    unanswered: NDArray[np.int64]
    asked: int
    any_sets: bool


class RadiusAsker:
    """Asks the questions of one radius after another.

    `questions` has an entry for each thread, the first one for this thread. `remote` asks in the workers of an
    executor, None where there is none. Threads and workers need stable removal.
    """

    def __init__(
        self,
        questions: Questions,
        *,
        watch: Watch,
        helpers: Sequence[Questions] = (),
        remote: RemoteAsker | None = None,
        stable: bool = True,
        tuning: Tuning = DEFAULTS,
    ) -> None:
        self.questions = [questions, *helpers]
        for helper in helpers:
            helper.share(questions)
        self.watch = watch
        self.pulse = watch.pulse()
        self.remote = remote
        self.stable = stable
        self.tuning = tuning
        self._warned = False

    @cached_property
    def pool(self) -> ThreadPoolExecutor:
        """The threads of this search, which start when they are first needed and end with it."""
        return ThreadPoolExecutor(len(self.questions))

    def thread_pulse(self) -> Pulse:
        """A pulse for a thread: the only thread reports progress; of several, the one that waits for them does."""
        return self.pulse if len(self.questions) == 1 else self.watch.pulse(tells=False)

    @property
    def ask_remotely(self) -> AskRemotely | None:
        """Asks single questions elsewhere; None where they are answered sooner here."""
        return None if self.remote is None or self._is_quick else self._ask_lines

    @property
    def _is_quick(self) -> bool:
        return bool(self.questions[0].batch_size > 1)

    # -- radius 0 -----------------------------------------------------------------------------------------------

    def ask_given_nothing(self, n: int, unasked: Pairs | None = None) -> tuple[Marks, int]:
        """Ask about every pair of n variables given nothing, but for those of `unasked`, rows x, y with x < y.

        Returns a matrix with 1, which is a circle, where two are dependent, and the number of questions.
        """
        asking = [EveryPair(questions, self.thread_pulse(), unasked) for questions in self.questions]
        if not self.stable or (self._is_quick and n * n < ROW_SPEED * self.tuning.min_sets_for_threads):
            asking = asking[:1]
        progress = RemoteProgress()
        self.watch.follow(
            RadiusProgress(0, 0, [*asking, progress], comb(n, 2) - (0 if unasked is None else len(unasked)))
        )
        marks = np.zeros((n, n), dtype=np.uint8)
        if self.remote is not None and not self._is_quick:
            self.remote.ask_rows(marks, self.questions[0], progress, self.watch, unasked)
        else:
            tasks = [partial(_ask_rows, asker, marks) for asker in asking]
            map_ranges(tasks, n, self.watch, self.tuning.max_edges_per_range, self.pool)
        mirror(marks)
        return marks, sum(asker.asked for asker in asking) + progress.asked

    def ask_edges_given_nothing(self, graph: WorkingGraph) -> tuple[Marks, int]:
        """Ask about the edges of a graph given nothing; there are few of them, so this thread asks.

        Returns the marks without the edges between variables that are independent, and the number of questions. What
        the questions learn of all pairs given nothing, they learn here, as they do when the search resumes.
        """
        questions, asker = self.questions[0], RemoteProgress()
        questions.relearn(None)
        pairs, marks = graph.asked_pairs(), graph.marks.copy()
        self.watch.follow(RadiusProgress(0, 0, [asker], len(pairs)))
        for x, y in pairs.tolist():
            self.pulse.step()
            if questions.ask(x, y, ()):
                marks[x, y] = marks[y, x] = NONE
            asker.count(1, 1)
        return marks, asker.asked

    # -- later radii --------------------------------------------------------------------------------------------

    def ask_given_sets(self, graph: WorkingGraph, sets: CandidateSets, asked_before: int) -> RadiusAnswers:
        """Ask about every edge of the graph given its candidate sets, each until one separates it.

        `asked_before` is the number of questions of earlier radii, for reports of progress.
        """
        radius = _Radius(graph, sets, asked_before)
        self._warn_of_many_sets(radius)
        if self.remote is not None and self._is_worth_sending(radius):
            return self._ask_elsewhere(radius, self.remote)
        if self.stable:
            return self._ask_in_threads(radius)
        return self._ask_in_turn(radius)

    def _is_worth_sending(self, radius: "_Radius") -> bool:
        """Whether workers are used; few questions of a quick test are answered sooner than they are sent."""
        return not (self._is_quick and radius.is_below(self.tuning.least_work_to_send))

    def _ask_elsewhere(self, radius: "_Radius", remote: RemoteAsker) -> RadiusAnswers:
        """Stable removal, by the workers of an executor."""
        radius.sets.begin(0)  # not to ask here, but so that the algorithm can tell what was asked
        progress = RemoteProgress()
        out = radius.empty_rows()
        self._begin(radius, [progress])
        spec = radius.sets.spec(radius.edges)
        remote.ask_pairs(radius.pairs, radius.work, spec, self.questions[0], out, progress, self.watch)
        return radius.answers(out, progress.asked, progress.any_sets)

    def _ask_in_threads(self, radius: "_Radius") -> RadiusAnswers:
        """Stable removal, in one thread or several."""
        one = len(self.questions) == 1 or (self._is_quick and radius.is_below(self.tuning.min_sets_for_threads))
        asking = [radius.sets.begin(thread) for thread in range(1 if one else len(self.questions))]
        out = radius.empty_rows()
        self._begin(radius, asking)
        tasks = [partial(_ask, asker, radius.pairs, out) for asker in asking]
        largest = self.tuning.max_edges_per_range * self.questions[0].batch_size
        map_ranges(tasks, len(radius.pairs), self.watch, largest, self.pool)
        return radius.answers(out, sum(asker.asked for asker in asking), any(asker.any_sets for asker in asking))

    def _ask_in_turn(self, radius: "_Radius") -> RadiusAnswers:
        """Immediate removal: an edge that a set separates is gone for the next pair, unless it is required."""
        asker, pairs = radius.sets.begin(0), radius.pairs
        out = radius.empty_rows()
        self._begin(radius, [asker])
        required = radius.graph.requires(pairs)
        for e, (x, y) in enumerate(pairs.tolist()):
            _ask(asker, pairs, out, e, e + 1)
            if out.separated[e] and not required[e]:
                asker.remove(x, y)
        return radius.answers(out, asker.asked, bool(asker.any_sets))

    def _begin(self, radius: "_Radius", asking: Sequence[Asking | RemoteProgress]) -> None:
        """Tell the watch who asks about the edges of this radius from now on."""
        edges, number = len(radius.pairs), radius.sets.radius
        self.watch.follow(RadiusProgress(number, radius.asked_before, asking, edges, lambda: radius.work))

    def _warn_of_many_sets(self, radius: "_Radius") -> None:
        """Warn, once per search, if a radius may take very long because some nodes have very many neighbours."""
        if self._warned or radius.most_sets < self.tuning.many_sets or radius.is_below(self.tuning.many_sets):
            return
        self._warned = True
        warn(
            RunWarning(
                f"radius {radius.sets.radius} has up to {radius.work.sum():.0e} candidate sets, since some variables "
                "have very many neighbours, and may take very long; with ",
                Option("time_limit"),
                " or ",
                Option("max_radius"),
                " the graph of the last stage is returned",
            ),
            stacklevel=2,
        )

    # -- single questions ---------------------------------------------------------------------------------------

    def _ask_lines(self, lines: Sequence[Sequence[Key]]) -> Mapping[Key, tuple[Answer, bool]]:
        assert self.remote is not None
        return self.remote.ask_lines(lines, self.questions[0], self.watch)


class _Radius:
    """A radius to be asked about: the edges of the graph when it begins, the sets, and an estimate of the work."""

    def __init__(self, graph: WorkingGraph, sets: CandidateSets, asked_before: int) -> None:
        self.graph = graph
        self.edges = graph.edges()
        self.pairs = graph.asked_pairs()
        self.sets = sets
        self.asked_before = asked_before

    @cached_property
    def work(self) -> NDArray[np.float64]:
        """An estimate of the number of candidate sets of each pair: 1, and the sets of neighbours of either end."""
        others = np.bincount(self.edges.pairs.ravel(), minlength=self.graph.n)[self.pairs] - 1
        sets = np.ones(others.shape)
        for k in range(self.sets.radius):  # binomial coefficients
            sets = sets * np.maximum(others - k, 0) / (k + 1)
        return np.asarray(1.0 + sets.sum(axis=1))

    @property
    def most_sets(self) -> int:
        """An upper bound on the sum of `work` that is found quickly."""
        return 2 * len(self.pairs) * (1 + comb(self.graph.most_neighbours, self.sets.radius))

    def is_below(self, candidate_sets: float) -> bool:
        """Whether there are fewer candidate sets than this, by the estimate."""
        return bool(self.work.sum() < candidate_sets)

    def empty_rows(self) -> Separated:
        """Rows to be filled in, one for each pair."""
        count = len(self.pairs)
        sets = np.zeros((count, self.sets.radius), dtype=np.intc)
        return Separated(np.zeros(count, dtype=np.uint8), sets, np.empty((count, 2)), np.zeros(count, np.int64))

    def answers(self, out: Separated, asked: int, any_sets: bool) -> RadiusAnswers:
        """The rows, filled in, for all edges; those that were not asked about have no evidence."""
        pairs = self.edges.pairs
        if len(self.pairs) < len(pairs):
            full = Separated(
                np.zeros(len(pairs), np.uint8),
                np.zeros((len(pairs), self.sets.radius), np.intc),
                np.tile([np.nan, 0.0], (len(pairs), 1)),
                np.zeros(len(pairs), np.int64),
            )
            rows = among(pairs, self.pairs, self.graph.n)
            for field in ("separated", "sets", "evidence", "unanswered"):
                getattr(full, field)[rows] = getattr(out, field)
            out = full
        return RadiusAnswers(pairs, out.separated, out.sets, out.evidence, out.unanswered, asked, any_sets)


def _ask(asker: Asking, pairs: Pairs, out: Separated, first: int, stop: int) -> None:
    asker.separate(pairs, first, stop, out.separated, out.sets, out.evidence, out.unanswered)


def _ask_rows(asker: EveryPair, marks: Marks, first: int, stop: int) -> None:
    asker.separate(marks, first, stop)
