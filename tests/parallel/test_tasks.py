"""The loop that runs tasks: what is lost is sent again, what cannot be run ends it, and what is done is put."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from typing import Any

import pytest

from ancestral.data import DataError
from ancestral.errors import RunError
from ancestral.parallel.clock import Stopped, Watch
from ancestral.parallel.tasks import run_tasks
from ancestral.parallel.transports import ExecutorGone, Transport, Workers, transport_for
from ancestral.parallel.tuning import Tuning
from ancestral.parallel.worker import Task
from tests.support.executors import FailingExecutor, ShuffledExecutor

QUICK = Tuning(retry_pauses=(0.01, 0.01, 0.01), poll_every=0.01)


def square(number: int, watch: Watch) -> int:
    return number * number


def tasks(count: int, function: Callable[..., Any] = square) -> list[Task]:
    return [Task(number, function, (number,)) for number in range(count)]


def results(
    executor: Executor | Transport, work: list[Task] | Iterator[Task], watch: Watch | None = None, **options: Any
) -> Any:
    """What is put, by key; the tuning is quick unless a transport is given."""
    put: dict[int, Any] = {}
    try:
        run_tasks(
            Workers(executor if isinstance(executor, Transport) else transport_for(executor, QUICK)),
            work,
            watch or Watch(),
            lambda key, value, seconds: put.__setitem__(key, value),
            **options,
        )
    except BaseException as error:
        error.put = put  # type: ignore[attr-defined]
        raise
    return put


SQUARES = {number: number * number for number in range(20)}


def test_results_are_put_by_key_whatever_their_order() -> None:
    with ShuffledExecutor() as shuffled:
        assert results(shuffled, tasks(20)) == SQUARES
    assert shuffled.order != sorted(shuffled.order)


def test_seconds_are_put_with_the_result() -> None:
    seconds: list[float] = []
    with ThreadPoolExecutor(2) as pool:
        workers = Workers(transport_for(pool, QUICK))
        work = [Task(0, lambda watch: time.sleep(0.03), ())]
        run_tasks(workers, work, Watch(), lambda key, value, took: seconds.append(took))
    assert 0.03 <= seconds[0] < 10


def test_nothing_to_do() -> None:
    with ThreadPoolExecutor(1) as pool:
        assert results(pool, []) == {}


# -- how many are out -------------------------------------------------------------------------------------------------


def test_tasks_are_taken_when_there_is_room() -> None:
    out, most = 0, 0
    sent: list[int] = []
    lock = threading.Lock()

    def work(number: int, watch: Watch) -> int:
        nonlocal out
        time.sleep(0.005)
        with lock:
            out -= 1
        return number * number

    def coming() -> Iterator[Task]:
        nonlocal out, most
        for number in range(20):
            with lock:
                out += 1
                most = max(most, out)
            sent.append(number)
            yield Task(number, work, (number,))

    with ThreadPoolExecutor(8) as pool:
        assert results(pool, coming(), most_out=lambda workers: workers // 2) == SQUARES
    assert sent == list(range(20)) and 1 <= most <= 4


def test_a_task_may_depend_on_results_that_are_there() -> None:
    seen: list[int] = []

    def coming() -> Iterator[Task]:
        for number in range(5):
            assert len(seen) == number
            yield Task(number, square, (number,))

    with ThreadPoolExecutor(2) as pool:
        workers = Workers(transport_for(pool, QUICK))
        run_tasks(workers, coming(), Watch(), lambda key, value, seconds: seen.append(value), most_out=lambda _: 1)
    assert seen == [0, 1, 4, 9, 16]


# -- what is lost -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [ConnectionError("reset"), OSError("closed"), TimeoutError("too long")])
def test_a_lost_task_is_sent_again(error: OSError) -> None:
    with ShuffledExecutor(fails=lambda number: error if number in (2, 5, 21) else None) as shuffled:
        assert results(shuffled, tasks(20)) == SQUARES
    assert len(shuffled.order) == 23


@pytest.mark.parametrize("times", [3, 4])
def test_a_task_may_be_lost_three_times(times: int) -> None:
    flaky = FailingExecutor(lambda call: OSError("closed") if 1 < call <= 1 + times else None)
    if times == 3:
        assert results(flaky, tasks(1) + tasks(2)[1:], most_out=lambda _: 1) == {0: 0, 1: 1}
        assert flaky.calls == 2 + times
    else:
        with pytest.raises(ExecutorGone, match="OSError: closed") as caught:
            results(flaky, tasks(2), most_out=lambda _: 1)
        assert caught.value.put == {0: 0} and flaky.calls == 1 + times  # type: ignore[attr-defined]


def test_lost_tasks_are_sent_again_together_after_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    forgotten: list[float] = []
    monkeypatch.setattr(Transport, "forget", lambda self, payload=None: forgotten.append(time.monotonic()))
    flaky = FailingExecutor(lambda call: OSError("all workers are gone") if call <= 4 else None)
    began = time.monotonic()
    tuned = transport_for(flaky, Tuning(retry_pauses=(0.3, 0.3)))
    assert results(tuned, tasks(20)) == SQUARES
    assert len(forgotten) == 1 and forgotten[0] - began >= 0.3
    assert flaky.calls == 24


def test_an_executor_that_is_closed_gets_all_pauses_at_once() -> None:
    class Closed(Transport):
        def is_open(self) -> bool:
            return False

    flaky = FailingExecutor(lambda call: OSError("closed"))
    with pytest.raises(ExecutorGone, match="OSError: closed"):
        results(Closed(flaky, QUICK), tasks(1))
    assert flaky.calls == 1


def test_time_may_be_over_before_a_retry() -> None:
    flaky = FailingExecutor(lambda call: OSError("closed"))
    began = time.monotonic()
    with pytest.raises(Stopped):
        results(transport_for(flaky, Tuning(retry_pauses=(60.0,))), tasks(1), Watch(0.2))
    assert time.monotonic() - began < 30


@pytest.mark.parametrize(
    "error", [BrokenExecutor("lost its workers"), RuntimeError("cannot schedule new futures after shutdown")]
)
def test_a_broken_executor_is_gone(error: Exception) -> None:
    broken = FailingExecutor(lambda call: error if call > 6 else None)
    with pytest.raises(ExecutorGone, match=str(error)) as caught:
        results(broken, tasks(20), most_out=lambda _: 1)
    assert len(caught.value.put) == 6 and broken.calls == 7  # type: ignore[attr-defined]


def test_workers_that_cannot_load_a_task() -> None:
    broken = FailingExecutor(lambda call: ModuleNotFoundError("No module named 'ancestral'"))
    message = r"could not run what it was sent \(ModuleNotFoundError: No module .*; install the same packages on all"
    with pytest.raises(RunError, match=message):
        results(broken, tasks(1))
    assert broken.calls == 1


def test_an_exception_of_a_task_is_raised_and_not_tried_again() -> None:
    refusing = FailingExecutor(lambda call: DataError("too large"))
    with pytest.raises(DataError, match="too large"):
        results(refusing, tasks(20), most_out=lambda _: 4)
    assert refusing.calls == 4


# -- how it ends ------------------------------------------------------------------------------------------------------


def test_threads_stop_and_waiting_tasks_are_cancelled() -> None:
    begun, stopped = threading.Event(), threading.Event()

    def endless(number: int, watch: Watch) -> None:
        begun.set()
        until = time.monotonic() + 10
        try:
            while time.monotonic() < until:
                watch.check()
                time.sleep(0.002)
        except Stopped:
            stopped.set()
            raise

    def interrupt(number: int, watch: Watch) -> None:
        begun.wait(30)
        raise KeyboardInterrupt

    with ThreadPoolExecutor(2) as pool:
        work = [Task(0, endless, (0,)), Task(1, interrupt, (1,)), *tasks(20)]
        with pytest.raises(KeyboardInterrupt) as caught:
            results(pool, work)
    assert stopped.is_set()
    assert caught.value.put == {}  # type: ignore[attr-defined]


class Manual(Executor):
    """Its futures end when a test says so."""

    _max_workers = 4

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []
        self.calls: list[Callable[[], Any]] = []

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> "Future[Any]":
        """Keep the call."""
        future: Future[Any] = Future()
        self.futures.append(future)
        self.calls.append(lambda: function(*arguments, **options))
        return future

    def end(self, number: int) -> None:
        """Run one call, unless it was cancelled."""
        if self.futures[number].set_running_or_notify_cancel():
            self.futures[number].set_result(self.calls[number]())

    def end_all(self) -> None:
        """Run all calls."""
        for number in range(len(self.calls)):
            self.end(number)


@pytest.mark.parametrize("grace", [None, 5.0])
def test_what_arrives_soon_after_the_deadline_is_put(grace: float | None) -> None:
    manual = Manual()
    timer = threading.Timer(0.4, manual.end_all)
    began = time.monotonic()  # before the timer, which may begin late, but not early
    timer.start()
    with pytest.raises(Stopped) as caught:
        results(manual, tasks(3), Watch(0.1), grace=grace)
    took = time.monotonic() - began
    assert caught.value.put == ({0: 0, 1: 1, 2: 4} if grace else {})  # type: ignore[attr-defined]
    assert (took >= 0.4) == (grace is not None) and took < 30
    timer.join()
    assert all(future.cancelled() == (grace is None) for future in manual.futures)


def test_what_has_arrived_is_put_after_an_interrupt() -> None:
    manual = Manual()

    def tell(progress: Any) -> None:
        manual.end(0)
        manual.futures[1].cancel()
        manual.futures[2].set_exception(OSError("lost"))
        raise KeyboardInterrupt

    watch = Watch(tell=tell, report_every=0.02)
    watch.follow(lambda elapsed: elapsed)
    with pytest.raises(KeyboardInterrupt) as caught:
        results(manual, tasks(4), watch, grace=60.0)
    assert caught.value.put == {0: 0}  # type: ignore[attr-defined]
    assert manual.futures[3].cancelled() and watch.stopped
