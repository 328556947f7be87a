"""The search of a window of time series, as a generator of stages: ICD's sets, beyond ancestors that are always given.

A pair is asked about where it ends at t, and its copies follow (`window_graph`); earlier copies are asked about on
their own once the pair has no edge at t, since sets that separate it there may begin before the window. Every radius is
oriented with what repeats (`repeating`).

An oracle needs one round. On data, where the memory of the processes weakens tests and makes them reject too often, the
search begins again, up to three times, with the ancestors that the last round has found given in every question.

Reference: Rohekar, Nisimov, Gurwicz & Novik, From temporal to contemporaneous iterative causal discovery in the
presence of latent confounders, ICML 2023; Gerhardus & Runge, High-recall causal discovery for autocorrelated time
series with latent confounders, NeurIPS 2020; Gerhardus, Characterization of causal ancestral graphs for time series
with latent confounders, Annals of Statistics 2024.
"""

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ancestral.orientation._board_cy import Board
from ancestral.orientation.orient import Oriented
from ancestral.search.base import Problem
from ancestral.search.lookup import Given, Pair
from ancestral.search.orienter import Orienter
from ancestral.search.series._beyond_cy import BeyondBase
from ancestral.search.series.known_ancestors import KnownAncestors
from ancestral.search.series.repeating import Repeats, orient_repeating
from ancestral.search.series.window_agreement import decisions, orient_by_agreement
from ancestral.search.series.window_graph import Separated, WindowGraph
from ancestral.search.series.window_verifier import WindowVerifier
from ancestral.search.stage import Answer, AskedStage, FoundBy, Phase, ResumeState

__all__ = ["series"]

#: The most rounds on data; the ancestors hardly change after the second one.
MOST_ROUNDS = 4


def series(problem: Problem) -> Iterator[AskedStage]:
    """Yield a stage after every radius of an oracle, and after every round on data."""
    search = SeriesSearch(problem)
    yield from search.of_data() if problem.options.colliders == "agreed" else search.of_oracle()


class WindowOrienter(Orienter):
    """Orients the graph of a window, with what repeats in it."""

    graph: WindowGraph
    repeats: Repeats

    def apply_rules(self, board: Board, rules: tuple[str, ...], review: Callable[[Board], bool]) -> Oriented | None:
        """Apply these rules, and carry marks from copy to copy."""
        assert self.graph.constraints is not None, "a window has an order of time"
        no_cause = self.graph.constraints.no_cause
        return orient_repeating(board, self.graph.sepsets, rules, review, self.repeats, no_cause)


class SeriesSearch:
    """One search of a window.

    - `tests`: counts its questions by the number of nodes beyond the known ancestors; `verify_tests`: those of
      verification and of agreement, by the size of the set.
    """

    def __init__(self, problem: Problem) -> None:
        assert problem.places is not None and problem.constraints is not None, "a window has places and an order"
        self.problem = problem
        self.places = problem.places
        self.constraints = problem.constraints
        self.lag = problem.places.lag.tolist()
        self.repeats = Repeats(problem.places)
        self.pulse = problem.watch.pulse()
        self.tests: Counter[int] = Counter()
        self.verify_tests: Counter[int] = Counter()

    def of_oracle(self) -> Iterator[AskedStage]:
        """A stage after every radius of one round, whose marks decide about the sets of the next radius."""
        this = Round(self, KnownAncestors(self.constraints.cause))
        for radius in this.radii():
            complete = not this.refine(radius) or radius == this.largest_set
            yield this.stage(Phase.SEARCH, radius, complete, this.orienter.orient(radius, complete))
            if complete:
                return

    def of_data(self) -> Iterator[AskedStage]:
        """A stage after every round. Within a round, marks other than those of the order of time are not used."""
        known = KnownAncestors(self.constraints.cause)
        for number in range(1, MOST_ROUNDS + 1):
            this = Round(self, known)
            radius, complete = 0, False
            for radius in this.radii():
                complete = not this.refine(radius) or radius == this.largest_set
                if complete:
                    break
            oriented, marks = this.orient_by_agreement()
            following = KnownAncestors.found(marks, self.constraints.cause)
            last = number == MOST_ROUNDS or following == known
            yield this.stage(Phase.ROUND, radius, complete and last, oriented)
            if last:
                return
            known = following


