"""The scored search, as a generator of stages.

1. *Order search* (`_order_cy`): several random orders, each to a DAG.
2. *Climb*: from each DAG and from ICD's graphs, over all ancestral graphs (`climbs`).
3. *Merge*: the best graph takes over what other local optima have better.
4. *Walks*: random steps that do not change the score, each with a climb after it.
5. *Challenge*: each claim of the PAG is denied; if that leads to a clearly better graph, the search goes on from there.

Every stage is the PAG of a maximal ancestral graph, and its score is not worse than that of the stage before. An early
stage is not a sound part of the last one, as in ICD: only the last one is meant as an answer.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse
from ancestral.data.stats.column_blocks import ColumnBlocks
from ancestral.independence.base import BaseTest, no_likelihood
from ancestral.parallel.threads import map_ranges
from ancestral.scores._climb_cy import Climb
from ancestral.scores._score_cy import ScoredGraph
from ancestral.search.base import Problem
from ancestral.search.scored.claims import Claim, claims_of, deny
from ancestral.search.scored.climbs import Climbs, merge, walk
from ancestral.search.scored.graph_stages import GraphStages
from ancestral.search.scored.limits import Limits
from ancestral.search.scored.starts import candidate_pairs, icd_start, legal_graph, order_search, ordered_dag
from ancestral.search.stage import GraphStage, Phase

__all__ = ["ScoredOptions", "scored"]

Marks = NDArray[np.uint8]


@dataclass(frozen=True)
class ScoredOptions:
    """How much the search does. The defaults were chosen on simulated data.

    - `gamma`: weighs the number of variables in the penalty of an edge; 0 is the BIC.
    - `orders`: how many random orders the order search begins with.
    - `alphas`: the significance levels at which ICD finds further starts.
    - `walks`: how many walks follow.
    - `threshold`: a denied claim leads to another graph if that lowers the score by more than this.
    - `most_challenged`: with more variables, claims are not challenged, which takes long.
    - `seed`: of the random orders and walks.
    """

    gamma: float = 0.5
    orders: int = 5
    alphas: tuple[float, ...] = (0.001, 0.01)
    walks: int = 10
    threshold: float = 6.0
    most_challenged: int = 100
    seed: int = 0


def scored(problem: Problem, options: ScoredOptions = ScoredOptions()) -> Iterator[GraphStage]:
    """Yield a stage after each part of the search; the last one is complete."""
    search = _Scored(problem, options)
    yield search.order_search()
    yield search.climb_from_starts()
    yield search.merge()
    challenged = search.n <= options.most_challenged
    yield search.walk(complete=not challenged)
    if challenged:
        yield search.challenge()


class _Scored:
    """The parts of the search, in the order in which they are called, and what they hand on."""

    def __init__(self, problem: Problem, options: ScoredOptions) -> None:
        self.problem = problem
        self.options = options
        self.n = len(problem.names)
        self.test, self.blocks = _likelihood_of(problem)
        self.limits = Limits.of(problem.constraints, self.n)
        self.rng = np.random.default_rng(options.seed)
        self.pulse = problem.watch.pulse()
        self.stages = GraphStages(problem, self.pulse)
        self.starts: list[Marks] = []
        self.optima: list[tuple[float, Marks]] = []
        self._climb: Climb | None = None

    @property
    def climb(self) -> Climb:
        """The climb that is at the best graph so far."""
        assert self._climb is not None, "climb_from_starts() comes first"
        return self._climb

    def order_search(self) -> GraphStage:
        """Order searches, whose DAGs are starts; the stage of the best one."""
        search = order_search(self.blocks, self.limits, self.options.gamma, self.pulse)
        for _ in range(self.options.orders):
            _, marks = ordered_dag(search, self.rng.permutation(self.n))
            self.starts.append(legal_graph(marks, self.limits))
        blocks = self.blocks
        scored = ScoredGraph(blocks.correlation, blocks.starts, float(blocks.rows), gamma=self.options.gamma)
        best, score = self.starts[0], np.inf
        for marks in self.starts:
            scored.load(marks)
            if scored.total < score:
                best, score = marks, scored.total
        return self.stages.stage(Phase.ORDER, best, score, complete=False)

    def climb_from_starts(self) -> GraphStage:
        """Climb from each start; the best local optimum is the best graph so far."""
        for alpha in self.options.alphas:
            self.starts.append(legal_graph(icd_start(self.problem, self.test, alpha), self.limits))
        pairs, inner = candidate_pairs(self.starts, self.limits)
        climbs = Climbs(self.blocks, self.limits, self.options.gamma, pairs, inner)
        self.optima = self._each(self.starts, climbs.climb)
        _, marks = min(self.optima, key=lambda optimum: optimum[0])
        self._climb = climbs.begin(marks, self.pulse)
        return self._stage(Phase.CLIMB)

    def merge(self) -> GraphStage:
        """Take over what the other local optima have better."""
        merge(self.climb, [marks for _, marks in self.optima])
        return self._stage(Phase.MERGE)

    def walk(self, complete: bool) -> GraphStage:
        """Walk and climb several times."""
        for _ in range(self.options.walks):
            walk(self.climb, self.rng)
        return self._stage(Phase.WALK, complete)

    def challenge(self) -> GraphStage:
        """Deny each claim of the PAG; where that leads to a clearly better graph, go on from there."""
        waiting = self._claims()
        while waiting:
            denial = deny(self.climb, self.limits, waiting.pop())
            if denial is not None and denial.loss < -self.options.threshold:
                self.climb.load(denial.marks)
                self.climb.climb()
                waiting = self._claims()
        return self._stage(Phase.CHALLENGE, complete=True)

    def _claims(self) -> list[Claim]:
        """The claims of the PAG of the best graph so far, the last one first."""
        return list(claims_of(self.stages.oriented(self.climb.matrix()).marks))[::-1]

    def _stage(self, phase: Phase, complete: bool = False) -> GraphStage:
        """The stage of the best graph so far."""
        return self.stages.stage(phase, self.climb.matrix(), self.climb.total, complete)

    def _each(
        self, starts: Sequence[Marks], work: Callable[[Marks, Pulse], tuple[float, Marks]]
    ) -> list[tuple[float, Marks]]:
        """The results of some work on each start, by as many threads as there are workers."""
        out: dict[int, tuple[float, Marks]] = {}
        watch, threads = self.problem.watch, self.problem.workers

        def task(pulse: Pulse) -> Callable[[int, int], None]:
            def run(first: int, stop: int) -> None:
                for i in range(first, stop):
                    out[i] = work(starts[i], pulse)

            return run

        tasks = [task(watch.pulse(tells=threads == 1)) for _ in range(threads)]
        map_ranges(tasks, len(starts), watch, largest=1)
        return [out[i] for i in range(len(starts))]


def _likelihood_of(problem: Problem) -> tuple[BaseTest, ColumnBlocks]:
    """The test of a problem, and the columns that it scores. Raises `OptionError` for one without a likelihood."""
    test = problem.test
    if not isinstance(test, BaseTest):
        raise no_likelihood("a test of one's own has no likelihood; pass data")
    return test, test.column_blocks(problem.names)
