"""Who runs the repeats, and how that ends: the graphs are the same, and what is kept are the first ones."""

import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from typing import Any

import numpy as np
import polars as pl
import pytest

import ancestral as an
from ancestral.certainty.progress import RepeatsProgress
from ancestral.certainty.repeats import Repeats
from ancestral.certainty.schedule import RepeatResults, run_repeats
from ancestral.parallel.clock import Stopped, Watch
from ancestral.parallel.transports import Transport
from ancestral.parallel.tuning import Tuning
from ancestral.search.stage import Edges
from tests.support.custom_tests import other_clocks
from tests.support.executors import FailingExecutor

dask: Any = import_module("distributed")  # it has types, and most of its names have none

#: Each repeat is a chunk, four are out at a time of two workers, and retries come soon.
SINGLE = Tuning(repeats_chunk=0.0, retry_pauses=(0.02, 0.02))


@pytest.fixture(scope="module")
def repeats(rows: pl.DataFrame) -> Repeats:
    found = an.discover(rows, alpha=0.05)
    return Repeats(found.test.resampler(), found.settings, seed=2)


Plain = list[tuple[list[list[int]], list[list[int]]]]


def plain(graphs: list[Edges]) -> Plain:
    return [(graph.pairs.tolist(), graph.marks.tolist()) for graph in graphs]


@pytest.fixture(scope="module")
def expected(repeats: Repeats) -> Plain:
    """The graphs of the first 40 repeats."""
    return plain([repeats.graph(number, Watch()) for number in range(40)])


def all_of(results: RepeatResults) -> Plain:
    """The graphs, of a run that was not stopped."""
    assert results.stopped is None
    return plain(results.graphs)


# -- who runs them ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tuning", [Tuning(), SINGLE], ids=["", "single"])
def test_threads_and_processes_find_the_same(
    repeats: Repeats, expected: Plain, processes: ProcessPoolExecutor, tuning: Tuning
) -> None:
    assert all_of(run_repeats(repeats, 40)) == expected
    assert all_of(run_repeats(repeats, 40, workers=3, tuning=tuning)) == expected
    with ThreadPoolExecutor(2) as threads:
        assert all_of(run_repeats(repeats, 40, executor=threads, tuning=tuning)) == expected
    assert all_of(run_repeats(repeats, 40, executor=processes, tuning=tuning)) == expected


def test_chunks_grow_with_the_speed_of_repeats(repeats: Repeats) -> None:
    """The first chunks have one repeat each; later ones take about as long as wanted, and have at most 64."""
    sizes: list[int] = []

    class Watching(FailingExecutor):
        def submit(self, function: Any, /, *arguments: Any, **options: Any) -> "Future[Any]":
            sizes.append(arguments[-1] - arguments[-2])
            return super().submit(function, *arguments, **options)

    a_minute = Tuning(repeats_chunk=60.0)  # in which any machine finishes 64 repeats
    assert len(run_repeats(repeats, 300, executor=Watching(), tuning=a_minute).graphs) == 300
    assert sizes[:4] == [1] * 4 and max(sizes) == 64 and sum(sizes) == 300


