"""The clock of a run: when its time is over, how it is stopped, and to whom progress is reported.

Kernels see neither the clock nor Ctrl-C. Their pulse (`_pulse_cy`) calls a `Watch` every 20 ms or so; since Python runs
at that moment, Ctrl-C is seen, too.
"""

import time
from collections.abc import Callable
from typing import Any

from ancestral._pulse_cy import Pulse
from ancestral.parallel.tuning import DEFAULTS

__all__ = ["Stopped", "Watch"]


class Stopped(Exception):
    """The time is over, or the work was stopped; results that were complete before are still valid."""


class Watch:
    """Ends work after `time_limit` seconds (None: no limit), and reports progress to `tell` in regular intervals.

    A watch may belong to a `parent`: it is stopped when the parent is.
    """

    def __init__(
        self,
        time_limit: float | None = None,
        tell: Callable[[Any], None] | None = None,
        *,
        report_every: float = DEFAULTS.report_every,
        parent: "Watch | None" = None,
    ) -> None:
        self.started = time.monotonic()
        self.deadline = None if time_limit is None else self.started + time_limit
        self.report_every = report_every
        self._tell = tell
        self._reported = self.started
        self._progress: Callable[[float], Any] | None = None
        self._parent = parent
        self._stopped = False

    def child(self) -> "Watch":
        """A watch for a part of the work, such as one thread: it ends with this one, and reports nothing."""
        return Watch(self.seconds_left, parent=self)

    @property
    def seconds_left(self) -> float | None:
        """The seconds until the deadline, 0 if it has passed; None without a deadline."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    @property
    def stopped(self) -> bool:
        """Whether the work was stopped, or was found to be out of time."""
        return self._stopped or (self._parent is not None and self._parent.stopped)

    def stop(self) -> None:
        """Make every later check of this watch and of its children raise `Stopped`."""
        self._stopped = True

    def check(self) -> None:
        """Raise `Stopped` if the time is over or the work was stopped."""
        now = time.monotonic()
        if self.stopped or (self.deadline is not None and now >= self.deadline):
            self._stopped = True
            raise Stopped

    def follow(self, progress: Callable[[float], Any] | None) -> None:
        """From now on, let `look` report what `progress` returns; it is called with the seconds since the start.

        None: nothing is reported, and what was followed is forgotten.
        """
        self._progress = progress

    def look(self) -> None:
        """Raise `Stopped` if the time is over; report the progress that is followed, if a report is due."""
        self.check()
        if self._progress is not None:
            self.report(self._progress)

    def report(self, progress: Callable[[float], Any], *, last: bool = False) -> None:
        """Report what `progress` returns, if a report is due or this is the `last` one; nothing after a stop."""
        now = time.monotonic()
        if self._tell is not None and not self.stopped and (last or now - self._reported >= self.report_every):
            self._reported = now
            self._tell(progress(now - self.started))

    def pulse(self, tells: bool = True) -> Pulse:
        """A pulse for one thread. Where several threads work, only one may report progress (`tells`)."""
        return Pulse(self.look if tells else self.check)
