"""Searches with a budget: a search ends after a number of questions, so that no experiment hangs on a single graph.

Questions are asked in bulk, so a search notices some time after the fact that its budget is used up. The counts that
are reported do not depend on that moment.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ancestral as an

if TYPE_CHECKING:
    from ancestral.search.stage import Stage

__all__ = ["BudgetedRun", "fastest", "search_within"]

#: A search that takes less than this, in seconds, is timed several times.
SHORT = 0.2

#: How often a short search is run; the fastest run counts.
REPEATS = 3


class _BudgetExceeded(Exception):
    """More questions were asked than the budget allows; `size` is that of the sets asked about when it happened."""

    def __init__(self, size: int) -> None:
        self.size = size


@dataclass(frozen=True)
class BudgetedRun:
    """A search that ended by itself or by its budget: its stages within the budget, and its questions.

    - `by_size`: the number of questions by the size of the conditioning set; `verification`: how many of them were
      asked by verification.
    - `censored`: the search was ended by its budget. It then counts as having asked exactly as many questions as the
      budget allows, the last ones given sets of the size at which it was stopped.
    """

    stages: "tuple[Stage, ...]"
    by_size: Counter[int]
    verification: int
    censored: bool
    seconds: float

    @property
    def total(self) -> int:
        """The number of all questions."""
        return self.by_size.total()


def search_within(source: Any, options: Mapping[str, Any], most: int) -> BudgetedRun:
    """Search with the options of `stages()` until the end, or until more than `most` questions were asked.

    Colliders are found as in the papers, by the first separating sets.
    """
    stages: list[Stage] = []

    def check(progress: an.Progress) -> None:
        if progress.questions > most:
            raise _BudgetExceeded(progress.radius or 0)

    started = time.perf_counter()
    try:
        for stage in _within(an.stages(source, progress=check, **{"colliders": "first", **options}), most):
            stages.append(stage)
    except _BudgetExceeded as end:
        seconds = time.perf_counter() - started
        counted = _questions(stages[-1]) if stages else Counter[int]()
        counted[end.size] += most - counted.total()
        return BudgetedRun(tuple(stages), counted, _verification(stages), True, seconds)
    seconds = time.perf_counter() - started
    return BudgetedRun(tuple(stages), _questions(stages[-1]), _verification(stages), False, seconds)


def fastest(search: Callable[[], BudgetedRun]) -> BudgetedRun:
    """The result of the search; if it is short, of the fastest of several runs, since the clock is coarse."""
    first = search()
    if first.seconds >= SHORT:
        return first
    return min([first, *(search() for _ in range(REPEATS - 1))], key=lambda run: run.seconds)


def _within(stages: "Iterator[Stage]", most: int) -> "Iterator[Stage]":
    """The stages, until one has asked more than `most` questions."""
    for stage in stages:
        if _questions(stage).total() > most:
            raise _BudgetExceeded(stage.radius or 0)
        yield stage


def _questions(stage: "Stage") -> Counter[int]:
    return stage.tests + stage.verify_tests


def _verification(stages: "list[Stage]") -> int:
    return stages[-1].verify_tests.total() if stages else 0
