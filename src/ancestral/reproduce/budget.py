"""A search that is given up after so many questions, so that no experiment hangs on a single graph.

What it counts does not depend on the moment at which it was noticed that the questions were used up.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import ancestral as an
from ancestral.search.stage import Stage

__all__ = ["Asked", "Way", "asked", "fastest"]

#: The options of a search.
Way = Mapping[str, Any]

#: What takes less than this, in seconds, is timed so many times.
SHORT, TIMES = 0.2, 3


class _UsedUp(Exception):
    """More questions were asked than may be; those of which size were asked when it happened."""

    def __init__(self, size: int) -> None:
        self.size = size


@dataclass(frozen=True)
class Asked:
    """What was asked and found: the stages within the limit, the questions by size, whether the search was given up.

    A search that was given up counts as having asked just as many questions as it may, the last ones given sets of the
    size at which it was stopped. `verifying` are those of `by_size` that verification asked.
    """

    stages: tuple[Stage, ...]
    by_size: Counter[int]
    verifying: int
    censored: bool
    seconds: float

    @property
    def total(self) -> int:
        """All questions."""
        return self.by_size.total()


def asked(source: Any, way: Way, most: int) -> Asked:
    """Search until the end, or until more than `most` questions were asked."""
    stages: list[Stage] = []

    def look(progress: an.Progress) -> None:
        if progress.questions > most:
            raise _UsedUp(progress.radius)

    began = time.perf_counter()
    try:
        for stage in _within(an.stages(source, progress=look, **way), most):
            stages.append(stage)
    except _UsedUp as end:
        seconds = time.perf_counter() - began
        counted = _questions(stages[-1]) if stages else Counter[int]()
        counted[end.size] += most - counted.total()
        return Asked(tuple(stages), counted, _verifying(stages), True, seconds)
    seconds = time.perf_counter() - began
    return Asked(tuple(stages), _questions(stages[-1]), _verifying(stages), False, seconds)


def fastest(search: Callable[[], Asked]) -> Asked:
    """The search, timed by its fastest run where it is so short that the clock is coarse."""
    first = search()
    if first.seconds >= SHORT:
        return first
    return min([first, *(search() for _ in range(TIMES - 1))], key=lambda run: run.seconds)


def _within(stages: Iterator[Stage], most: int) -> Iterator[Stage]:
    for stage in stages:
        if _questions(stage).total() > most:
            raise _UsedUp(stage.radius)
        yield stage


def _questions(stage: Stage) -> Counter[int]:
    return stage.tests + stage.verify_tests


def _verifying(stages: list[Stage]) -> int:
    return stages[-1].verify_tests.total() if stages else 0
