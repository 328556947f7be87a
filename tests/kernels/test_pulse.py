"""The pulse looks up about every 20 ms, and lets an exception through."""

import time

import pytest

from ancestral._pulse_cy import Pulse


def test_it_looks_at_once_and_then_now_and_then() -> None:
    looks: list[float] = []
    pulse = Pulse(lambda: looks.append(time.monotonic()))
    pulse.step()
    assert len(looks) == 1
    end = time.monotonic() + 0.3
    beats = 0
    while time.monotonic() < end:
        pulse.step()
        beats += 1
    assert beats > 1000
    assert 3 <= len(looks) <= 17  # 15 looks fit in


def test_dear_steps_after_cheap_ones_are_noticed_soon() -> None:
    looks: list[float] = []
    pulse = Pulse(lambda: looks.append(time.monotonic()))
    for _ in range(100_000):
        pulse.step()
    before = len(looks)
    for _ in range(80):
        time.sleep(0.002)
        pulse.step()
    assert len(looks) > before


def test_what_is_raised_ends_the_work() -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Pulse(stop).step()


def test_without_a_look_it_never_does() -> None:
    pulse = Pulse()
    for _ in range(10_000):
        pulse.step()
