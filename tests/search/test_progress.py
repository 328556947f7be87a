"""The progress of a radius, and the estimate of what is left of it."""

import time

import numpy as np
import pytest

from ancestral.search.progress import RadiusProgress


class Asker:
    asked, done = 10, 1


def test_the_estimate_is_the_rest_of_the_work_at_the_pace_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    # three quarters of the work are done
    measure = RadiusProgress(2, 5, [Asker()], 2, lambda: np.array([3.0, 1.0]))
    now[0] += 6.0
    progress = measure(elapsed=9.0)
    assert (progress.radius, progress.edges, progress.done, progress.questions) == (2, 2, 1, 15)
    assert progress.elapsed == 9.0 and progress.remaining == pytest.approx(2.0)


def test_without_work_all_edges_count_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    measure = RadiusProgress(1, 0, [Asker(), Asker()], 8)
    now[0] += 6.0
    progress = measure(elapsed=6.0)
    assert (progress.done, progress.questions) == (2, 20) and progress.remaining == pytest.approx(18.0)


def test_there_is_no_estimate_before_anything_is_done() -> None:
    assert RadiusProgress(0, 0, [], 5)(elapsed=1.0).remaining is None
