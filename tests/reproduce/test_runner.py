"""The same seed gives the same bytes, however often a run was ended."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ancestral.reproduce import EXPERIMENTS, reproduce
from ancestral.reproduce.experiment import Experiment, Job, Outcome, Scale
from ancestral.reproduce.runner import DONE, results, run_jobs
from tests.support.tiny_scale import TINY

pytest.importorskip("matplotlib")


class Counting:
    """An experiment that counts its runs, and is interrupted at one of them."""

    def __init__(self, interrupted_at: int | None = None) -> None:
        self.ran: list[str] = []
        self.interrupted_at = interrupted_at
        self.experiment = Experiment("counting", "Counting", self.jobs, self.run, lambda results: iter(()))

    def jobs(self, scale: Scale, seed: int) -> list[Job]:
        return [Job("counting", f"task-{i}", {"i": i, "most": scale.most}) for i in range(seed, seed + 5)]

    def run(self, job: Job) -> Outcome:
        if len(self.ran) == self.interrupted_at:
            raise KeyboardInterrupt
        self.ran.append(job.name)
        i = job.settings["i"]
        return Outcome([{"i": i, "square": i * i, "third": i / 3}], [{"i": i, "seconds": time.perf_counter()}])

    def csv(self, out: Path, scale: Scale = TINY) -> bytes:
        run_jobs([self.experiment], scale, 0, out, workers=1)
        assert results(self.experiment, scale, 0, out).rows["square"].to_list() == [0, 1, 4, 9, 16]
        return (out / "counting.csv").read_bytes()


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    whole = Counting().csv(tmp_path / "whole")
    assert whole.splitlines()[:2] == [b"i,square,third", b"0,0,0.0"]
    ended = Counting(interrupted_at=3)
    with pytest.raises(KeyboardInterrupt):
        ended.csv(tmp_path / "part")
    again = Counting()
    assert again.csv(tmp_path / "part") == whole
    assert again.ran == ["task-3", "task-4"]


def test_other_settings_and_broken_files_are_done_again(tmp_path: Path) -> None:
    first = Counting()
    first.csv(tmp_path)
    (tmp_path / DONE / "counting" / "task-2.json").write_bytes(b'{"made_by"')
    second = Counting()
    second.csv(tmp_path)
    assert second.ran == ["task-2"]
    third = Counting()
    third.csv(tmp_path, Scale(most=7))
    assert len(third.ran) == 5


def csvs(out: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in out.glob("*.csv")}


CHOSEN = ["rfci", "accuracy", "order"]


def collected(out: Path, seed: int = 0) -> Path:
    """The CSVs of the chosen experiments, without figures."""
    run_jobs([EXPERIMENTS[name] for name in CHOSEN], TINY, seed, out, workers=1)
    for name in CHOSEN:
        results(EXPERIMENTS[name], TINY, seed, out)
    return out


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return collected(tmp_path_factory.mktemp("whole"))


def test_the_same_seed_gives_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    assert csvs(collected(tmp_path)) == csvs(whole)


def test_another_seed_gives_other_bytes(whole: Path, tmp_path: Path) -> None:
    other, first = csvs(collected(tmp_path, seed=7)), csvs(whole)
    assert all(other[name] != first[name] for name in first)


def test_the_page_keeps_what_was_done_before(tmp_path: Path) -> None:
    reproduce(tmp_path, scale=TINY, only=["example"], workers=1)
    reproduce(tmp_path, scale=TINY, only=["order"], workers=1)
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert page.index("The seven-node example") < page.index("the order of columns")


def test_figures_have_the_same_bytes(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        reproduce(tmp_path / folder, scale=TINY, only=["example"], workers=1)
    figures = [file.name for ending in ("svg", "png") for file in (tmp_path / "one").glob(f"*.{ending}")]
    assert len(figures) == 4
    for name in figures:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_a_killed_run_on_two_processes_goes_on_to_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    program = (
        "from pathlib import Path; from ancestral.reproduce import reproduce; "
        "from tests.support.tiny_scale import TINY; "
        f"reproduce(Path({str(tmp_path)!r}), scale=TINY, only={CHOSEN!r}, workers=2)"
    )
    places = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    process = subprocess.Popen([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": places})
    deadline = time.monotonic() + 60
    while not files_of_tasks(tmp_path) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = files_of_tasks(tmp_path)
    assert kept
    before = {file: file.stat().st_mtime_ns for file in kept}
    assert csvs(collected(tmp_path)) == csvs(whole)
    assert {file: file.stat().st_mtime_ns for file in kept} == before


def files_of_tasks(out: Path) -> list[Path]:
    return [file for file in (out / DONE).glob("*/*.json") if not file.name.startswith(".")]


def test_seconds_stand_apart(whole: Path) -> None:
    seconds = json.loads((whole / "rfci.seconds.json").read_bytes())
    assert all(row["seconds"] > 0 for row in seconds)
    assert b"seconds" not in (whole / "rfci.csv").read_bytes()
