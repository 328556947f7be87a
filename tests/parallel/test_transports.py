"""Which transport an executor gets, how payloads travel, and how long workers are waited for."""

import threading
import time
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import pytest

import ancestral as an
from ancestral.options import RunOptions
from ancestral.parallel.clock import Stopped, Watch
from ancestral.parallel.transports import (
    ExecutorGone,
    Transport,
    Workers,
    one_line,
    transport_for,
)
from ancestral.parallel.tuning import Tuning
from ancestral.parallel.worker import Task
from tests.support.custom_tests import PartialCorrelation
from tests.support.executors import ShuffledExecutor


def twice(numbers: list[int], watch: Watch) -> list[int]:
    return [2 * number for number in numbers]


def doubled(executor: Executor, numbers: list[int]) -> list[int]:
    transport = transport_for(executor)
    task = Task("key", twice, (transport.pack(numbers),))
    result: list[int] = transport.send(task, Watch(60)).result().value
    return result


def test_a_task_and_its_payload_get_to_every_kind_of_worker(processes: ProcessPoolExecutor, cluster: Any) -> None:
    with ThreadPoolExecutor(1) as threads, ShuffledExecutor() as shuffled:
        for executor in (threads, shuffled, processes, cluster.get_executor()):
            assert doubled(executor, [1, 2, 3]) == [2, 4, 6]


def test_threads_share_objects_with_their_sender() -> None:
    value = [1]
    with ThreadPoolExecutor(1) as threads, ShuffledExecutor() as shuffled:
        assert transport_for(threads).pack(value).value is value
        assert transport_for(shuffled).pack(value).value is None


def test_a_function_of_a_function_can_be_packed() -> None:
    factor = 3
    with ShuffledExecutor() as shuffled:
        transport = transport_for(shuffled)
        task = Task(0, lambda scale, watch: scale(5), (transport.pack(lambda number: factor * number),))
        assert transport.send(task, Watch()).result().value == 15


def test_what_cannot_be_packed() -> None:
    message = "the data cannot be sent to other processes: .*lock.*; pass a ThreadPoolExecutor"
    with ShuffledExecutor() as shuffled, pytest.raises(an.OptionError, match=message):
        transport_for(shuffled).pack(threading.Lock(), "the data")


def test_dask_gets_a_payload_once(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    scattered: list[Any] = []
    scatter = cluster.scatter

    def counted(values: list[Any], **options: Any) -> Any:
        assert options["broadcast"]
        scattered.extend(values)
        return scatter(values, **options)

    monkeypatch.setattr(cluster, "scatter", counted)
    transport = transport_for(cluster.get_executor())
    payload = transport.pack([4])
    for _ in range(3):
        assert transport.send(Task(0, twice, (payload,)), Watch()).result().value == [8]
    assert scattered == [payload]
    transport.forget(payload)
    transport.send(Task(0, twice, (payload,)), Watch()).result()
    assert scattered == [payload, payload]


def test_a_transport_is_not_an_executor() -> None:
    tuning = Tuning(chunks_per_worker=3)
    with ThreadPoolExecutor(1) as threads:
        transport = transport_for(threads, tuning)
        assert transport.tuning is tuning
        assert transport.submit(divmod, 7, 2).result() == (3, 1)
        with pytest.raises(an.OptionError, match=r"executor must be a concurrent\.futures\.Executor"):
            RunOptions(executor=transport)  # type: ignore[arg-type]


def test_a_closed_executor_is_gone() -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(ExecutorGone, match="after shutdown"):
        transport_for(pool).send(Task(0, twice, ([],)), Watch())


@pytest.mark.parametrize(
    ("executor", "workers", "message"),
    [
        (2, 1, r"executor must be a concurrent\.futures\.Executor, got 2; for example ProcessPoolExecutor\(4\)"),
        (PartialCorrelation, 1, r"executor must be a concurrent\.futures\.Executor, got <class"),
        (ThreadPoolExecutor(1), 2, "workers=2 cannot be combined with executor=; workers are threads of this process"),
    ],
)
def test_what_is_not_a_usable_executor(executor: Any, workers: int, message: str) -> None:
    with pytest.raises(an.OptionError, match=message):
        RunOptions(executor=executor, workers=workers)


def test_a_client_is_not_its_executor(cluster: Any) -> None:
    with pytest.raises(an.OptionError, match=r"got <Client.*; pass client\.get_executor\(\)"):
        RunOptions(executor=cluster)


# -- counting workers -------------------------------------------------------------------------------------------------


class Cluster(Transport):
    """A cluster whose workers come and go."""

    def __init__(self, tuning: Tuning) -> None:
        super().__init__(ThreadPoolExecutor(1), tuning)
        self.workers = 0
        self.counted = 0
        self.fails = False
        self.closed = False

    def worker_count(self) -> int:
        self.counted += 1
        if self.fails:
            raise TimeoutError("no answer")
        return self.workers

    def is_open(self) -> bool:
        return not self.closed


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which tests set."""
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(time, "sleep", lambda seconds: clock.__setitem__(0, clock[0] + seconds))
    return clock


def test_workers_are_counted_now_and_then(now: list[float]) -> None:
    cluster = Cluster(Tuning(count_workers_every=1.0))
    workers = Workers(cluster)
    cluster.workers = 3
    assert [workers.count(), workers.count()] == [3, 3] and cluster.counted == 1
    cluster.workers = 5
    now[0] += 0.9
    assert workers.count() == 3
    now[0] += 0.2
    assert workers.count() == 5 and cluster.counted == 2


def test_a_cluster_without_workers_is_gone_after_a_while(now: list[float]) -> None:
    cluster = Cluster(Tuning(no_workers_timeout=30.0))
    workers = Workers(cluster)
    for second in range(29):
        assert workers.count() == 0, second
        now[0] += 1
    cluster.workers = 1
    assert workers.count() == 1
    cluster.workers = 0
    for second in range(30):  # counted from the moment that they went
        now[0] += 1
        assert workers.count() == 0, second
    now[0] += 1
    with pytest.raises(ExecutorGone, match="it has had no workers for 30 s"):
        workers.count()


def test_workers_are_waited_for_as_long_as_there_is_time(now: list[float]) -> None:
    cluster = Cluster(Tuning())
    with pytest.raises(Stopped):
        Workers(cluster).wait(Watch(5.0))
    assert 105 <= now[0] < 106
    with pytest.raises(ExecutorGone, match="no workers for 30 s"):
        Workers(cluster).wait(Watch())
    cluster.workers = 2
    assert Workers(cluster).wait(Watch()) == 2


def test_a_cluster_that_cannot_be_asked_is_gone() -> None:
    cluster = Cluster(Tuning())
    cluster.fails = True
    with pytest.raises(ExecutorGone, match="TimeoutError: no answer"):
        Workers(cluster).count()
    cluster.closed = True
    with pytest.raises(ExecutorGone, match="it is closed"):
        Workers(cluster).count()


def test_an_exception_in_one_line() -> None:
    assert one_line(OSError("first\nsecond")) == "OSError: first"
    assert one_line(KeyboardInterrupt()) == "KeyboardInterrupt"
