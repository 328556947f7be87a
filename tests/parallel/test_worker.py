"""What a worker returns: a result, or the exception of the task, which can travel and says where it was raised."""

import pickle
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from ancestral.data import DataError
from ancestral.errors import RunError
from ancestral.parallel import worker
from ancestral.parallel.clock import Stopped, Watch
from ancestral.parallel.worker import MOST_CACHED, Payload, TaskError, TaskResult, load_cached, run_task
from ancestral.version import VERSION


def run(function: Callable[..., Any], *arguments: Any, limit: Watch | float | None = None) -> Any:
    return run_task(VERSION, function, limit, *arguments)


def error_of(result: TaskResult | TaskError) -> Exception:
    assert isinstance(result, TaskError)
    return result.error


def test_payloads_stand_for_their_values() -> None:
    payload = Payload("numbers", pickle.dumps([1, 2]))
    *values, watch = run(lambda *arguments: arguments, payload, "x", Payload("text", value="y")).value
    assert values == [[1, 2], "x", "y"]
    assert isinstance(watch, Watch) and watch.seconds_left is None


def test_the_seconds_of_the_work_are_measured() -> None:
    assert 0.02 <= run(lambda watch: time.sleep(0.02)).seconds < 10


def test_a_time_limit_counts_from_the_start_by_the_clock_of_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [5e8]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(time, "time", lambda: -1e12)

    def work(watch: Watch) -> None:
        now[0] += 2
        watch.check()

    assert isinstance(run(work, limit=2.5), TaskResult)
    assert isinstance(error_of(run(work, limit=1.5)), Stopped)


def test_a_thread_of_this_process_is_stopped_by_its_watch() -> None:
    watch = Watch()
    watch.stop()
    assert isinstance(error_of(run(lambda watch: watch.check(), limit=watch)), Stopped)


def test_an_exception_says_where_it_was_raised() -> None:
    def deep_inside(watch: Watch) -> None:
        raise ConnectionError("the database refused")

    error = error_of(run(deep_inside))
    assert isinstance(error, ConnectionError)
    assert "in deep_inside" in "".join(error.__notes__)


def test_an_error_that_explains_itself_has_no_note() -> None:
    def refuse(watch: Watch) -> None:
        raise DataError("column 'a' is empty")

    assert not hasattr(error_of(run(refuse)), "__notes__")


def test_an_exception_that_cannot_travel_becomes_its_text() -> None:
    class Secret(Exception):
        def __init__(self, one: int, two: int) -> None:
            super().__init__(f"{one} and {two}")
            self.lock = threading.Lock()

    def fail(watch: Watch) -> None:
        raise Secret(1, 2)

    error = error_of(run(fail))
    assert type(error) is RuntimeError and str(error) == "Secret: 1 and 2"
    assert isinstance(error_of(run(fail, limit=Watch())), Secret)  # within this process it need not travel


def test_a_worker_of_another_version_refuses() -> None:
    error = error_of(run_task("0.0.1", lambda watch: None, None))
    assert isinstance(error, RunError)
    assert str(error) == (
        f"a worker has ancestral {VERSION}, and this process has ancestral 0.0.1; install the same version everywhere"
    )


# -- payloads ---------------------------------------------------------------------------------------------------------


@dataclass
class Counted:
    """Counts how often it was loaded."""

    number: int
    loaded = 0

    def __setstate__(self, state: dict[str, int]) -> None:
        Counted.loaded += 1
        self.__dict__.update(state)


@pytest.fixture
def _nothing_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_cache", type(worker._cache)())
    Counted.loaded = 0


def packed(number: int) -> Payload:
    return Payload(f"token {number}", pickle.dumps(Counted(number)))


@pytest.mark.usefixtures("_nothing_loaded")
def test_a_payload_is_loaded_once() -> None:
    for _ in range(3):
        assert load_cached(packed(1)).number == 1
    assert Counted.loaded == 1


@pytest.mark.usefixtures("_nothing_loaded")
def test_the_last_few_payloads_are_kept() -> None:
    for number in range(MOST_CACHED):
        load_cached(packed(number))
    load_cached(packed(0))  # is used again, so it is not the oldest one
    load_cached(packed(MOST_CACHED))
    assert Counted.loaded == MOST_CACHED + 1
    load_cached(packed(0))
    assert Counted.loaded == MOST_CACHED + 1
    load_cached(packed(1))
    assert Counted.loaded == MOST_CACHED + 2


def test_a_value_of_this_process_is_not_copied() -> None:
    value = Counted(5)
    assert load_cached(Payload("token", value=value)) is value
