"""Tests of a user's own, for workers in other processes: whatever is sent there must be found in a module."""

import os
import signal
import time
from math import erfc, log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def other_clocks() -> None:
    """Set the clocks of a worker as on another machine: the wall clock an hour ahead, the monotonic one elsewhere."""
    wall, monotonic = time.time, time.monotonic
    time.time = lambda: wall() + 3600
    time.monotonic = lambda: monotonic() + 10**6


class PartialCorrelation:
    """Fisher's z by the inverse of a correlation matrix: nothing of the package is in it."""

    def __init__(self, values: NDArray[np.float64]) -> None:
        self.names = tuple(f"v{i:02}" for i in range(values.shape[1]))
        self.correlation = np.array(np.corrcoef(values.T), ndmin=2)
        self.rows = len(values)

    def p_value(self, x: str, y: str, given: tuple[str, ...]) -> float:
        """Of no partial correlation."""
        self.before(given)
        at = [self.names.index(name) for name in (x, y, *given)]
        precision = np.linalg.inv(self.correlation[np.ix_(at, at)])
        r = -precision[0, 1] / sqrt(precision[0, 0] * precision[1, 1])
        z = 0.5 * log((1 + r) / (1 - r)) * sqrt(self.rows - len(given) - 3)
        return erfc(abs(z) / sqrt(2))

    def before(self, given: tuple[str, ...]) -> None:
        """What happens before a question is answered."""


class Busy(PartialCorrelation):
    """Each question costs so many seconds of work."""

    seconds = 0.001

    def before(self, given: tuple[str, ...]) -> None:
        """Work."""
        until = time.perf_counter() + self.seconds
        while time.perf_counter() < until:
            pass


class Deadly(PartialCorrelation):
    """Kills the process that asks given two, unless that is this one; so many times, each of which leaves a file."""

    def __init__(self, values: NDArray[np.float64], folder: Path, times: int) -> None:
        super().__init__(values)
        self.home = os.getpid()
        self.marks = [folder / f"killed-{i}" for i in range(times)]

    def before(self, given: tuple[str, ...]) -> None:
        """Die, if there is a mark left to take."""
        if len(given) != 2 or os.getpid() == self.home:
            return
        for mark in self.marks:
            try:
                mark.touch(exist_ok=False)
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)


class Telling(PartialCorrelation):
    """Leaves a file when somebody asks given two, and takes its time from then on."""

    def __init__(self, values: NDArray[np.float64], mark: Path) -> None:
        super().__init__(values)
        self.mark = mark

    def before(self, given: tuple[str, ...]) -> None:
        """Say so."""
        if len(given) == 2:
            self.mark.touch()
            time.sleep(0.25)

    def asked_last(self) -> int:
        """When somebody did, in nanoseconds; 0 if nobody did."""
        return self.mark.stat().st_mtime_ns if self.mark.exists() else 0


class Unable(PartialCorrelation):
    """Has an error of its own, given two."""

    def before(self, given: tuple[str, ...]) -> None:
        """Fail as a broken line would."""
        if len(given) == 2:
            raise ConnectionError("the database said no")


def wrong(x: str, y: str, given: tuple[str, ...]) -> Any:
    """Not a p-value."""
    return 7
