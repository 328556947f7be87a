"""The scored search, as a generator of stages.

1. *Order search* (`_order_cy`): several random orders, each to a DAG.
2. *Climb*: from each DAG and from ICD's graphs, over all ancestral graphs (`climbs`). The best graph tells how common
   bidirected edges are, and so what they cost beyond their penalty (`scores/penalties`); climbs go on with that.
3. *Merge*: the best graph takes over what other local optima have better.
4. *Walks*: random steps that do not change the score, each with a climb after it.
5. *Challenge*: each claim of the PAG is denied; if that leads to a clearly better graph, the search goes on from there.

Every stage is the PAG of a maximal ancestral graph, and its score is not worse than that of the stage before. An early
stage is not a sound part of the last one, as in ICD: only the last one is meant as an answer.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.graphs.marks import NONE
from ancestral.parallel.threads import map_ranges
from ancestral.scores._climb_cy import Climb
from ancestral.scores._score_cy import ScoredGraph
from ancestral.scores.fit import GAMMA
from ancestral.scores.penalties import latent_cost
from ancestral.scores.ties import first_lowest, ranked
from ancestral.search.base import Problem
from ancestral.search.progress import StepProgress
from ancestral.search.scored.claims import Claim, Denial, claims_of, cost_to_deny, deny
from ancestral.search.scored.climbs import LEAST_GAIN, WORTH_A_WALK, Climbs, Optimum, merge, take_groups, walk
from ancestral.search.scored.evidence import challenge_notes
from ancestral.search.scored.graph_stages import GraphStages
from ancestral.search.scored.limits import Limits
from ancestral.search.scored.starts import candidate_pairs, icd_start, legal_graph, order_search, ordered_dag
from ancestral.search.stage import GraphStage, Phase

__all__ = ["PHASES", "ScoredOptions", "resampled", "scored"]

Marks = NDArray[np.uint8]
Worker = TypeVar("Worker")
Item = TypeVar("Item")
Result = TypeVar("Result")

#: The phases of the search, each of which ends with a stage.
PHASES = (Phase.ORDER, Phase.CLIMB, Phase.MERGE, Phase.WALK, Phase.CHALLENGE)

#: How many claims are denied before the graph is changed.
CHALLENGED_TOGETHER = 32

#: Rounds of walks; each begins at what the one before has led to.
WALK_ROUNDS = 2


@dataclass(frozen=True)
class ScoredOptions:
    """How much the search does. The defaults were chosen on simulated data.

    - `gamma`: weighs the number of variables in the penalty of an edge; 0 is the BIC.
    - `orders`: how many random orders the order search begins with.
    - `alphas`: the significance levels at which ICD finds further starts.
    - `walks`: how many walks follow, in each of two rounds.
    - `threshold`: a denied claim leads to another graph if that lowers the score by more than this.
    - `doubtful`: a claim is doubtful if a single change that denies it costs less than this, or if none can.
    - `most_challenged`: with more variables, only doubtful claims are challenged.
    - `seed`: of the random orders and walks.
    """

    gamma: float = GAMMA
    orders: int = 5
    alphas: tuple[float, ...] = (0.001, 0.01)
    walks: int = 5
    threshold: float = 6.0
    doubtful: float = 200.0
    most_challenged: int = 50
    seed: int = 0


#: How much the search of a resample does.
RESAMPLED = ScoredOptions(orders=1, alphas=(0.01,), walks=0)


def scored(problem: Problem, options: ScoredOptions = ScoredOptions()) -> Iterator[GraphStage]:
    """Yield a stage after each part of the search; the last one is complete.

    A search that is resumed does its parts again, which lead to the same graphs, and yields only the stages that the
    run did not have yet.
    """
    search = _Scored(problem, options)
    parts = (search.order_search, search.climb_from_starts, search.merge, search.walk, search.challenge)
    done = -1 if problem.start is None else PHASES.index(Phase(problem.start.phase))
    for number, (phase, part) in enumerate(zip(PHASES, parts, strict=True)):
        part()
        if number > done:
            yield search.stage(phase)


def resampled(problem: Problem) -> Marks:
    """The marks, by position, of the PAG that a short search finds, for resamples of which there are many.

    It begins with one order search and one graph of ICD, climbs and merges. It finds nearly what the whole search does.
    """
    search = _Scored(problem, RESAMPLED)
    search.order_search()
    search.climb_from_starts()
    search.merge()
    return search.pag_of_best()


class _Scored:
    """The parts of the search, in the order in which they are called, and what they hand on.

    `best` is the best graph so far. Each worker has a climb of its own, which every part brings to the graphs that it
    begins with. So it makes no difference which worker does what.
    """

    best: Optimum
    climbs: Climbs
    workers: list[Climb]

    def __init__(self, problem: Problem, options: ScoredOptions) -> None:
        self.problem = problem
        self.options = options
        self.n = len(problem.names)
        self.test, self.blocks = problem.likelihood, problem.column_blocks()
        self.limits = Limits.of(problem.constraints, self.n)
        self.rng = np.random.default_rng(options.seed)
        self.pulse = problem.watch.pulse()
        self.stages = GraphStages(problem, self.pulse)
        self.starts: list[Marks] = []
        self.optima: list[Optimum] = []
        self.brought_to: dict[Climb, Optimum] = {}
        self.denials: dict[Claim, Denial | None] = {}

    def order_search(self) -> None:
        """Order searches, whose DAGs are starts; the best one is the best graph so far."""
        searches = [order_search(self.blocks, self.limits, self.options.gamma, pulse) for pulse in self._pulses()]
        orders = [self.rng.permutation(self.n) for _ in range(self.options.orders)]
        dags = self._each(Phase.ORDER, searches, orders, lambda search, order: ordered_dag(search, order)[1])
        self.starts = [legal_graph(marks, self.limits) for marks in dags]
        blocks = self.blocks
        scored = ScoredGraph(blocks.correlation, blocks.starts, float(blocks.rows), gamma=self.options.gamma)
        optima = []
        for marks in self.starts:
            scored.load(marks)
            optima.append(Optimum(scored.total, marks))
        self.best = _lowest(optima)

    def climb_from_starts(self) -> None:
        """Climb from each start, those of ICD and those of the order search; learn what bidirected edges cost.

        Those of ICD come first: their climbs are the longest, and one worker would end long after the others.
        """
        by_tests = [icd_start(self.problem, self.test, alpha) for alpha in self.options.alphas]
        self.starts = [legal_graph(marks, self.limits) for marks in by_tests] + self.starts
        pairs, inner = candidate_pairs(self.starts, self.limits)
        self.climbs = Climbs(self.blocks, self.limits, self.options.gamma, pairs, inner)
        self.workers = [self.climbs.begin(pulse) for pulse in self._pulses()]
        optima = self._each(Phase.CLIMB, self.workers, self.starts, self.climbs.climb_from)
        cost = latent_cost(_lowest(optima).marks)
        for climb in self.workers:
            climb.set_latent_cost(cost)
        reached = [optimum.marks for optimum in optima]
        self.optima = self._each(Phase.CLIMB, self.workers, reached, self.climbs.climb_from)
        self.best = _lowest(self.optima)

    def merge(self) -> None:
        """Take over what the other local optima have better."""
        self._merge(self.optima, LEAST_GAIN)

    def walk(self) -> None:
        """Walk and climb several times, and merge what that led to, in a few rounds."""
        for _ in range(WALK_ROUNDS):
            walks = self.rng.spawn(self.options.walks)
            self._merge(self._each(Phase.WALK, self.workers, walks, self._walked), WORTH_A_WALK)

    def _walked(self, climb: Climb, rng: np.random.Generator) -> Optimum:
        climb.load(self.best.marks)
        walk(climb, rng)
        return Optimum.of(climb)

    def challenge(self) -> None:
        """Deny claims of the PAG, some at a time; where that leads to a clearly better graph, go on from there.

        After a change of the graph, claims far from it are not denied again, and those near it come last.
        """
        denied: set[Claim] = set()
        while waiting := self._unchallenged(denied):
            for first in range(0, len(waiting), CHALLENGED_TOGETHER):
                chosen = waiting[first : first + CHALLENGED_TOGETHER]
                denied.update(chosen)
                found = self._each(Phase.CHALLENGE, self.workers, chosen, self._denied, self._begin_at_best)
                self.denials.update(zip(chosen, found, strict=True))
                better = [denial for denial in found if denial is not None and denial.loss < -self.options.threshold]
                if better:
                    near = self._adopt(sorted(better, key=lambda denial: ranked(denial.loss)))
                    far = [claim for claim in self.denials if not near[claim.x] and not near[claim.y]]
                    self.denials = {claim: self.denials[claim] for claim in far}
                    break  # what is waiting may have changed

    def stage(self, phase: Phase) -> GraphStage:
        """The stage of the best graph after a phase; the last has the evidence of its claims, if all were denied."""
        complete = phase == PHASES[-1]
        stage = self.stages.stage(phase, self.best.marks, self.best.score, complete)
        if not (complete and self.challenges_all):
            return stage
        claims = {claim: denial for claim, denial in self.denials.items() if denial is not None}
        notes = challenge_notes(stage, claims, self.blocks, self.limits, self._pag_of, self.pulse)
        return replace(stage, notes=notes)

    def pag_of_best(self) -> Marks:
        """The marks of the PAG of the best graph."""
        return self._pag_of(self.best.marks)

    @property
    def challenges_all(self) -> bool:
        """Whether all claims are challenged, not only doubtful ones."""
        return self.n <= self.options.most_challenged

    def _pag_of(self, member: Marks) -> Marks:
        """The marks of the PAG of a graph."""
        return self.stages.oriented(member).marks

    def _unchallenged(self, denied: Collection[Claim]) -> list[Claim]:
        """The claims of the best graph to challenge: doubtful ones, then the others if there are not too many nodes."""
        climb = self.workers[0]
        self._begin_at_best(climb)
        claims = [claim for claim in claims_of(self.pag_of_best()) if claim not in self.denials]
        doubtful = [claim for claim in claims if cost_to_deny(climb, claim) < self.options.doubtful]
        chosen = doubtful or (claims if self.challenges_all else [])
        return sorted(chosen, key=lambda claim: claim in denied)

    def _denied(self, climb: Climb, claim: Claim) -> Denial | None:
        return deny(climb, self.limits, claim, np.inf if self.challenges_all else -self.options.threshold)

    def _begin_at_best(self, climb: Climb) -> None:
        """Bring a climb to the best graph, with all changes weighed, unless it is there: denials lead back to it."""
        if self.brought_to.get(climb) is not self.best:
            climb.load(self.best.marks)
            climb.weigh_all()
            self.brought_to[climb] = self.best

    def _adopt(self, denials: Sequence[Denial]) -> NDArray[np.bool_]:
        """Go on with what these graphs, the best one first, have better; if no part is, with the first one as a whole.

        Returns which nodes are at most two steps from a change. Where data are singular a graph may fit less well when
        it is fitted anew; then there is no change.
        """
        climb = self.workers[0]
        before = self.best.marks
        climb.load(before)
        for denial in denials:
            assert denial.marks is not None, "a graph that is adopted was kept"
            take_groups(climb, before, denial.marks, self.options.threshold)
        if climb.total > self.best.score - self.options.threshold:
            climb.load(denials[0].marks)
        climb.climb()
        self.brought_to.pop(climb, None)
        if climb.total < self.best.score - self.options.threshold:
            self.best = Optimum.of(climb)
        joined = (before != NONE) | (self.best.marks != NONE)
        near = (before != self.best.marks).any(axis=0) | (before != self.best.marks).any(axis=1)
        for _ in range(2):
            near |= joined[near].any(axis=0)
        return near

    def _merge(self, optima: Sequence[Optimum], worth: float) -> None:
        """Take over into the best graph what these have better, by as much as that must be worth."""
        climb = self.workers[0]
        climb.load(self.best.marks)
        merge(climb, [optimum.marks for optimum in optima], worth)
        self.best = _lowest([self.best, Optimum.of(climb)])  # a graph that is loaded is fitted anew, perhaps less well

    def _pulses(self) -> list[Pulse]:
        """A pulse for each worker."""
        watch, count = self.problem.watch, self.problem.workers
        return [watch.pulse(tells=count == 1) for _ in range(count)]

    def _follow(self, phase: Phase, total: int) -> StepProgress:
        """The progress of a phase with this many parts, which is reported from now on."""
        progress = StepProgress(phase, total)
        self.problem.watch.follow(progress)
        return progress

    def _each(
        self,
        phase: Phase,
        workers: Sequence[Worker],
        items: Sequence[Item],
        work: Callable[[Worker, Item], Result],
        begin: Callable[[Worker], None] = lambda worker: None,
    ) -> list[Result]:
        """The results of some work on each item, by a thread for each worker; each begins by `begin`."""
        out: dict[int, Result] = {}
        progress = self._follow(phase, len(items))

        def task(worker: Worker) -> Callable[[int, int], None]:
            begun = False

            def run(first: int, stop: int) -> None:
                nonlocal begun
                if not begun:
                    begin(worker)
                    begun = True
                for i in range(first, stop):
                    out[i] = work(worker, items[i])
                    progress.done = len(out)

            return run

        map_ranges([task(worker) for worker in workers], len(items), self.problem.watch, largest=8)
        return [out[i] for i in range(len(items))]


def _lowest(optima: Sequence[Optimum]) -> Optimum:
    return first_lowest(optima, lambda optimum: optimum.score)
