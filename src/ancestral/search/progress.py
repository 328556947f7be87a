"""How far a search is within its radius, and how long the rest of the radius may take."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Asker", "Progress", "RadiusProgress", "StepProgress"]


@dataclass(frozen=True)
class Progress:
    """How far a search is, within its radius or its step.

    An algorithm that asks no questions has no radius. Its `label` says what it does, and `edges` is the number of parts
    of that work, whatever they are.

    Attributes:
        radius: The radius; None if the algorithm has none.
        edges: The number of edges that this radius asks about.
        done: How many of them are finished.
        questions: The number of questions asked, those of earlier radii included.
        elapsed: The seconds since the start.
        remaining: An estimate of the seconds that this radius will still take; None before anything is finished. How
            many more radii there will be is not known.
        label: What the search does, such as "climb, start 3 of 7"; empty for a radius.

    Examples:
        >>> def show(progress: Progress) -> None:  # to be passed as discover(rows, progress=show)
        ...     print(f"radius {progress.radius}: {progress.done} of {progress.edges} edges")
        >>> show(Progress(radius=1, edges=12, done=3, questions=40, elapsed=0.2, remaining=0.6))
        radius 1: 3 of 12 edges
    """

    radius: int | None
    edges: int
    done: int
    questions: int
    elapsed: float
    remaining: float | None
    label: str = ""


class Asker(Protocol):
    """What asks about the edges of a radius."""

    @property
    def asked(self) -> int:
        """The number of questions so far."""

    @property
    def done(self) -> int:
        """The number of edges that are finished."""


class StepProgress:
    """The progress of a step that asks no questions, for `Watch.follow`; the algorithm updates `done` as it goes on.

    >>> step = StepProgress("climb, start 3 of 7", total=40)
    >>> step.done = 10
    >>> progress = step(elapsed=2.5)
    >>> progress.label, progress.done, progress.edges, progress.radius
    ('climb, start 3 of 7', 10, 40, None)
    """

    def __init__(self, label: str, total: int) -> None:
        self.label = label
        self.total = total
        self.done = 0

    def __call__(self, elapsed: float) -> Progress:
        """The progress; `elapsed` is in seconds since the start of the search."""
        return Progress(None, self.total, self.done, 0, elapsed, None, self.label)


class RadiusProgress:
    """The progress of one radius, for `Watch.follow`.

    `askers` share the edges, in their order. `asked_before` counts the questions of earlier radii. `work` returns how
    much work each edge may be; without it all count the same. It is called only when a report is due.
    """

    def __init__(
        self,
        radius: int,
        asked_before: int,
        askers: Sequence[Asker],
        edges: int,
        work: Callable[[], NDArray[np.float64]] | None = None,
    ) -> None:
        self._radius = radius
        self._asked_before = asked_before
        self.askers = askers
        self._edges = edges
        self._work = work
        self._work_until: NDArray[np.float64] | None = None
        self._began = time.monotonic()

    def __call__(self, elapsed: float) -> Progress:
        """The progress; `elapsed` is in seconds since the start of the search."""
        done = sum(asker.done for asker in self.askers)
        return Progress(
            radius=self._radius,
            edges=self._edges,
            done=done,
            questions=self._asked_before + sum(asker.asked for asker in self.askers),
            elapsed=elapsed,
            remaining=self._remaining(time.monotonic() - self._began, done),
        )

    def _remaining(self, spent: float, done: int) -> float | None:
        """The seconds for the other edges at the pace so far: the first `done` edges took `spent` seconds."""
        if done == 0:
            return None
        if self._work is None:
            return spent * (self._edges - done) / done
        if self._work_until is None:
            self._work_until = np.concatenate([[0.0], np.cumsum(self._work())])
        until = self._work_until
        return float(spent * (until[-1] - until[done]) / until[done])
