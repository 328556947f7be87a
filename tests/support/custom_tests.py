"""Independence tests of a user, in a module that worker processes can import."""

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
        """The p-value of a zero partial correlation."""
        self.before(given)
        at = [self.names.index(name) for name in (x, y, *given)]
        precision = np.linalg.inv(self.correlation[np.ix_(at, at)])
        r = -precision[0, 1] / sqrt(precision[0, 0] * precision[1, 1])
        z = 0.5 * log((1 + r) / (1 - r)) * sqrt(self.rows - len(given) - 3)
        return erfc(abs(z) / sqrt(2))

    def before(self, given: tuple[str, ...]) -> None:
        """Called before a question is answered."""


class Busy(PartialCorrelation):
    """Each question takes `seconds` of work."""

    seconds = 0.001

    def before(self, given: tuple[str, ...]) -> None:
        """Spend the time."""
        until = time.perf_counter() + self.seconds
        while time.perf_counter() < until:
            pass


class Deadly(PartialCorrelation):
    """Kill a worker that asks a question given two variables; `times` times, each of which leaves a file."""

    def __init__(self, values: NDArray[np.float64], folder: Path, times: int) -> None:
        super().__init__(values)
        self.home = os.getpid()
        self.marks = [folder / f"killed-{i}" for i in range(times)]

    def before(self, given: tuple[str, ...]) -> None:
        """Kill this process, unless it has happened often enough."""
        if len(given) != 2 or os.getpid() == self.home:
            return
        for mark in self.marks:
            try:
                mark.touch(exist_ok=False)
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)


class Telling(PartialCorrelation):
    """Leave a file at the first question given two variables, and be slow from then on."""

    def __init__(self, values: NDArray[np.float64], mark: Path) -> None:
        super().__init__(values)
        self.mark = mark

    def before(self, given: tuple[str, ...]) -> None:
        """Leave the file, or wait."""
        if len(given) == 2:
            self.mark.touch()
            time.sleep(0.25)

    def asked_last(self) -> int:
        """Time of the first such question in nanoseconds, 0 if there was none."""
        return self.mark.stat().st_mtime_ns if self.mark.exists() else 0


class Unable(PartialCorrelation):
    """Raise an error of the user's own at a question given two variables."""

    def before(self, given: tuple[str, ...]) -> None:
        """Raise the error that a broken connection would raise."""
        if len(given) == 2:
            raise ConnectionError("the database said no")


def wrong(x: str, y: str, given: tuple[str, ...]) -> Any:
    """Return something that is not a p-value."""
    return 7
