"""The search of a window of time series, as a generator of stages: ICD's sets, beyond ancestors that are always given.

A pair is asked about where it ends at t, and its copies follow (`window_graph`); earlier copies are asked about on their
own once the pair has no edge at t, since sets that separate it there may begin before the window. Every radius is
oriented with what repeats (`repeating`).

An oracle needs one round. On data, where the memory of the processes weakens tests and makes them reject too often, the
search begins again, up to three times, with the parents that the last round has found given in every question.

Reference: Rohekar, Nisimov, Gurwicz & Novik, From temporal to contemporaneous iterative causal discovery in the presence
of latent confounders, ICML 2023; Gerhardus & Runge, High-recall causal discovery for autocorrelated time series with
latent confounders, NeurIPS 2020; Gerhardus, Characterization of causal ancestral graphs for time series with latent
confounders, Annals of Statistics 2024.
"""

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import NONE
from ancestral.orientation._board_cy import Board
from ancestral.orientation.orient import Oriented
from ancestral.search.base import Problem
from ancestral.search.lookup import Given, Pair
from ancestral.search.orienter import Orienter
from ancestral.search.series._beyond_cy import BeyondBase
from ancestral.search.series.known_ancestors import KnownAncestors
from ancestral.search.series.repeating import Repeats, orient_repeating
from ancestral.search.series.window_graph import WindowGraph
from ancestral.search.series.window_verifier import WindowVerifier
from ancestral.search.stage import Answer, AskedStage, FoundBy, Phase, ResumeState

__all__ = ["series"]

#: The most rounds on data; the parents hardly change after the second one.
MOST_ROUNDS = 4


def series(problem: Problem) -> Iterator[AskedStage]:
    """Yield a stage after every radius of the first round, and after every later round."""
    rounds = MOST_ROUNDS if problem.options.colliders == "agreed" else 1
    yield from SeriesSearch(problem).stages(rounds)


class WindowOrienter(Orienter):
    """Orients the graph of a window, with what repeats in it."""

    graph: WindowGraph
    repeats: Repeats

    def apply_rules(
        self, board: Board, rules: tuple[str, ...], review: Callable[[Board], bool]
    ) -> Oriented | None:
        """Apply these rules, and carry marks from copy to copy."""
        assert self.graph.constraints is not None, "a window has an order of time"
        no_cause = self.graph.constraints.no_cause
        return orient_repeating(board, self.graph.sepsets, rules, review, self.repeats, no_cause)


class SeriesSearch:
    """One search of a window. `tests` counts its questions by the number of nodes beyond the known ancestors."""

    def __init__(self, problem: Problem) -> None:
        assert problem.places is not None and problem.constraints is not None, "a window has places and an order"
        self.problem = problem
        self.places = problem.places
        self.constraints = problem.constraints
        self.repeats = Repeats(problem.places)
        self.pulse = problem.watch.pulse()
        self.tests: Counter[int] = Counter()
        self.answers: dict[tuple[int, int, Given], Answer] = {}
        self.verify_tests: Counter[int] = Counter()

    def stages(self, rounds: int) -> Iterator[AskedStage]:
        """The stages of all rounds."""
        stated = self.constraints.cause
        known = KnownAncestors(stated)
        for number in range(1, rounds + 1):
            this = _Round(self, known)
            for stage in this.stages(Phase.WINDOW if number == 1 else Phase.ROUND, last=number == rounds):
                ...
                yield stage
            following = KnownAncestors.parents(this.oriented.marks, stated)
            if following == known:
                return
            known = following


class _Round:
    """A search from the complete graph on, with these ancestors always given."""

    def __init__(self, search: SeriesSearch, known: KnownAncestors) -> None:
        self.search = search
        self.known = known
        problem = search.problem
        self.graph = WindowGraph(search.places, search.constraints)
        self.verifier = WindowVerifier(problem.questions, self.graph.sepsets, search.pulse, known)
        self.verifier.answers, self.verifier.tests = search.answers, search.verify_tests
        self.orienter = WindowOrienter(
            self.graph, self.verifier if problem.options.verify else None, search.pulse, selection_bias=False
        )
        self.orienter.repeats = search.repeats
        self.sets = BeyondBase(self.graph.n, problem.questions, search.pulse, self.graph.no_cause)
        self.asked_up_to: dict[Pair, int] = {}
        self.oriented = Oriented.nothing(self.graph.marks)

    def stages(self, phase: str, last: bool) -> Iterator[AskedStage]:
        """A stage after every radius."""
        largest = max(self.graph.n - 2, 0)
        most = self.search.problem.options.max_radius
        for radius in range(largest + 1 if most is None else min(largest, most) + 1):
            any_sets = self.refine(radius)
            complete = not any_sets or radius == largest
            self.oriented = self.orienter.orient(radius, complete)
            yield self.stage(phase, radius, complete, self.oriented)
            if complete:
                return

    # -- asking -------------------------------------------------------------------------------------------------

    def refine(self, radius: int) -> bool:
        """Ask about the edges given sets of this size beyond known ancestors; whether there was any such set."""
        any_sets = False
        while True:
            pairs = [pair for pair in self.graph.asked_pairs() if self.asked_up_to.get(pair, -1) < radius]
            if not pairs:
                return any_sets
            first = min(self.asked_up_to.get(pair, -1) + 1 for pair in pairs)  # new copies begin at radius 0
            for size in range(first, radius + 1):
                some = [pair for pair in pairs if self.asked_up_to.get(pair, -1) < size]
                any_sets |= self.ask(some, size) and size == radius

    def ask(self, pairs: list[Pair], size: int) -> bool:
        """Ask about these pairs, those that are still adjacent, given all sets of this size; remove what is separated."""
        self.sets.begin(self.graph.marks, size)
        found: list[tuple[int, int, Given, tuple[float, float]]] = []
        for x, y in pairs:
            self.asked_up_to[x, y] = size
            if self.graph.marks[x, y] == NONE:
                continue
            separated, given, *evidence = self.sets.separate_given(x, y, self.known.of(x, y))
            if separated:
                found.append((x, y, given, (evidence[0], evidence[1])))
            elif evidence[0] == evidence[0]:  # an answer
                self.search.answers[x, y, given] = Answer(False, *evidence)
        if self.sets.asked:
            self.search.tests[size] += self.sets.asked
        for x, y, given, numbers in found:
            if size > 1 and self.search.problem.options.verify:
                smaller = self.verifier.minimal(x, y, given)
                if smaller != given:
                    given, numbers = smaller, self.verifier.evidence(x, y, smaller)
            self.graph.separate(x, y, given, FoundBy.SEARCH, numbers)
        return bool(self.sets.any_sets)

    # -- stages -------------------------------------------------------------------------------------------------

    def stage(self, phase: str, radius: int, complete: bool, oriented: Oriented) -> AskedStage:
        """The stage to yield."""
        problem, questions = self.search.problem, self.search.problem.questions
        unsupported = {size: int(questions.unsupported[size]) for size in questions.unsupported.nonzero()[0].tolist()}
        answers = self.search.answers
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
