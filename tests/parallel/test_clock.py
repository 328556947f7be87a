"""Time limits, progress and Ctrl-C, around any search."""

import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ancestral as an
from ancestral.parallel.clock import Stopped, Watch
from ancestral.search.progress import Progress


def factors(columns: int, rows: int, seed: int = 1) -> np.ndarray:
    """A table in which everything hangs together, so that a search takes its time."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, 6)) @ rng.normal(size=(6, columns)) + 0.4 * rng.normal(size=(rows, columns))


def long_runs() -> dict[str, tuple[Any, dict[str, Any]]]:
    """Sources on which a search without condition 3 would take minutes, one for each kind of test."""
    values = factors(60, 4000)
    rng = np.random.default_rng(2)
    holes = rng.normal(size=(4000, 1)) + 0.6 * rng.normal(size=(4000, 40))  # one common cause: no set separates
    holes[rng.random(holes.shape) < 0.02] = np.nan
    wide = factors(120, 4000)
    both = {f"v{i}": wide[:, i] if i % 2 else (wide[:, i] > 0).astype(str) for i in range(120)}
    import polars as pl

    return {
        "fisher-z": (an.Moments.from_correlation(0.5 + 0.5 * np.eye(80), rows=1_000_000), {}),
        "g": (an.Table.of((values > 0).astype(int)), {}),
        "mixed": (an.Table.of(pl.DataFrame(both)), {}),
        "testwise": (an.Table.of(holes, missing="testwise"), {}),
        "oracle": (an.Oracle(an.simulate.random_dag(nodes=200, degree=8, seed=1)), {}),
    }


RUNS = long_runs()


@pytest.mark.parametrize(
    ("kind", "limit"),
    [(kind, limit) for kind in RUNS for limit in (0.1, 0.3, 0.8)]
    + [("fisher-z", 5.0), ("g", 3.0), ("mixed", 2.0), ("testwise", 1.5), ("oracle", 1.5)],
)
def test_a_time_limit_binds_inside_a_radius(kind: str, limit: float) -> None:
    source, options = RUNS[kind]
    began = time.monotonic()

    def patience(progress: Progress) -> None:  # a limit that does not bind must not keep the tests waiting
        if time.monotonic() > began + limit + 20:
            raise KeyboardInterrupt

    found = an.discover(source, time_limit=limit, progress=patience, possible_ancestors="off", **options)
    took = time.monotonic() - began
    assert found.stopped == "time limit"
    assert not found.complete
    # a stalled machine must not fail the test: what counts is that the run would have gone on for minutes
    assert took < limit + 3.0
    assert found.radius == len(found.history) - 1
    assert found.pag == an.discover(source, max_radius=max(found.radius, 0), possible_ancestors="off").pag or (
        found.radius == -1 and {edge for _, edge, _ in found.pag.edges()} == {"o-o"}
    )


def test_stages_end_when_the_time_is_over() -> None:
    source, _ = RUNS["g"]
    stages = list(an.stages(source, time_limit=0.5, possible_ancestors="off"))
    assert stages
    assert not stages[-1].complete


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_returns_the_last_complete_stage(workers: int) -> None:
    source, _ = RUNS["g"]
    stopped_at: list[int] = []

    def tell(progress: Progress) -> None:
        if progress.radius is not None and progress.radius >= 1:
            stopped_at.append(progress.radius)
            raise KeyboardInterrupt

    with pytest.warns(an.RunWarning, match="interrupted: this is the graph of the last complete stage"):
        found = an.discover(source, progress=tell, possible_ancestors="off", workers=workers, time_limit=60)
    assert (found.stopped, found.radius) == ("interrupt", stopped_at[0] - 1)
    assert found.pag == an.discover(source, max_radius=found.radius, possible_ancestors="off").pag
    assert "interrupted: if every test was right, what it says is true" in str(found)


def test_progress_is_told_while_a_radius_goes_on() -> None:
    source, _ = RUNS["g"]
    reports: list[Progress] = []
    an.discover(source, time_limit=1.5, progress=reports.append, possible_ancestors="off")
    assert len(reports) >= 5
    for before, after in pairwise(reports):
        assert after.elapsed > before.elapsed
        assert after.questions >= before.questions
        assert (after.radius or 0) >= (before.radius or 0)
    last = reports[-1]
    assert 0 <= last.done <= last.edges
    assert last.remaining is None or (last.remaining > 0) == (last.done < last.edges)  # 0 between two radii


class Clock:
    """A time that tests set."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "monotonic", clock)
    return clock


