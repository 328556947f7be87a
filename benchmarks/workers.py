"""Speed-up by a second thread: seconds of whole searches, and of each long radius, with one worker and with two."""

import hashlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from statistics import median
from typing import Any, Literal

import numpy as np

import ancestral as an
from ancestral.independence.base import Test
from ancestral.independence.choice import choose_test
from ancestral.search.stage import AskedStage
from benchmarks import gaussian, kinds
from benchmarks.measure import apart, ratio, rounds, short, table

#: Seconds below which a radius is not worth a second thread.
LONG = 0.05
ROUNDS = 5
#: How colliders are found.
COLLIDERS: tuple[Literal["agreed", "first"], ...] = ("agreed", "first")


def correlations() -> Test:
    """3000 nodes, given as a correlation matrix."""
    path = gaussian.correlation(gaussian.sample(3000, 1_000))
    return choose_test(an.Moments.from_correlation(np.load(path), rows=1_000))


def levels() -> Test:
    """300 columns of three levels, 100 000 rows."""
    return choose_test(an.simulate.discrete(kinds.graph(300), rows=100_000, levels=3, seed=1))


def holes() -> Test:
    """70 columns with missing values, each question by the rows that are complete for it."""
    frame = an.simulate.linear_gaussian(kinds.graph(70), rows=2_000, seed=1)
    return choose_test(kinds.with_holes(frame), missing="testwise")


CASES: dict[str, Callable[[], Test]] = {
    "Gaussian, 3000 nodes": correlations,
    "3 levels, 300 columns, 100,000 rows": levels,
    "5% missing, testwise, 70 columns": holes,
}


def radii(test: Test, workers: int) -> tuple[list[float], Any]:
    """Seconds of each radius, and the graph found; the stage is dropped: another search could reuse its answers."""
    seconds, last = [], None
    start = time.perf_counter()
    for stage in an.stages(test, workers=workers, progress=False):
        seconds.append(time.perf_counter() - start)
        last = stage
        start = time.perf_counter()
    assert isinstance(last, AskedStage)  # there is a radius 0
    return seconds, (last.tests, last.sepsets.sets(last.sepset_count), last.pag)


def case(what: str) -> list[tuple[int, float, float, float, bool]]:
    """For each long radius: seconds with one and with two workers, the median speed-up, and whether results agree."""
    test = CASES[what]()
    one, two, same = [], [], True
    for _ in range(ROUNDS):
        alone, first = radii(test, 1)
        shared, second = radii(test, 2)
        one.append(alone)
        two.append(shared)
        same &= first == second
    out = []
    for radius, (mine, theirs) in enumerate(zip(zip(*one, strict=True), zip(*two, strict=True), strict=True)):
        if median(mine) >= LONG:
            out.append((radius, min(mine), min(theirs), ratio(mine, theirs), same))
    return out


def whole(nodes: int, colliders: Literal["agreed", "first"]) -> tuple[float, float, float]:
    """Seconds of a whole search with one and with two workers, in turns, and the median speed-up."""
    path = gaussian.correlation(gaussian.sample(nodes, 1_000))
    moments = an.Moments.from_correlation(np.load(path), rows=1_000)

    def search(workers: int) -> object:
        return an.discover(moments, algorithm="icd", colliders=colliders, workers=workers, progress=False)

    search(2)
    one, two = rounds(lambda: search(1), lambda: search(2), least=2 * ROUNDS)
    return median(one), median(two), ratio(one, two)


def most() -> float:
    """The speed-up of two threads that share nothing: less than 2 on a busy machine."""
    work = b"\0" * 50_000_000

    def hashed(parts: int) -> None:
        with ThreadPoolExecutor(parts) as pool:
            list(pool.map(lambda i: hashlib.sha256(memoryview(work)[: len(work) // parts]), range(parts)))

    one, two = rounds(lambda: hashed(1), lambda: hashed(2), least=ROUNDS)
    return ratio(one, two)


def report() -> None:
    """Print both tables."""
    print("## Two workers\n")

    def searches() -> Iterator[tuple[str, ...]]:
        for nodes, colliders in product((1000, 3000), COLLIDERS):
            one, two, gain = apart(whole, nodes, colliders)
            yield f"{nodes} nodes", colliders, short(one), short(two), f"{gain:.2f}"

    table(("Gaussian", "colliders", "one worker, s", "two, s", "gain"), searches())

    def lines() -> Iterator[tuple[str, ...]]:
        for what in CASES:
            for radius, one, two, gain, same in apart(case, what):
                yield what, str(radius), short(one), short(two), f"{gain:.2f}", "yes" if same else "no"

    table(("what", "radius", "one worker, s", "two, s", "gain", "same answer"), lines())
    print(f"Two threads that share nothing gained {most():.2f} at the same time.\n")
