"""A payload is loaded once in a process, and the last few are kept."""

import pickle
from dataclasses import dataclass

import pytest

from ancestral.parallel import payloads
from ancestral.parallel.payloads import MOST_CACHED, Payload, load_cached, pickled


@dataclass
class Counted:
    """Counts how often it was loaded."""

    number: int
    loaded = 0

    def __setstate__(self, state: dict[str, int]) -> None:
        Counted.loaded += 1
        self.__dict__.update(state)


@pytest.fixture(autouse=True)
def _nothing_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payloads, "_cache", type(payloads._cache)())
    Counted.loaded = 0


def packed(number: int) -> Payload:
    return Payload(f"token {number}", pickle.dumps(Counted(number)))


def test_a_payload_is_loaded_once() -> None:
    for _ in range(3):
        assert load_cached(packed(1)).number == 1
    assert Counted.loaded == 1


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


def test_functions_of_a_function_can_be_pickled() -> None:
    level = 0.5
    assert pickle.loads(pickled(lambda: level))() == 0.5
