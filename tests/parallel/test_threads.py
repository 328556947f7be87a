"""Ranges on threads: each item is worked on once, and an exception stops all threads."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from ancestral.parallel.clock import Stopped, Watch
from ancestral.parallel.threads import map_ranges


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, 7, 1000])
def test_each_item_is_in_one_range(threads: int, count: int) -> None:
    ranges: list[tuple[int, int]] = []
    map_ranges([lambda first, stop: ranges.append((first, stop))] * threads, count, Watch(), largest=16)
    items = [item for first, stop in sorted(ranges) for item in range(first, stop)]
    assert items == list(range(count))
    assert threads == 1 or all(0 < stop - first <= 16 for first, stop in ranges)


def test_a_single_task_runs_in_the_calling_thread() -> None:
    seen: list[threading.Thread] = []
    map_ranges([lambda first, stop: seen.append(threading.current_thread())], 100, Watch(), largest=1)
    assert seen == [threading.current_thread()]


@pytest.mark.parametrize("pool", [None, ThreadPoolExecutor(2)], ids=["own", "given"])
def test_an_exception_stops_the_other_threads(pool: ThreadPoolExecutor | None) -> None:
    watch = Watch()
    begun = threading.Event()
    ended: list[str] = []

    def work(fails: bool, first: int, stop: int) -> None:
        if fails:
            begun.wait(30)
            raise ValueError("no")
        if begun.is_set():  # another range, after the exception
            ended.append("went on")
            return
        begun.set()
        until = time.monotonic() + 10
        try:
            while time.monotonic() < until:
                watch.check()
                time.sleep(0.002)
        except Stopped:
            ended.append("stopped")
            raise

    with pytest.raises(ValueError, match="no"):
        map_ranges([partial(work, False), partial(work, True)], 100, watch, largest=1, pool=pool)
    assert ended == ["stopped"]


def test_the_threads_of_a_pool_are_used_again() -> None:
    seen: set[threading.Thread] = set()
    both = threading.Barrier(2)

    def work(first: int, stop: int) -> None:
        both.wait(30)
        seen.add(threading.current_thread())

    with ThreadPoolExecutor(2) as pool:
        for _ in range(3):
            map_ranges([work, work], 2, Watch(), largest=1, pool=pool)
    assert len(seen) == 2


def test_the_thread_that_waits_reports_progress() -> None:
    reports: list[float] = []
    watch = Watch(tell=reports.append, report_every=0.01)
    watch.follow(lambda elapsed: elapsed)
    map_ranges([lambda first, stop: time.sleep(0.03)] * 2, 4, watch, largest=1)
    assert len(reports) >= 2