class Round:
    """A search from the complete graph on, with these ancestors always given.

    `answers` has the answers to single questions, and those that came closest to removing an edge.
    """

    def __init__(self, search: SeriesSearch, known: KnownAncestors) -> None:
        self.search = search
        self.known = known
        problem = search.problem
        self.graph = WindowGraph(search.places, search.constraints)
        self.verifier = WindowVerifier(problem.questions, self.graph.sepsets, search.pulse, known)
        self.answers = self.verifier.answers
        self.verifier.tests = search.verify_tests
        self.orienter = WindowOrienter(
            self.graph, self.verifier if problem.options.verify else None, search.pulse, selection_bias=False
        )
        self.orienter.repeats = search.repeats
        self.sets = BeyondBase(self.graph.n, problem.questions, search.pulse, self.graph.no_cause)
        self.asked_up_to: dict[Pair, int] = {}  # the largest radius at which a pair was asked about

    @property
    def largest_set(self) -> int:
        """The size of the largest set that there is: all nodes but two."""
        return max(self.graph.n - 2, 0)

    def radii(self) -> range:
        """The radii to ask about."""
        most = self.search.problem.options.max_radius
        return range((self.largest_set if most is None else min(self.largest_set, most)) + 1)

    # -- asking -------------------------------------------------------------------------------------------------

    def refine(self, radius: int) -> bool:
        """Ask about the edges given sets of this size beyond known ancestors; whether there was any such set."""
        any_sets = False
        while True:
            pairs = [pair for pair in self.graph.open if self.asked_up_to.get(pair, -1) < radius]
            if not pairs:
                return any_sets
            first = min(self.asked_up_to.get(pair, -1) + 1 for pair in pairs)  # new copies begin at radius 0
            for size in range(first, radius + 1):
                some = [pair for pair in pairs if self.asked_up_to.get(pair, -1) < size]
                any_sets |= self.ask(some, size) and size == radius

    def ask(self, pairs: list[Pair], size: int) -> bool:
        """Ask about those of these pairs that are still adjacent given sets of this size; remove what is separated."""
        graph, lag = self.graph, self.search.lag
        self.sets.begin(graph.marks, size)
        found: list[Separated] = []
        for x, y in pairs:
            self.asked_up_to[x, y] = size
            if (x, y) not in graph.open:
                continue  # it went with a copy
            sides = 3 if lag[x] == lag[y] else 1 if lag[x] < lag[y] else 2  # from the later one
            separated, given, statistic, df = self.sets.separate_given(x, y, self.known.of(x, y), sides)
            if separated:
                found.append((x, y, given, (statistic, df)))
            elif statistic == statistic:  # not NaN: there was an answer
                self.answers[x, y, given] = Answer(False, statistic, df)
        if self.sets.asked:
            self.search.tests[size] += self.sets.asked
        if size > 1 and self.search.problem.options.verify:
            found = [self.minimal(*row) for row in found]
        if found:
            graph.separate(found, size, FoundBy.SEARCH)
        return bool(self.sets.any_sets)

    def minimal(self, x: int, y: int, given: Given, evidence: tuple[float, float]) -> Separated:
        """A separated pair with a minimal set."""
        smaller = self.verifier.minimal(x, y, given)
        return x, y, smaller, evidence if smaller == given else self.verifier.evidence(x, y, smaller)

    # -- stages -------------------------------------------------------------------------------------------------

    def orient_by_agreement(self) -> tuple[Oriented, NDArray[np.uint8]]:
        """Orient the graph of the round by agreement on colliders; and marks that tell ancestors to the next round."""
        search, problem = self.search, self.search.problem
        assert problem.test is not None, "agreement needs p-values"
        found = decisions(
            self.graph, problem.questions, problem.test, self.known, search.constraints.no_cause, search.pulse
        )
        search.verify_tests.update({size: count for size, count in enumerate(found.questions.tolist()) if count})
        return orient_by_agreement(self.graph, search.constraints, search.repeats, found, search.pulse)

    def stage(self, phase: str, radius: int, complete: bool, oriented: Oriented) -> AskedStage:
        """The stage to yield."""
        problem, questions = self.search.problem, self.search.problem.questions
        unsupported = {size: int(questions.unsupported[size]) for size in questions.unsupported.nonzero()[0].tolist()}
        answers = self.answers
        return AskedStage(
            phase=phase,
            radius=radius,
            complete=complete,
            tests=Counter(self.search.tests),
            verify_tests=Counter(self.search.verify_tests),
            unsupported=Counter(unsupported),
            names=problem.names,
            columns=problem.columns,
            oriented=oriented,
            sepsets=self.graph.sepsets,
            sepset_count=self.graph.sepsets.count,
            memory=ResumeState(verified=answers, verified_count=len(answers)),
        )