def test_a_watch_ends_at_its_deadline(clock: Clock) -> None:
    watch = Watch(5.0)
    clock.now += 4.9
    watch.check()
    assert watch.seconds_left == pytest.approx(0.1) and not watch.stopped
    clock.now += 0.2
    with pytest.raises(Stopped):
        watch.check()
    assert watch.seconds_left == 0 and watch.stopped


def test_a_watch_that_was_stopped_stops_its_children() -> None:
    watch = Watch()
    child, grandchild = watch.child(), watch.child().child()
    for each in (watch, child, grandchild):
        each.check()
    child.stop()
    watch.check()
    with pytest.raises(Stopped):
        child.check()
    watch.stop()
    for each in (watch, child, grandchild):
        with pytest.raises(Stopped):
            each.pulse().step()


def test_a_child_has_the_deadline_of_its_parent(clock: Clock) -> None:
    watch = Watch(5.0)
    clock.now += 3
    child = watch.child()
    assert child.seconds_left == 2
    clock.now += 2.5
    with pytest.raises(Stopped):
        child.check()
    assert watch.child().seconds_left == 0
    assert Watch().child().seconds_left is None


def test_progress_is_reported_in_regular_intervals(clock: Clock) -> None:
    reports: list[float] = []
    watch = Watch(tell=reports.append, report_every=1.0)
    watch.look()  # nothing is followed yet
    watch.follow(lambda elapsed: elapsed)
    for _ in range(5):
        clock.now += 0.6
        watch.look()
        watch.child().look()  # children report nothing
    assert reports == pytest.approx([1.2, 2.4])
    watch.report(lambda elapsed: elapsed, last=True)
    assert reports == pytest.approx([1.2, 2.4, 3.0])
    watch.stop()
    watch.report(lambda elapsed: elapsed, last=True)
    assert len(reports) == 3


def test_the_pulse_of_a_helper_does_not_report() -> None:
    reports: list[float] = []
    watch = Watch(tell=reports.append, report_every=0.0)
    watch.follow(lambda elapsed: elapsed)
    watch.pulse(tells=False).step()
    assert reports == []
    watch.pulse().step()
    assert len(reports) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"time_limit": 0}, "time_limit must be a number of seconds above 0, got 0"),
        ({"time_limit": "1"}, "time_limit must be a number of seconds above 0, got '1'"),
        ({"time_limit": float("nan")}, "time_limit must be a number of seconds above 0, got nan"),
        ({"progress": "yes"}, "progress must be True, False, None or a function, got 'yes'"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(an.OptionError, match=message):
        an.discover(an.Oracle(an.DAG.parse("a -> b")), **options)


@pytest.mark.parametrize("asked_for", [True, False])
def test_a_bar_is_shown_on_a_terminal_or_when_asked_for(
    asked_for: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, _ = RUNS["g"]
    monkeypatch.setenv("FORCE_COLOR", "1")  # makes rich believe in a terminal
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("ancestral.show.progress.SHOW_AFTER", 0.0)  # a busy machine may report late
    if not asked_for:
        monkeypatch.setattr("ancestral.show.progress.on_terminal", lambda: True)
    an.discover(source, time_limit=2.0, progress=True if asked_for else None, possible_ancestors="off")
    shown = capsys.readouterr()
    assert shown.out == ""
    for words in ("radius", "questions", "edges", "left in this radius"):
        assert words in shown.err


def test_no_bar_is_shown_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    source, _ = RUNS["g"]
    an.discover(source, time_limit=1.0, possible_ancestors="off")
    assert capsys.readouterr().err == ""


def test_nothing_looks_at_the_wall_clock() -> None:
    sources = Path(an.__file__).parent
    assert not [path for path in sources.rglob("*.py") if "time.time(" in path.read_text(encoding="utf-8")]
