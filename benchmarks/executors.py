"""What an executor gains where questions are expensive, and what it costs where they are not."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

import ancestral as an
from ancestral.independence.choice import choose_test
from ancestral.options import RunOptions
from ancestral.parallel.clock import Watch
from ancestral.parallel.tuning import Tuning
from ancestral.search.settings import Settings
from ancestral.search_run import SearchRun
from benchmarks import kinds, workers
from benchmarks.measure import apart, ratio, short, table

ROUNDS = 2


class Slow:
    """Fisher's z as a user would write it; each question takes the given seconds."""

    def __init__(self, values: NDArray[np.float64], seconds: float, works: bool) -> None:
        self.names = tuple(f"v{i:02}" for i in range(values.shape[1]))
        self.correlation = np.array(np.corrcoef(values, rowvar=False), ndmin=2)
        self.rows = len(values)
        self.seconds = seconds
        self.works = works

    def p_value(self, x: str, y: str, given: tuple[str, ...]) -> float:
        """The p-value of a zero partial correlation."""
        end = time.perf_counter() + self.seconds
        at = [self.names.index(name) for name in (x, y, *given)]
        precision = np.linalg.inv(self.correlation[np.ix_(at, at)])
        r = -precision[0, 1] / np.sqrt(precision[0, 0] * precision[1, 1])
        if not self.works:
            time.sleep(max(0.0, end - time.perf_counter()))
        while time.perf_counter() < end:
            pass
        return float(2 * ndtr(-abs(np.arctanh(r)) * np.sqrt(self.rows - len(given) - 3)))


def sample(nodes: int) -> NDArray[np.float64]:
    """Rows of a random graph."""
    return np.asarray(an.simulate.linear_gaussian(kinds.graph(nodes), rows=1_000, seed=1).to_numpy())


SEND_ALL = Tuning(least_work_to_send=0)

CASES: dict[str, Callable[[], tuple[Any, Tuning]]] = {
    "a function that waits 1 ms, 40 variables": lambda: (Slow(sample(40), 0.001, works=False), Tuning()),
    "a function that computes 1 ms, 40 variables": lambda: (Slow(sample(40), 0.001, works=True), Tuning()),
    "a function that computes 10 ms, 40 variables": lambda: (Slow(sample(40), 0.01, works=True), Tuning()),
    "Gaussian, 100 variables, sent all the same": lambda: (an.Moments.of(an.Table.of(sample(100))), SEND_ALL),
    "Gaussian, 100 variables": lambda: (an.Moments.of(an.Table.of(sample(100))), Tuning()),
}


@contextmanager
def processes(count: int) -> Iterator[Executor]:
    """A process pool."""
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        yield pool


@contextmanager
def dask(count: int) -> Iterator[Executor]:
    """A Dask cluster on this machine."""
    module: Any = import_module("distributed")
    with (
        module.LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=":0") as cluster,
        module.Client(cluster) as client,
    ):
        yield client.get_executor()


WAYS: dict[str, Callable[[int], Any]] = {"processes": processes, "Dask": dask}


def found(source: Any, tuning: Tuning, executor: Executor | None = None, max_radius: int | None = None) -> an.Discovery:
    """What a search with this tuning finds."""
    settings = Settings(max_radius=max_radius)
    search = SearchRun(choose_test(source), settings, RunOptions(executor=executor), tuning=tuning)
    return search.run(Watch(), None, "polars")


def case(what: str, way: str) -> tuple[float, float, float, float, int, bool]:
    """Seconds here, with one worker and with two; the gain of the second; questions; whether all found the same."""
    source, tuning = CASES[what]()
    here: list[float] = []
    one: list[float] = []
    two: list[float] = []
    runs: list[an.Discovery] = []
    with WAYS[way](1) as one_worker, WAYS[way](2) as two_workers:
        found(source, tuning, max_radius=0)  # imports are not counted
        for executor in (one_worker, two_workers):
            found(source, tuning, executor=executor, max_radius=1)
        for _ in range(ROUNDS):
            runs = []
            for executor, seconds in ((None, here), (one_worker, one), (two_workers, two)):
                start = time.perf_counter()
                runs.append(found(source, tuning, executor=executor))
                seconds.append(time.perf_counter() - start)
    same = len({run.to_json() for run in runs}) == 1
    return min(here), min(one), min(two), ratio(one, two), runs[0].tests.total(), same


def report() -> None:
    """Print the table."""
    print("## Executors\n")

    def lines() -> Iterator[tuple[str, ...]]:
        for what in CASES:
            for way in WAYS:
                here, one, two, gain, questions, same = apart(case, what, way)
                seconds = (short(here), short(one), short(two))
                yield what, way, f"{questions:,}", *seconds, f"{gain:.2f}", "yes" if same else "no"

    head = ("what", "executor", "questions", "here, s", "one worker, s", "two, s", "gain of the second", "same answer")
    table(head, lines())
    print(f"Two threads that share nothing gained {workers.most():.2f} at the same time.\n")
