"""How things are measured: the clock, the memory of a process of its own, tables and growth.

Seconds of one run mean little on a shared machine, so each is the best of several runs; a ratio is the median over
rounds in which both sides run one after the other.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, ParamSpec, TypeVar

import numpy as np

import ancestral as an

#: what a benchmark writes and need not be kept
SCRATCH = Path("build/bench")

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Searched:
    """One search: its cost, and how far it went."""

    seconds: float
    questions: int
    radius: int
    peak: float  # MB, of the process while it searched
    grown: float  # MB, by how much the search raised that peak

    @property
    def ns(self) -> float:
        """Nanoseconds for a question, everything else included."""
        return self.seconds / max(1, self.questions) * 1e9

    def cells(self) -> tuple[str, ...]:
        """What `SEARCHED` heads."""
        memory = (f"{self.peak:.0f}", f"{self.grown:.0f}")
        return (short(self.seconds), f"{self.questions:,}", f"{self.ns:,.0f}", *memory, str(self.radius))


SEARCHED = ("seconds", "questions", "ns each", "peak MB", "of search", "radius")


def apart(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function of a module in a fresh process, whose memory is then its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *args, **kwargs).result()


def peak_memory() -> float:
    """The most memory this process ever held, in MB; Linux only, elsewhere not a number."""
    status = Path("/proc/self/status")
    if not status.exists():
        return float("nan")
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def forget_peak() -> None:
    """Let the peak of memory begin anew, so that it is of what comes; Linux only."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def rounds(*works: Callable[[], object], budget: float = 1.0, least: int = 3) -> list[list[float]]:
    """The seconds of each work in each round; as many rounds as the budget of seconds allows, at most 50."""
    out: list[list[float]] = [[] for _ in works]
    begin = time.perf_counter()
    while len(out[0]) < least or (time.perf_counter() - begin < budget and len(out[0]) < 50):
        for work, taken in zip(works, out, strict=True):
            start = time.perf_counter()
            work()
            taken.append(time.perf_counter() - start)
    return out


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median over rounds of ours / theirs."""
    return median(a / b for a, b in zip(ours, theirs, strict=True))


def searched(search: Callable[[], an.Discovery], budget: float = 1.0, least: int = 3) -> Searched:
    """Measure a search in this process: its memory by the first run, its seconds by the best of several."""
    an.discover(an.Moments.from_correlation(np.eye(3), rows=100), progress=False)  # imports are not counted
    forget_peak()
    before = peak_memory()
    found = search()
    peak = peak_memory()
    (taken,) = rounds(search, budget=budget, least=least)
    return Searched(min(taken), questions(found), found.radius, peak, peak - before)


def questions(found: an.Discovery) -> int:
    """All that were asked, to search and to verify."""
    return found.tests.total() + found.verify_tests.total()


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The slope of log seconds over log size: seconds grow like size to this power."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def short(seconds: float) -> str:
    """Three digits that count."""
    return f"{seconds:.3g}" if seconds < 1000 else f"{seconds:,.0f}"


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a table row by row, as the rows come."""
    print("| " + " | ".join(head) + " |")
    print("| " + " | ".join("---" for _ in head) + " |")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)
    print(flush=True)
