"""Helpers for measuring: seconds, the memory of a separate process, tables, growth.

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

#: Folder for files that a benchmark writes and that need not be kept.
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
        """Nanoseconds per question, including everything else."""
        return self.seconds / max(1, self.questions) * 1e9

    def cells(self) -> tuple[str, ...]:
        """The cells below the headings `SEARCHED`."""
        memory = (f"{self.peak:.0f}", f"{self.grown:.0f}")
        return (short(self.seconds), f"{self.questions:,}", f"{self.ns:,.0f}", *memory, str(self.radius))


SEARCHED = ("seconds", "questions", "ns each", "peak MB", "of search", "radius")


def apart(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function of a module in a fresh process, so that its memory can be measured."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *args, **kwargs).result()


def peak_memory() -> float:
    """Peak memory of this process in MB; NaN on other systems than Linux."""
    status = Path("/proc/self/status")
    if not status.exists():
        return float("nan")
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def forget_peak() -> None:
    """Reset the peak memory of this process; Linux only."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def rounds(*works: Callable[[], object], budget: float = 1.0, least: int = 3) -> list[list[float]]:
    """Seconds of each function in each round; as many rounds as fit into `budget` seconds, at most 50."""
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
    """Measure a search in this process: memory in the first run, seconds as the best of several."""
    an.discover(an.Moments.from_correlation(np.eye(3), rows=100), alpha=0.01, progress=False)  # imports are not counted
    forget_peak()
    before = peak_memory()
    found = search()
    peak = peak_memory()
    (taken,) = rounds(search, budget=budget, least=least)
    return Searched(min(taken), questions(found), found.radius or 0, peak, peak - before)


def questions(found: an.Discovery) -> int:
    """Number of questions, to search and to verify."""
    return found.tests.total() + found.verify_tests.total()


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The slope of log seconds over log size: seconds grow like size to this power."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def short(seconds: float) -> str:
    """The number with three significant digits."""
    return f"{seconds:.3g}" if seconds < 1000 else f"{seconds:,.0f}"


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a table, each row as soon as it is there."""
    print("| " + " | ".join(head) + " |")
    print("| " + " | ".join("---" for _ in head) + " |")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)
    print(flush=True)
