"""Seconds of a bootstrap: 200 resamples beside 200 searches of all rows, for each kind of test."""

import time
from collections.abc import Callable, Iterator
from statistics import median

import polars as pl

import ancestral as an
from benchmarks.measure import apart, rounds, short, table

REPEATS = 200


def gaussian() -> pl.DataFrame:
    """30 observed variables, 1 000 rows."""
    return an.simulate.linear_gaussian(an.simulate.random_dag(nodes=34, degree=2, seed=1), rows=1_000, seed=1)


def levels() -> pl.DataFrame:
    """The same graph, three levels each."""
    return an.simulate.discrete(an.simulate.random_dag(nodes=34, degree=2, seed=1), rows=1_000, levels=3, seed=1)


def mixture() -> pl.DataFrame:
    """The same graph, columns of both kinds."""
    return an.simulate.mixed(an.simulate.random_dag(nodes=34, degree=2, seed=1), rows=1_000, seed=1)


CASES: dict[str, tuple[Callable[[], pl.DataFrame], str]] = {
    "fisher-z": (gaussian, "fisher-z"),
    "rank": (gaussian, "rank"),
    "g": (levels, "g"),
    "mixed": (mixture, "mixed"),
}


def case(what: str) -> tuple[int, float, float]:
    """Variables, seconds of the bootstrap, seconds of one search of all rows."""
    make, test = CASES[what]
    frame = make()
    an.discover(frame, algorithm="icd", test=test, progress=False)
    (searches,) = rounds(lambda: an.discover(frame, algorithm="icd", test=test, progress=False))
    start = time.perf_counter()
    an.bootstrap(frame, algorithm="icd", test=test, repeats=REPEATS, progress=False)
    return len(frame.columns), time.perf_counter() - start, median(searches)


def report() -> None:
    """Print the table."""
    print(f"## Bootstrap, {REPEATS} resamples of 1 000 rows\n")

    def lines() -> Iterator[tuple[str, ...]]:
        for what in CASES:
            variables, boot, one = apart(case, what)
            yield what, str(variables), short(boot), short(one), f"{boot / (REPEATS * one):.2f}"

    table(("test", "variables", "bootstrap, s", "one discover, s", f"ratio to {REPEATS} of them"), lines())