def test_dask_finds_the_same_and_gets_the_data_once(
    repeats: Repeats, expected: Plain, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    scattered: list[Any] = []
    scatter = cluster.scatter

    def counted(values: list[Any], **options: Any) -> Any:
        scattered.extend(values)
        return scatter(values, **options)

    monkeypatch.setattr(cluster, "scatter", counted)
    assert all_of(run_repeats(repeats, 40, executor=cluster.get_executor())) == expected
    assert len(scattered) == 1


def test_data_that_cannot_be_sent(repeats: Repeats, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Repeats) -> Any:
        raise TypeError("cannot pickle a lock")

    monkeypatch.setattr(Repeats, "__reduce__", refuse)
    message = "the data cannot be sent to other processes: cannot pickle a lock; pass a ThreadPoolExecutor"
    with pytest.raises(an.OptionError, match=message):
        run_repeats(repeats, 4, executor=FailingExecutor())
    with ThreadPoolExecutor(1) as threads:
        assert len(run_repeats(repeats, 4, executor=threads).graphs) == 4


# -- executors that fail ----------------------------------------------------------------------------------------------


def test_a_chunk_that_is_lost_is_sent_again(repeats: Repeats, expected: Plain) -> None:
    flaky = FailingExecutor(lambda call: OSError("a worker is gone") if call in (1, 5, 21, 22) else None)
    assert all_of(run_repeats(repeats, 40, executor=flaky, tuning=SINGLE)) == expected
    assert flaky.calls == 44


def test_lost_chunks_are_sent_again_together_after_a_pause(
    repeats: Repeats, expected: Plain, monkeypatch: pytest.MonkeyPatch
) -> None:
    forgotten: list[float] = []
    monkeypatch.setattr(Transport, "forget", lambda self, payload=None: forgotten.append(time.monotonic()))
    began = time.monotonic()
    flaky = FailingExecutor(lambda call: OSError("all workers are gone") if call <= 4 else None)
    tuning = Tuning(repeats_chunk=0.0, retry_pauses=(0.3, 0.3))
    assert all_of(run_repeats(repeats, 40, executor=flaky, tuning=tuning)) == expected
    assert len(forgotten) == 1 and forgotten[0] - began >= 0.3


@pytest.mark.parametrize(
    "error", [BrokenExecutor("lost its workers"), RuntimeError("cannot schedule new futures after shutdown")]
)
def test_an_executor_that_breaks_leaves_what_was_done(repeats: Repeats, expected: Plain, error: Exception) -> None:
    broken = FailingExecutor(lambda call: error if call > 6 else None)
    with pytest.warns(an.RunWarning, match=r"the executor failed \(.*\); repeats that were done before: 6"):
        found = run_repeats(repeats, 40, executor=broken, tuning=SINGLE)
    assert found.stopped == "executor" and plain(found.graphs) == expected[:6]


def test_what_is_lost_again_and_again_ends_it_with_the_first_repeats(repeats: Repeats, expected: Plain) -> None:
    class Losing(FailingExecutor):
        def submit(self, function: Any, /, *arguments: Any, **options: Any) -> "Future[Any]":
            if arguments[-2] != 3:
                return super().submit(function, *arguments, **options)
            lost: Future[Any] = Future()
            lost.set_exception(OSError("no"))
            return lost

    with pytest.warns(an.RunWarning, match="OSError: no"):
        found = run_repeats(repeats, 40, executor=Losing(), tuning=SINGLE)
    assert found.stopped == "executor" and plain(found.graphs) == expected[:3]  # later ones came back, too
    message = r"the executor failed \(OSError: never\) before a repeat was done; repair it, or leave out executor="
    with pytest.raises(an.RunError, match=message):
        run_repeats(repeats, 4, executor=FailingExecutor(lambda call: OSError("never")), tuning=SINGLE)


def test_what_a_worker_refuses_is_not_tried_again(repeats: Repeats) -> None:
    refusing = FailingExecutor(lambda call: an.DataError("too large"))
    with pytest.raises(an.DataError, match="too large"):
        run_repeats(repeats, 4, executor=refusing)
    assert refusing.calls == 4


@pytest.mark.parametrize("error", [ValueError("odd"), an.DataError("a clear message"), MemoryError("full")])
def test_what_a_repeat_raises_is_raised_as_it_is(
    repeats: Repeats, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Repeats, number: int, watch: Watch) -> Edges:
        raise error

    monkeypatch.setattr(Repeats, "graph", fail)
    for options in ({}, {"workers": 2}, {"executor": FailingExecutor()}):
        with pytest.raises(type(error), match=str(error)):
            run_repeats(repeats, 4, **options)


def test_a_pool_whose_worker_is_killed(repeats: Repeats) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        worker = pool.submit(os.getpid).result()
        assert len(run_repeats(repeats, 2, executor=pool).graphs) == 2
        os.kill(worker, signal.SIGKILL)
        time.sleep(0.3)
        with pytest.raises(an.RunError, match="before a repeat was done"):
            run_repeats(repeats, 40, executor=pool)


def test_a_worker_of_dask_that_dies_is_replaced(repeats: Repeats, cluster: Any) -> None:
    killed: list[int] = []

    def kill(progress: RepeatsProgress) -> None:
        if not killed:
            killed.append(next(iter(cluster.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    found = run_repeats(repeats, 1280, executor=cluster.get_executor(), tell=kill)
    assert killed and found.stopped is None
    assert plain(found.graphs) == plain(run_repeats(repeats, 1280).graphs)


def test_a_cluster_that_goes_away_leaves_what_was_done(repeats: Repeats) -> None:
    with (
        dask.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster,
        dask.Client(cluster) as client,
        pytest.warns(an.RunWarning, match="the executor failed"),
    ):
        found = run_repeats(repeats, 50_000, executor=client.get_executor(), tell=lambda progress: cluster.close())
    done = len(found.graphs)
    assert found.stopped == "executor" and 0 < done < 50_000
    assert plain(found.graphs) == plain(run_repeats(repeats, done).graphs)


def test_a_cluster_without_workers_is_given_up(repeats: Repeats) -> None:
    with (
        dask.LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address=":0") as cluster,
        dask.Client(cluster) as client,
        pytest.raises(an.RunError, match="it has had no workers for 1 s"),
    ):
        run_repeats(repeats, 4, executor=client.get_executor(), tuning=Tuning(no_workers_timeout=1.0))


# -- how it ends ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
def test_the_time_limit_keeps_the_first_repeats(repeats: Repeats, expected: Plain, workers: int) -> None:
    found = run_repeats(repeats, 10**6, seconds=1.0, workers=workers)
    assert found.stopped == "time limit" and 0 < len(found.graphs) < 10**6
    assert plain(found.graphs[:40]) == expected[: len(found.graphs)]


def test_the_time_limit_ends_an_executor_too(repeats: Repeats, expected: Plain) -> None:
    with ThreadPoolExecutor(2) as threads:
        began = time.monotonic()
        found = run_repeats(repeats, 10**6, seconds=0.5, executor=threads)
    assert found.stopped == "time limit" and time.monotonic() - began < 20
    assert plain(found.graphs[:40]) == expected[: len(found.graphs)]


def test_the_clocks_of_workers_do_not_matter(repeats: Repeats, expected: Plain) -> None:
    with ProcessPoolExecutor(2, initializer=other_clocks) as processes:
        found = run_repeats(repeats, 20, seconds=500, executor=processes)
    assert found.stopped is None and plain(found.graphs) == expected[:20]


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_keeps_the_repeats_done(repeats: Repeats, workers: int) -> None:
    reports: list[RepeatsProgress] = []

    def tell(progress: RepeatsProgress) -> None:
        reports.append(progress)
        if progress.done > 3:
            raise KeyboardInterrupt

    found = run_repeats(repeats, 500, workers=workers, tell=tell, tuning=Tuning(report_every=0))
    # of two threads one may be slow: what came after a gap is not kept
    done = len(found.graphs)
    assert found.stopped == "interrupt" and (3 if workers == 1 else -1) < done < 500
    assert plain(found.graphs) == plain(run_repeats(repeats, done).graphs)
    assert reports[-1].repeats == 500 and reports[-1].remaining is not None and reports[-1].elapsed > 0


def test_threads_stop_after_ctrl_c(repeats: Repeats, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, ended = threading.Event(), []

    def search(self: Repeats, number: int, watch: Watch) -> Edges:
        if number == 0:
            begun.wait(30)
            raise KeyboardInterrupt
        begun.set()
        until = time.monotonic() + 10
        try:
            while time.monotonic() < until:
                watch.check()
                time.sleep(0.005)
            ended.append("by itself")
        except Stopped:
            ended.append("stopped")
            raise
        return Edges.of(np.zeros((6, 6), dtype=np.uint8))

    monkeypatch.setattr(Repeats, "graph", search)
    found = run_repeats(repeats, 50, workers=2)
    assert (found.stopped, found.graphs) == ("interrupt", [])
    assert ended and set(ended) == {"stopped"}


def interrupted_after(number: int) -> Callable[[RepeatsProgress], None]:
    def tell(progress: RepeatsProgress) -> None:
        if progress.done >= number:
            raise KeyboardInterrupt

    return tell


def test_what_had_arrived_before_an_interrupt_is_kept(repeats: Repeats, expected: Plain) -> None:
    """Four repeats are out and have come back; the first report interrupts, and all four are kept."""
    tuning = Tuning(repeats_chunk=0.0, report_every=0)
    found = run_repeats(repeats, 40, executor=FailingExecutor(), tell=interrupted_after(1), tuning=tuning)
    assert found.stopped == "interrupt" and plain(found.graphs) == expected[:4]


@pytest.mark.parametrize("workers", [1, 2])
def test_progress_is_told(repeats: Repeats, workers: int) -> None:
    reports: list[RepeatsProgress] = []
    run_repeats(repeats, 7, workers=workers, tell=reports.append, tuning=Tuning(repeats_chunk=0.0, report_every=0))
    assert [p.done for p in reports] == list(range(1, 8)) and reports[-1].remaining == 0


def test_the_last_repeat_is_always_told(repeats: Repeats) -> None:
    reports: list[RepeatsProgress] = []
    run_repeats(repeats, 7, tell=reports.append, tuning=Tuning(report_every=1e6))
    assert [(p.repeats, p.done) for p in reports] == [(7, 7)]
