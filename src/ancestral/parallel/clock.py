"""The watch beside a search: how far it is, when its time is over, and how to stop it.

A search works in kernels that see neither the clock nor Ctrl-C. Their pulse (`_pulse_cy`) comes here every 20 ms or so,
and since Python runs then, Ctrl-C is seen, too.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ancestral._pulse_cy import Pulse

__all__ = ["Progress", "RepeatsProgress", "Stopped", "Watch"]

#: How often progress is told, in seconds.
TELL_EVERY = 0.1


class Stopped(Exception):
    """The search was ended from outside; what it had found before stands."""


@dataclass(frozen=True)
class Progress:
    """How far a search is, within its radius.

    `edges` is the number of edges that this radius asks about, `done` how many of them it is through with. `questions`
    counts those of earlier radii, too. `elapsed` is in seconds since the beginning, `remaining` an estimate for what is
    left of this radius (None before anything can be said); nobody knows how many more radii there will be.
    """

    radius: int
    edges: int
    done: int
    questions: int
    elapsed: float
    remaining: float | None


@dataclass(frozen=True)
class RepeatsProgress:
    """How far a bootstrap is: `done` of `repeats`; the others are seconds, None before anything can be said."""

    repeats: int
    done: int
    elapsed: float
    remaining: float | None


class Asker(Protocol):
    """What asks about the edges of a radius: how many questions, how many edges so far."""

    @property
    def asked(self) -> int:
        """Questions."""

    @property
    def done(self) -> int:
        """Edges."""


class Watch:
    """Looks at the clock (`time_limit` in seconds) and tells whom it concerns."""

    def __init__(self, time_limit: float | None = None, tell: Callable[[Progress], None] | None = None) -> None:
        self.started = time.monotonic()
        self.deadline = None if time_limit is None else self.started + time_limit
        self.tell = tell
        self.stopped = False
        self._told = self.started
        self._radius = 0
        self._radius_began = self.started
        self._asked_before = 0
        self._askers: Sequence[Asker] = ()
        self._edges = 0
        self._work: Callable[[], NDArray[np.float64]] | None = None
        self._work_until: NDArray[np.float64] | None = None

    def begin(
        self,
        radius: int,
        asked_before: int,
        askers: Sequence[Asker],
        edges: int,
        work: Callable[[], NDArray[np.float64]] | None = None,
    ) -> None:
        """A radius begins: the askers share so many edges, in their order; `work` says how much each may be.

        Without it, all are alike. It is called when somebody wants to know.
        """
        self._radius, self._asked_before, self._askers = radius, asked_before, askers
        self._edges, self._work = edges, work
        self._work_until = None
        self._radius_began = time.monotonic()

    @property
    def radius(self) -> int:
        """The radius that is being searched."""
        return self._radius

    @property
    def asked(self) -> int:
        """The questions so far, in this radius and before."""
        return self._asked_before + sum(asker.asked for asker in self._askers)

    def stop(self) -> None:
        """Let every thread that works under this watch end at its next look."""
        self.stopped = True

    def check(self) -> float:
        """The time; raises if it is over, or if the search was stopped."""
        now = time.monotonic()
        if self.stopped or (self.deadline is not None and now >= self.deadline):
            self.stopped = True
            raise Stopped
        return now

    def look(self) -> float:
        """The time; raises if it is over, and tells how far the search is if that was some time ago."""
        now = self.check()
        if self.tell is not None and now - self._told >= TELL_EVERY:
            self._told = now
            self.tell(self._progress(now))
        return now

    def pulse(self, tells: bool = True) -> Pulse:
        """A pulse for one thread; only one thread of a search tells how far it is."""
        return Pulse(self.look if tells else self.check)

    def _progress(self, now: float) -> Progress:
        done = sum(asker.done for asker in self._askers)
        return Progress(
            radius=self._radius,
            edges=self._edges,
            done=done,
            questions=self.asked,
            elapsed=now - self.started,
            remaining=self._remaining(now - self._radius_began, done),
        )

    def _remaining(self, spent: float, done: int) -> float | None:
        """The time for the edges that are left, if those done took so long; threads take the edges in their order."""
        if done == 0:
            return None
        if self._work is None:
            return spent * (self._edges - done) / done
        if self._work_until is None:
            self._work_until = np.concatenate([[0.0], np.cumsum(self._work())])
        until = self._work_until
        return float(spent * (until[-1] - until[done]) / until[done])
